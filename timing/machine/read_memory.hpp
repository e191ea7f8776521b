// SPDX-License-Identifier: GPL-3.0-or-later
// The tables [lines] and [data_cache] of a machine file.
#pragma once

#include "timing/machine/read_figures.hpp"

namespace warpspan::timing {

std::string key_of_guarantee(Guarantee guarantee);  // in machine files: "same_bank"

// Fills in ResourceFigures::lines of a machine whose board, resources and references are read already.
void read_lines(support::TomlFile& file, support::TableReader& root, Machine& machine);

// Fills in Machine::data_caches of a machine whose references are read already.
void read_data_caches(support::TomlFile& file, support::TableReader& root, Machine& machine);

}  // namespace warpspan::timing
