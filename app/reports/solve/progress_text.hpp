// SPDX-License-Identifier: GPL-3.0-or-later
// How far a search is, in a few words.
#pragma once

#include <string>

#include "solver/strings/solve.hpp"

namespace warpspan::app {

// "exact search 43 %, 12 <= T <= 14".
std::string progress_text(const solver::Progress& progress);

}  // namespace warpspan::app
