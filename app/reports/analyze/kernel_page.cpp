// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/kernel_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/reports/analyze/access_section.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/html/charts.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/names.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/residency_words.hpp"
#include "app/reports/xml.hpp"
#include "support/checked.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

namespace {

using support::Int128;

constexpr size_t most_lines = 20, most_accesses = 200, most_loops = 500;  // rows of tables

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string time_of(const KernelReport& kernel, int64_t cycles) { return duration(cycles, kernel.machine.clock_khz); }

// For scales only.
int64_t length_of(const KernelReport& kernel, int64_t cycles) {
  return picoseconds(cycles, kernel.machine.clock_khz).value_or(INT64_MAX);
}

std::string share(int64_t cycles, int64_t makespan) {
  if (makespan == 0) return "-";
  return percent(static_cast<int64_t>((Int128{cycles} * 2000 + makespan) / (Int128{makespan} * 2)));
}

// "1.3x": how many times less.
std::string gain(std::optional<int64_t> before, int64_t cycles) {
  if (!before || cycles == 0 || Int128{*before} * 200 < Int128{cycles} * 201) return {};
  const double times = static_cast<double>(*before) / static_cast<double>(cycles);
  return times < 9.95 ? fmt::format("{:.{}f}x", times, times < 1.1 ? 2 : 1) : fmt::format("{:.0f}x", times);
}

// --- The launch and its headlines.

std::string launch_list(const KernelReport& kernel) {
  const timing::Load& load = kernel.analysis.load;
  std::vector<std::pair<std::string, std::string>> entries = {
      {"file", html_text(kernel.file)},
      {"machine", html_text(kernel.machine.name + ": " + kernel.machine.description + ", " +
                            frequency(kernel.machine.clock_khz))}};
  std::string launch =
      fmt::format("block {} ({})", extent(*kernel.launch.block), counted(load.warps_per_block, "warp"));
  launch += kernel.launch.grid
                ? fmt::format(", grid {}: {}", extent(*kernel.launch.grid), counted(load.device_blocks, "block"))
                : std::string(", one block alone on the device");
  entries.emplace_back("launch", launch);
  entries.emplace_back("occupancy",
                       html_text(residency_text(load.residency, load.warps_per_block, kernel.machine.max_warps) + "; " +
                                 registers_text(load.needs)));
  return description_list(entries);
}

std::string figure(const char* kind, const std::string& what, const std::string& value, const std::string& detail) {
  return fmt::format(
      "<div class=\"figure{}\"><span class=\"soft\">{}</span><b>{}</b><span class=\"cycles\">{}</span></div>\n", kind,
      html_text(what), html_text(value), html_text(detail));
}

std::string figures(const KernelReport& kernel) {
  std::string out = "<div class=\"figures\">\n";
  for (const Headline& one : headlines(kernel)) {
    const std::string when = one.when.empty() ? "" : " " + one.when;
    out += figure(one.decides ? " decides" : "", "at most" + when, time_of(kernel, one.cycles),
                  counted(one.cycles, "cycle") + (one.decides ? ", decides" : ""));
  }
  if (kernel.expected) {
    out += figure("", "expected", rough_duration(kernel.expected->cycles, kernel.machine.clock_khz),
                  caution(*kernel.expected));
  }
  return out + "</div>\n";
}

std::string ladder_section(const KernelReport& kernel) {
  const std::vector<timing::Rung>& ladder = kernel.analysis.ladder;
  std::vector<Step> steps;
  const auto here = headline_rung(kernel.analysis);
  std::optional<int64_t> before;
  for (size_t i = 0; i < ladder.size(); ++i) {
    const timing::Rung& rung = ladder[i];
    if (!rung.makespan) continue;
    Step step;
    step.label = rung.assumption ? "+ " + std::string(timing::name_of(*rung.assumption)) : "nothing";
    step.time = time_of(kernel, *rung.makespan);
    step.gain = gain(before, *rung.makespan);
    step.what = rung.what;
    step.kind = i == here ? "here" : "";
    step.picoseconds = length_of(kernel, *rung.makespan);
    steps.push_back(std::move(step));
    before = rung.makespan;
  }
  if (steps.empty()) return {};
  const solver::Bound* bound = headline_bound(kernel.analysis);
  if (!here && bound != nullptr) {
    steps.push_back({"granted", time_of(kernel, *bound->makespan), "", "what decides, with other assumptions", "here",
                     length_of(kernel, *bound->makespan)});
  }
  if (kernel.expected) {
    Step step{"expected", rough_duration(kernel.expected->cycles, kernel.machine.clock_khz),
              "",         "an estimate, not safe",
              "guess",    length_of(kernel, kernel.expected->cycles)};
    steps.push_back(std::move(step));
  }
  const std::vector<std::string>& usual = kernel.machine.usual;
  const std::string remark = "Each with those above it; the last takes --assume " +
                             joined(names_up_to(ladder, ladder.size() - 1), ",") + ". Usual on " + kernel.machine.name +
                             (usual.empty() ? ": nothing, as no run of it backs any." : ": " + joined(usual) + ".");
  return folded("What assumptions gain", time_steps(steps) + "<p class=\"remark\">" + html_text(remark) + "</p>\n");
}

// --- What the bound is made of.

std::string part_detail(const solver::Part& part) {
  using Kind = solver::Part::Kind;
  const std::string each = thousands(part.demand) + " cycles each";
  switch (part.kind) {
    case Kind::path:
    case Kind::start: return part.workers == 1 ? std::string() : each;
    case Kind::dispatch: return counted(part.workers, "other block") + ", " + each;
    case Kind::resource:
      return fmt::format("{}, {}, {}", counted(part.workers, "other warp"), each, counted(part.servers, "server"));
    case Kind::blocks: return counted(part.workers, "block") + ", " + each;
    default: return {};
  }
}

std::string part_section(const KernelReport& kernel, const solver::Bound& bound) {
  if (bound.parts.empty()) return {};
  const int64_t makespan = bound.makespan.value();
  std::vector<size_t> order(bound.parts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return bound.parts[a].cycles > bound.parts[b].cycles; });
  std::vector<BarPart> bar;
  std::string rows;
  for (size_t i = 0; i < order.size(); ++i) {
    const solver::Part& part = bound.parts[order[i]];
    if (part.cycles == 0) continue;
    const std::string colour = i < 9 ? colour_number(i) : "rest";
    bar.push_back({colour, part_name(part) + ": " + share(part.cycles, makespan), part.cycles});
    rows += "<tr><th scope=\"row\">" + colour_key(colour) + html_text(part_name(part)) + "</th>" +
            number_cell(share(part.cycles, makespan), part.cycles) + number_cell(thousands(part.cycles), part.cycles) +
            html_cell(html_text(part_detail(part)), "words") + "</tr>\n";
  }
  std::string out =
      stacked_bar("what the bound is made of", bar, std::max<int64_t>(makespan, 1), std::max<int64_t>(makespan, 1)) +
      html_table("", table_head({{"", "part"}, {"number", "of all"}, {"number", "cycles"}, {"", ""}}), rows);
  if (kernel.analysis.any_dispatcher) {
    out += "<p class=\"remark\">" +
           html_text(fmt::format("At most {} = {} where blocks are not dealt round-robin.",
                                 time_of(kernel, *kernel.analysis.any_dispatcher),
                                 counted(*kernel.analysis.any_dispatcher, "cycle"))) +
           "</p>\n";
  }
  return folded("What the bound is made of", out);
}

