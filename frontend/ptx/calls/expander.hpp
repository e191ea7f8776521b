// SPDX-License-Identifier: GPL-3.0-or-later
// Copies bodies into one; see expand_calls.hpp. Only for what expands calls.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/calls/named_registers.hpp"
#include "frontend/ptx/syntax/ast.hpp"
#include "support/result.hpp"

namespace warpspan::ptx {

inline constexpr size_t most_instructions = 4'000'000;

// From an index into Module::functions to one into Function::shared.
using BodyMap = std::unordered_map<uint32_t, uint32_t>;

// Of the functions that were copied so far.
using NamedRegistersMap = std::unordered_map<const Function*, NamedRegisters>;

// Copies bodies into one function. Each copy of a body gets registers, labels and positions of its own; variables are
// shared by the copies of one function, which are never active at the same time.
class Expander {
 public:
  // `room` is how many instructions may still be made.
  Expander(const Module& module, const CallFacts& facts, const BodyMap& bodies, NamedRegistersMap& named, size_t room)
      : module_(module), facts_(facts), bodies_(bodies), named_(named), room_(room) {}

  support::Result<Function> run(const Function& function);

 private:
  using VariableMap = std::unordered_map<uint32_t, uint32_t>;  // formal parameter -> actual one

  // A value that goes from an actual parameter to a formal one, or back.
  struct Transfer {
    Operand formal;
    Operand actual;
    Type type = Type::none;
  };
  // One copy, and how its indices map into the result.
  struct Copy {
    const Function* function = nullptr;
    const NamedRegisters* named = nullptr;
    uint32_t first_register = 0;
    uint32_t first_label = 0;
    uint32_t first_table = 0;
    uint32_t first_position = 0;
    VariableMap variables;
    uint32_t next = 0;        // instruction to be copied
    uint32_t next_label = 0;  // to be placed
    // The call that it is in place of, what that gets back, and the labels behind the body and behind the call; a body
    // by itself has none of these.
    Instruction call;
    std::vector<Transfer> results;
    uint32_t back = none;
    uint32_t after = none;
    uint32_t inlined = none;  // index into Function::inlined of the result
  };
  // What a call passes and gets back, in the caller's terms.
  struct Call {
    Instruction origin;
    const Function* callee = nullptr;
    std::vector<Operand> results;
    std::vector<Operand> arguments;
    uint32_t after = none;  // a label, if the call is guarded
  };

  Copy begin_copy(const Function& f);
  const NamedRegisters& named_registers(const Function& f) { return named_.try_emplace(&f, f).first->second; }
  static uint32_t map_register(const Copy& c, uint32_t reg) { return c.first_register + c.named->number(reg); }
  void step();
  void end_copy();
  void end_call(const Copy& c);
  void copy_instruction(const Copy& c, const Instruction& instruction);
  void expand(const Copy& c, const Instruction& instruction);
  void inline_call(const Call& call);
  void keep(const Call& call, uint32_t body, uint32_t outside);
  uint32_t outside(uint32_t function);
  bool matches(const Call& call);
  std::optional<Transfer> transfer_between(const Parameter& formal, const Operand& actual, const Function& callee,
                                           uint32_t reg) const;
  void transfer(const Instruction& call, const Operand& to, const Operand& from, Type type);
  Operand map_operand(const Copy& c, Operand operand);
  std::vector<Operand> map_elements(const Copy& c, const Operand& list);
  Instruction& emit(const Instruction& origin, const Form* form, const std::vector<Operand>& operands);
  Instruction& emit_branch(const Instruction& origin, uint32_t label);
  uint32_t add_label(std::string_view name, uint32_t offset);
  uint32_t add_registers(Type type, uint32_t count);  // the first of them
  void place(uint32_t label) { out_.labels[label].instruction = static_cast<uint32_t>(out_.instructions.size()); }
  void fail(const Instruction& at, std::string message, std::string help = {}) {
    errors_.push_back(module_.source->error_at(at.offset, std::move(message), std::move(help)));
  }

  const Module& module_;
  const CallFacts& facts_;
  const BodyMap& bodies_;
  NamedRegistersMap& named_;
  size_t room_;
  Function out_;
  std::vector<Copy> active_;  // each in place of a call of the one before it
  support::Diagnostics errors_;
};

}  // namespace warpspan::ptx
