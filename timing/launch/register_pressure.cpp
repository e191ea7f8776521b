// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel needs. The words of its live values at the widest point, in the order of the PTX (ir/liveness.hpp),
// without those of parameters, constants and immediates, which instructions have as operands; at an instruction that
// becomes a long sequence `sequence_words` more for what the sequence computes with. On top a part of each word: an
// eighth, because the assembler moves loads ahead; in kernels that compute in double precision a quarter of values of
// several words, which need neighbouring registers; and in kernels that multiply matrices, whose operands are up to
// eight neighbouring registers, three quarters. And `scratch_words` for addresses and predicates that do not fit
// theirs.
//
// The figures were chosen so that ptxas, asked about kernels of many kinds at many limits, spills hardly ever where
// they say that the registers do, and seldom does without where they say that they do not (docs/machines.md,
// "Registers").
//
// Where a kernel that multiplies matrices names the threads of a block, ptxas has been seen to keep to the registers
// that leave room for more blocks, and to spill, although the limit is higher: it took the values to fit. So the limit
// is the least such number that three quarters of the words fit.
//
// An address that is another one and a constant is an offset of what is loaded there, and needs no register. ptxas 13.0
// makes it one where registers run out, but not well where it is given a limit: a kernel for which 124 would do spilled
// at limits up to 220, while ptxas without a limit took at most 1.9 times what such kernels need without these
// addresses, and spilled none. So where nothing names a limit, twice that is enough.
#include "timing/launch/register_pressure.hpp"

#include <algorithm>
#include <vector>

#include "ir/liveness.hpp"
#include "support/symbol_name.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/assumptions/errors.hpp"

namespace warpspan::timing {

namespace {

constexpr int64_t scratch_words = 6;
// The least that the assembler takes a limit for, whatever it is given: ptxas 11.8, 12.9 and 13.0, from compute
// capability 7.0 on and before. So code that has fewer registers did not run out of them.
constexpr int64_t least_limit = 24, least_limit_before_7 = 16;
constexpr uint8_t sequence_words = 18;

// What a word of a value counts, in eighths: where it is the only one, and where there are several.
struct Weights {
  uint8_t of_one, of_several;
};
constexpr int64_t whole = 8;
constexpr Weights plain = {9, 9}, doubles = {9, 10}, matrices = {14, 14};
constexpr Weights fewest = {6, 6};  // that ptxas may take to be there, of matrices

bool becomes_a_sequence(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case int_div:
    case int64_mul:
    case int64_div:
    case fp32_div:
    case fp32_root:
    case fp64_div:
    case fp64_root: return true;
    default: return false;
  }
}

bool multiplies_matrices(const ir::Kernel& kernel) {
  return std::any_of(kernel.operations.begin(), kernel.operations.end(), [](const ir::Operation& operation) {
    return operation.kind == ir::OperationKind::matrix_multiply || operation.kind == ir::OperationKind::matrix_group;
  });
}

bool computes_doubles(const ir::Kernel& kernel) {
  return std::any_of(kernel.operations.begin(), kernel.operations.end(),
                     [](const ir::Operation& operation) { return operation.kind == ir::OperationKind::fp64; });
}

// Whether an instruction's results need no register if its operands need none.
bool is_operand(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case move:
    case load_param:
    case load_const: return true;
    default: return false;
  }
}

// Blocks that may lie on a cycle: one that does has an edge over or into it from a block at or behind it to one at or
// before it, in the order of the file.
std::vector<bool> may_repeat(const ir::Kernel& kernel) {
  std::vector<int64_t> change(kernel.blocks.size() + 1, 0);
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    for (const ir::BlockId next : kernel.blocks[b].successors) {
      if (next > b) continue;
      ++change[next];
      --change[b + 1];
    }
  }
  std::vector<bool> result(kernel.blocks.size());
  int64_t around = 0;
  for (size_t b = 0; b < result.size(); ++b) result[b] = (around += change[b]) > 0;
  return result;
}

// A register that one instruction reads and writes, once, and nothing else: what it reads was never set, and nobody
// reads what it writes. Copies of functions that read such a register have one each.
void leave_out_unset(const ir::Kernel& kernel, std::vector<uint8_t>& words) {
  std::vector<uint32_t> uses(kernel.registers, 0), own_uses(kernel.registers, 0);
  const std::vector<bool> repeats = may_repeat(kernel);
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::Block& block = kernel.blocks[b];
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      const ir::Instruction& instruction = kernel.instructions[i];
      const ir::RegisterId* reads = kernel.reads(instruction);
      const ir::RegisterId* end = reads + instruction.reads + instruction.writes;
      for (const ir::RegisterId* reg = reads; reg != end; ++reg) {
        ++uses[*reg];
        const bool both = std::find(reads, reads + instruction.reads, *reg) != reads + instruction.reads &&
                          std::find(reads + instruction.reads, end, *reg) != end;
        if (both && !repeats[b]) own_uses[*reg] = static_cast<uint32_t>(std::count(reads, end, *reg));
      }
    }
  }
  for (ir::RegisterId reg = 0; reg < kernel.registers; ++reg) {
    if (own_uses[reg] > 0 && own_uses[reg] == uses[reg]) words[reg] = 0;
  }
}

