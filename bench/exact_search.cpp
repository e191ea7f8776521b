// How fast the exact search visits states, and what a state costs in memory.
#include "solver/exact_search.hpp"

#include <benchmark/benchmark.h>

#include <string_view>

namespace {

using namespace warpspan::solver;

// Two classes L and C with one server each.
StringProblem problem(std::string_view letters, int64_t workers) {
  StringProblem made;
  for (const char letter : letters) made.string.push_back({letter == 'L' ? 0 : 1, 1, {}});
  made.workers = workers;
  made.servers = {1, 1};
  return made;
}

void search(benchmark::State& state, std::string_view letters, int64_t workers) {
  const StringProblem instance = problem(letters, workers);
  SearchStatistics statistics;
  for (auto _ : state) {
    const SearchResult result = exact_search(instance);
    if (!result.bound.makespan) state.SkipWithError(result.bound.remark.c_str());
    statistics = result.statistics;
  }
  const auto states = static_cast<double>(statistics.states);
  state.counters["states"] = states;
  state.counters["steps"] = static_cast<double>(statistics.steps);
  state.counters["states/s"] =
      benchmark::Counter(states, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
  state.counters["bytes/state"] =
      static_cast<double>(statistics.memory) / static_cast<double>(statistics.resident_states);
  state.counters["peak_bytes"] = static_cast<double>(statistics.memory);
}

}  // namespace

BENCHMARK_CAPTURE(search, LLC_48, "LLC", 48)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, LLCLL_48, "LLCLL", 48)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, LLCCLLCC_16, "LLCCLLCC", 16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, LLCCLLCC_24, "LLCCLLCC", 24)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
