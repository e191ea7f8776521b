// warpspan machines: the machine models, or all figures of one with their standing and source.
#pragma once

#include <string>

#include "timing/machine/model.hpp"

namespace warpspan::app {

// All figures of a machine, as text.
std::string machine_text(const timing::Machine& machine);

}  // namespace warpspan::app
