// SPDX-License-Identifier: GPL-3.0-or-later
// A CUDA C++ program that measures what a machine file needs, and prints one.
#pragma once

#include <string>
#include <vector>

#include "support/result.hpp"

namespace warpspan::app {

// Targets of devices that the program knows: "sm_75" and later ones, in order.
std::vector<std::string> calibration_targets();

// The program for one of these targets, or, with an empty one, for all. The text has all that it needs but the CUDA
// toolkit, 11.0 or later; with WARPSPAN_MADE_UP defined any compiler of C++14 makes a program of it that reads results
// from a file instead of measuring them. Errors: another target (usage).
support::Result<std::string> calibration_program(const std::string& target);

}  // namespace warpspan::app
