// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of loops: how often they run, and how long threads wait in them.
#include "app/facts/fact_kind.hpp"
#include "app/facts/fact_values.hpp"
#include "app/facts/loop_checks.hpp"
#include "app/facts/loop_tables.hpp"
#include "support/digits.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostics;

// --- Reading.

// What a place may be, with an example of the option's value behind it.
// given: an empty place is mostly a label that was not quoted.
std::string places_of_loops(const std::string& name, const std::string& value, const std::string& given) {
  const std::string begin =
      given.starts_with('=') ? "labels begin with $, which the shell replaces: " + name + " '$L__BB0_3=" + value + "'; "
                             : "";
  return begin +
         "a place is a label, such as 0x1a0 in machine code, line:63 or kernel.cu:42, with the kernel before it if it "
         "is only for that one: " +
         name + " 'KERNEL:line:63=" + value + "'; of a function that is called, with the call behind it: " + name +
         " 'kernel.cu:42 from kernel.cu:9=" + value + "'";
}

// "PLACE=N": the loops at a place (fact_values.hpp), and N in 1..2^63-1.
Diagnostics read_loop_bound(const GivenFact& given, ir::Launch& launch) {
  const std::string& text = given.text;
  const size_t sign = text.rfind('=');
  auto bound = sign == std::string::npos ? std::nullopt : loops_at(std::string_view(text).substr(0, sign));
  const auto number = bound ? support::parse_digits<int64_t>(std::string_view(text).substr(sign + 1)) : std::nullopt;
  if (!number || *number < 1) {
    return {support::usage_error(given.name + ": expected PLACE=N with a number from 1, got '" + text + "'",
                                 places_of_loops(given.name, "16", text))};
  }
  bound->trip_count = *number;
  bound->origin = given.origin;
  launch.loop_bounds.push_back(std::move(*bound));
  return {};
}

// "PLACE=TIME": the longest time that a thread is in the loops at a place.
Diagnostics read_wait(const GivenFact& given, ir::Launch& launch) {
  const std::string& text = given.text;
  const size_t sign = text.rfind('=');
  auto bound = sign == std::string::npos ? std::nullopt : loops_at(std::string_view(text).substr(0, sign));
  if (bound) bound->wait = nanoseconds_in(std::string_view(text).substr(sign + 1));
  if (!bound || !bound->wait) {
    return {support::usage_error(
        given.name + ": expected PLACE=TIME with a time such as 2us, 1.5ms or 500ns, got '" + text + "'",
        places_of_loops(given.name, "2us", text))};
  }
  bound->origin = given.origin;
  launch.loop_bounds.push_back(std::move(*bound));
  return {};
}

std::string loops_named_by(const std::string& text) { return ir::place_of(*loops_at(before_last_sign(text))); }

// --- In reports.

// "The loop at 'L' (line 63, kernel.cu:42)"
std::string name_of(const ir::Loop& loop) {
  const std::string line = "line " + std::to_string(loop.line);
  const std::string source = ir::source_place(loop);
  const std::string places = line + (source.empty() ? "" : ", " + source);
  const std::string calls = ir::calls_text(loop);
  return (loop.label.empty() ? "The loop without a label (" + places + ")"
                             : "The loop at '" + loop.label + "' (" + places + ")") +
         (calls.empty() ? "" : ", called" + calls + ",");
}

std::string trips_assumption(const ir::Loop& loop) {
  const int64_t trips = loop.trip_count.value_or(1);
  const bool is_one_more = loop.given && *loop.given < trips;  // the user counts iterations
  const bool is_less = loop.given && *loop.given > trips;      // unrolled, or more would be many more
  return name_of(loop) + " runs at most " + std::to_string(trips) + (trips == 1 ? " time" : " times") +
         " each time it is entered" + (is_one_more ? ", the last time to a test before the end of an iteration" : "") +
         (is_less ? ", as follows from " + std::to_string(*loop.given) : "") + " (" + ir::to_string(loop.given_by) +
         ").";
}

