// warpspan machines: the machine models, or all figures of one with their standing and source.
#pragma once

#include "app/options.hpp"
#include "app/output.hpp"
#include "timing/machine.hpp"

namespace warpspan::app {

Outcome machines(const MachinesOptions& options);

// All figures of a machine, as text.
std::string machine_text(const timing::Machine& machine);

}  // namespace warpspan::app
