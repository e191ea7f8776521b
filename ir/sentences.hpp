// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences on which facts of all input languages rest.
#pragma once

#include <string>

namespace warpspan::ir {

inline constexpr const char* assertions_hold =
    "No assertion fails: where one does, the kernel ends with an error, and what the system does then is in no bound.";

inline constexpr const char* nothing_traps =
    "No thread traps: a launch in which one does ends with an error, and is not bounded.";

// Of machine code with WARPSYNC whose mask is in a register, behind which nothing asks the lanes of the mask.
inline constexpr const char* masks_do_not_part =
    "Lanes of a warp that come to a WARPSYNC jointly go on jointly, also where their masks differ.";

// Why a function that is called cannot be bounded, and what can be done about it.
inline std::string has_no_body(const std::string& function) {
  return "'" + function + "' has no body in this file, so its time cannot be bounded";
}

inline std::string how_to_give_time(const std::string& function) {
  const std::string without = function == "vprintf"
                                  ? "take the output out, as with a macro that only builds for debugging define"
                                  : "link it in (nvcc -dlto, clang with its bitcode), or take the call out";
  const std::string quote = function.find('$') == std::string::npos ? "" : "'";
  return without + "; or say how long a call of a warp takes at most: {call_cost} " + quote + function + "=TIME" +
         quote + ", such as 20us, or a line under [kernel.calls] of a facts file: " + function + " = \"20 us\"";
}

}  // namespace warpspan::ir
