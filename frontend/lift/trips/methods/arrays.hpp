// How often a loop runs that goes through an array whose size is known.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace warpspan::lift {

// What is said of arrays, and of the instructions that access them.
struct ArraySizes {
  // The bytes of the array that begins at a value of the launch; nothing: none is given.
  std::function<std::optional<int64_t>(const llvm::Value& pointer)> bytes;
  // How many bytes behind its first operand each thread accesses that comes to an instruction; nothing: it is no
  // access, that is not known, or not each does.
  std::function<std::optional<int64_t>(const llvm::Instruction& instruction)> accessed;
  // Whether arrays may begin at a value of the launch.
  std::function<bool(const llvm::Value& value)> is_beginning;
  // Whether a value only makes addresses of a state space generic ones.
  std::function<bool(const llvm::Value& value)> is_window = [](const llvm::Value&) { return false; };
  bool are_extended = false;  // whether one of fewer bits may stand for its number
};

struct ArrayTrips {
  // The most times that the header runs each time the loop is entered, by the theorem in arrays.cpp, if no access
  // leaves its array.
  int64_t most = 1;
  const llvm::Value* array = nullptr;  // where that begins which bounds it
};

// Nothing if no array of known size bounds it.
std::optional<ArrayTrips> trips_by_arrays(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                          const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution,
                                          const ArraySizes& sizes);

// The values of the launch at which the arrays begin that would bound it if their sizes were given, whatever is given.
std::vector<const llvm::Value*> arrays_that_bound(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                                  const llvm::DominatorTree& dominators,
                                                  llvm::ScalarEvolution& evolution, const ArraySizes& sizes);

}  // namespace warpspan::lift
