// SPDX-License-Identifier: GPL-3.0-or-later
// The paper writes a program for two classes, with a variable for each class, worker, symbol and cycle, of which only
// the one of the symbol's own class may be 1; here only that one exists, so that its rows (10) and (17) become
// "executed once". Its two-sided rows (33), (34), (36), (37) bound a boolean expression that has to be 1, which leaves
// their right side: the left one, at most 1, is always true. Everything else is row for row the one of figure 3.
#include "solver/strings/programs/published_ilp.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace warpspan::solver {

using support::Integer;

namespace {

template <WorkConservation form>
ProgramSize size_of(const Dimensions& d) {
  const Integer cells = d.workers * d.symbols * d.cycles;
  const Integer conserving = form == WorkConservation::short_rows ? cells : d.workers * d.classes * d.cycles;
  const Integer once_and_order = d.workers * (d.symbols + d.symbols - 1);
  return {Integer(3) * d.classes * d.cycles + d.workers - 1 + d.workers * d.classes * d.cycles + once_and_order +
              conserving,
          cells + d.classes * d.cycles};
}

// Workers, symbols and cycles count from 0 here, in names and coefficients from 1.
class Builder {
 public:
  explicit Builder(const HorizonProblem& problem) : problem_(problem) {}

  LinearProgram build(WorkConservation form) {
    add_variables();
    for (size_t c = 0; c < problem_.classes.size(); ++c) add_capacity(c);
    add_last_worker();
    for (size_t w = 0; w < problem_.workers; ++w) add_worker(w);
    for (size_t c = 0; c < problem_.classes.size(); ++c) add_full(c);
    if (form == WorkConservation::short_rows) add_short_rows();
    if (form == WorkConservation::long_rows) add_long_rows();
    return std::move(program_);
  }

  size_t x(size_t w, size_t i, size_t t) const { return (w * length() + i) * cycles() + t; }

 private:
  using Terms = std::vector<std::pair<size_t, int64_t>>;
  using Limit = std::optional<int64_t>;

  size_t length() const { return problem_.symbols.size(); }
  size_t cycles() const { return problem_.cycles; }
  // c counts the classes that occur.
  size_t full(size_t c, size_t t) const { return (problem_.workers * length() + c) * cycles() + t; }
  int64_t servers(size_t c) const { return problem_.servers[problem_.classes[c]]; }
  bool is_of(size_t i, size_t c) const { return problem_.class_of(i) == problem_.classes[c]; }

  void add_row(std::string row_name, Limit lower, Limit upper, Terms terms) {
    program_.rows.push_back({std::move(row_name), lower, upper, std::move(terms)});
  }

  void add_variables() {
    for (size_t w = 0; w < problem_.workers; ++w) {
      for (size_t i = 0; i < length(); ++i) {
        for (size_t t = 0; t < cycles(); ++t) {
          const bool counts = w + 1 == problem_.workers && i + 1 == length();  // equation 13
          program_.variables.push_back(
              {indexed_name("x", w + 1, i + 1, t + 1), 0, 1, true, counts ? static_cast<int64_t>(t) + 1 : 0});
        }
      }
    }
    for (const size_t k : problem_.classes) {
      for (size_t t = 0; t < cycles(); ++t)
        program_.variables.push_back({indexed_name("full", k, t + 1), 0, 1, true, 0});
    }
  }

  // All that execute class c in cycle t.
  Terms executing(size_t c, size_t t) const {
    Terms terms;
    for (size_t w = 0; w < problem_.workers; ++w) append_class(terms, w, c, t);
    return terms;
  }
  void append_class(Terms& terms, size_t w, size_t c, size_t t) const {
    for (size_t i = 0; i < length(); ++i) {
      if (is_of(i, c)) terms.emplace_back(x(w, i, t), 1);
    }
  }
  // The cycle of a symbol, equation 19, times a factor.
  void append_cycle(Terms& terms, size_t w, size_t i, int64_t factor) const {
    for (size_t t = 0; t < cycles(); ++t) terms.emplace_back(x(w, i, t), factor * (static_cast<int64_t>(t) + 1));
  }

  void add_capacity(size_t c) {  // (14), (15)
    for (size_t t = 0; t < cycles(); ++t) {
      add_row(indexed_name("capacity", problem_.classes[c], t + 1), {}, servers(c), executing(c, t));
    }
  }

  void add_last_worker() {
    for (size_t w = 0; w + 1 < problem_.workers; ++w) {
      Terms terms;
      append_cycle(terms, w, length() - 1, -1);
      append_cycle(terms, problem_.workers - 1, length() - 1, 1);
      add_row(indexed_name("last", w + 1), 0, {}, std::move(terms));
    }
  }

  void add_worker(size_t w) {
    for (size_t t = 0; t < cycles(); ++t) {  // (16)
      for (size_t c = 0; c < problem_.classes.size(); ++c) {
        Terms terms;
        append_class(terms, w, c, t);
        add_row(indexed_name("one", w + 1, problem_.classes[c], t + 1), {}, 1, std::move(terms));
      }
    }
    for (size_t i = 0; i < length(); ++i) {  // (17)
      Terms terms;
      for (size_t t = 0; t < cycles(); ++t) terms.emplace_back(x(w, i, t), 1);
      add_row(indexed_name("once", w + 1, i + 1), 1, 1, std::move(terms));
    }
    for (size_t i = 0; i + 1 < length(); ++i) {  // (18)
      Terms terms;
      append_cycle(terms, w, i, -1);
      append_cycle(terms, w, i + 1, 1);
      add_row(indexed_name("order", w + 1, i + 1), 1, {}, std::move(terms));
    }
  }

