// SPDX-License-Identifier: GPL-3.0-or-later
// Code made ready to be executed: what each instruction does is looked up once, and constants that it reads are there
// as values of lanes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "frontend/sass/execution/lanes.hpp"
#include "frontend/sass/words/code.hpp"
#include "ir/kernel.hpp"

namespace warpspan::execution {

class Operands;
class Warp;

// What an instruction without memory, control flow or other lanes does to the lanes that execute it.
using Action = void (*)(Operands&);
// What one with them does.
using Effect = void (Warp::*)();

// How a warp goes on behind an instruction.
enum class Flow : uint8_t {
  next,
  branch,
  exit,
  call,  // CALL, RET
  barrier_register,
  wait_for_lanes,
  wait_for_block,
  trap,
  outside,  // a call of a function that the file does not have
};

// Where an access to memory goes.
enum class Space : uint8_t { global, shared, local, generic };

inline constexpr size_t modifiers = 0
#define SASS_MODIFIER(enumerator, values, what) +1
#include "frontend/sass/words/modifiers.def"
#undef SASS_MODIFIER
    ;

// Where values come from that decide what is done: none of these but from the launch.
using Origins = uint32_t;
inline constexpr Origins of_memory = 1;   // loaded
inline constexpr Origins of_unknown = 2;  // a parameter that has no value

// Registers of all classes by one number, for what is known of each as a whole.
inline constexpr uint16_t uniform_base = 256, predicate_base = 512, uniform_predicate_base = 520, tracked = 528;

struct Ready {
  const sass::Instruction* instruction = nullptr;
  ir::InstructionId id = ir::no_instruction;  // of the kernel that timing sees
  Action action = nullptr;
  Effect effect = nullptr;  // neither: it takes time only
  Flow flow = Flow::next;
  bool known = true;  // what it does
  uint32_t target = 0;
  uint8_t address = 0;  // which operand: the operand count if there is none
  Space space = Space::global;
  std::array<uint16_t, modifiers> modifier{};
  // Of operands that are immediates, constants at fixed places or zero registers: their value, and of wide ones the
  // upper half.
  std::array<const Words*, sass::most_operands> fixed{}, fixed_high{};
  std::vector<uint16_t> reads, writes;  // registers, as numbers above
  Origins constants = 0;                // of the constants at fixed places that it reads
  std::vector<uint16_t> address_reads;  // those that decide where an access goes, and whether
};

// Bytes of a constant bank; beyond them there are zeros.
struct Bank {
  std::vector<uint8_t> bytes;
  std::vector<bool> unknown;  // by byte; those beyond are known
  void put(uint64_t offset, uint64_t value, unsigned size);
  uint32_t word(uint64_t offset) const;
  void set_unknown(uint64_t offset);
  Origins origins(uint64_t offset, unsigned size) const;
  uint8_t byte(uint64_t offset) const { return offset < bytes.size() ? bytes[offset] : 0; }
};
using Banks = std::map<uint32_t, Bank>;

class Program {
 public:
  // ids: by instruction of the code. The code lives longer.
  Program(const sass::Code& code, const Banks& banks, const std::vector<ir::InstructionId>& ids);

  const Ready& operator[](uint32_t number) const { return instructions_[number]; }
  uint32_t size() const { return static_cast<uint32_t>(instructions_.size()); }
  const sass::Code& code() const { return code_; }

 private:
  void prepare(uint32_t index, const Banks& banks);
  void prepare_operand(Ready& ready, size_t index, const Banks& banks);
  void prepare_flow(Ready& ready, uint32_t index);
  const Words* words(uint32_t value);

  const sass::Code& code_;
  std::vector<Ready> instructions_;
  std::vector<sass::Instruction> filled_;  // with the addresses that a loader fills in
  std::map<uint32_t, const Words*> known_words_;
  std::deque<Words> pool_;
};

}  // namespace warpspan::execution
