// The report of analyze for people: about one screen a kernel.
#include <fmt/format.h>

#include "app/reports/analyze_formats.hpp"
#include "app/reports/bracket.hpp"
#include "app/reports/cost_sections.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/report_sections.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

constexpr size_t longest_string = 200;  // characters of an instruction string; the JSON has all
constexpr size_t longest_table = 20;    // rows

std::string bold(const std::string& text, bool colour) { return colour ? "\033[1m" + text + "\033[0m" : text; }

std::string machine_line(const MachineSummary& machine) {
  return fmt::format("{}: {}, {}", machine.name, machine.description, frequency(machine.clock_khz));
}

std::string launch_line(const KernelReport& kernel) {
  const timing::Load& load = kernel.analysis.load;
  std::string text = fmt::format("block {} ({}{})", extent(*kernel.launch.block), counted(load.warps_per_block, "warp"),
                                 kernel.block_from_file ? ", from the file" : "");
  if (!kernel.launch.grid) return text + ", one block alone on the device";
  const timing::Residency& resident = load.residency;
  const auto [least, most] = resident.blocks;
  text += fmt::format(", grid {}: {} with {} on {}", extent(*kernel.launch.grid), counted(load.device_blocks, "block"),
                      counted(load.device_warps, "warp"), counted(kernel.machine.multiprocessors, "multiprocessor"));
  if (least == most) {
    return text + fmt::format(", each with room for {} ({})", counted(most, "block"), resident.most_limit);
  }
  return text + fmt::format(", each with room for {} ({}) to {} ({})", thousands(least), resident.least_limit,
                            counted(most, "block"), resident.most_limit);
}

// What the headline would be without the assumption that blocks are dealt round-robin.
std::string other_dispatchers(const KernelReport& kernel) {
  const auto& makespan = kernel.analysis.any_dispatcher;
  if (!makespan) return {};
  return fmt::format("    <= {} = {} where blocks are not dealt round-robin\n", counted(*makespan, "cycle"),
                     duration(*makespan, kernel.machine.clock_khz));
}

std::string headline(const KernelReport& kernel, int64_t makespan) {
  return fmt::format("worst-case makespan <= {} = {}", counted(makespan, "cycle"),
                     duration(makespan, kernel.machine.clock_khz));
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

std::string path_section(const timing::Analysis& analysis) {
  std::string out = field("one warp", fmt::format("best {}, average {}, worst {} cycles{}", thousands(analysis.best),
                                                  thousands(analysis.average), thousands(analysis.worst),
                                                  analysis.fetch ? ", its code at hand" : ""));
  out += field("instructions", instructions_line(analysis));
  const std::string string = ir::to_string(analysis.string);
  const std::string transformed = ir::to_string(analysis.transformed);
  out += field("string", string.empty() ? "too long to be written down" : shorten(string, longest_string));
  if (transformed != string) out += field("for the units", shorten(transformed, longest_string));
  return out;
}

std::string kernel_text(const KernelReport& kernel, bool colour) {
  const timing::Analysis& analysis = kernel.analysis;
  const solver::Bound& bound = *headline_bound(analysis);
  std::string out = bold("kernel " + kernel.name, colour) + " (" + support::printable(kernel.file) + ")\n";
  out += field("machine", machine_line(kernel.machine));
  out += wrap(fmt::format("  {:<15}", "launch"), launch_line(kernel));
  out += "\n  " + bold(headline(kernel, bound.makespan.value()), colour) + "  (pipeline model, safe)\n";
  out += breakdown(bound, analysis.fetch) + other_dispatchers(kernel);
  if (!kernel.lines.empty()) out += "\n" + cost_table(kernel.lines, bound.makespan.value());
  out += "\n" + path_section(analysis);
  if (!kernel.loops.empty()) out += "\n" + loop_table(kernel.loops, longest_table);
  if (!analysis.clock_readings.empty()) out += "\n" + clock_reading_lines(analysis.clock_readings, longest_table);
  out += "\n  string model: cycles of the units alone, without latencies\n    " +
         bracket_text(string_bracket(analysis), "worst case") + "\n" + string_bounds(analysis.bounds);
  out += "\n  assumptions\n" + assumptions(analysis.bounds);
  if (!analysis.assumed_figures.empty()) {
    out += "\n" + wrap("  figures that nobody has measured: ", joined(analysis.assumed_figures));
  }
  return out;
}

}  // namespace

std::string to_text(const AnalyzeReport& report, bool colour) {
  std::string out;
  for (const KernelReport& kernel : report.kernels) out += (out.empty() ? "" : "\n") + kernel_text(kernel, colour);
  return out;
}

}  // namespace warpspan::app
