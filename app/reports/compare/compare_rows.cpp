// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/compare/compare_rows.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/names.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using Value = std::optional<int64_t>;
using Values = std::vector<Value>;  // by side

constexpr const char* expected_row = "expected, cycles (an estimate)";
constexpr const char* nothing = "-";
constexpr const char* unknown = "not known";

std::string cell(const Value& value) { return value ? thousands(*value) : unknown; }

std::string with_sign(int64_t change) { return (change > 0 ? "+" : "") + thousands(change); }

// Change and percentage, of two sides that both have the value.
void add_change(Row& row, const Values& values) {
  if (values.size() != 2) return;
  if (!values[0] || !values[1]) return;
  row.push_back(*values[0] == *values[1] ? "0" : with_sign(*values[1] - *values[0]));
  row.push_back(percent_change(*values[0], *values[1]));
}

// Whether the bounds of two sides may be set against one another.
bool is_comparable(const ComparedKernel& kernel, size_t side) {
  return kernel.changes[side] && kernel.changes[side]->not_comparable.empty();
}

template <typename Get>
Row value_row(const std::string& name, const ComparedKernel& kernel, const Get& get) {
  Row row{name};
  Values values;
  for (const auto& side : kernel.sides) {
    values.push_back(side ? get(*side) : std::nullopt);
    row.push_back(side ? cell(values.back()) : nothing);
  }
  if (is_comparable(kernel, 1)) add_change(row, values);
  return row;
}

Row percent_row(const ComparedKernel& kernel) {
  Row row{"change of the bound", ""};
  for (size_t i = 1; i < kernel.sides.size(); ++i) {
    row.push_back(is_comparable(kernel, i) ? percent_change(kernel.sides.front()->bound, kernel.sides[i]->bound)
                                           : nothing);
  }
  return row;
}

// Those that the bound is not: what is granted decides.
void add_headlines(std::vector<Row>& rows, const ComparedKernel& kernel) {
  const auto add = [&](const char* name, Value KernelFigures::*bound) {
    const auto tells = [bound](const auto& side) { return side && (*side).*bound && (*side).*bound != side->bound; };
    if (std::none_of(kernel.sides.begin(), kernel.sides.end(), tells)) return;
    rows.push_back(value_row(name, kernel, [bound](const KernelFigures& side) { return side.*bound; }));
  };
  add("with what is usual", &KernelFigures::usual);
  add("whatever the GPU does", &KernelFigures::nothing);
}

// --- Expected times; none where no side has one.

void add_expected(std::vector<Row>& rows, const ComparedKernel& kernel) {
  const auto is_known = [](const auto& side) { return side && side->expected; };
  if (std::none_of(kernel.sides.begin(), kernel.sides.end(), is_known)) return;
  Row row{expected_row};
  for (const auto& side : kernel.sides)
    row.push_back(!side ? nothing : side->expected ? thousands(side->expected->cycles) : unknown);
  const auto cycles = [&kernel](size_t side) { return kernel.sides[side]->expected->cycles; };
  if (kernel.has_expected_change(1)) add_change(row, {cycles(0), cycles(1)});
  rows.push_back(std::move(row));
  if (kernel.sides.size() == 2) return;
  Row change{"change of the expected time", ""};
  for (size_t i = 1; i < kernel.sides.size(); ++i)
    change.push_back(kernel.has_expected_change(i) ? percent_change(cycles(0), cycles(i)) : nothing);
  rows.push_back(std::move(change));
}

// --- Registers, whose number is known if the span has one value.

bool is_one(const std::optional<KernelFigures>& side) {
  return side && side->registers && side->registers->least == side->registers->most;
}

Row register_row(const ComparedKernel& kernel) {
  Row row{"registers"};
  for (const auto& side : kernel.sides)
    row.push_back(!side ? nothing : is_one(side) ? thousands(side->registers->most) : unknown);
  return row;
}

// --- Transactions.

Value transactions_in(const KernelFigures& kernel, ir::MemorySpace space) {
  if (!kernel.transactions) return std::nullopt;
  for (const SpaceTransactions& entry : *kernel.transactions) {
    if (entry.space == space) return entry.count;
  }
  return std::nullopt;
}

void add_transactions(std::vector<Row>& rows, const ComparedKernel& kernel) {
  for (const ir::MemorySpace space : memory_spaces) {
    const auto is_used = [space](const auto& side) { return side && transactions_in(*side, space).value_or(0) > 0; };
    if (std::none_of(kernel.sides.begin(), kernel.sides.end(), is_used)) continue;
    rows.push_back(value_row(std::string(to_string(space)) + " transactions", kernel,
                             [space](const KernelFigures& side) { return transactions_in(side, space); }));
  }
}

// --- Loops.

