// SPDX-License-Identifier: GPL-3.0-or-later
// With a(i,t) and n(i,t) as in the header, W workers, s_k servers, and i - 1 standing for "not yet begun":
//
//   n(1,1) = W, n(i,1) = 0                        all start at once
//   n(i,t+1) = n(i,t) - a(i,t) + a(i-1,t)         who executes a symbol has the next one next
//   a(i,t) <= n(i,t)                              in order, one per cycle
//   sum over t of a(i,t) = W                      every symbol is executed, within the horizon
//   sum over i of class k of a(i,t) in s_k full(k,t) .. s_k
//   sum over i of class k of (n - a)(i,t) <= (W - s_k) full(k,t)
//                                                 workers wait only for a class without a spare server, and where s_k
//                                                 execute no more than W - s_k are left to wait
//   open(t) <= sum over i of n(i,t), open(t+1) <= open(t)
//
// Maximise the sum of open(t): the cycles until the last worker ends. Each schedule has one set of counts,
// and counts are those of at least one schedule: let any a(i,t) of the n(i,t) execute.
#include "solver/strings/programs/count_ilp.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace warpspan::solver {

using support::Integer;

namespace {

ProgramSize size_of(const Dimensions& d) {
  return {
      d.symbols * (d.cycles + d.cycles - 1) + d.symbols + Integer(3) * d.classes * d.cycles + d.cycles + d.cycles - 1,
      Integer(2) * d.symbols * d.cycles + d.classes * d.cycles + d.cycles};
}

// Symbols and cycles count from 0 here, in names from 1.
class Builder {
 public:
  explicit Builder(const HorizonProblem& problem) : problem_(problem) {}

  LinearProgram build() {
    add_variables();
    for (size_t i = 0; i < length(); ++i) add_symbol(i);
    for (size_t c = 0; c < problem_.classes.size(); ++c) {
      for (size_t t = 0; t < cycles(); ++t) add_class(c, t);
    }
    add_end();
    return std::move(program_);
  }

  size_t a(size_t i, size_t t) const { return i * cycles() + t; }

 private:
  using Terms = std::vector<std::pair<size_t, int64_t>>;
  using Limit = std::optional<int64_t>;

  size_t length() const { return problem_.symbols.size(); }
  size_t cycles() const { return problem_.cycles; }
  int64_t workers() const { return static_cast<int64_t>(problem_.workers); }
  size_t n(size_t i, size_t t) const { return (length() + i) * cycles() + t; }
  // c counts the classes that occur.
  size_t full(size_t c, size_t t) const { return (2 * length() + c) * cycles() + t; }
  size_t open(size_t t) const { return (2 * length() + problem_.classes.size()) * cycles() + t; }

  void add_row(std::string row_name, Limit lower, Limit upper, Terms terms) {
    program_.rows.push_back({std::move(row_name), lower, upper, std::move(terms)});
  }

  void add_variables() {
    auto& variables = program_.variables;
    for (size_t i = 0; i < length(); ++i) {
      const int64_t servers = problem_.servers[problem_.class_of(i)];
      for (size_t t = 0; t < cycles(); ++t) variables.push_back({indexed_name("a", i + 1, t + 1), 0, servers, true, 0});
    }
    for (size_t i = 0; i < length(); ++i) {
      for (size_t t = 0; t < cycles(); ++t) {  // whole because a is
        const int64_t least = i == 0 && t == 0 ? workers() : 0;
        const int64_t most = t == 0 ? least : workers();
        variables.push_back({indexed_name("n", i + 1, t + 1), least, most, false, 0});
      }
    }
    for (const size_t k : problem_.classes) {
      for (size_t t = 0; t < cycles(); ++t) variables.push_back({indexed_name("full", k, t + 1), 0, 1, true, 0});
    }
    for (size_t t = 0; t < cycles(); ++t) variables.push_back({indexed_name("open", t + 1), 0, 1, true, 1});
  }

