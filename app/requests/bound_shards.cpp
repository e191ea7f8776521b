// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/bound_shards.hpp"

#include <map>
#include <utility>

#include "app/fleet/archive.hpp"
#include "app/requests/report_archive.hpp"
#include "app/requests/shared_inputs.hpp"
#include "support/sha256.hpp"

namespace warpspan::app {

namespace {

struct BoundShard {
  ShardGiven given;
  size_t files = 0;  // of all shards
  std::map<size_t, FileBounds> bounds;
};

support::Diagnostic interrupted() {
  support::Diagnostic note;
  note.severity = support::Severity::error;
  note.message = "interrupted: no shard is written";
  return note;
}

}  // namespace

support::Result<ShardReport> shard_of_bounds(const BoundRequest& request, const ShardGiven& given, const Shard& shard) {
  MachineShelf machines;
  if (!request.machine.empty()) {
    const auto& named = machines.find(request.machine, "");
    if (!named) return named.errors();
  }
  if (!is_about_single_files(request)) {
    return support::usage_error(
        "--shard: --kernel, facts and --model string are about all files together",
        "leave them out; or write them into budgets, of which 'warpspan check --shard' takes each file alone");
  }
  const NamedFiles files = named_files(request.kernels.files);
  if (!files.errors.empty()) return files.errors;
  BoundShard own{given, files.paths.size(), {}};
  std::vector<size_t> numbers;
  for (size_t i = 0; i < files.paths.size(); ++i) {
    if (shard.has(i)) numbers.push_back(i);
  }
  auto bounded = bound_files(request, files, numbers, machines);
  if (request.fleet.is_cancelled()) return interrupted();
  ShardReport report;
  for (size_t i = 0; i < numbers.size(); ++i) {
    report.files.push_back(files.paths[numbers[i]]);
    own.bounds.emplace(numbers[i], std::move(bounded[i]));
  }
  report.command = "analyze";
  report.shard = shard;
  report.run = support::sha256(archived(std::tie(given, files.paths, files.in_folder)));
  report.results = archived(own);
  return report;
}

support::Result<MergedBounds> merged_bounds(std::vector<ShardReport> shards) {
  std::map<size_t, FileBounds> all;
  SharedInputs inputs;
  const auto shelf = new_shelf<KernelReport>();
  MergedBounds merged;
  size_t files = 0;
  for (ShardReport& report : shards) {
    auto own = unarchived<BoundShard>(std::exchange(report.results, {}).str());
    if (!own) return support::internal_error("the results of a shard cannot be read");
    for (auto& [number, bounds] : own->bounds) {
      inputs.add(bounds.report.run);
      bounds.report.kernels.put_away(shelf);
    }
    all.merge(own->bounds);
    files = own->files;
    merged.given = std::move(own->given);
  }
  if (all.size() != files) return support::internal_error("the shards do not have all files");
  if (!inputs.errors().empty()) return inputs.errors();
  std::vector<FileBounds> in_order;
  for (auto& [number, bounds] : all) in_order.push_back(std::move(bounds));
  merged.report = joined_files(std::move(in_order));
  RunRecord run = merged.given.run;
  run.add(merged.report.run);
  merged.report.run = std::move(run);
  return merged;
}

}  // namespace warpspan::app
