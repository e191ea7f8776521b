// SPDX-License-Identifier: GPL-3.0-or-later
// Which values are the same for all lanes of a warp, all threads of a block, or one thread of each block, and which
// branches all of them take together.
//
// LLVM's own analysis (19.1.7) is not used: it misses phis where paths of several blocks join (llvm-project issue
// 137277) and lanes that leave a loop by its header in different iterations. The theorem and its proof open
// uniformity.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include <memory>
#include <vector>

namespace warpspan::lift {

using ValueSet = llvm::DenseSet<const llvm::Value*>;
// Where lanes that diverge at the end of a block reconverge (ir::Body::ReconvergencePoint); `block` may be null.
struct ReconvergencePoint {
  const llvm::BasicBlock* block = nullptr;
  std::vector<const llvm::BasicBlock*> earlier;
};
// By block that ends in a branch. Of blocks that are not there it is the immediate post-dominator.
using ReconvergencePoints = llvm::DenseMap<const llvm::BasicBlock*, ReconvergencePoint>;

class Uniformity {
 public:
  // Among whom. The threads of a block do not execute together; what is uniform for them would be if they did, as the
  // lanes of one warp. They do pass the same blocks as often, and what a block reads of memory is uniform for none.
  // Nor do the blocks of a grid, of each of which one thread in the same position is meant; of these it is taken that
  // what they read at the same address is the same.
  enum class Scope : uint8_t { warp, block, grid };

  // `uniform` are values known from elsewhere to be the same for all lanes, `sources` others that differ. What
  // they refer to, and the points, are used no longer after this. No loop of the function has a second entry; each has
  // one edge that enters it and one that goes back (normalize_loops).
  Uniformity(const llvm::Function& function, const llvm::LoopInfo& loops, const ValueSet& uniform,
             Scope scope = Scope::warp, const ReconvergencePoints& points = ReconvergencePoints(),
             const ValueSet& sources = {});
  ~Uniformity();
  Uniformity(Uniformity&&) noexcept;
  Uniformity& operator=(Uniformity&&) noexcept;

  // Where the value is defined: all lanes that execute the definition together get the same.
  bool is_uniform(const llvm::Value& value) const;
  // The same for a value where it is used: also, is_same_execution, or of all that it is computed from.
  bool is_uniform_use(const llvm::Use& use) const;
  // Whether all lanes that are at a use together have the value from the same execution of its definition: lanes that
  // have left a loop in different iterations have not.
  bool is_same_execution(const llvm::Use& use) const;
  // The same for a value as if the instruction, which its definition dominates, used it.
  bool is_same_execution(const llvm::Value& value, const llvm::Instruction& user) const;
  // Whether lanes that come from different blocks can be at a phi together.
  bool is_reconvergence(const llvm::PHINode& phi) const;
  // Whether a value that threads read of their own memory counts as the same in all lanes: that rests on what they have
  // not written there being the same.
  bool relies_on_own_memory() const;
  // Whether lanes that are at the end of the block together may take different successors.
  bool is_divergent_branch(const llvm::BasicBlock& block) const;

 private:
  class Propagation;
  std::unique_ptr<Propagation> propagation_;
};

}  // namespace warpspan::lift
