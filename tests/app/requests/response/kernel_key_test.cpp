// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/response/kernel_key.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <set>

using namespace warpspan;
using namespace warpspan::app;

namespace {

KernelOfFile example() {
  KernelOfFile kernel;
  kernel.file = "k.ptx";
  kernel.kernel = "k";
  kernel.launch.block = ir::Extent{32, 2, 1};
  kernel.launch.grid = ir::Extent{4, 1, 1};
  kernel.launch.arguments = {{"n", "3"}};
  kernel.launch.loop_bounds = {{"L", 7}};
  kernel.launch.buffers = {{"p", 64}};
  return kernel;
}

}  // namespace

TEST_CASE("kernels of files have one bound if all that decides it is the same") {
  KernelOfFile elsewhere = example();
  elsewhere.launch.arguments[0].origin = {"", {"tasks.toml", 3, 1}, "line"};
  elsewhere.launch.loop_bounds[0].origin = elsewhere.launch.arguments[0].origin;
  elsewhere.launch.buffers[0].origin = elsewhere.launch.arguments[0].origin;
  CHECK(key_of(elsewhere) == key_of(example()));
  KernelOfFile timed = example(), otherwise = example();
  timed.launch.call_costs = {{"f", {20'000'000, false}, "20us"}};
  otherwise.launch.call_costs = {{"f", {20'000'000, false}, "0.02 ms"}};
  CHECK(key_of(timed) == key_of(otherwise));
  const std::function<void(KernelOfFile&)> changes[] = {
      [](KernelOfFile& k) { k.file = "l.ptx"; },
      [](KernelOfFile& k) { k.kernel = "l"; },
      [](KernelOfFile& k) { k.facts = "facts.toml"; },
      [](KernelOfFile& k) { k.assumed.assume(timing::Assumption::spread); },
      [](KernelOfFile& k) { k.launch.block.reset(); },
      [](KernelOfFile& k) { k.launch.block->x = 2, k.launch.block->y = 32; },
      [](KernelOfFile& k) { k.launch.grid->z = 2; },
      [](KernelOfFile& k) { k.launch.arguments[0].value = "4"; },
      [](KernelOfFile& k) {
        k.launch.globals.push_back({"n", "3"});
      },
      [](KernelOfFile& k) { k.launch.arguments[0].element = 3; },
      [](KernelOfFile& k) { k.launch.trust_initialisers = true; },
      [](KernelOfFile& k) { k.launch.arguments[0].parameter = "m"; },
      [](KernelOfFile& k) {
        k.launch.arguments[0].bytes = {4, 4};
      },
      [](KernelOfFile& k) {
        k.launch.arguments.push_back({"m", "3"});
      },
      [](KernelOfFile& k) { k.launch.arguments.clear(); },
      [](KernelOfFile& k) { k.launch.loop_bounds[0].trip_count = 8; },
      [](KernelOfFile& k) { k.launch.loop_bounds[0].label = "M"; },
      [](KernelOfFile& k) { k.launch.loop_bounds[0].line = 8; },
      [](KernelOfFile& k) { k.launch.loop_bounds[0].file = "k.cu"; },
      [](KernelOfFile& k) { k.launch.loop_bounds[0].kernel = "k"; },
      [](KernelOfFile& k) { k.launch.buffers[0].bytes = 65; },
      [](KernelOfFile& k) { k.launch.registers = 32; },
      [](KernelOfFile& k) { k.launch.registers_of_code = true; },
      [](KernelOfFile& k) { k.launch.static_shared = 32; },
      [](KernelOfFile& k) { k.launch.dynamic_shared = 32; },
      [](KernelOfFile& k) {
        k.launch.interference = ir::Interference{{1, 3}, "1/3"};
      },
      [](KernelOfFile& k) {
        k.launch.call_costs = {{"f", {20, false}, "20ps"}};
      },
      [](KernelOfFile& k) {
        k.launch.recursions = {{"f", 9}};
      },
  };
  std::set<KernelKey> keys = {key_of(example())};
  for (const auto& change : changes) {
    KernelOfFile other = example();
    change(other);
    CHECK(keys.insert(key_of(other)).second);
  }
}
