// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/lowering/lower.hpp"

#include <algorithm>
#include <string>

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/lowering/gathers.hpp"
#include "frontend/ptx/lowering/lowering.hpp"

namespace warpspan::ptx {

namespace {

// Where machine code reads a special register, and with how much of it.
enum class Source : uint8_t { hardware, clock, constant };
enum class Cost : uint8_t { plain, composed, launch };

struct SpecialRead {
  Source source;
  Cost cost;
};

SpecialRead read_of(SpecialRegister id) {
  static constexpr auto reads = std::to_array<SpecialRead>({
#define SPECIAL_REGISTER(enumerator, name, components, value, place, cost) {Source::place, Cost::cost},
#include "frontend/ptx/forms/special_registers.def"
#undef SPECIAL_REGISTER
  });
  return reads[static_cast<size_t>(id)];
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

}  // namespace

Lowering::Lowering(const Module& module, const Function& entry) : module_(module) {
  kernel_.name = entry.name;
  kernel_.target = module_.targets.empty() ? std::string() : std::string(module_.targets.front());
  maps_doubles_ = std::find(module_.targets.begin(), module_.targets.end(), "map_f64_to_f32") != module_.targets.end();
  kernel_.location = module_.source->locate(entry.offset);
  kernel_.launch_bounds = entry.launch_bounds;
  measure_parameters(entry);
}

void Lowering::append(const Function& body) {
  function_ = &body;
  first_instruction_ = kernel_.instructions.size();
  first_register_ = kernel_.registers;
  first_block_ = kernel_.blocks.size();
  kernel_.registers += body.registers;
  find_widths();
  find_constants();
  lower_instructions();
  find_blocks();
  connect_blocks();
}

void Lowering::append_shared(const Function& body) {
  kernel_.functions.push_back({std::string(body.name), static_cast<ir::BlockId>(kernel_.blocks.size())});
  append(body);
}

ir::Kernel Lowering::result() {
  measure_shared_memory();
  return std::move(kernel_);
}

void Lowering::find_widths() {
  kernel_.register_bits.resize(kernel_.registers, 1);
  for (const RegisterRange& range : function_->register_ranges) {
    const auto first = kernel_.register_bits.begin() + first_register_ + range.first;
    std::fill(first, first + int64_t{range.count} * range.vector_size, static_cast<uint16_t>(bits(range.type)));
  }
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
      const SpecialRead read = read_of(static_cast<SpecialRegister>(operand.index));
      use_.reads_special = true;
      use_.reads_composed |= read.cost == Cost::composed;
      use_.reads_launch |= read.cost == Cost::launch;
      use_.reads_clock |= read.source == Source::clock;
      use_.reads_parameter |= read.source == Source::constant;
      break;
    }
    case Operand::Kind::variable: {
      const ir::MemorySpace space = module_.variables[operand.index].space;
      if (space == ir::MemorySpace::shared) shared_variables_.insert(operand.index);
      use_.reads_constant |= space == ir::MemorySpace::global || space == ir::MemorySpace::constant;
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
bool Lowering::contains_constant(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::integer:
    case Operand::Kind::floating: return true;
    case Operand::Kind::vector:
    case Operand::Kind::pair:
    case Operand::Kind::list: {
      const Operand* elements = function_->elements(operand);
      return std::any_of(elements, elements + operand.count, [this](const Operand& e) { return contains_constant(e); });
    }
    default: return false;
  }
}

// Registers that one instruction writes, an unguarded move of an immediate: a read before it would be of nothing.
void Lowering::find_constants() {
  constexpr uint8_t several = 2;
  std::vector<uint8_t> writers(function_->registers);
  constant_.assign(function_->registers, false);
  for (const Instruction& instruction : function_->instructions) {
    reads_.clear();
    writes_.clear();
    const Operand* operands = function_->begin(instruction);
    for (uint32_t i = 0; i < instruction.operand_count; ++i) collect(operands[i], operands[i].role);
    for (const ir::RegisterId reg : writes_) {
      uint8_t& count = writers[reg - first_register_];
      count = std::min<uint8_t>(count + 1, several);
    }
    const bool moves = instruction.form->opcode->name == "mov" && instruction.guard == none &&
                       instruction.operand_count == 2 && operands[1].kind == Operand::Kind::integer;
    if (moves && writes_.size() == 1) constant_[writes_.front() - first_register_] = true;
  }
  for (size_t reg = 0; reg < writers.size(); ++reg) constant_[reg] = constant_[reg] && writers[reg] == 1;
  find_addresses(writers);
}

// Copies of addresses of variables, converted or not, and what constants are added to.
void Lowering::find_addresses(const std::vector<uint8_t>& writers) {
  address_.assign(function_->registers, false);
  for (bool more = true; more;) {
    more = false;
    for (const Instruction& instruction : function_->instructions) {
      const std::string_view opcode = instruction.form->opcode->name;
      if (opcode != "mov" && opcode != "cvta" && opcode != "add") continue;
      const Operand* operands = function_->begin(instruction);
      if (instruction.operand_count < 2 || operands[0].kind != Operand::Kind::reg) continue;
      const uint32_t written = operands[0].index;
      if (address_[written] || writers[written] != 1) continue;
      const auto constant = [this](const Operand& operand) {
        return operand.kind == Operand::Kind::integer || is_of_variable(operand) ||
               (operand.kind == Operand::Kind::reg && constant_[operand.index]);
      };
      const Operand* end = operands + instruction.operand_count;
      if (!std::all_of(operands + 1, end, constant)) continue;
      if (std::none_of(operands + 1, end, [this](const Operand& operand) { return is_of_variable(operand); })) continue;
      address_[written] = more = true;
    }
  }
}

bool Lowering::is_of_variable(const Operand& operand) const {
  if (operand.kind == Operand::Kind::variable) return true;
  return operand.kind == Operand::Kind::reg && operand.component == 0 && address_[operand.index];
}

template <typename Is>
bool Lowering::any_address(const Instruction& instruction, const Is& is) const {
  const Operand* operands = function_->begin(instruction);
  return std::any_of(operands, operands + instruction.operand_count, [&](const Operand& operand) {
    return operand.kind == Operand::Kind::address && operand.count > 0 && is(operand);
  });
}

// The mask is the last operand of those forms that have one.
bool Lowering::has_constant_mask(const Instruction& instruction) const {
  const std::string_view opcode = instruction.form->opcode->name;
  const bool masked =
      opcode == "bar.warp.sync" ||
      ((opcode == "shfl" || opcode == "vote" || opcode == "match" || opcode == "redux" || opcode == "elect") &&
       instruction.form->has("sync"));
  if (!masked || instruction.operand_count == 0) return false;
  const Operand& mask = function_->begin(instruction)[instruction.operand_count - 1];
  if (mask.kind == Operand::Kind::integer) return true;
  return mask.kind == Operand::Kind::reg && mask.component == 0 && constant_[mask.index];
}

void Lowering::lower_registers(const Instruction& instruction, ir::Instruction& lowered) {
  reads_.clear();
  writes_.clear();
  use_ = {};
  if (instruction.guard != none) reads_.push_back(first_register_ + instruction.guard);
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = function_->begin(instruction)[i];
    collect(operand, operand.role);
    use_.reads_constant |= !fits_immediate(operand, instruction.form->operation);
    use_.has_immediate |= contains_constant(operand);
  }
  use_.reads_constant |= use_.reads_parameter;
  if (use_.reads_launch && instruction.form->opcode->name == "mov") use_.reads_special = false;
  if (instruction.form->operation.kind == ir::OperationKind::load_const)
    use_.reads_constant = false;  // it says so itself
  if (instruction.carry_read != none) reads_.push_back(first_register_ + instruction.carry_read);
  if (instruction.carry_written != none) writes_.push_back(first_register_ + instruction.carry_written);
  lowered.first_register = static_cast<uint32_t>(kernel_.register_pool.size());
  lowered.reads = static_cast<uint16_t>(reads_.size());
  lowered.writes = static_cast<uint16_t>(writes_.size());
  kernel_.register_pool.insert(kernel_.register_pool.end(), reads_.begin(), reads_.end());
  kernel_.register_pool.insert(kernel_.register_pool.end(), writes_.begin(), writes_.end());
}

uint32_t Lowering::operation_of(const Instruction& instruction, const ConstantOperands& constants, int moves) {
  constexpr int64_t near = int64_t{1} << 23;
  if (instruction.outside != none) return outside_call(function_->outside[instruction.outside]);
  use_.ends_kernel = function_->is_entry && instruction.form->transfer == ir::Transfer::function_return;
  use_.guarded = instruction.guard != none;
  use_.constant_mask = has_constant_mask(instruction);
  const std::string_view opcode = instruction.form->opcode->name;
  const bool asks_lanes = (opcode == "vote" || opcode == "match" || opcode == "redux") && instruction.form->has("sync");
  kernel_.lanes_part = kernel_.lanes_part || (asks_lanes && !use_.constant_mask);
  use_.of_variable =
      any_address(instruction, [this](const Operand& o) { return is_of_variable(function_->elements(o)[0]); });
  use_.far = any_address(instruction, [](const Operand& o) { return o.value < -near || o.value >= near; });
  use_.stays_call = instruction.stays_call && is_call(instruction);
  const bool returns =
      instruction.ends_call || (!use_.ends_kernel && instruction.form->transfer == ir::Transfer::function_return);
  use_.awaits_all = returns || is_call(instruction);
  use_.integer_in_memory = constants.in_memory;
  use_.constant_words = constants.words;
  use_.constant_free = constants.free;
  use_.moves = moves;
  auto& known = operations_[instruction.form];
  const auto same = std::find_if(known.begin(), known.end(), [this](const auto& each) { return each.first == use_; });
  if (same != known.end()) return same->second;
  known.emplace_back(use_, static_cast<uint32_t>(kernel_.operations.size()));
  kernel_.operations.push_back(operation_from(*instruction.form, use_));
  return known.back().second;
}

ir::Operation Lowering::operation_from(const Form& form, const Use& use) const {
  ir::Operation operation = form.operation;
  if (maps_doubles_ && ir::computes_floats(operation.semantics.computation)) {
    operation.semantics = {.pure = operation.semantics.pure};
  }
  operation.key.immediate = use.has_immediate;
  operation.key.guarded = use.guarded;
  operation.key.constant_mask = use.constant_mask;
  operation.key.of_variable = use.of_variable;
  operation.key.far = use.far;
  operation.key.plain_special = use.reads_special && !use.reads_composed;
  if (use.reads_special) operation.kind = ir::OperationKind::special_register;
  if (use.ends_kernel) operation.kind = ir::OperationKind::exit;
  operation.reads_clock = use.reads_clock;
  operation.reads_constant = use.reads_constant;
  operation.reads_launch = use.reads_parameter;
  operation.reads_integer = use.integer_in_memory;
  operation.constant_words = use.constant_words;
  operation.constant_free = use.constant_free;
  operation.moves = use.moves;
  operation.stays_call = use.stays_call;
  operation.awaits_all = use.awaits_all;
  return operation;
}

// The call of a function without a body. Its address is read from constant memory.
uint32_t Lowering::outside_call(const OutsideFunction& function) {
  const auto [known, fresh] = outside_calls_.try_emplace(function.function, kernel_.operations.size());
  if (!fresh) return known->second;
  ir::Operation operation = module_.forms->find("call")->operation;
  operation.text = "call " + std::string(module_.functions[function.function].name);
  operation.reads_constant = true;
  operation.call_time = function.time;
  operation.stays_call = true;
  kernel_.operations.push_back(std::move(operation));
  return known->second;
}

// The order in which ptxas lays the variables out is not known, so each may be aligned at the cost of almost its
// alignment. It lays out those of the kernel's own body, too, that no instruction names.
void Lowering::measure_shared_memory() {
  for (uint32_t i = 0; i < module_.variables.size(); ++i) {
    const Variable& variable = module_.variables[i];
    if (variable.space != ir::MemorySpace::shared || variable.function == none) continue;
    if (module_.functions[variable.function].name == kernel_.name) shared_variables_.insert(i);
  }
  constexpr int64_t natural_alignment = 64;  // the most of a type without .align: .v8 of 64 bits
  for (const uint32_t index : shared_variables_) {
    const Variable& variable = module_.variables[index];
    kernel_.shared_bytes += variable.bytes;
    kernel_.shared_padding += (variable.alignment > 0 ? variable.alignment : natural_alignment) - 1;
    if (variable.bytes == 0) kernel_.dynamic_shared = true;
  }
}

// PTX ISA, "Kernel function parameters": of a type without .align, its own size.
void Lowering::measure_parameters(const Function& entry) {
  for (const Parameter& parameter : entry.parameters) {
    if (parameter.variable == none) continue;
    const Variable& variable = module_.variables[parameter.variable];
    const int64_t own = std::max<int64_t>(1, bits(variable.type) / 8);
    const int64_t alignment = std::max(variable.alignment, own);
    kernel_.parameter_bytes = (kernel_.parameter_bytes + alignment - 1) / alignment * alignment + variable.bytes;
  }
}

// A barrier is named by the first operand that is read. The assembler reserves all up to the largest it knows.
void Lowering::count_barriers(const Instruction& instruction) {
  constexpr int64_t all = 16;
  if (instruction.form->operation.kind != ir::OperationKind::barrier) return;
  const Operand* operand = function_->begin(instruction);
  const Operand* const end = operand + instruction.operand_count;
  operand = std::find_if(operand, end, [](const Operand& one) { return one.role == Role::read; });
  const bool is_number = operand != end && operand->kind == Operand::Kind::integer && operand->value >= 0;
  kernel_.barriers = std::max(kernel_.barriers, is_number && operand->value < all ? operand->value + 1 : all);
}

void Lowering::lower_instructions() {
  kernel_.instructions.reserve(function_->instructions.size());
  const std::vector<uint32_t> gathered = gathered_registers(*function_);
  const std::vector<ConstantOperands> constants = constant_operands(module_, *function_);
  for (size_t i = 0; i < function_->instructions.size(); ++i) {
    const Instruction& instruction = function_->instructions[i];
    ir::Instruction lowered;
    lower_registers(instruction, lowered);
    lowered.operation = operation_of(instruction, constants[i], static_cast<int>(gathered[i]) + constants[i].moves);
    count_barriers(instruction);
    lowered.guarded = instruction.guard != none;
    lowered.line = static_cast<uint32_t>(module_.source->locate(instruction.offset).line);
    if (instruction.position != none) set_source_line(function_->positions[instruction.position], lowered);
    kernel_.instructions.push_back(lowered);
  }
}

// A line of a file that has no name is of no use.
void Lowering::set_source_line(const Position& position, ir::Instruction& instruction) {
  const auto file = module_.files.find(position.file);
  if (file == module_.files.end()) return;
  auto& names = kernel_.source_files;
  const auto known = source_files_.find(position.file);
  if (known != source_files_.end()) {
    instruction.source_file = known->second;
  } else {
    if (names.size() > UINT16_MAX) return;
    instruction.source_file = static_cast<uint16_t>(names.size());
    source_files_.emplace(position.file, instruction.source_file);
    names.emplace_back(file->second);
  }
  instruction.source_line = position.line;
}

namespace {

ir::Body lower_body(const Module& module, const Function& function, Mentioned& mentioned) {
  ir::Body body;
  body.offset = function.offset;
  OperandLowering operands(function, mentioned, body);
  body.instructions.reserve(function.instructions.size());
  for (const Instruction& instruction : function.instructions) operands.append(instruction);
  Lowering lowering(module, function);
  lowering.append(function);
  body.kernel = lowering.result();
  return body;
}

}  // namespace

ir::Kernel lower(const Module& module, const Function& function) {
  Lowering lowering(module, function);
  lowering.append(function);
  for (const Function& body : function.shared) lowering.append_shared(body);
  return lowering.result();
}

ir::Program lower_program(const Module& module, const Function& function) {
  ir::Program program;
  program.source = module.source;
  Mentioned mentioned(module, function, program);
  program.bodies.push_back(lower_body(module, function, mentioned));
  for (const Function& body : function.shared) program.bodies.push_back(lower_body(module, body, mentioned));
  return program;
}

}  // namespace warpspan::ptx
