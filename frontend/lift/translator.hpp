// Lifts single PTX instructions. What is listed in docs/lifting.md is computed exactly, in wrapping arithmetic;
// everything else becomes a call of kind pure or opaque.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "frontend/lift/emitter.hpp"
#include "frontend/lift/launch_values.hpp"
#include "frontend/lift/memory_slots.hpp"
#include "frontend/lift/registers.hpp"
#include "frontend/ptx/ast.hpp"

namespace warpspan::lift {

class Translator {
 public:
  Translator(const ptx::Module& module, const ptx::Function& function, const MemorySlots& slots, Emitter& emitter,
             Registers& registers, LaunchValues& launch)
      : module_(module),
        function_(function),
        slots_(slots),
        emitter_(emitter),
        registers_(registers),
        launch_(launch) {}

  void translate(uint32_t index);

  // Whether the instruction's guard lets it be executed; null if it has none.
  llvm::Value* guard(const ptx::Instruction& instruction);
  // An operand as an integer of that many bits; null if it has no such value.
  llvm::Value* read(const ptx::Operand& operand, unsigned bits);

 private:
  // Lifts the instruction, or returns false without having written anything.
  using Handler = bool (Translator::*)(const ptx::Instruction&);
  static Handler find_handler(const ptx::Form& form);

  // translate_integer.cpp
  bool add_or_subtract(const ptx::Instruction& instruction);
  bool multiply(const ptx::Instruction& instruction);
  bool multiply24(const ptx::Instruction& instruction);
  bool absolute_difference(const ptx::Instruction& instruction);
  bool divide(const ptx::Instruction& instruction);
  bool absolute_or_negate(const ptx::Instruction& instruction);
  llvm::Value* product(std::string_view part, ptx::Type type, llvm::Value* a, llvm::Value* b);

  // translate_bits.cpp
  bool logic(const ptx::Instruction& instruction);
  bool complement(const ptx::Instruction& instruction);
  bool three_input_logic(const ptx::Instruction& instruction);
  bool shift(const ptx::Instruction& instruction);
  bool funnel_shift(const ptx::Instruction& instruction);
  bool extract_field(const ptx::Instruction& instruction);
  bool insert_field(const ptx::Instruction& instruction);
  bool count_bits(const ptx::Instruction& instruction);

  // translate_compare.cpp
  bool set_predicate(const ptx::Instruction& instruction);
  bool set_value(const ptx::Instruction& instruction);
  bool select(const ptx::Instruction& instruction);
  bool select_by_sign(const ptx::Instruction& instruction);
  bool minimum_or_maximum(const ptx::Instruction& instruction);
  llvm::Value* comparison(const ptx::Instruction& instruction);
  llvm::Value* combine(const ptx::Instruction& instruction, llvm::Value* compared);

  // translate_moves.cpp
  bool move(const ptx::Instruction& instruction);
  bool move_elements(const ptx::Instruction& instruction);
  bool pack(const ptx::Instruction& instruction);
  bool unpack(const ptx::Instruction& instruction);
  bool convert(const ptx::Instruction& instruction);
  bool convert_address(const ptx::Instruction& instruction);

  // translate_memory.cpp
  bool load(const ptx::Instruction& instruction);
  bool store(const ptx::Instruction& instruction);
  void note_access(const ptx::Operand& address);
  llvm::Value* address(const ptx::Operand& operand);
  llvm::Value* loaded(const ptx::Instruction& instruction, const ptx::Operand& operand, int64_t offset, unsigned bits);

  // Sources by position after the destination; false if one has no value.
  bool read_sources(const ptx::Instruction& instruction, unsigned bits, std::vector<llvm::Value*>& values);
  // Writes a destination register, which may be wider than the value, unless the guard forbids it.
  void write(const ptx::Operand& destination, llvm::Value* value, bool is_signed = false);
  void write_slot(uint32_t slot, llvm::Value* value);
  void write_unknown(const ptx::Instruction& instruction);
  void guarded_write(uint32_t id, llvm::Value* value);
  uint32_t slot_id(uint32_t slot) const { return function_.registers + slot; }
  const ptx::Operand& operand(const ptx::Instruction& instruction, uint32_t i) const {
    return function_.begin(instruction)[i];
  }

  const ptx::Module& module_;
  const ptx::Function& function_;
  const MemorySlots& slots_;
  Emitter& emitter_;
  Registers& registers_;
  LaunchValues& launch_;
  llvm::Value* guard_ = nullptr;  // of the instruction being lifted
  std::unordered_map<const ptx::Form*, Handler> handlers_;
};

bool is_signed(ptx::Type type);
inline unsigned width(ptx::Type type) { return static_cast<unsigned>(ptx::bits(type)); }

}  // namespace warpspan::lift
