#include "frontend/lift/memory_slots.hpp"

#include <algorithm>

#include "frontend/lift/operands.hpp"

namespace warpspan::lift {

namespace {

using Kind = ptx::Operand::Kind;

constexpr uint32_t many = ptx::none - 1;

bool is_load_or_store(const ptx::Instruction& instruction) {
  const std::string_view name = instruction.form->opcode->name;
  return name == "ld" || name == "st";
}

int64_t element_bytes(const ptx::Form& form) { return std::max(ptx::bits(form.type()), 8) / 8; }

// The address operand of a load or store: the second or the first.
const ptx::Operand& address_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  return function.begin(instruction)[instruction.form->opcode->name == "ld" ? 1 : 0];
}

// The register that an instruction defines, if it defines that and nothing else, always.
uint32_t only_result(const ptx::Function& function, const ptx::Instruction& instruction) {
  if (instruction.guard != ptx::none || instruction.operand_count == 0) return ptx::none;
  const ptx::Operand& first = *function.begin(instruction);
  return first.kind == Kind::reg && first.role == ptx::Role::write && first.count <= 1 ? first.index : ptx::none;
}

// Whether the operand of a call that is not in line is a variable of the calling convention.
bool passes_value(const ptx::Module& module, const ptx::Instruction& instruction, const ptx::Operand& operand) {
  return instruction.body != ptx::none && operand.kind == Kind::variable &&
         module.variables[operand.index].space == ir::MemorySpace::parameter;
}

}  // namespace

bool is_kernel_parameter(const ptx::Module& module, uint32_t variable) {
  const ptx::Variable& v = module.variables[variable];
  return v.space == ir::MemorySpace::parameter && v.parameter != ptx::none && v.function != ptx::none &&
         module.functions[v.function].is_entry;
}

bool is_private(const ptx::Module& module, uint32_t variable) {
  const ir::MemorySpace space = module.variables[variable].space;
  return space == ir::MemorySpace::local ||
         (space == ir::MemorySpace::parameter && !is_kernel_parameter(module, variable));
}

VariableSet find_common_variables(const ptx::Module& module, const std::vector<const ptx::Function*>& bodies) {
  VariableSet common;
  VariableSet seen;
  for (const ptx::Function* body : bodies) {
    VariableSet own;
    for (const ptx::Operand& operand : body->operands) {
      if (operand.kind == Kind::variable && is_private(module, operand.index)) own.insert(operand.index);
    }
    for (const uint32_t variable : own) {
      if (!seen.insert(variable).second) common.insert(variable);
    }
  }
  return common;
}

MemorySlots::MemorySlots(const ptx::Module& module, const ptx::Function& function, const VariableSet& changed_elsewhere,
                         const Placement& placement)
    : module_(module),
      function_(function),
      placement_(placement),
      definition_(function.registers, ptx::none),
      state_(function.registers, State::unvisited),
      places_(function.registers),
      changed_elsewhere_(changed_elsewhere) {
  find_definitions();
  for (uint32_t reg = 0; reg < function.registers; ++reg) resolve(reg);
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (placement.blocks[i] != nullptr) visit_instruction(i);
  }
  make_slots();
  find_writers();
}

void MemorySlots::find_definitions() {
  for (uint32_t i = 0; i < function_.instructions.size(); ++i) {
    for_each_register(function_, function_.instructions[i], [&](uint32_t reg, ptx::Role role) {
      if (role == ptx::Role::read || role == ptx::Role::address) return;
      definition_[reg] = definition_[reg] == ptx::none ? i : many;
    });
  }
}

