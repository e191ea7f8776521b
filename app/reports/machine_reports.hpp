// SPDX-License-Identifier: GPL-3.0-or-later
// What warpspan machines writes of one machine.
#pragma once

#include <string>

#include "app/reports/text_style.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::app {

// All figures with their standing and source, as text with prose of that width; the tables are wider. In
// machine_text.cpp.
std::string machine_text(const timing::Machine& machine, size_t width = usual_width);

// All figures, with the keys of a machine file; kinds, resources and code caches in arrays, in the order that counts.
std::string machine_json(const timing::Machine& machine);

// What the machine covers, how much of it is assumed, and what looks doubtful.
std::string machine_check_text(const timing::Machine& machine, size_t width = usual_width);

}  // namespace warpspan::app
