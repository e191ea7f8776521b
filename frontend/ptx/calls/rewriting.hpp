// SPDX-License-Identifier: GPL-3.0-or-later
// What passes that rewrite a function need: its instructions are made anew, and its labels follow them.
#pragma once

#include <vector>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::ptx {

// A new register without a name.
uint32_t add_register(Function& function, Type type);

class Rewriting {
 public:
  // Takes the function's instructions; all but those that are put back are lost.
  Rewriting(Module& module, Function& function)
      : module_(module),
        function_(function),
        old_(std::move(function.instructions)),
        old_labels_(function.labels.size()) {
    function_.instructions.clear();
  }

 protected:
  uint32_t next() const { return static_cast<uint32_t>(function_.instructions.size()); }
  // Where the old instructions, and the end, are now.
  void move_labels(const std::vector<uint32_t>& places);

  uint32_t add_register(Type type) { return ptx::add_register(function_, type); }
  uint32_t add_label(uint32_t offset);
  static Operand reg(uint32_t index, Type type, Role role);
  // Adds an instruction at the place of another, without its guard.
  Instruction& emit(const Instruction& origin, const Form* form, const std::vector<Operand>& operands);
  Instruction& emit_branch(const Instruction& origin, uint32_t label);

  Module& module_;
  Function& function_;
  std::vector<Instruction> old_;

 private:
  void sort_labels();

  size_t old_labels_;
};

}  // namespace warpspan::ptx
