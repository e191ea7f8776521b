// SPDX-License-Identifier: GPL-3.0-or-later
// What lowered machine code computes: the steps of an ir::Body, on numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.hpp"

namespace warpspan::sass {

// Of one lane. A register whose contents are not said has no value.
class StepsEvaluator {
 public:
  using Value = std::optional<uint64_t>;
  // Bytes of the kernel's parameters, by variable.
  using Parameters = std::vector<std::vector<uint8_t>>;

  StepsEvaluator(const ir::Body& body, Parameters parameters, ir::Extent block, ir::Extent grid)
      : body_(body), parameters_(std::move(parameters)), block_(block), grid_(grid) {}

  // All steps that were not run yet.
  void run();
  Value get(ir::RegisterId reg) const;
  void set(ir::RegisterId reg, uint64_t value) { values_[reg] = value; }
  // A computation that is not known here; empty if there was none.
  const std::string& unknown() const { return unknown_; }

 private:
  void step(ir::InstructionId i);
  Value read(const ir::Operand& operand) const;
  Value read(const ir::Operand& operand, unsigned bits) const;
  Value special(const ir::Operand& operand) const;
  Value load(const ir::Operand& address, unsigned bits) const;
  Value compute(const ir::Semantics& semantics, std::span<const ir::Operand> sources);
  Value compare(const ir::Semantics& semantics, std::span<const ir::Operand> sources, bool opposite) const;
  void write(const ir::Operand& result, Value value);

  const ir::Body& body_;
  Parameters parameters_;
  ir::Extent block_, grid_;
  std::map<ir::RegisterId, Value> values_;
  ir::InstructionId next_ = 0;
  std::string unknown_;
};

}  // namespace warpspan::sass