std::string advice_section(const KernelReport& kernel, const solver::Bound& bound) {
  std::string rows;
  for (const PlacedAdvice& one : kernel.advice) {
    const bool known = one.source_line > 0;
    const std::string place = one.line == 0 ? "launch"
                                            : file_name(known ? one.source_file : kernel.file) + ":" +
                                                  std::to_string(known ? one.source_line : one.line);
    const auto cell = [&](const std::optional<int64_t>& cycles, const std::optional<int64_t>& before) {
      return cycles
                 ? number_cell(time_of(kernel, *cycles) + (before ? " (" + share(*cycles, *before) + ")" : ""), *cycles)
                 : number_cell("-", INT64_MAX);
    };
    rows += "<tr>" + row_head(place) + html_cell(html_text(one.advice.what), "words") +
            cell(one.advice.makespan, bound.makespan) + cell(one.advice.usual, kernel.analysis.usual) + "</tr>\n";
  }
  if (rows.empty()) return rows;
  return folded(
      "Advice",
      html_table("Each change bounded again: what the bound becomes.",
                 table_head({{"", "where"}, {"", "change"}, {"number", "bound"}, {"number", "usual"}}), rows));
}

// The costliest lines, in words: what the code below shows in place.
std::string line_section(const KernelReport& kernel, int64_t makespan) {
  std::string rows;
  for (size_t i = 0; i < std::min(most_lines, kernel.lines.size()); ++i) {
    const LineCost& line = kernel.lines[i];
    rows += "<tr>" + number_cell(share(line.cycles(), makespan), line.cycles()) +
            number_cell(thousands(line.cycles()), line.cycles()) +
            number_cell(thousands(line.executions), line.executions) +
            html_cell(html_text(line.own >= line.others ? "own wait" : resource_name(line.resource))) +
            html_cell(html_text(file_name(line.file) + ":" + std::to_string(line.line))) +
            html_cell("<code>" + html_text(single_blanks(line.text)) + "</code>", "words") + "</tr>\n";
  }
  if (rows.empty()) return rows;
  const std::string caption = kernel.lines.size() > most_lines ? fmt::format("The costliest {} of {}.", most_lines,
                                                                             counted(std::ssize(kernel.lines), "line"))
                                                               : std::string();
  return folded("Lines that cost most", html_table(caption,
                                                   table_head({{"number", "of all"},
                                                               {"number", "cycles"},
                                                               {"number", "executions"},
                                                               {"", "mostly"},
                                                               {"", "line"},
                                                               {"", ""}}),
                                                   rows));
}

