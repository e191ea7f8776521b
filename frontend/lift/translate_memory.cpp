// Loads and stores, PTX ISA 9.7.9.8 to 9.7.9.11. Stores to memory that others may see need no lifting, because every
// load from it yields an unknown value.
#include "frontend/lift/operands.hpp"
#include "frontend/lift/translator.hpp"

namespace warpspan::lift {

namespace {

using ir::MemorySpace;

// Whether lanes that load from one address of the space together get one value. In generic and local space an address
// may mean another place for each lane.
bool is_same_for_all_lanes(MemorySpace space) {
  return space == MemorySpace::global || space == MemorySpace::shared || space == MemorySpace::constant;
}

}  // namespace

llvm::Value* Translator::address(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::address || operand.count == 0) return nullptr;
  const ptx::Operand& base = *function_.elements(operand);
  unsigned bits = 64;
  if (base.kind == ptx::Operand::Kind::reg) bits = registers_.bits(base.index);
  llvm::Value* value = bits == 32 || bits == 64 ? read(base, bits) : nullptr;
  if (value == nullptr) return nullptr;
  return emitter_.ir.CreateAdd(value, emitter_.constant(bits, static_cast<uint64_t>(operand.value)));
}

void Translator::note_access(const ptx::Operand& operand) {
  llvm::Value* where = address(operand);
  const auto place = slots_.place(operand);
  if (where != nullptr) emitter_.access(where, place && is_kernel_parameter(module_, place->variable));
}

// The value of one element at a byte offset from the address operand.
llvm::Value* Translator::loaded(const ptx::Instruction& instruction, const ptx::Operand& operand, int64_t offset,
                                unsigned bits) {
  if (auto place = slots_.place(operand)) {
    place->offset += offset;
    if (is_kernel_parameter(module_, place->variable)) {
      return launch_.parameter(place->variable, place->offset, bits);
    }
    if (const auto slot = slots_.slot(*place, bits / 8)) return registers_.read(slot_id(*slot));
  }
  llvm::Value* where = address(operand);
  if (where == nullptr || !is_same_for_all_lanes(instruction.form->operation.space)) return emitter_.opaque(bits);
  return emitter_.pure(bits, {where});
}

bool Translator::load(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  const unsigned bits = width(form.type());
  if (instruction.operand_count < 2 || bits < 8) return false;
  const ptx::Operand& where = operand(instruction, 1);
  const std::vector<ptx::Operand> destinations = scalars(function_, operand(instruction, 0));
  note_access(where);
  std::vector<llvm::Value*> values;
  for (size_t i = 0; i < destinations.size(); ++i) {
    values.push_back(loaded(instruction, where, static_cast<int64_t>(i * bits / 8), bits));
  }
  for (size_t i = 0; i < destinations.size(); ++i) write(destinations[i], values[i], is_signed(form.type()));
  return true;
}

bool Translator::store(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  const unsigned bits = width(form.type());
  if (instruction.operand_count < 2 || bits < 8) return true;
  const ptx::Operand& where = operand(instruction, 0);
  note_access(where);
  const auto slots = slots_.stored_slots(instruction);
  const std::vector<ptx::Operand> sources = scalars(function_, operand(instruction, 1));
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i]) continue;
    llvm::Value* value = read(sources[i], bits);
    write_slot(*slots[i], value == nullptr ? emitter_.opaque(bits) : value);
  }
  return true;
}

}  // namespace warpspan::lift
