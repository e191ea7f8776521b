// SPDX-License-Identifier: GPL-3.0-or-later
// What may be read again. A *constant* is what one of these produces, its root: a load of a parameter or from constant
// memory at an address that is itself made of constants; a move that reads a dimension of the launch, the address of a
// variable or a double from constant memory, and what needs an integer from there (needs_constant). A value is
// *computable* if all writes of its register are by roots or by instructions of one or two machine instructions
// (`cheap`) all of whose operands are computable or immediate. Several writes are a choice between values, which the
// assembler makes one instruction; the guard of a register's only write does not matter, as nothing else is there. The
// assembler may compute it again wherever it is used, which reads its roots there. Other values stay in registers: to
// compute again what needs memory, a thread's number or more than `most_roots` constants costs more than a register.
// Each value of PTX has a register of its own (frontend/ptx/calls/split_registers.hpp), so that only a value that
// depends on itself stays because it is written twice.
//
// What is charged. A root pays for one read where it stands: a load by its own figures, any other by a load put before
// it. Beyond that, each block pays for one read of every root of the values it uses, but for roots in the block itself.
//
// Why it is enough. Within one run of a basic block what was read stays in the nearest cache (a named assumption of the
// result), so that each root is read with a delay at most once in a run of a block; and a block reads a root only where
// it stands or where a value made of it is used, if only to make another. So in any run of the kernel no more reads are
// delayed than the kernel returned has loads, whichever values the assembler keeps in registers, and the critical path
// and the demands of that kernel are right for the machine code.
//
// Machine code shows itself which instructions read constants, so that only these are charged: each where it is the
// first in its block to read the address (ir::Operation::reads_constant).
//
// Moves. A machine instruction has one operand that may be constant. What a constant value is made of, parameters and
// immediates, may all stand in the instruction that uses it, with an addition or a logical operation that the assembler
// makes a part of that instruction; but for one they are moved to registers before it, a word of 32 bits at a time,
// whether or not the constant cache has them: Operation::moves. What the operation takes with immediates of its own is
// in there already (frontend/ptx/lowering/constant_operands.hpp).
//
// How a read delays. It is charged as a load.param whose result the instruction waits for, several of them one after
// another: an operand in constant memory that misses keeps its warp from issuing. It also keeps the scheduler for up to
// 4 cycles before it changes to another warp (Huerta et al., "Analyzing Modern NVIDIA GPU Cores", MICRO 2025, section
// 5.1.1): the load occupies the issue slot for as long, by the four machine instructions that machine files state.
#include "timing/costs/constant_reads.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "ir/bodies.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::timing {

namespace {

using ir::BlockId;
using ir::Instruction;
using ir::InstructionId;
using ir::RegisterId;

constexpr const char* keeps_for_a_block =
    "Machine code reads parameters, constants and launch dimensions only where the PTX uses them or what it computes "
    "from them, and what a basic block has read stays in the nearest constant cache until the block ends.";

constexpr const char* machine_code_keeps_for_a_block =
    "What a basic block has read of constant memory stays in the nearest constant cache until the block ends.";

constexpr size_t most_roots = 8;                              // of a value that is computed again
constexpr int most_words = 2 * static_cast<int>(most_roots);  // that it is made of

bool cheap(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case move:
    case convert:
    case convert64:
    case int_add:
    case int_mul:
    case logic:
    case shift:
    case compare:
    case int64_add:
    case int64_mul:
    case int64_logic:
    case int64_shift:
    case int64_compare:
    case fp32:
    case special: return true;
    default: return false;
  }
}

bool is_load(ir::OperationKind kind) {
  return kind == ir::OperationKind::load_param || kind == ir::OperationKind::load_const;
}

ir::Operation parameter_load() {
  ir::Operation operation;
  operation.text = "ld.param.b32";
  operation.kind = ir::OperationKind::load_param;
  operation.space = ir::MemorySpace::parameter;
  operation.bytes = 4;
  return operation;
}

// Of 32 bits; a predicate has none.
int words_of(const ir::Kernel& kernel, RegisterId reg) {
  constexpr int word_bits = 32;
  const int bits = reg < kernel.register_bits.size() ? kernel.register_bits[reg] : word_bits;
  return bits == 1 ? 0 : std::max(1, bits / word_bits);
}

