// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts of AMALTHEA models, exact.
#pragma once

#include <string>
#include <string_view>

#include "frontend/amalthea/model.hpp"

namespace warpspan::amalthea {

// value="33" unit="ms" in picoseconds; value has to be a whole number from 0.
Amount time_of(const Element& element);

// value="8" unit="kbit" in bytes, rounded up.
Amount size_of(const Element& element);

// value="1300.5" unit="MHz" in Hz.
DecimalAmount frequency_of(const Element& element);

// "33 ms", "1.5 ms": picoseconds, if they are a whole number of them.
std::optional<int64_t> picoseconds_of(std::string_view text);

// "12", "1300.0", "1.3E9", as Java writes numbers, above 0 and with at most 18 digits; nothing for others.
std::optional<Decimal> decimal_of(std::string_view text);

// The time of so many ticks (or instructions, at so many of them a tick), rounded up to picoseconds; nothing if it
// exceeds 63 bits. ticks at least 0.
std::optional<int64_t> time_of_ticks(int64_t ticks, const Decimal& hertz, const Decimal& per_tick = {1, 0});

}  // namespace warpspan::amalthea
