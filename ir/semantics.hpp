// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation computes, in terms that all input languages share. A front-end's tables say it of each operation;
// the analyses ask for nothing else.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace warpspan::ir {

enum class MemorySpace : uint8_t { none, generic, global, shared, local, parameter, constant, texture };

enum class Computation : uint8_t {
#define COMPUTATION(enumerator, what) enumerator,
#include "ir/computations.def"
#undef COMPUTATION
};
std::string_view description(Computation computation);
bool computes_floats(Computation computation);  // those whose names begin so

// The last two are of floating-point numbers: both are numbers, one is none.
enum class Comparison : uint8_t {
  none,
  equal,
  not_equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  ordered,
  unordered,
};
// IEEE 754, 4.3. Without one it is to the nearest, ties to even.
enum class Rounding : uint8_t { none, nearest, zero, down, up };

// How the outcome of a comparison is combined with a predicate.
enum class Connective : uint8_t { none, conjunction, disjunction, exclusive };

struct Semantics {
  Computation computation = Computation::unknown;
  // The results follow from the operands that are written down, and nothing else: lanes whose operands are the same get
  // the same. Not so for what reads memory, flags, clocks or other lanes.
  bool pure = false;
  uint16_t bits = 0;     // of the sources that are computed with; of one element where there are several
  uint8_t elements = 1;  // of what is copied, loaded or stored
  bool is_signed = false;
  // Of the result of conversions and compare_to_value.
  uint16_t result_bits = 0;
  bool fills_with_sign = false;  // a register wider than the result: with its sign, else with zeros
  bool is_floating = false;      // the result is a floating-point number
  Rounding rounding = Rounding::none;
  Comparison comparison = Comparison::none;
  bool or_unordered = false;  // the comparison is also true where one is not a number
  Connective connective = Connective::none;
  bool from_top = false;                  // find_highest_bit: numbers go down, from 0 for the highest
  bool wraps = false;                     // a funnel shift: by c modulo its width; else at most by its width
  MemorySpace space = MemorySpace::none;  // of to_generic and from_generic

  friend auto operator<=>(const Semantics&, const Semantics&) = default;
};

}  // namespace warpspan::ir
