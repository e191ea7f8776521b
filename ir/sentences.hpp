// Sentences on which facts of all input languages rest.
#pragma once

#include <string>

namespace warpspan::ir {

inline constexpr const char* assertions_hold =
    "No assertion fails: where one does, the kernel ends with an error, and what the system does then is in no bound.";

// Why a function that is called cannot be bounded, and what can be done about it.
std::string has_no_body(const std::string& function);
std::string how_to_give_time(const std::string& function);

}  // namespace warpspan::ir
