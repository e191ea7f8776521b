#include "frontend/ptx/lower.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

namespace warpspan::ptx {

namespace {

constexpr uint8_t most_transactions = 32;

// How an instruction may end a block.
enum class Transfer : uint8_t { none, branch, indexed, leave, call };

Transfer transfer_of(const Instruction& instruction) {
  const std::string_view name = instruction.form->opcode->name;
  if (name == "bra") return Transfer::branch;
  if (name == "brx.idx") return Transfer::indexed;
  if (name == "ret" || name == "exit" || name == "trap") return Transfer::leave;
  return instruction.body != none ? Transfer::call : Transfer::none;
}

// Bodies are appended to one kernel.
class Lowering {
 public:
  Lowering(const Module& module, const Function& entry) : module_(module) {
    kernel_.name = entry.name;
    kernel_.target = module_.targets.empty() ? std::string() : std::string(module_.targets.front());
    kernel_.location = module_.source->locate(entry.offset);
    kernel_.launch_bounds = entry.launch_bounds;
  }

  void append(const Function& body) {
    function_ = &body;
    first_instruction_ = kernel_.instructions.size();
    first_register_ = kernel_.registers;
    first_block_ = kernel_.blocks.size();
    kernel_.registers += body.registers + 1;  // and the carry flag
    find_widths();
    lower_instructions();
    find_blocks();
    connect_blocks();
  }

  void append_shared(const Function& body) {
    kernel_.functions.push_back({std::string(body.name), static_cast<ir::BlockId>(kernel_.blocks.size())});
    append(body);
  }

  ir::Kernel result() {
    measure_shared_memory();
    return std::move(kernel_);
  }

 private:
  void find_widths();
  void lower_instructions();
  void lower_operands(const Instruction& instruction, ir::Instruction& lowered);
  void collect(const Operand& operand, Role role);
  uint32_t operation_of(const Instruction& instruction);
  void measure_shared_memory();
  bool holds_constant(const Operand& operand) const;
  std::vector<uint32_t> targets_of(const Instruction& instruction) const;
  void find_blocks();
  void connect_blocks();

