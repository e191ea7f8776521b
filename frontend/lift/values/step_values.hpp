// SPDX-License-Identifier: GPL-3.0-or-later
// Which values move from one lane of a warp to the next by how much. The theorem and its proof open step_values.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/lift/values/lane_steps.hpp"
#include "frontend/lift/values/lane_values.hpp"
#include "frontend/lift/values/offset_tables.hpp"
#include "frontend/lift/values/real_steps.hpp"
#include "frontend/lift/values/uniformity.hpp"
#include "frontend/lift/values/value_origins.hpp"

namespace warpspan::lift {

class StepValues {
 public:
  StepValues(const Uniformity& uniformity, const LaneValues& lanes, const OffsetTables& tables, RangeOf range_of,
             ValueOrigins& origins)
      : uniformity_(uniformity), lanes_(lanes), tables_(tables), range_of_(std::move(range_of)), origins_(origins) {}

  // Most lines, words of one bank, and addresses, of one access of `bytes` bytes by each lane that executes the use
  // together with others; nothing if no less than one for each lane is known. Accesses are aligned to their size.
  std::optional<size_t> most_lines(const llvm::Use& address, int bytes);
  std::optional<size_t> most_conflict_ways(const llvm::Use& address, int bytes);
  std::optional<size_t> most_addresses(const llvm::Use& address);

 private:
  using Alternatives = std::vector<LaneSteps>;  // each is true
  static constexpr int deepest = 48;

  Alternatives at(const llvm::Use& use);
  Alternatives at(const llvm::Value& value, const llvm::Instruction& user);
  Alternatives of_execution(const llvm::Value& value, const llvm::Instruction& user);
  Alternatives of(const llvm::Instruction& instruction);
  Alternatives of_table(const LaneValue& value, unsigned bits) const;
  Alternatives of_sum(const llvm::Instruction& instruction, bool subtract);
  static Alternatives of_multiple(Alternatives all, int64_t factor);
  Alternatives of_quotient(const llvm::Use& of, int64_t divisor, bool is_signed, bool to_zero);
  Alternatives of_remainder(const llvm::Use& of, int64_t divisor, bool is_signed, bool is_number);
  Alternatives of_comparison(const llvm::Instruction& instruction);
  Alternatives of_choice(const llvm::Instruction& instruction);
  Alternatives of_range(const llvm::Value& value);
  Alternatives of_whole(const llvm::Instruction& instruction);
  Alternatives of_alike(const llvm::Instruction& instruction);
  Alternatives of_origins(const llvm::Instruction& instruction, const llvm::Instruction& user);
  Alternatives as_numbers(const llvm::Use& use, bool is_signed);
  // Of the floating-point number that a value is.
  std::vector<RealSteps> reals(const llvm::Use& use);
  std::vector<RealSteps> reals_of(const llvm::CallInst& operation);
  std::vector<RealSteps> reals_of_integer(const llvm::Use& use, bool is_signed);
  bool may_have_both_signs(llvm::Value& value);
  // As numbers, what is rounded to integers too.
  llvm::ConstantRange range(const llvm::Value& value, bool is_signed);
  llvm::ConstantRange range_of_whole(const llvm::CallInst& call);

  const Uniformity& uniformity_;
  const LaneValues& lanes_;
  const OffsetTables& tables_;
  RangeOf range_of_;
  ValueOrigins& origins_;
  llvm::DenseMap<const llvm::Value*, Alternatives> known_;
  llvm::DenseMap<const llvm::Value*, std::vector<RealSteps>> known_reals_;
  int depth_ = 0;
};

}  // namespace warpspan::lift
