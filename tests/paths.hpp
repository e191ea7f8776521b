// SPDX-License-Identifier: GPL-3.0-or-later
// Where a test finds what it reads and starts. Functions and not macros: a source compiled in one checkout is the same
// in another.
#pragma once

#include <string>

namespace warpspan::test {

// The root of the checkout, an absolute path.
std::string source_dir();

// The built program, an absolute path; for suites only (tests/CMakeLists.txt).
std::string program();

}  // namespace warpspan::test
