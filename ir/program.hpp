// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel with the operands of its instructions: what has to be known to tell what it computes. Made by a front-end
// for the analyses of control flow; timing needs only the ir::Kernel.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "ir/parameter_names.hpp"
#include "support/source_file.hpp"

namespace warpspan::ir {

using VariableId = uint32_t;
inline constexpr uint32_t no_parameter = UINT32_MAX;

// A variable of the program, or a parameter. Each belongs to one name in the file, however many bodies mention it.
struct Variable {
  std::string name;
  std::string type;  // of its elements, for messages
  MemorySpace space = MemorySpace::none;
  bool is_integer = false;            // its elements are integers
  int element_bits = 0;               // 0 for types without bits
  int64_t bytes = 0;                  // 0 if the launch tells how many
  uint32_t parameter = no_parameter;  // its index among the parameters of the kernel
  // Of global and constant memory: no code of the file stores to it, or has its address where that would not be seen.
  bool is_never_stored = false;
  std::vector<uint8_t> initial = {};  // the bytes that it starts with, where they may be trusted; else empty
};

// A kernel's parameter, and not one of a call.
inline bool is_kernel_parameter(const Variable& variable) { return variable.parameter != no_parameter; }
// Whether each thread has one of its own: local memory, or a parameter of a call.
inline bool is_private(const Variable& variable) {
  return variable.space == MemorySpace::local ||
         (variable.space == MemorySpace::parameter && !is_kernel_parameter(variable));
}

// Whether all threads of the GPU share it: global or constant memory.
inline bool is_of_file(const Variable& variable) {
  return variable.space == MemorySpace::global || variable.space == MemorySpace::constant;
}

// What a program can read that is neither a register nor memory.
enum class SpecialValue : uint8_t {
  thread_index,  // with components: of the thread in its block
  block_extent,  // with components: threads of a block
  block_index,   // with components: of the block in the grid
  grid_extent,   // with components: blocks of the grid
  lane,          // of the thread in its warp
  warp_uniform,  // the same for all lanes of a warp that read it at the same time, though not each time
  cycles32,      // the low 32 bits of a counter of the multiprocessor's cycles, each time anew
  cycles64,      // 64 bits of it
  shared_half,   // the upper half of generic addresses of shared memory, whose lower half is the address there
  unknown,
};
inline constexpr size_t special_values = static_cast<size_t>(SpecialValue::unknown) + 1;

struct Operand {
  enum class Kind : uint8_t {
    none,      // no value; a result is thrown away
    reg,       // index: register of the body
    integer,   // value
    floating,  // value: the bits of the double
    special,   // index: SpecialValue; component
    variable,  // the address of Program::variables[index] in its own space, plus value
    function,  // the address of Program::functions[index]
    vector,    // elements, the first the lowest
    address,   // of memory: the first element plus value bytes; then texture coordinates and the like
  };
  Kind kind = Kind::none;
  bool negated = false;   // a predicate
  uint8_t component = 0;  // 1..4: x, y, z, w; 0: all of them, or it has none
  uint32_t index = 0;     // see Kind; of kinds with elements the first of them in Body::operands
  uint32_t count = 0;     // of elements
  int64_t value = 0;
};

// The operands of an instruction as they are written down, in Body::operands: sources, then results; what is read and
// written is both. A flag that is not written down is neither: what reads one is not pure.
struct OperandRange {
  uint32_t first = 0;
  uint16_t sources = 0;
  uint16_t results = 0;
  RegisterId guard = no_register;  // the instruction is executed where it is true, or, negated, false
  bool guard_negated = false;
  bool used_negated = false;
  RegisterId used_where = no_register;  // of what has no guard: its results are used only where this is true, or false
  uint32_t offset = 0;                  // of the instruction in Program::source
};

// The code of a kernel, or of a function that its calls share, by itself. Control leaves it through calls and ends.
struct Body {
  Kernel kernel;                           // without functions; Block::callee tells which other body is called
  std::vector<OperandRange> instructions;  // by instruction of the kernel
  std::vector<Operand> operands;
  uint32_t offset = 0;           // of its name in Program::source
  bool is_machine_code = false;  // the machine issues what stands in a block only where control comes there
  // Where lanes that diverge at the end of a block reconverge.
  struct ReconvergencePoint {
    BlockId block = no_block;      // all of them, at the latest: a post-dominator; no_block: nowhere before they end
    std::vector<BlockId> earlier;  // where some of them may be
  };
  std::vector<ReconvergencePoint>
      reconvergence_points;  // by block; empty: at the immediate post-dominators, and nowhere before

  const Operation& operation(InstructionId i) const { return kernel.operation(kernel.instructions[i]); }
  std::span<const Operand> sources(InstructionId i) const {
    return {operands.data() + instructions[i].first, instructions[i].sources};
  }
  std::span<const Operand> results(InstructionId i) const {
    return {operands.data() + instructions[i].first + instructions[i].sources, instructions[i].results};
  }
  // Of a vector or address.
  std::span<const Operand> elements(const Operand& operand) const {
    return {operands.data() + operand.index, operand.count};
  }
};

inline bool has_elements(const Operand& operand) {
  return operand.kind == Operand::Kind::vector || operand.kind == Operand::Kind::address;
}

// The operands that a vector stands for; the operand itself otherwise.
inline std::span<const Operand> scalars(const Body& body, const Operand& operand) {
  if (operand.kind == Operand::Kind::vector) return body.elements(operand);
  return {&operand, 1};
}

enum class Use : uint8_t { read, written };

// Calls visit(register, use) for every register in an operand.
template <typename Visit>
void for_each_register(const Body& body, const Operand& operand, Use use, const Visit& visit) {
  if (operand.kind == Operand::Kind::reg) visit(operand.index, use);
  if (!has_elements(operand)) return;
  for (const Operand& element : body.elements(operand)) for_each_register(body, element, use, visit);
}

// Calls visit(register, use) for every register of an instruction: its guard, its sources, then its results.
template <typename Visit>
void for_each_register(const Body& body, InstructionId i, const Visit& visit) {
  if (body.instructions[i].guard != no_register) visit(body.instructions[i].guard, Use::read);
  for (const Operand& source : body.sources(i)) for_each_register(body, source, Use::read, visit);
  for (const Operand& result : body.results(i)) for_each_register(body, result, Use::written, visit);
}

struct Program {
  std::shared_ptr<const support::SourceFile> source;
  std::vector<Variable> variables;     // the kernel's parameters first, in order, then those that are mentioned
  std::vector<std::string> functions;  // those whose addresses are taken
  uint32_t parameters = 0;             // how many of the variables
  // By SpecialValue, as the language writes them, for messages; empty where several are meant.
  std::array<std::string, special_values> special_names;
  std::vector<Body> bodies;  // the kernel's own, then those of its functions, in order

  // What the source calls the parameters; null where the code does not tell. The first call may read much.
  std::function<const ParameterNames*()> parameter_names = [] { return nullptr; };

  const std::string& name() const { return bodies.front().kernel.name; }
};

}  // namespace warpspan::ir
