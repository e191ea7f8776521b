// SPDX-License-Identifier: GPL-3.0-or-later
// Errors as they stand on standard error: what has one cause is written once.
#pragma once

#include <string>

#include "support/diagnostic.hpp"

namespace warpspan::app {

// Each as support::render has it, in their order. Of those that say the same of several kernels, with the same help,
// the first one, and behind it the places of the others.
std::string written(const support::Diagnostics& errors, bool colour);

}  // namespace warpspan::app
