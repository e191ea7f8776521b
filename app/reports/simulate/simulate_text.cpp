// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a simulation for people: the expected time, marked as an estimate; what was simulated; how busy the
// multiprocessor was; why warps waited, in all and at the instructions where they did so the longest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/reports/readable.hpp"
#include "app/reports/simulate/simulate_formats.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_lines = 12;  // of code, unless all are wanted

int64_t whole(double value) { return static_cast<int64_t>(std::llround(value)); }

std::string part(double share) { return percent(whole(share * 1000)); }

double part_of(double value, double all) { return all > 0 ? value / all : 0; }

std::string title(const SimulatedKernel& kernel) {
  const int64_t cycles = kernel.expected.cycles;
  return fmt::format("expected {} cycles, {} on {} ({})\n", thousands(cycles), rough_duration(cycles, kernel.clock_khz),
                     support::printable(kernel.machine), caution(kernel.expected));
}

std::string launch_text(const SimulatedKernel& kernel) {
  return fmt::format("block {} ({}{}), {}", extent(kernel.block), counted(kernel.warps_per_block, "warp"),
                     kernel.block_from_file ? ", from the file" : "",
                     kernel.grid_given ? "grid " + extent(kernel.grid) : std::string("one block alone on the device"));
}

std::string simulated_text(const SimulatedKernel& kernel) {
  const timing::Simulation& simulation = kernel.simulation;
  const std::string blocks = simulation.simulated_blocks == simulation.blocks
                                 ? counted(simulation.blocks, "block")
                                 : fmt::format("the first {} of {}", thousands(simulation.simulated_blocks),
                                               counted(simulation.blocks, "block"));
  return fmt::format("{} of one of {}, {} at a time, {}", blocks,
                     counted(whole(simulation.multiprocessors), "multiprocessor"), thousands(simulation.resident),
                     counted(whole(simulation.instructions), "warp instruction"));
}

std::string units_text(const timing::Simulation& simulation) {
  std::vector<std::pair<double, std::string>> units;
  for (size_t unit = 1; unit < timing::units_of_scheduler; ++unit) {
    const auto name = std::string(to_string(static_cast<timing::SimulatedUnit>(unit)));
    if (simulation.busy[unit] > 0) units.emplace_back(simulation.busy[unit], name);
  }
  std::stable_sort(units.begin(), units.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words = {"issue slots " + part(simulation.issue)};
  for (const auto& [busy, name] : units) words.push_back(name + " " + part(busy));
  return joined(words);
}

std::string cache_text(const timing::MemoryTraffic& traffic) {
  constexpr double sector_bytes = 32, memory_bytes = 64;
  return fmt::format(
      "L1 {} of {}, L2 {} of the others, {} from memory and {} stored by the multiprocessor",
      part(1 - part_of(traffic.beyond_l1, traffic.loaded)), counted(whole(traffic.loaded), "loaded sector"),
      part(1 - part_of(traffic.from_memory, traffic.beyond_l1)), memory_size(whole(traffic.from_memory * memory_bytes)),
      memory_size(whole(traffic.stored * sector_bytes)));
}

// Of all lines: how much of their cycles each cause has.
std::string stall_table(const SimulatedKernel& kernel, double all) {
  std::array<double, timing::stalls> sums{};
  double issued = 0;
  for (const SimulatedLine& line : kernel.lines) {
    issued += line.issued;
    for (size_t i = 0; i < timing::stalls; ++i) sums[i] += line.stalls[i];
  }
  std::vector<size_t> order(timing::stalls);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&sums](size_t a, size_t b) { return sums[a] > sums[b]; });
  std::vector<Row> rows = {{"cycles of warps", "of all", "waiting for"}};
  const auto add = [&](double cycles, const std::string& what) {
    rows.push_back({thousands(whole(cycles)), part(part_of(cycles, all)), what});
  };
  for (const size_t i : order) {
    if (sums[i] < 0.5) continue;
    const auto stall = static_cast<timing::Stall>(i);
    add(sums[i], fmt::format("{}: {}", to_string(stall), description(stall)));
  }
  add(issued, "nothing: issuing");
  return table({Align::right, Align::right, Align::left}, rows, 4);
}

std::string line_place(const SimulatedLine& line) {
  if (line.source_line == 0) return line.place;
  const size_t slash = line.source_file.rfind('/');
  const std::string file = slash == std::string::npos ? line.source_file : line.source_file.substr(slash + 1);
  return fmt::format("{} {}:{}", line.place, support::printable(file), line.source_line);
}

