// warpspan machines: the machine models, or all figures of one with their standing and source.
#pragma once

#include "app/cli/options.hpp"
#include "app/cli/output.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

Outcome machines(const MachinesOptions& options);

// All figures of a machine, as text.
std::string machine_text(const timing::Machine& machine);

}  // namespace warpspan::app
