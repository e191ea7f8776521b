// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/control_inputs.hpp"

#include <cstdint>

namespace warpspan::lift {

namespace {

class Finder {
 public:
  Finder(const ir::Body& body, const MemorySlots& slots)
      : body_(body),
        slots_(slots),
        writers_(body.kernel.registers),
        is_read_(body.kernel.registers),
        is_slot_read_(slots.slots().size()),
        found_(body.instructions.size()) {}

  std::vector<bool> run() {
    for (ir::InstructionId i = 0; i < body_.instructions.size(); ++i) {
      for_each_register(body_, i, [&](ir::RegisterId reg, ir::Use use) {
        if (use == ir::Use::written) writers_[reg].push_back(i);
      });
    }
    for (const ir::Block& block : body_.kernel.blocks) {
      if (block.count > 0 && block.transfer.kind != ir::Transfer::fallthrough) add(block.first + block.count - 1);
    }
    while (!work_.empty()) {
      const ir::InstructionId i = work_.back();
      work_.pop_back();
      add_inputs(i);
    }
    return std::move(found_);
  }

 private:
  void add(ir::InstructionId i) {
    if (found_[i]) return;
    found_[i] = true;
    work_.push_back(i);
  }

  void add_inputs(ir::InstructionId i) {
    for_each_register(body_, i, [&](ir::RegisterId reg, ir::Use use) {
      if (use == ir::Use::read) add_writers(is_read_, reg, writers_[reg]);
    });
    if (body_.operation(i).semantics.computation != ir::Computation::load) return;
    for (const auto& slot : slots_.accessed_slots(i)) {
      if (slot) add_writers(is_slot_read_, *slot, slots_.slots()[*slot].writers);
    }
  }

  void add_writers(std::vector<bool>& is_read, uint32_t id, const std::vector<ir::InstructionId>& writers) {
    if (is_read[id]) return;
    is_read[id] = true;
    for (const ir::InstructionId writer : writers) add(writer);
  }

  const ir::Body& body_;
  const MemorySlots& slots_;
  std::vector<std::vector<ir::InstructionId>> writers_;  // by register
  std::vector<bool> is_read_;                            // by register
  std::vector<bool> is_slot_read_;                       // by slot
  std::vector<bool> found_;                              // by instruction
  std::vector<ir::InstructionId> work_;
};

}  // namespace

std::vector<bool> find_control_inputs(const ir::Body& body, const MemorySlots& slots) {
  return Finder(body, slots).run();
}

}  // namespace warpspan::lift
