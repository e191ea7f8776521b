// SPDX-License-Identifier: GPL-3.0-or-later
// Warp instructions of machine code that are executed in a second, for kernels of tests/machine_code/data.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <numeric>

#include "frontend/object/cubin.hpp"
#include "frontend/object/lines.hpp"
#include "frontend/reading/cubin_code.hpp"
#include "frontend/sass/execution/executor.hpp"

namespace {

using namespace warpspan;

std::shared_ptr<const sass::Code> code_of(const char* file, const char* kernel) {
  std::ifstream in(std::string("tests/machine_code/data/") + file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const object::Input input{file, bytes};
  const auto cubin = object::read_cubin(input);
  const auto lines = object::read_lines(input);
  if (!cubin || !lines) return nullptr;
  for (size_t i = 0; i < cubin->functions.size(); ++i) {
    if (cubin->functions[i].name != kernel) continue;
    const auto decoded = frontend::CubinCode::decode(*cubin, {i}, "<machine code>", sass::UnknownOpcodes::are_errors);
    if (decoded) return std::make_shared<const sass::Code>(decoded->code_of(i, *lines, file));
  }
  return nullptr;
}

// Blocks after one another, of a launch whose last parameters are integers.
void execute(benchmark::State& state, const char* file, const char* kernel, ir::Extent block,
             std::vector<std::pair<int, int>> arguments) {
  const auto code = code_of(file, kernel);
  if (code == nullptr) return state.SkipWithError("run it from the root of the repository");
  std::vector<ir::InstructionId> ids(code->instructions.size());
  std::iota(ids.begin(), ids.end(), 0);
  ir::Launch launch;
  launch.block = block;
  launch.grid = ir::Extent{1024, 1, 1};
  for (const auto& [parameter, value] : arguments)
    launch.arguments.push_back({std::to_string(parameter), std::to_string(value)});
  const auto executor = execution::Executor::make(code, ids, launch, {});
  if (!executor) return state.SkipWithError(executor.errors().front().message.c_str());
  size_t steps = 0;
  int64_t number = 0;
  for (auto _ : state) {
    const ir::BlockTrace trace = (*executor)->run(number++ % 1024);
    if (!trace.stopped.empty()) state.SkipWithError(trace.stopped.c_str());
    for (const ir::WarpTrace& warp : trace.warps) steps += warp.steps.size();
  }
  state.counters["steps/s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

}  // namespace

BENCHMARK_CAPTURE(execute, matmul_tiled, "matmul_tiled.sm_90.O3.cubin", "matmul_tiled", {16, 16, 1}, {{3, 512}});
BENCHMARK_CAPTURE(execute, saxpy, "saxpy.sm_90.O3.cubin", "saxpy", {256, 1, 1}, {{3, 1 << 20}});
BENCHMARK_CAPTURE(execute, divide, "kernels.sm_90.O3.cubin", "divide", {64, 1, 1}, {});
BENCHMARK_CAPTURE(execute, long_loops, "kernels.sm_90.O3.cubin", "long_loops", {96, 1, 1}, {{2, 50}});
BENCHMARK_CAPTURE(execute, block_sum, "kernels.sm_90.O3.cubin", "block_sum", {192, 1, 1}, {{2, 100000}});

BENCHMARK_MAIN();
