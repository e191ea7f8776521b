// What a kernel needs. The words of its live values at the widest point, in the order of the PTX (ir/liveness.hpp),
// without those of parameters, constants and immediates, which instructions have as operands; at an instruction that
// becomes a long sequence `sequence_words` more for what the sequence computes with. On top an eighth, because values
// of several words need neighbouring registers and the assembler moves loads ahead, and `scratch_words` for addresses
// and predicates that do not fit theirs.
//
// The three figures were chosen so that ptxas, asked about kernels of many kinds at many limits, spills hardly ever
// where they say that the registers do, and seldom does without where they say that they do not (docs/machines.md,
// "Registers").
#include "timing/register_pressure.hpp"

#include <algorithm>
#include <vector>

#include "ir/liveness.hpp"
#include "support/symbol_name.hpp"
#include "timing/assumption.hpp"
#include "timing/errors.hpp"

namespace warpspan::timing {

namespace {

constexpr int64_t scratch_words = 6;
constexpr int64_t one_in = 8;
constexpr uint8_t sequence_words = 18;

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

int64_t threads_of(const ir::LaunchBounds& bounds) {
  const ir::Extent& extent = bounds.required.x > 0 ? bounds.required : bounds.maximum;
  const auto threads = (support::Integer(extent.x) * support::Integer(extent.y) * support::Integer(extent.z)).value();
  return threads.value_or(0);
}

// Whether it has calls whose functions have bodies, and which stay calls or not. ptxas compiles functions that it does
// not inline by the calling convention where others may call them too, and they then save registers that they use; of
// those whose calls stay, and of what these call, what they save is counted (frontend/ptx/saved_registers.hpp).
bool calls_functions(const ir::Kernel& kernel, bool that_stay) {
  return std::any_of(kernel.operations.begin(), kernel.operations.end(), [that_stay](const ir::Operation& o) {
    return o.key.opcode == "call" && !o.call_time && o.stays_call == that_stay;
  });
}

constexpr const char* beside_those_saved =
    " beside those that recursive functions, those called by their addresses, and what these call save, which count";

}  // namespace

RegisterLimit register_limit(const ir::LaunchBounds& bounds, const Machine& machine) {
  RegisterLimit limit{machine.registers_per_thread, "the most that machine '" + machine.name + "' has for a thread"};
  const auto lower = [&limit](int64_t registers, std::string reason) {
    if (registers < limit.registers) limit = {registers, std::move(reason)};
  };
  if (bounds.max_registers > 0) lower(bounds.max_registers, ".maxnreg");
  const int64_t threads = threads_of(bounds);
  if (threads == 0 || threads > machine.max_threads_per_block) return limit;
  const int64_t warps = (threads + warp_size - 1) / warp_size;
  const auto fits = [&](int64_t blocks) {
    return blocks <= machine.max_blocks.least && blocks * warps <= machine.max_warps;
  };
  const int64_t blocks = bounds.min_blocks > 0 && fits(bounds.min_blocks) ? bounds.min_blocks : 1;
  const int64_t of_scheduler = (blocks * warps + machine.schedulers - 1) / machine.schedulers;
  const int64_t of_warp = machine.registers / machine.schedulers / of_scheduler;
  const int64_t rounded = of_warp / machine.register_granularity.most * machine.register_granularity.most;
  lower(rounded / warp_size, "room for " + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks") + " of " +
                                 std::to_string(threads) + " threads");
  return limit;
}

RegisterNeed register_need(const ir::Kernel& given) {
  const ir::Kernel& kernel = given.each_function_once ? *given.each_function_once : given;
  std::vector<uint8_t> besides;
  for (const ir::Operation& operation : kernel.operations) {
    besides.push_back(becomes_a_sequence(operation.kind) ? sequence_words : 0);
  }
  const ir::WidestPoint widest = ir::widest_point(kernel, words_needed(kernel), besides);
  return {widest.words + widest.words / one_in + scratch_words, kernel.instructions[widest.instruction].line};
}

std::optional<support::Diagnostic> spill_error(const ir::Kernel& kernel, const Machine& machine) {
  const RegisterLimit limit = register_limit(kernel.launch_bounds, machine);
  const RegisterNeed need = register_need(kernel);
  if (need.registers <= limit.registers) return std::nullopt;
  return error_in_line(kernel, need.line,
                       "kernel " + support::quoted_symbol(kernel.name) +
                           " may spill registers to local memory: about " + std::to_string(need.registers) +
                           " are needed here, and a thread may use " + std::to_string(limit.registers) + " (" +
                           limit.reason + ")",
                       "compile it for more registers per thread, or give --assume no-spills if 'ptxas -v' shows 0 "
                       "bytes of spill stores "
                       "and spill loads");
}

support::Result<std::string> spill_assumption(const ir::Kernel& kernel, const Machine& machine, bool granted) {
  if (const auto error = spill_error(kernel, machine)) {
    if (!granted) return *error;
    return std::string(sentence(Assumption::no_spills));
  }
  const bool saves = calls_functions(kernel, true);
  const std::string calls = calls_functions(kernel, false)
                                ? std::string(", and ") + (saves ? "other functions" : "functions") +
                                      " that are called by name save none, as where a program is compiled as a whole, "
                                      "without -c, -dc and -rdc"
                                : "";
  return std::string("No register is spilled") + (saves ? beside_those_saved : "") + ": a thread needs about " +
         std::to_string(register_need(kernel).registers) + " registers and may use " +
         std::to_string(register_limit(kernel.launch_bounds, machine).registers) + calls + " (compare 'ptxas -v').";
}

}  // namespace warpspan::timing
