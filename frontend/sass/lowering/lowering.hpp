// SPDX-License-Identifier: GPL-3.0-or-later
// Lowers what instructions compute; see lower.hpp. Only for what lowers.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/lowering/frame.hpp"
#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/lowering/steps.hpp"
#include "frontend/sass/words/code.hpp"
#include "frontend/sass/words/constant_bank.hpp"
#include "frontend/sass/words/operation_kind.hpp"

namespace warpspan::sass {

// The numbers that registers of the machine have in lowered code; those of temporaries follow.
inline constexpr ir::RegisterId first_uniform = 256;
inline constexpr ir::RegisterId first_predicate = 512;
inline constexpr ir::RegisterId first_uniform_predicate = 520;
inline constexpr ir::RegisterId first_barrier = 528;
inline constexpr ir::RegisterId first_scoreboard = 544;  // of the kernel only
inline constexpr uint32_t scoreboards = 6;
inline constexpr ir::RegisterId machine_registers = 550;

// Of special_registers.def: the halves of the cycle counter, then those of the global timer.
inline constexpr int64_t first_clock = 80, last_clock = 83;

ir::RegisterId register_of(RegisterClass register_class, uint8_t number);
uint16_t bits_of(ir::RegisterId reg);
// Those of a set, ascending.
std::vector<ir::RegisterId> registers_of(const RegisterSet& set);
// The predicate under which it is executed; none if the guard is PT, negated or not.
StepGuard guard_of(const Instruction& instruction);
// As what an instruction counts that is not known: an atomic access of so many bytes of a lane.
inline constexpr ir::OperationKind unknown_kind = ir::OperationKind::atomic_generic;
inline constexpr int widest_access = 16;
// What is accessed and how: nothing if the instruction accesses no memory.
struct MemoryAccess {
  ir::MemorySpace space = ir::MemorySpace::none;
  uint16_t bits = 0;     // of an element
  uint8_t elements = 1;  // of a lane
  bool is_signed = false;
  bool stores = false;
  bool is_atomic = false;
  int64_t bytes() const { return bits / 8 * elements; }
};
std::optional<MemoryAccess> access_of(const Instruction& instruction);
// The same of other instructions, of one lane: copies, barrier objects, rows of matrices, prefetches, and stores whose
// operands are uniform registers.
struct OtherAccess {
  ir::MemorySpace space = ir::MemorySpace::none;
  int bytes = 0;
};
std::optional<OtherAccess> other_access_of(const Instruction& instruction);
// How the outcome of a comparison is combined with a predicate.
std::optional<ir::Connective> connective_of(const Instruction& instruction);

// Computations that carry on what others have begun are looked for in the same block only; halves of numbers also in
// the next block, if nothing else leads there.
class InstructionLowering {
 public:
  // A frame becomes a variable of the program.
  InstructionLowering(const Code& code, ir::Program& program, const std::optional<Frame>& frame);

  // only_from: the block that alone leads to this one, if there is one that was kept.
  void begin_block(std::optional<uint32_t> only_from = std::nullopt) {
    const auto before = only_from ? carries_behind_.extract(*only_from) : decltype(carries_behind_)::node_type();
    carries_ = before.empty() ? Carries() : before.mapped();
    copies_.clear();
    shifts_.clear();
    given_back_.clear();
    executing_.reset();
    equal_in_lanes_.clear();
  }
  // The block that ends here is kept for the next one.
  void keep_block(uint32_t block) { carries_behind_[block] = carries_; }
  // A register that is 0 when the kernel begins.
  void clear(ir::RegisterId reg) { steps_.set_always(reg, number(0)); }
  // Generic addresses may be of a thread's own memory.
  void note_own_pointers();
  // A copy of a function begins, which will give back what these general registers, ascending, contain now.
  void begin_copy(uint32_t copy, const std::vector<ir::RegisterId>& original);
  // The instruction at hand, of that copy, has given back a value.
  void give_back(uint32_t copy, const RestoredValue& value);
  // All steps of one instruction, which stands at a line of the listing that begins at the offset.
  void lower(const Instruction& instruction, uint32_t line, uint32_t offset);
  // The same of the last instruction of a block, if it passes control on: its last step stands for that. Returns which
  // lanes pass it on as the instruction says; no predicate: all do.
  StepGuard transfer(const Instruction& instruction, uint32_t line, uint32_t offset);

