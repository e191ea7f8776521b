// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels with accesses to few lines, to many and to dense ranges, for machines with what serves lines.
#pragma once

#include <algorithm>

#include "tests/timing/costs/memory_simulation.hpp"

namespace warpspan::test {

struct KernelShape {
  int64_t warps_per_block = 1, trips = 1;
  bool barriers = false;
  std::string symbols = "LLLLCCS";
  bool atomics = false;  // of machine code on integers, to an object of their own
};

// Objects 0: dense, 1: a few lines, 2: many lines, not dense, 3: a few lines, of atomics.
inline void touch(TestKernel& k, ir::InstructionId id, const KernelShape& shape, Random& random,
                  std::optional<ir::ObjectId> object = {}) {
  ir::Access access;
  access.instruction = id;
  access.object = object ? *object : static_cast<ir::ObjectId>(below(random, 3));
  const int64_t lines = access.object == 0 ? 520 : access.object == 2 ? 1100 : 1 + below(random, 6);
  access.span = ir::ByteSpan{0, lines * 128 - 127};
  access.grid_lines = access.fewest_grid_lines = lines;
  access.warp_lines = std::min(lines, 1 + below(random, 3));
  access.block_lines = std::min(lines, *access.warp_lines * shape.warps_per_block);
  access.dense = access.object == 0;
  access.dense_with = id;
  k.flow.transactions[id] = static_cast<uint8_t>(1 + below(random, 4));
  access.aligned_transactions = static_cast<uint8_t>(1 + below(random, k.flow.transactions[id]));
  access.covers_lines = access.dense && access.aligned_transactions == 1 && below(random, 2) == 0;
  if (below(random, 3) > 0) {
    access.sharing_blocks = 1 + below(random, 12);
    access.sharing_warps = *access.sharing_blocks * (1 + below(random, shape.warps_per_block));
  }
  k.flow.accesses.push_back(access);
}

// A loop over two blocks of which a warp may leave out one, between a block before and one behind.
inline TestKernel random_memory_kernel(const KernelShape& shape, Random& random) {
  const auto symbols = [&](int64_t longest) {
    std::string text;
    for (int64_t i = below(random, longest) + 1; i > 0; --i) {
      text += shape.symbols[static_cast<size_t>(below(random, static_cast<int64_t>(shape.symbols.size())))];
    }
    return text;
  };
  TestKernel k = build_kernel({{symbols(3), {1}},
                               {symbols(3), {2, 3}, false, 3, 0},
                               {symbols(4), {3}, false, 3, 0},
                               {symbols(3), {1, 4}, false, 4, 0},
                               {symbols(3), {}}},
                              {loop(1, shape.trips)});
  const uint32_t load = add_operation(k.kernel, ir::OperationKind::load_global, 4);
  const uint32_t store = add_operation(k.kernel, ir::OperationKind::store_global, 4);
  const uint32_t parameter = add_operation(k.kernel, ir::OperationKind::load_param, 4);
  const uint32_t barrier = add_operation(k.kernel, ir::OperationKind::barrier, 0);
  const uint32_t atomic = add_operation(k.kernel, ir::OperationKind::atomic_global, 4);
  k.kernel.operations[atomic].facts.on_integers = true;
  k.flow.objects = {{"dense", {}}, {"few", {}}, {"many", {}}, {"counts", {}}};
  k.kernel.parameter_bytes = 4096;
  k.kernel.registers = 5;
  for (ir::InstructionId id = 0; id < k.kernel.instructions.size(); ++id) {
    ir::Instruction& instruction = k.kernel.instructions[id];
    const bool was_load = instruction.operation == 0, was_special = instruction.operation == 2;
    if (was_load) {
      const int64_t kind = below(random, 8);
      instruction.operation = kind < 5 ? load : kind < 6 ? store : parameter;
      k.flow.transactions[id] = 1;
      if (shape.atomics && kind % 3 == 0) {
        instruction.operation = atomic;
        touch(k, id, shape, random, 3);
      } else if (kind < 6) {
        touch(k, id, shape, random);
      }
    } else if (was_special) {
      instruction.operation = shape.barriers ? barrier : 1;
    }
    if (instruction.operation == barrier) continue;
    std::vector<ir::RegisterId> reads, writes;
    const bool fixed = instruction.operation == parameter;
    for (int64_t r = fixed ? 0 : below(random, 3); r > 0; --r) reads.push_back(static_cast<uint32_t>(below(random, 5)));
    if (instruction.operation != store) writes.push_back(static_cast<uint32_t>(below(random, 5)));
    connect(k, id, reads, writes);
  }
  return k;
}

}  // namespace warpspan::test
