// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let a schedule of W identical workers that start at once reach a state at time t, and let some workers be
// unfinished. In n_p workers stand before position p, and R_k is the number of class-k symbols that all workers still
// execute. Then the schedule, however it goes on, ends by t + max over the occupied positions p of B(p), where B(p) is
// the smaller one of two bounds for "a worker v that stands before p in the state finishes last":
//
//   list(p) = (length of the rest from p) + sum over k of floor((R_k - class-k symbols of the rest from p) / s_k),
//
// and with a certificate for W workers (certificate_bound.cpp has its theorem and the words used here),
//
//   floor(max over the busy views j with a potential of
//           (weights other_t of all moves the workers but v still make) + (weights followed_t of those of v)
//           + (sum of h_j over the contexts of the unfinished workers but v) + g_j(P) - g_l(end)),
//
// P the state's pattern if v is followed, l the view of the class of the last symbol. Positions p where no busy view of
// P has a potential are left out.
//
// Proof. Some worker v finishes last; it is unfinished in the state, so it stands before an occupied p.
//
// list(p): in every cycle after t, up to its end, v executes or s_k others execute the class k it is ready for. It
// executes as often as the rest from p is long, and the others execute R_k minus v's symbols of class k.
//
// Certificate: the proof of the certificate's theorem goes back from the last cycle, T, and takes in each cycle the
// source of the view: it is a view that is busy in the pattern at the beginning of the cycle and has a potential there,
// and in each cycle the potential falls by at least 1 from the source before to the view after. Here the walk back ends
// at the beginning of cycle t + 1. There it has come to some busy view j of P, with a g_j(P), so that T - t is at most
// (potential of the state in view j) - g_l(end). Which busy view that is does not matter, because the largest is taken;
// if there is none with a potential, there is no such schedule, and v does not finish last. Step by step:
//
//   - The cycles up to t and after it are one schedule in which v finishes last, so all patterns of it are reached by
//     abstract steps from the start pattern (all of W >= 2 workers before the first position), and what was checked for
//     all steps from such patterns is true: that is what certificates prove, and why the state has to be a reached one.
//     A problem with W = 1, or any other number of workers that the certificate is not for, starts with a pattern that
//     was not checked, so no certificate is used.
//   - Others that have finished stand nowhere and have no moves left: they add nothing. If all others have finished,
//     the set X of P is empty, which is a pattern like any other.
//   - X is the set of contexts in which somebody but v stands: v's own context belongs to it if another worker stands
//     there, be it before p or before another position with the same context. Where patterns report for which classes
//     others are few, v is not counted among those either.
//   - n_c in the potential counts the workers but v, and so does the sum of other_t.
//
// In the start state all workers stand before the first position; then there is one view, and B is the smaller one of
// the list bound and the certificate's line (which takes the least potential at the end where this takes view l). QED.
//
// All numbers are integers over the certificate's denominator. None of the sums here is larger in magnitude than
// W * (I + the largest weight left of a position + the largest offset) + the weights left to v + two potentials, and
// make() refuses what could make that exceed 2^63 - 1, so the evaluation needs no checks.
#include "solver/strings/search/remaining_bound.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "solver/strings/certificate/verify.hpp"
#include "solver/strings/schedules/string.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

constexpr int64_t missing = std::numeric_limits<int64_t>::min();

support::Diagnostic refusal(std::string message) {
  support::Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  return diagnostic;
}

const char too_long[] = "a number on the way to the bound exceeds 2^63 - 1";

Integer magnitude(int64_t value) { return value < 0 ? Integer(0) - Integer(value) : Integer(value); }

// The largest magnitude.
Integer largest(const std::vector<int64_t>& values) {
  Integer most;
  for (const int64_t value : values) most = max(most, magnitude(value == missing ? 0 : value));
  return most;
}

uint64_t key_of(size_t followed, uint32_t others) { return (static_cast<uint64_t>(followed) + 1) << 32 | others; }

size_t home(uint64_t key, uint32_t few, size_t slots) {
  return static_cast<size_t>((key + few * 0x85ebca6bu) * 0x9e3779b97f4a7c15u >> 32) & (slots - 1);
}

}  // namespace

support::Result<RemainingBound> RemainingBound::make(const std::vector<int>& symbols, int64_t workers,
                                                     const std::vector<int64_t>& servers,
                                                     const Certificate* certificate) {
  RemainingBound bound;
  if (!bound.count_symbols(symbols, workers, servers)) return refusal(too_long);
  if (certificate == nullptr) return bound;
  if (const auto line = verify_certificate(*certificate); !line) return line.errors();
  if (certificate->servers != servers ||
      expand(certificate->string, static_cast<int64_t>(symbols.size())) != std::optional(symbols)) {
    return refusal("the certificate is one of another problem");
  }
  if (workers < certificate->least_workers || workers > certificate->most_workers) return bound;
  bound.tells_few_ = certificate->tells_few;
  bound.read_contexts(*certificate, symbols);
  bound.read_patterns(*certificate);
  if (!bound.read_weights(*certificate, workers)) return refusal(too_long);
  bound.has_certificate_ = true;
  return bound;
}

