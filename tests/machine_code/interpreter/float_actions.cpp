// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point arithmetic. Subnormal numbers are kept, and MUFU is as exact as the host.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "frontend/sass/words/bits.hpp"
#include "tests/machine_code/interpreter/lane.hpp"
#include "tests/machine_code/interpreter/rounding.hpp"

namespace warpspan::machine_code {

namespace {

// Bit 77, which the decoder leaves out as it decides nothing: the result is cut off at 0 and 1.
template <typename Operation>
void single(Lane& lane, bool three, const Operation& operation) {
  const float c = three ? lane.real(3) : 0;
  const float result = rounded(lane.modifier(Modifier::rounding), lane.real(1), lane.real(2), c, operation);
  const bool saturates = sass::bit(lane.instruction().word, 77);
  lane.set_real(0, saturates ? std::fmin(std::fmax(result, 0.0F), 1.0F) : result);
}

template <typename Operation>
void twofold(Lane& lane, bool three, const Operation& operation) {
  const double c = three ? lane.long_real(3) : 0;
  lane.set_long_real(0, rounded(lane.modifier(Modifier::rounding), lane.long_real(1), lane.long_real(2), c, operation));
}

void fadd(Lane& lane) {
  single(lane, false, [](float a, float b, float) { return a + b; });
}
void fmul(Lane& lane) {
  single(lane, false, [](float a, float b, float) { return a * b; });
}
void ffma(Lane& lane) {
  single(lane, true, [](float a, float b, float c) { return std::fma(a, b, c); });
}
void dadd(Lane& lane) {
  twofold(lane, false, [](double a, double b, double) { return a + b; });
}
void dmul(Lane& lane) {
  twofold(lane, false, [](double a, double b, double) { return a * b; });
}
void dfma(Lane& lane) {
  twofold(lane, true, [](double a, double b, double c) { return std::fma(a, b, c); });
}

// RCP64H and RSQ64H see and make the upper half of a double.
uint32_t upper_half(uint32_t upper, bool root) {
  const auto value = std::bit_cast<double>(uint64_t{upper} << 32);
  return static_cast<uint32_t>(std::bit_cast<uint64_t>(1 / (root ? std::sqrt(value) : value)) >> 32);
}

// Angles are in turns.
void mufu(Lane& lane) {
  const float x = lane.real(1);
  const double turn = 2 * std::numbers::pi * static_cast<double>(x);
  switch (lane.modifier(Modifier::function)) {
    case 0: return lane.set_real(0, static_cast<float>(std::cos(turn)));
    case 1: return lane.set_real(0, static_cast<float>(std::sin(turn)));
    case 2: return lane.set_real(0, std::exp2(x));
    case 3: return lane.set_real(0, std::log2(x));
    case 4: return lane.set_real(0, 1 / x);
    case 5: return lane.set_real(0, 1 / std::sqrt(x));
    case 6: return lane.set(0, upper_half(std::bit_cast<uint32_t>(x), false));
    case 7: return lane.set(0, upper_half(std::bit_cast<uint32_t>(x), true));
    case 8: return lane.set_real(0, std::sqrt(x));
    case 9: return lane.set_real(0, std::tanh(x));
    default: return lane.refuse("a function of MUFU");
  }
}

int exponent(float value) { return static_cast<int>(std::bit_cast<uint32_t>(value) >> 23 & 0xff) - 127; }

// Whether a / b needs more than reciprocal and corrections: an operand, the quotient or a partial remainder may be
// beyond the normal numbers.
void fchk(Lane& lane) {
  const int a = exponent(lane.real(1)), b = exponent(lane.real(2));
  lane.set_flag(0, a == 128 || b == 128 || a < -102 || b < -125 || b > 125 || a - b >= 126 || a - b <= -125);
}

// Only as ptxas moves constants with it: -0 * 0 + c.
void hfma2(Lane& lane) {
  const bool constant = lane.operand(3).kind == sass::OperandKind::immediate;
  const bool zero = lane.operand(1).kind == sass::OperandKind::registers && !lane.writes(1) &&
                    lane.operand(2).kind == sass::OperandKind::registers && !lane.writes(2);
  if (!constant || !zero || !sass::bit(lane.instruction().word, 72)) return lane.refuse("arithmetic of 16 bits");
  lane.set(0, lane.word(3));
}

constexpr std::pair<std::string_view, Action> actions[] = {
    {"FADD", fadd},  {"UFADD", fadd},  {"FMUL", fmul},       {"UFMUL", fmul}, {"FFMA", ffma},
    {"UFFMA", ffma}, {"DADD", dadd},   {"DMUL", dmul},       {"DFMA", dfma},  {"MUFU", mufu},
    {"FCHK", fchk},  {"HFMA2", hfma2}, {"HFMA2.MMA", hfma2},
};

}  // namespace

Action float_action(std::string_view mnemonic) {
  const auto found =
      std::find_if(std::begin(actions), std::end(actions), [&](const auto& each) { return each.first == mnemonic; });
  return found == std::end(actions) ? nullptr : found->second;
}

}  // namespace warpspan::machine_code
