// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/lower.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "frontend/sass/lowering/barrier_states.hpp"
#include "frontend/sass/lowering/lowering.hpp"
#include "frontend/sass/lowering/masks.hpp"
#include "frontend/sass/words/constant_bank.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"
#include "ir/sentences.hpp"
#include "ir/sizes.hpp"
#include "support/nearest.hpp"

namespace warpspan::sass {

namespace {

using support::Result;

bool reads_clock(const Instruction& instruction) {
  const auto operands = instruction.operands();
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == OperandKind::special_register && operand.value >= first_clock && operand.value <= last_clock;
  });
}

// The kernel that timing sees.
class KernelMaker {
 public:
  explicit KernelMaker(const Code& code) : code_(code) {
    kernel_.name = code.name;
    kernel_.target = "sm_" + std::to_string(code.architecture);
    kernel_.location = {code.listing.source->name(), code.listing.lines.front(), 1};
    kernel_.launch_bounds = code.launch_bounds;
    kernel_.shared_bytes = code.shared_bytes;
    kernel_.parameter_bytes = code.parameter_bytes;
    kernel_.barriers = code.barriers;
    kernel_.source_files = code.source_files;
    kernel_.registers = machine_registers;
    kernel_.first_scoreboard = first_scoreboard;
    kernel_.scoreboards = scoreboards;
    for (ir::RegisterId reg = 0; reg < machine_registers; ++reg) kernel_.register_bits.push_back(bits_of(reg));
  }

  // What a block has read of constant banks stays in the nearest cache until it ends.
  void begin_block() {
    read_.clear();
    fence_.reset();
  }

  // Errors: it has no kind.
  support::Result<bool> append(uint32_t index) {
    const Instruction& instruction = code_.instructions[index];
    const auto kind = instruction.known() ? operation_kind(instruction) : unknown_kind;
    if (!kind) {
      return error_at(code_, instruction, "there are no figures of what this instruction takes", bound_the_ptx);
    }
    ir::Instruction made;
    made.operation = operation_of(index, *kind);
    note_fence(instruction);
    made.guarded = instruction.known() && !instruction.guard.always();
    made.line = code_.listing.lines[index];
    if (!code_.lines.empty()) {
      made.source_file = code_.lines[index].file;
      made.source_line = code_.lines[index].line;
    }
    made.first_register = static_cast<uint32_t>(kernel_.register_pool.size());
    const auto read = registers_read(instruction);
    const auto written = registers_written(instruction);
    made.reads = static_cast<uint16_t>(read.size());
    made.writes = static_cast<uint16_t>(written.size());
    kernel_.register_pool.insert(kernel_.register_pool.end(), read.begin(), read.end());
    kernel_.register_pool.insert(kernel_.register_pool.end(), written.begin(), written.end());
    kernel_.instructions.push_back(made);
    if (!instruction.known()) constants_known_ = frame_known_ = false;
    if (instruction.known()) note_frame(instruction);
    for (const Operand& operand : instruction.operands()) note_constant(operand);
    return true;
  }

  ir::Kernel finish() {
    if (constants_known_) kernel_.constant_places.emplace(constants_.begin(), constants_.end());
    for (const Code::Section& section : code_.sections) {
      if (section.count > 0) kernel_.sections.push_back(code_.listing.lines[section.first]);
    }
    std::sort(kernel_.sections.begin(), kernel_.sections.end());
    if (frame_known_) kernel_.frames = {{kernel_.name, frame_bytes_}};
    return std::move(kernel_);
  }

  ir::Kernel kernel_;

 private:
  // R1 begins where the launch says, and each function that needs a frame moves it down by a number: all of them
  // together are as far down as it can be, where none is called by itself.
  void note_frame(const Instruction& instruction) {
    if (!writes(instruction).contains(RegisterClass::general, stack_pointer)) return;
    int64_t numbers = 0, constants = 0, sum = 0;
    bool moves = false;
    for (const Operand& operand : instruction.operands()) {
      const bool is_begin =
          operand.is_fixed_constant() && operand.bank == 0 && operand.value == constant_bank(code_.architecture).stack;
      if (is_begin) ++constants;
      if (operand.kind == OperandKind::immediate) {
        ++numbers;
        sum += operand.negated ? -operand.value : static_cast<int32_t>(operand.value);
      }
      if (!operand.in_register() || operand.role == Role::written || operand.is_predicate()) continue;
      const bool is_itself = operand.register_class == RegisterClass::general && operand.first == stack_pointer &&
                             operand.count <= 1 && !operand.negated && !operand.inverted && !operand.absolute;
      moves = true;
      if (!is_itself) frame_known_ = false;
    }
    const std::string_view word = instruction.mnemonic();
    if (!moves) {
      frame_known_ = frame_known_ && constants == 1;
    } else if ((word == "IADD3" || word == "VIADD") && numbers == 1) {
      frame_bytes_ += std::max<int64_t>(0, -sum);
    } else {
      frame_known_ = false;
    }
  }

