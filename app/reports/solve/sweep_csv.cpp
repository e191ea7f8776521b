// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep as a table for other programs: a heading, then one line for each number of warps: warps, lower, upper, exact,
// seconds that it took, and a column for each method asked for other than exact. A field without a value is empty.
// Comma-separated, RFC 4180 but for its line ends, which are single.
#include <fmt/format.h>

#include "app/reports/solve/solve_formats.hpp"

namespace warpspan::app {

namespace {

std::string field(const std::optional<int64_t>& value) { return value ? std::to_string(*value) : std::string(); }

}  // namespace

std::string to_csv(const SolveReport& report, const TextStyle&) {
  std::string out = "warps,lower,upper,exact,exact_seconds";
  for (const solver::Method method : report.problem.methods) {
    if (method != solver::Method::exact) out += fmt::format(",{}", to_string(method));
  }
  out += "\n";
  for (const auto& [warps, solution] : report.solved) {
    out +=
        fmt::format("{},{},{},{},", warps, field(solution.lower), field(solution.upper), field(exact_value(solution)));
    if (result_of(solution, solver::Method::exact) != nullptr) out += fmt::format("{:.6f}", exact_seconds(solution));
    for (const solver::Method method : report.problem.methods) {
      if (method == solver::Method::exact) continue;
      const solver::Bound* bound = result_of(solution, method);
      const bool is_answer = bound != nullptr && bound->status == solver::Status::optimal;
      out += "," + (is_answer ? field(bound->makespan) : std::string());
    }
    out += "\n";
  }
  return out;
}

}  // namespace warpspan::app
