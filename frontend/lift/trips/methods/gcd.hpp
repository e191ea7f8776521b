// How often a loop runs that divides with rest until nothing is left, as Euclid does, whatever the numbers are.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <cstdint>
#include <optional>

#include "frontend/lift/trips/guards/exits.hpp"

namespace warpspan::lift {

struct RemainderTrips {
  // The most times that the header runs each time the loop is entered, by the theorem in gcd.cpp.
  int64_t most = 1;
  // Whether it rests on what the least number of a signed type gives, divided by -1, which is not specified: that
  // number again, and nothing is left.
  bool divides_least = false;
};

// Nothing if the loop is of another kind.
std::optional<RemainderTrips> trips_by_remainders(const llvm::Loop& loop, const llvm::DominatorTree& dominators,
                                                  const ValueRanges& ranges);

}  // namespace warpspan::lift