// --- Loops and accesses.

std::string who_bounded(const ir::Loop& loop) {
  std::string text(to_string(loop.source));
  if (loop.given) {
    const std::string giver = to_string(loop.given_by);
    text += fmt::format(" ({}{} states {})", loop.trip_count == loop.given ? "" : "smaller than ",
                        giver.empty() ? "the user" : giver, thousands(*loop.given));
  }
  return loop.obstacle.empty() ? text : text + "; " + loop.obstacle;
}

std::string loop_section(const KernelReport& kernel) {
  std::string rows;
  for (size_t i = 0; i < std::min(most_loops, kernel.loops.size()); ++i) {
    const ir::Loop& loop = kernel.loops[i];
    const std::string place = loop.source_line > 0 ? ir::source_place(loop) : std::string("-");
    rows += "<tr>" + row_head((loop.label.empty() ? "-" : loop.label) + ir::calls_text(loop)) +
            html_cell(html_text(place)) + number_cell(std::to_string(loop.line), loop.line) +
            (loop.trip_count ? number_cell(thousands(*loop.trip_count), *loop.trip_count) : number_cell("-", -1)) +
            html_cell(html_text(who_bounded(loop)), "words") + "</tr>\n";
  }
  if (rows.empty()) return rows;
  const std::string caption = kernel.loops.size() > most_loops
                                  ? fmt::format("The first {} of {}.", most_loops, thousands(std::ssize(kernel.loops)))
                                  : "How often each runs at most, each time it is entered, and who says so.";
  return folded(
      "Loops",
      html_table(
          caption,
          table_head({{"", "loop"}, {"", "source"}, {"number", "line"}, {"number", "trip count"}, {"", "bounded by"}}),
          rows));
}

