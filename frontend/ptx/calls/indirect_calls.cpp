// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/calls/indirect_calls.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/calls/rewriting.hpp"
#include "frontend/ptx/calls/saved_registers.hpp"
#include "frontend/ptx/syntax/lexer.hpp"

namespace warpspan::ptx {

namespace {

bool is_indirect(const Function& function, const Instruction& instruction) {
  return is_call(instruction) && called_function(function, instruction) == none;
}

int64_t bytes_of(Type type, uint32_t count) { return int64_t{std::max(bits(type), 8)} / 8 * count; }

bool has_indirect_call(const Function& function) {
  return std::any_of(function.instructions.begin(), function.instructions.end(),
                     [&function](const Instruction& i) { return is_indirect(function, i); });
}

// Functions whose addresses the module takes, ascending.
std::set<uint32_t> functions_with_address(const Module& module) {
  std::set<uint32_t> taken;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.instructions) {
      if (is_call(instruction)) continue;
      const Operand* begin = function.begin(instruction);
      for (uint32_t i = 0; i < instruction.operand_count; ++i) {
        if (begin[i].kind == Operand::Kind::function) taken.insert(begin[i].index);
        if (begin[i].kind != Operand::Kind::vector) continue;
        for (uint32_t e = 0; e < begin[i].count; ++e) {
          const Operand& element = function.elements(begin[i])[e];
          if (element.kind == Operand::Kind::function) taken.insert(element.index);
        }
      }
    }
  }
  std::map<std::string_view, uint32_t> by_name;
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    const Function& function = module.functions[i];
    by_name.emplace(function.name, function.alias_of == none ? i : function.alias_of);
  }
  for (const Variable& variable : module.variables) {
    if (variable.initial_begin == variable.initial_end) continue;
    const std::string_view text = module.source->text();
    const support::SourceFile initial(
        "", std::string(text.substr(variable.initial_begin, variable.initial_end - variable.initial_begin)));
    Lexer lexer(initial);
    for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) {
      if (token.kind != Token::Kind::identifier) continue;
      const auto known = by_name.find(token.text);
      if (known != by_name.end()) taken.insert(known->second);
    }
  }
  return taken;
}

// The indirect calls of a function, direct.
class DirectCalls : public Rewriting {
 public:
  DirectCalls(Module& module, const std::set<uint32_t>& taken, Function& function)
      : Rewriting(module, function), taken_(taken) {}

  // Adds the functions that it calls to `called`, and the calls to `calls`.
  void run(uint32_t caller, std::set<uint32_t>& called, std::vector<IndirectCall>& calls) {
    std::vector<uint32_t> places;
    for (size_t i = 0; i < old_.size(); ++i) {
      const Instruction& instruction = old_[i];
      places.push_back(next());
      std::vector<uint32_t> targets;
      if (is_indirect(function_, instruction)) {
        targets = targets_of(instruction);
        const uint32_t behind = i + 1 < old_.size() ? old_[i + 1].offset : function_.end_offset;
        calls.push_back({caller, line_of(instruction.offset), line_of(behind), targets});
      }
      called.insert(targets.begin(), targets.end());
      if (targets.empty()) {
        function_.instructions.push_back(instruction);
      } else {
        expand(instruction, targets);
      }
    }
    places.push_back(next());
    move_labels(places);
  }

 private:
  uint32_t line_of(uint32_t offset) const { return static_cast<uint32_t>(module_.source->locate(offset).line); }

  struct Parts {
    const Operand* target = nullptr;
    const Operand* results = nullptr;
    const Operand* arguments = nullptr;
    const Operand* table = nullptr;
  };

  Parts parts_of(const Instruction& call) const {
    Parts parts;
    const Operand* begin = function_.begin(call);
    for (uint32_t i = 0; i < call.operand_count; ++i) {
      const Operand& operand = begin[i];
      if (operand.kind == Operand::Kind::list) (parts.target == nullptr ? parts.results : parts.arguments) = &operand;
      if (operand.kind == Operand::Kind::table) parts.table = &operand;
      if (operand.kind == Operand::Kind::reg) parts.target = &operand;
    }
    return parts;
  }

