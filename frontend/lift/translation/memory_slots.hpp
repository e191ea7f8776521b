// SPDX-License-Identifier: GPL-3.0-or-later
// Which accesses go to known addresses of a thread's own variables (local memory, and parameters of calls), so that
// they can be lifted as reads and writes of registers. Code compiled without optimization keeps its loop counters
// there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "frontend/lift/translation/placement.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// A byte of a variable.
struct VariableByte {
  ir::VariableId variable = 0;
  int64_t offset = 0;
};

using VariableSet = std::set<ir::VariableId>;

// The private variables that more than one of the bodies mentions.
VariableSet find_common_variables(const ir::Program& program);

// A variable that is lifted like a register, and the instructions that write it.
struct SlotVariable {
  unsigned bits = 0;
  std::vector<ir::InstructionId> writers;
};

class MemorySlots {
 public:
  // Other code may change `changed_elsewhere`.
  MemorySlots(const ir::Program& program, const ir::Body& body, const VariableSet& changed_elsewhere,
              const Placement& placement);

  // Where an address operand points to, if that is a known byte of a private variable or a kernel parameter: the
  // variable itself, or a register whose only definition adds constants to such an address.
  std::optional<VariableByte> byte(const ir::Operand& address) const;

  // The slot that an access of `bytes` bytes there reads or writes; nothing if the variable's address may be known
  // elsewhere, if a call that is not inlined passes it or gets it back, or if other accesses overlap it in part.
  std::optional<uint32_t> slot(const VariableByte& byte, int64_t bytes) const;
  // The slot that each element of a load comes from or of a store goes to; empty if it is not known where that is.
  std::vector<std::optional<uint32_t>> accessed_slots(ir::InstructionId access) const;
  // Whether there may be addresses of private memory that byte() does not know.
  bool has_unknown_pointers() const { return !escaped_.empty() || has_stack_; }
  const std::vector<SlotVariable>& slots() const { return variables_; }

 private:
  enum class State : uint8_t { unvisited, active, done };

  void find_definitions();
  void resolve(ir::RegisterId reg);
  std::optional<VariableByte> derive(ir::InstructionId instruction) const;
  std::optional<VariableByte> source_byte(const ir::Operand& operand) const;
  void visit_instruction(ir::InstructionId index);
  void visit_use(const ir::Operand& operand, ir::InstructionId user, bool is_allowed);
  void visit_access(ir::InstructionId index, const ir::Operand& address);
  bool is_defined_before(ir::RegisterId reg, ir::InstructionId user) const;
  void make_slots();
  void find_writers();
  ir::Computation computation(ir::InstructionId i) const { return body_.operation(i).semantics.computation; }
  bool is_tracked(const ir::Variable& variable) const { return is_private(variable) || is_kernel_parameter(variable); }

  const ir::Program& program_;
  const ir::Body& body_;
  const Placement& placement_;
  std::vector<ir::InstructionId> definition_;  // of a register: its only one, or none, or `many`
  std::vector<State> state_;
  std::vector<std::optional<VariableByte>> bytes_;
  VariableSet escaped_;  // their addresses may be known elsewhere
  VariableSet changed_elsewhere_;
  bool has_stack_ = false;
  std::map<ir::VariableId, std::set<std::pair<int64_t, int64_t>>> accesses_;  // (offset, bytes)
  std::map<std::pair<ir::VariableId, int64_t>, uint32_t> slots_;              // (variable, offset)
  std::vector<SlotVariable> variables_;                                       // by slot
};

}  // namespace warpspan::lift
