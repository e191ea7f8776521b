// SPDX-License-Identifier: GPL-3.0-or-later
// The occupancy of known kernels: NVIDIA's occupancy formulas by hand.
#include "timing/launch/residency.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

struct Case {
  ir::Kernel kernel;
  ir::Launch launch;
  int64_t warps = 8;
};

Residency resident(const Case& c, const Machine& machine) {
  const auto needs = block_needs(c.kernel, c.launch, c.warps, machine);
  if (!needs) FAIL(rendered(needs.errors()));
  return residency(*needs, machine);
}

std::pair<int64_t, int64_t> blocks(const Case& c, const Machine& machine) {
  const Span span = resident(c, machine).blocks;
  return {span.least, span.most};
}

using Blocks = std::pair<int64_t, int64_t>;

}  // namespace

TEST_CASE("registers that are known make one number of blocks") {
  const Machine ampere = builtin("ampere");
  Case c;
  for (const auto& [registers, warps, fit] : std::vector<std::array<int64_t, 3>>{{32, 8, 8},
                                                                                 {33, 8, 6},
                                                                                 {40, 8, 6},
                                                                                 {41, 8, 5},
                                                                                 {64, 8, 4},
                                                                                 {128, 8, 2},
                                                                                 {255, 8, 1},
                                                                                 {32, 1, 32},
                                                                                 {32, 32, 2}}) {
    INFO(registers << " registers, " << warps << " warps");
    c.launch.registers = registers;
    c.warps = warps;
    CHECK(blocks(c, ampere) == Blocks(fit, fit));
  }
}

TEST_CASE("registers that are not known leave every number open that some have") {
  const Machine ampere = builtin("ampere");
  Case c;
  CHECK(blocks(c, ampere) == Blocks(1, 8));
  CHECK(resident(c, ampere).least_limit == "registers");
  CHECK(resident(c, ampere).most_limit == "warps");
  c.kernel.launch_bounds.max_registers = 64;
  CHECK(blocks(c, ampere) == Blocks(4, 8));
  c.warps = 32;  // at least one fits, because it is launched
  c.kernel.launch_bounds.max_registers = 0;
  CHECK(blocks(c, ampere) == Blocks(1, 2));
  CHECK(blocks({{}, {}, 1}, builtin("blackwell-consumer")) == Blocks(8, 32));  // sources disagree: 24 or 32 blocks
}

TEST_CASE("launch bounds limit what ptxas allots") {
  const Machine ampere = builtin("ampere");
  Case c;
  c.kernel.launch_bounds.maximum = {1024, 1, 1};  // at most 64 registers, or such a block would not fit
  CHECK(blocks(c, ampere) == Blocks(4, 8));
  c.kernel.launch_bounds.min_blocks = 2;  // at most 32
  CHECK(blocks(c, ampere) == Blocks(8, 8));
  c.kernel.launch_bounds.min_blocks = 3;  // 96 warps: ptxas ignores it
  CHECK(blocks(c, ampere) == Blocks(4, 8));
  c.kernel.launch_bounds.max_registers = 128;  // goes before them
  CHECK(blocks(c, ampere) == Blocks(2, 8));
  c.launch.registers = 40;
  CHECK(blocks(c, ampere) == Blocks(6, 6));
}

TEST_CASE("Fermi's registers are allotted by 64 or by 128") {
  Case c;
  c.launch.registers = 21;  // 672 to a warp: 704, or 768
  CHECK(blocks(c, builtin("fermi")) == Blocks(5, 5));
  c.launch.registers = 18;  // 576, or 640
  c.warps = 4;
  CHECK(blocks(c, builtin("fermi")) == Blocks(8, 8));
  c.launch.registers = 22;
  c.warps = 6;
  CHECK(blocks(c, builtin("fermi")) == Blocks(7, 7));  // 704 or 768
  c.launch.registers = 26;                             // 832, or 896
  CHECK(blocks(c, builtin("fermi")) == Blocks(6, 6));
  c.launch.registers = 63;
  c.warps = 16;
  CHECK(blocks(c, builtin("fermi")) == Blocks(1, 1));
}