  // Arrivals whose lanes get states of one phase (arrivals_only_asked_about).
  void set_one_phase(std::set<const Instruction*> arrivals) { one_phase_ = std::move(arrivals); }

  // By the first of two registers of which 64 bits are made somewhere: the register that has both, always.
  const std::map<ir::RegisterId, ir::RegisterId>& pairs() const { return pairs_; }

 private:
  // A word by where it was before it was copied: of a register, how often that was written by then.
  struct Word {
    Operand operand;
    uint32_t version = 0;
    friend bool operator==(const Word& a, const Word& b) {
      const Operand &one = a.operand, &other = b.operand;
      return one.kind == other.kind && one.register_class == other.register_class && one.first == other.first &&
             one.bank == other.bank && one.value == other.value && a.version == b.version;
    }
  };

  // A number of which the low half has been calculated, and a predicate tells what the high half needs.
  struct Carry {
    enum class Kind : uint8_t { sum, comparison };
    Kind kind = Kind::sum;
    StepGuard guard;
    uint32_t guard_version = 0;
    struct Source {
      Operand operand;                // as it is written down
      ir::Operand value;              // then, without its sign
      ir::Operand whole;              // of a register, if there is one behind it: the value of both
      uint32_t version = 0;           // how often the register was written before
      uint32_t high_version = 0;      // and the one behind it
      std::optional<Word> word = {};  // nothing with a sign
    };
    std::vector<Source> low;
    std::optional<Source> shifted;  // of LEA, what it shifts; the shifted number is one of `low`, without an operand
    unsigned shift = 0;
    uint32_t place = 0;  // tells the instruction from others
    unsigned comparison = 0;
    std::vector<Operand> predicates;  // that the instruction writes
    Operand result;                   // the low half
    uint32_t result_version = 0;
  };
  using Carries = std::map<ir::RegisterId, Carry>;  // by predicate

  // A move of 32 bits, to the left by `shift` of them.
  struct Copy {
    Operand result, source;
    unsigned shift = 0;
    StepGuard guard;
    uint32_t guard_version = 0;
    uint32_t result_version = 0, source_version = 0;  // how often the registers were written when it was done
  };

  // lowering.cpp
  ir::Operand raw32(const Operand& operand);
  ir::Operand read32(const Operand& operand);
  std::optional<ir::Operand> read64(const Operand& operand);
  ir::Operand predicate(const Operand& operand) const;
  void add_variables();
  std::optional<ir::Operand> of_variable(int64_t bank, int64_t offset, uint16_t bits);
  std::optional<ir::Operand> variable_address(int64_t bank, int64_t offset) const;
  ir::Operand constant32(int64_t bank, int64_t offset);
  ir::Operand constant64(int64_t bank, int64_t offset);
  // Whether 64 bits of a constant bank are not of one parameter: each half is known by itself, if it is.
  bool has_two_parts(int64_t bank, int64_t offset) const;
  // Of one constant of 64 bits. A bindless one is none that is known.
  static bool are_halves(const Operand& low, const Operand& high);
  ir::Operand unknown_constant(uint16_t bits);
  ir::Operand shared_window();
  std::optional<ir::Operand> of_launch(int64_t offset) const;
  ir::Operand parameter(int64_t offset, uint16_t bits);
  ir::Operand pair(RegisterClass register_class, uint8_t first);
  void write32(const Operand& result, const ir::Operand& value);
  void write64(const Operand& result, const ir::Operand& value);
  void write_halves(const Operand& result, const ir::Operand& low, const ir::Operand& high);
  void write_predicate(const Operand& result, const ir::Operand& value);
  void write_unknown(const Instruction& instruction, bool follows_from_operands);
  void write_unknown(const Operand& result, const std::vector<ir::Operand>& sources);
  void find_pairs();
  void find_wide_constants();
  bool reads_whole(int64_t offset) const;
  void add_pair(RegisterClass register_class, uint8_t first);
  void update_pairs(const RegisterSet& written);
  void note_writes(const RegisterSet& written);
  void keep_guard(const RegisterSet& written);
  void note_equal(const Instruction& instruction, const RegisterSet& written);