// The place in a register, by way of the chain of only definitions that leads to it.
std::optional<Place> MemorySlots::resolve(uint32_t reg) {
  std::vector<uint32_t> chain;
  while (reg != ptx::none && state_[reg] == State::unvisited) {
    state_[reg] = State::active;
    chain.push_back(reg);
    const uint32_t definition = definition_[reg];
    if (definition >= many) break;
    const ptx::Instruction& instruction = function_.instructions[definition];
    reg = ptx::none;
    for (uint32_t i = 1; i < instruction.operand_count && reg == ptx::none; ++i) {
      const ptx::Operand& source = function_.begin(instruction)[i];
      if (source.kind == Kind::reg && source.count <= 1) reg = source.index;
    }
  }
  for (auto r = chain.rbegin(); r != chain.rend(); ++r) {
    const uint32_t definition = definition_[*r];
    if (definition < many && only_result(function_, function_.instructions[definition]) == *r) {
      places_[*r] = derive(function_.instructions[definition]);
    }
    state_[*r] = State::done;
  }
  return std::nullopt;
}

// mov, cvta, and add and sub of a constant.
std::optional<Place> MemorySlots::derive(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  const ptx::Operand* operands = function_.begin(instruction);
  const std::string_view name = form.opcode->name;
  if ((name == "mov" || name.substr(0, 4) == "cvta") && instruction.operand_count == 2) {
    return source_place(operands[1]);
  }
  if ((name != "add" && name != "sub") || instruction.operand_count != 3 || !form.modifiers.empty())
    return std::nullopt;
  const bool swapped = name == "add" && operands[1].kind == Kind::integer;
  const ptx::Operand& base = operands[swapped ? 2 : 1];
  const ptx::Operand& constant = operands[swapped ? 1 : 2];
  if (constant.kind != Kind::integer) return std::nullopt;
  auto place = source_place(base);
  if (!place) return std::nullopt;
  const bool overflows = name == "add" ? __builtin_add_overflow(place->offset, constant.value, &place->offset)
                                       : __builtin_sub_overflow(place->offset, constant.value, &place->offset);
  return overflows ? std::nullopt : place;
}

std::optional<Place> MemorySlots::source_place(const ptx::Operand& operand) {
  if (operand.kind == Kind::reg && operand.count <= 1) return places_[operand.index];
  if (operand.kind != Kind::variable) return std::nullopt;
  if (!is_private(module_, operand.index) && !is_kernel_parameter(module_, operand.index)) return std::nullopt;
  return Place{operand.index, operand.value};
}

std::optional<Place> MemorySlots::place(const ptx::Operand& address) const {
  if (address.kind != Kind::address || address.count != 1) return std::nullopt;
  const ptx::Operand& base = *function_.elements(address);
  std::optional<Place> result;
  if (base.kind == Kind::reg && base.count <= 1) result = places_[base.index];
  if (base.kind == Kind::variable && (is_private(module_, base.index) || is_kernel_parameter(module_, base.index))) {
    result = Place{base.index, base.value};
  }
  if (result && __builtin_add_overflow(result->offset, address.value, &result->offset)) return std::nullopt;
  return result;
}

// Every mention of a private variable, or of a register that points to one, has to be a load, a store or a derivation
// of such a register: otherwise the address is known elsewhere.
void MemorySlots::visit_instruction(uint32_t index) {
  const ptx::Instruction& instruction = function_.instructions[index];
  has_stack_ = has_stack_ || instruction.form->opcode->name == "alloca";
  const uint32_t result = only_result(function_, instruction);
  const bool derives = result != ptx::none && places_[result].has_value();
  const bool accesses = is_load_or_store(instruction) && instruction.operand_count >= 2;
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const ptx::Operand& operand = function_.begin(instruction)[i];
    if (passes_value(module_, instruction, operand)) {
      changed_elsewhere_.insert(operand.index);
      continue;
    }
    if (operand.role == ptx::Role::write) continue;
    const bool is_address = accesses && &operand == &address_of(function_, instruction);
    if (is_address) visit_access(instruction, operand);
    visit_use(operand, index, derives || is_address);
  }
}

