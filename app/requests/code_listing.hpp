// SPDX-License-Identifier: GPL-3.0-or-later
// The code of kernels with what each instruction costs: what 'warpspan listing' reports.
#pragma once

#include "app/reports/listing/listing_report.hpp"
#include "app/requests/bound_kernels.hpp"

namespace warpspan::app {

// Bounds the kernels as bound_kernels does. One that has no bound is listed without costs and with the reasons; only
// what cannot be read at all is an error. Warnings stand among the errors.
ListingReport list_instructions(const BoundRequest& request);

}  // namespace warpspan::app
