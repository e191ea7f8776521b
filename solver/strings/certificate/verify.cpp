// SPDX-License-Identifier: GPL-3.0-or-later
// What is checked, with D the denominator, is what the theorem (certificate_bound.cpp) asks for:
//
//   1. Contexts and moves are those of the string (verify_moves.cpp).
//   2. Start and end have potentials, and the numbers of workers decide whether they are few at the start. Where a
//      potential is missing (a pattern is left out, or one of its views) it is below every number: no step leads from
//      there to a potential that is not.
//   3. For each pattern and each view j there is a view i, busy before, such that for each step after which j counts:
//      (weight of the moves) + (offsets of the others in view i before - in view j after) + (potential i before -
//      potential j after) >= D, however many others stay in each context in which some do.
//
// For the third, only the least weight with which the others of a class get from one set of contexts to another
// matters; it is found by letting them execute one after another (verify_executions.hpp).
//
// All that weights, offsets, potentials and counts go into is computed in WideInteger: what overflows proves nothing.
#include "solver/strings/certificate/verify.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "solver/strings/certificate/verify_executions.hpp"
#include "solver/strings/certificate/verify_moves.hpp"
#include "solver/strings/schedules/string.hpp"

namespace warpspan::solver {

using support::Diagnostic;
using support::WideInteger;

namespace {

using Set = uint32_t;
using Counts = CertificateExecutions::Counts;

constexpr size_t most_contexts = 32;
constexpr size_t longest_context = 16;
constexpr int64_t most_servers = 64;
constexpr size_t most_work = size_t{1} << 28;  // in steps
constexpr size_t work_of_a_dead_end = 256;     // it takes memory

Diagnostic refusal(std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  return diagnostic;
}

class Check {
 public:
  explicit Check(const Certificate& certificate)
      : certificate_(certificate), of_class_(certificate.servers.size()), executions_(certificate, work_, most_work) {}

  support::Result<Line> run() {
    if (auto error = check_problem()) return *error;
    if (auto error = check_moves()) return *error;
    if (auto error = check_workers()) return *error;
    if (auto error = check_patterns()) return *error;
    return line();
  }

