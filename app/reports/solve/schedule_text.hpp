// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules drawn as the papers' tables.
#pragma once

#include <string>
#include <vector>

#include "solver/strings/schedules/schedule.hpp"

namespace warpspan::app {

// Warps as rows, cycles as columns, in blocks of at most 100 characters a line; in a cell the class of the symbol that
// the warp executes, with the symbol's number in the string (from 1) where the string has less than 100; a dot where
// the warp waits, nothing once it has ended. classes: a letter for each symbol of the string. The schedule is one of
// it.
std::string draw(const solver::Schedule& schedule, const std::string& classes);

}  // namespace warpspan::app
