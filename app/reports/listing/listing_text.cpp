// SPDX-License-Identifier: GPL-3.0-or-later
// The listing for people: for each kernel what it is and its bound, its loops, and its code by basic blocks, indented
// as its loops are nested. In front of an instruction stands what it costs, behind it what it waits for, and below it
// what that rests on; a line of the source stands before the first instruction that is of it.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/reports/analyze/line_costs.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/listing/listing_formats.hpp"
#include "app/reports/names.hpp"
#include "app/reports/readable.hpp"
#include "support/digits.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr size_t deepest_indent = 6;
constexpr size_t room_of_instruction = 36;
constexpr double hot = 0.05;  // from this share of the bound on a line is bold

std::string field(const char* name, const std::string& value, size_t width) {
  return wrap(fmt::format("  {:<15}", name), value, width);
}

size_t depth_of(const ListedKernel& kernel, std::optional<size_t> loop) {
  size_t depth = 0;
  while (loop) {
    ++depth;
    const ir::LoopId parent = kernel.loops[*loop].parent;
    loop = parent == ir::no_loop ? std::nullopt : std::optional<size_t>(parent);
  }
  return depth;
}

std::string times(int64_t executions) { return executions == 1 ? "once" : thousands(executions) + " times"; }

std::string head(const ListedKernel& kernel, const TextStyle& style) {
  const std::string shown = support::short_name(kernel.name);
  std::string out = bold("kernel " + support::printable(shown), style.colour) + " (" + support::printable(kernel.file) +
                    "), " + (kernel.is_machine_code ? "machine code" : "PTX") + " for " +
                    support::printable(kernel.target) + "\n";
  if (shown != kernel.name) out += field("symbol", support::printable(kernel.name), style.width);
  if (!kernel.machine.empty()) {
    out += field("machine",
                 fmt::format("{}: {}, {}", support::printable(kernel.machine), support::printable(kernel.description),
                             frequency(kernel.clock_khz)),
                 style.width);
  }
  if (kernel.launch.block) {
    const std::string grid = kernel.launch.grid ? ", grid " + extent(*kernel.launch.grid) : ", one block alone";
    out += field("launch", "block " + extent(*kernel.launch.block) + grid, style.width);
  }
  if (kernel.makespan) {
    out += field("bound",
                 fmt::format("<= {} = {}; one warp alone {}; rests on {}, which analyze --explain has in full",
                             counted(*kernel.makespan, "cycle"), duration(*kernel.makespan, kernel.clock_khz),
                             counted(kernel.worst.value_or(0), "cycle"),
                             counted(static_cast<int64_t>(kernel.assumptions.size()), "assumption")),
                 style.width);
  }
  for (const support::Diagnostic& reason : kernel.reasons) {
    std::string text = support::printable(reason.message);
    if (reason.location.line > 0) text += fmt::format(" (line {})", reason.location.line);
    if (!reason.help.empty()) text += "; " + support::printable(reason.help);
    out += field("not bounded", text, style.width);
  }
  if (!kernel.worst_path.empty()) out += field("worst path", support::printable(kernel.worst_path), style.width);
  return out;
}

std::string loops(const ListedKernel& kernel) {
  if (kernel.loops.empty()) return {};
  std::vector<Row> rows = {{"loop", "trip count", "found by", "where"}};
  for (size_t i = 0; i < kernel.loops.size(); ++i) {
    const ir::Loop& loop = kernel.loops[i];
    const std::string name = loop.label.empty() ? "line " + std::to_string(loop.line) : support::printable(loop.label);
    std::string found(loop.trip_count ? to_string(loop.source) : "nothing");
    if (loop.given) found += fmt::format(" ({} gives {})", ir::to_string(loop.given_by), thousands(*loop.given));
    rows.push_back({std::string(2 * (depth_of(kernel, i) - 1), ' ') + name + support::printable(ir::calls_text(loop)),
                    loop.trip_count ? thousands(*loop.trip_count) : "unknown", found,
                    support::printable(ir::source_place(loop))});
  }
  return "\n" + table({Align::left, Align::right, Align::left, Align::left}, rows, 4);
}

// The columns before an instruction.
class Columns {
 public:
  Columns(const ListedKernel& kernel, bool colour) : kernel_(kernel), colour_(colour) {
    for (size_t column = 0; column < heads.size(); ++column) {
      const bool is_of_costs = column < place;
      if (is_of_costs && !kernel.makespan) continue;
      size_t& width = widths_[column];
      for (const CodeLine& line : kernel.lines) width = std::max(width, cell(line, column).size());
      if (width > 0) width = std::max(width, head(column).size());
    }
  }

  std::string heading() const {
    return row([this](size_t column) { return head(column); }) + "instruction\n";
  }
  std::string of(const CodeLine& line) const {
    const std::string text = row([&](size_t column) { return cell(line, column); });
    return share_of(line) >= hot ? bold(text, colour_) : text;
  }
  size_t width() const { return heading().size() - std::string_view("instruction\n").size(); }

 private:
  static constexpr std::array<std::string_view, 6> heads = {"share", "runs", "issue", "latency", "offset", "PTX"};
  static constexpr size_t place = 4;

