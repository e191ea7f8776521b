// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/check/baseline.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "app/reports/analyze/ladder.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/source_root.hpp"
#include "app/requests/check/check_budgets.hpp"
#include "app/requests/compare/compare_changes.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using Quantity = CheckedLimit::Quantity;

constexpr Quantity all_quantities[] = {Quantity::makespan, Quantity::expected, Quantity::registers, Quantity::spill,
                                       Quantity::stack,    Quantity::shared,   Quantity::constant};
static_assert(std::size(all_quantities) == quantities);

constexpr size_t most_named = 8;

std::string from_root(const std::string& root, const std::string& path) {
  return path_below(root, path).value_or(path);
}

// --- What an entry states.

std::string named(const std::string& what, const std::string& place, const std::string& value) {
  return what + " " + place + " = " + value;
}

// Which loops bounds are for changes with the code; what they say does not.
std::string bound_text(const ir::LoopBound& bound) {
  return bound.wait ? "wait " + std::to_string(*bound.wait) : "loop bound " + std::to_string(bound.trip_count);
}

std::vector<std::string> options_of(const Budget& budget, const CheckResult& result, const CheckRequest& request) {
  std::vector<std::string> all;
  const ir::Launch& stated = budget.launch;
  const auto kernel = result.report.get();
  const ir::Launch& launch = kernel ? kernel->launch : stated;  // with that of a file of facts
  if (launch.block) all.push_back("block " + extent(*launch.block));
  if (launch.grid) all.push_back("grid " + extent(*launch.grid));
  std::vector<std::string> facts;
  for (const auto& one : launch.arguments) facts.push_back(named("argument", ir::place_of(one), one.value));
  for (const auto& one : launch.globals) facts.push_back(named("variable", ir::place_of(one), one.value));
  for (const auto& one : launch.buffers) facts.push_back(named("buffer", ir::place_of(one), std::to_string(one.bytes)));
  for (const auto& one : launch.loop_bounds) facts.push_back(bound_text(one));
  for (const auto& one : launch.call_costs) facts.push_back(named("call", one.function, one.text));
  for (const auto& one : launch.recursions)
    facts.push_back(named("recursion", one.function, std::to_string(one.depth)));
  std::sort(facts.begin(), facts.end());
  all.insert(all.end(), facts.begin(), facts.end());
  if (stated.trust_initialisers) all.emplace_back("trusts initialisers");
  if (stated.registers) all.push_back("registers " + std::to_string(*stated.registers));
  if (stated.dynamic_shared) all.push_back("dynamic shared memory " + std::to_string(*stated.dynamic_shared));
  if (stated.interference) all.push_back("interference " + stated.interference->text);
  const std::vector<std::string> assumed = kernel ? names_of(kernel->assumed) : std::vector<std::string>();
  if (!assumed.empty()) all.push_back("assumes " + joined(assumed));
  if (!result.target.empty()) all.push_back("target " + result.target);
  const Compilation& how = budget.compilation;
  if (!how.flags.empty()) all.push_back("flags " + joined(how.flags, " "));
  if (!how.assembler.empty()) all.push_back("assembled by " + joined(how.assembler, " "));
  if (result.report && request.effort == SimulationEffort::full) all.emplace_back("simulated in full");
  return all;
}

// --- What it found.

bool is_of_source(const KernelReport& report, const LineCost& line) {
  return line.file != report.file && !line.file.starts_with("<PTX of ");
}

using LineKey = std::tuple<std::string, int64_t, std::string>;  // file, line, text

// Adds what lines have; what is left of the whole belongs to no line.
void add_lines(const KernelReport& report, const std::vector<LineCost>& lines, int64_t whole,
               int64_t BaselineLine::*cycles, std::map<LineKey, BaselineLine>& all) {
  const auto add = [&](const std::string& file, int64_t line, const std::string& text, int64_t more) {
    if (more == 0) return;
    BaselineLine& own = all.try_emplace({file, line, text}, BaselineLine{file, line, text}).first->second;
    own.*cycles += more;
    whole -= more;
  };
  std::map<int64_t, std::string> words;  // of instructions, by line of the input
  for (const CostlyInstruction& one : report.instructions) words.emplace(one.line, one.operation);
  for (const ListedCost& one : report.listing) {
    words.emplace(one.instruction.line, one.instruction.text.substr(0, one.instruction.text.find(' ')));
  }
  for (const LineCost& line : lines) {
    if (is_of_source(report, line)) {
      add(line.file, line.line, single_blanks(line.text), line.cycles());
      continue;
    }
    const auto word = words.find(line.line);
    add("", 0, word == words.end() ? "other instructions" : word->second, line.cycles());
  }
  add("", 0, "no instruction", whole);
}

