// SPDX-License-Identifier: GPL-3.0-or-later
// Running a compiler that writes PTX or machine code.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace warpspan::app {

// What the compiler writes for the source: run_tool of its words, the flags, then -o with a file of a temporary folder,
// then the source. Errors besides, at the source: it writes no file, or an empty one.
support::Result<std::string> run_compiler(const std::vector<std::string>& compiler,
                                          const std::vector<std::string>& flags, const std::string& source,
                                          const std::atomic<bool>* cancel);

}  // namespace warpspan::app
