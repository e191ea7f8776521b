// SPDX-License-Identifier: GPL-3.0-or-later
// How far a value may move from one lane of a warp to the next: what is left of an index that borders clamp or wrap, of
// quotients, remainders and choices. The theorem and its proof open lane_steps.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "frontend/lift/values/lane_values.hpp"
#include "frontend/lift/values/offset_tables.hpp"
#include "frontend/lift/values/uniformity.hpp"

namespace warpspan::lift {

// Places between lanes of a warp.
struct LaneCuts {
  // What an unknown place depends on: a value, what is asked of it (a divisor, or a kind of question), and the
  // alternative of its steps. Places with the same key are the same.
  using Key = std::tuple<const llvm::Value*, int64_t, size_t>;
  std::vector<uint32_t> known;      // by warp: bit i is between the lanes i - 1 and i; empty: none
  std::map<Key, unsigned> unknown;  // how many, at most

  unsigned runs() const;  // into which the lanes of a warp are cut, at most
  void add(const LaneCuts& other);
};

// The lanes of a warp that execute the value's definition together are cut into runs. Within each there are integers
// that are the value modulo 2^bits, and of two lanes i < j the integers are least * (j - i) to most * (j - i) apart.
struct LaneSteps {
  int64_t least = 0, most = 0;
  LaneCuts cuts = {};

  uint64_t widest() const;  // the farther of both from 0
};

class StepValues {
 public:
  StepValues(const Uniformity& uniformity, const LaneValues& lanes, const OffsetTables& tables, RangeOf range_of)
      : uniformity_(uniformity), lanes_(lanes), tables_(tables), range_of_(std::move(range_of)) {}

  // Most lines, words of one bank, and addresses, of one access of `bytes` bytes by each lane that executes the use
  // together with others; nothing if no less than one for each lane is known. Accesses are aligned to their size.
  std::optional<size_t> most_lines(const llvm::Use& address, int bytes);
  std::optional<size_t> most_conflict_ways(const llvm::Use& address, int bytes);
  std::optional<size_t> most_addresses(const llvm::Use& address);

 private:
  using Alternatives = std::vector<LaneSteps>;  // each is true

  Alternatives at(const llvm::Use& use);
  Alternatives of(const llvm::Instruction& instruction);
  Alternatives of_table(const LaneValue& value, unsigned bits) const;
  Alternatives of_sum(const llvm::Instruction& instruction, bool subtract);
  Alternatives of_multiple(const llvm::Use& of, int64_t factor);
  Alternatives of_quotient(const llvm::Use& of, int64_t divisor, bool is_signed, bool to_zero);
  Alternatives of_remainder(const llvm::Use& of, int64_t divisor, bool is_signed, bool is_number);
  Alternatives of_comparison(const llvm::Instruction& instruction);
  Alternatives of_choice(const llvm::Instruction& instruction);
  Alternatives of_alike(const llvm::Instruction& instruction);
  Alternatives as_numbers(const llvm::Use& use, bool is_signed);
  bool may_have_both_signs(llvm::Value& value) const;

  const Uniformity& uniformity_;
  const LaneValues& lanes_;
  const OffsetTables& tables_;
  RangeOf range_of_;
  llvm::DenseMap<const llvm::Value*, Alternatives> known_;
  int depth_ = 0;
};

}  // namespace warpspan::lift