 private:
  std::optional<Diagnostic> check_problem() {
    const auto symbols = validate({certificate_.string, 2, certificate_.servers});
    if (!symbols) return symbols.errors().front();
    for (const int64_t servers : certificate_.servers) {
      if (servers > most_servers) return refusal("a class has more servers than the check can follow");
    }
    if (certificate_.denominator < 1) return refusal("the denominator is below 1");
    const auto& contexts = certificate_.contexts;
    if (contexts.empty() || contexts.size() > most_contexts) return refusal("there are no contexts, or more than 32");
    for (size_t c = 0; c < contexts.size(); ++c) {
      const std::vector<int>& context = contexts[c];
      if (context.empty() || context.size() > longest_context || context.size() != contexts.front().size()) {
        return refusal("contexts have different lengths, or are empty or too long");
      }
      if (c > 0 && contexts[c - 1] >= context) return refusal("the contexts are not in ascending order");
      if (context.front() < 0 || context.front() >= static_cast<int>(of_class_.size())) {
        return refusal("a context does not begin with a class");
      }
      of_class_[static_cast<size_t>(context.front())] |= Set{1} << c;
    }
    for (size_t k = 0; k < of_class_.size(); ++k) {
      if (of_class_[k] != 0) classes_.push_back(k);
    }
    if (certificate_.views.size() != classes_.size())
      return refusal("there is not one view for each class of the string");
    for (const Certificate::View& view : certificate_.views) {
      if (view.offsets.size() != contexts.size()) return refusal("a view does not have one offset for each context");
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> check_moves() {
    auto moves = count_moves(certificate_);
    if (!moves) return moves.errors().front();
    moves_ = std::move(*moves);
    return std::nullopt;
  }

  // The analysed worker's context, where others stand, and for which classes they are few.
  static uint64_t key(int followed, Set others, Set few) {
    static_assert(CertificateExecutions::most_told_classes <= 8 && most_contexts < 64);
    return uint64_t{few} << 40 | static_cast<uint64_t>(followed + 1) << 32 | others;
  }
  static uint64_t key(const Certificate::Pattern& pattern) {
    return key(pattern.followed, pattern.others, pattern.few);
  }

  // The fewest others that there can be in a state with the pattern.
  int64_t fewest_others(Set others, Set few) const {
    int64_t fewest = 0;
    for (const size_t k : classes_) {
      const int64_t occupied = std::popcount(others & of_class_[k]);
      const bool enough = occupied > 0 && executions_.is_told(k) && (few >> k & 1) == 0;
      fewest += enough ? std::max(occupied, certificate_.servers[k]) : occupied;
    }
    return fewest;
  }

  std::optional<Diagnostic> check_workers() {
    if (certificate_.least_workers < 2) return refusal("the fewest workers are below 2");
    if (certificate_.most_workers < certificate_.least_workers)
      return refusal("the most workers are fewer than the fewest");
    if (certificate_.tells_few && certificate_.servers.size() > CertificateExecutions::most_told_classes)
      return refusal("a certificate that tells few workers has too many classes");
    const size_t k = class_of(moves_.start);
    if (!executions_.is_told(k)) return std::nullopt;
    // All others stand in one context.
    if (certificate_.most_workers <= certificate_.servers[k]) {
      start_few_ = Set{1} << k;
    } else if (certificate_.least_workers <= certificate_.servers[k]) {
      return refusal("the number of workers does not tell whether they are few at the start");
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> check_patterns() {
    const auto contexts = static_cast<int>(certificate_.contexts.size());
    const Set all = static_cast<Set>((uint64_t{1} << contexts) - 1);
    for (const Certificate::Pattern& pattern : certificate_.patterns) {
      if (pattern.followed < finished || pattern.followed >= contexts || (pattern.others & ~all) != 0) {
        return refusal("a pattern has a context that is not listed");
      }
      if (pattern.potentials.size() != classes_.size())
        return refusal("a pattern does not have one potential for each view");
      if (!potentials_.try_emplace(key(pattern), &pattern.potentials).second)
        return refusal("a pattern is listed twice");
      if (auto error = check_few(pattern)) return error;
    }
    if (!potentials_.contains(key(moves_.start, Set{1} << moves_.start, start_few_)))
      return refusal("the start pattern is missing");
    if (!potentials_.contains(key(finished, 0, 0))) return refusal("the end pattern is missing");
    for (const Certificate::Pattern& pattern : certificate_.patterns) {
      if (pattern.followed == finished) {
        for (const auto& potential : pattern.potentials) {
          if (!potential) return refusal("the end pattern has no potential");
        }
        continue;
      }
      if (auto error = check_steps(pattern)) return error;
    }
    for (size_t i = 0; i < dead_ends_.size(); ++i) {
      const Certificate::Pattern pattern = dead_ends_[i];
      if (auto error = check_steps(pattern)) return error;
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> check_few(const Certificate::Pattern& pattern) const {
    Set told = 0;
    for (const size_t k : classes_) {
      const bool fits = std::popcount(pattern.others & of_class_[k]) < certificate_.servers[k];
      if (executions_.is_told(k) && (pattern.others & of_class_[k]) != 0 && fits) told |= Set{1} << k;
    }
    if ((pattern.few & ~told) == 0) return std::nullopt;
    return refusal("a pattern tells that workers are few where they cannot be");
  }

  size_t class_of(int context) const {
    return static_cast<size_t>(certificate_.contexts[static_cast<size_t>(context)].front());
  }

  // Some worker is ready for the class.
  bool is_busy(const Certificate::Pattern& pattern, size_t k) const {
    return (pattern.others & of_class_[k]) != 0 || class_of(pattern.followed) == k;
  }

  // For each view there has to be a source for all steps from a pattern. A view that is busy is tried first.
  std::optional<Diagnostic> check_steps(const Certificate::Pattern& pattern) {
    for (size_t view = 0; view < classes_.size(); ++view) {
      std::optional<Diagnostic> first_error;
      bool is_found = false;
      for (size_t i = 0; i < classes_.size() && !is_found; ++i) {
        const size_t source = (view + i) % classes_.size();
        if (!is_busy(pattern, classes_[source])) continue;
        const auto error = check_steps(pattern, view, source);
        is_found = !error;
        if (work_ > most_work) return refusal("the certificate is too large to check");
        if (!first_error) first_error = error;
      }
      if (!is_found) return first_error;
    }
    return std::nullopt;
  }

  // A step as it is composed: from what to what, and its weight so far.
  struct Sum {
    const Certificate::Pattern* before;
    size_t view;    // after the step
    size_t source;  // before it
    bool followed_executes;
    int followed;  // where the analysed worker is afterwards
    WideInteger weight;
    Set others = 0;       // where others are afterwards
    Set stayed = 0;       // where some stay
    Counts arrivals = 0;  // at each class
  };

  std::optional<Diagnostic> check_steps(const Certificate::Pattern& pattern, size_t view, size_t source) {
    // The analysed worker waits: as many others as there are servers execute its class.
    if (auto error = check_class(0, Sum{&pattern, view, source, false, pattern.followed, 0})) return error;
    for (const Certificate::Move& move : certificate_.moves) {
      if (move.from != pattern.followed) continue;
      if (auto error = check_class(0, Sum{&pattern, view, source, true, move.to, move.followed})) return error;
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> check_class(size_t at, const Sum& sum) {
    if (at == classes_.size()) return check_step(sum);
    const size_t k = classes_[at];
    const bool is_own = class_of(sum.before->followed) == k;
    const bool few = executions_.is_told(k) && (sum.before->few >> k & 1) != 0;
    if (few && is_own && !sum.followed_executes) return std::nullopt;  // there is a server left for it
    const CertificateExecutions::Execution execution{sum.source, sum.view, sum.before->others & of_class_[k],
                                                     few,        is_own,   is_own && sum.followed_executes};
    const auto& least = executions_.least_weights(execution, k);
    if (++work_ > most_work) return refusal("the certificate is too large to check");
    for (const auto& [after, weight] : least) {
      Sum longer = sum;
      longer.others |= after.stay | after.arrived;
      longer.stayed |= after.stay;
      longer.arrivals = executions_.added(longer.arrivals, after.arrivals);
      longer.weight += weight;
      if (auto error = check_class(at + 1, longer)) return error;
    }
    return std::nullopt;
  }

  // At the end the view of the class executed last counts, before it those whose classes are busy.
  bool counts(const Sum& sum) const {
    const size_t k = classes_[sum.view];
    if (sum.followed == finished) return class_of(sum.before->followed) == k;
    return (sum.others & of_class_[k]) != 0 || class_of(sum.followed) == k;
  }

  // With all that patterns can report after the step: where others stay there may be any number of them.
  std::optional<Diagnostic> check_step(const Sum& sum) {
    if (sum.followed == finished && sum.others != 0) return std::nullopt;  // the analysed worker finishes last
    if (!counts(sum)) return std::nullopt;
    Set few = 0, unsure = 0;
    for (const size_t k : classes_) {
      const int64_t stay = std::popcount(sum.stayed & of_class_[k]);
      const int64_t fewest = stay + (executions_.is_told(k) ? executions_.count(sum.arrivals, k) : 0);
      if (!executions_.is_told(k) || fewest == 0 || fewest >= certificate_.servers[k]) continue;
      (stay > 0 ? unsure : few) |= Set{1} << k;
    }
    for (Set more = unsure;; more = (more - 1) & unsure) {
      if (auto error = check_step(sum, few | more)) return error;
      if (more == 0) return std::nullopt;
    }
  }

  std::optional<Diagnostic> check_step(const Sum& sum, Set few) {
    ++work_;
    if (fewest_others(sum.others, few) > certificate_.most_workers - 1) return std::nullopt;
    const uint64_t after = key(sum.followed, sum.others, few);
    const auto known = potentials_.find(after);
    if (known == potentials_.end()) {
      if (!unlisted_.insert(after).second) return std::nullopt;
      work_ += work_of_a_dead_end;
      dead_ends_.push_back({sum.followed, sum.others, {}, few});
      return std::nullopt;
    }
    const std::optional<int64_t> potential_after = (*known->second)[sum.view];
    if (!potential_after) return std::nullopt;
    if (sum.before->potentials.empty() || !sum.before->potentials[sum.source]) {
      return refusal("a potential that a schedule can meet is missing");
    }
    // Of a worker that stays; there is at least one in the context, and there may be any number.
    for (Set rest = sum.stayed; rest != 0; rest &= rest - 1) {
      const auto context = static_cast<size_t>(std::countr_zero(rest));
      if (executions_.offset(sum.source, context) < executions_.offset(sum.view, context))
        return refusal("an offset grows where a view gives way to another one");
    }
    const WideInteger lost = sum.weight + *sum.before->potentials[sum.source] - *potential_after;
    if (lost.is_at_least(certificate_.denominator)) return std::nullopt;
    return refusal("a step lowers the potential by less than 1");
  }

  // The least of any view, none of which is missing.
  int64_t potential_at_end() const {
    int64_t least = INT64_MAX;
    for (const auto& potential : *potentials_.at(key(finished, 0, 0))) least = std::min(least, *potential);
    return least;
  }

  support::Result<Line> line() const {
    LineParts parts;
    for (size_t i = 0; i < moves_.times.size(); ++i) {
      parts.other += WideInteger(moves_.times[i]) * certificate_.moves[i].other;
      parts.followed += WideInteger(moves_.times[i]) * certificate_.moves[i].followed;
    }
    // At the start only the view of the first symbol's class counts.
    const auto view =
        static_cast<size_t>(std::find(classes_.begin(), classes_.end(), class_of(moves_.start)) - classes_.begin());
    parts.other += certificate_.views[view].offsets[static_cast<size_t>(moves_.start)];
    const auto at_start = (*potentials_.at(key(moves_.start, Set{1} << moves_.start, start_few_)))[view];
    if (!at_start) return refusal("the start pattern has no potential");
    parts.followed += *at_start;
    parts.followed -= potential_at_end();
    if (const auto line = line_of(parts, certificate_)) return *line;
    return refusal("a number on the way to the bound exceeds 2^63 - 1");
  }

  const Certificate& certificate_;
  std::vector<Set> of_class_;    // contexts that begin with the class
  std::vector<size_t> classes_;  // of the views
  size_t work_ = 0;              // done so far
  CertificateExecutions executions_;
  CountedMoves moves_;
  Set start_few_ = 0;  // class of the first position, if the others are few there
  std::unordered_map<uint64_t, const std::vector<std::optional<int64_t>>*> potentials_;  // of the listed patterns
  std::unordered_set<uint64_t> unlisted_;        // other patterns that steps lead to
  std::vector<Certificate::Pattern> dead_ends_;  // the same, in the order found
};

}  // namespace

support::Result<Line> verify_certificate(const Certificate& certificate) { return Check(certificate).run(); }

}  // namespace warpspan::solver
