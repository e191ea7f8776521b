// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences in which bounds state what they rest on, each in one place so that all bounds say the same.
#pragma once

#include <string>
#include <vector>

namespace warpspan::solver {

inline constexpr const char* in_order =
    "Each worker executes its symbols in order, at most one per cycle, one cycle each.";
inline constexpr const char* work_conserving =
    "In every cycle each class executes for as many workers as are ready for it and it has servers.";
inline constexpr const char* start_at_once = "All workers start together.";
inline constexpr const char* occupied_by_others =
    "A worker that could go on and does not finds all servers of some resource held by other workers.";
inline constexpr const char* greedy_dispatch =
    "The dispatcher is greedy: while a block waits, no place for it is free, but for the time in which another block "
    "is "
    "handed out.";
inline constexpr const char* groups_one_at_least =
    "While a group of blocks waits, another one runs or is being handed out; the blocks of a group start together.";
inline constexpr const char* start_in_dispatch_order =
    "A block that waits is handed out as soon as there is room for it and no other block is being handed out.";
inline constexpr const char* start_in_chain = "Workers that do not start at once start as soon as an earlier one ends.";

// What the string problem itself says.
inline std::vector<std::string> string_model() { return {in_order, work_conserving, start_at_once}; }

}  // namespace warpspan::solver
