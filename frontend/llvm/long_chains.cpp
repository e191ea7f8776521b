#include "frontend/llvm/long_chains.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "frontend/llvm/emitter.hpp"

namespace warpspan::lift {

namespace {

constexpr unsigned longest_chain = 300;
constexpr unsigned weight_of_counter = 8;  // how loops depend on earlier loops costs more time than other arithmetic

class Cutter {
 public:
  explicit Cutter(llvm::Function& function) : function_(function) {}

  void run() {
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
      for (auto next = block->begin(); next != block->end();) {
        llvm::Instruction& instruction = *next++;
        if (instruction.getType()->isIntegerTy()) visit(instruction);
      }
      seen_.insert(block);
      for (llvm::BasicBlock* successor : llvm::successors(block)) {
        if (seen_.count(successor) > 0) raise_counters(*successor, *block);
      }
    }
  }

 private:
  void visit(llvm::Instruction& instruction) {
    if (call_kind(instruction) != CallKind::none) return;
    unsigned length = 0;
    for (const llvm::Value* operand : instruction.operand_values()) length = std::max(length, length_.lookup(operand));
    length_[&instruction] = length + weight(instruction);
    if (length >= longest_chain) cut(instruction);
  }

  unsigned weight(const llvm::Instruction& instruction) const {
    const auto is_later = [this](const llvm::BasicBlock* block) { return seen_.count(block) == 0; };
    const bool is_counter =
        llvm::isa<llvm::PHINode>(instruction) && llvm::any_of(llvm::predecessors(instruction.getParent()), is_later);
    return is_counter ? weight_of_counter : 1;
  }

  void cut(llvm::Instruction& instruction) {
    llvm::BasicBlock& block = *instruction.getParent();
    const auto place =
        llvm::isa<llvm::PHINode>(instruction) ? block.getFirstInsertionPt() : std::next(instruction.getIterator());
    llvm::CallInst* same = make_same(instruction, place);
    instruction.replaceUsesWithIf(same, [same](const llvm::Use& use) noexcept { return use.getUser() != same; });
  }

  // A loop's counter depends on all that its next value depends on, for those who read it after the loop.
  void raise_counters(llvm::BasicBlock& header, const llvm::BasicBlock& latch) {
    for (llvm::PHINode& phi : header.phis()) {
      const unsigned length = length_.lookup(phi.getIncomingValueForBlock(&latch)) + 1;
      length_[&phi] = std::max(length_[&phi], length);
    }
  }

  llvm::Function& function_;
  llvm::DenseSet<const llvm::BasicBlock*> seen_;
  llvm::DenseMap<const llvm::Value*, unsigned> length_;
};

}  // namespace

void cut_long_chains(llvm::Function& function) { Cutter(function).run(); }

}  // namespace warpspan::lift