bool RemainingBound::count_symbols(const std::vector<int>& symbols, int64_t workers,
                                   const std::vector<int64_t>& servers) {
  std::map<int, size_t> index;  // of the classes that occur
  for (const int symbol : symbols) {
    if (index.try_emplace(symbol, index.size()).second) servers_.push_back(servers[static_cast<size_t>(symbol)]);
  }
  const size_t classes = index.size();
  rest_.resize(symbols.size());
  symbols_.resize(symbols.size() * classes);
  symbols_left_.resize(classes);
  std::vector<int64_t> left(classes);
  for (size_t p = symbols.size(); p-- > 0;) {
    ++left[index.at(symbols[p])];
    rest_[p].length = static_cast<int64_t>(symbols.size() - p);
    std::copy(left.begin(), left.end(), symbols_.begin() + static_cast<std::ptrdiff_t>(p * classes));
  }
  return !(Integer(workers) * Integer(rest_.front().length)).overflowed();
}

void RemainingBound::read_contexts(const Certificate& certificate, const std::vector<int>& symbols) {
  const size_t length = certificate.contexts.front().size();
  bool is_merged = false;
  for (const auto& context : certificate.contexts) {
    is_merged = is_merged || std::find(context.begin(), context.end(), other_class) != context.end();
  }
  for (size_t p = 0; p < symbols.size(); ++p) {
    std::vector<int> context;
    for (size_t i = p; i < p + length; ++i) context.push_back(i < symbols.size() ? symbols[i] : past_end);
    for (int& symbol : context) {
      if (is_merged && symbol != context.front()) symbol = other_class;
    }
    const auto found = std::lower_bound(certificate.contexts.begin(), certificate.contexts.end(), context);
    rest_[p].context = static_cast<size_t>(found - certificate.contexts.begin());
  }
  int symbol = past_end;
  for (size_t c = 0; c < certificate.contexts.size(); ++c) {
    if (views_.empty() || certificate.contexts[c].front() != symbol) {
      symbol = certificate.contexts[c].front();
      views_.push_back({symbol, certificate.servers[static_cast<size_t>(symbol)], 0});
    }
    views_.back().contexts |= uint32_t{1} << c;
  }
  in_context_.resize(certificate.contexts.size());
  largest_view_.resize(certificate.contexts.size());
  is_weighed_.resize(certificate.contexts.size());
  offset_of_view_.resize(views_.size());
}

void RemainingBound::read_patterns(const Certificate& certificate) {
  size_t slots = 2;
  while (slots < 2 * certificate.patterns.size()) slots *= 2;
  patterns_.resize(slots);
  const uint32_t last = uint32_t{1} << rest_.back().context;
  const auto last_view = static_cast<size_t>(
      std::find_if(views_.begin(), views_.end(), [=](const View& view) { return (view.contexts & last) != 0; }) -
      views_.begin());
  for (const Certificate::Pattern& pattern : certificate.patterns) {
    if (pattern.followed == finished) {
      if (pattern.others == 0) potential_at_end_ = *pattern.potentials[last_view];
      continue;
    }
    const uint64_t key = key_of(static_cast<size_t>(pattern.followed), pattern.others);
    size_t i = home(key, pattern.few, slots);
    while (patterns_[i].key != 0) i = (i + 1) & (slots - 1);
    patterns_[i] = {key, pattern.few, potentials_.size()};
    for (const auto& potential : pattern.potentials) {
      potentials_.push_back(potential ? std::max(*potential, missing + 1) : missing);  // more is safe
    }
  }
}

// False if a bound could exceed the range of numbers.
bool RemainingBound::read_weights(const Certificate& certificate, int64_t workers) {
  std::map<std::pair<int, int>, const Certificate::Move*> moves;
  for (const Certificate::Move& move : certificate.moves) moves[{move.from, move.to}] = &move;
  Integer other, followed, most;
  for (size_t p = rest_.size(); p-- > 0;) {
    const int to = p + 1 < rest_.size() ? static_cast<int>(rest_[p + 1].context) : finished;
    const Certificate::Move& move = *moves.at({static_cast<int>(rest_[p].context), to});
    other += move.other;
    followed += move.followed;
    if (!other.value() || !followed.value()) return false;
    rest_[p].other = *other.value();
    rest_[p].followed = *followed.value();
    most = max(most, magnitude(rest_[p].other) + magnitude(rest_[p].followed));
  }
  for (const Certificate::View& view : certificate.views) {
    offsets_.insert(offsets_.end(), view.offsets.begin(), view.offsets.end());
  }
  denominator_ = certificate.denominator;
  const Integer of_worker = most + largest(offsets_);
  const Integer of_patterns = largest(potentials_) + magnitude(potential_at_end_);
  return !((Integer(workers) + 2) * of_worker + of_patterns).overflowed();
}