// Words of each register, 0 for those whose one write has them as operands elsewhere. Writes are looked at in the order
// of the file, in which a value comes before its uses nearly always.
std::vector<uint8_t> words_needed(const ir::Kernel& kernel) {
  std::vector<uint8_t> words = ir::register_words(kernel);
  std::vector<uint32_t> writes(kernel.registers, 0);
  for (const ir::Instruction& instruction : kernel.instructions) {
    for (uint32_t w = 0; w < instruction.writes; ++w) ++writes[kernel.writes(instruction)[w]];
  }
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (instruction.guarded || !is_operand(kernel.operation(instruction).kind)) continue;
    const ir::RegisterId* reads = kernel.reads(instruction);
    if (std::any_of(reads, reads + instruction.reads, [&](ir::RegisterId r) { return words[r] > 0; })) continue;
    for (uint32_t w = 0; w < instruction.writes; ++w) {
      const ir::RegisterId reg = kernel.writes(instruction)[w];
      if (writes[reg] == 1) words[reg] = 0;
    }
  }
  leave_out_unset(kernel, words);
  return words;
}

// Loads and copies, which have an address for each register that they read, but for a guard, sizes and strides.
bool only_addresses(const ir::Operation& operation) {
  using enum ir::OperationKind;
  if (operation.bytes == 0) return false;
  switch (operation.kind) {
    case load_global:
    case load_shared:
    case load_local:
    case load_generic:
    case copy_async: return true;
    case matrix_load: return ir::access_class(operation) == ir::AccessClass::load;
    default: return false;
  }
}

// Addresses that need no register: sums of a base and constants that only loads and copies read. The base is written
// once, and never between such a sum and what reads it.
class OffsetAddresses {
 public:
  OffsetAddresses(const ir::Kernel& kernel, const std::vector<uint8_t>& words)
      : kernel_(kernel), words_(words), base_(kernel.registers, ir::no_register), write_(kernel.registers) {
    find_writes();
    for (ir::InstructionId id = 0; id < kernel.instructions.size(); ++id) add(id);
    while (leave_out_read()) {
    }
  }

  bool any() const {
    return std::any_of(base_.begin(), base_.end(), [](ir::RegisterId base) { return base != ir::no_register; });
  }

  // The kernel with their bases in their place, and no words for them.
  ir::Kernel without(std::vector<uint8_t>& words) const {
    ir::Kernel result = kernel_;
    for (const ir::Instruction& instruction : result.instructions) {
      for (uint32_t r = 0; r < instruction.reads; ++r) {
        ir::RegisterId& reg = result.register_pool[instruction.first_register + r];
        if (base_[reg] != ir::no_register) reg = base_[reg];
      }
    }
    for (ir::RegisterId reg = 0; reg < kernel_.registers; ++reg) {
      if (base_[reg] != ir::no_register) words[reg] = 0;
    }
    return result;
  }

 private:
  struct Write {
    uint32_t count = 0;
    ir::InstructionId last = 0;
    ir::BlockId block = 0;
    bool repeats = false;
  };

