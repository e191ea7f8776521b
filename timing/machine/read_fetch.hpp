// SPDX-License-Identifier: GPL-3.0-or-later
// The tables [fetch] and [code_cache] of a machine file.
#pragma once

#include "timing/machine/read_figures.hpp"

namespace warpspan::timing {

// Fills in Machine::fetch of a machine whose resources and references are read already. A file has both tables or
// neither.
void read_fetch(support::TomlFile& file, support::TableReader& root, Machine& machine);

}  // namespace warpspan::timing