  bool compute(const Instruction& instruction);
  // lower_moves.cpp
  bool move(const Instruction& instruction);
  bool move_wide(const Instruction& instruction);
  bool special_register(const Instruction& instruction);
  bool select(const Instruction& instruction);
  bool select_wide(const Instruction& instruction);
  bool half_sum(const Instruction& instruction);
  std::optional<ir::Operand> sign_extension(int64_t selector, const ir::Operand& a, const ir::Operand& c);
  bool permute(const Instruction& instruction);
  bool executing_lanes(const Instruction& instruction);
  bool warp_value(const Instruction& instruction);
  std::optional<ir::Operand> asked_in_vote(const Instruction& instruction);
  bool elect(const Instruction& instruction);
  bool predicates(const Instruction& instruction);
  bool predicates_to_register(const Instruction& instruction);
  bool register_to_predicates(const Instruction& instruction);
  // lower_calls.cpp, with begin_copy and give_back
  bool is_given_back(ir::RegisterId reg, uint32_t copy, ir::RegisterId original) const;
  void lower_unknown(const Instruction& instruction);
  void lower_outside_call(const ir::CallTime& time);
  // lower_copies.cpp
  bool is_current(const Copy& copy) const;
  std::optional<ir::Operand> whole_of(const Operand& low, const Operand& high);
  void copy(const Operand& result, const Operand& source);
  void begin_copy(const Operand& result, const Operand& source, unsigned shift);
  void note_copy();
  bool is_copy(const Operand& reg, const Operand& constant) const;
  bool is_copy_of(const Carry::Source& low, const Operand& reg, unsigned shift) const;
  std::optional<Word> word_of(const Operand& operand) const;
  // What a register contains since a move of the block.
  std::optional<int64_t> number_in(RegisterClass register_class, uint8_t number) const;
  // lower_integer.cpp
  bool sum(const Instruction& instruction, const std::array<Operand, 3>& results, const std::vector<Operand>& sources,
           const std::array<Operand, 2>& carried);
  bool low_sum(const std::array<Operand, 3>& results, const std::vector<Operand>& sources);
  ir::Operand sum_of(const std::vector<Operand>& sources);
  bool add3(const Instruction& instruction);
  bool add_with_carry(const Instruction& instruction);
  bool add_two(const Instruction& instruction);
  bool shifted_add(const Instruction& instruction);
  bool multiply(const Instruction& instruction);
  bool multiply_wide(const Instruction& instruction);
  bool compare(const Instruction& instruction);
  bool write_comparison(const Instruction& instruction, const ir::Operand& a, const ir::Operand& b, uint16_t bits);
  bool extreme(const Instruction& instruction);
  bool extreme_of_either(const Instruction& instruction);
  bool extreme_of_three(const Instruction& instruction);
  bool extreme_of_sum(const Instruction& instruction);
  bool write_extreme(const Instruction& instruction, const std::vector<ir::Operand>& values, const Operand& which);
  bool add_wide(const Instruction& instruction);
  // lower_floats.cpp
  ir::Operand read_float(const Operand& operand, uint16_t bits);
  void write_float(const Operand& result, const ir::Operand& value, uint16_t bits);
  bool integer_to_float(const Instruction& instruction);
  bool float_to_integer(const Instruction& instruction);
  bool special_function(const Instruction& instruction);
  bool float_arithmetic(const Instruction& instruction);
  bool float_extreme(const Instruction& instruction);
  bool float_select(const Instruction& instruction);
  bool float_compare(const Instruction& instruction);
  // lower_bits.cpp
  bool logic(const Instruction& instruction);
  bool shift(const Instruction& instruction);
  bool count(const Instruction& instruction);
  bool find_leading_one(const Instruction& instruction);
  bool extend_low_bits(const Instruction& instruction);
  bool make_mask(const Instruction& instruction);
  // lower_carries.cpp
  static std::vector<ir::Operand> values_of(const Carry& carry);
  Carry::Source source_of(const Operand& operand);
  Carry begin_carry(Carry::Kind kind, const std::vector<Operand>& low);
  void note_carry();
  const Carry* carry_of(const Operand& predicate, Carry::Kind kind) const;
  const Carry* carry_of_sum(const Operand& predicate) const;
  static std::optional<Carry> continued_sum(const Carry* one, const Carry* other);
  bool is_pair(const Carry::Source& low, const Operand& high) const;
  void find_halves();
  bool are_known_halves(const Operand& low, const Operand& high) const;
  ir::Operand whole(const Carry::Source& low, const Operand& high);
  std::optional<ir::Operand> sum_of_wholes(const Carry& carry, std::vector<Operand> high);
  bool add_high(const Operand& result, const std::vector<Operand>& high, const Carry* carry);
  bool add_sign(const Instruction& instruction);
  bool shifted_add_high(const Instruction& instruction);
  bool compare_high(const Instruction& instruction);
  void write_high(const Carry& carry, const Operand& result, const ir::Operand& whole);
  // lower_other_accesses.cpp
  bool other_access(const Instruction& instruction);
  std::vector<ir::Operand> lanes_copy(const Instruction& instruction);
  std::vector<ir::Operand> bulk_copy(const Instruction& instruction);
  void answer(const Instruction& instruction);
  bool cluster_barrier(const Instruction& instruction);
  bool sleep(const Instruction& instruction);
  // lower_memory.cpp
  bool load_constant(const Instruction& instruction);
  bool load_table(const Instruction& instruction);
  void load_at_index(const Instruction& instruction, const std::vector<ir::Operand>& results);
  bool access(const Instruction& instruction);
  bool compare_and_swap(const Instruction& instruction, ir::Operation operation, const ir::Operand& where);
  std::vector<ir::Operand> sector_words(const Instruction& instruction);
  ir::Operand address(const Operand& operand, ir::MemorySpace space);
  bool barrier(const Instruction& instruction);

