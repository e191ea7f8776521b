#include "frontend/llvm/registers.hpp"

#include "frontend/llvm/operands.hpp"

namespace warpspan::lift {

namespace {

constexpr uint32_t nowhere = UINT32_MAX;

}  // namespace

Registers::Registers(const ptx::Function& function, const ir::Kernel& kernel, const std::vector<bool>& reachable,
                     const std::vector<unsigned>& memory_widths, Emitter& emitter)
    : emitter_(emitter) {
  find_widths(function, memory_widths);
  const size_t count = bits_.size();
  outlives_.assign(count, false);
  find_outliving(function, kernel, reachable);
  std::fill(outlives_.begin() + static_cast<ptrdiff_t>(function.registers), outlives_.end(), true);
  place_.assign(count, nullptr);
  value_.assign(count, nullptr);
  valid_in_.assign(count, nowhere);
  is_written_.assign(count, false);
  for (uint32_t id = 0; id < count; ++id) {
    if (outlives_[id] && bits_[id] > 0) place_[id] = emitter_.variable(bits_[id]);
  }
}

void Registers::find_widths(const ptx::Function& function, const std::vector<unsigned>& memory_widths) {
  bits_.assign(function.registers, 0);
  for (const ptx::RegisterRange& range : function.register_ranges) {
    const uint32_t end = range.first + range.count * range.vector_size;
    for (uint32_t id = range.first; id < end; ++id) bits_[id] = static_cast<unsigned>(ptx::bits(range.type));
  }
  bits_.insert(bits_.end(), memory_widths.begin(), memory_widths.end());
}

// A register needs a place if it is used in several blocks, or if its one block may read it before writing it.
void Registers::find_outliving(const ptx::Function& function, const ir::Kernel& kernel,
                               const std::vector<bool>& reachable) {
  std::vector<uint32_t> home(function.registers, nowhere);
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (!reachable[b]) continue;
    const ir::Block& block = kernel.blocks[b];
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      const ptx::Instruction& instruction = function.instructions[i];
      for_each_register(function, instruction, [&](uint32_t id, ptx::Role role) {
        const bool defines = role == ptx::Role::write && instruction.guard == ptx::none;
        if (home[id] == nowhere && defines) home[id] = b;
        if (home[id] != b) outlives_[id] = true;
      });
    }
  }
}

llvm::Value* Registers::read(uint32_t id) {
  if (valid_in_[id] != block_) {
    if (place_[id] == nullptr) return nullptr;
    value_[id] = emitter_.ir.CreateLoad(emitter_.type(bits_[id]), place_[id]);
    valid_in_[id] = block_;
  }
  return value_[id];
}

void Registers::write(uint32_t id, llvm::Value* value) {
  value_[id] = value;
  valid_in_[id] = block_;
  if (!outlives_[id] || is_written_[id]) return;
  is_written_[id] = true;
  written_.push_back(id);
}

void Registers::end_block() {
  for (const uint32_t id : written_) {
    emitter_.ir.CreateStore(value_[id], place_[id]);
    is_written_[id] = false;
  }
  written_.clear();
  ++block_;
}

std::vector<llvm::AllocaInst*> Registers::places() const {
  std::vector<llvm::AllocaInst*> result;
  for (llvm::AllocaInst* place : place_) {
    if (place != nullptr) result.push_back(place);
  }
  return result;
}

}  // namespace warpspan::lift
