// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/steps.hpp"

#include <utility>

namespace warpspan::sass {

using ir::Computation;
using Kind = ir::Operand::Kind;

ir::Operand value_of(ir::RegisterId reg) {
  ir::Operand operand;
  operand.kind = Kind::reg;
  operand.index = reg;
  return operand;
}

ir::Operand number(int64_t value) {
  ir::Operand operand;
  operand.kind = Kind::integer;
  operand.value = value;
  return operand;
}

ir::Operand special(ir::SpecialValue which, uint8_t component) {
  ir::Operand operand;
  operand.kind = Kind::special;
  operand.index = static_cast<uint32_t>(which);
  operand.component = component;
  return operand;
}

ir::Semantics pure(Computation computation, uint16_t bits, bool is_signed) {
  ir::Semantics semantics;
  semantics.computation = computation;
  semantics.pure = true;
  semantics.bits = bits;
  semantics.is_signed = is_signed;
  return semantics;
}

Steps::Steps(ir::Body& body, std::vector<uint16_t> register_bits) : body_(body) {
  body_.kernel.registers = static_cast<uint32_t>(register_bits.size());
  body_.kernel.register_bits = std::move(register_bits);
}

void Steps::begin(const std::string& text, uint32_t line, uint32_t offset, StepGuard guard) {
  text_ = text;
  line_ = line;
  offset_ = offset;
  guard_ = guard;
}

ir::RegisterId Steps::temporary(uint16_t bits) {
  body_.kernel.register_bits.push_back(bits);
  return body_.kernel.registers++;
}

ir::Operand Steps::compute(const ir::Semantics& semantics, uint16_t result_bits,
                           const std::vector<ir::Operand>& sources) {
  const ir::Operand result = value_of(temporary(result_bits));
  ir::Operation operation;
  operation.semantics = semantics;
  add_step(std::move(operation), sources, {result}, {});
  body_.instructions.back().used_where = guard_.predicate;
  body_.instructions.back().used_negated = guard_.negated;
  return result;
}

ir::Operand Steps::add(const ir::Operand& a, const ir::Operand& b, uint16_t bits) {
  if (a.kind == Kind::integer && a.value == 0) return b;
  if (b.kind == Kind::integer && b.value == 0) return a;
  return compute(pure(Computation::add, bits), bits, {a, b});
}

ir::Operand Steps::combine(const ir::Operand& low, const ir::Operand& high) {
  if (low.kind == Kind::integer && high.kind == Kind::integer) {
    return number(static_cast<int64_t>(static_cast<uint64_t>(high.value) << 32 | static_cast<uint32_t>(low.value)));
  }
  return compute(pure(Computation::copy, 64), 64, {vector({low, high})});
}

ir::Operand Steps::extend(const ir::Operand& low, bool is_signed) {
  if (low.kind == Kind::integer) {
    return number(is_signed ? static_cast<int32_t>(low.value) : static_cast<int64_t>(static_cast<uint32_t>(low.value)));
  }
  ir::Semantics semantics = pure(Computation::convert, 32, is_signed);
  semantics.result_bits = 64;
  return compute(semantics, 64, {low});
}

ir::Operand Steps::low_of(const ir::Operand& wide) {
  if (wide.kind == Kind::integer) return number(static_cast<int64_t>(static_cast<uint32_t>(wide.value)));
  ir::Semantics semantics = pure(Computation::convert, 64);
  semantics.result_bits = 32;
  return compute(semantics, 32, {wide});
}

ir::Operand Steps::high_of(const ir::Operand& wide) {
  if (wide.kind == Kind::integer) return number(static_cast<int64_t>(static_cast<uint64_t>(wide.value) >> 32));
  return low_of(compute(pure(Computation::shift_right, 64), 64, {wide, number(32)}));
}

void Steps::set(ir::RegisterId result, const ir::Operand& value) {
  ir::Operation operation;
  operation.semantics = pure(Computation::copy, body_.kernel.register_bits[result]);
  add_step(std::move(operation), {value}, {value_of(result)}, guard_);
}

void Steps::set_always(ir::RegisterId result, const ir::Operand& value) {
  ir::Operation operation;
  operation.semantics = pure(Computation::copy, body_.kernel.register_bits[result]);
  add_step(std::move(operation), {value}, {value_of(result)}, {});
}

void Steps::add_step(ir::Operation operation, const std::vector<ir::Operand>& sources,
                     const std::vector<ir::Operand>& results) {
  add_step(std::move(operation), sources, results, guard_);
}

void Steps::add_step(ir::Operation operation, const std::vector<ir::Operand>& sources,
                     const std::vector<ir::Operand>& results, StepGuard guard) {
  operation.text = text_;
  ir::Instruction instruction;
  instruction.operation = static_cast<uint32_t>(body_.kernel.operations.size());
  instruction.guarded = guard.predicate != ir::no_register;
  instruction.line = line_;
  body_.kernel.operations.push_back(std::move(operation));
  body_.kernel.instructions.push_back(instruction);
  ir::OperandRange range;
  range.first = static_cast<uint32_t>(body_.operands.size());
  range.sources = static_cast<uint16_t>(sources.size());
  range.results = static_cast<uint16_t>(results.size());
  range.guard = guard.predicate;
  range.guard_negated = guard.negated;
  range.offset = offset_;
  body_.operands.insert(body_.operands.end(), sources.begin(), sources.end());
  body_.operands.insert(body_.operands.end(), results.begin(), results.end());
  body_.instructions.push_back(range);
}

ir::Operand Steps::with_elements(Kind kind, const std::vector<ir::Operand>& elements) {
  ir::Operand operand;
  operand.kind = kind;
  operand.index = static_cast<uint32_t>(body_.operands.size());
  operand.count = static_cast<uint32_t>(elements.size());
  body_.operands.insert(body_.operands.end(), elements.begin(), elements.end());
  return operand;
}

ir::Operand Steps::vector(const std::vector<ir::Operand>& elements) { return with_elements(Kind::vector, elements); }

ir::Operand Steps::address(const ir::Operand& base, int64_t offset) {
  ir::Operand operand = with_elements(Kind::address, {base});
  operand.value = offset;
  return operand;
}

}  // namespace warpspan::sass
