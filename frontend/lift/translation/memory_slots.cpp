// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/memory_slots.hpp"

#include <algorithm>

namespace warpspan::lift {

namespace {

using Kind = ir::Operand::Kind;
using ir::Computation;

constexpr ir::InstructionId none = UINT32_MAX;
constexpr ir::InstructionId many = none - 1;

// The register that an instruction defines, if it defines that and nothing else, always.
std::optional<ir::RegisterId> only_result(const ir::Body& body, ir::InstructionId i) {
  const auto results = body.results(i);
  const bool is_one = results.size() == 1 && results.front().kind == Kind::reg;
  return is_one && body.instructions[i].guard == ir::no_register ? std::optional(results.front().index) : std::nullopt;
}

}  // namespace

VariableSet find_common_variables(const ir::Program& program) {
  VariableSet common;
  VariableSet seen;
  for (const ir::Body& body : program.bodies) {
    VariableSet own;
    for (const ir::Operand& operand : body.operands) {
      if (operand.kind == Kind::variable && is_private(program.variables[operand.index])) own.insert(operand.index);
    }
    for (const ir::VariableId variable : own) {
      if (!seen.insert(variable).second) common.insert(variable);
    }
  }
  return common;
}

MemorySlots::MemorySlots(const ir::Program& program, const ir::Body& body, const VariableSet& changed_elsewhere,
                         const Placement& placement)
    : program_(program),
      body_(body),
      placement_(placement),
      definition_(body.kernel.registers, none),
      state_(body.kernel.registers, State::unvisited),
      bytes_(body.kernel.registers),
      changed_elsewhere_(changed_elsewhere) {
  find_definitions();
  for (ir::RegisterId reg = 0; reg < body.kernel.registers; ++reg) resolve(reg);
  for (ir::InstructionId i = 0; i < body.instructions.size(); ++i) {
    if (placement.blocks[i] != nullptr) visit_instruction(i);
  }
  make_slots();
  find_writers();
}

void MemorySlots::find_definitions() {
  for (ir::InstructionId i = 0; i < body_.instructions.size(); ++i) {
    for_each_register(body_, i, [&](ir::RegisterId reg, ir::Use use) {
      if (use == ir::Use::written) definition_[reg] = definition_[reg] == none ? i : many;
    });
  }
}

// Finds the byte in a register, by the chain of only definitions that leads to it.
void MemorySlots::resolve(ir::RegisterId reg) {
  std::vector<ir::RegisterId> chain;
  while (reg != ir::no_register && state_[reg] == State::unvisited) {
    state_[reg] = State::active;
    chain.push_back(reg);
    const ir::InstructionId definition = definition_[reg];
    if (definition >= many) break;
    const auto sources = body_.sources(definition);
    const auto source =
        std::find_if(sources.begin(), sources.end(), [](const ir::Operand& s) { return s.kind == Kind::reg; });
    reg = source == sources.end() ? ir::no_register : source->index;
  }
  for (auto r = chain.rbegin(); r != chain.rend(); ++r) {
    const ir::InstructionId definition = definition_[*r];
    if (definition < many && only_result(body_, definition) == *r) bytes_[*r] = derive(definition);
    state_[*r] = State::done;
  }
}

// Copies, conversions of addresses, and addition and subtraction of a constant.
std::optional<VariableByte> MemorySlots::derive(ir::InstructionId instruction) const {
  const auto sources = body_.sources(instruction);
  const Computation what = computation(instruction);
  const bool stays_address =
      what == Computation::copy || what == Computation::to_generic || what == Computation::from_generic;
  if (stays_address && sources.size() == 1) return source_byte(sources[0]);
  const bool adds = what == Computation::add;
  if ((!adds && what != Computation::subtract) || sources.size() != 2) return std::nullopt;
  const bool swapped = adds && sources[0].kind == Kind::integer;
  const ir::Operand& base = sources[swapped ? 1 : 0];
  const ir::Operand& constant = sources[swapped ? 0 : 1];
  if (constant.kind != Kind::integer) return std::nullopt;
  auto byte = source_byte(base);
  if (!byte) return std::nullopt;
  const bool overflows = adds ? __builtin_add_overflow(byte->offset, constant.value, &byte->offset)
                              : __builtin_sub_overflow(byte->offset, constant.value, &byte->offset);
  return overflows ? std::nullopt : byte;
}

std::optional<VariableByte> MemorySlots::source_byte(const ir::Operand& operand) const {
  if (operand.kind == Kind::reg) return bytes_[operand.index];
  if (operand.kind != Kind::variable || !is_tracked(program_.variables[operand.index])) return std::nullopt;
  return VariableByte{operand.index, operand.value};
}

std::optional<VariableByte> MemorySlots::byte(const ir::Operand& address) const {
  if (address.kind != Kind::address || address.count != 1) return std::nullopt;
  auto result = source_byte(body_.elements(address).front());
  if (result && __builtin_add_overflow(result->offset, address.value, &result->offset)) return std::nullopt;
  return result;
}

// Every mention of a private variable, or of a register that points to one, has to be a load, a store or a derivation
// of such a register: otherwise the address is known elsewhere.
void MemorySlots::visit_instruction(ir::InstructionId index) {
  const Computation what = computation(index);
  has_stack_ = has_stack_ || what == Computation::allocate;
  const auto result = only_result(body_, index);
  const bool derives = result && bytes_[*result].has_value();
  const bool accesses = what == Computation::load || what == Computation::store;
  const auto sources = body_.sources(index);
  // The variables by which a call passes and gets back values.
  const auto is_passed = [&](const ir::Operand& operand) {
    return what == Computation::call && operand.kind == Kind::variable &&
           program_.variables[operand.index].space == ir::MemorySpace::parameter;
  };
  for (const ir::Operand& operand : body_.results(index)) {
    if (is_passed(operand)) changed_elsewhere_.insert(operand.index);
  }
  for (const ir::Operand& operand : sources) {
    const bool is_address = accesses && &operand == &sources.front();
    if (is_passed(operand)) {
      changed_elsewhere_.insert(operand.index);
      continue;
    }
    if (is_address) visit_access(index, operand);
    visit_use(operand, index, derives || is_address);
  }
}

void MemorySlots::visit_use(const ir::Operand& operand, ir::InstructionId user, bool is_allowed) {
  if (has_elements(operand)) {
    for (const ir::Operand& element : body_.elements(operand)) visit_use(element, user, is_allowed);
    return;
  }
  if (operand.kind == Kind::variable && is_private(program_.variables[operand.index]) && !is_allowed) {
    escaped_.insert(operand.index);
  }
  if (operand.kind != Kind::reg || !bytes_[operand.index]) return;
  // Before its definition a register may hold any address.
  const bool is_known = is_allowed && is_defined_before(operand.index, user);
  const ir::VariableId variable = bytes_[operand.index]->variable;
  if (!is_known && is_private(program_.variables[variable])) escaped_.insert(variable);
}

void MemorySlots::visit_access(ir::InstructionId index, const ir::Operand& address) {
  const auto target = byte(address);
  if (!target) return;
  const ir::Operation& operation = body_.operation(index);
  const int64_t bytes = operation.semantics.bits / 8;
  const ir::Variable& variable = program_.variables[target->variable];
  const bool right_space = operation.space == ir::MemorySpace::generic || operation.space == variable.space;
  const int64_t room = variable.bytes - operation.bytes;
  if (!right_space || target->offset < 0 || target->offset > room) {
    if (is_private(variable)) escaped_.insert(target->variable);
    return;
  }
  for (int64_t at = 0; at < operation.bytes; at += bytes) {
    accesses_[target->variable].insert({target->offset + at, bytes});
  }
}

// The only definition may be in code that is never executed.
bool MemorySlots::is_defined_before(ir::RegisterId reg, ir::InstructionId user) const {
  const ir::InstructionId definition = definition_[reg];
  return placement_.blocks[definition] != nullptr && placement_.dominates(definition, user);
}

// Accesses that overlap must be the same; a run of others stays in memory.
void MemorySlots::make_slots() {
  for (const auto& [variable, accesses] : accesses_) {
    if (escaped_.count(variable) > 0 || changed_elsewhere_.count(variable) > 0) continue;
    if (!is_private(program_.variables[variable])) continue;
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
  for (ir::InstructionId i = 0; i < body_.instructions.size(); ++i) {
    if (placement_.blocks[i] == nullptr || computation(i) != Computation::store) continue;
    for (const auto& written : accessed_slots(i)) {
      if (written) variables_[*written].writers.push_back(i);
    }
  }
}

std::vector<std::optional<uint32_t>> MemorySlots::accessed_slots(ir::InstructionId access) const {
  std::vector<std::optional<uint32_t>> result;
  const auto sources = body_.sources(access);
  const auto target = byte(sources[0]);
  if (!target) return result;
  const int64_t bytes = body_.operation(access).semantics.bits / 8;
  const ir::Operand& moved = computation(access) == Computation::load ? body_.results(access)[0] : sources[1];
  const auto count = static_cast<int64_t>(scalars(body_, moved).size());
  for (int64_t i = 0; i < count; ++i) result.push_back(slot({target->variable, target->offset + i * bytes}, bytes));
  return result;
}

std::optional<uint32_t> MemorySlots::slot(const VariableByte& byte, int64_t bytes) const {
  const auto found = slots_.find({byte.variable, byte.offset});
  if (found == slots_.end() || variables_[found->second].bits != static_cast<unsigned>(bytes * 8)) return std::nullopt;
  return found->second;
}

}  // namespace warpspan::lift
