// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/report_sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/names.hpp"
#include "app/reports/readable.hpp"
#include "support/printable.hpp"
#include "timing/warp/waiting.hpp"

namespace warpspan::app {

namespace {

// One line of the breakdown.
Row part_row(const solver::Part& part) {
  using Kind = solver::Part::Kind;
  Row row = {part_name(part), thousands(part.cycles)};
  const std::string each = thousands(part.demand) + " cycles each";
  if ((part.kind == Kind::path || part.kind == Kind::start) && part.workers != 1) row.push_back(each);
  if (part.kind == Kind::dispatch) row.push_back(counted(part.workers, "other block") + ", " + each);
  if (part.kind == Kind::resource) {
    row.push_back(
        fmt::format("{}, {}, {}", counted(part.workers, "other warp"), each, counted(part.servers, "server")));
  }
  if (part.kind == Kind::blocks) {
    const int64_t of_one = part.servers <= 1 ? part.demand : (part.demand - 1) / part.servers + 1;
    row.push_back(fmt::format("{} x {} cycles", counted(part.workers, "block"), thousands(of_one)));
  }
  return row;
}

// The code's size and the misses that are waited for: "2 lines of code, misses L1 2, L2 2".
std::string fetch_detail(const timing::FetchCost& fetch, int64_t chain) {
  std::string misses;
  for (const timing::FetchLevel& level : fetch.levels) {
    const auto count = (support::Integer(level.each) * chain + level.once).value();
    if (!count || *count == 0) continue;
    misses += fmt::format("{} {} {}", misses.empty() ? ", misses" : ",", level.cache, thousands(*count));
  }
  return counted(fetch.lines, "line") + " of code" + misses;
}

// --- Who makes an assumption.

bool makes(const timing::ModelBound& entry, const std::string& assumption) {
  const auto& list = entry.bound.assumptions;
  return entry.bound.makespan && std::find(list.begin(), list.end(), assumption) != list.end();
}

// "string" if all bounds of the model that have a value make the assumption, "string: exact, list" if some do, or
// nothing. Of a model without a name: "all", "exact, list".
std::string makers(const std::vector<timing::ModelBound>& bounds, const std::string& model,
                   const std::string& assumption) {
  std::vector<std::string> some;
  bool all = true;
  for (const timing::ModelBound& entry : bounds) {
    if (entry.model != model || !entry.bound.makespan) continue;
    if (makes(entry, assumption)) {
      const std::string& method = entry.bound.method;
      if (std::find(some.begin(), some.end(), method) == some.end()) some.push_back(method);
    } else {
      all = false;
    }
  }
  if (some.empty()) return {};
  if (all) return model.empty() ? "all" : model;
  return (model.empty() ? "" : model + ": ") + joined(some);
}

// "scalar-evolution", "simulation (given 64)": a bound of the user beside a smaller one that was found.
std::string found_by(const ir::Loop& loop) {
  std::string text(to_string(loop.source));
  if (loop.given && loop.trip_count && *loop.given > *loop.trip_count)
    text += fmt::format(" (given {})", thousands(*loop.given));
  return text;
}

std::string more(size_t count, size_t most) {
  return count <= most ? std::string() : fmt::format("    ... and {} more; the JSON report has all\n", count - most);
}

}  // namespace

std::string resource_name(const std::string& name) {
  if (name == "issue") return "issue slots";
  if (name == "core") return "cores";
  if (name == "load_store") return "load/store units";
  if (name == "special") return "special function units";
  if (name == "fetch") return "instruction fetch";
  if (name == timing::waits_resource || name == timing::device_waits_resource) return "those that wait in loops";
  std::string words = support::printable(name);  // of a user's machine file
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string part_name(const solver::Part& part) {
  using Kind = solver::Part::Kind;
  if (part.kind == Kind::path && part.workers != 1) return counted(part.workers, "warp") + " one after another";
  if (part.kind == Kind::start && part.workers != 1) return "start of their blocks";
  return fmt::format(fmt::runtime(solver::row_of(part.kind).sentence), resource_name(part.name));
}

std::string share(int64_t cycles, int64_t bound) {
  __extension__ using Wide = __int128;
  return fmt::format("{} %", bound == 0 ? 0 : static_cast<int64_t>((Wide{cycles} * 200 + bound) / (Wide{bound} * 2)));
}

std::string breakdown(const solver::Bound& bound, const std::optional<timing::FetchCost>& fetch, size_t width) {
  const int64_t makespan = bound.makespan.value();
  std::vector<Row> rows;
  for (const solver::Part& part : bound.parts) {
    Row row = part_row(part);
    if (part.kind == solver::Part::Kind::code && fetch) {
      row.push_back(fetch_detail(*fetch, bound.parts.front().workers));
    }
    row.insert(row.begin() + 2, share(part.cycles, makespan));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return {};
  return table({Align::left, Align::right, Align::right, Align::left}, rows, 4, width);
}

std::string limited_by(const solver::Bound& bound) {
  const auto less = [](const solver::Part& a, const solver::Part& b) { return a.cycles < b.cycles; };
  const auto largest = std::max_element(bound.parts.begin(), bound.parts.end(), less);
  return largest == bound.parts.end() ? std::string() : part_name(*largest);
}

std::string bound_table(const std::vector<solver::Bound>& bounds, bool seconds, size_t columns) {
  std::vector<Row> rows = {{"method", "cycles", "kind", "safe"}};
  if (seconds) rows.front().insert(rows.front().end() - 2, "seconds");
  std::vector<std::string> remarks = {""};
  for (const solver::Bound& bound : bounds) {
    const bool has_value = bound.makespan.has_value();
    Row row = {bound.method, has_value ? thousands(*bound.makespan) : "-"};
    if (seconds) row.push_back(fmt::format("{:.3f}", bound.seconds));
    row.emplace_back(has_value ? to_string(bound.kind) : to_string(bound.status));
    row.emplace_back(!has_value ? "-" : bound.safe ? "yes" : "no");
    rows.push_back(std::move(row));
    remarks.push_back(bound.remark);
  }
  std::vector<Align> alignments = {Align::left, Align::right, Align::left, Align::left};
  if (seconds) alignments.insert(alignments.begin() + 1, Align::right);
  const std::string lines = table(alignments, rows, 4);
  const size_t width = lines.find('\n') + 1;  // the heading's last word is as wide as its column
  std::string out;
  size_t begin = 0;
  for (const std::string& remark : remarks) {
    const size_t end = lines.find('\n', begin);
    std::string line = lines.substr(begin, end - begin);
    begin = end + 1;
    if (!remark.empty()) line.resize(width, ' ');
    out += remark.empty() ? line + "\n" : wrap(line + " ", remark, columns);
  }
  return out;
}

std::string string_bounds(const std::vector<timing::ModelBound>& bounds, size_t width) {
  std::vector<solver::Bound> own;
  for (const auto& [model, bound] : bounds) {
    if (model == "string") own.push_back(bound);
  }
  return bound_table(own, false, width);
}

std::vector<std::string> assumptions_of(const std::vector<timing::ModelBound>& bounds) {
  std::vector<std::string> known;
  for (const timing::ModelBound& entry : bounds) {
    for (const std::string& assumption : entry.bound.assumptions) {
      if (makes(entry, assumption) && std::find(known.begin(), known.end(), assumption) == known.end()) {
        known.push_back(assumption);
      }
    }
  }
  return known;
}

std::string assumptions(const std::vector<timing::ModelBound>& bounds, size_t width) {
  const std::vector<std::string> known = assumptions_of(bounds);
  std::vector<std::string> models;
  for (const timing::ModelBound& entry : bounds) {
    if (std::find(models.begin(), models.end(), entry.model) == models.end()) models.push_back(entry.model);
  }
  std::string out;
  for (size_t i = 0; i < known.size(); ++i) {
    std::string who;
    for (const std::string& model : models) {
      const std::string own = makers(bounds, model, known[i]);
      if (!own.empty()) who += (who.empty() ? "" : "; ") + own;
    }
    out += wrap(fmt::format("  {:>3}. ", i + 1), fmt::format("{} [{}]", support::printable(known[i]), who), width);
  }
  return out;
}

std::string loop_table(const std::vector<ir::Loop>& loops, size_t most) {
  std::vector<Row> rows = {{"loop", "line", "trip count", "found by"}};
  for (size_t i = 0; i < std::min(most, loops.size()); ++i) {
    const ir::Loop& loop = loops[i];
    rows.push_back({(loop.label.empty() ? "-" : loop.label) + ir::calls_text(loop), std::to_string(loop.line),
                    loop.trip_count ? thousands(*loop.trip_count) : "-", found_by(loop)});
  }
  return table({Align::left, Align::right, Align::right, Align::left}, rows, 4) + more(loops.size(), most);
}

std::string clock_reading_lines(const std::vector<timing::ClockReading>& readings, size_t most) {
  std::vector<Row> rows = {{"clock reads in lines", "best", "average", "worst"}};
  for (size_t i = 0; i < std::min(most, readings.size()); ++i) {
    const timing::ClockReading& reading = readings[i];
    rows.push_back({fmt::format("{}-{}", reading.first_line, reading.second_line), thousands(reading.best),
                    thousands(reading.average), thousands(reading.worst)});
  }
  return table({Align::left, Align::right, Align::right, Align::right}, rows, 4) + more(readings.size(), most);
}

}  // namespace warpspan::app
