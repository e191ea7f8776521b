// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to find and check a certificate: it must not depend on workers or on rounds of a loop.
#include <benchmark/benchmark.h>

#include <string_view>

#include "bench/problems.hpp"
#include "solver/strings/certificate/certificate_bound.hpp"

namespace {

using namespace warpspan::solver;

void find(benchmark::State& state, const StringProblem& problem) {
  CertificateResult result;
  for (auto _ : state) {
    result = certificate_bound(problem);
    if (!result.certificate) state.SkipWithError("no certificate");
  }
  state.counters["bound"] = static_cast<double>(result.bound.makespan.value_or(0));
  state.counters["patterns"] = static_cast<double>(result.certificate ? result.certificate->patterns.size() : 0);
}

void written_out(benchmark::State& state, std::string_view text, int64_t workers, int64_t servers) {
  find(state, {letters(text), workers, {servers, servers, servers}});
}

// C (LLC)^rounds L with two servers for C.
void looped(benchmark::State& state) {
  find(state, {{{1, 1, {}}, {-1, state.range(0), letters("LLC")}, {0, 1, {}}}, 48, {1, 2}});
}

}  // namespace

BENCHMARK_CAPTURE(written_out, LLCLL_600, "LLCLL", 600, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(written_out, LLCLLCLL_420, "LLCLLCLL", 420, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(written_out, LCCLLC_48, "LCCLLC", 48, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(written_out, three_classes_48, "LLCSLCCSLLCCCSLSSCL", 48, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(written_out, two_servers_48, "LCCLLC", 48, 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(written_out, three_workers, "LCSLCLS", 3, 2)->Unit(benchmark::kMillisecond);
BENCHMARK(looped)->Arg(20)->Arg(200)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
