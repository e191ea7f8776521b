// SPDX-License-Identifier: GPL-3.0-or-later
// How a value differs among the lanes of a warp: value = base + constant + offset of the thread, modulo 2^bits, where
// the base is unknown but the same for all lanes that execute together.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

#include "frontend/lift/values/number_ranges.hpp"
#include "frontend/lift/values/offset_tables.hpp"
#include "frontend/lift/values/uniformity.hpp"

namespace llvm {
class Loop;
class LoopInfo;
}  // namespace llvm

namespace warpspan::lift {

struct LaneValue {
  bool has_base = false;     // false: the base is 0, so the value is known for every thread
  unsigned base_zeros = 64;  // the base is a multiple of 2^base_zeros
  // The lanes of a warp fall into at most this many groups that have a base each.
  unsigned groups = 1;
  // Each group may be cut in two once more: the lanes up to some number of theirs, and those above it. The bases of
  // both parts differ by a multiple of 2^zeros.
  struct Cut {
    TableId order = 0;  // signed numbers, 64 bits of two's complement
    unsigned zeros = 0;

    friend auto operator<=>(const Cut&, const Cut&) = default;
  };
  std::optional<Cut> cut = {};
  uint64_t constant = 0;
  TableId offsets = 0;
};

class LaneValues {
 public:
  // aligned: values of the launch that are taken to be multiples of 256.
  LaneValues(llvm::Function& function, const llvm::LoopInfo& loops, const Uniformity& uniformity, OffsetTables& tables,
             RangeOf range_of, ValueSet aligned = {});

  // The form of an operand where it is used; nothing if it has none.
  std::optional<LaneValue> at(const llvm::Use& use) const;
  // The same of a value as if the instruction, which its definition dominates, used it.
  std::optional<LaneValue> at(const llvm::Value& value, const llvm::Instruction& user) const;

  bool is_same_in_warps(const LaneValue& a) const;

  // A distance d such that the operands of lanes that execute the use together lie in b .. b + d, modulo 2^bits, for
  // some b; nothing if none below 2^16 is known. For what has no form: an unknown index, of a small table.
  std::optional<uint64_t> spread(const llvm::Use& use) const;

  // The operand from which a phi differs, among lanes that are at it together, by the same for all of them; null if
  // none is known: what a loop starts with whose steps all lanes share, or what comes by the only edge that is taken.
  const llvm::Use* origin_of(const llvm::PHINode& phi) const;

  // Values that the lanes of every warp share although the uniformity analysis did not see it.
  ValueSet more_uniform() const;

 private:
  using Form = std::optional<LaneValue>;

  Form of_instruction(llvm::Instruction& instruction);
  Form of_call(const llvm::Instruction& instruction);
  Form of_operation(llvm::Instruction& instruction);
  Form of_sign(llvm::Instruction& instruction) const;
  Form of_phi(const llvm::PHINode& phi);
  Form of_any(const llvm::PHINode& phi);
  // A phi in the header of a loop with one entering edge, whose steps are the same for all lanes; nothing: it is none.
  struct Stepping {
    const llvm::Use* start = nullptr;
    unsigned zeros = 0;  // that all steps have behind
  };
  std::optional<Stepping> stepping(const llvm::PHINode& phi) const;
  std::optional<Stepping> stepping(const llvm::PHINode& phi, int& budget) const;
  const llvm::Use* only_taken(const llvm::PHINode& phi) const;
  std::optional<unsigned> step_zeros(const llvm::PHINode& phi, const llvm::Use& use, int& budget) const;
  Form of_known(const llvm::Instruction& instruction, const std::vector<Form>& operands);
  Form of_select(const Form& condition, const Form& yes, const Form& no);
  // One of both, the same one for all lanes that execute together.
  static Form of_either(const LaneValue& a, const LaneValue& b);
  Form of_shared(const std::vector<Form>& operands) const;

  Form add(const LaneValue& a, const LaneValue& b, bool subtract, unsigned bits);
  Form multiply(const LaneValue& a, const LaneValue& b, unsigned bits);
  Form scale(const LaneValue& a, uint64_t factor, unsigned bits);
  Form combine_disjoint(const LaneValue& a, const LaneValue& b, unsigned bits);
  Form mask(const LaneValue& a, uint64_t mask, unsigned bits);
  Form with_bits(unsigned opcode, const LaneValue& a, uint64_t other, unsigned bits);
  Form shift_right(const LaneValue& a, uint64_t amount, unsigned bits);
  Form truncate(const LaneValue& a, unsigned bits);
  Form extend(llvm::Instruction& instruction, const LaneValue& a, bool is_signed);
  Form extend_with_carries(llvm::Instruction& instruction, const LaneValue& a, bool is_signed);
  Form divide(llvm::Instruction& instruction, const LaneValue& a, const LaneValue& b);

  // How far the numbers of a warp's lanes are from that of its first; nothing if it is not clear, or the work is too
  // much.
  struct Distances {
    TableId table = 0;    // signed, 64 bits of two's complement
    uint64_t widest = 0;  // between two lanes of a warp
  };
  std::optional<Distances> distances(const LaneValue& a, unsigned bits);
  // Whether the lanes of no warp have values on both sides of the end of the type, where they are so far from each
  // other; the distance fits the type.
  bool stays_clear_of_end(llvm::Value& value, uint64_t distance, bool is_signed) const;
  // With a cut as two groups.
  static LaneValue without_cut(LaneValue a);
  // The parts below 2^zeros, no more than the base has, if in every warp the parts above are the same and so belong to
  // the base.
  std::optional<TableId> low_parts(const LaneValue& a, unsigned zeros, unsigned bits);
  uint64_t number(const LaneValue& a, size_t thread, unsigned bits) const;  // without the base

  const llvm::LoopInfo& loops_;
  const Uniformity& uniformity_;
  OffsetTables& tables_;
  std::optional<uint64_t> spread(const llvm::Use& use, int depth) const;

  RangeOf range_of_;
  ValueSet aligned_;
  llvm::DenseMap<const llvm::Value*, LaneValue> known_;
};

}  // namespace warpspan::lift