void MemorySlots::visit_use(const ptx::Operand& operand, uint32_t user, bool is_allowed) {
  if (has_elements(operand)) {
    for (uint32_t i = 0; i < operand.count; ++i) visit_use(function_.elements(operand)[i], user, is_allowed);
    return;
  }
  if (operand.kind == Kind::variable && is_private(module_, operand.index) && !is_allowed) {
    escaped_.insert(operand.index);
  }
  if (operand.kind != Kind::reg) return;
  for (uint32_t reg = operand.index; reg < operand.index + std::max(operand.count, 1U); ++reg) {
    if (!places_[reg]) continue;
    // Before its definition a register may hold any address.
    const bool is_known = is_allowed && is_defined_before(reg, user);
    if (!is_known && is_private(module_, places_[reg]->variable)) escaped_.insert(places_[reg]->variable);
  }
}

void MemorySlots::visit_access(const ptx::Instruction& instruction, const ptx::Operand& address) {
  const auto target = place(address);
  if (!target) return;
  const int64_t bytes = element_bytes(*instruction.form);
  const int64_t count = instruction.form->vector_size;
  const ptx::Variable& variable = module_.variables[target->variable];
  const ir::MemorySpace space = instruction.form->operation.space;
  const bool right_space = space == ir::MemorySpace::generic || space == variable.space;
  const int64_t room = variable.bytes - bytes * count;
  if (!right_space || target->offset < 0 || target->offset > room) {
    if (is_private(module_, target->variable)) escaped_.insert(target->variable);
    return;
  }
  for (int64_t i = 0; i < count; ++i) accesses_[target->variable].insert({target->offset + i * bytes, bytes});
}

// The only definition may be in code that is never executed.
bool MemorySlots::is_defined_before(uint32_t reg, uint32_t user) const {
  const uint32_t definition = definition_[reg];
  return placement_.blocks[definition] != nullptr && placement_.dominates(definition, user);
}

// Accesses that overlap must be the same; a run of others stays in memory.
void MemorySlots::make_slots() {
  for (const auto& [variable, accesses] : accesses_) {
    if (escaped_.count(variable) > 0 || changed_elsewhere_.count(variable) > 0) continue;
    if (!is_private(module_, variable)) continue;
    for (auto run = accesses.begin(); run != accesses.end();) {
      const auto first = run;
      int64_t end = first->first + first->second;
      for (++run; run != accesses.end() && run->first < end; ++run) end = std::max(end, run->first + run->second);
      if (std::next(first) != run) continue;
      slots_[{variable, first->first}] = static_cast<uint32_t>(variables_.size());
      variables_.push_back({static_cast<unsigned>(first->second * 8), {}});
    }
  }
}

void MemorySlots::find_writers() {
  for (uint32_t i = 0; i < function_.instructions.size(); ++i) {
    const ptx::Instruction& instruction = function_.instructions[i];
    if (placement_.blocks[i] == nullptr || instruction.form->opcode->name != "st") continue;
    for (const auto& written : stored_slots(instruction)) {
      if (written) variables_[*written].writers.push_back(i);
    }
  }
}

std::vector<std::optional<uint32_t>> MemorySlots::stored_slots(const ptx::Instruction& store) const {
  std::vector<std::optional<uint32_t>> result;
  if (store.operand_count < 2) return result;
  const ptx::Operand* operands = function_.begin(store);
  const auto target = place(operands[0]);
  if (!target) return result;
  const int64_t bytes = element_bytes(*store.form);
  const auto count = static_cast<int64_t>(scalars(function_, operands[1]).size());
  for (int64_t i = 0; i < count; ++i) result.push_back(slot({target->variable, target->offset + i * bytes}, bytes));
  return result;
}

std::optional<uint32_t> MemorySlots::slot(const Place& place, int64_t bytes) const {
  const auto found = slots_.find({place.variable, place.offset});
  if (found == slots_.end() || variables_[found->second].bits != static_cast<unsigned>(bytes * 8)) return std::nullopt;
  return found->second;
}

}  // namespace warpspan::lift
