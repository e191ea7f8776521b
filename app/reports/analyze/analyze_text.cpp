// SPDX-License-Identifier: GPL-3.0-or-later
// The report of analyze for people: a few lines a kernel, or a table of several; or all that is known of each.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/access_section.hpp"
#include "app/reports/analyze/advice_section.hpp"
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/analyze/brief.hpp"
#include "app/reports/analyze/cost_sections.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/machine_code_section.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/analyze/summary.hpp"
#include "app/reports/bracket.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/residency_words.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr size_t longest_string = 200;  // characters of an instruction string; the JSON has all
constexpr size_t longest_table = 20;    // rows

bool has_string_model(const timing::Analysis& analysis) {
  const auto is_of_it = [](const timing::ModelBound& entry) { return entry.model == "string"; };
  return std::any_of(analysis.bounds.begin(), analysis.bounds.end(), is_of_it);
}

std::string machine_line(const MachineSummary& machine) {
  return fmt::format("{}: {}, {}", support::printable(machine.name), support::printable(machine.description),
                     frequency(machine.clock_khz));
}

std::string launch_line(const KernelReport& kernel) {
  const timing::Load& load = kernel.analysis.load;
  std::string text = fmt::format("block {} ({}{})", extent(*kernel.launch.block), counted(load.warps_per_block, "warp"),
                                 kernel.block_from_file ? ", from the file" : "");
  if (!kernel.launch.grid) return text + ", one block alone on the device";
  return text + fmt::format(", grid {}: {} with {} on {}", extent(*kernel.launch.grid),
                            counted(load.device_blocks, "block"), counted(load.device_warps, "warp"),
                            counted(kernel.machine.multiprocessors, "multiprocessor"));
}

// Of a multiprocessor.
std::string occupancy_line(const KernelReport& kernel) {
  const timing::Load& load = kernel.analysis.load;
  return residency_text(load.residency, load.warps_per_block, kernel.machine.max_warps) + "; " + needs_text(load.needs);
}

// What the headline would be without the assumption that blocks are dealt round-robin.
std::string other_dispatchers(const KernelReport& kernel) {
  const auto& makespan = kernel.analysis.any_dispatcher;
  if (!makespan) return {};
  return fmt::format("    <= {} = {} where blocks are not dealt round-robin\n", counted(*makespan, "cycle"),
                     duration(*makespan, kernel.machine.clock_khz));
}

std::string instructions_line(const timing::Analysis& analysis) {
  std::string text;
  for (size_t k = 0; k < analysis.instructions.size(); ++k) {
    text += fmt::format("{}{} {}", k == 0 ? "" : ", ", ir::symbol(static_cast<ir::UnitClass>(k)),
                        thousands(analysis.instructions[k]));
  }
  return text + " on the worst path; " + counted(static_cast<int64_t>(analysis.raw_edges), "read-after-write edge") +
         " in the text";
}

std::string field(const char* name, const std::string& value) { return fmt::format("  {:<15}{}\n", name, value); }

// The path that the headline is about, and its instruction string.
std::string path_section(const timing::Analysis& analysis, size_t width) {
  std::string out = field("one warp", fmt::format("best {}, average {}, worst {} cycles{}", thousands(analysis.best),
                                                  thousands(analysis.average), thousands(analysis.worst),
                                                  analysis.fetch ? ", warm instruction cache" : ""));
  out += wrap(fmt::format("  {:<15}", "instructions"), instructions_line(analysis), width);
  const std::string string = ir::to_string(analysis.string);
  const std::string transformed = ir::to_string(analysis.transformed);
  out += field("string", string.empty() ? "too long to be written down" : shorten(string, longest_string));
  if (transformed != string) out += field("for the units", shorten(transformed, longest_string));
  return out;
}

// How long it probably takes; and of machine code, why that was not simulated.
std::string expected_lines(const KernelReport& kernel, const TextStyle& style) {
  if (!kernel.expected) return {};
  const ExpectedTime& expected = *kernel.expected;
  std::string text =
      fmt::format("expected {} ({})", rough_duration(expected.cycles, kernel.machine.clock_khz), caution(expected));
  if (is_machine_code(kernel) && !expected.not_simulated.empty()) text += "; not simulated: " + expected.not_simulated;
  return wrap("  ", support::printable(text), style.width);
}

