// Which accesses go to known places of a thread's own variables (.local, and .param inside functions), so that they can
// be lifted as reads and writes of registers. Code compiled without optimisation keeps its loop counters there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "frontend/lift/placement.hpp"
#include "frontend/ptx/ast.hpp"

namespace warpspan::lift {

// A byte of a variable.
struct Place {
  uint32_t variable = ptx::none;  // in Module::variables
  int64_t offset = 0;
};

// Whether a variable is a parameter of the kernel itself (and not one of a call).
bool is_kernel_parameter(const ptx::Module& module, uint32_t variable);
// Whether a variable belongs to one thread: .local, or a .param of a call.
bool is_private(const ptx::Module& module, uint32_t variable);

using VariableSet = std::set<uint32_t>;  // indices into Module::variables

// The private variables that more than one of the bodies mentions.
VariableSet find_common_variables(const ptx::Module& module, const std::vector<const ptx::Function*>& bodies);

// A variable that is lifted like a register, and the instructions that write it.
struct SlotVariable {
  unsigned bits = 0;
  std::vector<uint32_t> writers;
};

class MemorySlots {
 public:
  // Other code may change `changed_elsewhere`.
  MemorySlots(const ptx::Module& module, const ptx::Function& function, const VariableSet& changed_elsewhere,
              const Placement& placement);

  // Where an address operand points to, if that is a known byte of a private variable or a kernel parameter: the
  // variable itself, or a register whose only definition adds constants to such an address.
  std::optional<Place> place(const ptx::Operand& address) const;

  // The slot that an access of `bytes` bytes there reads or writes; nothing if the variable's address may be known
  // elsewhere, if a call that is not in line passes it or gets it back, or if other accesses overlap it in part.
  std::optional<uint32_t> slot(const Place& place, int64_t bytes) const;
  // The slot that each element of a store goes to; empty if it is not known where it goes.
  std::vector<std::optional<uint32_t>> stored_slots(const ptx::Instruction& store) const;
  // Whether there may be addresses of private memory that place() does not know.
  bool has_unknown_pointers() const { return !escaped_.empty() || has_stack_; }
  const std::vector<SlotVariable>& slots() const { return variables_; }

 private:
  enum class State : uint8_t { unvisited, active, done };

  void find_definitions();
  std::optional<Place> resolve(uint32_t reg);
  std::optional<Place> derive(const ptx::Instruction& instruction);
  std::optional<Place> source_place(const ptx::Operand& operand);
  void visit_instruction(uint32_t index);
  void visit_use(const ptx::Operand& operand, uint32_t user, bool is_allowed);
  void visit_access(const ptx::Instruction& instruction, const ptx::Operand& address);
  bool is_defined_before(uint32_t reg, uint32_t user) const;
  void make_slots();
  void find_writers();

  const ptx::Module& module_;
  const ptx::Function& function_;
  const Placement& placement_;
  std::vector<uint32_t> definition_;  // of a register: its only one, or none, or `many`
  std::vector<State> state_;
  std::vector<std::optional<Place>> places_;
  VariableSet escaped_;  // their addresses may be known elsewhere
  VariableSet changed_elsewhere_;
  bool has_stack_ = false;
  std::map<uint32_t, std::set<std::pair<int64_t, int64_t>>> accesses_;  // variable -> (offset, bytes)
  std::map<std::pair<uint32_t, int64_t>, uint32_t> slots_;              // (variable, offset)
  std::vector<SlotVariable> variables_;                                 // by slot
};

}  // namespace warpspan::lift
