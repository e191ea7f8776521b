// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "app/reports/analyze/advice_section.hpp"
#include "app/reports/analyze/brief.hpp"
#include "app/reports/analyze/cost_sections.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/readable.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

namespace fs = std::filesystem;

constexpr size_t most_lines = 3;
constexpr size_t widest_name = 40;  // characters of a row of several kernels
constexpr size_t indent = 12;       // of what stands behind "  expected  "

std::string labelled(std::string_view label, std::string_view text, size_t width) {
  return wrap(fmt::format("  {:<{}}", label, indent - 2), text, width);
}

std::string name_of(const KernelReport& kernel) { return support::printable(support::brief_name(kernel.name)); }

// "machine code of saxpy.o" of "<machine code of saxpy.o>".
std::string plain_file(const std::string& file) {
  return file_within(file) == file ? file : file.substr(1, file.size() - 2);
}

// "hopper (H100 SXM, 1755 MHz)".
std::string machine_words(const MachineSummary& machine) {
  constexpr std::string_view mark = ", board ";
  const size_t at = machine.description.find(mark);
  std::string board;
  if (at != std::string::npos) {
    board = machine.description.substr(at + mark.size());
    board = support::printable(board.substr(0, board.find(','))) + ", ";
  }
  return support::printable(machine.name) + " (" + board + frequency(machine.clock_khz) + ")";
}

std::string block_words(const KernelReport& kernel) { return "block " + extent(*kernel.launch.block); }

std::string grid_words(const KernelReport& kernel) {
  return kernel.launch.grid ? "grid " + extent(*kernel.launch.grid) : "one block";
}

std::string title(const KernelReport& kernel, const TextStyle& style) {
  const std::string head = "kernel " + name_of(kernel);
  const std::string text = wrap("  ",
                                fmt::format("{} ({}), {}, {}, on {}", head, support::printable(plain_file(kernel.file)),
                                            block_words(kernel), grid_words(kernel), machine_words(kernel.machine)),
                                style.width)
                               .substr(2);  // further lines are indented
  return text.starts_with(head) ? bold(head, style.colour) + text.substr(head.size()) : text;
}

// "43 % fetching code", "82 % memory": the largest part of the bound.
std::string largest_part(const solver::Bound& bound) {
  constexpr std::string_view waiting = "waiting for ";
  std::string name = limited_by(bound);
  if (name.empty()) return {};
  if (name.starts_with(waiting)) name.erase(0, waiting.size());
  int64_t most = 0;
  for (const solver::Part& part : bound.parts) most = std::max(most, part.cycles);
  return share(most, *bound.makespan) + " " + name;
}

// How long it probably takes, how good that is, and of machine code, why it was not simulated.
std::string expected_line(const KernelReport& kernel, size_t width) {
  if (!kernel.expected) return {};
  const ExpectedTime& expected = *kernel.expected;
  std::string text = rough_duration(expected.cycles, kernel.machine.clock_khz) + ", " + caution(expected);
  if (is_machine_code(kernel) && !expected.not_simulated.empty()) text += "; not simulated: " + expected.not_simulated;
  return labelled("expected", support::printable(text), width);
}

std::string bound_lines(const KernelReport& kernel, const solver::Bound& bound, const TextStyle& style) {
  const int64_t clock = kernel.machine.clock_khz;
  const std::vector<Headline> all = headlines(kernel);
  size_t widest = 0;
  for (const Headline& one : all) widest = std::max(widest, counted(one.cycles, "cycle").size());
  std::vector<Row> rows;
  std::string deciding;  // as the table has it
  for (const Headline& one : all) {
    const std::string part = one.decides ? largest_part(bound) : "";
    rows.push_back({"at most ", duration(one.cycles, clock),
                    fmt::format("= {:>{}}", counted(one.cycles, "cycle"), widest),
                    one.when + (one.when.empty() || part.empty() ? "" : "; ") + part});
    if (one.decides) deciding = rows.back()[1];
  }
  std::string out = table({Align::left, Align::right, Align::left, Align::left}, rows, 2, style.width);
  if (const size_t at = out.find(deciding); style.colour && !deciding.empty()) {
    out.replace(at, deciding.size(), bold(deciding, true));
  }
  return out;
}

// The string model, where it was asked for.
std::string string_line(const KernelReport& kernel, size_t width) {
  const Bracket bracket = string_bracket(kernel.analysis);
  if (!bracket.upper) return {};
  return labelled("strings", bracket_text(bracket, "worst case") + " of the units alone, without latencies", width);
}

