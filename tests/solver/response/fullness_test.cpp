// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/response/fullness.hpp"

#include <catch2/catch.hpp>

#include "tests/solver/response/random_workload.hpp"

using namespace warpspan::solver::response_times;

TEST_CASE("fullness: equal blocks fill their slots") {
  Gpu gpu;
  gpu.multiprocessors = 2;
  gpu.capacity = {32, 2100, 0, 0};
  const Kernel kernel{1, 1, {1, 512, 0, 0}};
  const auto full = fullness(gpu, {kernel}, {true});
  CHECK(full->least_blocks == 8);
  CHECK(full->weights[0] * 8 == full->full);
  CHECK_FALSE(fullness(gpu, {kernel}, {false}));           // nobody waits
  CHECK_FALSE(fullness(gpu, {Kernel{1, 1, {}}}, {true}));  // it needs nothing
}

TEST_CASE("fullness: where a block finds no room, weights and blocks are as many as said") {
  int exact = 0;
  for (uint32_t seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    Gpu gpu;
    gpu.capacity = {between(random, 0, 6), between(random, 1, 12), between(random, 1, 9) * 1'000'000'007, 0};
    std::vector<Kernel> kernels(static_cast<size_t>(between(random, 1, 4)));
    std::vector<bool> waits;
    for (Kernel& kernel : kernels) {
      for (size_t kind = 0; kind < kinds; ++kind) kernel.need[kind] = between(random, 0, gpu.capacity[kind]);
      waits.push_back(one_in(random, 2));
    }
    const auto full = fullness(gpu, kernels, waits);
    Amounts left = gpu.capacity;
    int64_t weight = 0;
    for (int64_t blocks = 0; blocks < 20; ++blocks) {
      for (size_t i = 0; i < kernels.size(); ++i) {
        if (!waits[i] || fitting(left, kernels[i].need) > 0) continue;
        REQUIRE(full.has_value());
        REQUIRE(weight >= full->full);
        REQUIRE(blocks >= full->least_blocks);
        exact += weight == full->full;
      }
      const auto next = static_cast<size_t>(between(random, 0, static_cast<int64_t>(kernels.size()) - 1));
      if (fitting(left, kernels[next].need) == 0) break;
      for (size_t kind = 0; kind < kinds; ++kind) left[kind] -= kernels[next].need[kind];
      if (full) weight += full->weights[next];
    }
  }
  CHECK(exact > 100);
}
