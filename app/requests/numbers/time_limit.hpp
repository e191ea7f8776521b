// SPDX-License-Identifier: GPL-3.0-or-later
// The most time that a kernel may take, as a user writes it: "12000 cycles", "1.5 ms", "80 us", "500 ns".
//
// No floating point decides: a bound of c cycles at f kHz is within T ns where c * 10^6 <= T * f, which holds for whole
// c exactly where c <= floor(T * f / 10^6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/requests/numbers/decimal.hpp"
#include "support/result.hpp"

namespace warpspan::app {

struct TimeLimit {
  enum class Unit : uint8_t { cycles, nanoseconds, microseconds, milliseconds, seconds };

  std::string text;  // as written
  Decimal amount;    // above 0; of cycles without decimals
  Unit unit = Unit::cycles;
  std::string unit_text;  // as written: "us", "µs"
};

// A number and one of cycles, ns, us, µs, ms and s, with or without a blank between them. Errors: usage, of texts that
// are none and of 0, which no kernel keeps.
support::Result<TimeLimit> parse_time_limit(const std::string& text);

// The same from 0 on.
support::Result<TimeLimit> parse_time(const std::string& text);

// A time that is a whole number of picoseconds within 63 bits; nothing of others, and of cycles.
std::optional<int64_t> whole_picoseconds(const TimeLimit& time);

// In nanoseconds, rounded up; nothing of cycles, and of times that exceed 63 bits.
std::optional<int64_t> nanoseconds_at_most(const TimeLimit& time);

// The most whole cycles at so many kHz (at least 1) that end within the limit; nothing if they exceed 64 bits.
std::optional<int64_t> most_cycles(const TimeLimit& limit, int64_t clock_khz);

// The least limit in the unit, in whole cycles or in whole nanoseconds, that so many cycles (at least 0) keep: "80.125
// us". Nothing if it exceeds 64 bits.
std::optional<TimeLimit> limit_of(int64_t cycles, int64_t clock_khz, TimeLimit::Unit unit,
                                  const std::string& unit_text);

}  // namespace warpspan::app
