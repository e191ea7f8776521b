// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses by generic addresses, of which the memory may be known.
#include <array>
#include <catch2/catch.hpp>

#include "frontend/ptx/forms/form.hpp"
#include "tests/timing/costs/served_accesses.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using namespace warpspan::test::served;

TEST_CASE("what goes to shared memory asks nothing behind it, whatever its address could have been") {
  const auto asked = [](bool in_shared) {
    Accesses a;
    a.access(OperationKind::load_global, ir::no_object).in_shared = in_shared;
    const Machine machine = test::line_machine();
    const Served result = serve(a, {}, machine);
    const auto costs = costs_of(result.code.kernel, machine, result.code.services);
    REQUIRE(costs.ok());
    int64_t lines = 0;
    for (const Occupancy& hold : costs->of(result.code.kernel.instructions.back()).occupancies) {
      lines += machine.resources[hold.resource].lines ? hold.first : 0;
    }
    return lines;
  };
  CHECK(asked(false) > 0);
  CHECK(asked(true) == 0);
}

namespace {

// What one atomic costs.
OperationFigures figures_of_atomic(const Machine& machine, const std::string& word, const Service& service) {
  ptx::FormTable forms;
  const ptx::Form* form = forms.find(word);
  REQUIRE(form != nullptr);
  const auto figures =
      figures_with_service(form->operation, service, machine, std::vector<int64_t>(machine.resources.size(), 1));
  REQUIRE(figures);
  return *figures;
}

int64_t rounds_of(const OperationFigures& figures, const Machine& machine, const char* resource) {
  for (const Retries& rounds : figures.retries) {
    if (rounds.resource == machine.resource(resource)) return rounds.cycles;
  }
  return 0;
}

int64_t held_by(const OperationFigures& figures, const Machine& machine, const char* resource) {
  for (const Occupancy& hold : figures.occupancies) {
    if (hold.resource == machine.resource(resource)) return hold.first;
  }
  return 0;
}

}  // namespace

TEST_CASE("an atomic by a generic address is one on global memory where its address is known to be of that") {
  const Service anywhere;
  Service shared, global;
  shared.in_shared = true;
  global.in_global = true;
  const auto machine = load_machine("ampere");
  REQUIRE(machine.ok());
  const std::string sum = "atom.add.f32";
  const OperationFigures of_both = figures_of_atomic(*machine, sum, anywhere);
  CHECK(rounds_of(of_both, *machine, "shared_atomic") > 0);
  CHECK(rounds_of(of_both, *machine, "atomic") == 0);  // which the machine has there
  CHECK(held_by(of_both, *machine, "atomic") > 0);
  const OperationFigures of_global = figures_of_atomic(*machine, sum, global);
  CHECK(of_global.retries.empty());
  CHECK(held_by(of_global, *machine, "shared_atomic") == 0);
  CHECK(of_global.latency.worst < of_both.latency.worst);
  const OperationFigures of_shared = figures_of_atomic(*machine, sum, shared);
  CHECK(rounds_of(of_shared, *machine, "shared_atomic") > 0);
  CHECK(held_by(of_shared, *machine, "atomic") == 0);
  // Never less than the same atomic with the word.
  for (const char* word : {"atom.global.add.f32", "atom.global.exch.b32", "atom.global.cas.b64"}) {
    INFO(word);
    const OperationFigures by_word = figures_of_atomic(*machine, word, anywhere);
    std::string generic = word;
    generic.erase(generic.find(".global"), 7);
    const OperationFigures known = figures_of_atomic(*machine, generic, global);
    CHECK(known.latency.worst >= by_word.latency.worst);
    CHECK(known.retries.empty());
    for (const char* resource : {"issue", "memory_port", "load_store", "network_port", "network", "atomic", "memory"}) {
      INFO(resource);
      CHECK(held_by(known, *machine, resource) >= held_by(by_word, *machine, resource));
    }
  }
  // A loop on both.
  CHECK(rounds_of(figures_of_atomic(*machine, "atom.add.noftz.f16", anywhere), *machine, "shared_atomic") > 0);
  const OperationFigures half = figures_of_atomic(*machine, "atom.add.noftz.f16", global);
  CHECK(rounds_of(half, *machine, "atomic") > 0);
  CHECK(rounds_of(half, *machine, "shared_atomic") == 0);
  CHECK(held_by(half, *machine, "shared_atomic") == 0);
}

TEST_CASE("that a generic address is one of global memory counts for atomics, and where blocks come in clusters") {
  const auto served_as = [](OperationKind kind, bool in_global, bool in_clusters) {
    Accesses a;
    const ir::ObjectId object = a.object();
    ir::Access& access = a.access(kind, object);
    access.in_global = in_global;
    const ir::InstructionId id = access.instruction;
    a.k.kernel.launch_bounds.clusters = in_clusters;
    const Served result = serve(a, {});
    const Service& service = result.of(id);
    return std::array<bool, 3>{service.in_global, service.may_leave_block, result.code.counts_from_global};
  };
  using Is = std::array<bool, 3>;
  CHECK(served_as(OperationKind::atomic_generic, true, false) == Is{true, false, true});
  CHECK(served_as(OperationKind::atomic_generic, false, false) == Is{false, false, false});
  CHECK(served_as(OperationKind::load_generic, true, false) == Is{false, false, false});
  CHECK(served_as(OperationKind::load_generic, true, true) == Is{false, false, true});
  CHECK(served_as(OperationKind::load_generic, false, true) == Is{false, true, false});
  CHECK(served_as(OperationKind::atomic_global, true, true) == Is{false, false, false});
}

TEST_CASE("fragments in global memory may lie anywhere, those in shared memory touch none") {
  test::TestKernel k = test::build_kernel({{"C", {}}});
  ir::Operation& operation = k.kernel.operations[k.kernel.instructions[0].operation];
  operation.kind = ir::OperationKind::matrix_load;
  operation.bytes = 32;
  operation.space = ir::MemorySpace::global;
  CHECK_FALSE(footprint(k.kernel, k.flow, {}, test::line_machine()).bytes);
  operation.space = ir::MemorySpace::generic;
  CHECK_FALSE(footprint(k.kernel, k.flow, {}, test::line_machine()).bytes);
  ir::Access access;  // by an address that is known to be one of shared memory
  access.in_shared = true;
  k.flow.accesses.push_back(access);
  CHECK(footprint(k.kernel, k.flow, {}, test::line_machine()).bytes == 0);
  k.flow.accesses.clear();
  operation.space = ir::MemorySpace::shared;
  CHECK(footprint(k.kernel, k.flow, {}, test::line_machine()).bytes == 0);
}
