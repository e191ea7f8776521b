// SPDX-License-Identifier: GPL-3.0-or-later
// Lowers bodies; see lower.hpp. Only for what lowers.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "frontend/ptx/lowering/constant_operands.hpp"
#include "frontend/ptx/syntax/ast.hpp"
#include "ir/kernel.hpp"
#include "ir/program.hpp"

namespace warpspan::ptx {

// Numbers the variables and functions of a module that the bodies of one kernel mention.
class Mentioned {
 public:
  Mentioned(const Module& module, const Function& entry, ir::Program& program);

  ir::VariableId variable(uint32_t index);
  uint32_t function(uint32_t index);

 private:
  const Module& module_;
  ir::Program& program_;
  std::unordered_map<uint32_t, ir::VariableId> variables_;
  std::unordered_map<uint32_t, uint32_t> functions_;
};

// Appends the operands of a body's instructions to an ir::Body.
class OperandLowering {
 public:
  OperandLowering(const Function& function, Mentioned& mentioned, ir::Body& body)
      : function_(function), mentioned_(mentioned), body_(body) {}

  void append(const Instruction& instruction);

 private:
  void append_scalars(const Operand& operand, std::vector<ir::Operand>& list);
  ir::Operand lower(const Operand& operand);
  ir::Operand with_elements(ir::Operand::Kind kind, const std::vector<ir::Operand>& elements);

  const Function& function_;
  Mentioned& mentioned_;
  ir::Body& body_;
  std::vector<ir::Operand> sources_;
  std::vector<ir::Operand> results_;
};

// What of an instruction decides its operation, besides its form and the module.
struct Use {
  bool reads_special = false;
  bool reads_parameter = false;  // of the launch
  bool reads_launch = false;     // one of its dimensions
  bool reads_composed = false;   // a special register that several machine instructions read
  bool reads_clock = false;
  bool reads_constant = false;
  bool has_immediate = false;
  bool guarded = false;
  bool constant_mask = false;
  bool of_variable = false;
  bool far = false;
  bool ends_kernel = false;
  bool stays_call = false;
  bool awaits_all = false;
  bool integer_in_memory = false;
  int constant_words = 0;
  int constant_free = 0;
  int moves = 0;

  friend bool operator==(const Use&, const Use&) = default;
};

// Bodies are appended to one kernel.
class Lowering {
 public:
  Lowering(const Module& module, const Function& entry);

  void append(const Function& body);
  void append_shared(const Function& body);
  ir::Kernel result();

 private:
  void find_widths();
  void find_constants();
  void find_addresses(const std::vector<uint8_t>& writers);
  void lower_instructions();
  void lower_registers(const Instruction& instruction, ir::Instruction& lowered);
  void set_source_line(const Position& position, ir::Instruction& instruction);
  void collect(const Operand& operand, Role role);
  bool contains_constant(const Operand& operand) const;
  bool has_constant_mask(const Instruction& instruction) const;
  bool is_of_variable(const Operand& operand) const;
  template <typename Is>
  bool any_address(const Instruction& instruction, const Is& is) const;
  uint32_t operation_of(const Instruction& instruction, const ConstantOperands& constants, int moves);
  ir::Operation operation_from(const Form& form, const Use& use) const;
  uint32_t outside_call(const OutsideFunction& function);
  void measure_parameters(const Function& entry);
  void measure_shared_memory();
  void count_barriers(const Instruction& instruction);

  // lower_blocks.cpp
  ir::Transfer transfer_of(const Instruction& instruction) const;
  void find_blocks();
  void connect_blocks();

  const Module& module_;
  const Function* function_ = nullptr;  // the body being appended
  size_t first_instruction_ = 0;        // of it, in the kernel
  size_t first_block_ = 0;
  ir::RegisterId first_register_ = 0;
  ir::Kernel kernel_;
  std::vector<ir::RegisterId> reads_;
  std::vector<ir::RegisterId> writes_;
  Use use_;                     // of the instruction being lowered
  bool maps_doubles_ = false;   // .target map_f64_to_f32: operations on doubles are ones on floats
  std::vector<bool> constant_;  // registers of the body that contain the same constant in every execution
  std::vector<bool> address_;   // those that contain the address of a variable, or one next to it
  std::unordered_map<const Form*, std::vector<std::pair<Use, uint32_t>>> operations_;
  std::map<uint32_t, uint32_t> outside_calls_;  // operations, by index into Module::functions
  std::set<uint32_t> shared_variables_;
  std::map<uint32_t, uint16_t> source_files_;  // indices into Kernel::source_files, by Position::file
  std::vector<ir::BlockId> block_at_;          // block that begins at an instruction of the body, or no block
};

}  // namespace warpspan::ptx