TEST_CASE("shared memory is counted with what the machine reserves") {
  const Machine ampere = builtin("ampere");
  Case c;
  c.launch.registers = 32;
  c.kernel.shared_bytes = 40 * 1024;
  CHECK(blocks(c, ampere) == Blocks(4, 4));  // 164 KB, 41 KB each
  CHECK(resident(c, ampere).least_limit == "shared memory");
  CHECK(resident(c, ampere).needs_shared_setting);
  c.kernel.shared_padding = 15;  // 41 KB, or 128 bytes more
  CHECK(blocks(c, ampere) == Blocks(3, 4));
  c.kernel.dynamic_shared = true;
  CHECK(blocks(c, ampere) == Blocks(1, 4));
  c.launch.dynamic_shared = 40 * 1024;
  CHECK(blocks(c, ampere) == Blocks(2, 2));
  CHECK(blocks({{}, c.launch, 8}, builtin("maxwell")) == Blocks(1, 2));  // 64 or 96 KB
  CHECK_FALSE(resident({}, builtin("maxwell")).needs_shared_setting);    // nothing is used or reserved
}

TEST_CASE("named barriers limit blocks") {
  Case c;
  c.launch.registers = 16;
  c.warps = 1;
  c.kernel.barriers = 16;
  CHECK(blocks(c, builtin("hopper")) == Blocks(4, 32));  // 64 of them; the code may name fewer once it is compiled
  CHECK(resident(c, builtin("hopper")).least_limit == "barriers");
  CHECK(blocks(c, builtin("ampere-consumer")) == Blocks(1, 16));
  c.kernel.barriers = 1;
  CHECK(blocks(c, builtin("ampere-consumer")) == Blocks(16, 16));
  c.kernel.barriers = 3;
  CHECK(blocks(c, builtin("blackwell-consumer")) == Blocks(8, 32));
  c.kernel.barriers = 2;
  c.warps = 2;
  CHECK(blocks(c, machine_of(std::string(small))) == Blocks(4, 8));  // a file without barriers: as many as blocks
}

TEST_CASE("what logs tell of shared memory goes before the file") {
  Case c;
  c.kernel.shared_bytes = 1000;
  c.kernel.shared_padding = 100;
  c.launch.static_shared = 1008;
  c.launch.dynamic_shared = 16;
  const auto needs = block_needs(c.kernel, c.launch, c.warps, builtin("ampere"));
  REQUIRE(needs);
  CHECK(needs->shared_bytes == Span{1024, 1024});
}

TEST_CASE("what no block can have is refused") {
  const Machine ampere = builtin("ampere");
  const auto refusal = [&](const Case& c) {
    const auto needs = block_needs(c.kernel, c.launch, c.warps, ampere);
    REQUIRE_FALSE(needs);
    return needs.errors()[0].message + " | " + needs.errors()[0].help;
  };
  Case c;
  c.kernel.name = "k";
  c.launch.registers = 256;
  c.launch.registers_from = "--registers";
  CHECK(refusal(c) ==
        "--registers: a thread of machine 'ampere' has at most 255 registers | 'ptxas -v' prints how many the kernel "
        "has");
  c.launch.registers = 65;
  c.warps = 32;
  CHECK(
      refusal(c) ==
      "a block of kernel 'k' with 32 warps takes 73728 registers, and a block on machine 'ampere' has at most 65536 | "
      "give a smaller {block}, or compile with fewer registers (--maxrregcount)");
  c.launch.registers = 80;
  c.warps = 25;  // counts as 28, seven for each scheduler
  CHECK(
      refusal(c) ==
      "a block of kernel 'k' with 25 warps takes 71680 registers, and a block on machine 'ampere' has at most 65536 | "
      "give a smaller {block}, or compile with fewer registers (--maxrregcount)");
  c.launch.registers = 64;
  c.kernel.shared_bytes = 166'913;
  CHECK(
      refusal(c) ==
      "a block of kernel 'k' takes 166913 bytes of shared memory, and a block on machine 'ampere' has at most 166912 | "
      "give another {machine}");
}

TEST_CASE("more registers or shared memory never make room for more blocks") {
  for (const std::string& name : builtin_machines()) {
    const Machine machine = builtin(name);
    for (int64_t warps = 1; warps <= 32; ++warps) {
      Case c;
      c.warps = warps;
      Span before = resident(c, machine).blocks;
      CHECK(before.least >= 1);
      CHECK(before.least <= before.most);
      CHECK(before.most * warps <= machine.max_warps);
      for (int64_t registers = 1; registers <= machine.registers_per_thread; ++registers) {
        c.launch.registers = registers;
        const auto needs = block_needs(c.kernel, c.launch, warps, machine);
        if (!needs) break;  // no block fits
        const Span now = residency(*needs, machine).blocks;
        REQUIRE(now.least <= now.most);
        REQUIRE(now.most <= before.most);
        REQUIRE(now.least >= resident({{}, {}, warps}, machine).blocks.least);
        before = now;
      }
    }
  }
}
