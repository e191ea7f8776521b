// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/headlines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/brief.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/readable.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

namespace {

bool is_rung(const std::string& name) { return timing::all_rungs().has(*timing::assumption_named(name)); }

// What is assumed of the kernel itself stands in all bounds: ", with --assume no-spills".
std::string always_assumed(std::vector<std::string> names) {
  std::erase_if(names, is_rung);
  return names.empty() ? "" : ", with --assume " + joined(names, ",");
}

Json bound_to_json(const std::vector<std::string>& assume, std::optional<int64_t> cycles, int64_t clock_khz) {
  const auto time = cycles ? picoseconds(*cycles, clock_khz) : std::nullopt;
  return {{"assume", assume}, {"cycles", or_null(cycles)}, {"picoseconds", or_null(time)}};
}

}  // namespace

std::optional<int64_t> bound_with_nothing(const timing::Analysis& analysis) {
  return analysis.ladder.empty() ? std::nullopt : analysis.ladder.front().makespan;
}

std::vector<Headline> headlines(const KernelReport& kernel) {
  const solver::Bound* bound = headline_bound(kernel.analysis);
  if (bound == nullptr) return {};
  const int64_t deciding = *bound->makespan;
  const std::vector<std::string> names = assumed_of(kernel).by_option;
  const auto nothing = bound_with_nothing(kernel.analysis), usual = kernel.analysis.usual;
  const std::string always = always_assumed(names);
  std::vector<Headline> all;
  if (deciding != nothing && deciding != usual) {
    all.push_back({deciding, names.empty() ? "" : "with --assume " + joined(names, ","), true});
  }
  if (usual && usual != nothing) {
    all.push_back({*usual, "if the GPU does what usual says" + always, deciding == *usual});
  }
  if (nothing) all.push_back({*nothing, "whatever it does" + always, deciding == *nothing});
  return all;
}

std::string headline_lines(const KernelReport& kernel, const TextStyle& style) {
  const std::vector<Headline> all = headlines(kernel);
  std::vector<std::string> times, cycles;
  size_t of_times = 0, of_cycles = 0;  // characters
  for (const Headline& one : all) {
    times.push_back(duration(one.cycles, kernel.machine.clock_khz));
    cycles.push_back(counted(one.cycles, "cycle"));
    of_times = std::max(of_times, times.back().size());
    of_cycles = std::max(of_cycles, cycles.back().size());
  }
  std::string out;
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string line = bold(fmt::format("at most {:>{}} = {:>{}}", times[i], of_times, cycles[i], of_cycles),
                                  all[i].decides && style.colour);
    out += all[i].when.empty() ? "  " + line + "\n" : wrap("  " + line + " ", all[i].when, style.width);
  }
  return out;
}

Json headlines_to_json(const KernelReport& kernel) {
  const int64_t clock = kernel.machine.clock_khz;
  return {{"usual", bound_to_json(kernel.machine.usual, kernel.analysis.usual, clock)},
          {"nothing", bound_to_json({}, bound_with_nothing(kernel.analysis), clock)}};
}

}  // namespace warpspan::app