  bool fits(const Function& callee, const Parameter& formal, const Operand& actual) const {
    const bool is_variable = formal.variable != none;
    const int64_t bytes = is_variable ? module_.variables[formal.variable].bytes
                                      : bytes_of(callee.register_type(formal.reg), callee.vector_size(formal.reg));
    if (actual.kind == Operand::Kind::variable) return module_.variables[actual.index].bytes == bytes;
    if (actual.kind != Operand::Kind::reg) return true;
    return bytes_of(function_.register_type(actual.index), std::max(actual.count, 1U)) == bytes;
  }

  bool fit(const Function& callee, const std::vector<Parameter>& formal, const Operand* actual) const {
    const size_t count = actual == nullptr ? 0 : actual->count;
    if (formal.size() != count) return false;
    for (size_t i = 0; i < count; ++i) {
      if (!fits(callee, formal[i], function_.elements(*actual)[i])) return false;
    }
    return true;
  }

  std::vector<uint32_t> targets_of(const Instruction& call) {
    const Parts parts = parts_of(call);
    if (parts.target == nullptr || parts.table == nullptr) return {};
    const Table& table = function_.tables[parts.table->index];
    const auto is_possible = [&](uint32_t f) {
      const Function& callee = module_.functions[f];
      return !callee.is_entry && fit(callee, callee.results, parts.results) &&
             fit(callee, callee.parameters, parts.arguments);
    };
    std::vector<uint32_t> targets;
    if (table.is_prototype) {
      std::copy_if(taken_.begin(), taken_.end(), std::back_inserter(targets), is_possible);
      function_.pointed.insert(function_.pointed.end(), targets.begin(), targets.end());
    } else {
      const std::set<uint32_t> listed(table.functions.begin(), table.functions.end());
      std::copy_if(listed.begin(), listed.end(), std::back_inserter(targets), is_possible);
    }
    return targets;
  }

  void expand(const Instruction& call, const std::vector<uint32_t>& targets) {
    const Parts parts = parts_of(call);
    const Operand address = *parts.target;
    std::vector<Operand> before, behind;
    if (parts.results != nullptr) before.push_back(*parts.results);
    if (parts.arguments != nullptr) behind.push_back(*parts.arguments);
    const bool is_wide = bits(function_.register_type(address.index)) == 64;
    const Type type = is_wide ? Type::u64 : Type::u32;
    const Form* move = module_.forms->find(is_wide ? "mov.u64" : "mov.u32");
    const Form* differs = module_.forms->find(is_wide ? "setp.ne.u64" : "setp.ne.u32");
    const uint32_t end = add_label(call.offset);
    if (call.guard != none) {
      Instruction& around = emit_branch(call, end);
      around.guard = call.guard;
      around.guard_negated = !call.guard_negated;
    }
    for (const uint32_t target : targets) {
      Operand function;
      function.kind = Operand::Kind::function;
      function.role = Role::read;
      function.index = target;
      const bool is_last = target == targets.back();
      const uint32_t other = is_last ? none : add_label(call.offset);
      if (!is_last) {
        const uint32_t own = add_register(type);
        const uint32_t is_other = add_register(Type::pred);
        emit(call, move, {reg(own, type, Role::write), function});
        emit(call, differs,
             {reg(is_other, Type::pred, Role::write), reg(address.index, address.type, Role::read),
              reg(own, type, Role::read)});
        emit_branch(call, other).guard = is_other;
      }
      std::vector<Operand> operands = before;
      function.role = address.role;
      operands.push_back(function);
      operands.insert(operands.end(), behind.begin(), behind.end());
      emit(call, call.form, operands).stays_call = true;
      if (is_last) continue;
      emit_branch(call, end);
      function_.labels[other].instruction = next();
    }
    function_.labels[end].instruction = next();
  }

  const std::set<uint32_t>& taken_;
};

}  // namespace

std::vector<IndirectCall> make_calls_direct(Module& module) {
  std::vector<IndirectCall> calls;
  if (std::none_of(module.functions.begin(), module.functions.end(), has_indirect_call)) return calls;
  const std::set<uint32_t> taken = functions_with_address(module);
  std::set<uint32_t> called;
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    Function& function = module.functions[i];
    if (has_indirect_call(function)) DirectCalls(module, taken, function).run(i, called, calls);
  }
  save_registers(module, called);
  return calls;
}

}  // namespace warpspan::ptx
