// SPDX-License-Identifier: GPL-3.0-or-later
// The documentation of machines, which their files are compared with.
#pragma once

#include <string>

#include "tests/files.hpp"
#include "tests/paths.hpp"

namespace warpspan::test {

inline std::string machines_page() { return read_file(source_dir() + "/docs/machines.md"); }

}  // namespace warpspan::test
