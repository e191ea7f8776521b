// SPDX-License-Identifier: GPL-3.0-or-later
// An analysis in parts: what each shard leaves, and the report that all of them make.
#pragma once

#include <string>
#include <vector>

#include "app/fleet/shard.hpp"
#include "app/requests/bound_kernels.hpp"

namespace warpspan::app {

struct MergedBounds {
  AnalyzeReport report;  // as that of one run
  ShardGiven given;
};

// Errors: a request that is about several files at once (is_about_single_files), words that mean no file, a machine
// that cannot be loaded; `cancel` became true.
support::Result<ShardReport> shard_of_bounds(const BoundRequest& request, const ShardGiven& given, const Shard& shard);

// shards: all_shards of an analysis. Errors: a file that several shards read was not the same for all of them.
support::Result<MergedBounds> merged_bounds(std::vector<ShardReport> shards);

}  // namespace warpspan::app