const RemainingBound::Slot* RemainingBound::find(size_t followed, uint32_t others) const {
  const uint64_t key = key_of(followed, others);
  const uint32_t few = tells_few_ ? few_beside(followed) : 0;
  size_t i = home(key, few, patterns_.size());
  while (patterns_[i].key != 0 && (patterns_[i].key != key || patterns_[i].few != few)) {
    i = (i + 1) & (patterns_.size() - 1);
  }
  return patterns_[i].key == key ? &patterns_[i] : nullptr;
}

// The classes, as bits, for which workers other than one in this context are ready, but fewer than the servers.
uint32_t RemainingBound::few_beside(size_t followed) const {
  uint32_t few = 0;
  for (const View& view : views_) {
    int64_t ready = 0;
    for (size_t c = 0; c < in_context_.size(); ++c) {
      if ((view.contexts >> c & 1) != 0) ready += in_context_[c] - (c == followed ? 1 : 0);
    }
    if (ready > 0 && ready < view.servers) few |= uint32_t{1} << view.of_class;
  }
  return few;
}

int64_t RemainingBound::evaluate(std::span<const int64_t> counts, int64_t enough) {
  add_up(counts);
  int64_t most = 0;
  for (size_t p = 0; p < counts.size() && most <= enough; ++p) {
    if (counts[p] == 0) continue;
    const int64_t by_list = list_bound(p);
    if (by_list <= most) continue;
    if (!has_certificate_) {
      most = by_list;
    } else if (weigh_views(rest_[p].context)) {
      most = std::max(most, std::min(by_list, certificate_bound(p)));
    }
  }
  return most;
}

void RemainingBound::add_up(std::span<const int64_t> counts) {
  const size_t classes = servers_.size();
  std::fill(symbols_left_.begin(), symbols_left_.end(), 0);
  for (size_t p = 0; p < counts.size(); ++p) {
    if (counts[p] == 0) continue;
    for (size_t k = 0; k < classes; ++k) symbols_left_[k] += counts[p] * symbols_[p * classes + k];
  }
  if (!has_certificate_) return;
  other_left_ = 0;
  std::fill(in_context_.begin(), in_context_.end(), 0);
  std::fill(is_weighed_.begin(), is_weighed_.end(), 0);
  for (size_t p = 0; p < counts.size(); ++p) {
    other_left_ += counts[p] * rest_[p].other;
    in_context_[rest_[p].context] += counts[p];
  }
  const size_t contexts = in_context_.size();
  for (size_t view = 0; view < views_.size(); ++view) {
    offset_of_view_[view] = 0;
    for (size_t c = 0; c < contexts; ++c) offset_of_view_[view] += in_context_[c] * offsets_[view * contexts + c];
  }
}

int64_t RemainingBound::list_bound(size_t position) const {
  const size_t classes = servers_.size();
  int64_t cycles = rest_[position].length;
  for (size_t k = 0; k < classes; ++k) {
    const int64_t others = symbols_left_[k] - symbols_[position * classes + k];
    cycles += servers_[k] == 1 ? others : others / servers_[k];
  }
  return cycles;
}

// The largest of (offsets of the others) + (potential) over the busy views if the analysed worker stands in the context
// into largest_view_; false if none has a potential.
bool RemainingBound::weigh_views(size_t context) {
  if (is_weighed_[context] != 0) return largest_view_[context] != missing;
  is_weighed_[context] = 1;
  int64_t& most = largest_view_[context] = missing;
  uint32_t occupied = 0;
  for (size_t c = 0; c < in_context_.size(); ++c) occupied |= static_cast<uint32_t>(in_context_[c] > 0 ? 1 : 0) << c;
  const uint32_t own = uint32_t{1} << context;
  const Slot* pattern = find(context, in_context_[context] > 1 ? occupied : occupied & ~own);
  if (pattern == nullptr) return false;
  for (size_t view = 0; view < views_.size(); ++view) {
    const int64_t potential = potentials_[pattern->first + view];
    if ((views_[view].contexts & occupied) == 0 || potential == missing) continue;
    most = std::max(most, offset_of_view_[view] - offsets_[view * in_context_.size() + context] + potential);
  }
  return most != missing;
}

// Needs weigh_views() of the position's context.
int64_t RemainingBound::certificate_bound(size_t position) const {
  const Rest& rest = rest_[position];
  const int64_t others = other_left_ - rest.other;
  const int64_t potential = others + rest.followed + largest_view_[rest.context] - potential_at_end_;
  return *floor_divide(Integer(potential), denominator_).value();
}

}  // namespace warpspan::solver