std::string access_section(const KernelReport& kernel) {
  std::string rows;
  size_t count = 0;
  for (const MemoryAccess& access : kernel.accesses) {
    if (++count > most_accesses) break;
    const bool known = access.source_line > 0;
    const std::string place = file_name(known ? access.source_file : kernel.file) + ":" +
                              std::to_string(known ? access.source_line : access.line);
    rows += "<tr>" + row_head(place) + html_cell("<code>" + html_text(access.instruction) + "</code>") +
            html_cell(html_text(access.object.empty() ? "-" : access.object)) +
            html_cell(html_text(touched(access, kernel)), "words") +
            number_cell(thousands(access.cycles), access.cycles) + "</tr>\n";
  }
  if (rows.empty()) return rows;
  const std::string caption = kernel.accesses.size() > most_accesses
                                  ? fmt::format("The first {} of {}; the JSON report has all.", most_accesses,
                                                thousands(std::ssize(kernel.accesses)))
                                  : std::string();
  return folded(
      "Global memory",
      html_table(caption,
                 table_head({{"", "line"}, {"", "instruction"}, {"", "object"}, {"", "touches"}, {"number", "cycles"}}),
                 rows));
}

// --- Assumptions.

// "A-07" of "A-07: What ..."; empty if it has none.
std::string identifier_in(const std::string& sentence) {
  const size_t colon = sentence.find(": ");
  return sentence.starts_with("A-") && colon != std::string::npos ? sentence.substr(0, colon) : std::string();
}

std::string assumption_section(const KernelReport& kernel) {
  const std::vector<std::string> sentences = assumptions_of(kernel.analysis.bounds);
  std::string out = assumption_table(sentences, kernel.machine);
  if (!kernel.analysis.assumed_figures.empty()) {
    out += "<p>Figures that nobody has measured: <code>" + html_text(joined(kernel.analysis.assumed_figures)) +
           "</code></p>\n";
  }
  return folded(fmt::format("Assumptions <span class=\"soft\">({})</span>", sentences.size()), out);
}

}  // namespace

std::string assumption_table(const std::vector<std::string>& sentences, const MachineSummary& machine) {
  std::string rows;
  for (const std::string& sentence : sentences) {
    const std::string identifier = identifier_in(sentence);
    const std::string text = identifier.empty() ? sentence : sentence.substr(identifier.size() + 2);
    std::string evidence;
    for (const std::string_view name : timing::assumption_names()) {
      const timing::Assumption assumption = *timing::assumption_named(name);
      if (identifier.empty() || timing::identifier_of(assumption) != identifier) continue;
      const timing::Explanation& explained = timing::explanation(assumption);
      const auto backed = std::find(machine.usual.begin(), machine.usual.end(), name);
      const auto place = static_cast<size_t>(backed - machine.usual.begin());
      if (backed == machine.usual.end()) {
        evidence = "<p class=\"soft\">No run of " + html_text(machine.name) + " backs it.</p>";
      } else if (place < machine.evidence.size()) {
        evidence = "<p class=\"soft\">Usual on " + html_text(machine.name) + ": " + html_text(machine.evidence[place]) +
                   "</p>";
      }
      evidence += "<p class=\"soft\">" + html_text(explained.finding_out) + "</p>";
    }
    rows += "<tr class=\"assumption\">" + html_cell(identifier.empty() ? "" : html_text(identifier)) +
            html_cell("<p>" + html_text(text) + "</p>" + evidence, "words") + "</tr>\n";
  }
  if (rows.empty()) return rows;
  return html_table("", table_head({{"", ""}, {"", "what is assumed, and what backs it"}}), rows);
}

std::string code_left_out() {
  return "<p class=\"remark\">The code is left out, as the page would grow too large: report this kernel alone, with "
         "--kernel.</p>\n";
}

std::string kernel_sections(const KernelReport& kernel, const std::string& prefix, bool with_code) {
  std::string out = launch_list(kernel);
  const solver::Bound* bound = headline_bound(kernel.analysis);
  if (bound != nullptr) {
    out += figures(kernel) + ladder_section(kernel) + part_section(kernel, *bound) + advice_section(kernel, *bound);
    out += line_section(kernel, *bound->makespan);
    if (with_code) out += code_section(kernel, prefix) + flow_section(kernel, prefix);
  } else {
    const Bracket bracket = string_bracket(kernel.analysis);
    out += verdict_line("", html_text(bracket_text(bracket, "worst case of the string model")));
  }
  return out + loop_section(kernel) + access_section(kernel) + assumption_section(kernel);
}

}  // namespace warpspan::app
