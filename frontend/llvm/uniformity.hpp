// Which values are the same for all lanes of a warp, and which branches all its lanes take together.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

#include <memory>

namespace warpspan::lift {

using ValueSet = llvm::DenseSet<const llvm::Value*>;

class Uniformity {
 public:
  // `uniform` are values known from elsewhere to be the same for all lanes. They are used no longer after this.
  Uniformity(llvm::Function& function, const ValueSet& uniform);
  ~Uniformity();
  Uniformity(Uniformity&&) noexcept;
  Uniformity& operator=(Uniformity&&) noexcept;

  // Where the value is defined: all lanes that are there together have the same.
  bool is_uniform(const llvm::Value& value) const;
  // The same for a value where it is used: lanes that have left a loop in different iterations bring different values.
  bool is_uniform_use(const llvm::Use& use) const;
  // Whether lanes that are at the end of the block together may go different ways.
  bool is_divergent_branch(const llvm::BasicBlock& block) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpspan::lift
