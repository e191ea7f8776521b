// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/cost.hpp"

#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/timing/costs/line_machine.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

OperationFigures served_as(ir::OperationKind kind, const Service& service, int64_t ticks, int bytes = 4,
                           const Machine& machine = test::line_machine()) {
  ir::Operation operation;
  operation.kind = kind;
  operation.bytes = bytes;
  std::vector<int64_t> all(machine.resources.size(), 1);
  for (size_t r = test::port_of_lines; r <= test::memory_of_lines; ++r) all[r] = ticks;
  const auto figures = figures_with_service(operation, service, machine, all);
  REQUIRE(figures);
  return *figures;
}

// What each further transaction holds of a resource; 0 if it is not held.
int64_t held(const OperationFigures& figures, size_t resource) {
  for (const Occupancy& hold : figures.occupancies) {
    if (hold.resource == resource) return hold.cycles;
  }
  return 0;
}

}  // namespace

TEST_CASE("an operation without figures is refused, each kind once, with its line") {
  test::TestKernel k = test::build_kernel({{"CCC", {}}});
  ir::Operation shuffle;
  shuffle.text = "shfl.sync.up.b32";
  shuffle.kind = ir::OperationKind::shuffle;
  k.kernel.operations.push_back(shuffle);
  k.kernel.instructions[1].operation = 3;
  k.kernel.instructions[1].line = 17;
  k.kernel.instructions[2].operation = 3;
  const auto costs = timing::costs_of(k.kernel, test::toy_machine());
  REQUIRE(!costs.ok());
  REQUIRE(costs.errors().size() == 1);
  CHECK(costs.errors()[0].location.line == 17);
  CHECK(costs.errors()[0].message ==
        "machine 'toy' has no figures for 'shfl.sync.up.b32' (shuffle: shuffles of values between lanes)");
}

TEST_CASE("the line of a refusal makes a machine file of which the operation has figures") {
  test::TestKernel k = test::build_kernel({{"C", {}}});
  for (const auto& [kind, base] :
       {std::pair{ir::OperationKind::texture, "ampere"}, std::pair{ir::OperationKind::copy_bulk, "hopper"},
        std::pair{ir::OperationKind::tensor_memory, "blackwell"}, std::pair{ir::OperationKind::fp64, "gtx480"},
        std::pair{ir::OperationKind::multimem, "blackwell"}}) {
    ir::Operation& operation = k.kernel.operations[k.kernel.instructions[0].operation];
    operation = {};
    operation.text = "what.has.no.figures";
    operation.kind = kind;
    const auto without = load_machine(base);
    REQUIRE(without);
    const auto refused = costs_of(k.kernel, *without);
    REQUIRE_FALSE(refused);
    const std::string& help = refused.errors()[0].help;
    INFO(help);
    REQUIRE(help.find("based_on = \"" + std::string(base) + "\"") != std::string::npos);
    const size_t begin = help.find("operation.\""), end = help.find(" }, its numbers");
    REQUIRE((begin != std::string::npos && end != std::string::npos));
    const auto own = parse_machine("own.toml", "name = \"own\"\ndescription = \"own\"\nbased_on = \"" +
                                                   std::string(base) + "\"\n" + help.substr(begin, end + 2 - begin));
    REQUIRE(own);
    const auto costs = costs_of(k.kernel, *own);
    REQUIRE(costs);
    CHECK(costs->operations[k.kernel.instructions[0].operation].latency.worst >= 1000000);
  }
}

TEST_CASE("lines become ticks, rounded up, and waiting begins anywhere") {
  using enum ir::OperationKind;
  const Service nothing;
  const OperationFigures load = served_as(load_global, nothing, 1);
  CHECK(held(load, test::network_of_lines) == 4);
  CHECK(held(load, test::memory_of_lines) == 40);
  CHECK(load.latency.worst == 100 + 2 + 4 + 40);
  CHECK(load.per_transaction == 40);
  CHECK(held(served_as(store_global, nothing, 1), test::memory_of_lines) == 80);

  Service stream;
  stream.memory = Guarantee::stream;
  stream.network = Guarantee::spread;
  const OperationFigures dense = served_as(load_global, stream, 1000);
  CHECK(held(dense, test::network_of_lines) == 0);   // its rates are in those of memory
  CHECK(held(dense, test::memory_of_lines) == 667);  // 2/3
  CHECK(dense.latency.worst == 100 + 2 + 1);
  CHECK(dense.per_transaction == 2);  // the port's
  CHECK(held(served_as(store_global, stream, 1000), test::memory_of_lines) == 1334);
  stream.memory_share = 2;
  CHECK(held(served_as(store_global, stream, 1000), test::memory_of_lines) == 667);
}