// Of which roots the registers' values are made: none where they are not computable.
class Computable {
 public:
  Computable(const ir::Kernel& kernel, bool integers)
      : kernel_(kernel), integers_(integers), open_(kernel.instructions.size()), values_(kernel.registers) {
    std::vector<std::vector<InstructionId>> readers(kernel.registers);
    std::vector<InstructionId> ready;
    for (const Instruction& instruction : kernel.instructions) {
      for (uint32_t w = 0; w < instruction.writes; ++w) ++values_[kernel.writes(instruction)[w]].writes;
    }
    for (InstructionId i = 0; i < kernel.instructions.size(); ++i) {
      const Instruction& instruction = kernel.instructions[i];
      for (uint32_t r = first_operand(instruction); r < instruction.reads; ++r) {
        ++open_[i];
        readers[kernel.reads(instruction)[r]].push_back(i);
      }
      if (open_[i] == 0) ready.push_back(i);
    }
    for (Value& value : values_) value.open = value.writes;
    while (!ready.empty()) {
      const InstructionId i = ready.back();
      ready.pop_back();
      if (!is_candidate(i)) continue;
      const Instruction& instruction = kernel.instructions[i];
      for (uint32_t w = 0; w < instruction.writes; ++w) {
        const RegisterId reg = kernel.writes(instruction)[w];
        if (!gather(i, reg)) continue;
        for (const InstructionId reader : readers[reg]) {
          if (--open_[reader] == 0) ready.push_back(reader);
        }
      }
    }
  }

  bool is_root(InstructionId i) const {
    const ir::Operation& operation = kernel_.operation(kernel_.instructions[i]);
    return is_load(operation.kind) || needs_constant(operation, integers_);
  }
  const std::vector<InstructionId>& roots(RegisterId reg) const {
    static const std::vector<InstructionId> none;
    return values_[reg].open == 0 ? values_[reg].roots : none;
  }
  // Of 32 bits, of the parameters and immediates that the value is made of; 0 where it is one of several.
  int words(RegisterId reg) const { return values_[reg].open == 0 ? values_[reg].words : 0; }

 private:
  struct Value {
    uint32_t writes = 0, open = 0;  // those by what is not known to be computable
    std::vector<InstructionId> roots;
    int words = 0;
  };

  // Among its reads, behind the guard that does not matter.
  uint32_t first_operand(const Instruction& instruction) const {
    const RegisterId* writes = kernel_.writes(instruction);
    const bool only =
        std::all_of(writes, writes + instruction.writes, [&](RegisterId r) { return values_[r].writes == 1; });
    return instruction.guarded && only ? 1 : 0;
  }

  bool is_candidate(InstructionId i) const {
    const ir::Operation& operation = kernel_.operation(kernel_.instructions[i]);
    return cheap(operation.kind) || operation.reads_launch || is_load(operation.kind);
  }

  // Adds to a register's value what an instruction, all of whose operands are computable, writes there: whether the
  // register is computable now. It is not where there are too many roots.
  bool gather(InstructionId i, RegisterId reg) {
    const Instruction& instruction = kernel_.instructions[i];
    Value& value = values_[reg];
    std::vector<InstructionId> all = value.roots;
    const auto add = [&all](const std::vector<InstructionId>& more) {
      std::vector<InstructionId> both;
      std::set_union(all.begin(), all.end(), more.begin(), more.end(), std::back_inserter(both));
      all = std::move(both);
    };
    if (is_root(i)) add({i});
    const uint32_t first = first_operand(instruction);
    for (uint32_t r = first; r < instruction.reads; ++r) add(values_[kernel_.reads(instruction)[r]].roots);
    if (all.size() > most_roots) return false;
    value.roots = std::move(all);
    if (value.writes == 1) value.words = words_written(instruction, reg);
    return --value.open == 0;
  }

  int words_written(const Instruction& instruction, RegisterId reg) const {
    const ir::Operation& operation = kernel_.operation(instruction);
    const int own = words_of(kernel_, reg);
    int words = operation.constant_words;
    for (uint32_t r = first_operand(instruction); r < instruction.reads; ++r)
      words += values_[kernel_.reads(instruction)[r]].words;
    const bool is_read = is_load(operation.kind) || (words == 0 && needs_constant(operation, integers_));
    return is_read || own == 0 ? own : std::min(words, most_words);
  }

  const ir::Kernel& kernel_;
  bool integers_;
  std::vector<uint32_t> open_;  // by instruction: operands not known to be computable
  std::vector<Value> values_;   // by register
};

class Reads {
 public:
  Reads(const ir::Kernel& kernel, const ir::Flow& flow, bool integers)
      : kernel_(kernel),
        flow_(flow),
        integers_(integers),
        body_of_(ir::bodies(kernel)),
        computable_(kernel, integers),
        block_of_(kernel.instructions.size()),
        extra_(kernel.instructions.size()) {
    for (BlockId b = 0; b < kernel.blocks.size(); ++b) {
      for (uint32_t i = 0; i < kernel.blocks[b].count; ++i) block_of_[kernel.blocks[b].first + i] = b;
    }
  }

