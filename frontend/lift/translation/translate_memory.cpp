// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores. Stores to memory that others may see need no lifting, because every load from it yields an unknown
// value.
#include <algorithm>

#include "frontend/lift/translation/translator.hpp"

namespace warpspan::lift {

namespace {

using ir::MemorySpace;

// Whether an operation may write the memory of the thread that executes it.
bool may_write_own_memory(const ir::Operation& operation) {
  const bool is_unknown = operation.machine && operation.machine->takes_most;
  if (is_unknown || operation.call_time) return true;
  switch (operation.kind) {
    case ir::OperationKind::store_local:
    case ir::OperationKind::store_generic:
    case ir::OperationKind::atomic_generic:
    case ir::OperationKind::stack: return true;
    default: return false;
  }
}

// Whether lanes that load from one address of the space together get one value. In generic and local space an address
// may mean another location for each lane.
bool is_same_for_all_lanes(MemorySpace space) {
  return space == MemorySpace::global || space == MemorySpace::shared || space == MemorySpace::constant;
}

// The constant that a value is less than another one; null if it is no such difference.
const llvm::ConstantInt* subtracted(const llvm::Value& value) {
  const auto* difference = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  const bool is_one = difference != nullptr && difference->getOpcode() == llvm::Instruction::Sub;
  return is_one ? llvm::dyn_cast<llvm::ConstantInt>(difference->getOperand(1)) : nullptr;
}

}  // namespace

llvm::Value* Translator::address(const ir::Operand& operand) {
  if (operand.kind != ir::Operand::Kind::address || operand.count == 0) return nullptr;
  const ir::Operand& base = body_.elements(operand).front();
  const unsigned bits = base.kind == ir::Operand::Kind::reg ? registers_.bits(base.index) : 64;
  llvm::Value* value = bits == 32 || bits == 64 ? read(base, bits) : nullptr;
  if (value == nullptr) return nullptr;
  value = where_condition_is_met(*value);
  return emitter_.ir.CreateAdd(value, emitter_.constant(bits, static_cast<uint64_t>(operand.value)));
}

// Of what is computed from values that its guard selects, too.
llvm::Value* Translator::where_condition_is_met(llvm::Value& value, int depth) {
  constexpr int deepest = 12;
  if (condition_ == nullptr || depth == deepest) return &value;
  if (llvm::Value* selected = chosen(&value, true); selected != &value) {
    return where_condition_is_met(*selected, depth + 1);
  }
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || !llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction)) return &value;
  llvm::SmallVector<llvm::Value*, 2> operands;
  for (llvm::Value* operand : instruction->operand_values()) {
    operands.push_back(where_condition_is_met(*operand, depth + 1));
  }
  if (llvm::equal(operands, instruction->operand_values())) return &value;
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(instruction)) {
    return emitter_.ir.CreateCast(cast->getOpcode(), operands[0], cast->getType());
  }
  const auto* operation = llvm::cast<llvm::BinaryOperator>(instruction);
  return emitter_.ir.CreateBinOp(operation->getOpcode(), operands[0], operands[1]);
}

// Stores that are lifted as writes of registers change nothing that is read otherwise.
void Translator::note_own_store() {
  const ir::Operation& operation = body_.operation(index_);
  if (!follows_own_memory_ || !may_write_own_memory(operation)) return;
  const bool is_plain = semantics_.computation == ir::Computation::store && operation.space == MemorySpace::local;
  if (!is_plain) return emitter_.store({emitter_.opaque(1)});
  const auto slots = slots_.accessed_slots(index_);
  if (!slots.empty() && std::all_of(slots.begin(), slots.end(), [](const auto& slot) { return slot.has_value(); }))
    return;
  std::vector<llvm::Value*> operands = {address(sources_[0])};
  for (const ir::Operand& value : scalars(body_, sources_[1])) operands.push_back(read(value, bits_));
  if (body_.instructions[index_].guard != ir::no_register) operands.push_back(guard(index_));
  for (llvm::Value*& operand : operands) {
    if (operand == nullptr) operand = emitter_.opaque(1);
  }
  emitter_.store(operands);
}

void Translator::note_access(const ir::Operand& operand, llvm::Value* destination) {
  llvm::Value* where = address(operand);
  const auto byte = slots_.byte(operand);
  const bool is_parameter = byte && is_kernel_parameter(program_.variables[byte->variable]);
  if (where != nullptr) emitter_.access(where, is_parameter, guard(index_), destination);
}

// Notes the addresses of atomic operations, of copies, which have the source behind the destination, and of matrices
// for which each lane gives the address of a row. The addresses of tensors are in memory.
void Translator::note_other_access() {
  const ir::Operation& operation = body_.operation(index_);
  const bool has_rows = ir::gives_row_addresses(operation);
  if (operation.space != MemorySpace::global && operation.space != MemorySpace::generic && !has_rows) return;
  std::vector<const ir::Operand*> addresses;
  for (const ir::Operand& source : sources_) {
    if (source.kind == ir::Operand::Kind::address) addresses.push_back(&source);
  }
  switch (operation.kind) {
    case ir::OperationKind::atomic_global:
    case ir::OperationKind::reduce_global:
    case ir::OperationKind::atomic_generic:
      if (addresses.size() == 1) note_access(*addresses.front());
      break;
    case ir::OperationKind::copy_async:
      if (addresses.size() == 2) note_access(*addresses.back(), address(*addresses.front()));
      break;
    case ir::OperationKind::copy_bulk:
      if (!ir::is_bulk_copy(operation) || operation.facts.copy.tensor || addresses.empty()) break;
      // Into shared memory: destination, source, barrier. Else the first is in global memory.
      note_access(*addresses[addresses.size() == 3 ? 1 : 0]);
      break;
    case ir::OperationKind::matrix_load:
      if (has_rows && addresses.size() == 1) note_access(*addresses.front());
      break;
    default: break;
  }
}

