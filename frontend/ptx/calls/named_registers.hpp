// SPDX-License-Identifier: GPL-3.0-or-later
// The registers of a function that its instructions name. A declaration such as %r<1000000> has many more, and each
// copy of a function would have them all.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::ptx {

class NamedRegisters {
 public:
  explicit NamedRegisters(const Function& function);

  // The place of a register among those that are named: registers that follow each other still do. It must be named, as
  // a guard, an operand, a parameter or a result.
  uint32_t number(uint32_t reg) const;
  uint32_t count() const { return static_cast<uint32_t>(named_.size()); }
  // Of the named ones, by their numbers.
  const std::vector<RegisterRange>& ranges() const { return ranges_; }

 private:
  std::vector<uint32_t> named_;    // ascending
  std::vector<uint32_t> numbers_;  // by register, unless these are many more than the operands: then by search
  std::vector<RegisterRange> ranges_;
};

}  // namespace warpspan::ptx
