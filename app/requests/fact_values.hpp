// What facts are written with, in options and in files.
#pragma once

#include <optional>
#include <string_view>

#include "ir/flow.hpp"

namespace warpspan::app {

// "[KERNEL:]LABEL", "[KERNEL:]line:LINE", "[KERNEL:]FILE:LINE": the loops at a place, without a number of trips;
// nothing if the text is no place. KERNEL is a pattern and may hold colons, LINE is from 1 to 2^32-1. What ends in
// ":LINE" is the place of a line, so a source file called "line" is written "./line".
std::optional<ir::LoopBound> loops_at(std::string_view place);

// "NAME" or "NAME+OFFSET:BYTES", for 1, 2, 4 or 8 bytes of the parameter: an argument without a value; nothing if the
// text is neither.
std::optional<ir::Argument> argument_at(std::string_view place);

// A decimal or 0x integer that fits a 64-bit parameter, signed or not.
bool is_argument_value(std::string_view text);

}  // namespace warpspan::app