  const Module& module_;
  const Function* function_ = nullptr;  // the body being appended
  size_t first_instruction_ = 0;        // of it, in the kernel
  size_t first_block_ = 0;
  ir::RegisterId first_register_ = 0;
  ir::Kernel kernel_;
  std::vector<ir::RegisterId> reads_;
  std::vector<ir::RegisterId> writes_;
  bool reads_special_ = false;
  bool reads_clock_ = false;
  bool reads_constant_ = false;
  bool has_immediate_ = false;
  // By what tells operations of one form apart, as operation_of counts it.
  std::unordered_map<const Form*, std::array<uint32_t, 24>> operations_;
  std::set<uint32_t> shared_variables_;
  std::vector<ir::BlockId> block_at_;  // block that begins at an instruction of the body, or no block
};

void Lowering::find_widths() {
  kernel_.register_bits.resize(kernel_.registers, 1);
  for (const RegisterRange& range : function_->register_ranges) {
    const auto first = kernel_.register_bits.begin() + first_register_ + range.first;
    std::fill(first, first + int64_t{range.count} * range.vector_size, static_cast<uint16_t>(bits(range.type)));
  }
}

// Whether a special register has hardware of its own; the others are launch parameters in constant memory.
bool has_hardware(SpecialRegister id) {
  switch (id) {
    case SpecialRegister::tid:
    case SpecialRegister::ctaid:
    case SpecialRegister::laneid:
    case SpecialRegister::warpid:
    case SpecialRegister::smid:
    case SpecialRegister::lanemask_eq:
    case SpecialRegister::lanemask_le:
    case SpecialRegister::lanemask_lt:
    case SpecialRegister::lanemask_ge:
    case SpecialRegister::lanemask_gt:
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64: return true;
    default: return false;
  }
}

// An instruction's immediate has 32 bits. Integers of 64 bits are made of two, doubles only if their low half is zero.
bool fits_immediate(const Operand& operand, const ir::Operation& operation) {
  const auto bits = static_cast<uint64_t>(operand.value);
  if (operand.kind == Operand::Kind::floating) {
    return operation.text.find("64") == std::string::npos || static_cast<uint32_t>(bits) == 0;
  }
  const bool may_be_double = operand.kind == Operand::Kind::integer && operation.text == "mov.b64";
  return !may_be_double || static_cast<uint32_t>(bits) == 0 || bits >> 32 == 0;
}

// Registers an operand reads and writes. An address is read, whatever the memory behind it is.
void Lowering::collect(const Operand& operand, Role role) {
  switch (operand.kind) {
    case Operand::Kind::reg:
      for (uint32_t i = 0; i < std::max(operand.count, 1U); ++i) {
        const ir::RegisterId reg = first_register_ + operand.index + i;
        if (role != Role::write) reads_.push_back(reg);
        if (role == Role::write || role == Role::read_write) writes_.push_back(reg);
      }
      break;
    case Operand::Kind::special: {
      const auto id = static_cast<SpecialRegister>(operand.index);
      reads_special_ = true;
      reads_clock_ |= id == SpecialRegister::clock || id == SpecialRegister::clock_hi || id == SpecialRegister::clock64;
      reads_constant_ |= !has_hardware(id);
      break;
    }
    case Operand::Kind::variable: {
      const ir::MemorySpace space = module_.variables[operand.index].space;
      if (space == ir::MemorySpace::shared) shared_variables_.insert(operand.index);
      reads_constant_ |= space == ir::MemorySpace::global || space == ir::MemorySpace::constant;
      break;
    }
    case Operand::Kind::vector:
    case Operand::Kind::pair:
    case Operand::Kind::list:
      for (uint32_t i = 0; i < operand.count; ++i) collect(function_->elements(operand)[i], role);
      break;
    case Operand::Kind::address:
      for (uint32_t i = 0; i < operand.count; ++i) collect(function_->elements(operand)[i], Role::read);
      break;
    default: break;
  }
}

// Whether the value of an operand, or a part of it, is an immediate constant; an offset in an address is none.
bool Lowering::holds_constant(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::integer:
    case Operand::Kind::floating: return true;
    case Operand::Kind::vector:
    case Operand::Kind::pair:
    case Operand::Kind::list: {
      const Operand* elements = function_->elements(operand);
      return std::any_of(elements, elements + operand.count, [this](const Operand& e) { return holds_constant(e); });
    }
    default: return false;
  }
}

void Lowering::lower_operands(const Instruction& instruction, ir::Instruction& lowered) {
  reads_.clear();
  writes_.clear();
  reads_special_ = reads_clock_ = reads_constant_ = has_immediate_ = false;
  if (instruction.guard != none) reads_.push_back(first_register_ + instruction.guard);
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = function_->begin(instruction)[i];
    collect(operand, operand.role);
    reads_constant_ |= !fits_immediate(operand, instruction.form->operation);
    has_immediate_ |= holds_constant(operand);
  }
  if (instruction.form->operation.kind == ir::OperationKind::load_const) reads_constant_ = false;  // it says so itself
  const ir::RegisterId carry = first_register_ + function_->registers;
  if (instruction.form->reads_carry) reads_.push_back(carry);
  if (instruction.form->writes_carry) writes_.push_back(carry);
  lowered.first_register = static_cast<uint32_t>(kernel_.register_pool.size());
  lowered.reads = static_cast<uint16_t>(reads_.size());
  lowered.writes = static_cast<uint16_t>(writes_.size());
  kernel_.register_pool.insert(kernel_.register_pool.end(), reads_.begin(), reads_.end());
  kernel_.register_pool.insert(kernel_.register_pool.end(), writes_.begin(), writes_.end());
}

uint32_t Lowering::operation_of(const Instruction& instruction) {
  constexpr uint32_t unknown = UINT32_MAX;
  const bool guarded = instruction.guard != none;
  const auto [known, fresh] = operations_.try_emplace(instruction.form);
  if (fresh) known->second.fill(unknown);
  uint32_t& index = known->second[(reads_clock_     ? 2U
                                   : reads_special_ ? 1U
                                                    : 0U) +
                                  (reads_constant_ ? 3U : 0U) + (has_immediate_ ? 6U : 0U) + (guarded ? 12U : 0U)];
  if (index != unknown) return index;
  ir::Operation operation = instruction.form->operation;
  operation.key.immediate = has_immediate_;
  operation.key.guarded = guarded;
  if (reads_special_) operation.kind = ir::OperationKind::special_register;
  operation.reads_clock = reads_clock_;
  operation.reads_constant = reads_constant_;
  index = static_cast<uint32_t>(kernel_.operations.size());
  kernel_.operations.push_back(std::move(operation));
  return index;
}

// The order in which ptxas lays the variables out is not known, so each may be aligned at the cost of almost its
// alignment.
void Lowering::measure_shared_memory() {
  constexpr int64_t natural_alignment = 64;  // the most of a type without .align: .v8 of 64 bits
  for (const uint32_t index : shared_variables_) {
    const Variable& variable = module_.variables[index];
    kernel_.shared_bytes += variable.bytes;
    kernel_.shared_padding += (variable.alignment > 0 ? variable.alignment : natural_alignment) - 1;
    if (variable.bytes == 0) kernel_.dynamic_shared = true;
  }
}