// The byte of a variable in global or constant memory that a load is of: its address, constants and, in generic
// addresses, where its state space begins, added up.
std::optional<VariableByte> Translator::byte_in_file(llvm::Value& address) {
  constexpr size_t most_terms = 64;
  std::optional<ir::VariableId> variable;
  uint64_t offset = 0;
  std::vector<llvm::Value*> terms = {&address};
  std::vector<llvm::Value*> others;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms.size() > most_terms) return std::nullopt;
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(terms[i]);
    const auto source = launch_source(*terms[i]);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(terms[i])) {
      offset += static_cast<uint64_t>(constant->getSExtValue());
    } else if (sum != nullptr && sum->getOpcode() == llvm::Instruction::Add) {
      terms.push_back(sum->getOperand(0));
      terms.push_back(sum->getOperand(1));
    } else if (const auto* less = subtracted(*terms[i])) {
      terms.push_back(sum->getOperand(0));
      offset -= static_cast<uint64_t>(less->getSExtValue());
    } else if (source && source->kind == LaunchSource::Kind::variable && !variable) {
      variable = source->number;
    } else {
      others.push_back(terms[i]);
    }
  }
  if (!variable || !ir::is_of_file(program_.variables[*variable])) return std::nullopt;
  const MemorySpace space = body_.operation(index_).space;
  const MemorySpace own = program_.variables[*variable].space;
  if (space != own && space != MemorySpace::generic) return std::nullopt;
  const bool has_window = space == MemorySpace::generic && own != MemorySpace::global;
  if (others.size() != (has_window ? 1U : 0U)) return std::nullopt;
  if (has_window && others.front() != launch_.window(own, address.getType()->getIntegerBitWidth())) return std::nullopt;
  return VariableByte{*variable, static_cast<int64_t>(offset)};
}

// The value of one element at a byte offset from the address operand.
llvm::Value* Translator::loaded(const ir::Operand& operand, int64_t offset) {
  if (auto byte = slots_.byte(operand)) {
    byte->offset += offset;
    if (is_kernel_parameter(program_.variables[byte->variable])) {
      return launch_.parameter(byte->variable, byte->offset, bits_);
    }
    if (const auto slot = slots_.slot(*byte, bits_ / 8)) return read_register(slot_id(*slot));
  }
  llvm::Value* where = address(operand);
  if (where == nullptr) return emitter_.opaque(bits_);
  const auto byte = byte_in_file(*where);
  if (byte) {
    if (llvm::Value* value = launch_.variable(byte->variable, byte->offset + offset, bits_)) return value;
  }
  const MemorySpace space = body_.operation(index_).space;
  if (space == MemorySpace::local && follows_own_memory_) return emitter_.of_own_memory(bits_, where);
  if (!is_same_for_all_lanes(space)) return emitter_.opaque(bits_);
  const bool is_fixed = space == MemorySpace::constant;
  llvm::Value* value = is_fixed ? emitter_.pure(bits_, {where}) : emitter_.of_group(bits_, {where});
  if (byte && program_.variables[byte->variable].is_never_stored) {
    const auto name = LaunchValues::name_of(program_, byte->variable, byte->offset + offset, bits_ / 8);
    if (!name.option.empty()) emitter_.describe(*value, name.what, name.option);
  }
  return value;
}

bool Translator::load() {
  const ir::Operand& where = sources_[0];
  const auto destinations = scalars(body_, results_[0]);
  note_access(where);
  std::vector<llvm::Value*> values;
  for (size_t i = 0; i < destinations.size(); ++i) values.push_back(loaded(where, static_cast<int64_t>(i * bits_ / 8)));
  for (size_t i = 0; i < destinations.size(); ++i) write(destinations[i], values[i], semantics_.fills_with_sign);
  return true;
}

// What it finds is any value; its operands are where it looks and what it expects there.
bool Translator::compare_and_swap() {
  if (!ir::is_compare_and_swap(body_.operation(index_)) || sources_.size() < 3 || results_.size() != 1) return false;
  const ir::Operand& found = results_.front();
  const auto bits = static_cast<unsigned>(8 * body_.operation(index_).bytes);
  if (found.kind != ir::Operand::Kind::reg || registers_.bits(found.index) != bits) return false;
  llvm::Value* where = address(sources_[0]);
  llvm::Value* expected = read(sources_[1], bits);
  if (where == nullptr || expected == nullptr) return false;
  write(emitter_.opaque(bits, {where, expected}));
  return true;
}

bool Translator::store() {
  note_access(sources_[0]);
  const auto slots = slots_.accessed_slots(index_);
  const auto values = scalars(body_, sources_[1]);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i]) continue;
    llvm::Value* value = read(values[i], bits_);
    write_slot(*slots[i], value == nullptr ? emitter_.opaque(bits_) : value);
  }
  return true;
}

}  // namespace warpspan::lift
