// SPDX-License-Identifier: GPL-3.0-or-later
// A machine model as the text of a machine file that is based on no other.
#pragma once

#include <string>

#include "timing/machine/model.hpp"

namespace warpspan::timing {

// Reading it gives an equal model.
std::string to_toml(const Machine& machine);

}  // namespace warpspan::timing
