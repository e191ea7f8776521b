// SPDX-License-Identifier: GPL-3.0-or-later
// A gate with a result of every verdict, and one with names that try to break out of every format.
#pragma once

#include "app/reports/check/check_report.hpp"
#include "tests/app/reports/example_report.hpp"

namespace warpspan::test {

inline app::CheckedLimit limit(app::CheckedLimit::Quantity quantity, std::optional<int64_t> value, int64_t most,
                               std::string text, app::Verdict verdict) {
  return {quantity, value, most, std::move(text), verdict};
}

inline support::Diagnostic input_error(const std::string& file, int64_t line, std::string message,
                                       std::string help = {}) {
  support::Diagnostic error;
  error.location = {file, line, line > 0 ? 3 : 0};
  error.message = std::move(message);
  error.help = std::move(help);
  return error;
}

// The kernel of example_kernel(), at 1 GHz with a bound of 8,203 cycles, under that entry and verdict.
inline app::CheckResult checked_kernel(int64_t entry_line, app::Verdict verdict) {
  app::CheckResult result;
  result.file = "fir.ptx";
  result.kernel = "_Z6reduceILi512EEvPKfPfi";
  result.entry = {"budgets.toml", entry_line, 1};
  result.location = {"fir.ptx", 12, 1};
  result.verdict = verdict;
  result.limited_by = "waiting for issue slots";
  result.report = example_kernel();
  result.report.edit().lines = {{"src/fir.cu", 42, 1000, 4000, 3503, "issue", "sum += taps[i] * in[i];", "src/fir.cu"},
                                {"src/fir.cu", 43, 1000, 500, 100, "load_store", "}", "src/fir.cu"},
                                {"src/fir.cu", 40, 1, 60, 0, "", "float sum = 0;", "src/fir.cu"},
                                {"src/fir.cu", 39, 1, 40, 0, "", "{", "src/fir.cu"}};
  return result;
}

// One result of every verdict, in their order, and an error of a file.
inline app::CheckReport example_check_report() {
  using Quantity = app::CheckedLimit::Quantity;
  using app::Verdict;
  app::CheckReport report;
  report.budgets = "budgets.toml";
  app::CheckResult pass = checked_kernel(3, Verdict::pass);
  pass.limits = {limit(Quantity::makespan, 8203, 10000, "10 us", Verdict::pass),
                 limit(Quantity::registers, 32, 64, "64", Verdict::pass)};
  app::CheckResult over = checked_kernel(9, Verdict::over);
  over.label = "large";
  over.limits = {limit(Quantity::makespan, 8203, 8000, "8000 cycles", Verdict::over),
                 limit(Quantity::spill, 16, 0, "0", Verdict::over)};
  app::CheckResult fell = checked_kernel(15, Verdict::fell);
  fell.label = "small";
  fell.limits = {limit(Quantity::makespan, 8203, 90000, "0.09 ms", Verdict::fell)};
  app::CheckResult unbounded;
  unbounded.file = "search.ptx";
  unbounded.kernel = "search";
  unbounded.entry = {"budgets.toml", 21, 1};
  unbounded.location = {"search.ptx", 7, 1};
  unbounded.limits = {limit(Quantity::makespan, std::nullopt, 5000, "5000 cycles", Verdict::unbounded)};
  unbounded.errors = {
      input_error("search.ptx", 30, "the loop at '$L__BB0_4' has no bound", "give --loop-bound '$L__BB0_4=N'")};
  app::CheckResult missing;
  missing.kernel = "saxpi";
  missing.entry = {"budgets.toml", 27, 1};
  missing.verdict = Verdict::missing;
  missing.errors = {input_error("budgets.toml", 27, "no kernel is called 'saxpi'", "did you mean 'saxpy'?")};
  app::CheckResult unused;
  unused.file = "fir.ptx";
  unused.kernel = "scale";
  unused.location = {"fir.ptx", 90, 1};
  unused.verdict = Verdict::unused;
  unused.errors = {input_error("fir.ptx", 90, "no budget is for kernel 'scale'")};
  report.results = {pass, over, fell, unbounded, missing, unused};
  report.errors = {unbounded.errors[0], missing.errors[0], unused.errors[0],
                   support::usage_error("cannot read 'gone.ptx': No such file or directory")};
  support::Diagnostic warning = input_error("budgets.toml", 5, "the fact is used by no loop");
  warning.severity = support::Severity::warning;
  report.errors.push_back(warning);
  return report;
}

// Markup, quotes, commands, control characters, what is no UTF-8, what XML cannot hold, line ends.
inline const std::string hostile_text =
    "<b a=\"1\" "
    "b='2'>&amp;]]>|`x`|*_[a](b)$y$\\|%0A,:::error::{0}\r\n::error::\x01\x1b[31m\xff\xc3(\xef\xbf\xbf\xe2\x80\xae\t#1";

// Hostile text wherever text from outside stands; `limited_by` and the texts of limits are words of ours by then.
inline app::CheckReport hostile_check_report(const std::string& text = hostile_text) {
  app::CheckReport report = example_check_report();
  report.budgets = "folder/" + text + ".toml";
  for (app::CheckResult& result : report.results) {
    if (!result.file.empty()) result.file = result.location.file = text + ".ptx";
    result.kernel = result.label = text;
    result.entry.file = report.budgets;
    for (support::Diagnostic& error : result.errors) error.message = error.help = error.location.file = text;
    if (!result.report) continue;
    result.report.edit().machine.name = text;
    for (app::LineCost& line : result.report.edit().lines) line.file = line.path = line.text = line.resource = text;
    for (timing::ModelBound& bound : result.report.edit().analysis.bounds) {
      for (solver::Part& part : bound.bound.parts) part.name = text;
    }
  }
  for (support::Diagnostic& error : report.errors) error.message = error.help = error.location.file = text;
  return report;
}

}  // namespace warpspan::test
