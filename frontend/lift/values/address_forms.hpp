// SPDX-License-Identifier: GPL-3.0-or-later
// Which values are sums of the positions of threads and blocks and of iterations of loops.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/lift/footprints/linear_forms.hpp"
#include "frontend/lift/values/offset_tables.hpp"
#include "ir/kernel.hpp"

namespace warpspan::lift {

// What a form can count: 0, 1, 2: blockIdx.x, .y, .z; then one for each loop, how often its header has run since the
// loop was entered, from 0; then numbers that are the same for all threads of a block, and nothing else is known of,
// and choices: which of several values a phi or a select has, for each thread and each time anew.
using CounterId = uint32_t;
inline constexpr CounterId block_counters = 3;

// A value of b bits is base + constant + offset of the thread + sum of terms * counters, modulo 2^b. Of a loop that is
// left, its counter is that of the last iteration.
struct AddressForm {
  const llvm::Value* base = nullptr;  // an address that the launch fixes; null: 0
  int64_t constant = 0;
  TableId offsets = 0;                      // signed numbers, 64 bits of two's complement, less than 2^46 from 0
  std::map<CounterId, int64_t> terms = {};  // none is 0

  bool is_constant() const { return base == nullptr && offsets == 0 && terms.empty(); }
  friend bool operator==(const AddressForm&, const AddressForm&) = default;
};

class AddressForms {
 public:
  using Form = std::optional<AddressForm>;
  // How often a loop's header runs each time the loop is entered, at most.
  using TripCount = std::function<std::optional<int64_t>(const llvm::Loop&)>;

  // grid: null if it is not known.
  AddressForms(llvm::Function& function, const llvm::LoopInfo& loops, OffsetTables& tables, const ir::Extent* grid,
               const TripCount& trips);

  // Nothing if it has none.
  Form of(const llvm::Value& value) const;

  // The form with the multiple of 2^bits added that makes it the value itself, not only modulo 2^bits, for every
  // thread, read as a signed or an unsigned number of so many bits. Nothing if there is none for all of them.
  Form as_number(AddressForm form, unsigned bits, bool is_signed) const;

  // a + factor * b; at most one of them has a base, which is not multiplied.
  Form sum(const AddressForm& a, int64_t factor, const AddressForm& b);

  // All values that a form without base can have; nothing if they are not bounded, or do not fit 64 bits.
  std::optional<Interval> values(const AddressForm& form) const;

  // How many values a counter has; nothing if that is not known.
  std::optional<int64_t> count(CounterId counter) const { return counts_[counter]; }
  bool is_choice(CounterId counter) const { return counter >= unknown_counters_ && counts_[counter].has_value(); }
  bool has_choice(const AddressForm& form) const;
  bool is_of_block(CounterId counter) const {
    return counter < block_counters || (counter >= unknown_counters_ && !is_choice(counter));
  }
  bool is_known(CounterId counter) const { return counter < unknown_counters_; }
  CounterId counter_of(const llvm::Loop& loop) const { return counters_.lookup(&loop); }
  // By thread.
  std::vector<int64_t> offsets(const AddressForm& form) const;
  size_t threads() const { return tables_.threads(); }

 private:
  struct Quotient {
    AddressForm quotient, remainder;
  };

  Form find(const llvm::Instruction& instruction);
  Form of_call(const llvm::Instruction& instruction);
  Form of_operation(const llvm::Instruction& instruction);
  Form of_known(const llvm::Instruction& instruction, const std::vector<AddressForm>& operands);
  Form of_unary(const llvm::Instruction& instruction, const AddressForm& a);
  Form extended(const AddressForm& a, unsigned bits, bool is_signed);
  Form of_binary(const llvm::Instruction& instruction, const AddressForm& a, const AddressForm& b);
  Form of_phi(const llvm::PHINode& phi);
  // What may be added: multiples of `common` in a range; 0 of 0.
  struct Steps {
    Interval range;
    int64_t common = 0;
  };
  std::optional<Steps> steps_between(const AddressForm& first, const AddressForm& second);
  Form with_steps(AddressForm form, const Steps& steps);
  // The smaller or the larger of two numbers.
  Form of_extreme(const llvm::SelectInst& select);
  // One of several, which need not be the same each time.
  Form one_of(const std::vector<AddressForm>& all);
  bool may_count_more() const;
  Form of_loop_phi(const llvm::PHINode& phi, const llvm::Loop& loop);
  std::optional<int64_t> step_of(const llvm::PHINode& phi, const llvm::Value& next) const;

  Form scaled(const AddressForm& a, int64_t factor);
  Form masked(const AddressForm& a, int64_t mask);
  Form with_bits(const AddressForm& a, int64_t bits, bool inverts);
  Form disjoint(const AddressForm& a, const AddressForm& b, unsigned bits);
  // The form is divisor * (quotient + k) and a remainder, k from least to most, for some k; and that is the remainder
  // of the rest.
  struct Division {
    AddressForm quotient, rest;
    int64_t least = 0, most = 0;
  };
  std::optional<Division> division(const AddressForm& a, int64_t divisor);
  // Floor and rest of the division of the form, as it stands, by a positive constant, where they have no choice.
  std::optional<Quotient> divided(const AddressForm& a, int64_t divisor);
  Form quotient_of(const AddressForm& a, int64_t divisor);
  Form remainder_of(const AddressForm& a, int64_t divisor);
  Form digit_of(const AddressForm& a, int64_t divisor);
  // A number for each thread.
  Form of_threads(const std::function<std::optional<int64_t>(size_t)>& number);
  int64_t offset(const AddressForm& form, size_t thread) const {
    return static_cast<int64_t>(tables_.values(form.offsets)[thread]);
  }

  const llvm::LoopInfo& loops_;
  OffsetTables& tables_;
  llvm::DenseMap<const llvm::Loop*, CounterId> counters_;
  std::vector<std::optional<int64_t>> counts_;
  CounterId unknown_counters_ = 0;  // the first of what is no block or loop; of these choices alone have counts
  llvm::DenseMap<const llvm::Value*, AddressForm> known_;
};

}  // namespace warpspan::lift