std::string loop_name(const LoopFigure& loop) {
  const std::string file = std::filesystem::path(loop.source_file).filename().string();
  if (loop.source_line > 0) return "loop " + file + ":" + std::to_string(loop.source_line);
  return loop.label.empty() ? "loop" : "loop " + loop.label;
}

// The loops of all sides, those of the base first, in its order.
struct LoopRow {
  std::string name;
  std::vector<std::optional<LoopFigure>> sides;
};

std::vector<LoopRow> loop_table(const ComparedKernel& kernel) {
  std::vector<LoopRow> table;
  const size_t sides = kernel.sides.size();
  if (!kernel.sides.front()) return table;
  for (const LoopFigure& loop : kernel.sides.front()->loops) {
    table.push_back({loop_name(loop), std::vector<std::optional<LoopFigure>>(sides)});
    table.back().sides.front() = loop;
  }
  for (size_t i = 1; i < sides; ++i) {
    if (!kernel.changes[i]) continue;
    size_t of_base = 0;
    for (const LoopChange& change : kernel.changes[i]->loops) {
      if (change.before) {
        table[of_base++].sides[i] = change.after;
      } else {
        table.push_back({loop_name(*change.after), std::vector<std::optional<LoopFigure>>(sides)});
        table.back().sides[i] = change.after;
      }
    }
  }
  return table;
}

// Whether all sides that have the kernel have the loop, with the same trips.
bool is_same(const LoopRow& loop, const ComparedKernel& kernel) {
  std::set<Value> trips;
  for (size_t i = 0; i < loop.sides.size(); ++i) {
    if (kernel.sides[i] && !loop.sides[i]) return false;
    if (loop.sides[i]) trips.insert(loop.sides[i]->trips);
  }
  return trips.size() == 1;
}

void add_loops(std::vector<Row>& rows, const ComparedKernel& kernel) {
  int64_t same = 0;
  for (const LoopRow& loop : loop_table(kernel)) {
    if (is_same(loop, kernel)) {
      ++same;
      continue;
    }
    Row row{loop.name + ", trips"};
    Values values;
    for (const auto& side : loop.sides) {
      values.push_back(side ? side->trips : std::nullopt);
      row.push_back(side ? cell(values.back()) : nothing);
    }
    add_change(row, values);
    rows.push_back(std::move(row));
  }
  if (same > 0) rows.push_back({counted(same, "loop") + " with the same trips"});
}

// --- Parts, lines and words.

// "waiting for memory" of "resource memory".
std::string part_text(const std::string& name) {
  const size_t blank = name.find(' ');
  const std::string kind = name.substr(0, blank);
  if (kind == "resource" && blank != std::string::npos) return "waiting for " + resource_name(name.substr(blank + 1));
  if (kind == "blocks" && blank != std::string::npos) {
    return "blocks one after another at " + resource_name(name.substr(blank + 1));
  }
  if (kind == "path") return "warps one after another";
  if (kind == "start") return "start of their blocks";
  if (kind == "code") return "fetching code";
  if (kind == "failures") return "rounds of others that fail";
  if (kind == "dispatch") return "waiting for the dispatcher";
  return name;
}

std::string place_of(const LineChange& line) {
  if (line.file.empty()) return "code without a line";
  const std::string before = line.line_before ? std::to_string(*line.line_before) : "";
  const std::string after = line.line_after ? std::to_string(*line.line_after) : "";
  if (before.empty() || after.empty() || before == after) return line.file + ":" + (before.empty() ? after : before);
  return line.file + ":" + before + " -> " + after;
}

std::string quoted(const KernelFigures& kernel) { return "'" + support::short_name(kernel.name) + "'"; }

std::string how_matched(const ComparedKernel& kernel, size_t side) {
  const KernelFigures& before = *kernel.sides.front();
  const KernelFigures& after = *kernel.sides[side];
  switch (kernel.changes[side]->matched) {
    case MatchedBy::name:
    case MatchedBy::demangled_name: return {};
    case MatchedBy::short_name:
      return "its parameters changed: " + support::demangled(before.name) + " became " + support::demangled(after.name);
    case MatchedBy::similarity:
      return quoted(after) + " is taken to be renamed from " + quoted(before) + ", matched by similarity";
  }
  return {};
}

// Bytes of code, numbers of registers and the like differ everywhere, and change nothing in what is assumed.
std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

void add_assumptions(std::vector<std::string>& remarks, const std::string& side, const std::vector<std::string>& own,
                     const std::vector<std::string>& others) {
  for (const std::string& assumption : own) {
    const auto is_same = [&assumption](const std::string& other) {
      return without_digits(other) == without_digits(assumption);
    };
    if (std::none_of(others.begin(), others.end(), is_same)) remarks.push_back(side + assumption);
  }
}

}  // namespace

