// The [operation] tables of a machine file.
#pragma once

#include "timing/machine_toml.hpp"

namespace warpspan::timing {

// Fills in the operations of a machine whose head, resources and references are read already.
void read_operations(TomlFile& file, const toml::table& table, Machine& machine);

}  // namespace warpspan::timing