// How much is assumed, what of it counts most, and where it all stands.
std::string assumed_lines(const KernelReport& kernel, size_t width) {
  const timing::Analysis& analysis = kernel.analysis;
  std::string text = counted(static_cast<int64_t>(assumed_of(kernel).count), "assumption");
  if (const auto unmeasured = static_cast<int64_t>(analysis.assumed_figures.size()); unmeasured > 0)
    text += ", " + counted(unmeasured, "instruction") + " unmeasured";
  if (analysis.any_dispatcher)
    text += "; blocks dealt round-robin, else " + duration(*analysis.any_dispatcher, kernel.machine.clock_khz);
  text += "; all with --explain";
  const solver::Bound* bound = headline_bound(analysis);
  const auto& ladder = analysis.ladder;
  if (bound != nullptr && !ladder.empty() && ladder.back().makespan && *ladder.back().makespan < *bound->makespan) {
    text += fmt::format(", and --assume for up to {} less", times_less(*bound->makespan, *ladder.back().makespan));
  }
  return labelled("assumed", text, width);
}

// --- The table of several kernels.

// A line of it: a kernel, or what has no bound.
struct TableRow {
  const KernelReport* kernel = nullptr;
  const FailedKernel* failed = nullptr;

  const std::string& file() const { return kernel != nullptr ? kernel->file : failed->file; }
};

struct Column {
  const char* heading;
  Align align;
  std::function<std::string(const TableRow&)> cell;
  bool common = false;                                        // where all have the same, that stands above the table
  std::function<bool(const KernelReport&)> is_for = nullptr;  // it is there for one of them; null: always
  bool is_there = true;
};

std::string file_name(const std::string& path) {
  return support::printable(fs::path(file_within(path)).filename().string());
}

// "search.ptx:48, see below": where the first error of the kernel is.
std::string place_of_error(const FailedKernel& failed) {
  if (failed.errors.empty()) return "see below";
  const support::Location& location = failed.errors.front().location;
  const std::string file = file_name(location.file.empty() ? failed.file : location.file);
  return file + (location.line > 0 ? ":" + std::to_string(location.line) : "") + ", see below";
}

// The cell of a kernel that has a bound; "-" of the others.
std::function<std::string(const TableRow&)> bounded(std::function<std::string(const KernelReport&)> cell) {
  return [cell = std::move(cell)](const TableRow& row) { return row.kernel == nullptr ? "-" : cell(*row.kernel); };
}

std::string time_of(std::optional<int64_t> cycles, const KernelReport& kernel) {
  return cycles ? duration(*cycles, kernel.machine.clock_khz) : "-";
}

std::vector<Column> all_columns(bool some_failed) {
  const auto name = [](const TableRow& row) {
    if (row.kernel != nullptr) return shorten(name_of(*row.kernel), widest_name);
    const std::string& symbol = row.failed->name;
    return shorten(symbol.empty() ? "-" : support::printable(support::brief_name(symbol)), widest_name);
  };
  const auto launch = [](const KernelReport& kernel) { return block_words(kernel) + ", " + grid_words(kernel); };
  const auto expected = [](const KernelReport& kernel) {
    return kernel.expected ? rough_duration(kernel.expected->cycles, kernel.machine.clock_khz) : std::string("-");
  };
  std::vector<Column> columns = {
      {"kernel", Align::left, name},
      {"file", Align::left, [](const TableRow& row) { return support::printable(file_within(row.file())); }, true},
      {"launch", Align::left, bounded(launch), true},
      {"machine", Align::left, bounded([](const KernelReport& kernel) { return machine_words(kernel.machine); }), true},
      {"bound", Align::right,
       bounded([](const KernelReport& kernel) { return time_of(headline_bound(kernel.analysis)->makespan, kernel); })},
      {"whatever the GPU does", Align::right,
       bounded([](const KernelReport& kernel) { return time_of(bound_with_nothing(kernel.analysis), kernel); }), false,
       [](const KernelReport& kernel) {
         return headline_bound(kernel.analysis)->makespan != bound_with_nothing(kernel.analysis);
       }},
      {"usual", Align::right,
       bounded([](const KernelReport& kernel) { return time_of(kernel.analysis.usual, kernel); }), false,
       [](const KernelReport& kernel) { return kernel.analysis.usual.has_value(); }},
      {"expected", Align::right, bounded(expected), false,
       [](const KernelReport& kernel) { return kernel.expected.has_value(); }}};
  if (some_failed) {
    columns.push_back(
        {"verdict", Align::left, [](const TableRow& row) { return row.kernel != nullptr ? "bounded" : "no bound"; }});
  }
  columns.push_back({"mostly", Align::left, [](const TableRow& row) {
                       return row.kernel != nullptr ? largest_part(*headline_bound(row.kernel->analysis))
                                                    : place_of_error(*row.failed);
                     }});
  return columns;
}

