// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses that may reach other devices: .mmio, and scopes of the system.
#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"

using namespace warpspan;
using namespace warpspan::timing;

TEST_CASE("no machine has figures of devices that are mapped into memory") {
  for (const std::string& name : builtin_machines()) {
    INFO(name);
    const Machine machine = builtin(name);
    for (const char* word :
         {"ld.mmio.relaxed.sys.global.u32", "ld.mmio.relaxed.sys.u32", "ld.mmio.relaxed.sys.global.f64",
          "st.mmio.relaxed.sys.global.u32", "st.mmio.relaxed.sys.u32", "st.mmio.relaxed.sys.global.u8",
          "st.async.mmio.release.sys.global.u8", "red.async.mmio.release.sys.global.add.s32"}) {
      INFO(word);
      CHECK_FALSE(machine.figures(operation(word)));
    }
    for (const auto& [text, kind] :
         {std::pair{"LDG", ir::OperationKind::load_global}, std::pair{"LD", ir::OperationKind::load_generic},
          std::pair{"STG", ir::OperationKind::store_global}}) {
      INFO(text);
      ir::Operation access;
      access.text = access.key.opcode = text;
      access.kind = kind;
      access.machine = ir::MachineIssue{};
      const bool known = machine.figures(access).has_value();
      access.key.modifiers = {"mmio"};
      access.facts.mapped_device = true;
      CHECK(known);
      CHECK_FALSE(machine.figures(access));
    }
  }
}

TEST_CASE("a table that names .mmio has figures of it, and of nothing else") {
  const Machine machine = machine_of(std::string(small) +
                                     "[operation.mapped]\nkinds = [\"load.global\"]\nmodifiers = [\"mmio\"]\n"
                                     "latency = 77777\nstanding = \"assumed\"\nsource = \"a guess\"\n");
  const auto mapped = machine.figures(operation("ld.mmio.relaxed.sys.global.u32"));
  REQUIRE(mapped);
  CHECK(mapped->latency.worst == 77777);
  CHECK(machine.figures(operation("ld.relaxed.sys.global.u32"))->latency.worst == 500);
  CHECK_FALSE(machine.figures(operation("st.mmio.relaxed.sys.global.u32")));
}

TEST_CASE("an access of the system's scope costs what one of the device's does, and a fence of it no less") {
  for (const std::string& name : builtin_machines()) {
    INFO(name);
    const Machine machine = builtin(name);
    for (const auto& [system, device] :
         {std::pair{"ld.relaxed.sys.global.u32", "ld.relaxed.gpu.global.u32"},
          std::pair{"st.relaxed.sys.global.u32", "st.relaxed.gpu.global.u32"},
          std::pair{"atom.relaxed.sys.global.add.u32", "atom.relaxed.gpu.global.add.u32"},
          std::pair{"red.relaxed.sys.global.add.u32", "red.relaxed.gpu.global.add.u32"},
          std::pair{"ld.acquire.sys.global.u32", "ld.acquire.gpu.global.u32"}, std::pair{"membar.sys", "membar.gl"},
          std::pair{"fence.acq_rel.sys", "fence.acq_rel.gpu"}, std::pair{"fence.sc.sys", "fence.sc.gpu"}}) {
      INFO(system);
      const auto far = machine.figures(operation(system)), near = machine.figures(operation(device));
      REQUIRE(far.has_value() == near.has_value());
      if (!far) continue;
      CHECK(far->latency.worst >= near->latency.worst);
      CHECK(far->gap >= near->gap);
      CHECK(far->instructions >= near->instructions);
    }
  }
}
