// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/registers.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <stdexcept>

namespace warpspan::lift {

namespace {

constexpr ir::InstructionId none = UINT32_MAX;
constexpr ir::InstructionId many = none - 1;

// Calls visit(instruction, register, use) for every register of every instruction that is lifted.
template <typename Visit>
void for_each_use(const ir::Body& body, const Placement& placement, const Visit& visit) {
  for (ir::InstructionId i = 0; i < body.instructions.size(); ++i) {
    if (placement.blocks[i] == nullptr) continue;
    for_each_register(body, i, [&](ir::RegisterId id, ir::Use use) { visit(i, id, use); });
  }
}

}  // namespace

Registers::Registers(const ir::Body& body, const std::vector<SlotVariable>& slots, const Placement& placement,
                     Emitter& emitter)
    : emitter_(emitter),
      dominators_(*placement.dominators),
      bits_(body.kernel.register_bits.begin(), body.kernel.register_bits.end()) {
  for (const SlotVariable& slot : slots) bits_.push_back(slot.bits);
  dominators_.updateDFSNumbers();
  is_constant_.assign(bits_.size(), false);
  constants_.assign(bits_.size(), nullptr);
  unset_.assign(bits_.size(), nullptr);
  find_constants(body, placement);
  find_sites(body, slots, placement);
}

void Registers::find_constants(const ir::Body& body, const Placement& placement) {
  std::vector<ir::InstructionId> definition(body.kernel.registers, none);
  for_each_use(body, placement, [&](ir::InstructionId i, ir::RegisterId id, ir::Use use) {
    if (use == ir::Use::read) return;
    const bool is_plain = definition[id] == none && body.instructions[i].guard == ir::no_register;
    definition[id] = is_plain ? i : many;
  });
  for (ir::RegisterId id = 0; id < body.kernel.registers; ++id) is_constant_[id] = definition[id] < many;
  for_each_use(body, placement, [&](ir::InstructionId i, ir::RegisterId id, ir::Use use) {
    if (use == ir::Use::written || !is_constant_[id]) return;
    if (!placement.dominates(definition[id], i)) is_constant_[id] = false;
  });
}

void Registers::find_sites(const ir::Body& body, const std::vector<SlotVariable>& slots, const Placement& placement) {
  for_each_use(body, placement, [&](ir::InstructionId i, ir::RegisterId id, ir::Use use) {
    if (use == ir::Use::written && !is_constant_[id]) add_writer(id, *placement.blocks[i]);
  });
  for (uint32_t slot = 0; slot < slots.size(); ++slot) {
    for (const ir::InstructionId writer : slots[slot].writers) {
      add_writer(body.kernel.registers + slot, *placement.blocks[writer]);
    }
  }
  if (sites_.empty()) return;
  const Frontiers frontiers = find_frontiers(*dominators_.getRoot()->getParent());
  for (auto& [id, sites] : sites_) {
    add_merges(sites, frontiers);
    nest(sites);
  }
}

void Registers::add_writer(uint32_t id, llvm::BasicBlock& block) {
  Site& site = sites_[id][number(block)];
  site.block = &block;
  site.is_written = true;
}

// The dominance frontier of each block: where paths that need not lead through the block join those that do. K. Cooper,
// T. Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm, 2001.
Registers::Frontiers Registers::find_frontiers(llvm::Function& function) const {
  Frontiers frontiers;
  for (llvm::BasicBlock& block : function) {
    const auto* node = dominators_.getNode(&block);
    if (node == nullptr || !llvm::hasNItemsOrMore(llvm::predecessors(&block), 2)) continue;
    for (llvm::BasicBlock* from : llvm::predecessors(&block)) {
      for (const auto* runner = dominators_.getNode(from); runner != node->getIDom(); runner = runner->getIDom()) {
        std::vector<llvm::BasicBlock*>& frontier = frontiers[runner->getBlock()];
        if (!frontier.empty() && frontier.back() == &block) break;  // and so those above it
        frontier.push_back(&block);
      }
    }
  }
  return frontiers;
}

void Registers::add_merges(Sites& sites, const Frontiers& frontiers) const {
  std::vector<const llvm::BasicBlock*> work;
  for (const auto& [in, site] : sites) work.push_back(site.block);
  while (!work.empty()) {
    const auto frontier = frontiers.find(work.back());
    work.pop_back();
    if (frontier == frontiers.end()) continue;
    for (llvm::BasicBlock* merge : frontier->second) {
      Site& site = sites[number(*merge)];
      if (site.block == nullptr) work.push_back(merge);
      site.block = merge;
      site.is_merge = true;
    }
  }
}

// In the order of their numbers dominators come first, and what a block dominates follows it at once.
void Registers::nest(Sites& sites) const {
  Site* last = nullptr;
  for (auto& [in, site] : sites) {
    while (last != nullptr && !dominators_.dominates(last->block, site.block)) last = last->around;
    site.around = last;
    last = &site;
  }
}

// The last site before or at the end of the block; null if there is none on any path to it.
Registers::Site* Registers::nearest(const llvm::BasicBlock& block, uint32_t id) {
  const auto sites = sites_.find(id);
  if (sites == sites_.end()) return nullptr;
  auto after = sites->second.upper_bound(number(block));
  if (after == sites->second.begin()) return nullptr;
  Site* site = &std::prev(after)->second;
  while (site != nullptr && !dominators_.dominates(site->block, &block)) site = site->around;
  return site;
}

llvm::Value* Registers::read(uint32_t id) {
  if (is_constant_[id]) return constants_[id] == nullptr ? unset(id) : constants_[id];
  return at_end(*emitter_.ir.GetInsertBlock(), id);
}

void Registers::write(uint32_t id, llvm::Value* value) {
  if (is_constant_[id]) {
    constants_[id] = value;
    return;
  }
  const llvm::BasicBlock& block = *emitter_.ir.GetInsertBlock();
  Site* site = nearest(block, id);
  if (site == nullptr || site->block != &block || !site->is_written) {
    throw std::logic_error("a register is written by an instruction that does not name it");
  }
  site->end = value;
}

// The value after what has been lifted of a block.
llvm::Value* Registers::at_end(const llvm::BasicBlock& block, uint32_t id) {
  for (Site* site = nearest(block, id); site != nullptr; site = site->around) {
    if (site->end != nullptr) return site->end;
    if (site->is_merge) return site->end = phi(*site, id);
  }
  return unset(id);
}

llvm::Value* Registers::phi(Site& site, uint32_t id) {
  auto* made = llvm::PHINode::Create(emitter_.type(bits_[id]), llvm::pred_size(site.block), "", site.block->begin());
  incomplete_.emplace_back(made, id);
  return made;
}

// Registers are not set when the body starts.
llvm::Value* Registers::unset(uint32_t id) {
  if (unset_[id] == nullptr) unset_[id] = emitter_.opaque_at_entry(bits_[id]);
  return unset_[id];
}

void Registers::complete() {
  while (!incomplete_.empty()) {
    const auto [made, id] = incomplete_.back();
    incomplete_.pop_back();
    for (llvm::BasicBlock* from : llvm::predecessors(made->getParent())) made->addIncoming(at_end(*from, id), from);
  }
}

}  // namespace warpspan::lift
