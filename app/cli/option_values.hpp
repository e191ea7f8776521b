// Reads the values of options, strictly: nothing may follow a number, and every error says what is expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/flow.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

// All errors are usage errors whose message begins with the option's name.

// One of the names. An error tells the name that was perhaps meant: support::nearest.
support::Result<std::string> parse_name(const std::vector<std::string>& names, const std::string& option,
                                        const std::string& text, size_t forgiven = 1);

// "X", "X,Y" or "X,Y,Z", each 1..2^31-1; a missing extent is 1.
support::Result<ir::Extent> parse_extent(const std::string& option, const std::string& text);

// No GPU is near 2^31 threads of a block; the limit keeps products of extents far from overflow.
bool too_many_threads(const ir::Extent& block);

// "NAME=VALUE": a parameter's name or index, and a decimal or hexadecimal integer from -2^63 to 2^64-1, or a range as
// "1..4096". Or "NAME+OFFSET:BYTES=VALUE", for 1, 2, 4 or 8 bytes of the parameter, or "NAME+OFFSET=u32:VALUE".
support::Result<ir::Argument> parse_argument(const std::string& option, const std::string& text);

// The same of a variable of the file, and "NAME[3]=VALUE" of an element of an array.
support::Result<ir::Argument> parse_global(const std::string& option, const std::string& text);

// "NAME=BYTES": a parameter's name or index, or "s+8" for the pointer in its byte 8, and bytes that it points
// to, 1..2^63-1, perhaps with a unit (bytes_in).
support::Result<ir::Buffer> parse_buffer(const std::string& option, const std::string& text);

// "NAME=TIME": a function without a body, and how long one call of a warp takes: "20us", "5000" cycles.
support::Result<ir::CallCost> parse_call_cost(const std::string& option, const std::string& text);

// "NAME=DEPTH": a recursive function, and how many activations of it a thread's stack has at most, 1..2^63-1.
support::Result<ir::Recursion> parse_recursion(const std::string& option, const std::string& text);

// "PLACE=N": the loops at a place (fact_values.hpp), and N in 1..2^63-1.
// "PLACE=TIME": the longest time that a thread is in the loops at a place.
support::Result<ir::LoopBound> parse_wait(const std::string& option, const std::string& text);
support::Result<ir::LoopBound> parse_loop_bound(const std::string& option, const std::string& text);

// Registers of a thread, 1..65536.
support::Result<int64_t> parse_registers(const std::string& option, std::string_view text);

// For how long others keep memory busy: "0.3" or "3/10", at least 0 and below 1; nine digits behind the point at most.
support::Result<ir::Interference> parse_interference(const std::string& option, std::string_view text);

// Bytes, 0..2^31-1, perhaps with a unit (bytes_in).
support::Result<int64_t> parse_bytes(const std::string& option, std::string_view text);

inline constexpr double most_seconds = 1e6;

// Seconds from 0 to most_seconds, as a decimal number.
support::Result<double> parse_seconds(const std::string& option, const std::string& text);

// Names of assumptions with commas between them.
support::Result<std::vector<timing::Assumption>> parse_assumptions(const std::string& option, const std::string& text);

// Bytes with a unit (bytes_in), from 64M to 1024T: "512M", "4GB".
support::Result<int64_t> parse_size(const std::string& option, std::string_view text);

}  // namespace warpspan::app
