// SPDX-License-Identifier: GPL-3.0-or-later
// What the integer programs for the worst-case makespan have in common: their horizon, their size, and what their
// solutions say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "solver/strings/programs/linear_program.hpp"
#include "solver/strings/schedules/schedule.hpp"

namespace warpspan::solver {

// How many cycles a program spans: its schedules end within them.
enum class Horizon : uint8_t {
  published,  // the published bound, as the paper has it; too short for some schedules where a class has two servers
  safe,       // the list bound
};

struct IlpResult {
  // The optimum, as the makespan of a schedule that was checked in integers: kind exact and safe, or kind published and
  // not safe where the horizon may be too short. If the time was up, an upper bound on it as GLPK reports it: kind
  // upper, never safe, status time_limit. No value, and the remark states why: time_limit, too_large, failed, and
  // not_applicable for a problem that validate() refuses.
  Bound bound;
  std::optional<Bound> lower;        // if the time was up: the makespan of the best schedule found, if there is one
  std::optional<Schedule> schedule;  // whose makespan `bound` or `lower` is
};

// A string problem laid out over a horizon, with the string written out.
struct HorizonProblem {
  std::vector<int> symbols;
  size_t workers = 1;
  std::vector<int64_t> servers;  // one entry per class, at most `workers` each, as more change nothing
  size_t cycles = 1;             // the horizon
  bool safe = false;             // no schedule takes longer than the horizon
  std::vector<size_t> classes;   // those that occur, in rising order

  size_t class_of(size_t position) const { return static_cast<size_t>(symbols[position]); }
};

// What the size of a program depends on.
struct Dimensions {
  support::Integer workers, symbols, cycles, classes;  // classes that occur
};
struct ProgramSize {
  support::Integer rows, columns;
};

struct Refusal {
  Status status;
  std::string remark;
};

// The horizon of a program. A bound that the caller knows to be safe, at least 1, may make it shorter.
struct HorizonChoice {
  Horizon horizon = Horizon::safe;
  std::optional<int64_t> known_bound;
};

// The problem over its horizon. A refusal if validate() refuses it (not_applicable), or if rows times columns is more
// than most_entries (too_large).
std::variant<HorizonProblem, Refusal> over_horizon(const StringProblem& problem, const HorizonChoice& choice,
                                                   ProgramSize (*size)(const Dimensions&), int64_t most_entries);

// What the solution of a program means, given the schedule that was read back from its values, if they are one.
IlpResult interpret(std::string method, const HorizonProblem& problem, const ProgramSolution& solution,
                    std::optional<Schedule> schedule, const ProgramLimits& limits);

// The result that is no value.
IlpResult refused(std::string method, Refusal refusal);

}  // namespace warpspan::solver