  uint32_t operation_of(uint32_t index, ir::OperationKind kind) {
    const Instruction& instruction = code_.instructions[index];
    if (!instruction.known()) return add(unknown_operation(instruction));
    ir::Operation operation = known_operation(instruction, kind);
    if (const auto* time = code_.call_time(index)) operation.call_time = *time;
    return add(operation);
  }

  static ir::Operation unknown_operation(const Instruction& instruction) {
    ir::Operation operation;
    operation.text = to_string(instruction);
    operation.kind = unknown_kind;
    operation.key.opcode = operation.text;
    operation.space = ir::MemorySpace::generic;
    operation.bytes = widest_access;
    operation.machine = issue_of(instruction, true);
    operation.machine->takes_most = true;
    return operation;
  }

  static ir::MachineIssue issue_of(const Instruction& instruction, bool variable) {
    ir::MachineIssue issue;
    issue.stall = std::max<int64_t>(1, instruction.control.stall);
    issue.fixed_latency = !variable;
    const auto& read = instruction.control.read_scoreboard;
    if (read && *read < scoreboards && read != instruction.control.write_scoreboard) issue.until_read = *read;
    return issue;
  }

  ir::Operation known_operation(const Instruction& instruction, ir::OperationKind kind) {
    const auto access = access_of(instruction);
    const auto other = other_access_of(instruction);
    const bool of_constant = instruction.opcode->unit == Unit::constant;
    const bool variable = has_variable_latency(*instruction.opcode, code_.architecture);
    // What has a fixed latency reads constants as operands are read: a miss keeps the warp from issuing.
    const bool loads_constant = of_constant && variable;
    if (of_constant && !variable) kind = ir::OperationKind::move;
    const bool by_lane = loads_constant && is_indexed_by_lane(instruction);
    if (by_lane) kind = ir::OperationKind::load_const;
    ir::Operation operation;
    operation.text = operation_name(instruction);
    operation.kind = kind;
    operation.key.opcode = operation.text;
    operation.space = access           ? access->space
                      : other          ? other->space
                      : by_lane        ? ir::MemorySpace::constant
                      : loads_constant ? ir::MemorySpace::parameter
                                       : ir::MemorySpace::none;
    operation.bytes = access ? static_cast<int>(access->bytes()) : other ? other->bytes : loads_constant ? 8 : 0;
    if (kind == ir::OperationKind::texture || kind == ir::OperationKind::surface) {
      operation.space = ir::MemorySpace::texture;
      operation.bytes = widest_access;
    }
    operation.reads_clock = reads_clock(instruction);
    operation.reads_constant = !loads_constant && reads_constant_first(instruction);
    operation.reads_launch = (loads_constant || operation.reads_constant) && reads_launch_alone(instruction);
    operation.machine = issue_of(instruction, variable);
    operation.machine->registers_read = register_reads(instruction);
    operation.facts = facts_of(instruction);
    operation.key.modifiers = words_of(instruction, operation.facts);
    // What closes a group of copies counts until these are done, on whichever scoreboard.
    if (operation.facts.synchronisation == ir::Synchronisation::commit) operation.machine->until_read.reset();
    return operation;
  }

  // One for all that are executed alike.
  uint32_t add(const ir::Operation& operation) {
    const auto [known, fresh] = operations_.emplace(operation, static_cast<uint32_t>(kernel_.operations.size()));
    if (fresh) kernel_.operations.push_back(operation);
    return known->second;
  }

  // A block that is no part of a cluster arrives nowhere else.
  ir::OperationFacts facts_of(const Instruction& instruction) const {
    ir::OperationFacts facts = operation_facts(instruction);
    if (may_arrive_elsewhere(instruction)) facts.of_cluster = code_.launch_bounds.clusters;
    if (is_error_barrier(instruction) && fence_ == instruction.guard) facts.scope = ir::Scope::block;
    return facts;
  }