  template <typename Cell>
  std::string row(const Cell& text_of) const {
    std::string text = "  ";
    for (size_t column = 0; column < heads.size(); ++column) {
      if (widths_[column] > 0) text += fmt::format("{:>{}}  ", text_of(column), widths_[column]);
    }
    return text;
  }
  std::string head(size_t column) const {
    return std::string(column == place && !kernel_.is_machine_code ? "line" : heads[column]);
  }
  double share_of(const CodeLine& line) const {
    if (!kernel_.makespan) return 0;
    return static_cast<double>(line.cycles()) / static_cast<double>(std::max<int64_t>(*kernel_.makespan, 1));
  }
  std::string cell(const CodeLine& line, size_t column) const {
    const auto or_blank = [](const std::optional<int64_t>& value) { return value ? thousands(*value) : ""; };
    switch (column) {
      case 0: return line.cycles() == 0 ? "" : fmt::format("{:.1f} %", 100 * share_of(line));
      case 1: return thousands(line.executions);
      case 2: return or_blank(line.issue);
      case 3: return or_blank(line.latency);
      case place: return line.offset ? support::hexadecimal(*line.offset, 4) : std::to_string(line.line);
      default: return line.ptx_line > 0 ? std::to_string(line.ptx_line) : "";
    }
  }

  const ListedKernel& kernel_;
  bool colour_;
  std::array<size_t, heads.size()> widths_{};  // 0: it is left out
};

std::string source_of(const CodeLine& line) {
  if (line.source_line == 0) return {};
  return support::printable(line.source_file.substr(line.source_file.find_last_of('/') + 1)) + ":" +
         std::to_string(line.source_line);
}

// What stands behind an instruction, and what stands below it.
struct Remarks {
  std::string behind;
  std::vector<std::string> below;
};

Remarks remarks_of(const CodeLine& line) {
  Remarks remarks{line.waits, {}};
  for (const std::string& what : line.rests_on) {
    if (what == unmeasured) {
      remarks.behind += remarks.behind.empty() ? "unmeasured" : ", unmeasured";
    } else {
      remarks.below.push_back(what);
    }
  }
  return remarks;
}

std::string block_head(const ListedKernel& kernel, const CodeBlock& block, const TextStyle& style) {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (kernel.makespan) add(block.executions == 0 ? "not on the worst path" : times(block.executions));
  if (block.loop) {
    const ir::Loop& loop = kernel.loops[*block.loop];
    add("in loop " + support::printable(loop.label));
  }
  if (block.divergent) add("lanes may diverge");
  std::string next = joined(block.next, " or ");
  if (block.may_end) next += next.empty() ? "the end" : " or the end";
  add("then " + support::printable(next));
  return "\n" + wrap("  " + bold(support::printable(block.label) + ":", style.colour) + "  ", text, style.width);
}

// Whether it is one of several that fill the section up, and not the first.
bool is_filler(const ListedKernel& kernel, size_t line) {
  return line > 0 && kernel.lines[line].text == "NOP" && kernel.lines[line - 1].text == "NOP" &&
         kernel.lines[line].offset != 0;
}

std::string code(const ListedKernel& kernel, const TextStyle& style) {
  const Columns columns(kernel, style.colour);
  std::string out = "\n" + columns.heading();
  auto block = kernel.blocks.begin();
  std::string source;
  size_t indent = columns.width();
  for (size_t i = 0; i < kernel.lines.size(); ++i) {
    const CodeLine& line = kernel.lines[i];
    if (block != kernel.blocks.end() && block->first == i) {
      out += block_head(kernel, *block, style);
      indent = columns.width() + 2 * std::min(depth_of(kernel, block->loop), deepest_indent);
      ++block;
    }
    if (const std::string own = source_of(line); own != source && !own.empty()) {
      source = own;
      const std::string text = support::ascii(single_blanks(line.source_text));
      const std::string place = std::string(indent, ' ') + own;
      out += text.empty() ? place + "\n" : one_line(place + "  ", text, style.width);
    }
    const std::string text = support::ascii(single_blanks(line.text));
    if (is_filler(kernel, i)) {
      if (!is_filler(kernel, i - 1)) out += std::string(indent, ' ') + "...\n";
      continue;
    }
    const auto [remark, below] = remarks_of(line);
    out += columns.of(line) + std::string(indent - columns.width(), ' ') + text;
    if (!remark.empty()) {
      const size_t behind = indent + text.size() + 2;
      const size_t last = style.width > remark.size() + 2 ? style.width - remark.size() - 2 : 0;
      const bool fits = behind <= last;
      const size_t place = std::min(std::max(behind, indent + room_of_instruction), last);
      out += fits ? std::string(place - indent - text.size(), ' ') : "\n" + std::string(indent + 4, ' ');
      out += "; " + remark;
    }
    out += "\n";
    if (!below.empty()) {
      out += wrap(std::string(indent + 2, ' ') + "^ ", support::printable(joined(below, "; ")), style.width);
    }
  }
  return out;
}

constexpr const char* legend =
    "share: of the bound; runs: of one warp on the worst path; issue: cycles before the warp may issue the next "
    "instruction; latency: cycles until the result is there, at most, where nothing is assumed of addresses and "
    "caches; "
    "wait, write, read: scoreboards that it waits for, and that it sets until its result is written and its operands "
    "are read; unmeasured: its figures are assumed";

}  // namespace

std::string to_text(const ListingReport& report, const TextStyle& style) {
  std::string out;
  bool any_costs = false;
  for (const ListedKernel& kernel : report.kernels) {
    out += (out.empty() ? "" : "\n") + head(kernel, style) + loops(kernel) + code(kernel, style);
    any_costs = any_costs || kernel.makespan.has_value();
  }
  return any_costs ? out + "\n" + wrap("  ", legend, style.width) : out;
}

}  // namespace warpspan::app
