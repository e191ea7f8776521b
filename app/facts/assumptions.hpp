// SPDX-License-Identifier: GPL-3.0-or-later
// What results rest on because the user says so.
#pragma once

#include <string>
#include <vector>

#include "frontend/frontend.hpp"

namespace warpspan::app {

// What was stated of the kernel and its launch and is not proven, each once, with where it was stated: bounds of loops,
// sizes of arrays, the arguments of a file of facts, that all blocks are full. Arguments of options are a part of the
// launch.
std::vector<std::string> user_assumptions(const frontend::AnalyzedKernel& analyzed);

}  // namespace warpspan::app
