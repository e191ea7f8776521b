// SPDX-License-Identifier: GPL-3.0-or-later
// What was found, as values of the public header.
#pragma once

#include "app/commands/analyze.hpp"
#include "app/commands/facts.hpp"
#include "include/warpspan/warpspan.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::library {

// With the options in place of what they mention.
Messages messages_of(const support::Diagnostics& diagnostics);
Status status_of(const support::Diagnostics& diagnostics);

KernelBound bound_of(const app::KernelReport& kernel);
KernelNeeds needs_of(const app::KernelFactsReport& kernel, const ir::Launch& given);
Kernel kernel_of(const std::string& file, const ir::Kernel& kernel, const app::CompiledKernels& figures);
Machine machine_of(const timing::Machine& machine);

}  // namespace warpspan::library