  void add_full(size_t c) {  // (40), (41)
    for (size_t t = 0; t < cycles(); ++t) {
      Terms at_least = executing(c, t);
      for (auto& term : at_least) term.second = -1;
      Terms at_most = executing(c, t);
      at_least.emplace_back(full(c, t), 1);
      at_most.emplace_back(full(c, t), -servers(c));
      add_row(indexed_name("full_if", problem_.classes[c], t + 1), 1 - servers(c), {}, std::move(at_least));
      add_row(indexed_name("full_only_if", problem_.classes[c], t + 1), 0, {}, std::move(at_most));
    }
  }

  // TL and TC of the paper: 1 unless worker w is ready for symbol i in cycle t and does not execute it.
  void append_not_waiting(Terms& terms, size_t w, size_t i, size_t t) const {
    for (size_t later = t; i > 0 && later < cycles(); ++later) terms.emplace_back(x(w, i - 1, later), 1);
    for (size_t earlier = 0; earlier <= t; ++earlier) terms.emplace_back(x(w, i, earlier), 1);
  }

  void add_short_rows() {  // (34), (37)
    for (size_t w = 0; w < problem_.workers; ++w) {
      for (size_t i = 0; i < length(); ++i) {
        for (size_t t = 0; t < cycles(); ++t) add_short_row(w, i, t);
      }
    }
  }
  void add_short_row(size_t w, size_t i, size_t t) {
    Terms terms;
    append_not_waiting(terms, w, i, t);
    size_t c = 0;
    while (!is_of(i, c)) ++c;
    terms.emplace_back(full(c, t), 1);
    add_row(indexed_name("busy", w + 1, i + 1, t + 1), 1, {}, std::move(terms));
  }

  void add_long_rows() {  // (33), (36), times the length
    for (size_t w = 0; w < problem_.workers; ++w) {
      for (size_t c = 0; c < problem_.classes.size(); ++c) {
        for (size_t t = 0; t < cycles(); ++t) add_long_row(w, c, t);
      }
    }
  }
  void add_long_row(size_t w, size_t c, size_t t) {
    int64_t symbols = 0;
    Terms terms;
    for (size_t i = 0; i < length(); ++i) {
      if (!is_of(i, c)) continue;
      ++symbols;
      append_not_waiting(terms, w, i, t);
    }
    terms = summed(std::move(terms));
    terms.emplace_back(full(c, t), static_cast<int64_t>(length()));
    add_row(indexed_name("busy", w + 1, problem_.classes[c], t + 1), symbols, {}, std::move(terms));
  }
  // Each variable once.
  static Terms summed(Terms terms) {
    std::sort(terms.begin(), terms.end());
    Terms sums;
    for (const auto& [variable, coefficient] : terms) {
      if (sums.empty() || sums.back().first != variable) sums.emplace_back(variable, 0);
      sums.back().second += coefficient;
    }
    return sums;
  }

  const HorizonProblem& problem_;
  LinearProgram program_;
};

// The schedule that the values are once rounded, if each symbol is executed once.
std::optional<Schedule> read_back(const HorizonProblem& problem, const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const Builder layout(problem);
  Schedule schedule;
  for (size_t w = 0; w < problem.workers; ++w) {
    auto& cycles = schedule.cycles.emplace_back();
    for (size_t i = 0; i < problem.symbols.size(); ++i) {
      for (size_t t = 0; t < problem.cycles; ++t) {
        if (std::llround(values[layout.x(w, i, t)]) != 0) cycles.push_back(static_cast<int64_t>(t) + 1);
      }
      if (cycles.size() != i + 1) return std::nullopt;
    }
  }
  return schedule;
}

std::variant<HorizonProblem, Refusal> laid_out(const StringProblem& problem, const PublishedIlpOptions& options) {
  const bool is_short = options.work_conservation == WorkConservation::short_rows;
  const auto known_bound = options.horizon == Horizon::safe ? options.known_bound : std::nullopt;
  return over_horizon(problem, {options.horizon, known_bound},
                      is_short ? size_of<WorkConservation::short_rows> : size_of<WorkConservation::long_rows>,
                      options.most_entries);
}

}  // namespace

support::Result<LinearProgram> build_published_ilp(const StringProblem& problem, const PublishedIlpOptions& options) {
  const auto over = laid_out(problem, options);
  if (const auto* refusal = std::get_if<Refusal>(&over)) return support::usage_error(refusal->remark);
  return Builder(std::get<HorizonProblem>(over)).build(options.work_conservation);
}

IlpResult published_ilp(const StringProblem& problem, const ProgramLimits& limits, const PublishedIlpOptions& options) {
  const char* method = options.work_conservation == WorkConservation::short_rows ? "ilp" : "ilp-long";
  auto over = laid_out(problem, options);
  if (auto* refusal = std::get_if<Refusal>(&over)) return refused(method, std::move(*refusal));
  const auto& horizon_problem = std::get<HorizonProblem>(over);
  const ProgramSolution solution = solve(Builder(horizon_problem).build(options.work_conservation), limits);
  return interpret(method, horizon_problem, solution, read_back(horizon_problem, solution.values), limits);
}

}  // namespace warpspan::solver