  // What waits for errors of earlier accesses. Directly behind a MEMBAR that has waited for all of them it has none to
  // wait for, and takes no longer than a fence of the block: on an H100 a fence of the device and both that follow it
  // took 648 cycles together, 0.17 cycles of the GPU where all its warps have them.
  static bool is_error_barrier(const Instruction& instruction) {
    return instruction.known() && (instruction.mnemonic() == "ERRBAR" || instruction.mnemonic() == "CGAERRBAR");
  }

  void note_fence(const Instruction& instruction) {
    if (is_error_barrier(instruction)) return;
    fence_.reset();
    const bool is_fence = instruction.known() && instruction.mnemonic() == "MEMBAR";
    if (is_fence && operation_facts(instruction).scope != ir::Scope::block) fence_ = instruction.guard;
  }

  // In the words that machine files share with PTX, ascending.
  std::vector<std::string> words_of(const Instruction& instruction, const ir::OperationFacts& facts) const {
    if (facts.mapped_device) return {"mmio"};
    if (facts.scope == ir::Scope::block) return {"cta"};
    if (facts.scope == ir::Scope::device) return {"gpu"};
    if (facts.of_cluster) return {"shared::cluster"};
    if (facts.synchronisation == ir::Synchronisation::await_launches) return {"wait"};
    if (facts.synchronisation == ir::Synchronisation::allow_launches) return {"launch_dependents"};
    if (fetches_two_lines(instruction, code_.architecture)) return {"L2::256B"};
    return {};
  }

  // Whether lanes may read different places of a constant bank.
  static bool is_indexed_by_lane(const Instruction& instruction) {
    const auto operands = instruction.operands();
    return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
      return operand.kind == OperandKind::constant && operand.first != no_register;
    });
  }

  static bool reads_launch_alone(const Instruction& instruction) {
    const auto operands = instruction.operands();
    return std::all_of(operands.begin(), operands.end(), [](const Operand& operand) {
      return operand.kind != OperandKind::constant || (operand.bank == ir::Kernel::launch_bank &&
                                                       (operand.is_fixed_constant() || operand.second == no_register));
    });
  }

  // At an index it may be any place of its bank. A bank without a number may be anywhere.
  void note_constant(const Operand& operand) {
    constexpr int64_t widest = 16;
    if (operand.kind != OperandKind::constant) return;
    if (operand.is_fixed_constant()) {
      constants_.insert({operand.bank, operand.value, operand.value % widest == 0 ? widest : widest / 2});
      return;
    }
    const auto bank = code_.constant_bytes.find(operand.bank);
    if (operand.second != no_register || bank == code_.constant_bytes.end()) {
      constants_known_ = false;
    } else {
      constants_.insert({operand.bank, 0, bank->second});
    }
  }

  bool reads_constant_first(const Instruction& instruction) {
    bool first = false;
    for (const Operand& operand : instruction.operands()) {
      if (operand.kind != OperandKind::constant) continue;
      if (!operand.is_fixed_constant() || read_.insert({operand.bank, operand.value}).second) first = true;
    }
    return first;
  }

  // And the scoreboards that it waits for.
  std::vector<ir::RegisterId> registers_read(const Instruction& instruction) const {
    std::vector<ir::RegisterId> all = registers_of(reads(instruction));
    const uint64_t awaited =
        instruction.control.wait_mask | (instruction.mnemonic() == "DEPBAR" ? awaited_by(instruction) : 0);
    for (ir::RegisterId i = 0; i < scoreboards; ++i) {
      if ((awaited >> i & 1) != 0) all.push_back(first_scoreboard + i);
    }
    return all;
  }

  // By DEPBAR: one scoreboard until it is at most a number, which is taken to be 0, and all of a mask.
  static uint64_t awaited_by(const Instruction& depbar) {
    const auto operands = depbar.operands();
    return uint64_t{1} << operands[0].value | static_cast<uint64_t>(operands[2].value);
  }

  // And the scoreboards that it sets.
  std::vector<ir::RegisterId> registers_written(const Instruction& instruction) const {
    std::vector<ir::RegisterId> all;
    if (instruction.mnemonic() != "LDGSTS") all = registers_of(writes(instruction));  // its predicate stays as it was
    for (const auto& scoreboard : {instruction.control.write_scoreboard, instruction.control.read_scoreboard}) {
      if (scoreboard && *scoreboard < scoreboards) all.push_back(first_scoreboard + *scoreboard);
    }
    return all;
  }

  const Code& code_;
  std::map<ir::Operation, uint32_t> operations_;
  std::set<std::pair<uint8_t, int64_t>> read_;
  std::optional<Guard> fence_;  // of a MEMBAR that nothing but error barriers follows in the block so far
  std::set<ir::Kernel::ConstantPlace> constants_;
  bool constants_known_ = true;
  bool frame_known_ = true;
  int64_t frame_bytes_ = 0;
};

