// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the exact search visits states, what a state costs in memory, and what a witness spares.
#include "solver/strings/search/exact_search.hpp"

#include <benchmark/benchmark.h>

#include <string_view>

#include "bench/problems.hpp"
#include "solver/strings/certificate/certificate_bound.hpp"

namespace {

using namespace warpspan::solver;

void search(benchmark::State& state, std::string_view text, int64_t workers, unsigned threads) {
  const StringProblem instance = problem(text, workers);
  SearchLimits limits;
  limits.threads = threads;
  SearchStatistics statistics;
  for (auto _ : state) {
    const SearchResult result = exact_search(instance, limits);
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

// With the makespan less one as witness, so that a schedule has to be found.
void search_with_witness(benchmark::State& state, std::string_view text, int64_t workers, int64_t makespan) {
  const StringProblem instance = problem(text, workers);
  const CertificateResult certificate = certificate_bound(instance);
  SearchLimits limits;
  limits.threads = 1;
  SearchOptions options;
  options.witness = makespan - 1;
  options.certificate = &certificate.certificate.value();
  SearchStatistics statistics;
  for (auto _ : state) {
    const SearchResult result = exact_search(instance, limits, options);
    if (result.bound.makespan != makespan) state.SkipWithError("another makespan");
    statistics = result.statistics;
  }
  state.counters["states"] = static_cast<double>(statistics.states);
  state.counters["dropped"] = static_cast<double>(statistics.dropped);
}

}  // namespace

BENCHMARK_CAPTURE(search, LLC_48, "LLC", 48, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, LLCLL_48, "LLCLL", 48, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, LLCCLLCC_16, "LLCCLLCC", 16, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, LLCCLLCC_24, "LLCCLLCC", 24, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, LLCCLLCC_24_all_threads, "LLCCLLCC", 24, 0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(search_with_witness, LLCCLLCC_24, "LLCCLLCC", 24, 123)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
