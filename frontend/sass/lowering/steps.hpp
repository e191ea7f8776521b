// SPDX-License-Identifier: GPL-3.0-or-later
// Writes down what machine instructions compute, as instructions of an ir::Body: a machine instruction becomes as many
// as it takes, with temporary registers between them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "ir/program.hpp"

namespace warpspan::sass {

ir::Operand value_of(ir::RegisterId reg);
ir::Operand number(int64_t value);
ir::Operand special(ir::SpecialValue which, uint8_t component = 0);
// Of a computation whose result follows from its operands.
ir::Semantics pure(ir::Computation computation, uint16_t bits, bool is_signed = false);

struct StepGuard {
  ir::RegisterId predicate = ir::no_register;
  bool negated = false;
};

class Steps {
 public:
  // Registers below `registers` are the machine's.
  Steps(ir::Body& body, std::vector<uint16_t> register_bits);

  // All that is written from now on is part of one machine instruction.
  void begin(const std::string& text, uint32_t line, uint32_t offset, StepGuard guard);
  const StepGuard& guard() const { return guard_; }
  void set_guard(StepGuard guard) { guard_ = guard; }

  ir::RegisterId temporary(uint16_t bits);

  // The result of a computation in a new register of so many bits, to be used only where the guard is true.
  ir::Operand compute(const ir::Semantics& semantics, uint16_t result_bits, const std::vector<ir::Operand>& sources);
  ir::Operand add(const ir::Operand& a, const ir::Operand& b, uint16_t bits);
  ir::Operand combine(const ir::Operand& low, const ir::Operand& high);  // to 64 bits
  ir::Operand extend(const ir::Operand& low, bool is_signed);            // 32 to 64 bits
  ir::Operand low_of(const ir::Operand& wide);
  ir::Operand high_of(const ir::Operand& wide);

  // Copies a value into a register of the machine where the guard is true, or always.
  void set(ir::RegisterId result, const ir::Operand& value);
  void set_always(ir::RegisterId result, const ir::Operand& value);

  // A step as it is given, where the guard is true.
  void add_step(ir::Operation operation, const std::vector<ir::Operand>& sources,
                const std::vector<ir::Operand>& results);
  // The same, guarded by another condition: how control leaves a block.
  void add_step(ir::Operation operation, const std::vector<ir::Operand>& sources,
                const std::vector<ir::Operand>& results, StepGuard guard);

  // Operands with elements.
  ir::Operand vector(const std::vector<ir::Operand>& elements);
  ir::Operand address(const ir::Operand& base, int64_t offset);

  const std::string& text() const { return text_; }

 private:
  ir::Operand with_elements(ir::Operand::Kind kind, const std::vector<ir::Operand>& elements);
  uint16_t bits(const ir::Operand& operand) const;

  ir::Body& body_;
  std::string text_;
  uint32_t line_ = 0;
  uint32_t offset_ = 0;  // in the text of the listing
  StepGuard guard_;
};

}  // namespace warpspan::sass
