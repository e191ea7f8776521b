// SPDX-License-Identifier: GPL-3.0-or-later
// Linear and integer programs as plain data, and their solution by a worker process that cannot take the program down.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpspan::solver {

// Maximise objective . x subject to rows, bounds and integrality. All coefficients are integers.
struct LinearProgram {
  struct Variable {
    std::string name;
    std::optional<int64_t> lower = 0;  // none: unbounded below
    std::optional<int64_t> upper;      // none: unbounded above
    bool is_integer = false;
    int64_t objective = 0;
  };
  struct Row {
    std::string name;
    std::optional<int64_t> lower;  // lower <= sum of terms <= upper; at least one is set
    std::optional<int64_t> upper;
    std::vector<std::pair<size_t, int64_t>> terms;  // variable, coefficient; each variable at most once
  };
  std::vector<Variable> variables;
  std::vector<Row> rows;
};

// "x(1,2,3)".
template <typename... Numbers>
std::string indexed_name(const char* prefix, Numbers... numbers) {
  std::string made = std::string(prefix) + "(";
  ((made += std::to_string(numbers) + ","), ...);
  made.back() = ')';
  return made;
}

struct ProgramLimits {
  double seconds = 10;
  int64_t memory = int64_t{1} << 30;          // bytes of the worker
  const std::atomic<bool>* cancel = nullptr;  // ends the worker soon after it becomes true
};

struct ProgramSolution {
  enum class Status : uint8_t {
    optimal,     // as the solver reports it
    feasible,    // the time was up; values and dual_bound are the best until then
    time_limit,  // the time was up, or cancelled, before a solution was found; there may be a dual_bound
    too_large,   // the memory was not enough
    infeasible,
    unbounded,
    failed,  // the solver gave up or broke off, as it does for a program that names a variable twice in a row
  };
  Status status = Status::failed;
  // Values of the variables of the best solution found, in floating point: to be rounded and checked by whoever asked.
  // Empty if there is none.
  std::vector<double> values;
  // Multipliers of the rows of a linear program that was solved to optimality: what the optimum gains for each unit
  // that the row's bound moves up. Empty for integer programs.
  std::vector<double> duals;
  // An upper bound on the optimum as the solver reports it (not certified); none if it has none.
  std::optional<double> dual_bound;
  double seconds = 0;
};

// Solves with GLPK 5.0 in a forked process: its abort, its memory limit or its time-out end that process only. A
// program with an integer variable is solved by branch and bound to a gap of 0, any other by the simplex method.
// Numbers beyond 2^53 are rounded. The same program gives the same solution whenever it ends within its limits. Where
// the solver does not look at the clock for long, it is stopped half a second after its time, and what it found lost.
ProgramSolution solve(const LinearProgram& program, const ProgramLimits& limits);

// A program of at least one variable in CPLEX LP format, without its ranges as such: a row with two different bounds
// becomes two rows, the second without a name. Names that the format does not allow, or that occur twice, are replaced,
// those of all variables by x1, x2, ..., those of all rows by r1, r2, ...
std::string to_lp_format(const LinearProgram& program);

}  // namespace warpspan::solver