std::string title_of(const CompareReport& report, const ComparedKernel& kernel) {
  const std::string name = support::short_name(kernel.any().name);
  const auto is_called_so = [&name](const ComparedKernel& other) {
    return support::short_name(other.any().name) == name;
  };
  const bool is_alone = std::count_if(report.kernels.begin(), report.kernels.end(), is_called_so) == 1;
  return is_alone ? name : name + " (" + kernel.any().file + ")";
}

std::vector<std::string> column_names(size_t sides) {
  if (sides == 2) return {"before", "after"};
  std::vector<std::string> names;
  for (size_t i = 1; i <= sides; ++i) names.push_back("(" + std::to_string(i) + ")");
  return names;
}

std::vector<Row> figure_rows(const ComparedKernel& kernel) {
  std::vector<Row> rows;
  rows.push_back(value_row("bound, cycles", kernel, [](const KernelFigures& side) { return Value(side.bound); }));
  if (kernel.sides.size() > 2) rows.push_back(percent_row(kernel));
  add_headlines(rows, kernel);
  add_expected(rows, kernel);
  rows.push_back(value_row("one warp, cycles", kernel, [](const KernelFigures& side) { return Value(side.one_warp); }));
  for (size_t k = 0; k < ir::unit_classes; ++k) {
    const std::string unit(1, ir::symbol(static_cast<ir::UnitClass>(k)));
    rows.push_back(value_row(unit + " instructions", kernel,
                             [k](const KernelFigures& side) { return Value(side.instructions[k]); }));
  }
  if (std::any_of(kernel.sides.begin(), kernel.sides.end(), is_one)) rows.push_back(register_row(kernel));
  add_transactions(rows, kernel);
  add_loops(rows, kernel);
  return rows;
}

bool is_expected(const Row& row) { return row.front() == expected_row; }

bool has_change(const CompareReport& report, const ComparedKernel& kernel) {
  const size_t sides = kernel.sides.size();
  for (const Row& row : figure_rows(kernel)) {
    const bool has_sides = row.size() > sides && !row[1].empty();  // not so changes, and the line that counts loops
    const auto is_other = [&row](const std::string& cell) { return cell != row[1]; };
    if (has_sides && std::any_of(row.begin() + 2, row.begin() + static_cast<std::ptrdiff_t>(sides) + 1, is_other))
      return true;
  }
  for (size_t side = 1; side < sides; ++side) {
    if (!kernel.changes[side]) continue;
    const KernelChanges& changes = *kernel.changes[side];
    if (!changes.parts.empty() || !changes.lines.empty() || !changes.words.empty()) return true;
    if (!remarks_on(report, kernel, side).empty()) return true;
  }
  return false;
}

std::vector<Row> part_rows(const KernelChanges& changes, size_t most) {
  std::vector<Row> rows;
  for (const ValueChange& part : changes.parts) {
    if (rows.size() == most) break;
    rows.push_back({part_text(part.name), cell(part.before), cell(part.after), with_sign(*part.after - *part.before)});
  }
  return rows;
}

std::vector<Row> line_rows(const KernelChanges& changes, bool gained, size_t most) {
  std::vector<Row> rows;
  const auto add = [&](int64_t before, int64_t after, const std::string& place, const std::string& text) {
    if ((after > before) != gained || rows.size() == most) return;
    rows.push_back({with_sign(after - before), thousands(before), thousands(after), place, text});
  };
  for (const LineChange& line : changes.lines) add(line.before, line.after, place_of(line), single_blanks(line.text));
  for (const ValueChange& word : changes.words) add(*word.before, *word.after, word.name, "");
  return rows;
}

std::vector<std::string> remarks_on(const CompareReport& report, const ComparedKernel& kernel, size_t side) {
  std::vector<std::string> remarks;
  if (!kernel.sides.front() || !kernel.sides[side]) return remarks;
  const KernelFigures& before = *kernel.sides.front();
  const KernelFigures& after = *kernel.sides[side];
  const KernelChanges& changes = *kernel.changes[side];
  const std::string matched = how_matched(kernel, side);
  if (!matched.empty()) remarks.push_back(matched);
  if (!changes.not_comparable.empty()) remarks.push_back("the bounds cannot be compared: " + changes.not_comparable);
  if (changes.other_machine) {
    remarks.push_back("the machines differ: " + before.machine + " before, " + after.machine +
                      " after; the change is also theirs (--machine bounds both on one)");
  }
  if (!changes.lines_missing.empty()) {
    const bool same = changes.words.empty() && before.bound == after.bound;
    if (!same) remarks.push_back(changes.lines_missing + (changes.words.empty() ? "" : "; by instructions instead"));
  }
  if (!changes.other_machine) {
    add_assumptions(remarks, "assumed only before: ", changes.assumed_before, changes.assumed_after);
    add_assumptions(remarks, "assumed only after: ", changes.assumed_after, changes.assumed_before);
  }
  if (changes.regressed) remarks.push_back("REGRESSION: more than " + report.allowed);
  return remarks;
}

}  // namespace warpspan::app
