// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/brief.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

namespace {

constexpr size_t costliest = 3;  // lines that are shown

// Returns the cycles of what is left out.
int64_t keep_costliest(std::vector<LineCost>& lines) {
  std::set<std::pair<std::string, std::string>> files;
  std::vector<LineCost> kept;
  int64_t left_out = 0;
  for (LineCost& line : lines) {
    const bool is_first = files.emplace(line.file, line.path).second;
    if (is_first || kept.size() < costliest) {
      kept.push_back(std::move(line));
    } else {
      left_out += line.cycles();  // all lines together have at most the bound
    }
  }
  lines = std::move(kept);
  return left_out;
}

// "A-21" of "A-21: The clocks ...".
std::string identifier_of(const std::string& sentence) {
  const size_t end = sentence.find(": ");
  const auto is_of_one = [](char c) { return (c >= '0' && c <= '9') || c == '-'; };
  const bool is_one = end != std::string::npos && end > 2 && sentence[0] >= 'A' && sentence[0] <= 'Z' &&
                      sentence[1] == '-' && std::all_of(sentence.begin() + 1, sentence.begin() + end, is_of_one);
  return is_one ? sentence.substr(0, end) : std::string();
}

std::vector<std::string> named_by_option(const KernelReport& kernel) {
  std::vector<std::string> names = names_of(kernel.assumed);
  const solver::Bound* bound = headline_bound(kernel.analysis);
  std::erase_if(names, [bound](const std::string& name) {
    if (bound == nullptr) return true;
    const std::string_view sentence = timing::sentence(*timing::assumption_named(name));
    return std::find(bound->assumptions.begin(), bound->assumptions.end(), sentence) == bound->assumptions.end();
  });
  return names;
}

}  // namespace

void make_brief(KernelReport& kernel) {
  if (kernel.brief) return;
  Brief brief{assumed_of(kernel), is_machine_code(kernel), keep_costliest(kernel.lines)};
  keep_costliest(kernel.expected_lines);
  kernel.brief = std::move(brief);
  kernel.machine.evidence.clear();
  ir::Launch launch;
  launch.block = kernel.launch.block;
  launch.grid = kernel.launch.grid;
  kernel.launch = std::move(launch);
  kernel.instructions.clear();
  kernel.stated.clear();
  kernel.accesses.clear();
  kernel.listing.clear();
  kernel.ptx.clear();
  kernel.ptx_errors.clear();
  kernel.code.reset();
  timing::Analysis& analysis = kernel.analysis;
  analysis.string = analysis.transformed = {};
  analysis.resources.clear();
  analysis.costs.clear();
  for (timing::ModelBound& entry : analysis.bounds) entry.bound.assumptions.clear();
}

void keep_headlines(KernelReport& kernel) {
  KernelReport kept;
  kept.file = std::move(kernel.file);
  kept.name = std::move(kernel.name);
  kept.machine = std::move(kernel.machine);
  kept.machine.description.clear();
  kept.assumed = kernel.assumed;
  kept.expected = std::move(kernel.expected);
  kept.brief = std::move(kernel.brief);
  timing::Analysis& analysis = kernel.analysis;
  if (!analysis.ladder.empty()) kept.analysis.ladder.push_back(std::move(analysis.ladder.front()));
  kept.analysis.usual = analysis.usual;
  kept.analysis.bounds = std::move(analysis.bounds);
  for (timing::ModelBound& entry : kept.analysis.bounds) entry.bound.parts.clear();
  kernel = std::move(kept);
}

Assumed assumed_of(const KernelReport& kernel) {
  if (kernel.brief) return kernel.brief->assumed;
  const std::vector<std::string> sentences = assumptions_of(kernel.analysis.bounds);
  Assumed assumed{sentences.size(), {}, named_by_option(kernel)};
  for (const std::string& sentence : sentences) {
    if (std::string identifier = identifier_of(sentence); !identifier.empty())
      assumed.identifiers.push_back(std::move(identifier));
  }
  return assumed;
}

bool is_machine_code(const KernelReport& kernel) {
  return kernel.brief ? kernel.brief->is_machine_code : !kernel.listing.empty();
}

}  // namespace warpspan::app
