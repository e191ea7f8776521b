// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/loop_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/facts/fact_text.hpp"
#include "app/facts/fact_values.hpp"
#include "app/facts/loop_groups.hpp"
#include "app/reports/names.hpp"

namespace warpspan::app {

namespace {

constexpr const char* about_loops =
    "# Loops without a bound. trip_count is for the loop as it was compiled, each time it is entered: of a source line "
    "the\n"
    "# most iterations, of a label or line of PTX the most times the first instruction runs. A loop that was unrolled "
    "by 4 "
    "has\n"
    "# a quarter of the iterations of its source; the number of these is safe, too.\n";

// --- Reading.

// Whether another loop may stand there in code of the same fingerprint, which does not depend on lines: then it is an
// error.
bool may_have_moved(FactsTable& table, const support::Text& at, const ir::LoopBound& bound) {
  const auto& code = table.code;
  const bool is_of_ptx = bound.line != 0 && bound.file.empty();
  const bool is_from_ptx = bound.from_line != 0 && bound.from_file.empty();
  if (is_of_ptx || is_from_ptx) {
    table.error(at.at, "'" + at.text + "' may be another loop by now: 'sha256' does not tell where the code stands",
                "name the loop by its label or by its line in the source, or take sha256 out");
    return true;
  }
  if (!code->loops && !bound.file.empty()) {
    table.error(at.at, "'" + at.text + "' may be another loop by now: 'sha256' does not tell source lines",
                "keep 'loops' as 'warpspan facts' wrote it, name the loop by its label, or take sha256 out");
    return true;
  }
  if (!code->call_lines && !bound.from_file.empty()) {
    table.error(at.at, "'" + at.text + "' may be another call by now: 'sha256' does not tell source lines",
                "keep 'call_lines' as 'warpspan facts' wrote it, or take sha256 out");
    return true;
  }
  return false;
}

// False after an error.
bool add_wait(FactsTable& table, const support::Text& wait, ir::LoopBound bound, ir::Launch& launch) {
  bound.wait = nanoseconds_in(wait.text);
  bound.origin = table.origin_of(wait.at);
  if (!bound.wait) {
    table.error(wait.at, "'" + wait.text + "' is no time", "write wait = \"2 us\", say");
    return false;
  }
  launch.loop_bounds.push_back(std::move(bound));
  return true;
}

void read_loop(FactsTable& table, support::TableReader& reader, std::set<std::string>& places, ir::Launch& launch) {
  const auto at = table.required_text(reader, "at", "kernel.cu:42");
  const toml::node* value = reader.node("trip_count");
  const bool has_wait = reader.has("wait");
  if (value == nullptr && !has_wait) {
    table.error(reader.at(), "missing key 'trip_count' in [[kernel.loop]]", "write trip_count = 64, say");
  }
  const auto trips =
      value == nullptr ? std::nullopt : reader.integer_in(*value, FactsTable::not_negative, "'trip_count'");
  const auto wait = has_wait ? std::optional(reader.text("wait")) : std::nullopt;
  if (!at || (value == nullptr ? !wait : !trips)) return;
  auto bound = loops_at(at->text);
  if (!bound || !bound->kernel.empty()) {
    return table.error(
        at->at, "'" + at->text + "' is no place of a loop",
        "write a label as \"$L__BB0_2\", a line of the PTX as \"line:63\", or one of the source as \"kernel.cu:42\", "
        "perhaps with the call of its function as \"kernel.cu:42 from kernel.cu:9\"");
  }
  if (table.code && may_have_moved(table, *at, *bound)) return;
  if (!places.insert(ir::place_of(*bound)).second) {
    return table.error(at->at, "'" + at->text + "' has a trip count above", "leave one of them out");
  }
  bound->kernel = table.kernel;
  if (wait && wait->text.empty()) return;
  if (wait && !add_wait(table, *wait, *bound, launch)) return;
  if (value == nullptr) return;
  bound->trip_count = trips.value_or(0);
  if (bound->trip_count == 0) {
    return table.error(reader.at("trip_count"), "the trip count of the loop at '" + at->text + "' is not filled in",
                       "give the most times its header runs each time it is entered, or take [[kernel.loop]] out");
  }
  bound->origin = table.origin_of(reader.at("trip_count"));
  launch.loop_bounds.push_back(std::move(*bound));
}

// --- Writing.

// "$L__BB0_2 (line 63, kernel.cu:42)"
std::string name_of(const ir::Loop& loop, bool with_source) {
  const std::string source = with_source ? ir::source_place(loop) : std::string();
  const std::string line = "line " + std::to_string(loop.line) + (source.empty() ? "" : ", " + source);
  return (loop.label.empty() ? line : loop.label + " (" + line + ")") + ir::calls_text(loop);
}

std::string found(const ir::Loop& loop, bool with_source) {
  const std::string name = name_of(loop, with_source) + ": ";
  if (loop.source == ir::TripCountSource::not_entered) return name + "not entered by this launch";
  return name + fmt::format("{}, found by {}", *loop.trip_count, to_string(loop.source));
}

std::string state_of(const ir::Loop& loop) {
  if (loop.trip_count && loop.source != ir::TripCountSource::user) return found(loop, false);
  std::string text = name_of(loop, false);
  if (!loop.obstacle.empty()) text += ": " + loop.obstacle;
  if (!loop.tests_last) text += "; it is left before the end of an iteration, so its first instruction runs once more";
  return text;
}

// The longest time that was given for one of the loops, if no number of iterations was; else empty.
std::string wait_of(const LoopGroup& group) {
  int64_t longest = 0;
  for (const ir::Loop* loop : group.loops) longest = std::max(longest, loop->longest_wait.value_or(0));
  return longest == 0 || group.given != 0 ? std::string() : fmt::format("wait = \"{} ns\"", longest);
}

bool has_calls(const LoopGroup& group) {
  return !group.loops.front()->called_from.empty() && group.place.find(" from ") == std::string::npos;
}

std::string group_text(const LoopGroup& group) {
  std::string out = "\n";
  if (group.place == group.loops.front()->ptx_label) {
    out += toml_comment(
        "A label of the PTX in the file: the number is for the loop there, and bounds what was made of it.");
  } else if (group.loops.size() > 1) {
    out +=
        toml_comment(fmt::format("{} loops, unrolled, copied or of one line: the number is for each of them, and each "
                                 "can have its own by its label{}.",
                                 group.loops.size(),
                                 has_calls(group) ? ", or by its call: \"" + group.place + " from " +
                                                        group.loops.front()->called_from.front() + "\""
                                                  : ""));
  }
  std::set<std::string> remedies, arrays;
  for (const ir::Loop* loop : group.loops) {
    out += toml_comment(state_of(*loop));
    if (!loop->remedies.empty()) remedies.insert(fmt::format("{}", fmt::join(loop->remedies, ", ")));
    if (!loop->array_remedies.empty()) arrays.insert(fmt::format("{}", fmt::join(loop->array_remedies, ", ")));
  }
  for (const std::string& remedy : remedies) out += toml_comment("It may follow from what it depends on: " + remedy);
  for (const std::string& array : arrays) {
    out += toml_comment(
        "The size of an array that it goes through would do instead, with as many iterations as steps fit in: " +
        array);
  }
  const std::string wait = wait_of(group);
  const bool is_open = wait.empty() && group.given == 0 && group.may_follow;
  const std::string fact = wait.empty() ? fmt::format("trip_count = {}", group.given) : wait;
  for (const std::string& line : {std::string("[[kernel.loop]]"), "at = " + toml_text(group.place), fact}) {
    out += (is_open ? "# " : "") + line + "\n";
  }
  const auto waits = [](const ir::Loop* loop) { return loop->looks_like_waiting; };
  if (wait.empty() && std::all_of(group.loops.begin(), group.loops.end(), waits)) {
    out += "# wait = \"2 us\"  # instead of trip_count: the longest time that a thread waits in it\n";
  }
  return out;
}

}  // namespace

void read_loop_tables(FactsTable& table, ir::Launch& launch) {
  std::set<std::string> places;
  table.for_each_table("loop", "[[kernel.loop]]",
                       [&](support::TableReader& loop) { read_loop(table, loop, places, launch); });
}

std::string write_loop_tables(const ir::KernelCode& code, const ir::Launch&) {
  if (!code.loops) return "\n" + toml_comment("Its loops are not known: it could not be read.");
  const std::vector<LoopGroup> groups = loop_groups(*code.loops);
  std::string open;
  std::string known;
  for (const LoopGroup& group : groups) {
    if (!group.has_bounds) open += group_text(group);
    if (!group.has_bounds) continue;
    for (const ir::Loop* loop : group.loops) known += toml_comment("  " + found(*loop, true));
  }
  std::string out;
  if (!known.empty()) out += "\n# Loops whose bound was found:\n" + known;
  if (!open.empty()) out += "\n" + std::string(about_loops) + open;
  return out;
}

}  // namespace warpspan::app
