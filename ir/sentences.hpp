// Sentences on which facts of all input languages rest.
#pragma once

namespace warpspan::ir {

inline constexpr const char* assertions_hold =
    "No assertion fails: where one does, the kernel ends with an error, and what the system does then is in no bound.";

}  // namespace warpspan::ir
