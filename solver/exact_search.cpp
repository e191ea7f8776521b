// Workers are identical, so a state of a schedule is how many workers stand before each position. A step executes, for
// every class k with n_k ready workers, min(n_k, s_k) of them, taken from the positions of the class in any way. The
// worst-case makespan T is the longest path from "all before the first position" to "all finished" in the graph of
// these steps: the paths are exactly the work-conserving schedules, workers that are exchanged for each other aside.
//
// Layers. The progress of a state is the number of symbols executed so far. Every step from a state executes the same
// number e = sum of min(n_k, s_k) of symbols, 1 <= e <= min(W, sum of s_k), whatever it chooses. So the graph has no
// cycle, the states with progress p form a layer, and all steps from a state lead to one later layer, p + e. Working
// the layers off in order of progress meets every state after all its predecessors; the longest time to it is then
// final. Only the layers within the largest e ahead hold states, and they lie in a ring.
//
// Each state once. A step is told by how many workers leave each position, and different choices give different states
// (the count of the first position gives its leavers, then that of the second gives the next, and so on), so a state
// has no successor twice and no list of choices is longer than the layer it leads to: when the choices do not fit into
// memory, neither would the states.
//
// Without contention there is nothing to search: if every class has a server for every worker, all workers execute one
// symbol in every cycle and T is the length of the string.
//
// The result is a maximum over all paths, so it does not depend on the order within a layer.
#include "solver/exact_search.hpp"

#include <new>
#include <string>
#include <utility>

#include "solver/assumptions.hpp"
#include "solver/layered_search.hpp"
#include "solver/string.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

constexpr size_t most_words = 16;  // of a state
constexpr int64_t most_progress =
    UINT32_MAX - 1;  // a time is at most the progress and has to fit 32 bits, with one to spare

bool without_contention(const StringProblem& problem, const SymbolCounts& counts) {
  for (size_t k = 0; k < problem.servers.size(); ++k) {
    if (problem.servers[k] < problem.workers && !(counts.of_class[k] == Integer(0))) return false;
  }
  return true;
}

template <size_t words>
SearchResult search(Bound bound, const FlatProblem& problem, const SearchLimits& limits, Deadline& deadline) {
  LayeredSearch<words> engine(problem, limits, deadline);
  const auto outcome = engine.run();
  SearchResult result{std::move(bound), engine.statistics()};
  if (outcome.status == Status::optimal) {
    result.bound = with_value(std::move(result.bound), outcome.makespan);
  } else if (outcome.status == Status::too_large) {
    result.bound = without_value(std::move(result.bound), Status::too_large,
                                 "the states need more than " + std::to_string(limits.memory) + " bytes of memory");
  } else {
    result.bound = without_value(std::move(result.bound), outcome.status,
                                 limits.cancel != nullptr && limits.cancel->load() ? "cancelled" : "out of time");
  }
  return result;
}

SearchResult search(Bound bound, const FlatProblem& problem, const SearchLimits& limits, Deadline& deadline) {
  const size_t words = StateLayout(static_cast<uint64_t>(problem.workers)).words_for(problem.symbols.size());
  if (words <= 1) return search<1>(std::move(bound), problem, limits, deadline);
  if (words <= 2) return search<2>(std::move(bound), problem, limits, deadline);
  if (words <= 4) return search<4>(std::move(bound), problem, limits, deadline);
  if (words <= 8) return search<8>(std::move(bound), problem, limits, deadline);
  static_assert(most_words == 16);
  return search<16>(std::move(bound), problem, limits, deadline);
}

SearchResult refuse(Bound bound, Status status, std::string remark) {
  return {without_value(std::move(bound), status, std::move(remark)), {}};
}

SearchResult search(Bound bound, const StringProblem& problem, const SearchLimits& limits, Deadline& deadline) {
  const auto counts = validate(problem);
  if (!counts) return refuse(std::move(bound), Status::not_applicable, counts.errors().front().message);
  if (without_contention(problem, *counts)) return {with_value(std::move(bound), counts->length), {}};
  const auto progress = (counts->length * Integer(problem.workers)).value();
  if (!progress || *progress > most_progress) {
    return refuse(std::move(bound), Status::too_large,
                  "the workers execute more than " + std::to_string(most_progress) + " symbols");
  }
  const size_t longest = StateLayout(static_cast<uint64_t>(problem.workers)).positions_in(most_words);
  auto symbols = expand(problem.string, static_cast<int64_t>(longest));
  if (!symbols) {
    return refuse(std::move(bound), Status::too_large,
                  "with " + std::to_string(problem.workers) + " workers the string may have " +
                      std::to_string(longest) + " symbols");
  }
  return search(std::move(bound), {std::move(*symbols), problem.workers, problem.servers}, limits, deadline);
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

SearchResult exact_search(const StringProblem& problem, const SearchLimits& limits) {
  Deadline deadline(limits.seconds, limits.cancel);
  SearchResult result;
  try {
    result = search(exact_bound(), problem, limits, deadline);
  } catch (const std::bad_alloc&) {
    result = refuse(exact_bound(), Status::too_large, "the machine has no more memory");
  }
  result.bound.seconds = deadline.elapsed();
  return result;
}

}  // namespace warpspan::solver
