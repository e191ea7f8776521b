// SPDX-License-Identifier: GPL-3.0-or-later
// The program warpspan: one command, its report, its errors, its exit status.
#pragma once

namespace warpspan::app {

// Runs the command that the arguments ask for. The report goes to standard output or to the file that --output names,
// errors to standard error. Returns the exit status (exit_status.hpp).
int run(int argc, const char* const* argv);

}  // namespace warpspan::app
