// SPDX-License-Identifier: GPL-3.0-or-later
// How values come to a called function and back, inlined and not.
#include <algorithm>
#include <string>

#include "frontend/ptx/calls/expander.hpp"

namespace warpspan::ptx {

// A copy of one value between a register or constant and a parameter variable or register, as the calling convention
// makes.
void Expander::transfer(const Instruction& call, const Operand& to, const Operand& from, Type type) {
  if (to.count > 1) {  // vector registers, element by element
    for (uint32_t i = 0; i < to.count; ++i) {
      Operand one = to, other = from;
      one.count = other.count = 1;
      one.index += i;
      other.index += i;
      transfer(call, one, other, type);
    }
    return;
  }
  const std::string suffix = ".b" + std::to_string(std::max(bits(type), 8));
  const auto address = [this](Operand variable) {
    variable.role = Role::read;
    out_.operands.push_back(variable);
    Operand operand;
    operand.kind = Operand::Kind::address;
    operand.role = Role::address;
    operand.index = static_cast<uint32_t>(out_.operands.size() - 1);
    operand.count = 1;
    return operand;
  };
  Operand destination = to;
  Operand source = from;
  source.role = Role::read;
  std::string word = "mov";
  if (to.kind == Operand::Kind::variable) {
    word = "st.param";
    destination = address(to);
  } else {
    destination.role = Role::write;
    if (from.kind == Operand::Kind::variable && module_.variables[from.index].space == ir::MemorySpace::parameter) {
      word = "ld.param";
      source = address(from);
    }
  }
  const Form* form = type == Type::pred ? module_.forms->find("mov.pred") : module_.forms->find(word + suffix);
  if (form == nullptr) return fail(call, "this argument or result has a type that cannot be passed");
  emit(call, form, {destination, source});
}

// How a value comes to a formal parameter, or from a formal result; nothing if the actual variable can be used in place
// of the formal one. A formal register is register `reg` of the result.
std::optional<Expander::Transfer> Expander::transfer_between(const Parameter& formal, const Operand& actual,
                                                             const Function& callee, uint32_t reg) const {
  Transfer result;
  result.actual = actual;
  if (formal.variable == none) {
    result.formal.kind = Operand::Kind::reg;
    result.formal.count = callee.vector_size(formal.reg);
    result.formal.index = reg;
    result.type = callee.register_type(formal.reg);
    return result;
  }
  if (actual.kind == Operand::Kind::variable) return std::nullopt;
  result.formal.kind = Operand::Kind::variable;
  result.formal.index = formal.variable;
  result.type = module_.variables[formal.variable].type;
  return result;
}

// The body follows the call, and formal variables are the actual ones.
void Expander::inline_call(const Call& call) {
  emit(call.origin, call.origin.form, {});
  const Function& f = *call.callee;
  const NamedRegisters& named = named_registers(f);
  VariableMap variables;
  std::vector<Transfer> results;
  for (const bool is_result : {false, true}) {
    const std::vector<Parameter>& formal = is_result ? f.results : f.parameters;
    const std::vector<Operand>& actual = is_result ? call.results : call.arguments;
    for (size_t i = 0; i < formal.size(); ++i) {
      if (actual[i].kind == Operand::Kind::sink) continue;
      // The registers of the copy are the next.
      const uint32_t reg = formal[i].variable == none ? out_.registers + named.number(formal[i].reg) : none;
      const auto copied = transfer_between(formal[i], actual[i], f, reg);
      if (!copied) {
        variables[formal[i].variable] = actual[i].index;
      } else if (is_result) {
        results.push_back(*copied);
      } else {
        transfer(call.origin, copied->formal, copied->actual, copied->type);
      }
    }
  }
  const uint32_t back = add_label("", call.origin.offset);
  Copy copy = begin_copy(f);
  copy.variables = std::move(variables);
  copy.call = call.origin;
  copy.results = std::move(results);
  copy.back = back;
  copy.after = call.after;
  copy.inlined = static_cast<uint32_t>(out_.inlined.size());
  const auto first = static_cast<uint32_t>(out_.instructions.size());
  out_.inlined.push_back({first, first, call.origin.offset, call.origin.position, active_.back().inlined});
  active_.push_back(std::move(copy));
}

// The call stays. A register of the caller stands for each register that the function takes or gives back.
void Expander::keep(const Call& call, uint32_t body, uint32_t outside) {
  const Function& f = *call.callee;
  std::vector<Operand> operands;
  std::vector<Transfer> results;
  for (const bool is_result : {true, false}) {
    const std::vector<Parameter>& formal = is_result ? f.results : f.parameters;
    const std::vector<Operand>& actual = is_result ? call.results : call.arguments;
    for (size_t i = 0; i < actual.size(); ++i) {
      if (actual[i].kind == Operand::Kind::sink) continue;
      operands.push_back(actual[i]);
      if (i < formal.size()) {
        const bool is_register = formal[i].variable == none;
        const uint32_t reg =
            is_register ? add_registers(f.register_type(formal[i].reg), f.vector_size(formal[i].reg)) : none;
        if (const auto copied = transfer_between(formal[i], actual[i], f, reg)) {
          operands.back() = copied->formal;
          if (is_result) results.push_back(*copied);
          if (!is_result) transfer(call.origin, copied->formal, copied->actual, copied->type);
        }
      }
      operands.back().role = is_result ? Role::write : Role::read;
    }
  }
  Instruction& emitted = emit(call.origin, call.origin.form, operands);
  emitted.body = body;
  emitted.outside = outside;
  for (const Transfer& result : results) transfer(call.origin, result.actual, result.formal, result.type);
  if (call.after != none) place(call.after);
}

}  // namespace warpspan::ptx
