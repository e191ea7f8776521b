// SPDX-License-Identifier: GPL-3.0-or-later
// Instruction words: what "ld.global.nc.v4.f32" means. PTX ISA 9.0, chapter 9.
//
// A module uses few distinct words many times, so a word is taken apart once, on first sight, and every instruction
// points to its Form. The opcode tables (opcodes/*.def, one per family) say for each opcode which operands are read or
// written and how its kind of operation follows from its modifiers and types.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/kernel.hpp"

namespace warpspan::ptx {

// Types of registers and variables, then those that only instructions name. PTX ISA 5.2.
enum class Type : uint8_t {
#define PTX_TYPE(enumerator, name, bits) enumerator,
#include "frontend/ptx/forms/types.def"
#undef PTX_TYPE
};
std::string_view to_string(Type type);
int bits(Type type);         // 1 for pred; 0 for none and for opaque types
bool is_integer(Type type);  // .b, .u and .s types of 8 to 64 bits

// How an operand is used.
enum class Role : uint8_t {
  read,
  write,
  read_write,
  address,  // of memory, in brackets
  target,   // the label of a branch
  targets,  // the list of labels of an indexed branch
  callee,   // of a call: a function, a prototype, a list of functions
};

// What may stand in an operand's place. See opcodes/README.md.
struct OperandRule {
  enum class Expected : uint8_t {
    anything,   // nothing is checked
    word_type,  // the word's type number `type_number`, or its last one
    twice,      // an integer type of twice the width of the word's first type
    fixed,      // `type`
    address,    // an integer of 32 or 64 bits
    number,     // an integer constant, 0 or more
  };
  Role role = Role::read;
  Expected expected = Expected::anything;
  uint8_t type_number = 0;
  Type type = Type::none;
  bool may_be_wider = false;     // the register, than the type
  bool may_be_packed = false;    // a vector whose elements have the bits of the type in sum
  bool may_be_vector = false;    // a vector of any length; each element is as the type says
  bool may_be_pair = false;      // "p|q": the second one is a predicate
  bool may_be_sink = false;      // "_"
  bool may_be_special = false;   // a special register
  bool may_be_symbol = false;    // a variable, function or label, for its address
  bool has_coordinates = false;  // of an address: "[texture, {x, y}]"
};

// One row of an opcode table.
struct Opcode {
  std::string_view name;      // with its required second parts: "add", "mul.lo", "mbarrier.try_wait"
  std::string_view operands;  // roles: see opcodes/README
  std::string_view section;   // of the PTX ISA
};

struct Form {
  std::string text;  // as written, without blanks
  const Opcode* opcode = nullptr;
  // As written, in order, without their dots; without types and without the opcode's own parts. They refer to `text`.
  std::vector<std::string_view> modifiers;
  std::vector<Type> types;  // in order: destination type first where there are two
  int vector_size = 1;      // .v2 .v4 .v8
  // What timing sees. bytes: one lane's access (type times vector size); 4 for texture and surface queries, 8 for
  // barrier objects, 128 for operations on whole cache lines and tensor maps. Where the word does not say: 32 for
  // fragments of wmma, 16 for ldmatrix, stmatrix and asynchronous copies (the most there can be), 16 for bulk copies
  // (their size is an operand). space: of the slower side where a copy names two; generic if none is named.
  ir::Operation operation;
  ir::Transfer transfer = ir::Transfer::fallthrough;  // a call that is inlined passes none on
  // The carry flag, an operand that is never written down: add.cc writes it, addc reads it. PTX ISA 9.7.2.
  bool reads_carry = false;
  bool writes_carry = false;
  // The memory spaces that modifiers name, in order: the first is that of the first address, and so on. A variable must
  // be of the space of its address.
  std::vector<ir::MemorySpace> spaces;
  // Entry n: the rules of n operands; a vector of another length where n are impossible. See rules().
  const std::vector<std::vector<OperandRule>>* rules_by_count = nullptr;

  bool has(std::string_view modifier) const;
  Type type() const { return types.empty() ? Type::none : types.front(); }
  // The rules of `count` operands by position, or nullptr if an instruction of this form cannot have so many operands.
  // A vector or pair is one operand: its role is that of all its elements. Whatever the role, what stands inside
  // brackets (a base register, texture coordinates) is read.
  const std::vector<OperandRule>* rules(size_t count) const;
  // The space of the n-th address of an instruction; none if the form does not tell.
  ir::MemorySpace space_of_address(size_t n) const;
  // The type that an operand of this form has by a rule; none if it is not checked.
  Type expected_type(const OperandRule& rule) const;
};

struct UnknownWord {
  std::string message;  // "unknown opcode 'addd'", "unknown modifier '.foo' of 'add'"
  std::string help;     // "did you mean 'add'?"; may be empty
  size_t offset = 0;    // of the offending part in the word: its dot; the word's end where something is missing there
};

class FormTable {
 public:
  FormTable();
  FormTable(const FormTable&) = delete;  // forms are referred to
  FormTable& operator=(const FormTable&) = delete;
  // The form of a word (without blanks), or nullptr: then error() says why. Forms live as long as the table. Modifiers
  // may stand in any order, as for ptxas; the opcode's own parts come first. Cost: one hash look-up after first sight.
  const Form* find(std::string_view word);
  // Why the last find() returned nullptr.
  const UnknownWord& error() const { return error_; }

 private:
  using RulesByCount = std::vector<std::vector<OperandRule>>;
  struct Slot {
    uint64_t hash = 0;
    const Form* form = nullptr;
  };

  const Form* add(std::string_view word, uint64_t hash);
  void insert(Slot slot);
  void grow();

  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
  std::vector<std::unique_ptr<Form>> forms_;
  std::unordered_map<std::string_view, std::unique_ptr<RulesByCount>> rules_;  // by the signs of an opcode row
  UnknownWord error_;
};

}  // namespace warpspan::ptx
