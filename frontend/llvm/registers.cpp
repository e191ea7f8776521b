#include "frontend/llvm/registers.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include "frontend/llvm/operands.hpp"

namespace warpspan::lift {

namespace {

constexpr uint32_t many = ptx::none - 1;

}  // namespace

Registers::Registers(const ptx::Function& function, const std::vector<unsigned>& slot_widths,
                     const std::vector<bool>& is_lifted, const Dominates& dominates, Emitter& emitter)
    : emitter_(emitter) {
  find_widths(function, slot_widths);
  is_constant_.assign(bits_.size(), false);
  constants_.assign(bits_.size(), nullptr);
  find_constants(function, is_lifted, dominates);
}

void Registers::find_widths(const ptx::Function& function, const std::vector<unsigned>& slot_widths) {
  bits_.assign(function.registers, 0);
  for (const ptx::RegisterRange& range : function.register_ranges) {
    const uint32_t end = range.first + range.count * range.vector_size;
    for (uint32_t id = range.first; id < end; ++id) bits_[id] = static_cast<unsigned>(ptx::bits(range.type));
  }
  bits_.insert(bits_.end(), slot_widths.begin(), slot_widths.end());
}

void Registers::find_constants(const ptx::Function& function, const std::vector<bool>& is_lifted,
                               const Dominates& dominates) {
  std::vector<uint32_t> definition(function.registers, ptx::none);
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    for_each_register(function, instruction, [&](uint32_t id, ptx::Role role) {
      if (!is_lifted[i] || role == ptx::Role::read || role == ptx::Role::address) return;
      const bool is_plain = definition[id] == ptx::none && role == ptx::Role::write && instruction.guard == ptx::none;
      definition[id] = is_plain ? i : many;
    });
  }
  for (uint32_t id = 0; id < function.registers; ++id) is_constant_[id] = definition[id] < many;
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    for_each_register(function, function.instructions[i], [&](uint32_t id, ptx::Role role) {
      if (!is_lifted[i] || role == ptx::Role::write || !is_constant_[id]) return;
      if (!dominates(definition[id], i)) is_constant_[id] = false;
    });
  }
}

llvm::Value* Registers::read(uint32_t id) {
  if (is_constant_[id]) {
    if (constants_[id] == nullptr) constants_[id] = emitter_.opaque_at_entry(bits_[id]);
    return constants_[id];
  }
  return at_end(*emitter_.ir.GetInsertBlock(), id);
}

void Registers::write(uint32_t id, llvm::Value* value) {
  if (is_constant_[id]) {
    constants_[id] = value;
  } else {
    values_[{emitter_.ir.GetInsertBlock(), id}] = value;
  }
}

// The value after what has been lifted of a block.
llvm::Value* Registers::at_end(llvm::BasicBlock& block, uint32_t id) {
  const auto known = values_.find({&block, id});
  return known != values_.end() ? known->second : values_[{&block, id}] = at_start(block, id);
}

// Registers are not set when the kernel starts.
llvm::Value* Registers::at_start(llvm::BasicBlock& block, uint32_t id) {
  if (block.isEntryBlock()) return emitter_.opaque_at_entry(bits_[id]);
  auto* phi = llvm::PHINode::Create(emitter_.type(bits_[id]), llvm::pred_size(&block), "", block.begin());
  incomplete_.emplace_back(phi, id);
  return phi;
}

void Registers::complete() {
  while (!incomplete_.empty()) {
    const auto [phi, id] = incomplete_.back();
    incomplete_.pop_back();
    for (llvm::BasicBlock* from : llvm::predecessors(phi->getParent())) phi->addIncoming(at_end(*from, id), from);
  }
}

}  // namespace warpspan::lift
