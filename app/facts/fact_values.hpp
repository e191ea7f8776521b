// SPDX-License-Identifier: GPL-3.0-or-later
// What facts are written with, in options and in files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ir/launch.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// "[KERNEL:]LABEL", "[KERNEL:]line:LINE", "[KERNEL:]FILE:LINE", each perhaps with " from line:LINE" or " from
// FILE:LINE", where a function is called: the loops at a place, without a number of trips; nothing if the text is no
// place. KERNEL is a pattern and may hold colons, LINE is from 1 to 2^32-1. What ends in
// ":LINE" is the place of a line, so a source file called "line" is written "./line".
std::optional<ir::LoopBound> loops_at(std::string_view place);

// "2us", "1.5 ms", "500 ns", "1 s": a time more than 0, in nanoseconds, rounded up; nothing for anything else.
std::optional<int64_t> nanoseconds_in(std::string_view text);

// "4096", "64M": a number of bytes, perhaps with a unit. K, KB and KiB are 1024 bytes, M, MB and MiB 1024 of these,
// then G and T likewise. Nothing for anything else, and beyond 2^63-1.
std::optional<int64_t> bytes_in(std::string_view text);

// "N" or "500ns": what a bound of loops gives.
std::string amount_of(const ir::LoopBound& bound);

// "NAME", "NAME+OFFSET:BYTES" for 1, 2, 4 or 8 bytes of the parameter, or "NAME+OFFSET", whose value then has a type:
// an argument without a value; nothing if the text is none of them.
std::optional<ir::Argument> argument_at(std::string_view place);

// "NAME", "NAME[3]", "NAME+OFFSET:BYTES" or "NAME+OFFSET": what a variable holds, likewise. NAME may be demangled.
std::optional<ir::Argument> global_at(std::string_view place);

// Gives an argument its value: a decimal or 0x integer that fits a 64-bit parameter, signed or not, or a range of them
// as "1..4096"; perhaps with a type before it, as "u32:100", which tells the bytes too. Else what is wrong, with help.
std::optional<support::Diagnostic> give_value(ir::Argument& argument, std::string_view text);

// Gives a call its time: "20us", "1.5 ms", or cycles as "5000" or "5000 cycles", from 0 on. Else what is wrong.
std::optional<support::Diagnostic> give_time(ir::CallCost& cost, const std::string& text);

}  // namespace warpspan::app