// The cells of a column that all have, but "-"; nothing if they differ.
std::optional<std::string> common_cell(const std::vector<Row>& rows, size_t column) {
  std::string common;
  for (const Row& row : rows) {
    const std::string& cell = row[column];
    if (cell == "-") continue;
    if (!common.empty() && common != cell) return std::nullopt;
    common = cell;
  }
  return common;
}

// What all kernels have in common, which then is no column: "2 kernels of saxpy.ptx, block 256, grid 4, on fermi".
std::string common_words(std::vector<Column>& columns, const std::vector<Row>& rows) {
  std::string text;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].common) continue;
    const auto common = common_cell(rows, i);
    if (!common) continue;
    const std::string_view heading = columns[i].heading;
    text += (heading == "file" ? " of " : heading == "machine" ? ", on " : ", ") + *common;
    columns[i].is_there = false;
  }
  return text;
}

// Those of the columns that are there.
Row shown(const std::vector<Column>& columns, Row cells) {
  Row row;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].is_there) row.push_back(std::move(cells[i]));
  }
  return row;
}

}  // namespace

std::string kernel_summary(const KernelReport& kernel, const TextStyle& style) {
  std::string out = title(kernel, style);
  if (!kernel.elsewhere.empty()) out += labelled("beware", support::printable(kernel.elsewhere), style.width);
  if (const solver::Bound* bound = headline_bound(kernel.analysis)) {
    out += bound_lines(kernel, *bound, style) + expected_line(kernel, style.width);
    std::string costs = costliest_lines(kernel, *bound->makespan, most_lines, indent, style.width);
    if (!costs.empty()) out += costs.replace(2, 5, "costs");
    out += first_advice(kernel, indent, style.width);
  }
  return out + string_line(kernel, style.width) + assumed_lines(kernel, style.width);
}

// Each kernel is looked at once: it need not be in memory else.
std::string kernel_table(const AnalyzeReport& report, const TextStyle& style) {
  if (report.kernels.size() < 2) return {};
  std::vector<Column> columns = all_columns(!report.failed.empty());
  for (Column& column : columns) column.is_there = !column.is_for;
  std::vector<Row> rows;
  const auto add = [&](const TableRow& row) {
    Row& cells = rows.emplace_back();
    for (const Column& column : columns) cells.push_back(column.cell(row));
  };
  std::vector<std::string> cautions;  // each once
  for (const KernelReport& kernel : report.kernels) {
    if (headline_bound(kernel.analysis) == nullptr) return {};
    add({&kernel, nullptr});
    for (Column& column : columns) column.is_there = column.is_there || column.is_for(kernel);
    const std::string& caution = kernel.elsewhere;
    if (!caution.empty() && std::find(cautions.begin(), cautions.end(), caution) == cautions.end())
      cautions.push_back(caution);
  }
  for (const FailedKernel& failed : report.failed) add({nullptr, &failed});
  const auto unnamed = std::count_if(report.failed.begin(), report.failed.end(),
                                     [](const FailedKernel& failed) { return failed.name.empty(); });
  const std::string head = counted(std::ssize(rows) - unnamed, "kernel") + common_words(columns, rows);
  std::vector<Align> alignments;
  Row headings;
  for (const Column& column : columns) {
    headings.emplace_back(column.heading);
    if (column.is_there) alignments.push_back(column.align);
  }
  for (Row& row : rows) row = shown(columns, std::move(row));
  rows.insert(rows.begin(), shown(columns, std::move(headings)));
  std::string out = wrap("", head, style.width);
  for (const std::string& caution : cautions) out += labelled("beware", support::printable(caution), style.width);
  out += table(alignments, rows, 2, style.width);
  return style.explain ? out : out + wrap("  ", "--kernel NAME shows one of them, --explain all of each", style.width);
}

}  // namespace warpspan::app
