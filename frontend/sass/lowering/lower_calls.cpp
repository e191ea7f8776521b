// SPDX-License-Identifier: GPL-3.0-or-later
// What functions that are called give back, and instructions of which nothing is known.
#include <algorithm>

#include "frontend/sass/lowering/lowering.hpp"

namespace warpspan::sass {

void InstructionLowering::begin_copy(uint32_t copy, const std::vector<ir::RegisterId>& original) {
  steps_.set_guard({});
  const auto note = [&](auto& into, ir::RegisterId reg, ir::RegisterId from, uint16_t bits) {
    const auto [known, fresh] = into.emplace(std::make_pair(copy, reg), 0);
    if (fresh) known->second = steps_.temporary(bits);
    steps_.set_always(known->second, value_of(from));
  };
  for (const ir::RegisterId reg : original) {
    note(originals_, reg, reg, 32);
    const auto pair = pairs_.find(reg);
    if (pair != pairs_.end() && std::binary_search(original.begin(), original.end(), reg + 1)) {
      note(original_pairs_, reg, pair->second, 64);
    }
  }
}

bool InstructionLowering::is_given_back(ir::RegisterId reg, uint32_t copy, ir::RegisterId original) const {
  const auto found = given_back_.find(reg);
  return found != given_back_.end() && found->second.copy == copy && found->second.original == original &&
         found->second.version == versions_[reg];
}

// Two registers that contain both halves of what two contained contain it as a whole.
void InstructionLowering::give_back(uint32_t copy, const RestoredValue& value) {
  steps_.set_guard({});
  steps_.set_always(value.reg, value_of(originals_.at({copy, value.original})));
  given_back_[value.reg] = {copy, value.original, versions_[value.reg]};
  for (const ir::RegisterId low : {value.reg, value.reg - 1}) {
    const auto pair = pairs_.find(low);
    if (pair == pairs_.end() || low >= first_uniform) continue;
    const ir::RegisterId original = value.original - (value.reg - low);
    const auto whole = original_pairs_.find({copy, original});
    const bool both = is_given_back(low, copy, original) && is_given_back(low + 1, copy, original + 1);
    steps_.set_always(pair->second, both && whole != original_pairs_.end()
                                        ? value_of(whole->second)
                                        : steps_.combine(value_of(low), value_of(low + 1)));
  }
}

// It may have accessed any memory, and left anything in any register.
// A function that is not in the file: it leaves anything in the registers that it does not restore.
void InstructionLowering::lower_outside_call(const ir::CallTime& time) {
  ir::Operation operation;
  operation.kind = ir::OperationKind::call;
  operation.call_time = time;
  std::vector<ir::Operand> results;
  const RegisterSet changed = changed_by_call();
  for (const ir::RegisterId reg : registers_of(changed)) results.push_back(value_of(reg));
  steps_.add_step(std::move(operation), {}, results);
  note_writes(changed);
  begin_block();
  written_pairs_.clear();
  update_pairs(changed);
}

void InstructionLowering::lower_unknown(const Instruction& instruction) {
  ir::Semantics anything;
  anything.bits = 64;
  const ir::Operand place = value_of(steps_.temporary(64));
  ir::Operation origin;
  origin.semantics = anything;
  steps_.add_step(std::move(origin), {}, {place});
  ir::Operation operation;
  operation.kind = unknown_kind;
  operation.space = ir::MemorySpace::generic;
  operation.bytes = widest_access;
  std::vector<ir::Operand> results;
  const RegisterSet written = writes(instruction);
  for (const ir::RegisterId reg : registers_of(written)) results.push_back(value_of(reg));
  steps_.add_step(std::move(operation), {steps_.address(place, 0)}, results);
  note_writes(written);
  begin_block();
  written_pairs_.clear();
  update_pairs(written);
}

}  // namespace warpspan::sass
