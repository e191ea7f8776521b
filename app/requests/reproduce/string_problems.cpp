// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/reproduce/string_problems.hpp"

#include "app/reports/solve/schedule_text.hpp"
#include "solver/strings/schedules/string.hpp"
#include "solver/strings/search/exact_search.hpp"

namespace warpspan::app {

namespace {

constexpr std::string_view classes = "LCS";
constexpr int64_t longest_string = 1000;

}  // namespace

solver::StringProblem string_problem(const std::string& letters, int64_t warps, const std::vector<int64_t>& servers) {
  solver::StringProblem problem{{}, warps, servers};
  for (const char letter : letters) problem.string.push_back({static_cast<int>(classes.find(letter)), 1, {}});
  return problem;
}

int64_t exact_makespan(const solver::StringProblem& problem) {
  return solver::exact_search(problem).bound.makespan.value_or(0);
}

Drawing worst_schedule(const std::string& caption, const std::string& letters, const solver::StringProblem& problem) {
  solver::SearchOptions options;
  options.schedule = true;
  const auto found = solver::exact_search(problem, {}, options);
  return {caption, found.schedule ? draw(*found.schedule, letters) : "  " + found.bound.remark + "\n"};
}

std::string checked_schedule(const std::vector<std::string>& rows, const solver::StringProblem& problem) {
  const auto symbols = solver::expand(problem.string, longest_string);
  solver::Schedule schedule;
  for (const std::string& row : rows) {
    schedule.cycles.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i] == '.') continue;
      // The letter is the one that the string has there.
      const size_t at = schedule.cycles.back().size();
      const size_t drawn = row[i] == 'S' ? 0 : classes.find(row[i]);
      if (!symbols || at >= symbols->size() || drawn != static_cast<size_t>((*symbols)[at])) return "another string";
      schedule.cycles.back().push_back(static_cast<int64_t>(i) + 1);
    }
  }
  const auto makespan = symbols ? solver::makespan_of(schedule, *symbols, problem.servers) : std::nullopt;
  return makespan ? std::to_string(*makespan) + " cycles" : "not work-conserving";
}

}  // namespace warpspan::app