  void find_writes() {
    const std::vector<bool> repeats = may_repeat(kernel_);
    for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
      const ir::Block& block = kernel_.blocks[b];
      for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
        const ir::Instruction& instruction = kernel_.instructions[id];
        for (uint32_t w = 0; w < instruction.writes; ++w) {
          Write& write = write_[kernel_.writes(instruction)[w]];
          write = {write.count + 1, id, b, repeats[b]};
        }
      }
    }
  }

  void add(ir::InstructionId id) {
    const ir::Instruction& instruction = kernel_.instructions[id];
    const ir::Operation& operation = kernel_.operation(instruction);
    const bool is_sum = operation.semantics.computation == ir::Computation::add;
    if (!is_sum || operation.reads_constant || instruction.guarded) return;
    if (instruction.reads != 1 || instruction.writes != 1) return;
    const ir::RegisterId sum = *kernel_.writes(instruction);
    ir::RegisterId base = *kernel_.reads(instruction);
    if (base_[base] != ir::no_register) base = base_[base];
    if (write_[sum].count != 1 || write_[base].count != 1) return;
    if (words_[base] == 0 || words_[base] != words_[sum]) return;
    if (!write_[base].repeats || is_renewed(base, sum)) base_[sum] = base;
  }

  // Whether the sum is computed anew in the block that writes its base, before anything there reads it.
  bool is_renewed(ir::RegisterId base, ir::RegisterId sum) const {
    if (write_[base].block != write_[sum].block || write_[base].last >= write_[sum].last) return false;
    for (ir::InstructionId id = write_[base].last; id < write_[sum].last; ++id) {
      if (reads(kernel_.instructions[id], sum)) return false;
    }
    return true;
  }

  bool reads(const ir::Instruction& instruction, ir::RegisterId reg) const {
    const ir::RegisterId* begin = kernel_.reads(instruction);
    return std::find(begin, begin + instruction.reads, reg) != begin + instruction.reads;
  }

  // Sums that something else reads; whether there were any.
  bool leave_out_read() {
    bool found = false;
    for (const ir::Instruction& instruction : kernel_.instructions) {
      if (only_addresses(kernel_.operation(instruction))) continue;
      const bool is_part = instruction.writes == 1 && base_[*kernel_.writes(instruction)] != ir::no_register;
      for (uint32_t r = 0; r < instruction.reads && !is_part; ++r) {
        ir::RegisterId& base = base_[kernel_.reads(instruction)[r]];
        found = found || base != ir::no_register;
        base = ir::no_register;
      }
    }
    return found;
  }

  const ir::Kernel& kernel_;
  const std::vector<uint8_t>& words_;
  std::vector<ir::RegisterId> base_;  // by register; no_register: it has a place of its own
  std::vector<Write> write_;
};

int64_t threads_of(const ir::LaunchBounds& bounds) {
  const ir::Extent& extent = bounds.required.x > 0 ? bounds.required : bounds.maximum;
  return extent.count().value().value_or(0);
}

// Whether it has calls whose functions have bodies, and which stay calls or not. ptxas compiles functions that it does
// not inline by the calling convention where others may call them too, and they then save registers that they use; of
// those whose calls stay, and of what these call, what they save is counted (frontend/ptx/calls/saved_registers.hpp).
bool calls_functions(const ir::Kernel& kernel, bool that_stay) {
  return std::any_of(kernel.operations.begin(), kernel.operations.end(), [that_stay](const ir::Operation& o) {
    return ir::is_call(o) && !o.call_time && o.stays_call == that_stay;
  });
}

constexpr const char* except_those_saved =
    " beside those that recursive functions, those called by their addresses, and what these call save, which count";

bool names_limit(const ir::LaunchBounds& bounds, const ir::Launch& launch) {
  return (launch.registers && !launch.registers_of_code) || bounds.max_registers > 0 || bounds.min_blocks > 0 ||
         threads_of(bounds) > 0;
}

// Machines that today's assembler no longer knows have the rows of all that it knows, from 7.5 to 12.0.
int64_t least_limit_of(const Machine& machine) {
  if (!machine.sequence || machine.sequence->architectures.empty()) return least_limit_before_7;
  const auto [first, last] =
      std::minmax_element(machine.sequence->architectures.begin(), machine.sequence->architectures.end());
  const bool is_any = *first <= 75 && *last >= 120;
  return is_any || *first < 70 ? least_limit_before_7 : least_limit;
}

bool fit(int64_t blocks, int64_t threads, const Machine& machine) {
  return threads <= machine.max_threads_per_block && blocks <= machine.max_blocks.least &&
         blocks * ir::warps_of(threads) <= machine.max_warps;
}

// The registers of a thread with which so many blocks fit.
int64_t room_for(int64_t blocks, int64_t threads, const Machine& machine) {
  const int64_t of_scheduler = (blocks * ir::warps_of(threads) + machine.schedulers - 1) / machine.schedulers;
  const int64_t of_warp = machine.registers / machine.schedulers / of_scheduler;
  return of_warp / machine.register_granularity.most * machine.register_granularity.most / warp_size;
}

std::string room_for(int64_t blocks, int64_t threads) {
  return "room for " + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") + " of " +
         std::to_string(threads) + " threads";
}

RegisterNeed need_of(const ir::Kernel& kernel, const ir::Launch& launch, const Weights& weights) {
  std::vector<uint8_t> besides;
  for (const ir::Operation& operation : kernel.operations) {
    besides.push_back(static_cast<uint8_t>(becomes_a_sequence(operation.kind) ? sequence_words * weights.of_one : 0));
  }
  std::vector<uint8_t> eighths = words_needed(kernel);
  for (uint8_t& words : eighths) {
    words = static_cast<uint8_t>(words * (words > 1 ? weights.of_several : weights.of_one));
  }
  const auto need = [&](const ir::Kernel& k) {
    const ir::WidestPoint widest = ir::widest_point(k, eighths, besides);
    return RegisterNeed{widest.words / whole + scratch_words, k.instructions[widest.instruction].line};
  };
  const RegisterNeed all = need(kernel);
  if (names_limit(kernel.launch_bounds, launch)) return all;
  const OffsetAddresses addresses(kernel, eighths);
  if (!addresses.any()) return all;
  const RegisterNeed fewer = need(addresses.without(eighths));
  return fewer.registers * 2 < all.registers ? RegisterNeed{fewer.registers * 2, fewer.line} : all;
}