std::vector<BaselineLine> lines_of(const CheckResult& result) {
  std::map<LineKey, BaselineLine> all;
  const auto kernel = result.report.get();
  if (!kernel) return {};
  const auto figure = [&result](Quantity quantity) { return result.figures[static_cast<size_t>(quantity)]; };
  if (const auto bound = figure(Quantity::makespan))
    add_lines(*kernel, kernel->lines, *bound, &BaselineLine::bound, all);
  if (const auto expected = figure(Quantity::expected))
    add_lines(*kernel, kernel->expected_lines, *expected, &BaselineLine::expected, all);
  std::vector<BaselineLine> lines;
  for (auto& [key, line] : all) lines.push_back(std::move(line));
  return lines;
}

std::optional<BaselineKernel> kept(const CheckResult& result, const Budget& budget, const RunRecord& run,
                                   const CheckRequest& request) {
  BaselineKernel one;
  one.figures = result.figures;
  if (std::none_of(one.figures.begin(), one.figures.end(), [](const auto& figure) { return figure.has_value(); })) {
    return std::nullopt;
  }
  one.kernel = result.kernel;
  one.file = from_root(request.source_root, result.file);
  one.label = result.label;
  one.options = options_of(budget, result, request);
  const auto report = result.report.get();
  if (!report) return one;
  one.machine = report->machine.name;
  for (const Hashed& machine : run.machines) {
    if (machine.name == one.machine) one.machine_sha256 += (one.machine_sha256.empty() ? "" : " ") + machine.sha256;
  }
  one.usual = report->analysis.usual;
  one.lines = lines_of(result);
  return one;
}

auto identity_of(const BaselineKernel& one) { return std::tie(one.file, one.kernel, one.machine, one.options); }

// --- What became of it.

// The lines of one side, as those of a report.
std::vector<LineCost> costs_of(const std::vector<BaselineLine>& lines, int64_t BaselineLine::*cycles) {
  std::vector<LineCost> costs;
  for (const BaselineLine& line : lines) {
    if (line.*cycles == 0) continue;
    LineCost cost;
    cost.file = line.file;
    cost.line = line.line;
    cost.text = line.text;
    cost.own = line.*cycles;
    costs.push_back(std::move(cost));
  }
  return costs;
}

// What grew most first.
std::vector<LineChange> changes_of(const BaselineKernel& before, const BaselineKernel& after,
                                   int64_t BaselineLine::*cycles) {
  std::vector<LineChange> changes = match_lines(costs_of(before.lines, cycles), costs_of(after.lines, cycles));
  std::stable_sort(changes.begin(), changes.end(),
                   [](const LineChange& a, const LineChange& b) { return a.change() > b.change(); });
  return changes;
}

// "grid 4 against grid 8": what only one side states.
std::string difference(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const auto only = [](const std::vector<std::string>& all, const std::vector<std::string>& others) {
    std::vector<std::string> own;
    for (const std::string& one : all) {
      if (std::find(others.begin(), others.end(), one) == others.end()) own.push_back(one);
    }
    return own.empty() ? std::string("nothing of it") : joined(own);
  };
  return only(before, after) + " then, " + only(after, before) + " now";
}

class Growth {
 public:
  Growth(const CheckRequest& request, Checked& checked)
      : request_(request), baseline_(*request.baseline), checked_(checked) {}

