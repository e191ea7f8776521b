// SPDX-License-Identifier: GPL-3.0-or-later
// Earlier values that a value differs from by a number in a narrow range: what unrolled loops and branches have added
// to a place that all lanes began with. The theorem and its proof open value_origins.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "frontend/lift/values/number_ranges.hpp"

namespace warpspan::lift {

// Each time the later value is computed it is, modulo 2^bits, what the last execution of `value` before gave, plus a
// number from least to most, which are within 2^20 from 0.
struct Origin {
  const llvm::Value* value = nullptr;
  int64_t least = 0, most = 0;
};

class ValueOrigins {
 public:
  // How often a loop's header runs each time the loop is entered, at most.
  using TripCount = std::function<std::optional<int64_t>(const llvm::Loop&)>;

  ValueOrigins(const llvm::LoopInfo& loops, RangeOf range_of, TripCount trips)
      : loops_(loops), range_of_(std::move(range_of)), trips_(std::move(trips)) {}

  // Of a sum, a choice or a phi, the nearest first; none of others. Each dominates the instruction.
  std::vector<Origin> of(const llvm::Instruction& instruction);

  // The range of a value: that of a loop's phi is cut by what its iterations can add.
  llvm::ConstantRange range(llvm::Value& value, bool is_signed);

 private:
  std::vector<Origin> with_itself(const llvm::Value& value);
  std::vector<Origin> common(llvm::ArrayRef<const llvm::Value*> values);
  std::vector<Origin> of_header(const llvm::PHINode& phi, const llvm::Loop& loop);
  std::optional<Origin> narrow(const llvm::Value& added) const;

  const llvm::LoopInfo& loops_;
  RangeOf range_of_;
  TripCount trips_;
  llvm::DenseMap<const llvm::Value*, std::vector<Origin>> known_;
  std::vector<const llvm::Value*> found_;  // what is known, in order
  int depth_ = 0;
};

}  // namespace warpspan::lift
