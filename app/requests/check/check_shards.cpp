// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/check/check_shards.hpp"

#include <utility>

#include "app/fleet/archive.hpp"
#include "app/requests/report_archive.hpp"
#include "app/requests/shared_inputs.hpp"
#include "support/sha256.hpp"

namespace warpspan::app {

// What is shared within a run is left behind.
template <>
struct Archive<Compilation> {
  static void put(ArchiveWriter& to, const Compilation& how) {
    const auto& [compiler, flags, target, wanted, assembler, assemblies, inputs, cancel] = how;
    to.put(std::tie(compiler, flags, target, wanted, assembler));
  }
  static Compilation get(ArchiveReader& from) {
    Compilation how;
    how.compiler = from.get<std::vector<std::string>>();
    how.flags = from.get<std::vector<std::string>>();
    how.target = from.get<std::string>();
    how.wanted = from.get<Wanted>();
    how.assembler = from.get<std::vector<std::string>>();
    return how;
  }
};

namespace {

// All that decides the report beside the parts.
struct Plan {
  std::string name;
  std::vector<Budget> budgets;
  std::vector<std::string> files;
  bool unused_fails = false;
  std::optional<Percent> ratchet;
  std::string source_root;
  std::optional<Baseline> baseline;
  std::optional<Percent> growth;
  ShardGiven given;
};

struct CheckShard {
  Plan plan;
  CheckParts parts;
};

// What stands in the plan, and which files there are: a shard that saw others is of another run.
std::string run_of(const Plan& plan, const CheckParts& parts) {
  return support::sha256(archived(plan) + archived(parts.named));
}

}  // namespace

std::optional<ShardReport> shard_of_check(const CheckRequest& request, const ShardGiven& given, const Shard& shard) {
  auto parts = check_shard(request, shard);
  if (!parts) return std::nullopt;
  CheckShard own{{request.name, request.budgets, request.files, request.unused_fails, request.ratchet,
                  request.source_root, request.baseline, request.growth, given},
                 std::move(*parts)};
  ShardReport report;
  report.command = "check";
  report.shard = shard;
  report.run = run_of(own.plan, own.parts);
  for (const auto& [reading, contents] : own.parts.contents) report.files.push_back(std::get<0>(reading));
  report.results = archived(own);
  return report;
}

support::Result<MergedCheck> merged_check(std::vector<ShardReport> shards) {
  std::optional<Plan> plan;
  CheckParts all;
  SharedInputs inputs;
  const auto shelf = new_shelf<KernelReport>();
  for (ShardReport& report : shards) {
    auto own = unarchived<CheckShard>(std::exchange(report.results, {}).str());
    if (!own) return support::internal_error("the results of a shard cannot be read");
    for (const auto& [reading, contents] : own->parts.contents) inputs.add(contents.second);
    for (auto& [place, kernel] : own->parts.kernels) {
      inputs.add(kernel.second);
      kernel.first.report.put_away(shelf);
    }
    all.named = std::move(own->parts.named);
    all.contents.merge(own->parts.contents);
    all.kernels.merge(own->parts.kernels);
    if (!plan) plan = std::move(own->plan);
  }
  if (!inputs.errors().empty()) return inputs.errors();
  CheckRequest request;
  request.name = plan->name;
  request.budgets = std::move(plan->budgets);
  request.files = std::move(plan->files);
  request.unused_fails = plan->unused_fails;
  request.ratchet = plan->ratchet;
  request.source_root = std::move(plan->source_root);
  request.baseline = std::move(plan->baseline);
  request.growth = plan->growth;
  MergedCheck merged{check_budgets(request, std::move(all)).report, std::move(plan->given)};
  RunRecord run = merged.given.run;
  run.add(merged.report.run);
  merged.report.run = std::move(run);
  return merged;
}

}  // namespace warpspan::app
