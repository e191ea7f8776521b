// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons, and choices by a predicate.
#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/machine_code/interpreter/lane.hpp"

namespace warpspan::machine_code {

namespace {

bool connected(Lane& lane, bool outcome, bool other) {
  switch (lane.modifier(Modifier::connective)) {
    case 0: return outcome && other;
    case 1: return outcome || other;
    case 2: return outcome != other;
    default: lane.refuse("a connective"); return false;
  }
}

// The first result is the outcome, the second its opposite, each combined with the predicate.
void set_outcome(Lane& lane, bool outcome) {
  const bool other = lane.flag(4);
  const bool first = connected(lane, outcome, other), second = connected(lane, !outcome, other);
  lane.set_flag(0, first);
  lane.set_flag(1, second);
}

// F LT EQ LE GT NE GE T: bit 0 less, bit 1 equal, bit 2 greater.
bool outcome_of(unsigned comparison, bool less, bool equal) {
  return (comparison >> (less ? 0 : equal ? 1 : 2) & 1) != 0;
}

// With .EX the outcome for the low halves decides where the high ones are equal.
void isetp(Lane& lane) {
  const bool wide = lane.has(Modifier::wide);
  const uint64_t a = wide ? lane.pair(2) : lane.word(2), b = wide ? lane.pair(3) : lane.word(3);
  bool less = a < b;
  if (lane.has(Modifier::is_signed))
    less = wide ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : static_cast<int32_t>(a) < static_cast<int32_t>(b);
  bool outcome = outcome_of(lane.modifier(Modifier::comparison), less, a == b);
  if (lane.has(Modifier::extended) && a == b) outcome = lane.flag(5);
  set_outcome(lane, outcome);
}

// F LT EQ LE GT NE GE NUM, and from 8 on the same with "or one of them is no number".
bool float_outcome(unsigned comparison, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return comparison >= 8;
  return comparison == 15 || outcome_of(comparison & 7, a < b, a == b);
}

void fsetp(Lane& lane) {
  set_outcome(lane, float_outcome(lane.modifier(Modifier::float_comparison), lane.real(2), lane.real(3)));
}

void dsetp(Lane& lane) {
  set_outcome(lane, float_outcome(lane.modifier(Modifier::float_comparison), lane.long_real(2), lane.long_real(3)));
}

void sel(Lane& lane) { lane.set(0, lane.flag(3) ? lane.word(1) : lane.word(2)); }
void sel_pair(Lane& lane) { lane.set_pair(0, lane.flag(3) ? lane.pair(1) : lane.pair(2)); }
void fsel(Lane& lane) { lane.set_real(0, lane.flag(3) ? lane.real(1) : lane.real(2)); }
void fmnmx(Lane& lane) {
  lane.set_real(0, lane.flag(3) ? std::fmin(lane.real(1), lane.real(2)) : std::fmax(lane.real(1), lane.real(2)));
}

constexpr std::pair<std::string_view, Action> actions[] = {
    {"ISETP", isetp}, {"UISETP", isetp}, {"FSETP", fsetp},     {"DSETP", dsetp},      {"SEL", sel},
    {"USEL", sel},    {"FSEL", fsel},    {"SEL.64", sel_pair}, {"USEL.64", sel_pair}, {"FMNMX", fmnmx},
};

}  // namespace

Action comparison_action(std::string_view mnemonic) {
  const auto found =
      std::find_if(std::begin(actions), std::end(actions), [&](const auto& each) { return each.first == mnemonic; });
  return found == std::end(actions) ? nullptr : found->second;
}

}  // namespace warpspan::machine_code
