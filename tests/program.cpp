// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/paths.hpp"

namespace warpspan::test {

std::string program() { return WARPSPAN_BINARY; }

}  // namespace warpspan::test
