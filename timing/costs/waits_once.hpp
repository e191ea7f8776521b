// SPDX-License-Identifier: GPL-3.0-or-later
// Waits that the worst latency of every access contains, and that cannot come with each of them: for translations of
// addresses and for refreshes of the memory (docs/memory-model.md, Waits that come once).
#pragma once

#include "support/checked.hpp"
#include "timing/costs/cost.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// The latency of an access, without the waits that are counted otherwise as the service says.
Latency with_waits_once(Latency latency, const Service& service);

// A bound, of so many cycles where no access waits for a refresh.
support::Integer with_refreshes(support::Integer cycles, const RefreshFigures& refresh);

}  // namespace warpspan::timing
