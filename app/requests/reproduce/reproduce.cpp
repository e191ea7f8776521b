// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/reproduce/reproduce.hpp"

#include <algorithm>
#include <array>

#include "app/requests/reproduce/sources.hpp"

namespace warpspan::app {

namespace {

struct Source {
  const char* name;
  ReproducedSource (*reproduce)(const Effort&);
};
constexpr auto sources = std::to_array<Source>({
    {"makespan", makespan_of_warps},
    {"finishing-time", finishing_time},
    {"fermi", timing_of_fermi},
    {"tx2", response_times_on_tx2},
});

}  // namespace

std::vector<std::string> source_names() {
  std::vector<std::string> names;
  for (const Source& source : sources) names.emplace_back(source.name);
  return names;
}

ReproduceReport reproduce(const ReproduceRequest& request) {
  ReproduceReport report;
  const auto& asked = request.sources;
  for (const Source& source : sources) {
    if (!asked.empty() && std::find(asked.begin(), asked.end(), source.name) == asked.end()) continue;
    report.sources.push_back(source.reproduce({request.slow, report.errors}));
    report.sources.back().name = source.name;
  }
  return report;
}

}  // namespace warpspan::app
