// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/paths.hpp"

namespace warpspan::test {

std::string source_dir() { return SOURCE_DIR; }

}  // namespace warpspan::test
