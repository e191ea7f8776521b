// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/check/check_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/diagnostics.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/source_root.hpp"
#include "support/checked.hpp"
#include "support/digits.hpp"
#include "support/nearest.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using Quantity = CheckedLimit::Quantity;

constexpr Rule all_rules[] = {
    {"over-budget", "A kernel can exceed its budget.",
     "The safe upper bound of the kernel's worst-case makespan, or what the assembler reports of its registers, "
     "spills, stack, shared or constant memory, is above the limit in the budgets file.",
     "Make the kernel cheaper, beginning with the costliest lines, or raise the limit in the budgets file."},
    {"below-budget", "A budget is larger than its kernel needs by now.",
     "The bound fell below the limit by more than --ratchet allows, so that the limit no longer says what is true.",
     "Run 'warpspan check' with --update to write the smaller bounds into the budgets file."},
    {"not-bounded", "Something that a budget limits is not known.",
     "The kernel could not be read or bounded, or no log tells its registers. What is not known never passes.",
     "The message says what to add, such as a loop's bound or an argument's value."},
    {"no-such-kernel", "A budget names no kernel.",
     "No kernel of the entry's files has the name, so that nothing was checked for the entry.",
     "Correct the name or the files of the entry, or take the entry out of the budgets file."},
    {"no-budget", "A kernel has no budget.",
     "No entry of the budgets file is for the kernel, and --fail-on-unused is given.",
     "Add an entry for the kernel to the budgets file."},
    {"not-checked", "The gate did not get to its end.",
     "A file could not be read, the budgets file is wrong or empty, or the run was ended. A gate that did not check "
     "everything does not pass.",
     "The message says what is wrong."},
    {"expected-slower", "A kernel is expected to take longer than it is to.",
     "The expected time of the kernel, an estimate that no run need keep to, is above the entry's 'expect' by more "
     "than its tolerance.",
     "Compare with an earlier version ('warpspan compare'), or raise 'expect' in the budgets file."},
    {"grew", "A kernel grew since the baseline.",
     "A figure of the kernel is above the one in the baseline by more than --fail-on-growth allows.",
     "Make the kernel cheaper, beginning with the lines that grew most, or write the baseline anew with "
     "--update-baseline."},
};
static_assert(std::size(all_rules) == static_cast<size_t>(RuleIndex::grew) + 1);

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::makespan: return "worst-case makespan";
    case Quantity::expected: return "expected time";
    case Quantity::registers: return "registers";
    case Quantity::spill: return "spilled memory";
    case Quantity::stack: return "stack";
    case Quantity::shared: return "shared memory";
    case Quantity::constant: return "constant memory";
    case Quantity::usual: return "bound with what is usual";
  }
  return "limit";
}

RuleIndex rule_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::over: return RuleIndex::over_budget;
    case Verdict::slower: return RuleIndex::slower;
    case Verdict::grew: return RuleIndex::grew;
    case Verdict::fell: return RuleIndex::below_budget;
    case Verdict::missing: return RuleIndex::no_such_kernel;
    case Verdict::unused: return RuleIndex::no_budget;
    default: return RuleIndex::not_bounded;
  }
}

support::Location location_of(const CheckResult& result) {
  return result.location.file.empty() ? result.entry : result.location;
}

std::string message_without_cause(const CheckResult& result) {
  switch (result.verdict) {
    case Verdict::missing: return "no kernel has this name";
    case Verdict::unused: return "no budget is for this kernel";
    case Verdict::over: return "over its budget";
    case Verdict::slower: return "expected to take longer than its budget says";
    case Verdict::grew: return "grew since the baseline";
    case Verdict::fell: return "fell below its budget by more than --ratchet allows";
    default: return "nothing is known of it";
  }
}

Finding about(const CheckResult& result, RuleIndex rule, std::string message) {
  Finding finding;
  finding.rule = rule;
  finding.result = &result;
  finding.location = location_of(result);
  finding.topic = message;
  finding.message = std::move(message);
  return finding;
}

Finding about_limit(const CheckResult& result, const CheckedLimit& limit) {
  Finding finding = about(result, rule_of(limit.verdict), name_of(limit.quantity));
  finding.message += " " + limit_text(limit, result);
  finding.limit = &limit;
  if (limit.since_baseline) finding.topic += " since the baseline";
  const std::string grown = growth_text(result, limit);
  if (!grown.empty()) finding.message += ". " + grown;
  if (limit.verdict == Verdict::fell) finding.message += ": fell by more than --ratchet allows";
  return finding;
}

