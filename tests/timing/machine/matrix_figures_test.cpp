// SPDX-License-Identifier: GPL-3.0-or-later
// Multiplications of matrices on the built-in machines: how long they occupy the matrix unit, against the peak rates of
// the devices, and what machine code may not make of them.
#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

int64_t tensor_cycles(const Machine& machine, const OperationFigures& figures) {
  for (const Occupancy& occupancy : figures.occupancies) {
    if (machine.resources[occupancy.resource].name == "tensor") return occupancy.cycles;
  }
  return 0;
}

struct Peak {
  const char* machine;
  int64_t halves;            // multiply-adds of a multiprocessor in a cycle: half precision with sums of 32 bits
  int64_t halves_to_halves;  // with sums of 16 bits
  int64_t integers;          // of 8 bits; 0: none
};
// White papers; of GeForce boards where boards of a generation differ.
constexpr Peak peaks[] = {
    {"volta", 512, 512, 0},
    {"turing", 256, 512, 1024},
    {"ampere", 1024, 1024, 2048},
    {"ampere-consumer", 256, 512, 1024},
    {"ada", 256, 512, 1024},
    {"hopper", 2048, 2048, 4096},
    {"blackwell-consumer", 256, 512, 1024},
};

}  // namespace

TEST_CASE("no multiplication of matrices is faster than the peak rate of its device") {
  for (const Peak& peak : peaks) {
    INFO(peak.machine);
    const Machine machine = builtin(peak.machine);
    const auto check = [&](const std::string& word, int64_t multiplications, int64_t rate) {
      INFO(word);
      const auto figures = machine.figures(operation(word));
      REQUIRE(figures);
      const int64_t cycles = tensor_cycles(machine, *figures);
      CHECK(cycles * rate >= multiplications * machine.schedulers);
      CHECK(figures->latency.worst > cycles / 4);
      CHECK(figures->latency.worst <= 40 * multiplications / 256 + 400);  // believable
    };
    const std::string wmma = "wmma.mma.sync.aligned.row.col.m16n16k16";
    check(wmma + ".f32.f32", 4096, peak.halves);
    check(wmma + ".f16.f16", 4096, peak.halves_to_halves);
    if (std::string_view(peak.machine) == "volta") continue;
    check(wmma + ".s32.s8.s8.s32", 4096, peak.integers);
    check("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 1024, peak.halves);
    if (std::string_view(peak.machine) == "turing") continue;
    check("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 2048, peak.halves);
    check("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 2048, peak.halves_to_halves);
    check("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 4096, peak.integers);
  }
}

TEST_CASE("a stall count does not show when a matrix instruction that found its unit busy is done") {
  const Machine machine = builtin("blackwell-consumer");
  ir::Operation instruction;
  instruction.text = instruction.key.opcode = "HMMA";
  instruction.kind = ir::OperationKind::matrix_multiply;
  instruction.machine = ir::MachineIssue{29, true};
  auto figures = machine.figures(instruction);
  REQUIRE(figures);
  CHECK(figures->gap == 29);
  CHECK(figures->latency.worst >= 35);  // measured: 34.7
  instruction.machine->stall = 60;
  figures = machine.figures(instruction);
  CHECK(figures->latency.worst == 60);
}

TEST_CASE("loads of fragments cost at least as many loads as the assembler makes of them") {
  for (const char* name : {"volta", "turing", "ampere", "hopper", "blackwell-consumer"}) {
    INFO(name);
    const Machine machine = builtin(name);
    const auto one = machine.figures(operation("ld.global.u32"));
    const auto all = machine.figures(operation("wmma.load.c.sync.aligned.row.m16n16k16.global.f32"));
    REQUIRE((one && all));
    CHECK(all->latency.worst >= 4 * one->latency.worst);
    CHECK(all->per_transaction >= 4 * one->per_transaction);
    for (const Occupancy& occupancy : one->occupancies) {
      if (!machine.resources[occupancy.resource].lines) continue;
      const auto same = std::find_if(all->occupancies.begin(), all->occupancies.end(),
                                     [&](const Occupancy& other) { return other.resource == occupancy.resource; });
      REQUIRE(same != all->occupancies.end());
      CHECK(*occupied_cycles(*same, 32).value() >= 4 * *occupied_cycles(occupancy, 32).value());
    }
  }
}

TEST_CASE("shapes that a device has no matrix unit for are functions with shuffles") {
  const Machine machine = builtin("ampere");
  const auto figures = machine.figures(operation("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"));
  REQUIRE(figures);
  CHECK(tensor_cycles(machine, *figures) == 0);
  CHECK(figures->latency.worst > 28 * 26);  // 28 shuffles of 26 cycles
}

TEST_CASE("what a sampler decides has figures for plain ones only, and a texel by its number for all") {
  for (const char* name : {"turing", "ampere", "hopper", "blackwell-consumer"}) {
    INFO(name);
    const Machine machine = builtin(name);
    for (const char* form : {"tex.1d.v4.f32.f32", "tex.2d.v4.f32.f32", "tex.2d.v4.s32.f32", "tex.3d.v4.f32.f32",
                             "tex.level.a2d.v4.f32.f32", "tld4.r.2d.v4.f32.f32"}) {
      INFO(form);
      const auto figures = machine.figures(operation(form));
      REQUIRE(figures);
      CHECK(figures->plain_textures);
    }
    CHECK_FALSE(machine.figures(operation("tex.grad.2d.v4.f32.f32")));
    CHECK_FALSE(machine.figures(operation("tex.2d.v4.f32.s32"))->plain_textures);
    const auto load = machine.figures(operation("ld.global.u32"));
    const auto texel = machine.figures(operation("tex.2d.v4.f32.s32"));
    REQUIRE((load && texel));
    CHECK(texel->latency.worst > load->latency.worst);
    CHECK(machine.figures(operation("suld.b.2d.b32.trap")));
    CHECK(machine.figures(operation("sust.b.2d.b32.trap")));
  }
}

TEST_CASE("arriving at a barrier object has figures, and so has a look at it") {
  for (const char* name : {"ampere", "hopper", "blackwell", "blackwell-consumer"}) {
    INFO(name);
    const Machine machine = builtin(name);
    CHECK(machine.figures(operation("mbarrier.arrive.shared.b64")));
    CHECK(machine.figures(operation("mbarrier.test_wait.shared.b64")));
    // Of the look alone: timing::endless_suspensions refuses it where no fact states how long it suspends.
    if (std::string_view(name) != "ampere") CHECK(machine.figures(operation("mbarrier.try_wait.shared.b64")));
    CHECK(machine.figures(operation("barrier.cluster.arrive")).has_value() == (std::string_view(name) != "ampere"));
  }
}

TEST_CASE("a warp group multiplies no faster than was measured, and is done later than its unit is free") {
  const Machine machine = builtin("hopper");
  for (const int64_t columns : {8, 64, 72, 128, 136, 256}) {
    const std::string word = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) + "k16.f32.f16.f16";
    INFO(word);
    const auto figures = machine.figures(operation(word));
    REQUIRE(figures);
    const int64_t cycles = tensor_cycles(machine, *figures);
    CHECK(cycles >= std::max<int64_t>(24, columns / 2 + 16));
    CHECK(cycles <= std::max<int64_t>(48, columns + 16));
    CHECK(figures->gap == figures->latency.worst);  // the assembler may wait for each
    ir::Operation instruction;
    instruction.text = instruction.key.opcode = columns <= 64    ? "HGMMA.N64"
                                                : columns <= 128 ? "HGMMA.N128"
                                                                 : "HGMMA.N256";
    instruction.kind = ir::OperationKind::matrix_group;
    instruction.machine = ir::MachineIssue{1, true};
    const auto machine_figures = machine.figures(instruction);
    REQUIRE(machine_figures);
    CHECK(tensor_cycles(machine, *machine_figures) == cycles);
    CHECK(machine_figures->latency.worst >= columns / 2 + 2 * 78);  // twice what fence, commit and wait take besides
    CHECK(machine_figures->latency.worst < figures->latency.worst);
  }
  CHECK(machine.figures(operation("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc")));
  CHECK_FALSE(builtin("blackwell").figures(operation("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16")));
  CHECK_FALSE(builtin("ampere").figures(operation("wgmma.fence.sync.aligned")));
}

TEST_CASE("tensor memory has figures where devices have it") {
  for (const char* name : {"hopper", "blackwell", "blackwell-ultra", "thor", "blackwell-consumer", "gb10"}) {
    const Machine machine = builtin(name);
    const bool has = std::string_view(name) == "blackwell" || std::string_view(name) == "blackwell-ultra" ||
                     std::string_view(name) == "thor";
    for (const char* opcode : {"UTCMMA", "UTCBAR", "UTCCP", "LDTM", "STTM", "UTCATOMSWS", "UVIRTCOUNT"}) {
      INFO(name << " " << opcode);
      ir::Operation instruction;
      instruction.text = instruction.key.opcode = opcode;
      instruction.kind = ir::OperationKind::tensor_memory;
      instruction.machine = ir::MachineIssue{1, false};
      const auto figures = machine.figures(instruction);
      CHECK(figures.has_value() == has);
      if (figures) CHECK(figures->evidence == Evidence::assumed);
    }
  }
}
