// What the integer programs cost: the published one with its short and its long rows, and the one that counts workers.
#include <benchmark/benchmark.h>

#include <string_view>

#include "solver/count_ilp.hpp"
#include "solver/published_ilp.hpp"

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

constexpr ProgramLimits one_minute{60};

// After a minute the time is that, and the counters say between which bounds GLPK has come.
void count(benchmark::State& state, const IlpResult& result) {
  if (!result.bound.makespan) state.SkipWithError(result.bound.remark.c_str());
  const auto upper = static_cast<double>(result.bound.makespan.value_or(0));
  const bool is_lower_known = result.lower && result.lower->makespan;
  state.counters["upper"] = upper;
  state.counters["lower"] = result.bound.status == Status::optimal ? upper
                            : is_lower_known                       ? static_cast<double>(*result.lower->makespan)
                                                                   : 0;
}

void published(benchmark::State& state, std::string_view letters, int64_t workers, WorkConservation form) {
  IlpResult result;
  for (auto _ : state) result = published_ilp(problem(letters, workers), one_minute, {form});
  count(state, result);
}

void counted(benchmark::State& state, std::string_view letters, int64_t workers) {
  IlpResult result;
  for (auto _ : state) result = count_ilp(problem(letters, workers), one_minute);
  count(state, result);
}

constexpr auto short_rows = WorkConservation::short_rows;
constexpr auto long_rows = WorkConservation::long_rows;

}  // namespace

// The work is done in another process, so only the time on the clock tells.
#define ILP_BENCHMARK(...) BENCHMARK_CAPTURE(__VA_ARGS__)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1)
ILP_BENCHMARK(published, short_LLC_3, "LLC", 3, short_rows);
ILP_BENCHMARK(published, long_LLC_3, "LLC", 3, long_rows);
ILP_BENCHMARK(counted, LLC_3, "LLC", 3);
ILP_BENCHMARK(published, short_LLC_4, "LLC", 4, short_rows);
ILP_BENCHMARK(published, long_LLC_4, "LLC", 4, long_rows);
ILP_BENCHMARK(counted, LLC_4, "LLC", 4);
ILP_BENCHMARK(published, short_LLCLL_2, "LLCLL", 2, short_rows);
ILP_BENCHMARK(published, long_LLCLL_2, "LLCLL", 2, long_rows);
ILP_BENCHMARK(counted, LLCLL_2, "LLCLL", 2);
ILP_BENCHMARK(published, short_LLCLL_3, "LLCLL", 3, short_rows);
ILP_BENCHMARK(published, long_LLCLL_3, "LLCLL", 3, long_rows);
ILP_BENCHMARK(counted, LLCLL_3, "LLCLL", 3);
ILP_BENCHMARK(counted, LLCLL_4, "LLCLL", 4);

BENCHMARK_MAIN();