Finding about_error(const CheckResult& result, const Diagnostic& error) {
  const bool named = result.verdict == Verdict::missing || result.verdict == Verdict::unused;
  Finding finding = about(result, named ? rule_of(result.verdict) : RuleIndex::not_bounded, error.message);
  if (!error.location.file.empty()) finding.location = error.location;
  finding.help = error.help;
  return finding;
}

// At least one if it does not pass.
std::vector<Finding> failures_of(const CheckResult& result) {
  std::vector<Finding> failures;
  for (const CheckedLimit& limit : result.limits) {
    const bool known = misses(limit.verdict);
    if (known) failures.push_back(about_limit(result, limit));
  }
  for (const Diagnostic& error : result.errors) {
    if (is_error(error)) failures.push_back(about_error(result, error));
  }
  // Why something is not known, the errors say; without any, that it is not.
  const bool is_explained = has_error(result.errors);
  for (const CheckedLimit& limit : result.limits) {
    if (!is_explained && limit.verdict == Verdict::unbounded) failures.push_back(about_limit(result, limit));
  }
  if (result.verdict != Verdict::pass && failures.empty()) {
    failures.push_back(about(result, rule_of(result.verdict), message_without_cause(result)));
  }
  return failures;
}

constexpr size_t most_grown = 3;  // lines that a finding names

// The line of the kernel's that grew most in it, or else the costliest of a file below the root.
const LineCost* line_to_change(const CheckResult& result, const KernelReport& kernel, const CheckedLimit& limit,
                               const std::string& root) {
  const bool is_expected = limit.quantity == Quantity::expected;
  const auto& lines = is_expected ? kernel.expected_lines : kernel.lines;
  const auto is_of_user = [&](const LineCost& line) { return path_below(root, line.path).has_value(); };
  if (result.since) {
    for (const LineChange& grown : is_expected ? result.since->expected : result.since->bound) {
      if (grown.change() <= 0) break;
      for (const LineCost& line : lines) {
        const bool is_it = grown.line_after == line.line && single_blanks(line.text) == grown.text &&
                           std::filesystem::path(line.file).filename() == std::filesystem::path(grown.file).filename();
        if (is_it && is_of_user(line)) return &line;
      }
    }
  }
  const auto found = std::find_if(lines.begin(), lines.end(), is_of_user);
  return found == lines.end() ? nullptr : &*found;
}

// What the budget allows; it has a limit of time.
int64_t most_cycles_of(const CheckResult& result) {
  const auto is_makespan = [](const CheckedLimit& limit) { return limit.quantity == Quantity::makespan; };
  const auto found = std::find_if(result.limits.begin(), result.limits.end(), is_makespan);
  return found == result.limits.end() ? INT64_MAX : found->most;
}

// Of a bound over its budget the first rung below it that is within, or else the last; nothing if none is below.
std::optional<size_t> rung_for(const CheckResult& result, const timing::Analysis& analysis) {
  const solver::Bound* bound = headline_bound(analysis);
  const int64_t most = most_cycles_of(result);
  if (bound == nullptr || *bound->makespan <= most) return std::nullopt;
  std::optional<size_t> best;
  for (size_t i = 0; i < analysis.ladder.size(); ++i) {
    const auto& makespan = analysis.ladder[i].makespan;
    if (!makespan || *makespan >= *bound->makespan) continue;
    best = i;
    if (*makespan <= most) break;
  }
  return best;
}

// Of a bound over its budget, where what is usual makes it smaller: "; usual would make it ...".
std::string usual_text(const CheckResult& result, const KernelReport& kernel) {
  const auto usual = kernel.analysis.usual;
  const solver::Bound* bound = headline_bound(kernel.analysis);
  const int64_t most = most_cycles_of(result);
  if (!usual || bound == nullptr || *bound->makespan <= most || *usual >= *bound->makespan) return {};
  return "; assume = \"usual\" would make it " + duration(*usual, kernel.machine.clock_khz) +
         (*usual <= most ? ", within the budget" : ", which is still over");
}

}  // namespace

std::span<const Rule> rules() { return all_rules; }

const Rule& rule(RuleIndex index) { return all_rules[static_cast<size_t>(index)]; }

support::Location from_root(support::Location place, const CheckReport& report) {
  if (auto path = path_below(report.source_root, place.file)) place.file = std::move(*path);
  return place;
}

support::Location place_of(const Finding& finding, const CheckReport& report) {
  const CheckResult* result = finding.result;
  if (result != nullptr && result->report && finding.limit != nullptr && finding.rule != RuleIndex::below_budget) {
    const auto kernel = result->report.get();
    if (const LineCost* line = line_to_change(*result, *kernel, *finding.limit, report.source_root))
      return from_root({line->path, line->line, 0}, report);
  }
  const bool has_entry = result != nullptr && !result->entry.file.empty();
  const bool is_of_entry = finding.rule == RuleIndex::below_budget || finding.location.line == 0;
  return from_root(has_entry && is_of_entry ? result->entry : finding.location, report);
}