std::string headline_section(const KernelReport& kernel, const solver::Bound& bound, const TextStyle& style) {
  std::string out = "\n" + headline_lines(kernel, style) + expected_lines(kernel, style);
  const std::string ladder = ladder_table(kernel, style);
  if (!ladder.empty()) out += ladder + "\n";
  out += breakdown(bound, kernel.analysis.fetch, style.width) + other_dispatchers(kernel);
  const std::string largest = limited_by(bound);
  out += largest.empty() ? "" : field("limited by", largest);
  const std::string advice = advice_table(kernel, style.width);
  return out + (advice.empty() ? "" : "\n" + advice);
}

// The lines and the accesses of memory that the headline comes from.
std::string where_section(const KernelReport& kernel, int64_t makespan, const TextStyle& style) {
  const std::string costs = cost_table(kernel.lines, makespan, longest_table, style.width);
  const std::string accesses = access_table(kernel, longest_table, style.width);
  return (costs.empty() ? "" : "\n" + costs) + (accesses.empty() ? "" : "\n" + accesses);
}

std::string string_section(const timing::Analysis& analysis, size_t width) {
  return "\n  string model: cycles of the units alone, without latencies\n    " +
         bracket_text(string_bracket(analysis), "worst case") + "\n" + string_bounds(analysis.bounds, width);
}

std::string assumption_section(const KernelReport& kernel, size_t width) {
  const timing::Analysis& analysis = kernel.analysis;
  const auto& unmeasured = analysis.assumed_figures;
  std::string out = "\n  assumptions\n" + assumptions(analysis.bounds, width);
  return unmeasured.empty() ? out
                            : out + "\n" + wrap("  figures that nobody has measured: ", joined(unmeasured), width);
}

std::string title(const KernelReport& kernel, bool colour) {
  constexpr size_t longest_symbol = 200;  // the JSON has all of it
  const std::string shown = support::brief_name(kernel.name);
  std::string out =
      bold("kernel " + support::printable(shown), colour) + " (" + support::printable(kernel.file) + ")\n";
  const bool is_shown = shown == kernel.name || kernel.name.size() > longest_symbol;
  return out + (is_shown ? "" : field("symbol", support::printable(kernel.name)));
}

std::string kernel_text(const KernelReport& kernel, const TextStyle& style) {
  const timing::Analysis& analysis = kernel.analysis;
  std::string out = title(kernel, style.colour);
  out += wrap(fmt::format("  {:<15}", "machine"), machine_line(kernel.machine), style.width);
  out += wrap(fmt::format("  {:<15}", "launch"), launch_line(kernel), style.width);
  out += wrap(fmt::format("  {:<15}", "occupancy"), occupancy_line(kernel), style.width);
  if (const solver::Bound* bound = headline_bound(analysis)) {
    out += headline_section(kernel, *bound, style) + where_section(kernel, bound->makespan.value(), style);
    out += beside_section(kernel, style.width);
    if (const std::string listing = listing_table(kernel, style.width); !listing.empty()) out += "\n" + listing;
  }
  out += "\n" + path_section(analysis, style.width);
  if (!kernel.loops.empty()) out += "\n" + loop_table(kernel.loops, longest_table);
  if (!analysis.clock_readings.empty()) {
    out += "\n" + clock_reading_lines(analysis.clock_readings, longest_table);
  }
  if (has_string_model(analysis)) out += string_section(analysis, style.width);
  return out + assumption_section(kernel, style.width);
}

}  // namespace

LongText to_long_text(const AnalyzeReport& report, const TextStyle& style) {
  LongText out = kernel_table(report, style);
  const auto of_kernel = style.explain ? kernel_text : kernel_summary;
  if (out.empty() || style.explain) {
    for (const KernelReport& kernel : report.kernels) out.append((out.empty() ? "" : "\n") + of_kernel(kernel, style));
  }
  const bool has_ptx = std::any_of(report.kernels.begin(), report.kernels.end(),
                                   [](const KernelReport& kernel) { return !is_machine_code(kernel); });
  if (has_ptx && style.offers_assembler) out.append("\n" + assembler_offer(style.width));
  return out;
}

std::string to_text(const AnalyzeReport& report, const TextStyle& style) { return to_long_text(report, style).str(); }

}  // namespace warpspan::app
