// SPDX-License-Identifier: GPL-3.0-or-later
// Why a gate does not pass, one finding at a time: what the formats for other programs are made of, so that none of
// them can leave out what another one tells.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/reports/check/check_report.hpp"

namespace warpspan::app {

// A kind of failure of a gate. The identifiers are part of the contract: others filter by them.
struct Rule {
  const char* id;           // "over-budget"
  const char* title;        // one sentence
  const char* description;  // what it means
  const char* help;         // what to do
};

// Their places in rules().
enum class RuleIndex : size_t {
  over_budget,
  below_budget,
  not_bounded,
  no_such_kernel,
  no_budget,
  not_checked,
  slower,
  grew
};

std::span<const Rule> rules();

const Rule& rule(RuleIndex index);

struct Finding {
  RuleIndex rule = RuleIndex::not_checked;
  const CheckResult* result = nullptr;  // of the report; null if it is about the gate as a whole
  support::Location location;           // in the input or else in the budgets file; line 0 if it is not known
  std::string message, help;            // without the kernel's name; help may be empty
  std::string topic;                    // "spilled memory" of a limit, else the message: the same with other figures
  const CheckedLimit* limit = nullptr;  // that is missed; of the result
};

struct Findings {
  std::vector<Finding> failures;  // in the order of the report's results, then of its errors; empty if the gate passes
  support::Diagnostics remarks;   // warnings and notes
};

// There is one at least for each result that does not pass, for each error, and for a report without results. The
// report must live as long as they do.
Findings findings(const CheckReport& report);

// Where somebody would change something: of a kernel whose time is over a limit the line that grew most since the
// baseline, or else its costliest line, of those in the source root; of one that fell below it the entry; else the
// place of the finding, or the entry.
support::Location place_of(const Finding& finding, const CheckReport& report);

// The place with a path from the source root, where it is below it.
support::Location from_root(support::Location place, const CheckReport& report);

// Of a limit that is missed, what grew: "Grew most: edge.cu:22 +464,056 cycles" (three lines at most), "Grew by 4
// registers since the baseline". Empty without a baseline that tells it.
std::string growth_text(const CheckResult& result, const CheckedLimit& limit);

// "edge.cu:22"; of what has no line its words.
std::string place_text(const LineChange& line);

// The figures that are not those of the baseline.
std::vector<SinceBaseline::Figure> changed_figures(const CheckResult& result);

// "reduce<512>, large, b.ptx": the kernel's short name, the label, and in what it differs from others.
std::string title_of(const CheckResult& result);

// Without what a terminal might act on: "<= 11,213 cycles = 8.01 us, budget 10 us (14,000 cycles), headroom 19.9 %".
std::string limit_text(const CheckedLimit& limit, const CheckResult& result);

// Those that tables show: of the baseline only what is missed, or where there is no other.
std::vector<CheckedLimit> shown_limits(const CheckResult& result);

// "1,234 cycles": what the baseline has.
std::string baseline_text(const CheckedLimit& limit);

// What is left of a limit, in thousandths of it, rounded down, below 0 where it is exceeded; nothing without a value,
// or of a limit of 0.
std::optional<int64_t> headroom(const CheckedLimit& limit);

// "12.5 %"; of a value above twice its limit how many times it is that: "1,342 times the budget". Empty where
// headroom() is nothing.
std::string headroom_text(const CheckedLimit& limit);

// "12 of 14 budgets hold"; a kernel without a budget does not count.
std::string summary_of(const CheckReport& report);

// Of a kernel that was bounded: what is granted, and, of a bound over its budget, what would have to be granted too for
// a rung of the ladder that is within, or for the last one: "nothing is granted; spread would make it ...". Empty if
// nothing is granted and nothing would help.
std::string assumed_text(const CheckResult& result);

// Of a kernel that was bounded: assumed_text, what its bound is made of, and the three costliest lines. Several lines
// of text, each with its end, in which no text from outside begins a line; empty if nothing was bounded.
std::string bound_detail(const CheckResult& result);

}  // namespace warpspan::app
