// Options that several commands have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/option_set.hpp"
#include "app/requests/bound_kernels.hpp"
#include "app/requests/kernel_files.hpp"

namespace warpspan::app {

// FILE, --kernel, --block, --grid, --arg, --loop-bound and --facts.
void add_kernels(OptionSet& options, KernelRequest& to);

// Those of add_kernels, and --machine, --registers, --shared, --assume and --time-limit.
void add_bounds(OptionSet& options, BoundRequest& to);

// --memory, in bytes for everything.
void add_memory(OptionSet& options, int64_t& to);

// --format, one of the names; the first is the default. what: "report".
void add_format(OptionSet& options, const std::vector<std::string>& names, const std::string& what, std::string& to);

}  // namespace warpspan::app