TEST_CASE("network and unit are one server for atomics of few lines, behind which other requests wait") {
  Machine machine = test::line_machine();
  const size_t unit = machine.resources.size();
  machine.resources.push_back({"atomic", 1, ResourceFigures::Sharing::device, Evidence::assumed, "toy"});
  OperationFigures stated = *machine.figures(ir::OperationKind::atomic_global);
  std::erase_if(stated.occupancies, [](const Occupancy& o) { return o.resource == test::network_of_lines; });
  stated.occupancies.push_back({unit, 65, false, 65});
  machine.form_figures.push_back({ir::OperationKind::atomic_global, {{}, {}, {}, {"few"}, false}, stated});
  test::TestKernel k = test::build_kernel({{"CC", {}}});
  const uint32_t load = test::add_operation(k.kernel, ir::OperationKind::load_global, 4);
  const uint32_t atomic = test::add_operation(k.kernel, ir::OperationKind::atomic_global, 4);
  k.kernel.operations[atomic].facts.on_integers = true;
  for (ir::Operation& operation : k.kernel.operations) operation.machine.emplace();
  timing::Services services;
  services.operations.resize(k.kernel.operations.size());
  services.fractions = true;
  const auto costs_with = [&](Guarantee network) {
    services.operations[atomic].network = network;
    auto costs = timing::costs_of(k.kernel, machine, services);
    REQUIRE(costs);
    return std::move(*costs);
  };
  const timing::Costs apart = costs_with(Guarantee::same_bank), one = costs_with(Guarantee::few);
  const auto whole = [&](const timing::Costs& costs, size_t resource) {
    int64_t sum = 0;
    for (const Occupancy& o : costs.operations[atomic].occupancies) sum += o.resource == resource ? o.first : 0;
    return sum;
  };
  CHECK(whole(apart, test::network_of_lines) == 4 * timing::fine_ticks);
  CHECK(whole(one, test::network_of_lines) == 65 * timing::fine_ticks);
  CHECK(held(one.operations[atomic], test::network_of_lines) == 65 * timing::fine_ticks);
  CHECK(whole(one, unit) == 0);
  CHECK(one.longest_steps[test::network_of_lines] == 65);
  CHECK(one.operations[load].latency.worst == apart.operations[load].latency.worst + 65 - 4);
  CHECK(one.operations[atomic].latency.worst == apart.operations[atomic].latency.worst + 65 - 4);
}

TEST_CASE("lines without an address come as spread ones, whatever is assumed") {
  Machine machine = test::line_machine();
  ir::Operation fence;
  fence.kind = ir::OperationKind::fence;
  const std::vector<int64_t> ticks(machine.resources.size(), fine_ticks);
  const auto ticks_of_network = [&](bool spread, const Service& service) {
    OperationFigures& figures = machine.otherwise[static_cast<size_t>(fence.kind)].emplace();
    figures.latency = {1, 1, 10, 0, 0};
    const auto network = machine.resource(network_resource);
    figures.occupancies = {{0, 1, false, 1}, {*network, 3, false, 3}};
    figures.spread = spread;
    const auto found = figures_with_service(fence, service, machine, ticks);
    for (const Occupancy& one : found->occupancies) {
      if (one.resource == *network) return one.first;
    }
    return int64_t{0};
  };
  const ResourceFigures& network = machine.resources[*machine.resource(network_resource)];
  const int64_t one_slice = ticks_of_line(network, Guarantee::same_bank, fine_ticks);
  const int64_t anywhere = ticks_of_line(network, Guarantee::spread, fine_ticks);
  REQUIRE(anywhere < one_slice);
  CHECK(ticks_of_network(false, {}) == 3 * one_slice);
  CHECK(ticks_of_network(true, {}) == 3 * anywhere);
  // As much where accesses are spread: no memory has what a fence asks for.
  Service spread;
  spread.memory = spread.network = Guarantee::spread;
  CHECK(ticks_of_network(true, spread) == 3 * anywhere);
}

TEST_CASE("what is kept is not asked for, and a hit takes as long as the cache says") {
  using enum ir::OperationKind;
  Service kept;
  kept.cached_by_device = true;
  CHECK(held(served_as(load_global, kept, 1), test::memory_of_lines) == 0);
  CHECK(held(served_as(load_global, kept, 1), test::network_of_lines) == 4);
  CHECK(served_as(load_global, kept, 1).latency.worst == 100 + 2 + 4);
  kept.hit = 60;
  CHECK(served_as(load_global, kept, 1).latency.worst == 60 + 2 + 4);
  Service nearby;
  nearby.cached_nearby = true;
  nearby.hit = 5;
  const OperationFigures constant = served_as(load_param, nearby, 1);
  CHECK(constant.latency.worst == 5);
  for (size_t r = test::port_of_lines; r <= test::memory_of_lines; ++r) CHECK(held(constant, r) == 0);
  // Of several places each takes the port, and how soon they are there is not known.
  Service places;
  places.places_nearby = true;
  const OperationFigures several = served_as(load_param, places, 1);
  CHECK(held(several, test::port_of_lines) == 2);
  for (const size_t r : {test::network_of_lines, test::memory_of_lines}) CHECK(held(several, r) == 0);
  CHECK(several.latency.worst == 90 + 2);
  // A cache that is slower than what is behind it helps nobody.
  nearby.hit = 1000;
  CHECK(served_as(load_param, nearby, 1).latency.worst == 90);
}

TEST_CASE("narrow accesses hold what counts bytes of lanes for less") {
  Machine machine = test::line_machine();
  machine.resources[1].lane_bytes = 4;
  const auto of_unit = [&](int bytes) {
    return held(served_as(ir::OperationKind::load_global, {}, 1, bytes, machine), 1);
  };
  CHECK(of_unit(4) == 5);
  CHECK(of_unit(2) == 3);
  CHECK(of_unit(1) == 2);
  CHECK(of_unit(16) == 5);
  CHECK(of_unit(0) == 5);
}