std::string place_text(const LineChange& line) {
  const auto number = line.line_after ? line.line_after : line.line_before;
  if (line.file.empty() || !number) return support::printable(line.text);
  return support::printable(line.file) + ":" + std::to_string(*number);
}

std::vector<SinceBaseline::Figure> changed_figures(const CheckResult& result) {
  std::vector<SinceBaseline::Figure> changed;
  if (!result.since) return changed;
  std::copy_if(result.since->figures.begin(), result.since->figures.end(), std::back_inserter(changed),
               [](const SinceBaseline::Figure& figure) { return figure.before != figure.after; });
  return changed;
}

std::string growth_text(const CheckResult& result, const CheckedLimit& limit) {
  if (!result.since || !result.since->unknown.empty() || limit.verdict == Verdict::fell) return {};
  const auto& figures = result.since->figures;
  const auto figure = std::find_if(figures.begin(), figures.end(),
                                   [&](const auto& one) { return one.name == to_string(limit.quantity); });
  if (figure == figures.end()) return {};
  if (figure->after <= figure->before) return "It did not grow since the baseline";
  if (!is_time(limit)) {
    const std::string unit = limit.quantity == Quantity::registers ? "register" : "byte";
    return "Grew by " + counted(figure->after - figure->before, unit) + " since the baseline";
  }
  std::string text;
  const auto& lines = limit.quantity == Quantity::expected ? result.since->expected : result.since->bound;
  for (size_t i = 0; i < std::min(most_grown, lines.size()) && lines[i].change() > 0; ++i) {
    text += (text.empty() ? "Grew most: " : ", ") + place_text(lines[i]) + " +" + counted(lines[i].change(), "cycle");
  }
  return text;
}

Findings findings(const CheckReport& report) {
  Findings found;
  support::Diagnostics known;
  for (const CheckResult& result : report.results) {
    for (Finding& finding : failures_of(result)) found.failures.push_back(std::move(finding));
    known.insert(known.end(), result.errors.begin(), result.errors.end());
  }
  const auto add = [&](const support::Location& location, const std::string& message, const std::string& help) {
    Finding finding;
    finding.rule = RuleIndex::not_checked;
    finding.location = location;
    if (location.file.empty()) finding.location.file = report.budgets;
    finding.message = finding.topic = message;
    finding.help = help;
    found.failures.push_back(std::move(finding));
  };
  for (const Diagnostic& error : report.errors) {
    if (is_error(error) && !has_same(known, error)) add(error.location, error.message, error.help);
  }
  if (report.results.empty() && found.failures.empty()) add({}, "no budget was checked", {});
  known.insert(known.end(), report.errors.begin(), report.errors.end());
  for (const Diagnostic& one : known) {
    if (!is_error(one) && !has_same(found.remarks, one)) found.remarks.push_back(one);
  }
  return found;
}

std::string title_of(const CheckResult& result) {
  return support::short_name(result.kernel) + (result.label.empty() ? "" : ", " + result.label) +
         (result.apart.empty() ? "" : ", " + result.apart);
}

std::vector<CheckedLimit> shown_limits(const CheckResult& result) {
  std::vector<CheckedLimit> shown;
  for (const CheckedLimit& limit : result.limits) {
    if (!limit.since_baseline || limit.verdict != Verdict::pass) shown.push_back(limit);
  }
  if (shown.empty() && !result.limits.empty()) shown.push_back(result.limits.front());
  return shown;
}

std::optional<int64_t> headroom(const CheckedLimit& limit) {
  if (!limit.value || limit.most <= 0) return std::nullopt;
  const support::Int128 scaled = (support::Int128{limit.most} - *limit.value) * 1000;
  const support::Int128 rounding = scaled < 0 ? limit.most - 1 : 0;
  const support::Int128 left = (scaled - rounding) / limit.most;
  return left <= INT64_MIN ? std::nullopt : std::optional(static_cast<int64_t>(left));
}

std::string headroom_text(const CheckedLimit& limit) {
  if (!limit.value || limit.most <= 0) return {};
  if (support::Int128{*limit.value} <= support::Int128{limit.most} * 2) return percent(*headroom(limit));
  const support::Int128 tenths = (support::Int128{*limit.value} * 10 + limit.most / 2) / limit.most;
  const auto number = [](support::Int128 value) {
    return static_cast<int64_t>(std::min<support::Int128>(value, INT64_MAX));
  };
  const std::string times = tenths < 1000 ? fmt::format("{}.{}", number(tenths / 10), number(tenths % 10))
                                          : thousands(number((tenths + 5) / 10));
  return times + " times the budget";
}

