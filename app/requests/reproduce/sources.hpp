// SPDX-License-Identifier: GPL-3.0-or-later
// The sources. Each is in a C++ source of its own, which holds what it prints.
#pragma once

#include "app/reports/reproduce/reproduce_report.hpp"

namespace warpspan::app {

struct Effort {
  bool slow = false;             // ReproduceRequest::slow
  support::Diagnostics& errors;  // of what could not be computed

  void add(const support::Diagnostics& more) const { errors.insert(errors.end(), more.begin(), more.end()); }
};

ReproducedSource makespan_of_warps(const Effort& effort);      // Berezovskyi, Bletsas and Andersson 2012
ReproducedSource finishing_time(const Effort& effort);         // Raravi and Andersson 2010
ReproducedSource timing_of_fermi(const Effort& effort);        // thesis
ReproducedSource response_times_on_tx2(const Effort& effort);  // thesis

}  // namespace warpspan::app
