// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons, and choices by a predicate.
#include <cmath>

#include "frontend/sass/execution/halves.hpp"
#include "frontend/sass/execution/operands.hpp"
#include "frontend/sass/execution/reals.hpp"
#include "frontend/sass/execution/table.hpp"

namespace warpspan::execution {

namespace {

LaneSet connected(Operands& in, LaneSet outcome, LaneSet other) {
  switch (in.modifier(Modifier::connective)) {
    case 0: return outcome & other;
    case 1: return outcome | other;
    case 2: return outcome ^ other;
    default: in.refuse(); return 0;
  }
}

// The first result is the outcome, the second its opposite, each combined with the predicate.
void set_outcome(Operands& in, LaneSet outcome, LaneSet other) {
  const LaneSet first = connected(in, outcome, other), second = connected(in, ~outcome, other);
  in.set_flag(0, first);
  in.set_flag(1, second);
}

// F LT EQ LE GT NE GE T: bit 0 less, bit 1 equal, bit 2 greater.
LaneSet outcome_of(unsigned comparison, LaneSet less, LaneSet equal) {
  LaneSet outcome = 0;
  if ((comparison & 1) != 0) outcome |= less;
  if ((comparison & 2) != 0) outcome |= equal;
  if ((comparison & 4) != 0) outcome |= ~(less | equal);
  return outcome;
}

template <typename Values>
void compare_integers(Operands& in, const Values& a, const Values& b, unsigned bits) {
  const auto shifted = in.has(Modifier::is_signed) ? uint64_t{1} << (bits - 1) : 0;
  const LaneSet equal = lanes_with([&](unsigned i) { return a[i] == b[i]; });
  const LaneSet less = lanes_with([&](unsigned i) { return (a[i] ^ shifted) < (b[i] ^ shifted); });
  LaneSet outcome = outcome_of(in.modifier(Modifier::comparison), less, equal);
  // The outcome for the low halves decides where the high ones are equal.
  if (in.has(Modifier::extended)) outcome = (outcome & ~equal) | (in.flag(5) & equal);
  set_outcome(in, outcome, in.flag(4));
}

void isetp(Operands& in) {
  if (in.has(Modifier::wide))
    compare_integers(in, in.pair(2), in.pair(3), 64);
  else
    compare_integers(in, in.word(2), in.word(3), 32);
}

// F LT EQ LE GT NE GE NUM, and from 8 on the same with "or one of them is no number".
template <typename Real>
LaneSet float_outcome(unsigned comparison, const Lanes<Real>& a, const Lanes<Real>& b) {
  const LaneSet less = lanes_with([&](unsigned i) { return a[i] < b[i]; });
  const LaneSet equal = lanes_with([&](unsigned i) { return a[i] == b[i]; });
  const LaneSet unordered = lanes_with([&](unsigned i) { return std::isnan(a[i]) || std::isnan(b[i]); });
  if (comparison == 15) return all_lanes;
  const LaneSet outcome = outcome_of(comparison & 7, less, equal);
  return comparison >= 8 ? outcome | unordered : outcome & ~unordered;
}

void fsetp(Operands& in) {
  Words a = in.real(2), b = in.real(3);
  flush(in, a);
  flush(in, b);
  const LaneSet outcome = float_outcome(in.modifier(Modifier::float_comparison), as<float>(a), as<float>(b));
  set_outcome(in, outcome, in.flag(4));
}

void dsetp(Operands& in) {
  const LaneSet outcome =
      float_outcome(in.modifier(Modifier::float_comparison), as<double>(in.long_real(2)), as<double>(in.long_real(3)));
  set_outcome(in, outcome, in.flag(4));
}

void sel(Operands& in) {
  const Words &a = in.word(1), &b = in.word(2);
  const LaneSet first = in.flag(3);
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i) result[i] = (first >> i & 1) != 0 ? a[i] : b[i];
  in.set(0, result);
}

void sel_pair(Operands& in) {
  const Longs &a = in.pair(1), &b = in.pair(2);
  const LaneSet first = in.flag(3);
  Longs result;
  for (unsigned i = 0; i < warp_lanes; ++i) result[i] = (first >> i & 1) != 0 ? a[i] : b[i];
  in.set_pair(0, result);
}

void fsel(Operands& in) {
  const Words &a = in.real(1), &b = in.real(2);
  const LaneSet first = in.flag(3);
  Words result;
  for (unsigned i = 0; i < warp_lanes; ++i) result[i] = (first >> i & 1) != 0 ? a[i] : b[i];
  flush(in, result);
  in.set(0, result);
}

// Of two the lesser or the greater; the number of one that is none; -0 is less than 0. Bit 81: what is no number stays.
uint32_t extreme(uint32_t a, uint32_t b, bool lesser, bool keeps_nan) {
  const auto x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  if (std::isnan(x) || std::isnan(y)) {
    if (keeps_nan || (std::isnan(x) && std::isnan(y))) return no_number;
    return std::isnan(x) ? b : a;
  }
  if (x == y) return lesser ? a | b : a & b;
  return (x < y) == lesser ? a : b;
}

void minimum(Operands& in, std::initializer_list<size_t> sources, size_t chooses) {
  Words result = in.real(*sources.begin());
  flush(in, result);
  const LaneSet lesser = in.flag(chooses);
  const bool keeps_nan = in.bit(81);
  if (in.bit(82)) in.refuse();  // .XORSIGN
  for (const size_t* source = sources.begin() + 1; source != sources.end(); ++source) {
    Words other = in.real(*source);
    flush(in, other);
    for (unsigned i = 0; i < warp_lanes; ++i)
      result[i] = extreme(result[i], other[i], (lesser >> i & 1) != 0, keeps_nan);
  }
  in.set(0, result);
}

void fmnmx(Operands& in) { minimum(in, {1, 2}, 3); }
void fmnmx3(Operands& in) { minimum(in, {1, 2, 3}, 4); }

// Bits 71 of HSETP2: both halves have to; else the second result is the outcome of the upper ones.
void hsetp2(Operands& in) {
  const HalfPair a = half_source(in, 2), b = half_source(in, 3);
  const unsigned comparison = in.modifier(Modifier::float_comparison);
  const LaneSet low = float_outcome(comparison, a.half[0], b.half[0]), other = in.flag(4);
  const LaneSet high = float_outcome(comparison, a.half[1], b.half[1]);
  if (in.bit(71)) return set_outcome(in, low & high, other);
  const LaneSet first = connected(in, low, other), second = connected(in, high, other);
  in.set_flag(0, first);
  in.set_flag(1, second);
}

// Each half becomes all ones, or with bit 71 the number 1.
void hset2(Operands& in) {
  const HalfPair a = half_source(in, 1), b = half_source(in, 2);
  if (in.bit(65)) return in.refuse();
  const unsigned comparison = in.modifier(Modifier::float_comparison);
  const uint32_t one = in.bit(71) ? 0x3c00 : 0xffff;
  Words result{};
  for (unsigned half = 0; half < 2; ++half) {
    const LaneSet outcome = connected(in, float_outcome(comparison, a.half[half], b.half[half]), in.flag(3));
    for_each_lane(outcome, [&](unsigned i) { result[i] |= one << (16 * half); });
  }
  in.set(0, result);
}

constexpr Row<Action> rows[] = {
    {"ISETP", isetp}, {"UISETP", isetp},     {"FSETP", fsetp},   {"UFSETP", fsetp}, {"DSETP", dsetp},
    {"SEL", sel},     {"USEL", sel},         {"FSEL", fsel},     {"UFSEL", fsel},   {"SEL.64", sel_pair},
    {"FMNMX", fmnmx}, {"USEL.64", sel_pair}, {"FMNMX3", fmnmx3}, {"HSET2", hset2},  {"HSETP2", hsetp2},
};

}  // namespace

Action comparison_action(std::string_view mnemonic) { return find_row<Action>(rows, mnemonic); }

}  // namespace warpspan::execution
