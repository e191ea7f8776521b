// SPDX-License-Identifier: GPL-3.0-or-later
// How often loops run, by scalar evolution.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "frontend/lift/trips/guards/loop_context.hpp"
#include "ir/flow.hpp"

namespace warpspan::lift {

// How often a loop's header runs each time the loop is entered: never more than `most`; and in every launch that enters
// the loop, some thread at one of its entries no less than `fewest`.
struct TripBound {
  int64_t most = 1;
  int64_t fewest = 1;
};

// What a method finds.
struct Trips {
  TripBound bound = {};
  bool is_entered = true;                              // false: by no thread, and the bound is 1 and 1
  std::optional<ir::ClockLimit> clock = std::nullopt;  // what it waits for
  const llvm::Value* array = nullptr;                  // where that begins which bounds it, if no access leaves it
  // Whether it rests on what the least number of a signed type gives, divided by -1, which is not specified: that
  // number again, and nothing is left.
  bool divides_least = false;
  std::optional<ir::TripGap> gap = std::nullopt;  // then that is all that is known: there is no bound
};
inline std::optional<Trips> at_most(std::optional<int64_t> trips) {
  return trips ? std::optional(Trips{.bound = {*trips, 1}}) : std::nullopt;
}

class TripCounts {
 public:
  TripCounts(llvm::Function& function, llvm::DominatorTree& dominators, llvm::LoopInfo& loops);
  ~TripCounts();
  TripCounts(TripCounts&&) noexcept;

  // Nothing if there is no bound, or only one that means no more than that a counter of its type has so many values.
  // Every entry of the loop runs its header as often as `fewest`.
  std::optional<TripBound> bound(const llvm::Loop& loop);

  // Whether branches before the loop contradict each other, as far as is looked for: not where the count is a constant
  // that is not so high that the counter most likely wraps around its type, as that of the rest of an unrolled loop of
  // which nothing is left.
  bool is_never_entered(const llvm::Loop& loop);

  // Whether branches on all paths to a block that has one predecessor, that one's among them, contradict each other.
  bool is_never_executed(const llvm::BasicBlock& block);

  llvm::ScalarEvolution& evolution();

  // Of the same function, with nothing known of it: for one that is changed for a while.
  TripCounts again() const;

  // What was computed from a value that is about to change.
  void forget(llvm::Value& value);

  // The values that an integer can have wherever it is computed.
  llvm::ConstantRange range(llvm::Value& value);
  llvm::ConstantRange range(llvm::Value& value, bool is_signed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpspan::lift
