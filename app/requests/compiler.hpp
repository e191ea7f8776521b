// Running a compiler that writes PTX.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace warpspan::app {

// What the compiler writes for the source: its words, the flags, then -o with a file of a temporary folder, which is
// removed, then the source. It is found as a shell finds it, but run without one; it reads nothing, and what it prints
// is not shown unless it fails. Ends it, with what it has started, soon after *cancel becomes true (cancel may be
// null).
//
// Errors, at the source: it cannot be started (usage); it ends with another status than 0, or by a signal: then its
// last lines follow as notes; it writes no file, or an empty one.
support::Result<std::string> run_compiler(const std::vector<std::string>& compiler,
                                          const std::vector<std::string>& flags, const std::string& source,
                                          const std::atomic<bool>* cancel);

}  // namespace warpspan::app
