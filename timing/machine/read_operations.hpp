// The [operation] tables of a machine file.
#pragma once

#include <map>

#include "timing/machine/read_figures.hpp"

namespace warpspan::timing {

// Cycles by resource of a table such as holds = { load_store = 2 }; its key 'latency' goes to *latency if that is
// wanted. Nothing if the key is missing.
std::map<size_t, int64_t> read_cycles(support::TableReader& reader, std::string_view key, const Machine& machine,
                                      int64_t* latency);

// Fills in the operations of a machine whose head, resources and references are read already.
void read_operations(support::TomlFile& file, const support::TableReader::Tables& tables, Machine& machine);

}  // namespace warpspan::timing