// What a kernel is counted by, where calls are nested.
const ir::Kernel& counted(const ir::Kernel& kernel) {
  return kernel.each_function_once ? *kernel.each_function_once : kernel;
}

// The limit, and what the assembler may keep to below it.
RegisterLimit enforced_limit(const ir::Kernel& kernel, const ir::Launch& launch, const Machine& machine) {
  RegisterLimit limit = register_limit(kernel.launch_bounds, launch, machine);
  const int64_t threads = threads_of(kernel.launch_bounds);
  if (!multiplies_matrices(kernel) || threads == 0) return limit;
  const int64_t perhaps = need_of(counted(kernel), launch, fewest).registers;
  for (int64_t blocks = 1; fit(blocks, threads, machine); ++blocks) {
    const int64_t room = room_for(blocks, threads, machine);
    if (room < perhaps) break;
    if (room < limit.registers) limit = {room, room_for(blocks, threads) + ", to which ptxas may keep"};
  }
  return limit;
}

}  // namespace

RegisterLimit register_limit(const ir::LaunchBounds& bounds, const ir::Launch& launch, const Machine& machine) {
  RegisterLimit limit{machine.registers_per_thread, "the most that machine '" + machine.name + "' has for a thread"};
  const auto lower = [&](int64_t registers, std::string reason) {
    const int64_t enforced = std::max(registers, least_limit_of(machine));
    if (enforced < limit.registers) limit = {enforced, std::move(reason)};
  };
  if (launch.registers && !launch.registers_of_code) lower(*launch.registers, launch.registers_from);
  if (bounds.max_registers > 0) lower(bounds.max_registers, ".maxnreg");
  const int64_t threads = threads_of(bounds);
  if (threads == 0 || threads > machine.max_threads_per_block) return limit;
  const int64_t blocks = bounds.min_blocks > 0 && fit(bounds.min_blocks, threads, machine) ? bounds.min_blocks : 1;
  lower(room_for(blocks, threads, machine), room_for(blocks, threads));
  return limit;
}

RegisterNeed register_need(const ir::Kernel& kernel, const ir::Launch& launch) {
  const Weights& weights = multiplies_matrices(kernel) ? matrices : computes_doubles(kernel) ? doubles : plain;
  return need_of(counted(kernel), launch, weights);
}

std::optional<support::Diagnostic> spill_error(const ir::Kernel& kernel, const ir::Launch& launch,
                                               const Machine& machine) {
  const RegisterLimit limit = enforced_limit(kernel, launch, machine);
  const RegisterNeed need = register_need(kernel, launch);
  if (need.registers <= limit.registers) return std::nullopt;
  return error_in_line(
      kernel, need.line,
      "kernel " + support::quoted_symbol(kernel.name) + " may spill registers to local memory: about " +
          std::to_string(need.registers) + " are needed here, and a thread may use " + std::to_string(limit.registers) +
          " (" + limit.reason + ")",
      "give --ptxas-log with its cubin or what 'ptxas -v' says of it, bound its machine code (--machine-code), "
      "compile it for more registers per thread, or give {assume} no-spills if 'ptxas -v' shows 0 bytes of "
      "spill stores and spill loads");
}

support::Result<std::string> spill_assumption(const ir::Kernel& kernel, const ir::Launch& launch,
                                              const Machine& machine, bool assumed) {
  if (const auto error = spill_error(kernel, launch, machine)) {
    if (!assumed) return *error;
    return std::string(sentence(Assumption::no_spills));
  }
  const int64_t need = register_need(kernel, launch).registers;
  const int64_t limit = enforced_limit(kernel, launch, machine).registers;
  // What PTX does not show, and a launch need not tell.
  const std::string no_less =
      launch.registers ? ""
                       : ", as where the assembler is told no limit below " + std::to_string(need) + " (-maxrregcount)";
  const bool saves = calls_functions(kernel, true);
  const std::string calls = calls_functions(kernel, false)
                                ? std::string(", and ") + (saves ? "other functions" : "functions") +
                                      " that are called by name save none, as where a program is compiled as a whole, "
                                      "without -c, -dc and -rdc"
                                : "";
  return std::string("No register is spilled") + (saves ? except_those_saved : "") + ": a thread needs about " +
         std::to_string(need) + " registers and may use " + std::to_string(limit) + no_less + calls +
         " (compare 'ptxas -v').";
}

}  // namespace warpspan::timing
