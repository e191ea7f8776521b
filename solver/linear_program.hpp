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

struct ProgramLimits {
  double seconds = 10;
  int64_t memory = int64_t{1} << 30;          // bytes of the worker
  const std::atomic<bool>* cancel = nullptr;  // ends the worker soon after it becomes true
};

struct ProgramSolution {
  enum class Status : uint8_t { optimal, feasible, time_limit, too_large, infeasible, unbounded, failed };
  Status status = Status::failed;
  // Values of the variables of the best solution found, in floating point: to be rounded and checked by whoever asked.
  std::vector<double> values;
  // Multipliers of the rows of a linear program that was solved to optimality; empty for integer programs.
  std::vector<double> duals;
  // An upper bound on the optimum as the solver says it (not certified); none if it has none.
  std::optional<double> dual_bound;
  double seconds = 0;
};

// Solves with GLPK 5.0 in a forked process: its abort, its memory limit or its time-out end that process only.
ProgramSolution solve(const LinearProgram& program, const ProgramLimits& limits);

// The program in CPLEX LP format.
std::string to_lp_format(const LinearProgram& program);

}  // namespace warpspan::solver