  ConstantReads run(bool keeps_constants) {
    ConstantReads result;
    result.kernel = kernel_;
    result.flow = flow_;
    result.integers = integers_;
    const bool is_machine_code = kernel_.is_machine_code();
    ReadsAtStart at_start = charge_roots(keeps_constants, result);
    if (!is_machine_code) at_start.all += reads_at_start;
    if (!is_machine_code) {
      charge_uses(keeps_constants, result);
      add_moves(result.kernel);
    }
    insert(at_start, result);
    const bool assumed = keeps_constants && result.persistence_matters;
    const char* of_block = is_machine_code ? machine_code_keeps_for_a_block : keeps_for_a_block;
    result.assumption = assumed ? std::string(sentence(Assumption::keeps_constants)) : of_block;
    return result;
  }

 private:
  // That are done once, before everything else, and those of what the launch passes.
  struct ReadsAtStart {
    int64_t all = 0, of_launch = 0;
  };
  ReadsAtStart charge_roots(bool keeps_constants, ConstantReads& result);
  void charge_uses(bool keeps_constants, ConstantReads& result);
  int moves_of(const Instruction& instruction) const;
  void add_moves(ir::Kernel& kernel) const;
  void insert(const ReadsAtStart& at_start, ConstantReads& result) const;
  void append_load(uint32_t operation, RegisterId awaited, const Instruction& place, bool is_first,
                   ir::Kernel& result) const;
  void append(Instruction instruction, RegisterId awaited, ir::Kernel& result) const;
  bool reads_launch(InstructionId id) const {
    return kernel_.is_machine_code() && kernel_.operation(kernel_.instructions[id]).reads_launch;
  }
  bool runs_once(BlockId block) const {
    return flow_.blocks[block].loop == ir::no_loop && body_of_[block] == ir::no_function;
  }

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  bool integers_;
  std::vector<ir::FunctionId> body_of_;  // by block
  Computable computable_;
  std::vector<BlockId> block_of_;  // by instruction
  std::vector<int64_t> extra_;     // by instruction: loads to put before it
};

// Roots that are no loads.
Reads::ReadsAtStart Reads::charge_roots(bool keeps_constants, ConstantReads& result) {
  ReadsAtStart at_start;
  for (const BlockId block : flow_.order) {
    for (uint32_t k = 0; k < kernel_.blocks[block].count; ++k) {
      const InstructionId i = kernel_.blocks[block].first + k;
      if (!needs_constant(kernel_.operation(kernel_.instructions[i]), integers_)) continue;
      result.persistence_matters = result.persistence_matters || !runs_once(block);
      if (keeps_constants && !runs_once(block)) {
        ++at_start.all;
        at_start.of_launch += reads_launch(i) ? 1 : 0;
      } else {
        ++extra_[i];
      }
    }
  }
  return at_start;
}

void Reads::charge_uses(bool keeps_constants, ConstantReads& result) {
  std::vector<BlockId> paid(kernel_.instructions.size(), ir::no_block);  // by root: the last block that paid for it
  for (const BlockId block : flow_.order) {
    for (uint32_t k = 0; k < kernel_.blocks[block].count; ++k) {
      const InstructionId i = kernel_.blocks[block].first + k;
      const Instruction& instruction = kernel_.instructions[i];
      for (uint32_t r = 0; r < instruction.reads; ++r) {
        for (const InstructionId root : computable_.roots(kernel_.reads(instruction)[r])) {
          if (block_of_[root] == block || paid[root] == block) continue;
          paid[root] = block;
          result.persistence_matters = true;
          if (!keeps_constants) ++extra_[i];
        }
      }
    }
  }
}

// Of constants that its registers contain.
int Reads::moves_of(const Instruction& instruction) const {
  int words = 0, longest = 0;
  for (uint32_t r = 0; r < instruction.reads; ++r) {
    const RegisterId reg = kernel_.reads(instruction)[r];
    if (computable_.words(reg) == 0) continue;
    words += computable_.words(reg);
    longest = std::max(longest, words_of(kernel_, reg));
  }
  return words == 0 ? 0 : words - std::min(longest, kernel_.operation(instruction).constant_free);
}

void Reads::add_moves(ir::Kernel& kernel) const {
  std::map<std::pair<uint32_t, int>, uint32_t> known;
  for (Instruction& instruction : kernel.instructions) {
    const int moves = moves_of(instruction);
    if (moves == 0) continue;
    const auto [found, fresh] = known.try_emplace({instruction.operation, moves}, kernel.operations.size());
    if (fresh) {
      kernel.operations.push_back(kernel.operations[instruction.operation]);
      kernel.operations.back().moves += moves;
    }
    instruction.operation = found->second;
  }
}