void Lowering::lower_instructions() {
  kernel_.instructions.reserve(function_->instructions.size());
  for (const Instruction& instruction : function_->instructions) {
    ir::Instruction lowered;
    lower_operands(instruction, lowered);
    lowered.operation = operation_of(instruction);
    lowered.guarded = instruction.guard != none;
    const ir::Operation& operation = kernel_.operations[lowered.operation];
    if (operation.bytes > 0) lowered.transactions = most_transactions;
    lowered.line = static_cast<uint32_t>(module_.source->locate(instruction.offset).line);
    if (instruction.position != none) lowered.source_line = function_->positions[instruction.position].line;
    kernel_.instructions.push_back(lowered);
  }
}

// The labels an instruction may branch to.
std::vector<uint32_t> Lowering::targets_of(const Instruction& instruction) const {
  std::vector<uint32_t> labels;
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = function_->begin(instruction)[i];
    if (operand.kind == Operand::Kind::label) labels.push_back(operand.index);
    if (operand.kind == Operand::Kind::table) {
      const std::vector<uint32_t>& table = function_->tables[operand.index].labels;
      labels.insert(labels.end(), table.begin(), table.end());
    }
  }
  return labels;
}

void Lowering::find_blocks() {
  const size_t count = function_->instructions.size();
  std::vector<bool> begins(count + 1, false);
  std::vector<const Label*> label_at(count + 1, nullptr);
  begins[0] = true;
  for (size_t i = 0; i < count; ++i) {
    const Transfer transfer = transfer_of(function_->instructions[i]);
    if (transfer == Transfer::none) continue;
    // A call goes on to another block, if only to an empty one.
    begins[i + 1] = i + 1 < count || transfer == Transfer::call || begins[i + 1];
    if (transfer == Transfer::leave) continue;
    for (const uint32_t label : targets_of(function_->instructions[i])) {
      const Label& target = function_->labels[label];
      begins[target.instruction] = true;
      if (label_at[target.instruction] == nullptr) label_at[target.instruction] = &target;
    }
  }
  block_at_.assign(count + 1, UINT32_MAX);
  for (size_t i = 0; i <= count; ++i) {
    if (!begins[i]) continue;
    block_at_[i] = static_cast<ir::BlockId>(kernel_.blocks.size());
    ir::Block block;
    if (label_at[i] != nullptr) block.label = label_at[i]->name;
    block.first = static_cast<ir::InstructionId>(first_instruction_ + i);
    kernel_.blocks.push_back(std::move(block));
  }
  for (size_t b = first_block_; b < kernel_.blocks.size(); ++b) {
    const size_t end = b + 1 < kernel_.blocks.size() ? kernel_.blocks[b + 1].first : first_instruction_ + count;
    kernel_.blocks[b].count = static_cast<uint32_t>(end - kernel_.blocks[b].first);
  }
}

void Lowering::connect_blocks() {
  const auto blocks = static_cast<ir::BlockId>(kernel_.blocks.size());
  for (auto b = static_cast<ir::BlockId>(first_block_); b < blocks; ++b) {
    ir::Block& block = kernel_.blocks[b];
    const size_t end = block.first - first_instruction_ + block.count;
    const Instruction* last = block.count == 0 ? nullptr : &function_->instructions[end - 1];
    const Transfer transfer = last == nullptr ? Transfer::none : transfer_of(*last);
    const bool falls_through = transfer == Transfer::none || transfer == Transfer::call || last->guard != none;
    if (transfer == Transfer::branch || transfer == Transfer::indexed) {
      for (const uint32_t label : targets_of(*last)) {
        block.successors.push_back(block_at_[function_->labels[label].instruction]);
      }
    }
    if (transfer == Transfer::call) block.callee = last->body;
    if (transfer == Transfer::leave) block.may_end = true;
    if (falls_through && b + 1 < blocks) block.successors.push_back(b + 1);
    if (falls_through && b + 1 == blocks) block.may_end = true;
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
    if (block.successors.empty()) block.may_end = true;
  }
}

}  // namespace

ir::Kernel lower_body(const Module& module, const Function& function) {
  Lowering lowering(module, function);
  lowering.append(function);
  return lowering.result();
}

ir::Kernel lower(const Module& module, const Function& function) {
  Lowering lowering(module, function);
  lowering.append(function);
  for (const Function& body : function.shared) lowering.append_shared(body);
  return lowering.result();
}

}  // namespace warpspan::ptx
