// SPDX-License-Identifier: GPL-3.0-or-later
// Workers are identical, so a state of a schedule is how many workers stand before each position. A step executes, for
// every class k with n_k ready workers, min(n_k, s_k) of them, whichever, from the positions of the class. The
// worst-case makespan T is the longest path from "all before the first position" to "all finished" in the graph of
// these steps: the paths are exactly the work-conserving schedules, workers that are exchanged for each other aside.
//
// Layers. The progress of a state is the number of symbols executed so far. Every step from a state executes the same
// number e = sum of min(n_k, s_k) of symbols, 1 <= e <= min(W, sum of s_k), whatever it chooses. So the graph has no
// cycle, the states with progress p form a layer, and all steps from a state lead to one later layer, p + e. Working
// the layers off in order of progress reaches every state after all its predecessors; the longest time to it is then
// final. Only the layers within the largest e ahead have states, and they lie in a ring.
//
// Each state once. A step is given by how many workers leave each position, and different choices give different states
// (the count of the first position gives its leavers, then that of the second gives the next, and so on), so a state
// has no successor twice and no list of choices is longer than the layer it leads to: when the choices do not fit into
// memory, neither would the states.
//
// Without contention there is nothing to search: if every class has a server for every worker, all workers execute one
// symbol in every cycle and T is the length of the string.
//
// Left out. Let a schedule of makespan w be known (the witness). A state that is reached after t cycles at most, and
// from which no schedule needs more than r cycles (remaining_bound.cpp), is on no path longer than t + r; if t + r <= w
// the search drops it and does not follow its steps. The time of a state is then the longest over the paths without
// dropped states. By induction over the layers: a path longer than w visits no dropped state, since up to the first one
// all its states have times not less than the path's, and from there on it is not longer than the bound. So if T > w,
// the search finds it, and in any case T is the larger one of w and of what the search finds, if it finds any. A
// witness that is too large makes the value too large, never too small.
//
// Threads. All steps from the states of a layer go to later layers, so the states of one layer can be expanded at the
// same time. A layer is split into shards by the states' hashes: a shard is expanded by one thread, and filled, under
// its lock, with batches that threads have gathered for it. Layers of few states are expanded by the calling thread.
//
// The result is a maximum over all paths, so it does not depend on the order within a layer; nor does which states are
// visited or dropped, as the layers before are complete.
#include "solver/strings/search/exact_search.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "solver/makespan/assumptions.hpp"
#include "solver/strings/schedules/string.hpp"
#include "solver/strings/search/layered_search.hpp"
#include "solver/strings/search/packed_state.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

constexpr int64_t most_progress =
    UINT32_MAX - 1;                     // a time is at most the progress and has to fit 32 bits, with one to spare
constexpr double small_layer = 16'384;  // states on average: less than a thread is worth
constexpr int64_t longest_check = int64_t{1} << 26;  // of a schedule, in cells

bool without_contention(const StringProblem& problem, const SymbolCounts& counts) {
  for (size_t k = 0; k < problem.servers.size(); ++k) {
    if (problem.servers[k] < problem.workers && !(counts.of_class[k] == Integer(0))) return false;
  }
  return true;
}

struct Request {
  const FlatProblem& problem;
  const SearchLimits& limits;
  const SearchOptions& options;
  Deadline& deadline;
};

void add_remark(Bound& bound, const std::string& remark) {
  bound.remark += (bound.remark.empty() ? "" : "; ") + remark;
}

// A schedule has a cell for each worker and cycle, which its check looks at.
bool is_checked_soon(const FlatProblem& problem, int64_t makespan) {
  const auto cells = (Integer(problem.workers) * Integer(makespan)).value();
  return cells && *cells <= longest_check;
}

void add_schedule(const Request& request, SearchEngine& engine, SearchResult& result) {
  const FlatProblem& problem = request.problem;
  const int64_t makespan = *result.bound.makespan;
  if (is_checked_soon(problem, makespan)) {
    auto schedule = engine.schedule(makespan);
    result.statistics = engine.statistics();
    if (schedule && makespan_of(*schedule, problem.symbols, problem.servers) == makespan)
      result.schedule = std::move(schedule);
  }
  if (result.schedule) return;
  const bool in_time = request.deadline.look();
  add_remark(result.bound, in_time ? "a schedule did not fit into memory" : "a schedule was not found in time");
}

SearchResult search(Bound bound, const Request& request, SearchPlan plan) {
  auto engine = SearchEngine::make(request.problem, plan, request.deadline);
  auto outcome = engine->run();
  if (outcome.status == Status::too_large && engine->keeps_states()) {
    plan.keeps_states = false;  // the value matters more than the schedule
    engine.reset();             // gives its memory back first
    engine = SearchEngine::make(request.problem, plan, request.deadline);
    outcome = engine->run();
  }
  SearchResult result{std::move(bound), engine->statistics(), {}};
  if (outcome.status == Status::too_large) {
    result.bound =
        without_value(std::move(result.bound), Status::too_large,
                      "the states need more than " + std::to_string(request.limits.memory) + " bytes of memory");
    return result;
  }
  if (outcome.status != Status::optimal) {
    result.bound = without_value(std::move(result.bound), outcome.status, end_of_time(request.limits.cancel));
    return result;
  }
  const int64_t found = outcome.makespan.value_or(0), makespan = std::max(found, request.options.witness.value_or(0));
  result.bound = with_value(std::move(result.bound), makespan);
  if (found < makespan) {
    add_remark(result.bound, "no schedule is longer than the one that was known");
  } else if (request.options.schedule) {
    add_schedule(request, *engine, result);
  }
  return result;
}

