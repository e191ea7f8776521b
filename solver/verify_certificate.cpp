// What is checked, with D the denominator, is what the theorem (certificate_bound.cpp) asks for:
//
//   1. Contexts and moves are those of the string. The string is walked with every repetition cut down to as many
//      rounds as a context can look ahead; what the rounds left out would show is what the first round shows.
//   2. Start and end have potentials. Where a potential is missing (a pattern is left out, or one of its views) it is
//   below
//      every number: no step leads from there to a potential that is not.
//   3. For each step and for each view j that counts after it and the view i of before that stands
//      in for j: (weight of the moves) + (offsets of the others in view i before - in view j after) + (potential i
//      before - potential j after) >= D, however many others there are in each context before.
//
// For the third, only the least weight with which the others of a class get from one set of contexts to another
// matters; it is found by letting them execute one after another.
#include "solver/verify_certificate.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "solver/string.hpp"

namespace warpspan::solver {

using support::Diagnostic;
using support::Integer;

namespace {

__extension__ using Wide = __int128;
using Set = uint32_t;

constexpr size_t most_contexts = 32;
constexpr size_t longest_context = 16;
constexpr size_t most_positions = size_t{1} << 20;
constexpr int64_t most_servers = 64;
constexpr size_t most_work = size_t{1} << 28;  // in steps
constexpr size_t work_of_a_part = 512;         // of a step; it takes memory

Diagnostic refusal(std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  return diagnostic;
}

struct Position {
  int symbol = 0;
  Integer times;  // positions of the whole string that it stands for
};

// Appends the positions of the string with at most `rounds` rounds of each repetition; false if they are too many.
bool append_positions(const String& string, int64_t rounds, std::vector<Position>& positions) {
  for (const Term& term : string) {
    const int64_t copies = std::min(term.repeat, rounds);
    const size_t begin = positions.size();
    if (term.body.empty()) {
      positions.push_back({term.symbol, 1});
    } else if (!append_positions(term.body, rounds, positions)) {
      return false;
    }
    const size_t end = positions.size();
    if (end + (end - begin) * static_cast<size_t>(copies - 1) > most_positions) return false;
    for (int64_t i = 1; i < copies; ++i) {
      for (size_t j = begin; j < end; ++j) positions.push_back(Position(positions[j]));
    }
    for (size_t j = begin; j < end; ++j) positions[j].times *= Integer(term.repeat - copies + 1);
  }
  return true;
}

class Check {
 public:
  explicit Check(const Certificate& certificate) : certificate_(certificate), of_class_(certificate.servers.size()) {}

  support::Result<Line> run() {
    if (auto error = check_problem()) return *error;
    if (auto error = check_moves()) return *error;
    if (auto error = check_patterns()) return *error;
    return line();
  }

