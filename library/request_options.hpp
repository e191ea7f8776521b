// SPDX-License-Identifier: GPL-3.0-or-later
// A request of the library as options of the program: it is read, checked and recorded as these are.
#pragma once

#include "app/cli/option_set.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "include/warpspan/warpspan.hpp"

namespace warpspan::library {

// Gives the options the words of the request, and the kernels that they are read into the contents of inputs that are
// no files. Usage errors: contents without the name of a file.
support::Diagnostics give(const Request& request, app::OptionSet& options, app::KernelRequest& kernels);

}  // namespace warpspan::library
