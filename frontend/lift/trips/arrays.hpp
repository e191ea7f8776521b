// How often a loop runs that goes through an array whose size the user gives.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace warpspan::lift {

// What is said of arrays, and of the instructions that access them.
struct ArraySizes {
  // The bytes of the array that begins at a value of the launch; nothing: none is given.
  std::function<std::optional<int64_t>(const llvm::Value& pointer)> bytes;
  // How many bytes each thread accesses that comes to a call of kind access; nothing: that is not known, or not each
  // does.
  std::function<std::optional<int64_t>(const llvm::Instruction& call)> accessed;
};

// The most times that the header runs each time the loop is entered, by the theorem in arrays.cpp, if no access leaves
// its array; nothing if no array of known size bounds it.
std::optional<int64_t> trips_by_arrays(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                       const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution,
                                       const ArraySizes& sizes);

}  // namespace warpspan::lift