 private:
  std::optional<Diagnostic> check_problem() {
    const auto counts = validate({certificate_.string, 2, certificate_.servers});
    if (!counts) return counts.errors().front();
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
      is_merged_ = is_merged_ || std::find(context.begin(), context.end(), other_class) != context.end();
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

  // Index of the context at a position, or `finished`; nothing if it is not listed.
  std::optional<int> context_at(const std::vector<Position>& positions, size_t at) const {
    if (at == positions.size()) return finished;
    std::vector<int> context;
    for (size_t i = 0; i < certificate_.contexts.front().size(); ++i) {
      context.push_back(at + i < positions.size() ? positions[at + i].symbol : past_end);
    }
    for (int& symbol : context) {
      if (is_merged_ && symbol != context.front()) symbol = other_class;
    }
    const auto found = std::lower_bound(certificate_.contexts.begin(), certificate_.contexts.end(), context);
    if (found == certificate_.contexts.end() || *found != context) return std::nullopt;
    return static_cast<int>(found - certificate_.contexts.begin());
  }

  std::optional<Diagnostic> check_moves() {
    std::vector<Position> positions;
    const auto rounds = static_cast<int64_t>(certificate_.contexts.front().size() + 1);
    if (!append_positions(certificate_.string, rounds, positions)) return refusal("the string is too long to check");
    std::map<std::pair<int, int>, Integer> counts;
    for (size_t at = 0; at < positions.size(); ++at) {
      const auto from = context_at(positions, at), to = context_at(positions, at + 1);
      if (!from || !to) return refusal("a position of the string has none of the contexts");
      counts[{*from, *to}] += positions[at].times;
    }
    start_ = *context_at(positions, 0);
    bool same = counts.size() == certificate_.moves.size();
    auto move = certificate_.moves.begin();
    for (const auto& [ends, count] : counts) {
      same = same && ends == std::pair(move->from, move->to);
      if (!same) return refusal("the moves are not those of the string");
      counts_.push_back(count);
      ++move;
    }
    return std::nullopt;
  }

  static uint64_t key(int followed, Set others) { return static_cast<uint64_t>(followed + 1) << 32 | others; }

  std::optional<Diagnostic> check_patterns() {
    const auto contexts = static_cast<int>(certificate_.contexts.size());
    const Set all = static_cast<Set>((uint64_t{1} << contexts) - 1);
    for (const auto& [followed, others, potentials] : certificate_.patterns) {
      if (followed < finished || followed >= contexts || (others & ~all) != 0) {
        return refusal("a pattern has a context that is not listed");
      }
      if (potentials.size() != classes_.size()) return refusal("a pattern does not have one potential for each view");
      if (!potentials_.try_emplace(key(followed, others), &potentials).second)
        return refusal("a pattern is listed twice");
    }
    if (!potentials_.contains(key(start_, Set{1} << start_))) return refusal("the start pattern is missing");
    if (!potentials_.contains(key(finished, 0))) return refusal("the end pattern is missing");
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

  size_t class_of(int context) const {
    return static_cast<size_t>(certificate_.contexts[static_cast<size_t>(context)].front());
  }

  // Some worker is ready for the class.
  bool is_busy(const Certificate::Pattern& pattern, size_t k) const {
    return (pattern.others & of_class_[k]) != 0 || class_of(pattern.followed) == k;
  }

  // The steps from a pattern, with the weights of one view after another.
  std::optional<Diagnostic> check_steps(const Certificate::Pattern& pattern) {
    for (size_t view = 0; view < classes_.size(); ++view) {
      size_t source = view;  // that stands in for the view: the next one whose class is busy
      while (!is_busy(pattern, classes_[source])) source = (source + 1) % classes_.size();
      Wide change = 0;
      for (size_t c = 0; c < certificate_.contexts.size(); ++c) {
        if (source == view || (pattern.others >> c & 1) == 0) continue;
        const Wide loss = Wide{certificate_.views[source].offsets[c]} - certificate_.views[view].offsets[c];
        // Of a worker; there is at least one in the context, and there may be any number.
        if (loss < 0 && !is_dead_end(pattern)) return refusal("an offset grows where a view gives way to another one");
        change += loss;
      }
      if (auto error = check_steps(pattern, view, source, change)) return error;
    }
    return std::nullopt;
  }

  // A step as it is put together: from what to what, and its weight so far.
  struct Sum {
    const Certificate::Pattern* before;
    size_t view;    // after the step
    size_t source;  // before it
    bool followed_executes;
    int followed;  // where the followed worker is afterwards
    Set others;    // where others are afterwards
    Wide weight;
  };

  std::optional<Diagnostic> check_steps(const Certificate::Pattern& pattern, size_t view, size_t source, Wide change) {
    // The followed worker waits: as many others as there are servers execute its class.
    if (auto error = check_class(0, Sum{&pattern, view, source, false, pattern.followed, 0, change})) return error;
    for (const Certificate::Move& move : certificate_.moves) {
      if (move.from != pattern.followed) continue;
      if (auto error = check_class(0, Sum{&pattern, view, source, true, move.to, 0, change + move.followed}))
        return error;
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> check_class(size_t k, const Sum& sum) {
    if (k == of_class_.size()) return check_step(sum);
    const bool is_own = class_of(sum.before->followed) == k;
    const int64_t servers = certificate_.servers[k] - (is_own && sum.followed_executes ? 1 : 0);
    const bool may_be_fewer = !is_own || sum.followed_executes;
    const Least& least = least_weights(sum.before->others & of_class_[k], servers, may_be_fewer, sum.view);
    if (work_ > most_work) return refusal("the certificate is too large to check");
    for (const auto& [next, weight] : least) {
      Sum longer = sum;
      longer.others |= next;
      longer.weight += weight;
      if (auto error = check_class(k + 1, longer)) return error;
    }
    return std::nullopt;
  }

  bool is_dead_end(const Certificate::Pattern& pattern) const {
    return unlisted_.contains(key(pattern.followed, pattern.others));
  }

  // At the end the view of the class executed last counts, before it those whose classes are busy.
  bool counts(const Sum& sum) const {
    const size_t k = classes_[sum.view];
    if (sum.followed == finished) return class_of(sum.before->followed) == k;
    return (sum.others & of_class_[k]) != 0 || class_of(sum.followed) == k;
  }

  std::optional<Diagnostic> check_step(const Sum& sum) {
    ++work_;
    if (sum.followed == finished && sum.others != 0) return std::nullopt;  // the followed worker finishes last
    if (!counts(sum)) return std::nullopt;
    const auto after = potentials_.find(key(sum.followed, sum.others));
    if (after == potentials_.end()) {
      if (unlisted_.insert(key(sum.followed, sum.others)).second) dead_ends_.push_back({sum.followed, sum.others, {}});
      return std::nullopt;
    }
    const std::optional<int64_t> potential_after = (*after->second)[sum.view];
    if (!potential_after) return std::nullopt;
    if (is_dead_end(*sum.before) || !sum.before->potentials[sum.source]) {
      return refusal("a potential that a schedule can meet is missing");
    }
    const Wide potential = Wide{*sum.before->potentials[sum.source]} - *potential_after;
    if (sum.weight + potential >= certificate_.denominator) return std::nullopt;
    return refusal("a step lowers the potential by less than 1");
  }

  using Least = std::map<Set, Wide>;  // where the others of a class stand after a step -> least weight of its moves

  // With the weights of a view. Exactly `servers` of them execute; or, if that may be, all there are, which are fewer.
  const Least& least_weights(Set occupied, int64_t servers, bool may_be_fewer, size_t view) {
    const auto [slot, is_new] = least_.try_emplace(std::tuple(view, occupied, servers, may_be_fewer));
    if (!is_new) return slot->second;
    Least& least = slot->second;
    const auto keep = [&](Set left, Set arrived, Wide weight) {
      const auto [known, first] = least.try_emplace((occupied & ~left) | arrived, weight);
      if (!first) known->second = std::min(known->second, weight);
    };
    std::map<std::pair<Set, Set>, Wide> reached{{{0, 0}, 0}};  // contexts left for good and contexts arrived at
    for (int64_t n = 0; n < servers; ++n) {
      for (const auto& [sets, weight] : reached) {
        if (may_be_fewer && sets.first == occupied) keep(sets.first, sets.second, weight);
      }
      reached = after_one_more(reached, occupied, certificate_.views[view].offsets);
    }
    for (const auto& [sets, weight] : reached) keep(sets.first, sets.second, weight);
    return least;
  }

  std::map<std::pair<Set, Set>, Wide> after_one_more(const std::map<std::pair<Set, Set>, Wide>& reached, Set occupied,
                                                     const std::vector<int64_t>& offsets) {
    std::map<std::pair<Set, Set>, Wide> longer;
    for (const auto& [sets, weight] : reached) {
      for (const Certificate::Move& move : certificate_.moves) {
        const Set from = Set{1} << move.from;
        const Set to = move.to == finished ? 0 : Set{1} << move.to;
        if ((occupied & from) == 0) continue;
        work_ += work_of_a_part;
        if (work_ > most_work) return longer;  // too large: what is missing here is never used
        const Wide sum = weight + move.other + offsets[static_cast<size_t>(move.from)] -
                         (move.to == finished ? 0 : offsets[static_cast<size_t>(move.to)]);
        for (const Set left : {sets.first, sets.first | from}) {
          const auto [known, first] = longer.try_emplace({left, sets.second | to}, sum);
          if (!first) known->second = std::min(known->second, sum);
        }
      }
    }
    return longer;
  }

  // The least of any view, none of which is missing.
  int64_t potential_at_end() const {
    int64_t least = INT64_MAX;
    for (const auto& potential : *potentials_.at(key(finished, 0))) least = std::min(least, *potential);
    return least;
  }

  support::Result<Line> line() const {
    Wide slope = 0, followed = 0;
    for (size_t i = 0; i < counts_.size(); ++i) {
      const auto count = counts_[i].value();
      if (!count) return refusal("a number on the way to the bound exceeds 2^63 - 1");
      slope += Wide{*count} * certificate_.moves[i].other;
      followed += Wide{*count} * certificate_.moves[i].followed;
    }
    // At the start only the view of the first symbol's class counts.
    const auto view =
        static_cast<size_t>(std::find(classes_.begin(), classes_.end(), class_of(start_)) - classes_.begin());
    slope += certificate_.views[view].offsets[static_cast<size_t>(start_)];
    const auto at_start = (*potentials_.at(key(start_, Set{1} << start_)))[view];
    if (!at_start) return refusal("the start pattern has no potential");
    const Wide potential = Wide{*at_start} - potential_at_end();
    const auto exact_slope = fraction(slope), exact_intercept = fraction(followed - slope + potential);
    if (!exact_slope || !exact_intercept) return refusal("a number on the way to the bound exceeds 2^63 - 1");
    return Line{*exact_slope, *exact_intercept};
  }

  std::optional<support::Rational> fraction(Wide numerator) const {
    Wide divisor = certificate_.denominator, rest = numerator < 0 ? -numerator : numerator;
    while (rest != 0) divisor = std::exchange(rest, divisor % rest);
    const Wide reduced = numerator / divisor;
    if (reduced > INT64_MAX || reduced < -INT64_MAX) return std::nullopt;
    return support::make_rational(static_cast<int64_t>(reduced),
                                  static_cast<int64_t>(certificate_.denominator / divisor));
  }

  const Certificate& certificate_;
  std::vector<Set> of_class_;    // contexts that begin with the class
  std::vector<size_t> classes_;  // of the views
  std::vector<Integer> counts_;  // positions of the string at which the move is made
  bool is_merged_ = false;       // other_class stands for what is not of a context's first class
  size_t work_ = 0;              // done so far
  int start_ = 0;                // context of the first position
  std::unordered_map<uint64_t, const std::vector<std::optional<int64_t>>*> potentials_;  // of the listed patterns
  std::unordered_set<uint64_t> unlisted_;        // other patterns that steps lead to
  std::vector<Certificate::Pattern> dead_ends_;  // the same, in the order found
  std::map<std::tuple<size_t, Set, int64_t, bool>, Least> least_;
};

}  // namespace

support::Result<Line> verify_certificate(const Certificate& certificate) { return Check(certificate).run(); }

Integer makespan_on(const Line& line, int64_t workers) {
  Wide slope = 0, intercept = 0, denominator = 0;
  bool overflow =
      __builtin_mul_overflow(Wide{line.slope.numerator} * workers, Wide{line.intercept.denominator}, &slope);
  overflow |= __builtin_mul_overflow(Wide{line.intercept.numerator}, Wide{line.slope.denominator}, &intercept);
  overflow |= __builtin_add_overflow(slope, intercept, &slope);
  overflow |= __builtin_mul_overflow(Wide{line.slope.denominator}, Wide{line.intercept.denominator}, &denominator);
  const Wide floor = overflow ? 0 : slope / denominator - (slope % denominator < 0 ? 1 : 0);
  if (overflow || floor > INT64_MAX || floor < INT64_MIN) return Integer(INT64_MAX) + Integer(1);
  return Integer(static_cast<int64_t>(floor));
}

}  // namespace warpspan::solver
