// SPDX-License-Identifier: GPL-3.0-or-later
// The tables [sequence] and [operation] of a machine file.
#pragma once

#include "timing/machine/read_figures.hpp"

namespace warpspan::timing {

// Fills in Machine::sequence of a machine whose resources and references are read already.
void read_sequence(support::TableReader& sequence, Machine& machine);

// Fills in the operations of a machine whose head, resources and references are read already.
void read_operations(support::TomlFile& file, const support::TableReader::Tables& tables, Machine& machine);

}  // namespace warpspan::timing
