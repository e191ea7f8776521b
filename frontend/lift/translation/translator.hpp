// SPDX-License-Identifier: GPL-3.0-or-later
// Lifts single instructions. What is listed in docs/lifting.md is computed exactly, in wrapping arithmetic;
// everything else becomes a call of kind pure or opaque.
#pragma once

#include <span>
#include <vector>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/translation/launch_values.hpp"
#include "frontend/lift/translation/memory_slots.hpp"
#include "frontend/lift/translation/registers.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

class Translator {
 public:
  // follows_own_memory: all of the body is translated, so that every write of a thread's own memory is seen.
  Translator(const ir::Program& program, const ir::Body& body, const MemorySlots& slots, Emitter& emitter,
             Registers& registers, LaunchValues& launch, bool follows_own_memory)
      : program_(program),
        body_(body),
        slots_(slots),
        emitter_(emitter),
        registers_(registers),
        launch_(launch),
        follows_own_memory_(follows_own_memory) {}

  void translate(ir::InstructionId index);

  // Whether the instruction's guard lets it be executed; null if it has none.
  llvm::Value* guard(ir::InstructionId index);
  // An operand as an integer of that many bits; null if it has no such value.
  llvm::Value* read(const ir::Operand& operand, unsigned bits);

 private:
  // These lift the instruction at hand, or return false without having written anything.
  bool compute();

  // translate_integer.cpp
  bool add_or_subtract();
  bool multiply();
  bool multiply24();
  bool absolute_difference();
  bool divide();
  bool absolute_or_negate();
  bool minimum_or_maximum();
  llvm::Value* product(llvm::Value* a, llvm::Value* b);

  // translate_bits.cpp
  bool logic();
  bool complement();
  bool table_logic();
  bool shift();
  bool funnel_shift();
  bool extract_field();
  bool insert_field();
  bool count_bits();
  bool find_highest_bit();

  // translate_compare.cpp
  bool compare();
  bool compare_to_value();
  bool select();
  bool select_by_sign();
  llvm::Value* comparison();
  llvm::Value* combine(llvm::Value* compared);

  // translate_moves.cpp
  bool copy();
  bool copy_elements();
  bool pack();
  bool unpack();
  bool convert();
  bool convert_address();

  // translate_floats.cpp
  bool compute_floats();
  FloatOperation float_operation() const;
  bool read_numbers(std::vector<llvm::Value*>& values);

  // translate_memory.cpp
  bool load();
  bool store();
  bool compare_and_swap();
  void note_own_store();
  void note_access(const ir::Operand& address, llvm::Value* destination = nullptr);
  void note_other_access();
  llvm::Value* address(const ir::Operand& operand);
  llvm::Value* where_condition_is_met(llvm::Value& value, int depth = 0);
  llvm::Value* loaded(const ir::Operand& operand, int64_t offset);
  std::optional<VariableByte> byte_in_file(llvm::Value& address);

  // All sources; false if one has no value.
  bool read_sources(unsigned bits, std::vector<llvm::Value*>& values);
  // Writes a result that may be wider than the value, unless the guard forbids it.
  void write(const ir::Operand& result, llvm::Value* value, bool is_signed = false);
  void write(llvm::Value* value, bool is_signed = false) { write(results_.front(), value, is_signed); }
  void write_slot(uint32_t slot, llvm::Value* value);
  void write_unknown();
  const ir::Operand* amount() const;
  void note_amount();
  void note_guard();
  void note_vote();
  void note_fragment();
  void guarded_write(uint32_t id, llvm::Value* value);
  uint32_t slot_id(uint32_t slot) const { return body_.kernel.registers + slot; }

  const ir::Program& program_;
  const ir::Body& body_;
  const MemorySlots& slots_;
  Emitter& emitter_;
  Registers& registers_;
  LaunchValues& launch_;
  bool follows_own_memory_;

  // What a predicate contains; null of no register.
  llvm::Value* predicate(ir::RegisterId id);
  // What a register contains where the condition of the instruction being lifted is met, or where it is not. What
  // instructions with the same guard wrote is seen without what they left where it is false.
  llvm::Value* read_register(uint32_t id, bool is_met = true);
  // What it is where that condition is met, or is not, through all that selects by it.
  llvm::Value* chosen(llvm::Value* value, bool is_met) const;

  // The instruction being lifted.
  ir::InstructionId index_ = 0;
  ir::Semantics semantics_;
  unsigned bits_ = 0;  // of semantics_
  std::span<const ir::Operand> sources_;
  std::span<const ir::Operand> results_;
  // Where its results are used: what its guard contains, or what else says so (ir::OperandRange); null: anywhere.
  llvm::Value* condition_ = nullptr;
  bool condition_negated_ = false;
};

}  // namespace warpspan::lift