  void run() {
    for (size_t i = 0; i < results().size(); ++i) {
      now_.push_back(checked_.budgets[i] == nullptr
                         ? std::nullopt
                         : kept(results()[i], *checked_.budgets[i], checked_.report.run, request_));
      if (now_.back()) here_.insert({now_.back()->file, now_.back()->kernel});
    }
    tell_version();
    for (size_t i = 0; i < results().size(); ++i) {
      if (now_[i]) hold(*now_[i], *checked_.budgets[i], results()[i]);
    }
    tell_gone();
  }

 private:
  using Kernels = std::vector<const BaselineKernel*>;

  std::vector<CheckResult>& results() { return checked_.report.results; }

  // Bounds of another version may differ of code that is the same.
  void tell_version() {
    if (baseline_.version == program_version()) return;
    Diagnostic one = support::usage_error("the baseline is of warpspan " + baseline_.version + ", and this is " +
                                              program_version() + ": what grew may be due to that",
                                          renew());
    one.location.file = baseline_.name;
    if (!request_.growth) one.severity = support::Severity::note;
    checked_.report.errors.push_back(std::move(one));
  }

  // Of a pattern nothing else says so.
  void tell_gone() {
    std::vector<std::string> names;
    for (const BaselineKernel& one : baseline_.kernels) {
      if (met_.count(&one) != 0 || here_.count({one.file, one.kernel}) != 0) continue;
      const std::string name = "'" + support::short_name(one.kernel) + "' of " + one.file;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (names.empty()) return;
    const size_t count = names.size();
    if (count > most_named) names.resize(most_named);
    Diagnostic note;
    note.severity = support::Severity::note;
    note.location.file = baseline_.name;
    note.message = "the baseline has " + counted(static_cast<int64_t>(count), "kernel") +
                   " that nothing was checked of: " + support::enumeration(names) +
                   (count > names.size() ? " and others" : "");
    checked_.report.errors.push_back(std::move(note));
  }

  std::string renew() const { return "write it anew: --baseline " + baseline_.name + " --update-baseline"; }

  template <typename Condition>
  Kernels those(const Kernels& among, const Condition& condition) const {
    Kernels found;
    std::copy_if(among.begin(), among.end(), std::back_inserter(found),
                 [&](const BaselineKernel* one) { return condition(*one); });
    return found;
  }

  // The one of the same file, kernel, machine and options. Where no other result can be the one of the baseline's: of a
  // file that is called otherwise, and of a kernel whose parameters changed.
  Kernels candidates(const BaselineKernel& now) const {
    Kernels all;
    for (const BaselineKernel& one : baseline_.kernels) all.push_back(&one);
    const auto is_gone = [this](const BaselineKernel& one) { return here_.count({one.file, one.kernel}) == 0; };
    const auto same_name = [&now](const BaselineKernel& one) { return one.kernel == now.kernel; };
    const auto same_short_name = [&now](const BaselineKernel& one) {
      return support::short_name(one.kernel) == support::short_name(now.kernel);
    };
    const auto same_file = [&now](const BaselineKernel& one) { return one.file == now.file; };
    Kernels found = those(all, [&](const BaselineKernel& one) { return same_name(one) && same_file(one); });
    if (found.empty()) found = those(all, [&](const BaselineKernel& one) { return same_name(one) && is_gone(one); });
    if (found.empty()) {
      found =
          those(all, [&](const BaselineKernel& one) { return same_short_name(one) && same_file(one) && is_gone(one); });
    }
    return found;
  }

  void hold(const BaselineKernel& now, const Budget& budget, CheckResult& result) {
    const Kernels all = candidates(now);
    met_.insert(all.begin(), all.end());
    Kernels same =
        those(all, [&](const BaselineKernel& one) { return one.machine == now.machine && one.options == now.options; });
    SinceBaseline since;
    if (all.empty()) {
      since.unknown = "it is not in the baseline";
    } else if (same.empty()) {
      const BaselineKernel& near = *all.front();
      since.unknown = near.machine != now.machine
                          ? "the baseline has it on machine '" + near.machine + "', not '" + now.machine + "'"
                          : "the baseline has it with other options: " + difference(near.options, now.options);
    } else if (same.size() > 1) {
      since.unknown = "several files of the baseline have it";
    } else if (same.front()->machine_sha256 != now.machine_sha256) {
      since.unknown = "the figures of machine '" + now.machine + "' are not those of the baseline";
    } else {
      tell(*same.front(), now, since);
      if (request_.growth) limit(*same.front(), now, budget, result);
    }
    if (!since.unknown.empty()) refuse(since.unknown, budget, result);
    result.since = std::move(since);
    if (request_.growth) result.verdict = verdict_of(result);
  }

  void tell(const BaselineKernel& before, const BaselineKernel& now, SinceBaseline& since) const {
    const auto add = [&since](std::string_view name, std::string_view unit, const std::optional<int64_t>& was,
                              const std::optional<int64_t>& is) {
      if (was && is) since.figures.push_back({std::string(name), std::string(unit), *was, *is});
    };
    for (const Quantity quantity : all_quantities) {
      const auto i = static_cast<size_t>(quantity);
      add(to_string(quantity), unit_of(quantity), before.figures[i], now.figures[i]);
      if (quantity == Quantity::makespan) add("usual", "cycles", before.usual, now.usual);
    }
    since.bound = changes_of(before, now, &BaselineLine::bound);
    since.expected = changes_of(before, now, &BaselineLine::expected);
  }

  void limit(const BaselineKernel& before, const BaselineKernel& now, const Budget& budget, CheckResult& result) {
    for (const Quantity quantity : all_quantities) {
      const auto i = static_cast<size_t>(quantity);
      limit(quantity, before.figures[i], result.figures[i], budget, result);
    }
    limit(Quantity::usual, before.usual, now.usual, budget, result);
  }

  void limit(Quantity quantity, const std::optional<int64_t>& was, const std::optional<int64_t>& is,
             const Budget& budget, CheckResult& result) {
    if (!was) return;
    CheckedLimit limit;
    limit.quantity = quantity;
    limit.value = is;
    limit.since_baseline = true;
    limit.text = std::to_string(*was) + (is_time(limit) ? " cycles" : "");
    limit.tolerance = request_.growth->text;
    limit.most = with_tolerance(*was, *request_.growth).value_or(INT64_MAX);
    limit.verdict = Verdict::pass;
    if (!limit.value) {
      limit.verdict = Verdict::unbounded;
      refuse("the baseline has its " + std::string(to_string(quantity)) + ", which are not known now", budget, result);
    } else if (*limit.value > limit.most) {
      limit.verdict = Verdict::grew;
    }
    result.limits.push_back(std::move(limit));
  }

  // What cannot be told is never silent; where it decides, it fails.
  void refuse(const std::string& why, const Budget& budget, CheckResult& result) const {
    const std::string name = "'" + support::short_name(result.kernel) + "'";
    Diagnostic one = at_budget(budget, "what grew of kernel " + name + " is not known: " + why, renew());
    if (!request_.growth) {
      one.severity = support::Severity::note;
      one.source_line.clear();
    }
    result.errors.push_back(std::move(one));
  }

  const CheckRequest& request_;
  const Baseline& baseline_;
  Checked& checked_;
  std::vector<std::optional<BaselineKernel>> now_;      // by result
  std::set<std::pair<std::string, std::string>> here_;  // files and kernels of results
  std::set<const BaselineKernel*> met_;                 // that some result may be
};

}  // namespace

Baseline baseline_of(const Checked& checked, const CheckRequest& request) {
  Baseline baseline;
  baseline.version = program_version();
  for (size_t i = 0; i < checked.report.results.size(); ++i) {
    if (checked.budgets[i] == nullptr) continue;
    auto one = kept(checked.report.results[i], *checked.budgets[i], checked.report.run, request);
    if (one) baseline.kernels.push_back(std::move(*one));
  }
  std::stable_sort(baseline.kernels.begin(), baseline.kernels.end(),
                   [](const auto& a, const auto& b) { return identity_of(a) < identity_of(b); });
  const auto last = std::unique(baseline.kernels.begin(), baseline.kernels.end(),
                                [](const auto& a, const auto& b) { return identity_of(a) == identity_of(b); });
  baseline.kernels.erase(last, baseline.kernels.end());
  return baseline;
}

void hold_against_baseline(const CheckRequest& request, Checked& checked) {
  if (request.baseline) Growth(request, checked).run();
}

}  // namespace warpspan::app
