// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder of the samples on machines of files.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <random>

#include "frontend/frontend.hpp"
#include "tests/paths.hpp"
#include "tests/thinned.hpp"
#include "timing/bounds/pipeline_run.hpp"
#include "timing/launch/launch.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

struct Sample {
  std::string file;
  ir::Extent block;
  int64_t blocks;
  std::vector<std::pair<std::string, std::string>> arguments;
};

// Launches of samples/budgets.toml.
const std::vector<Sample> samples = {{"bitonic_sort.ptx", {256}, 16, {}},
                                     {"convolution_separable.nvcc-sm_80.ptx", {16, 4}, 32, {}},
                                     {"device_call.nvcc-sm_80.ptx", {128}, 16, {{"3", "16"}}},
                                     {"divergent.ptx", {128}, 16, {}},
                                     {"fir_constant.ptx", {128}, 16, {{"2", "4096"}}},
                                     {"histogram.nvcc-sm_80.ptx", {256}, 8, {{"2", "65536"}}},
                                     {"interpreter.nvcc-sm_80.ptx", {128}, 4, {{"3", "32"}}},
                                     {"jump_table.ptx", {64}, 4, {{"2", "32"}}},
                                     {"matmul_tiled.nvcc-sm_80.ptx", {16, 16}, 64, {{"3", "256"}}},
                                     {"nbody.nvcc-sm_80.ptx", {128}, 8, {{"3", "1024"}}},
                                     {"reduction.nvcc-sm_80.ptx", {512}, 8, {{"2", "65536"}}},
                                     {"saxpy.nvcc-sm_80.ptx", {256}, 256, {{"3", "65536"}}},
                                     {"scan.ptx", {256}, 16, {}},
                                     {"shuffle_sum.nvcc-sm_80.ptx", {128}, 8, {{"2", "1024"}}},
                                     {"transpose.ptx", {32, 8}, 64, {}},
                                     {"triangular.ptx", {128}, 4, {{"2", "32"}}}};

std::vector<frontend::AnalyzedKernel> kernels_of(const Sample& sample, ir::Launch& launch) {
  launch.block = sample.block;
  launch.grid = ir::Extent{sample.blocks, 1, 1};
  for (const auto& [parameter, value] : sample.arguments) launch.arguments.push_back({parameter, value});
  std::ifstream in(warpspan::test::source_dir() + "/samples/" + sample.file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto reading = frontend::read_kernels(std::make_shared<const support::SourceFile>(sample.file, text), {}, launch);
  return std::move(reading.kernels);
}

}  // namespace

TEST_CASE("whatever is granted in addition makes no bound of a sample larger") {
  std::mt19937 random(51);
  int chains = 0, smaller = 0;
  for (size_t i = 0; i < samples.size(); i += test::taken_one_in) {
    ir::Launch launch;
    for (const frontend::AnalyzedKernel& k : kernels_of(samples[i], launch)) {
      for (const std::string name : {"fermi", "turing", "ampere", "orin"}) {
        const auto machine = load_machine(name);
        REQUIRE(machine.ok());
        const auto load = load_of(k.kernel, launch, *machine);
        if (!load.ok()) continue;
        std::vector<Assumption> order;
        for (size_t a = 0; a < assumptions; ++a) order.push_back(static_cast<Assumption>(a));
        std::shuffle(order.begin(), order.end(), random);
        AssumptionSet assumed;
        PipelineRuns runs(k.kernel, k.flow, *load, *machine);
        auto last = runs.smallest_bound(assumed);
        if (!last.ok()) continue;  // the machine lacks an operation
        ++chains;
        for (const Assumption assumption : order) {
          assumed.assume(assumption);
          auto now = runs.smallest_bound(assumed);
          REQUIRE(now.ok());
          INFO(samples[i].file << " on " << name);
          CHECK(*now->model.bound.makespan <= *last->model.bound.makespan);
          const auto anew = PipelineRuns(k.kernel, k.flow, *load, *machine).smallest_bound(assumed);
          CHECK(anew->model.bound.makespan == now->model.bound.makespan);
          CHECK(anew->model.bound.assumptions == now->model.bound.assumptions);
          if (*now->model.bound.makespan < *last->model.bound.makespan) ++smaller;
          last = std::move(now);
        }
      }
    }
  }
  CHECK(chains > 50 / test::taken_one_in);
  CHECK(smaller > chains);
}
