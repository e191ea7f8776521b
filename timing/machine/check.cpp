// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/check.hpp"

#include <algorithm>
#include <functional>

#include "timing/machine/fields.hpp"

namespace warpspan::timing {

namespace {

using ir::OperationKind;

using Visit = std::function<void(const OperationFigures&)>;

void for_each_operation(const Machine& machine, const Visit& visit) {
  for (const auto& figures : machine.otherwise) {
    if (figures) visit(*figures);
  }
  for (const Machine::FormFigures& some : machine.form_figures) visit(some.figures);
}

bool has_forms(const Machine& machine, OperationKind kind) {
  return std::any_of(machine.form_figures.begin(), machine.form_figures.end(),
                     [kind](const Machine::FormFigures& some) { return some.kind == kind; });
}

void find_missing(const Machine& machine, MachineReport& report) {
  for (int k = 0; k < ir::operation_kinds; ++k) {
    const auto kind = static_cast<OperationKind>(k);
    if (machine.figures(kind)) continue;
    (has_forms(machine, kind) ? report.partial : report.missing).push_back(kind);
  }
}

void find_ranges(const Machine& machine, MachineReport& report) {
  const auto range = [&](const char* name, const std::function<int64_t(const OperationFigures&)>& figure) {
    FigureRange found{name, 0, 0};
    bool first = true;
    for_each_operation(machine, [&](const OperationFigures& figures) {
      const int64_t value = figure(figures);
      found.least = first ? value : std::min(found.least, value);
      found.largest = first ? value : std::max(found.largest, value);
      first = false;
    });
    if (!first) report.ranges.push_back(found);
  };
  range("worst latency", [](const OperationFigures& figures) { return figures.latency.worst; });
  range("gap", [](const OperationFigures& figures) { return figures.gap; });
  range("machine instructions", [](const OperationFigures& figures) { return figures.instructions; });
}

// Pairs of kinds of which the first is the easier one, some forms apart.
constexpr std::pair<OperationKind, OperationKind> easier[] = {
    {OperationKind::int_add, OperationKind::int_div},
    {OperationKind::int_add, OperationKind::int64_add},
    {OperationKind::int_mul, OperationKind::int64_mul},
    {OperationKind::int_div, OperationKind::int64_div},
    {OperationKind::fp32, OperationKind::fp32_div},
    {OperationKind::fp32, OperationKind::fp32_root},
    {OperationKind::fp32, OperationKind::fp64},
    {OperationKind::fp64, OperationKind::fp64_div},
    {OperationKind::fp64, OperationKind::fp64_root},
    {OperationKind::special, OperationKind::fp32_root},
    {OperationKind::load_shared, OperationKind::load_global},
    {OperationKind::load_shared, OperationKind::load_generic},
    {OperationKind::load_global, OperationKind::load_generic},
    {OperationKind::load_global, OperationKind::atomic_global},
    {OperationKind::load_shared, OperationKind::atomic_shared},
};

void compare_kinds(const Machine& machine, MachineReport& report) {
  for (const auto& [easy, hard] : easier) {
    const auto& a = machine.otherwise[static_cast<size_t>(easy)];
    const auto& b = machine.otherwise[static_cast<size_t>(hard)];
    if (!a || !b || a->latency.worst <= b->latency.worst) continue;
    if (a->expanded || b->expanded) continue;  // the table of expansions counts their machine instructions
    report.remarks.push_back(std::string(ir::to_string(easy)) + " is slower than " + std::string(ir::to_string(hard)) +
                             ": " + std::to_string(a->latency.worst) + " and " + std::to_string(b->latency.worst) +
                             " cycles at worst");
  }
}

// A cache that is smaller than the one before it never has what that one lacks.
void compare_caches(const Machine& machine, MachineReport& report) {
  if (!machine.fetch) {
    report.remarks.push_back("no figures of instruction fetch: code is taken to be there in time");
    return;
  }
  const std::vector<CodeCache>& caches = machine.fetch->caches;
  for (size_t i = 1; i < caches.size(); ++i) {
    if (caches[i].bytes >= caches[i - 1].bytes) continue;
    report.remarks.push_back("code cache " + caches[i].name + " is smaller than " + caches[i - 1].name);
  }
}

// What no assumption about addresses or caches can help.
void find_what_stays_worst(const Machine& machine, MachineReport& report) {
  const auto has_lines = [](const ResourceFigures& resource) { return resource.lines.has_value(); };
  if (std::none_of(machine.resources.begin(), machine.resources.end(), has_lines)) {
    report.remarks.emplace_back(
        "no resource has service times of lines: accesses occupy the same wherever their addresses lie");
  }
  if (machine.data_caches.empty()) {
    report.remarks.emplace_back("no figures of data caches: every access is taken to miss them");
  }
}

void find_unused(const Machine& machine, MachineReport& report) {
  std::vector<bool> occupied(machine.resources.size(), false);
  const auto note = [&occupied](const std::vector<Occupancy>& occupancies) {
    for (const Occupancy& occupancy : occupancies) occupied[occupancy.resource] = true;
  };
  for_each_operation(machine, [&note](const OperationFigures& figures) { note(figures.occupancies); });
  if (machine.sequence) for_each_figure<std::vector<Occupancy>>(*machine.sequence, note);
  for (const CodeCache& cache : machine.fetch ? machine.fetch->caches : std::vector<CodeCache>{}) {
    for_each_figure<std::vector<Occupancy>>(cache, note);
  }
  for (size_t r = 1; r < machine.resources.size(); ++r) {
    if (!occupied[r]) report.remarks.push_back("no operation occupies resource '" + machine.resources[r].name + "'");
  }
  for (const Reference& reference : machine.references) {
    bool cited = false;
    for_each_provenance(machine, [&](Evidence, const std::string& source) {
      cited = cited || source.find("[" + reference.key + "]") != std::string::npos;
    });
    if (!cited) report.remarks.push_back("nothing cites source '" + reference.key + "'");
  }
}

}  // namespace

MachineReport check_machine(const Machine& machine) {
  MachineReport report;
  find_missing(machine, report);
  for_each_provenance(
      machine, [&report](Evidence evidence, const std::string&) { ++report.tables[static_cast<size_t>(evidence)]; });
  find_ranges(machine, report);
  compare_kinds(machine, report);
  compare_caches(machine, report);
  find_what_stays_worst(machine, report);
  find_unused(machine, report);
  return report;
}

}  // namespace warpspan::timing