std::string baseline_text(const CheckedLimit& limit) {
  const auto number = support::parse_digits<int64_t>(limit.text.substr(0, limit.text.find(' ')));
  return number ? thousands(*number) + (is_time(limit) ? " cycles" : "") : support::printable(limit.text);
}

std::string limit_text(const CheckedLimit& limit, const CheckResult& result) {
  const std::string unit = limit.quantity == Quantity::registers ? "" : " " + std::string(unit_of(limit.quantity));
  std::string value = "not known";
  if (limit.value) {
    value = (limit.quantity == Quantity::makespan ? "<= " : "") + thousands(*limit.value) + unit;
    const bool timed = is_time(limit) && result.report && result.report.get()->machine.clock_khz > 0;
    if (timed) value += " = " + duration(*limit.value, result.report.get()->machine.clock_khz);
  }
  const std::string most = thousands(limit.most) + unit;
  const bool in_time = is_time(limit) && limit.text.find("cycle") == std::string::npos;
  const std::string tolerance = limit.tolerance.empty() ? "" : " and " + limit.tolerance;
  const std::string written = limit.since_baseline ? baseline_text(limit) : support::printable(limit.text);
  std::string text = value + (limit.since_baseline ? ", baseline " : ", budget ") +
                     (in_time || limit.since_baseline ? written + tolerance + " (" + most + ")" : most);
  if (limit.value && limit.most > 0) {
    const bool is_far = support::Int128{*limit.value} > support::Int128{limit.most} * 2;
    const bool is_over = *limit.value > limit.most;
    text += is_far    ? ", over: " + headroom_text(limit)
            : is_over ? ", over by " + percent(-*headroom(limit))
                      : ", headroom " + headroom_text(limit);
  }
  return text;
}

std::string summary_of(const CheckReport& report) {
  const auto count = [&report](Verdict verdict) {
    return std::count_if(report.results.begin(), report.results.end(),
                         [verdict](const CheckResult& result) { return result.verdict == verdict; });
  };
  const auto budgets = static_cast<int64_t>(report.results.size()) - count(Verdict::unused);
  return fmt::format("{} of {} budgets hold", thousands(count(Verdict::pass)), thousands(budgets));
}

std::string assumed_text(const CheckResult& result) {
  const auto kernel = result.report.get();
  const std::vector<std::string> assumed = names_of(kernel->assumed);
  const auto rung = rung_for(result, kernel->analysis);
  if (!rung && assumed.empty()) return {};
  const std::string usual = usual_text(result, *kernel);
  const std::string text = assumed.empty() ? "nothing is granted" : "granted: " + joined(assumed);
  if (!rung) return text + usual;
  const auto& ladder = kernel->analysis.ladder;
  std::vector<std::string> more = names_up_to(ladder, *rung);
  std::erase_if(more, [&assumed](const std::string& name) {
    return std::find(assumed.begin(), assumed.end(), name) != assumed.end();
  });
  const int64_t makespan = *ladder[*rung].makespan;
  return text + "; " + support::enumeration(more) + (assumed.empty() ? "" : " too") + " would make it " +
         counted(makespan, "cycle") + " = " + duration(makespan, kernel->machine.clock_khz) +
         (makespan <= most_cycles_of(result) ? ", within the budget" : ", which is still over") + usual;
}

std::string bound_detail(const CheckResult& result) {
  if (!result.report) return {};
  const auto looked_at = result.report.get();
  const KernelReport& kernel = *looked_at;
  std::string text = assumed_text(result);
  if (!text.empty()) text += "\n";
  if (const solver::Bound* bound = headline_bound(kernel.analysis)) {
    const std::string parts = breakdown(*bound, kernel.analysis.fetch, {});
    if (!parts.empty()) text += "cycles of the bound\n" + parts;
  }
  std::vector<Row> rows;
  for (size_t i = 0; i < std::min<size_t>(kernel.lines.size(), 3); ++i) {
    const LineCost& line = kernel.lines[i];
    const std::string file = support::printable(line.file);
    rows.push_back({file + ":" + std::to_string(line.line), thousands(line.cycles()),
                    support::printable(single_blanks(line.text))});
  }
  if (!rows.empty()) text += "costliest lines\n" + table({Align::left, Align::right, Align::left}, rows, 4);
  return text;
}

}  // namespace warpspan::app