  uint32_t version(RegisterClass register_class, uint8_t number) const {
    return versions_[register_of(register_class, number)];
  }

  const Code& code_;
  ConstantBank bank_;
  std::set<const Instruction*> one_phase_;
  std::optional<Frame> frame_;
  ir::VariableId frame_variable_ = 0, first_variable_ = 0, first_global_ = 0;
  ir::Program& program_;
  ir::Body& body_;
  Steps steps_;
  std::map<ir::RegisterId, ir::RegisterId> pairs_;
  std::map<ir::RegisterId, ir::Operand> written_pairs_;         // by the instruction at hand, as a whole
  std::set<std::pair<ir::RegisterId, ir::RegisterId>> halves_;  // somewhere the low and the high one of a number
  std::set<int64_t> wide_constants_;                            // offsets in bank 0
  bool reads_anywhere_ = false;                                 // in it, two words at once
  std::vector<uint32_t> versions_;                              // by register: how often it was written so far
  Carries carries_;
  std::map<uint32_t, Carries> carries_behind_;  // by block
  std::map<ir::RegisterId, Copy> copies_;       // by result, of this block: without a shift
  std::map<ir::RegisterId, Copy> shifts_;       // and with one
  std::optional<Copy> begun_copy_;              // by the instruction at hand
  std::optional<Carry> begun_;                  // by the instruction at hand
  uint32_t carry_count_ = 0;
  // By copy and general register: what it contained where the copy began, alone and with the register behind it.
  std::map<std::pair<uint32_t, ir::RegisterId>, ir::RegisterId> originals_, original_pairs_;
  struct GivenBack {
    uint32_t copy = 0;
    ir::RegisterId original = 0;
    uint32_t version = 0;
  };
  std::map<ir::RegisterId, GivenBack> given_back_;  // by register, of this block
  std::set<ir::RegisterId> equal_in_lanes_;         // general registers, of this block
  std::optional<ir::Operand> executing_;            // which lanes execute this block, if that was asked
};

}  // namespace warpspan::sass