ir::Variable variable_of(const Code& code, size_t index) {
  const Code::Parameter& parameter = code.parameters[index];
  ir::Variable variable;
  variable.name = !parameter.name.empty() ? parameter.name
                                          : code.name + "_param_" + std::to_string(index);  // as nvcc names it in PTX
  variable.space = ir::MemorySpace::parameter;
  variable.bytes = parameter.bytes;
  const bool whole = parameter.bytes == 1 || parameter.bytes == 2 || parameter.bytes == 4 || parameter.bytes == 8;
  variable.is_integer = whole;
  variable.element_bits = whole ? static_cast<int>(parameter.bytes * 8) : 8;
  variable.type = "b" + std::to_string(variable.element_bits);
  variable.parameter = static_cast<uint32_t>(index);
  return variable;
}

// Registers that may be read before the kernel writes them.
RegisterSet read_at_start(const Code& code, const std::vector<CodeBlock>& blocks) {
  std::vector<RegisterSet> at(blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks.size(); b-- > 0;) {
      RegisterSet live;
      for (const uint32_t target : blocks[b].targets) live |= at[target];
      if (blocks[b].next != UINT32_MAX) live |= at[blocks[b].next];
      for (uint32_t i = blocks[b].first + blocks[b].count; i-- > blocks[b].first;) {
        const Instruction& instruction = code.instructions[i];
        if (!instruction.known()) continue;  // whatever it reads, its results are not known
        if (instruction.guard.always()) {
          live.remove(code.call_time(i) != nullptr ? changed_by_call() : surely_writes(instruction));
        }
        live |= reads(instruction);
      }
      changed = changed || !(live == at[b]);
      at[b] = live;
    }
  }
  return at.front();
}

bool is_target(const std::vector<CodeBlock>& blocks, uint32_t wanted) {
  return std::any_of(blocks.begin(), blocks.end(), [wanted](const CodeBlock& block) {
    return block.next == wanted || std::find(block.targets.begin(), block.targets.end(), wanted) != block.targets.end();
  });
}

// By block: the block before it in the code, of the same copy, if that alone leads to it and stands before it in the
// order of blocks. Where a block ends only because lanes may reconverge behind it, computations go on.
std::vector<std::optional<uint32_t>> only_predecessors(const std::vector<CodeBlock>& blocks) {
  std::vector<std::optional<uint32_t>> result = lone_predecessors(blocks);
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    if (!result[b]) continue;
    const CodeBlock& before = blocks[*result[b]];
    if (before.next != b || *result[b] >= b || before.call != blocks[b].call) result[b].reset();
  }
  return result;
}

constexpr const char* joined_lanes =
    "Lanes of a warp that have diverged execute together again where BSYNC or WARPSYNC makes them, and nowhere else; "
    "until then none changes a uniform register that others use.";
constexpr const char* same_answers =
    "Lanes of a warp that ask a barrier object jointly for the same phase get the same answer (SYNCS.PHASECHK).";
constexpr const char* one_phase =
    "Lanes of a warp that arrive at a barrier object jointly arrive in the same phase of it (SYNCS.ARRIVE).";
constexpr const char* same_cycles =
    "Lanes of a warp that read the cycle counter or the global timer jointly read the same number (CS2R and S2R).";

constexpr const char* control_fields =
    "A warp can issue its next machine instruction when the stall count has passed and the scoreboards are free that "
    "it waits for.";
constexpr const char* cleared_registers =
    "Registers that the machine code reads before it writes them hold 0: what it does must not depend on what they "
    "hold.";

