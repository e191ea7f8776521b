// SPDX-License-Identifier: GPL-3.0-or-later
// Accesses of one warp, and what the memory serves them with.
#pragma once

#include "tests/timing/costs/line_machine.hpp"
#include "timing/costs/memory_model.hpp"

namespace warpspan::test::served {

using namespace timing;
using ir::OperationKind;

// One access of a warp after the other, each an instruction of one block.
struct Accesses {
  TestKernel k = build_kernel({{"", {}}});
  Load load;

  ir::InstructionId add(OperationKind kind, int bytes = 4) {
    ir::Instruction instruction;
    instruction.operation = add_operation(k.kernel, kind, bytes);
    k.kernel.instructions.push_back(instruction);
    k.kernel.blocks[0].count = static_cast<uint32_t>(k.kernel.instructions.size());
    k.flow.transactions.push_back(2);
    return static_cast<ir::InstructionId>(k.kernel.instructions.size() - 1);
  }
  ir::ObjectId object(std::optional<int64_t> bytes = {}) {
    k.flow.objects.push_back({"p", bytes});
    return static_cast<ir::ObjectId>(k.flow.objects.size() - 1);
  }
  ir::Access& access(OperationKind kind, ir::ObjectId object, int bytes = 4) {
    ir::Access access;
    access.instruction = add(kind, bytes);
    access.object = object;
    access.aligned_transactions = 1;
    k.flow.accesses.push_back(access);
    return k.flow.accesses.back();
  }
  // As the front-end says of side by side accesses of so many lines.
  ir::Access& dense(OperationKind kind, ir::ObjectId object, int64_t lines, int bytes = 4) {
    ir::Access& a = access(kind, object, bytes);
    a.span = ir::ByteSpan{0, lines * 128};
    a.grid_lines = a.block_lines = lines + 1;
    a.fewest_grid_lines = lines;
    a.warp_lines = 2;
    a.dense = true;
    a.covers_lines = true;
    a.dense_with = a.instruction;
    return a;
  }
  ir::Access& sparse(OperationKind kind, ir::ObjectId object, int64_t lines, int64_t stride) {
    ir::Access& a = access(kind, object);
    a.span = ir::ByteSpan{0, lines * stride};
    a.grid_lines = a.fewest_grid_lines = lines;
    a.warp_lines = 32;
    return a;
  }
};

struct Served {
  ConstantReads reads;
  MemoryService code;

  // Of the last instruction that stands for one of the kernel.
  const Service& of(ir::InstructionId id) const {
    size_t found = 0;
    for (size_t i = 0; i < reads.origins.size(); ++i) {
      if (reads.origins[i] == id) found = i;
    }
    return code.services.operations[code.kernel.instructions[found].operation];
  }
};

inline Served serve(const Accesses& a, const AssumptionSet& assumed, const Machine& machine = line_machine(),
                    const Persistence& keeping = {}) {
  Served result{with_constant_reads(a.k.kernel, a.k.flow, false), {}};
  result.code =
      memory_service(result.reads, footprint(a.k.kernel, a.k.flow, a.load, machine), machine, assumed, keeping);
  return result;
}

inline const AssumptionSet all = assuming({Assumption::aligned, Assumption::stream, Assumption::keeps});
inline const AssumptionSet spread = assuming({Assumption::spread});

inline Guarantee memory(const Accesses& a, const AssumptionSet& assumed, const Machine& machine = line_machine()) {
  return serve(a, assumed, machine).of(0).memory;
}
inline Guarantee network(const Accesses& a, const AssumptionSet& assumed) { return serve(a, assumed).of(0).network; }

}  // namespace warpspan::test::served
