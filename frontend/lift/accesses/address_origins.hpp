// SPDX-License-Identifier: GPL-3.0-or-later
// What addresses without a form are counted from, and how far from there they lie.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Value.h>

#include <optional>
#include <vector>

#include "frontend/lift/values/address_forms.hpp"
#include "frontend/lift/values/number_ranges.hpp"

namespace warpspan::lift {

class AddressOrigins {
 public:
  AddressOrigins(const AddressForms& forms, const llvm::LoopInfo& loops, RangeOf range)
      : forms_(forms), loops_(loops), range_(std::move(range)) {}

  // The values of the launch of which the address is one and a number added to it, each once; none if it may be
  // another.
  std::vector<const llvm::Value*> of(const llvm::Value& address) const;

  // Holds the number, for addresses of such origins; all of its bits, modulo 2^bits.
  llvm::ConstantRange distance(llvm::Value& address) const;

 private:
  // What a sum is counted from, and what is added to that; nothing if it is not known which of both is which.
  struct Sum {
    llvm::Value *pointer = nullptr, *number = nullptr;
  };
  std::optional<Sum> sum_of(const llvm::Value& value) const;
  llvm::ConstantRange distance(llvm::Value& address, int depth) const;

  const AddressForms& forms_;
  const llvm::LoopInfo& loops_;
  RangeOf range_;
};

}  // namespace warpspan::lift