// Empty if all instructions of the blocks are known.
std::string assumed_of_unknown(const Code& code, const std::vector<CodeBlock>& blocks) {
  std::set<std::string> names;
  for (const CodeBlock& block : blocks) {
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      if (!code.instructions[i].known()) names.insert(to_string(code.instructions[i]));
    }
  }
  if (names.empty()) return {};
  return "Machine instructions that are not known (" + support::enumeration({names.begin(), names.end()}) +
         ") take no longer and occupy nothing for longer than the most expensive operation of the machine file, access "
         "up to "
         "16 bytes of each lane, and neither branch, end nor wait for other warps ({unknown_opcodes} worst).";
}

constexpr const char* saved_registers =
    "A function that is called finds what it has saved in local memory of its caller's registers, and where it returns "
    "to, as it was: no array access or pointer leads there.";

bool calls_sections(const Code& code, const std::vector<CodeBlock>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [&code](const CodeBlock& block) {
    const uint32_t last = block.first + block.count - 1;
    return code.instructions[last].mnemonic() == "CALL.ABS" && !code.outside_calls.contains(last);
  });
}

// Empty if no block calls through a pointer.
std::string assumed_of_pointers(const Code& code, const std::vector<CodeBlock>& blocks) {
  std::set<uint32_t> functions;
  for (const CodeBlock& block : blocks) {
    const auto call = code.pointer_calls.find(block.first + block.count - 1);
    if (call != code.pointer_calls.end()) functions.insert(call->second.begin(), call->second.end());
  }
  if (functions.empty()) return {};
  std::vector<std::string> places;
  for (const uint32_t function : functions) places.push_back(code.place_of(function));
  return "The kernel calls through registers only functions whose offsets stand in its constants: " +
         support::enumeration(places) + ".";
}

// Without what stands there no generic address of a thread's own memory can be made. An index leads to no place before
// that which it is added to.
bool makes_own_pointers(const Code& code) {
  const int64_t place = constant_bank(code.architecture).own_window;
  const auto reads_it = [place](const Operand& operand) {
    if (operand.kind != OperandKind::constant || operand.bank != 0) return false;
    const int64_t end = operand.value + 4 * std::max<int64_t>(1, operand.count);
    return operand.value < place + 8 && (end > place || !operand.is_fixed_constant());
  };
  return std::any_of(code.instructions.begin(), code.instructions.end(), [&reads_it](const Instruction& instruction) {
    const auto operands = instruction.operands();
    return !instruction.known() || std::any_of(operands.begin(), operands.end(), reads_it);
  });
}

constexpr const char* restored_by_calls =
    "A function that is called and not in the file restores the registers that ptxas has all functions restore: R1, "
    "R2, "
    "R16 to R31, of those above the upper four of each eight, uniform registers from UR36 on, and barrier registers "
    "from "
    "B6 on.";

bool calls_outside(const Code& code, const std::vector<CodeBlock>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [&code](const CodeBlock& block) {
    return code.call_time(block.first + block.count - 1) != nullptr;
  });
}

bool has_assertions(const Code& code, const std::vector<CodeBlock>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [&code](const CodeBlock& block) {
    return code.reports_failed_assertion(block.first + block.count - 1);
  });
}

bool has_traps(const Code& code, const std::vector<CodeBlock>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [&code](const CodeBlock& block) {
    return is_trap(code.instructions[block.first + block.count - 1]);
  });
}

// EXIT, a trap, or a failed assertion.
bool ends_thread(const Code& code, const CodeBlock& block) {
  const uint32_t last = block.first + block.count - 1;
  const Instruction& instruction = code.instructions[last];
  return instruction.mnemonic() == "EXIT" || is_trap(instruction) || code.reports_failed_assertion(last);
}

bool passes_control(const Code& code, const CodeBlock& block) {
  return !block.targets.empty() || ends_thread(code, block);
}

ir::ControlTransfer transfer_of(const Code& code, const CodeBlock& block, const StepGuard& guard) {
  const Instruction& last = code.instructions[block.first + block.count - 1];
  const std::string_view name = last.mnemonic();
  ir::ControlTransfer transfer;
  transfer.next = block.next;
  transfer.targets = block.targets;
  // Where a branch does not go on that could, it always leads to its target.
  const bool always = !block.targets.empty() && block.next == UINT32_MAX;
  transfer.guard = always ? ir::no_register : guard.predicate;
  transfer.guard_negated = !always && guard.negated;
  transfer.kind = ends_thread(code, block)                                      ? ir::Transfer::exit
                  : name == "BRX" || name == "BRXU" || block.targets.size() > 1 ? ir::Transfer::indexed
                  : block.targets.empty()                                       ? ir::Transfer::fallthrough
                                                                                : ir::Transfer::branch;
  return transfer;
}

