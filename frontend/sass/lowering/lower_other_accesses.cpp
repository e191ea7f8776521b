// SPDX-License-Identifier: GPL-3.0-or-later
// What asks of memory otherwise than plain loads, stores and atomics do: copies, barrier objects, rows of matrices,
// prefetches. And what waits without asking anything of it: barriers of a cluster, sleeps.
#include <algorithm>
#include <string_view>

#include "frontend/sass/lowering/lowering.hpp"
#include "frontend/sass/words/bits.hpp"

namespace warpspan::sass {

using ir::Computation;
using ir::MemorySpace;

namespace {

constexpr int barrier_bytes = 8;
constexpr int line_bytes = 128;
constexpr int by_size = 0;  // as the modifier says

struct OtherAccessName {
  std::string_view mnemonic;
  MemorySpace space;
  int bytes;
};
constexpr OtherAccessName other_access_names[] = {
    {"LDGSTS", MemorySpace::global, by_size},
    {"LDSM", MemorySpace::shared, widest_access},
    {"STSM", MemorySpace::shared, widest_access},
    {"STAS", MemorySpace::shared, by_size},
    {"USTGR", MemorySpace::global, by_size},
    {"UREDGR", MemorySpace::global, barrier_bytes},
    {"LDGMC", MemorySpace::global, widest_access},
    {"UGETNEXTWORKID", MemorySpace::shared, widest_access},
    {"ARRIVES", MemorySpace::shared, barrier_bytes},
    {"SYNCS.PHASECHK", MemorySpace::shared, barrier_bytes},
    {"SYNCS.ARRIVE", MemorySpace::shared, barrier_bytes},
    {"SYNCS.EXCH", MemorySpace::shared, barrier_bytes},
    {"SYNCS.CCTL", MemorySpace::shared, barrier_bytes},
    {"UBLKCP", MemorySpace::global, widest_access},
    {"UBLKRED", MemorySpace::global, widest_access},
    {"UBLKPF", MemorySpace::global, widest_access},
    {"UTMALDG", MemorySpace::global, widest_access},
    {"UTMASTG", MemorySpace::global, widest_access},
    {"UTMAREDG", MemorySpace::global, widest_access},
    {"UTMAPF", MemorySpace::global, widest_access},
    {"CCTL", MemorySpace::generic, line_bytes},
    {"CCTLL", MemorySpace::generic, line_bytes},
    {"UTMACCTL", MemorySpace::generic, line_bytes},
};

int bytes_of(const Instruction& instruction) {
  static constexpr int bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  return bytes[instruction.modifier(Modifier::size).value_or(4) & 7];
}

const Operand* address_in(const Instruction& instruction) {
  const auto operands = instruction.operands();
  const auto found = std::find_if(operands.begin(), operands.end(),
                                  [](const Operand& operand) { return operand.kind == OperandKind::address; });
  return found == operands.end() ? nullptr : &*found;
}

}  // namespace

// Those of CCTL that name no line are fences.
std::optional<OtherAccess> other_access_of(const Instruction& instruction) {
  if (operation_kind(instruction) == ir::OperationKind::fence) return std::nullopt;
  const auto* row =
      std::find_if(std::begin(other_access_names), std::end(other_access_names),
                   [&instruction](const OtherAccessName& one) { return one.mnemonic == instruction.mnemonic(); });
  if (row == std::end(other_access_names)) return std::nullopt;
  return OtherAccess{row->space, row->bytes == by_size ? bytes_of(instruction) : row->bytes};
}

// Where, from where, how many bytes, and, if these may not all be read, one operand more. What it reads fewer of is in
// the lowest bits of the address then, of a piece that is aligned to its size: no line but of this piece is touched.
std::vector<ir::Operand> InstructionLowering::lanes_copy(const Instruction& instruction) {
  constexpr unsigned zero_fill = 82;
  const auto operands = instruction.operands();
  std::vector<ir::Operand> sources = {address(operands[0], MemorySpace::shared),
                                      address(operands[1], MemorySpace::global), number(bytes_of(instruction))};
  const Operand& reads = operands[2];
  if (reads.in_register()) {
    sources.push_back(predicate(reads));
  } else if (reads.negated || bit(instruction.word, zero_fill)) {
    sources.push_back(number(0));
  }
  return sources;
}

// Where it goes in global memory, if it does, and how many bytes, of which the register counts pieces of 16.
std::vector<ir::Operand> InstructionLowering::bulk_copy(const Instruction& instruction) {
  constexpr int piece = 16;
  const auto operands = instruction.operands();
  const std::string name = operation_name(instruction);
  const bool from_global = name.starts_with("UBLKCP.S.G");
  const bool into_global = name == "UBLKCP.G.S" || name == "UBLKRED" || name == "UBLKPF";
  std::vector<ir::Operand> sources;
  if (from_global || into_global) {
    const Operand& where = operands[from_global ? 1 : 0];
    sources.push_back(steps_.address(pair(where.register_class, where.first), 0));
  }
  const Operand& size = operands[name == "UBLKPF" ? 1 : 2];
  sources.push_back(steps_.compute(pure(Computation::multiply_low, 32), 32, {read32(size), number(piece)}));
  return sources;
}

bool InstructionLowering::other_access(const Instruction& instruction) {
  const OtherAccess access = *other_access_of(instruction);
  ir::Operation operation;
  operation.kind = *operation_kind(instruction);
  operation.space = access.space;
  operation.bytes = access.bytes;
  operation.facts = operation_facts(instruction);
  std::vector<ir::Operand> sources, results;
  for (const ir::RegisterId reg : registers_of(writes(instruction))) results.push_back(value_of(reg));
  if (ir::is_async_copy(operation)) {
    sources = lanes_copy(instruction);
    results.clear();  // its predicate stays as it was
  } else if (instruction.mnemonic().starts_with("UBLK")) {
    sources = bulk_copy(instruction);
  } else if (operation.kind == ir::OperationKind::matrix_load) {
    sources = {address(*address_in(instruction), MemorySpace::shared)};
  }
  const bool asks = instruction.mnemonic() == "SYNCS.PHASECHK";
  steps_.add_step(std::move(operation), sources, asks ? std::vector<ir::Operand>() : results);
  if (asks) answer(instruction);
  if (one_phase_.contains(&instruction)) {
    const ir::RegisterId upper = instruction.operands().front().first + 1U;
    steps_.set(upper, steps_.compute(pure(Computation::copy, 32), 32, {special(ir::SpecialValue::warp_uniform)}));
  }
  return true;
}

// Lanes that ask the same barrier object jointly, for the same phase, get the same answer, as of a load: ptxas has no
// lanes reconverge behind loops that wait for it, as behind those that read memory at one address.
void InstructionLowering::answer(const Instruction& instruction) {
  ir::Operand state = steps_.compute(pure(Computation::copy, 32), 32, {special(ir::SpecialValue::warp_uniform)});
  for (const ir::RegisterId reg : registers_of(reads(instruction)))
    if (bits_of(reg) == 32) state = steps_.compute(pure(Computation::bit_xor, 32), 32, {state, value_of(reg)});
  ir::Semantics is_set = pure(Computation::compare, 32);
  is_set.comparison = ir::Comparison::not_equal;
  for (const ir::RegisterId reg : registers_of(writes(instruction)))
    steps_.set(reg, steps_.compute(is_set, 1, {state, number(0)}));
}

bool InstructionLowering::cluster_barrier(const Instruction& /*instruction*/) {
  ir::Operation operation;
  operation.kind = ir::OperationKind::cluster_barrier;
  steps_.add_step(std::move(operation), {}, {});
  return true;
}

// For how many nanoseconds.
bool InstructionLowering::sleep(const Instruction& instruction) {
  ir::Operation operation;
  operation.kind = ir::OperationKind::sleep;
  steps_.add_step(std::move(operation), {read32(instruction.operands().front())}, {});
  return true;
}

}  // namespace warpspan::sass
