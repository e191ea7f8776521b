// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/check/check_report.hpp"

#include <algorithm>

#include "app/reports/diagnostics.hpp"

namespace warpspan::app {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::over: return "over";
    case Verdict::slower: return "slower";
    case Verdict::grew: return "grew";
    case Verdict::fell: return "fell";
    case Verdict::unbounded: return "unbounded";
    case Verdict::missing: return "missing";
    case Verdict::unused: return "unused";
  }
  return "unbounded";
}

bool misses(Verdict verdict) {
  return verdict == Verdict::over || verdict == Verdict::slower || verdict == Verdict::grew || verdict == Verdict::fell;
}

std::string_view to_string(CheckedLimit::Quantity quantity) {
  switch (quantity) {
    case CheckedLimit::Quantity::makespan: return "makespan";
    case CheckedLimit::Quantity::expected: return "expected";
    case CheckedLimit::Quantity::registers: return "registers";
    case CheckedLimit::Quantity::spill: return "spill";
    case CheckedLimit::Quantity::stack: return "stack";
    case CheckedLimit::Quantity::shared: return "shared";
    case CheckedLimit::Quantity::constant: return "constant";
    case CheckedLimit::Quantity::usual: return "usual";
  }
  return "makespan";
}

std::string_view unit_of(CheckedLimit::Quantity quantity) {
  switch (quantity) {
    case CheckedLimit::Quantity::makespan:
    case CheckedLimit::Quantity::usual:
    case CheckedLimit::Quantity::expected: return "cycles";
    case CheckedLimit::Quantity::registers: return "registers";
    default: return "bytes";
  }
}

bool is_time(const CheckedLimit& limit) { return unit_of(limit.quantity) == "cycles"; }

Verdict verdict_of(const CheckResult& result) {
  const auto some = [&result](Verdict verdict) {
    return std::any_of(result.limits.begin(), result.limits.end(),
                       [verdict](const CheckedLimit& limit) { return limit.verdict == verdict; });
  };
  for (const Verdict verdict : {Verdict::over, Verdict::slower, Verdict::grew}) {
    if (some(verdict)) return verdict;
  }
  if (some(Verdict::unbounded) || has_error(result.errors) || result.limits.empty()) return Verdict::unbounded;
  return some(Verdict::fell) ? Verdict::fell : Verdict::pass;
}

bool passes(const CheckReport& report) {
  const auto passed = [](const CheckResult& result) { return result.verdict == Verdict::pass; };
  return !report.results.empty() && std::all_of(report.results.begin(), report.results.end(), passed) &&
         !has_error(report.errors);
}

ExitStatus status_of(const CheckReport& report) { return exit_status(report.errors, !passes(report)); }

}  // namespace warpspan::app