// By copy: general registers that give something back that they contained where it began.
std::map<uint32_t, std::vector<ir::RegisterId>> restored_registers(const std::vector<CodeBlock>& blocks) {
  std::map<uint32_t, std::set<ir::RegisterId>> original;
  for (const CodeBlock& block : blocks) {
    for (const RestoredValue& value : block.restored) {
      if (value.reg < first_uniform) original[block.call].insert(value.original);
    }
  }
  std::map<uint32_t, std::vector<ir::RegisterId>> lists;
  for (const auto& [copy, all] : original) lists[copy] = {all.begin(), all.end()};
  return lists;
}

}  // namespace

Result<Lowered> lower(const Code& code, const std::vector<CodeBlock>& blocks) {
  Lowered lowered;
  ir::Program& program = lowered.program;
  program.source = code.listing.source;
  program.bodies.emplace_back();
  for (size_t i = 0; i < code.parameters.size(); ++i) program.variables.push_back(variable_of(code, i));
  program.parameters = static_cast<uint32_t>(code.parameters.size());
  program.special_names[static_cast<size_t>(ir::SpecialValue::block_index)] = "blockIdx";
  program.special_names[static_cast<size_t>(ir::SpecialValue::grid_extent)] = "gridDim";
  InstructionLowering lowering(code, program, find_frame(code, blocks));
  const auto arrivals = arrivals_only_asked_about(code, blocks);
  lowering.set_one_phase(arrivals);
  KernelMaker maker(code);
  ir::Kernel& steps = program.bodies.front().kernel;
  steps.name = code.name;
  steps.launch_bounds = code.launch_bounds;
  steps.shared_bytes = code.shared_bytes;
  const RegisterSet unset = read_at_start(code, blocks);
  lowered.assumptions = {joined_lanes, control_fields};
  const bool clears = unset.any() && !is_target(blocks, 0);
  const bool has_own_pointers = makes_own_pointers(code);
  const auto asks = [](const Instruction& instruction) { return instruction.mnemonic() == "SYNCS.PHASECHK"; };
  if (std::any_of(code.instructions.begin(), code.instructions.end(), asks))
    lowered.assumptions.push_back(same_answers);
  if (!arrivals.empty()) lowered.assumptions.push_back(one_phase);
  if (std::any_of(code.instructions.begin(), code.instructions.end(), reads_clock))
    lowered.assumptions.push_back(same_cycles);
  if (clears) lowered.assumptions.push_back(cleared_registers);
  if (std::string assumed = assumed_of_unknown(code, blocks); !assumed.empty()) {
    lowered.assumptions.push_back(std::move(assumed));
  }
  if (std::string assumed = assumed_of_pointers(code, blocks); !assumed.empty()) {
    lowered.assumptions.push_back(std::move(assumed));
  }
  const auto original = restored_registers(blocks);
  if (calls_sections(code, blocks)) lowered.assumptions.push_back(saved_registers);
  if (calls_outside(code, blocks)) lowered.assumptions.emplace_back(restored_by_calls);
  if (has_assertions(code, blocks)) lowered.assumptions.emplace_back(ir::assertions_hold);
  if (has_traps(code, blocks)) lowered.assumptions.emplace_back(ir::nothing_traps);
  const auto only_from = only_predecessors(blocks);
  const Masks masks = find_masks(code, blocks);
  steps.lanes_part = maker.kernel_.lanes_part = masks == Masks::part_lanes;
  if (masks == Masks::taken_alike) lowered.assumptions.emplace_back(ir::masks_do_not_part);
  for (const CodeBlock& block : blocks) {
    const auto number = static_cast<uint32_t>(&block - blocks.data());
    lowering.begin_block(only_from[number]);
    maker.begin_block();
    ir::Block made;
    made.label = code.place_of(block.first);
    ir::Block made_of_steps = made;
    made.first = static_cast<ir::InstructionId>(maker.kernel_.instructions.size());
    made.count = block.count;
    made_of_steps.first = static_cast<ir::InstructionId>(steps.instructions.size());
    if (has_own_pointers && &block == &blocks.front()) lowering.note_own_pointers();
    if (clears && &block == &blocks.front()) {
      for (const ir::RegisterId reg : registers_of(unset)) lowering.clear(reg);
    }
    if (original.contains(block.call) && &block == &blocks[block.entry])
      lowering.begin_copy(block.call, original.at(block.call));
    auto restored = block.restored.begin();
    ir::ControlTransfer transfer;
    transfer.next = block.next;
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      const Instruction& instruction = code.instructions[i];
      const uint32_t line = code.listing.lines[i], offset = code.listing.offsets[i];
      const bool last = i + 1 == block.first + block.count;
      if (last && passes_control(code, block)) {
        transfer = transfer_of(code, block, lowering.transfer(instruction, line, offset));
      } else {
        lowering.lower(instruction, line, offset);
        for (; restored != block.restored.end() && restored->instruction == i; ++restored) {
          if (restored->reg < first_uniform) lowering.give_back(block.call, *restored);
        }
      }
      lowered.origins.resize(steps.instructions.size(),
                             static_cast<ir::InstructionId>(maker.kernel_.instructions.size()));
      lowered.instructions.push_back(i);
      if (const auto appended = maker.append(i); !appended) return appended.errors();
    }
    if (block.next != UINT32_MAX && only_from[block.next] == number) lowering.keep_block(number);
    made_of_steps.count = static_cast<uint32_t>(steps.instructions.size()) - made_of_steps.first;
    set_transfer(made, transfer);
    set_transfer(made_of_steps, std::move(transfer));
    maker.kernel_.blocks.push_back(std::move(made));
    steps.blocks.push_back(std::move(made_of_steps));
  }
  lowered.kernel = maker.finish();
  return lowered;
}

