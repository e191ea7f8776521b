// SPDX-License-Identifier: GPL-3.0-or-later
// A request as a text that differs wherever its answer may: under which the answer is kept
// (app/fleet/result_cache.hpp).
#pragma once

#include <string>

#include "app/requests/bound_kernels.hpp"
#include "app/requests/kernels/compilation.hpp"
#include "app/requests/machine_shelf.hpp"

namespace warpspan::app {

// How a file is made code; empty if that rests on a program outside of this one.
std::string key_of(const Compilation& how);

// Of bound_kernels, for one file. Empty if the answer cannot be kept: an assembler or a compiler is run, standard input
// is read, a search ends by the clock, or somebody looks on.
std::string key_of(const BoundRequest& request, MachineShelf& machines);

// Of contents_of_file, and of figures_of_file with the patterns. Empty if the answer cannot be kept.
std::string key_of_contents(const Fleet& fleet, const std::string& file, const Compilation& how,
                            const std::vector<std::string>& devices);
std::string key_of_figures(const Fleet& fleet, const std::string& file, const Compilation& how,
                           const std::vector<std::string>& devices, const std::vector<std::string>& kernels);

}  // namespace warpspan::app