// Of the C(workers + symbols, symbols) distributions before the symbols or behind the last, a layer has a small part.
bool has_small_layers(const FlatProblem& problem) {
  const auto workers = static_cast<double>(problem.workers), symbols = static_cast<double>(problem.symbols.size());
  double in_layer = 1 / (workers * symbols + 1);
  for (double i = 1; i <= symbols && in_layer < small_layer; ++i) in_layer *= (workers + i) / i;
  return in_layer < small_layer;
}

unsigned threads_for(const FlatProblem& problem, unsigned wanted) {
  if (wanted > 0) return wanted;
  return has_small_layers(problem) ? 1 : std::max(1u, std::thread::hardware_concurrency());
}

SearchPlan plan_for(const Request& request, Bound& bound) {
  const auto& [problem, limits, options, deadline] = request;
  SearchPlan plan;
  plan.memory = limits.memory;
  plan.threads = threads_for(problem, limits.threads);
  plan.keeps_states = options.schedule;
  plan.progress = options.progress;
  if (!options.witness) return plan;
  auto remaining = RemainingBound::make(problem.symbols, problem.workers, problem.servers, options.certificate);
  if (!remaining) {
    add_remark(bound, "certificate not used: " + remaining.errors().front().message);
    remaining = RemainingBound::make(problem.symbols, problem.workers, problem.servers);
  }
  plan.pruning = Pruning{std::move(*remaining), std::max<int64_t>(0, *options.witness)};
  return plan;
}

SearchResult refuse(Bound bound, Status status, std::string remark) {
  return {without_value(std::move(bound), status, std::move(remark)), {}, {}};
}

// All workers execute all symbols at the same time.
SearchResult together(Bound bound, const StringProblem& problem, Integer length, const SearchLimits& limits,
                      const SearchOptions& options) {
  SearchResult result{with_value(std::move(bound), length), {}, {}};
  if (!options.schedule || !result.bound.makespan) return result;
  const auto bytes =
      ((length * Integer(sizeof(int64_t)) + Integer(sizeof(std::vector<int64_t>))) * Integer(problem.workers)).value();
  if (!bytes || *bytes > limits.memory) {
    add_remark(result.bound, "a schedule did not fit into memory");
    return result;
  }
  std::vector<int64_t> cycles(static_cast<size_t>(*result.bound.makespan));
  std::iota(cycles.begin(), cycles.end(), 1);
  result.schedule = Schedule{std::vector(static_cast<size_t>(problem.workers), cycles)};
  return result;
}

SearchResult search(Bound bound, const StringProblem& problem, const SearchLimits& limits, const SearchOptions& options,
                    Deadline& deadline) {
  const auto counts = validate(problem);
  if (!counts) return refuse(std::move(bound), Status::not_applicable, counts.errors().front().message);
  if (without_contention(problem, *counts)) return together(std::move(bound), problem, counts->length, limits, options);
  const auto progress = (counts->length * Integer(problem.workers)).value();
  if (!progress || *progress > most_progress) {
    return refuse(std::move(bound), Status::too_large,
                  "the workers execute more than " + std::to_string(most_progress) + " symbols");
  }
  const size_t longest = StateLayout(static_cast<uint64_t>(problem.workers)).positions_in(SearchEngine::most_words);
  auto symbols = expand(problem.string, static_cast<int64_t>(longest));
  if (!symbols) {
    return refuse(std::move(bound), Status::too_large,
                  "with " + std::to_string(problem.workers) + " workers the string may have " +
                      std::to_string(longest) + " symbols");
  }
  const FlatProblem flat{std::move(*symbols), problem.workers, problem.servers};
  const Request request{flat, limits, options, deadline};
  SearchPlan plan = plan_for(request, bound);
  return search(std::move(bound), request, std::move(plan));
}

Bound exact_bound() {
  Bound bound;
  bound.method = "exact";
  bound.kind = Kind::exact;
  bound.safe = true;
  bound.assumptions = string_model();
  return bound;
}

}  // namespace

int64_t most_states(int64_t workers, Integer length, int64_t limit) {
  Integer states = 1;
  for (int64_t i = 1; i <= workers; ++i) {
    states = floor_divide(states * (length + Integer(i)), i);
    const auto value = states.value();
    if (!value || *value > limit) return limit + 1;
  }
  return *states.value();
}

SearchResult exact_search(const StringProblem& problem, const SearchLimits& limits, const SearchOptions& options) {
  Deadline deadline(limits.seconds, limits.cancel);
  SearchResult result;
  try {
    result = search(exact_bound(), problem, limits, options, deadline);
  } catch (const std::bad_alloc&) {
    result = refuse(exact_bound(), Status::too_large, "the machine has no more memory");
  }
  result.bound.seconds = deadline.elapsed();
  return result;
}

}  // namespace warpspan::solver
