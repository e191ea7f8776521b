// How often loops run, by scalar evolution.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace warpspan::lift {

// A bound of the times a loop's header runs each time the loop is entered.
struct TripBound {
  int64_t count = 1;
  bool is_exact = false;
};

class TripCounts {
 public:
  TripCounts(llvm::Function& function, llvm::DominatorTree& dominators, llvm::LoopInfo& loops);
  ~TripCounts();

  // Nothing if there is no bound, or only one that says no more than that a counter of its type has so many values.
  std::optional<TripBound> bound(const llvm::Loop& loop);

  // The values that an integer can have wherever it is computed.
  llvm::ConstantRange range(llvm::Value& value, bool is_signed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpspan::lift
