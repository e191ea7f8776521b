// SPDX-License-Identifier: GPL-3.0-or-later
// A PTX module after parsing: names resolved, operands known as read or written, nothing yet known of control flow.
//
// Everything is stored in flat arrays and referred to by index, so that a module of many megabytes costs few
// allocations. String views point into the text of the module's source file, which must outlive the module.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "frontend/ptx/forms/form.hpp"
#include "support/source_file.hpp"

namespace warpspan::ptx {

inline constexpr uint32_t none = UINT32_MAX;

enum class SpecialRegister : uint8_t {
#define SPECIAL_REGISTER(enumerator, name, components, value, place, cost) enumerator,
#include "frontend/ptx/forms/special_registers.def"
#undef SPECIAL_REGISTER
};

struct Operand {
  enum class Kind : uint8_t {
    reg,       // index: register of the function; value: an offset, while its instruction is parsed
    integer,   // value
    floating,  // value: the bits of the double (a 32-bit hexadecimal literal is widened)
    special,   // index: SpecialRegister
    variable,  // index: Module::variables
    function,  // index: Module::functions
    label,     // index: Function::labels
    table,     // index: Function::tables (.branchtargets, .calltargets, .callprototype)
    sink,      // "_"
    vector,    // elements
    pair,      // "p|q": two elements
    address,   // elements: the base (reg, variable or integer), then texture coordinates and the like; value: byte
               // offset
    list,      // a parenthesised list of call results or arguments: elements
  };
  Kind kind = Kind::integer;
  Role role = Role::read;
  bool negated = false;    // "!p"
  uint8_t component = 0;   // 1..4: .x .y .z .w (or .r .g .b .a) of a vector register or special register; 0: none
  uint32_t index = 0;      // see Kind; for kinds with elements: the first of them in Function::operands
  uint32_t count = 0;      // number of elements
  Type type = Type::none;  // of a register (of the elements of a vector register); of a constant: f32 and f64 if it was
                           // written as their bits, else none
  int64_t value = 0;
};

struct Instruction {
  const Form* form = nullptr;
  uint32_t first_operand = 0;  // in Function::operands
  uint16_t operand_count = 0;
  bool guard_negated = false;
  uint32_t guard = none;  // register
  // Of an expanded function: the register that stands for the carry flag.
  uint32_t carry_read = none;
  uint32_t carry_written = none;
  uint32_t offset = 0;       // of the first character, in the source file
  uint32_t position = none;  // index into Function::positions: the latest .loc before it
  uint32_t body = none;      // of a call in an expanded function: index into Function::shared
  uint32_t outside = none;   // or into Function::outside
  bool stays_call = false;   // a call that the assembler cannot inline: of an address, or recursive
  bool ends_call = false;    // of an expanded function: stands where a function that was copied returns
};

struct Label {
  std::string_view name;
  uint32_t instruction = 0;  // the label stands before it; may be one past the last
  uint32_t offset = 0;
};

// .branchtargets: labels. .calltargets: functions. .callprototype: neither.
struct Table {
  std::string_view name;
  std::vector<uint32_t> labels;
  std::vector<uint32_t> functions;
  bool is_prototype = false;
};

struct Variable {
  std::string_view name;
  ir::MemorySpace space = ir::MemorySpace::none;  // parameter for .param, also of kernels
  Type type = Type::none;
  int64_t alignment = 0;      // bytes
  int64_t bytes = 0;          // 0 for an .extern array without size
  uint32_t function = none;   // the function it is local to
  uint32_t parameter = none;  // its index among that kernel's or function's parameters
  // What stands behind '=', in the source file; empty if there is none.
  uint32_t initial_begin = 0;
  uint32_t initial_end = 0;
  // Of global memory: where something else than a load gets its address, in the source file.
  uint32_t stored_at = none;
};

// Registers of one declaration that are numbered in one declaration: one name, or prefix<count>.
struct RegisterRange {
  std::string_view prefix;
  bool numbered = false;
  Type type = Type::none;
  uint8_t vector_size = 1;
  uint32_t first = 0;  // register id of its first element; a vector register takes vector_size ids
  uint32_t count = 1;  // registers, vectors counted once
};

// A parameter or result of a function: a .param variable or a register.
struct Parameter {
  uint32_t variable = none;
  uint32_t reg = none;
};

// Where in the program an instruction comes from: .loc file line column.
struct Position {
  uint32_t file = 0;
  uint32_t line = 0;
};

// The copy of a body in place of a call, in an expanded function: from the first of its instructions to before the end.
struct InlinedCall {
  uint32_t first = 0;
  uint32_t end = 0;
  uint32_t offset = 0;       // of the call, in the source file
  uint32_t position = none;  // of the call, as Instruction::position
  uint32_t caller = none;    // the copy that the call is in: index into Function::inlined; none: in no copy
};

// A function without a body that an expanded one calls.
struct OutsideFunction {
  uint32_t function = none;  // index into Module::functions
  std::optional<ir::CallTime> time;
};

struct Function {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  uint32_t offset = 0;      // of its name
  uint32_t end_offset = 0;  // of the closing brace
  uint32_t alias_of =
      none;  // index into Module::functions: a declaration that is another name of that function (.alias)
  std::vector<Parameter> results;
  std::vector<Parameter> parameters;
  ir::LaunchBounds launch_bounds;

  std::vector<RegisterRange> register_ranges;  // ascending first
  uint32_t registers = 0;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<Label> labels;  // ascending instruction
  std::vector<Table> tables;
  std::vector<Position> positions;

  // Of an expanded kernel only: bodies that several of its calls run, each after those that it calls; functions without
  // a body that this body calls; copies of bodies in it; and whether it reports assertions that fail, which no shared
  // body does.
  std::vector<Function> shared;
  std::vector<OutsideFunction> outside;
  std::vector<InlinedCall> inlined;  // in the order of their beginnings: those of calls in a copy behind it
  std::vector<uint32_t> pointed;  // functions that it calls if their addresses come from this file (indirect_calls.hpp)
  bool has_assertions = false;
  bool saves_registers = false;  // its stores and loads of the registers that it saves are put in (saved_registers.hpp)
  int64_t level = 0;             // of a copy that stands for an activation of a recursive function (recursion.hpp)

  const Operand* begin(const Instruction& instruction) const { return operands.data() + instruction.first_operand; }
  const Operand* elements(const Operand& operand) const { return operands.data() + operand.index; }
  // Of a register, or of the elements of a vector register, and how many these are: 1 for any other.
  Type register_type(uint32_t reg) const;
  uint32_t vector_size(uint32_t reg) const;

 private:
  const RegisterRange* range_of(uint32_t reg) const;
};

// .section NAME { data }: where its data stands in the source file, without the braces.
struct Section {
  std::string_view name;
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct Module {
  std::shared_ptr<const support::SourceFile> source;
  std::shared_ptr<FormTable> forms;
  std::string_view version;               // "9.0"
  std::vector<std::string_view> targets;  // "sm_80", "debug", ...
  int address_size = 32;
  std::vector<Variable> variables;
  std::deque<Function> functions;  // kernels and device functions, in order; declarations without a body too
  std::map<uint32_t, std::string_view> files;  // by the number that Position::file has
  std::vector<Section> sections;               // of debug information: section_data.hpp reads what is in them
};

}  // namespace warpspan::ptx