// Puts the loads in.
void Reads::insert(const ReadsAtStart& at_start, ConstantReads& reads) const {
  ir::Kernel& result = reads.kernel;
  std::vector<uint32_t>& transactions = reads.flow.transactions;
  const RegisterId awaited = result.registers++;
  result.register_bits.resize(result.registers, 32);
  const auto load = static_cast<uint32_t>(result.operations.size());
  reads.load = load;
  reads.awaited = awaited;
  result.operations.push_back(parameter_load());
  std::vector<uint32_t> operation_of;  // with its moves
  for (const Instruction& instruction : result.instructions) operation_of.push_back(instruction.operation);
  result.instructions.clear();
  transactions.clear();
  result.register_pool.clear();
  for (BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    ir::Block& block = result.blocks[b];
    block.first = static_cast<InstructionId>(result.instructions.size());
    for (uint32_t k = 0; k < kernel_.blocks[b].count; ++k) {
      const InstructionId i = kernel_.blocks[b].first + k;
      const ReadsAtStart first = b == 0 && k == 0 ? at_start : ReadsAtStart();
      const int64_t loads = extra_[i] + first.all;
      Instruction instruction = kernel_.instructions[i];
      instruction.operation = operation_of[i];
      for (int64_t n = 0; n < loads; ++n) append_load(load, awaited, instruction, n == 0, result);
      append(instruction, loads > 0 ? awaited : ir::no_register, result);
      transactions.insert(transactions.end(), static_cast<size_t>(loads), 1);
      transactions.push_back(flow_.transactions[i]);
      reads.origins.insert(reads.origins.end(), static_cast<size_t>(loads) + 1, i);
      const bool is_of_launch = reads_launch(i);
      for (int64_t n = 0; n < loads; ++n) reads.of_launch.push_back(n < first.all ? n < first.of_launch : is_of_launch);
      reads.of_launch.push_back(is_of_launch && is_load(kernel_.operation(instruction).kind));
    }
    block.count = static_cast<uint32_t>(result.instructions.size()) - block.first;
  }
  // Behind the loads that stand before it.
  std::vector<InstructionId> places(kernel_.instructions.size());
  for (InstructionId i = 0; i < reads.origins.size(); ++i) places[reads.origins[i]] = i;
  for (ir::Sleep& sleep : reads.flow.sleeps) sleep.instruction = places[sleep.instruction];
  for (ir::BulkCopy& copy : reads.flow.copies) copy.instruction = places[copy.instruction];
  for (ir::PartialAccess& access : reads.flow.partial_accesses) access.instruction = places[access.instruction];
}

// A load that waits for the one before it, through the register `awaited`, in front of another instruction. The
// first waits for all that this one waits for: operands in constant memory are looked up when nothing else keeps it
// from issuing.
void Reads::append_load(uint32_t operation, RegisterId awaited, const Instruction& place, bool is_first,
                        ir::Kernel& result) const {
  Instruction load;
  load.operation = operation;
  load.first_register = static_cast<uint32_t>(result.register_pool.size());
  load.writes = 1;
  load.line = place.line;
  load.source_line = place.source_line;
  load.source_file = place.source_file;
  result.register_pool.push_back(awaited);
  const RegisterId* used = kernel_.reads(place);
  for (uint32_t r = 0; is_first && r < uint32_t{place.reads} + place.writes; ++r) {
    const bool sets = r >= place.reads && kernel_.is_scoreboard(used[r]);
    if (!sets) result.register_pool.push_back(used[r]);
  }
  load.reads = static_cast<uint16_t>(result.register_pool.size() - load.first_register);
  result.register_pool.push_back(awaited);
  result.instructions.push_back(load);
}

// A copy of the instruction, which waits for one register more, unless that is no_register.
void Reads::append(Instruction instruction, RegisterId awaited, ir::Kernel& result) const {
  const RegisterId* reads = kernel_.reads(instruction);
  const RegisterId* writes = kernel_.writes(instruction);
  std::vector<RegisterId>& pool = result.register_pool;
  instruction.first_register = static_cast<uint32_t>(pool.size());
  pool.insert(pool.end(), reads, reads + instruction.reads);
  if (awaited != ir::no_register) pool.push_back(awaited);
  pool.insert(pool.end(), writes, writes + instruction.writes);
  if (awaited != ir::no_register) ++instruction.reads;
  result.instructions.push_back(instruction);
}

}  // namespace

bool integers_in_memory(const Machine& machine) {
  constexpr int64_t first_without = 90;
  if (!machine.sequence) return true;
  const std::vector<int64_t>& architectures = machine.sequence->architectures;
  return std::any_of(architectures.begin(), architectures.end(), [](int64_t one) { return one < first_without; });
}

bool needs_constant(const ir::Operation& operation, bool integers) {
  return operation.reads_constant || (integers && operation.reads_integer);
}

ConstantReads with_constant_reads(const ir::Kernel& kernel, const ir::Flow& flow, bool keeps_constants, bool integers) {
  return Reads(kernel, flow, integers).run(keeps_constants);
}

}  // namespace warpspan::timing
