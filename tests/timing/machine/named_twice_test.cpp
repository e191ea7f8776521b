// SPDX-License-Identifier: GPL-3.0-or-later
// Figures that stand twice: of a machine instruction by its own name, and of the PTX that becomes this one instruction;
// and of a board, in its file and in the documentation.
#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"
#include "tests/timing/machine/machines_page.hpp"
#include "timing/machine/expansions.hpp"

using namespace warpspan;
using namespace warpspan::timing;

using ir::OperationKind;

namespace {

struct Pair {
  const char* ptx;
  const char* opcode;  // of the machine instruction whose result is there when a scoreboard says so
  OperationKind kind;  // of it
};

constexpr Pair pairs[] = {
    {"popc.b32", "POPC", OperationKind::special},
    {"brev.b32", "BREV", OperationKind::special},
    {"bfind.u32", "FLO", OperationKind::special},
    {"bfind.s32", "FLO", OperationKind::special},
    {"bfind.shiftamt.u32", "FLO", OperationKind::special},
    {"ex2.approx.ftz.f32", "MUFU", OperationKind::special},
    {"lg2.approx.ftz.f32", "MUFU", OperationKind::special},
    {"rcp.approx.ftz.f32", "MUFU", OperationKind::special},
    {"rsqrt.approx.ftz.f32", "MUFU", OperationKind::special},
    {"tanh.approx.f32", "MUFU", OperationKind::special},
    {"ex2.approx.f16", "MUFU", OperationKind::special},
    {"cvt.rn.f32.s32", "I2F", OperationKind::special},
    {"cvt.rn.f32.u32", "I2F", OperationKind::special},
    {"cvt.rzi.s32.f32", "F2I", OperationKind::special},
    {"cvt.rzi.u32.f32", "F2I", OperationKind::special},
    {"cvt.rni.f32.f32", "FRND", OperationKind::special},
    {"cvt.rn.f32.f16", "F2F", OperationKind::special},
    {"cvt.rn.f16.f32", "F2F", OperationKind::special},
    {"shfl.sync.idx.b32", "SHFL", OperationKind::shuffle},
    {"shfl.sync.bfly.b32", "SHFL", OperationKind::shuffle},
    {"redux.sync.add.u32", "REDUX", OperationKind::warp_reduce},
    {"match.any.sync.b32", "MATCH", OperationKind::vote},
    {"match.any.sync.b64", "MATCH.64", OperationKind::vote},
    {"ld.global.u32", "LDG", OperationKind::load_global},
    {"ld.shared.u32", "LDS", OperationKind::load_shared},
    {"ld.local.u32", "LDL", OperationKind::load_local},
    {"ld.u32", "LD", OperationKind::load_generic},
    {"st.global.u32", "STG", OperationKind::store_global},
    {"st.shared.u32", "STS", OperationKind::store_shared},
    {"atom.global.add.u32", "ATOMG", OperationKind::atomic_global},
    {"atom.shared.add.u32", "ATOMS", OperationKind::atomic_shared},
    {"red.global.add.u32", "RED", OperationKind::reduce_global},
    {"membar.gl", "MEMBAR", OperationKind::fence},
    {"membar.sys", "MEMBAR", OperationKind::fence},
    {"fence.acq_rel.sys", "MEMBAR", OperationKind::fence},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "LDSM", OperationKind::matrix_load},
    {"movmatrix.sync.aligned.m8n8.trans.b16", "MOVM", OperationKind::matrix_load},
};

int64_t occupied_for(const Machine& machine, const OperationFigures& figures, const std::string& name) {
  for (const Occupancy& occupancy : figures.occupancies) {
    if (machine.resources[occupancy.resource].name == name) return *occupied_cycles(occupancy, 1).value();
  }
  return 0;
}

}  // namespace

TEST_CASE("PTX that is one machine instruction costs no less than this instruction by its own name") {
  size_t compared = 0;
  for (const std::string& name : builtin_machines()) {
    const Machine machine = builtin(name);
    if (!machine.sequence || machine.targets.empty()) continue;
    for (const Pair& pair : pairs) {
      const ir::Operation ptx = operation(pair.ptx);
      const auto expansion = expansion_of(machine, ptx);
      ir::Operation own;
      own.text = own.key.opcode = pair.opcode;
      own.kind = pair.kind;
      own.machine = ir::MachineIssue{};
      const auto of_ptx = machine.figures(ptx), of_own = machine.figures(own);
      INFO(name << ": " << pair.ptx << " and " << pair.opcode);
      if (std::stoi(machine.targets.front().substr(3)) < 75) continue;  // no figures of one machine instruction
      if (!of_ptx || !of_own || !expansion || expansion->total != 1) continue;
      ++compared;
      CHECK(of_ptx->latency.worst >= of_own->latency.worst);
      CHECK(of_ptx->per_transaction >= of_own->per_transaction);
      for (const ResourceFigures& resource : machine.resources) {
        INFO(resource.name);
        CHECK(occupied_for(machine, *of_ptx, resource.name) >= occupied_for(machine, *of_own, resource.name));
      }
    }
  }
  CHECK(compared >= 100);
}

TEST_CASE("the documentation has the clock and the size of each board") {
  const std::string text = test::machines_page();
  for (const std::string& name : builtin_machines()) {
    const size_t row = text.find("\n| `" + name + "` | ");
    REQUIRE(row != std::string::npos);
    const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row - 1);
    const Machine machine = builtin(name);
    INFO(line);
    const std::string end = " | " + std::to_string((machine.clock_khz + 500) / 1000) + " | " +
                            std::to_string(machine.multiprocessors) + " |";
    CHECK(line.size() >= end.size());
    CHECK(line.substr(line.size() - std::min(line.size(), end.size())) == end);
  }
}
