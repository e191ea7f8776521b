// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan facts' finds, for the command and for the library.
#pragma once

#include "app/reports/facts/facts_report.hpp"
#include "app/requests/kernels/kernel_files.hpp"

namespace warpspan::app {

FactsReport facts_of(const KernelRequest& request);

}  // namespace warpspan::app
