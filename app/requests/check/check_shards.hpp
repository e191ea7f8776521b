// SPDX-License-Identifier: GPL-3.0-or-later
// A check in parts: what each shard leaves, and the report that all of them make.
#pragma once

#include <string>
#include <vector>

#include "app/fleet/shard.hpp"
#include "app/requests/check/check_budgets.hpp"

namespace warpspan::app {

struct MergedCheck {
  CheckReport report;  // as that of one run
  ShardGiven given;
};

// Nothing if `cancel` became true.
std::optional<ShardReport> shard_of_check(const CheckRequest& request, const ShardGiven& given, const Shard& shard);

// shards: all_shards of a check. Errors: a file that several shards read was not the same for all of them.
support::Result<MergedCheck> merged_check(std::vector<ShardReport> shards);

}  // namespace warpspan::app