ir::Flow facts_of_kernel(const Lowered& lowered, ir::Flow facts) {
  std::vector<uint32_t> transactions(lowered.kernel.instructions.size());
  for (size_t step = 0; step < facts.transactions.size(); ++step) {
    uint32_t& own = transactions[lowered.origins[step]];
    own = std::max(own, facts.transactions[step]);
  }
  const auto frame_lines = ir::frame_lines(lowered.kernel);
  // Reads of constants beside what an instruction does are none of its accesses.
  for (ir::InstructionId i = 0; i < transactions.size(); ++i) {
    const ir::Operation& operation = lowered.kernel.operation(lowered.kernel.instructions[i]);
    if (operation.space == ir::MemorySpace::none && operation.kind != ir::OperationKind::sleep) transactions[i] = 0;
    if (operation.space == ir::MemorySpace::parameter) transactions[i] = 1;
    if (operation.space == ir::MemorySpace::constant && transactions[i] == 0) transactions[i] = ir::warp_lanes;
    const bool by_lane = operation.kind == ir::OperationKind::texture || operation.kind == ir::OperationKind::surface;
    if (by_lane && operation.bytes > 0) transactions[i] = ir::warp_lanes;
    const bool is_in_frame =
        operation.kind == ir::OperationKind::load_local || operation.kind == ir::OperationKind::store_local;
    if (is_in_frame && frame_lines && *frame_lines < transactions[i]) {
      transactions[i] = static_cast<uint32_t>(*frame_lines);
    }
  }
  facts.transactions = std::move(transactions);
  for (ir::Access& access : facts.accesses)
    access.renumber([&lowered](ir::InstructionId id) { return lowered.origins[id]; });
  for (ir::InstructionId& barrier : facts.partial_barriers) barrier = lowered.origins[barrier];
  for (ir::Sleep& sleep : facts.sleeps) sleep.instruction = lowered.origins[sleep.instruction];
  for (ir::PartialAccess& access : facts.partial_accesses) access.instruction = lowered.origins[access.instruction];
  // A warp executes an instruction on uniform registers once.
  for (ir::BulkCopy& copy : facts.copies) {
    copy.instruction = lowered.origins[copy.instruction];
    copy.lanes = 1;
  }
  for (ir::Loop& loop : facts.loops) {
    const ir::Block& header = lowered.kernel.blocks[loop.header];
    if (header.count > 0) loop.line = lowered.kernel.instructions[header.first].line;
  }
  return facts;
}

}  // namespace warpspan::sass