std::string wait_assumption(const ir::Loop& loop) {
  std::string name = name_of(loop);
  name.front() = 't';
  for (const ir::Loop::Question& question : loop.asked_before) {
    name += (&question == &loop.asked_before.front() ? ", or in the question before it in line " : " or ") +
            std::to_string(question.line) + (&question == &loop.asked_before.back() ? "," : "");
  }
  return "No thread is in " + name + " for longer than " + std::to_string(*loop.longest_wait) +
         " ns each time it is entered, whatever else runs meanwhile (" + ir::to_string(loop.wait_given_by) + ").";
}

// What any loop whose count is known so rests on, as goes on from its name; empty: nothing.
std::string_view assumption_of(ir::TripCountSource source) {
  constexpr std::string_view assumptions[] = {
#define TRIP_SOURCE(enumerator, name, known, assumed) assumed,
#include "ir/trip_methods.def"
  };
  return assumptions[static_cast<size_t>(source)];
}

std::string clock_assumption(const ir::Loop& loop) {
  return name_of(loop) +
         " compares what a counter of cycles tells, which counts those of the thread's multiprocessor: the thread "
         "stays "
         "there, machine code reads the counter where the PTX does, and from the read before the loop on the next one "
         "of the thread follows within " +
         std::to_string(loop.clock->apart) + " cycles each time.";
}

// Goes on from the loop's name.
constexpr std::string_view of_counts_away =
    " goes on while a counter is on that side of a limit towards which its steps lead, and the assembler keeps that: "
    "ptxas 13.0 makes other loops of some such, so bound the machine code.";

// Whether its trip count is how often it can run in the time that it waits.
bool follows_from_wait(const ir::Loop& loop) {
  return loop.longest_wait && (!loop.given || loop.trip_count.value_or(0) < *loop.given);
}

// Loop by loop, with what the analysis assumes of each beside.
std::vector<std::string> loop_assumptions(const frontend::AnalyzedKernel& analyzed) {
  std::vector<std::string> sentences;
  for (const ir::Loop& loop : analyzed.flow.loops) {
    if (loop.longest_wait) sentences.push_back(wait_assumption(loop));
    if (const auto assumed = assumption_of(loop.source); !assumed.empty()) {
      sentences.push_back(name_of(loop) + std::string(assumed));
    }
    if (loop.clock) sentences.push_back(clock_assumption(loop));
    if (loop.counts_away && loop.trip_count) {
      sentences.push_back(name_of(loop) + std::string(of_counts_away));
    }
    if (loop.source == ir::TripCountSource::user && !follows_from_wait(loop)) {
      sentences.push_back(trips_assumption(loop));
    }
  }
  return sentences;
}

}  // namespace

// It reads the table, checks and reports for both kinds, which share the list of loops.
FactKind loop_bound_fact() {
  return {.fact = ir::UserFact::loop_bound,
          .subject = FactKind::Subject::loops,
          .option = "--loop-bound",
          .value = "PLACE=N",
          .help = "Most iterations, each time it is entered, of the loop at LABEL, line:63 or k.cu:42; repeatable",
          .form = FactKind::Form::pairs,
          .key = "loop_bounds",
          .read = read_loop_bound,
          .named_by = loops_named_by,
          .read_table = read_loop_tables,
          .write_table = write_loop_tables,
          .check = check_loop_bounds,
          .assumptions = loop_assumptions};
}

// Checked and reported with the bounds.
FactKind wait_fact() {
  return {.fact = ir::UserFact::wait,
          .subject = FactKind::Subject::loops,
          .option = "--wait",
          .value = "PLACE=TIME",
          .help = "Longest time, each time it is entered, that a thread waits in the loop at PLACE: 2us; repeatable",
          .form = FactKind::Form::pairs,
          .key = "waits",
          .read = read_wait,
          .named_by = loops_named_by};
}

}  // namespace warpspan::app
