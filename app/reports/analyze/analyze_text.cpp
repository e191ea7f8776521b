// The report of analyze for people: one screen a kernel, or all that is known of it.
#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/access_section.hpp"
#include "app/reports/analyze/advice_section.hpp"
#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/analyze/cost_sections.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/machine_code_section.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/bracket.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/residency_words.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

namespace {

constexpr size_t longest_string = 200;  // characters of an instruction string; the JSON has all
constexpr size_t longest_table = 20;    // rows
constexpr size_t short_table = 6;       // rows of what fits a screen

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
std::string occupancy_line(const KernelReport& kernel, bool explain) {
  const timing::Load& load = kernel.analysis.load;
  return residency_text(load.residency, load.warps_per_block, kernel.machine.max_warps) + "; " +
         (explain ? needs_text(load.needs) : registers_text(load.needs));
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

// The path that the headline is about, and its instruction string where that is of use.
std::string path_section(const timing::Analysis& analysis, bool strings, size_t width) {
  std::string out = field("one warp", fmt::format("best {}, average {}, worst {} cycles{}", thousands(analysis.best),
                                                  thousands(analysis.average), thousands(analysis.worst),
                                                  analysis.fetch ? ", warm instruction cache" : ""));
  if (!strings) return out;
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
  if (!kernel.listing.empty() && !expected.not_simulated.empty()) text += "; not simulated: " + expected.not_simulated;
  return wrap("  ", support::printable(text), style.width);
}

std::string headline_section(const KernelReport& kernel, const solver::Bound& bound, const TextStyle& style) {
  std::string out = "\n" + headline_lines(kernel, style) + expected_lines(kernel, style);
  const std::string ladder = ladder_table(kernel, style);
  if (!ladder.empty()) out += ladder + "\n";
  out += breakdown(bound, kernel.analysis.fetch, style) + other_dispatchers(kernel);
  const std::string largest = limited_by(bound);
  out += largest.empty() ? "" : field("limited by", largest);
  const std::string advice = advice_table(kernel, style.width);
  return out + (advice.empty() ? "" : "\n" + advice);
}

// The lines and the accesses of memory that the headline comes from.
std::string where_section(const KernelReport& kernel, int64_t makespan, const TextStyle& style) {
  const size_t most = style.explain ? longest_table : short_table;
  const std::string costs = cost_table(kernel.lines, makespan, most, style.width);
  const std::string accesses = access_table(kernel, most, style.width);
  return (costs.empty() ? "" : "\n" + costs) + (accesses.empty() ? "" : "\n" + accesses);
}

std::string string_section(const timing::Analysis& analysis, size_t width) {
  return "\n  string model: cycles of the units alone, without latencies\n    " +
         bracket_text(string_bracket(analysis), "worst case") + "\n" + string_bounds(analysis.bounds, width);
}

// Of all assumptions those that the user has answered for: granted ones, and what was said of this kernel.
std::vector<std::string> answered_for(const KernelReport& kernel) {
  std::vector<std::string> sentences = kernel.stated;
  for (const std::string& name : names_of(kernel.assumed)) {
    sentences.emplace_back(timing::sentence(*timing::assumption_named(name)));
  }
  std::vector<std::string> own = assumptions_of(kernel.analysis.bounds);
  std::erase_if(own, [&sentences](const std::string& sentence) {
    return std::find(sentences.begin(), sentences.end(), sentence) == sentences.end();
  });
  return own;
}

std::string assumption_section(const KernelReport& kernel, const TextStyle& style) {
  const timing::Analysis& analysis = kernel.analysis;
  const auto& unmeasured = analysis.assumed_figures;
  if (style.explain) {
    std::string out = "\n  assumptions\n" + assumptions(analysis.bounds, style.width);
    if (unmeasured.empty()) return out;
    return out + "\n" + wrap("  figures that nobody has measured: ", joined(unmeasured), style.width);
  }
  const std::vector<std::string> answered = answered_for(kernel);
  const auto all = static_cast<int64_t>(assumptions_of(analysis.bounds).size());
  std::string text = thousands(all);
  if (!unmeasured.empty()) {
    text += fmt::format(", and figures of {} that nobody has measured",
                        counted(static_cast<int64_t>(unmeasured.size()), "instruction"));
  }
  text += ": in full with --explain";
  if (!answered.empty()) text += "; granted or given:";
  std::string out = "\n" + wrap(fmt::format("  {:<15}", "assumptions"), text, style.width);
  for (const std::string& sentence : answered) out += wrap("    - ", support::printable(sentence), style.width);
  return out;
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
  const bool with_strings = has_string_model(analysis);
  std::string out = title(kernel, style.colour);
  out += wrap(fmt::format("  {:<15}", "machine"), machine_line(kernel.machine), style.width);
  out += wrap(fmt::format("  {:<15}", "launch"), launch_line(kernel), style.width);
  if (kernel.launch.grid || style.explain) {
    out += wrap(fmt::format("  {:<15}", "occupancy"), occupancy_line(kernel, style.explain), style.width);
  }
  if (const solver::Bound* bound = headline_bound(analysis)) {
    out += headline_section(kernel, *bound, style) + where_section(kernel, bound->makespan.value(), style);
    out += beside_section(kernel, style.width);
    if (const std::string listing = style.explain ? listing_table(kernel, style.width) : ""; !listing.empty()) {
      out += "\n" + listing;
    }
  }
  out += "\n" + path_section(analysis, style.explain || with_strings, style.width);
  if (!kernel.loops.empty()) out += "\n" + loop_table(kernel.loops, style.explain ? longest_table : short_table);
  if (style.explain && !analysis.clock_readings.empty()) {
    out += "\n" + clock_reading_lines(analysis.clock_readings, longest_table);
  }
  if (with_strings) out += string_section(analysis, style.width);
  return out + assumption_section(kernel, style);
}

}  // namespace

std::string to_text(const AnalyzeReport& report, const TextStyle& style) {
  std::string out = kernel_table(report, style);
  for (const KernelReport& kernel : report.kernels) out += (out.empty() ? "" : "\n") + kernel_text(kernel, style);
  const bool has_ptx = std::any_of(report.kernels.begin(), report.kernels.end(),
                                   [](const KernelReport& kernel) { return kernel.listing.empty(); });
  return has_ptx && style.offers_assembler ? out + "\n" + assembler_offer(style.width) : out;
}

}  // namespace warpspan::app