std::string line_table(const SimulatedKernel& kernel, double all, const TextStyle& style) {
  std::vector<const SimulatedLine*> lines;
  for (const SimulatedLine& line : kernel.lines) lines.push_back(&line);
  if (!style.explain) {
    std::stable_sort(lines.begin(), lines.end(), [](const auto* a, const auto* b) { return a->cycles > b->cycles; });
    lines.resize(std::min(lines.size(), most_lines));
  }
  std::vector<Row> rows = {{"cycles of warps", "of all", "issued", "mostly", "of", "line"}};
  for (const SimulatedLine* line : lines) {
    const auto most = std::max_element(line->stalls.begin(), line->stalls.end());
    const auto stall = static_cast<timing::Stall>(most - line->stalls.begin());
    rows.push_back({thousands(whole(line->cycles)), part(part_of(line->cycles, all)), thousands(whole(line->issued)),
                    *most > 0 ? std::string(to_string(stall)) : "", line->awaited,
                    line_place(*line) + "  " + support::printable(line->text)});
  }
  return table({Align::right, Align::right, Align::right, Align::left, Align::left, Align::left}, rows, 4, style.width);
}

// "3.70"
std::string ratio(int64_t above, int64_t below) {
  return fmt::format("{:.2f}", part_of(static_cast<double>(above), static_cast<double>(below)));
}

// How far the bound is from the expected time, and why.
std::vector<std::pair<const char*, std::string>> slowest_texts(const SimulatedKernel& kernel) {
  const timing::SlowestRun& slowest = *kernel.slowest;
  const std::string grants = kernel.assumed.empty() ? "nothing assumed" : "assumed: " + joined(kernel.assumed);
  std::string run = fmt::format("{} cycles with the figures of the bound ({}), issued {}", thousands(slowest.longest()),
                                grants, to_string(slowest.slowest));
  if (slowest.simulated_blocks < slowest.blocks) {
    run += fmt::format("; extrapolated from the first {} of {}", thousands(slowest.simulated_blocks),
                       counted(slowest.blocks, "block"));
  }
  std::string distances;
  if (slowest.bound) distances = ratio(*slowest.bound, slowest.longest()) + " bound over slowest run (analysis), ";
  distances += ratio(slowest.longest(), slowest.usual()) + " slowest over usual order (scheduler), " +
               ratio(slowest.usual(), kernel.expected.cycles) + " worst over typical figures";
  return {{"slowest", run},
          {"bound", slowest.bound ? thousands(*slowest.bound) + " cycles" : "none"},
          {"distances", distances}};
}

std::string kernel_text(const SimulatedKernel& kernel, const TextStyle& style) {
  const auto line = [&style](const char* what, const std::string& text) {
    return wrap(fmt::format("  {:<11}", what), text, style.width);
  };
  const timing::Simulation& simulation = kernel.simulation;
  std::string out = title(kernel);
  out += line("kernel", fmt::format("{} ({})", support::printable(support::brief_name(kernel.name)),
                                    support::printable(kernel.file)));
  out += line("machine", support::printable(kernel.description) +
                             (kernel.is_measured ? "" : "; not all of its typical figures were measured on it"));
  out += line("launch", launch_text(kernel));
  out += line("simulated", simulated_text(kernel));
  out += line("occupancy", part(simulation.occupancy) + " of the warps on average");
  out += line("busy", units_text(simulation));
  if (simulation.traffic.loaded + simulation.traffic.stored > 0) out += line("caches", cache_text(simulation.traffic));
  if (kernel.slowest) {
    for (const auto& [what, text] : slowest_texts(kernel)) out += line(what, text);
  }
  double all = 0;
  for (const SimulatedLine& each : kernel.lines) all += each.cycles;
  if (all > 0) out += "\n" + stall_table(kernel, all) + "\n" + line_table(kernel, all, style);
  const std::vector<std::string> remarks = remarks_of(kernel);
  if (!remarks.empty()) out += "\n";
  for (const std::string& remark : remarks) out += wrap("  ", support::printable(remark), style.width);
  return out;
}

}  // namespace

std::string to_text(const SimulateReport& report, const TextStyle& style) {
  std::string out;
  for (const SimulatedKernel& kernel : report.kernels) out += (out.empty() ? "" : "\n") + kernel_text(kernel, style);
  return out;
}

}  // namespace warpspan::app