  void add_symbol(size_t i) {
    for (size_t t = 0; t + 1 < cycles(); ++t) {
      Terms terms{{n(i, t + 1), 1}, {n(i, t), -1}, {a(i, t), 1}};
      if (i > 0) terms.emplace_back(a(i - 1, t), -1);
      add_row(indexed_name("flow", i + 1, t + 1), 0, 0, std::move(terms));
    }
    Terms all;
    for (size_t t = 0; t < cycles(); ++t) {
      add_row(indexed_name("ready", i + 1, t + 1), {}, 0, {{a(i, t), 1}, {n(i, t), -1}});
      all.emplace_back(a(i, t), 1);
    }
    add_row(indexed_name("all", i + 1), workers(), workers(), std::move(all));
  }

  void add_class(size_t c, size_t t) {
    const size_t k = problem_.classes[c];
    const int64_t servers = problem_.servers[k];
    Terms executing, waiting;
    for (size_t i = 0; i < length(); ++i) {
      if (problem_.class_of(i) != k) continue;
      executing.emplace_back(a(i, t), 1);
      waiting.emplace_back(n(i, t), 1);
      waiting.emplace_back(a(i, t), -1);
    }
    add_row(indexed_name("capacity", k, t + 1), {}, servers, executing);
    executing.emplace_back(full(c, t), -servers);
    add_row(indexed_name("full_only_if", k, t + 1), 0, {}, std::move(executing));
    waiting.emplace_back(full(c, t), servers - workers());
    add_row(indexed_name("waiting", k, t + 1), {}, 0, std::move(waiting));
  }

  void add_end() {
    for (size_t t = 0; t < cycles(); ++t) {
      Terms terms{{open(t), -1}};
      for (size_t i = 0; i < length(); ++i) terms.emplace_back(n(i, t), 1);
      add_row(indexed_name("open_if", t + 1), 0, {}, std::move(terms));
      if (t > 0) add_row(indexed_name("open_before", t + 1), 0, {}, {{open(t - 1), 1}, {open(t), -1}});
    }
  }

  const HorizonProblem& problem_;
  LinearProgram program_;
};

// A schedule with these counts, in which the workers with the smallest numbers execute first; nothing if more workers
// were to execute a symbol than have it next, or if not all end.
std::optional<Schedule> read_back(const HorizonProblem& problem, const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const Builder layout(problem);
  Schedule schedule{std::vector<std::vector<int64_t>>(problem.workers)};
  for (size_t t = 0; t < problem.cycles; ++t) {
    std::vector<long long> executing;
    for (size_t i = 0; i < problem.symbols.size(); ++i) executing.push_back(std::llround(values[layout.a(i, t)]));
    for (auto& cycles : schedule.cycles) {
      if (cycles.size() == problem.symbols.size() || executing[cycles.size()] == 0) continue;
      --executing[cycles.size()];
      cycles.push_back(static_cast<int64_t>(t) + 1);
    }
    if (std::any_of(executing.begin(), executing.end(), [](long long left) { return left != 0; })) return std::nullopt;
  }
  for (const auto& cycles : schedule.cycles) {
    if (cycles.size() != problem.symbols.size()) return std::nullopt;
  }
  return schedule;
}

}  // namespace

support::Result<LinearProgram> build_count_ilp(const StringProblem& problem, const CountIlpOptions& options) {
  const auto over = over_horizon(problem, {Horizon::safe, options.known_bound}, size_of, options.most_entries);
  if (const auto* refusal = std::get_if<Refusal>(&over)) return support::usage_error(refusal->remark);
  return Builder(std::get<HorizonProblem>(over)).build();
}

IlpResult count_ilp(const StringProblem& problem, const ProgramLimits& limits, const CountIlpOptions& options) {
  const char* method = "ilp-count";
  auto over = over_horizon(problem, {Horizon::safe, options.known_bound}, size_of, options.most_entries);
  if (auto* refusal = std::get_if<Refusal>(&over)) return refused(method, std::move(*refusal));
  const auto& horizon_problem = std::get<HorizonProblem>(over);
  const ProgramSolution solution = solve(Builder(horizon_problem).build(), limits);
  return interpret(method, horizon_problem, solution, read_back(horizon_problem, solution.values), limits);
}

}  // namespace warpspan::solver
