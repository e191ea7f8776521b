// Logic, shifts and bit fields, PTX ISA 9.7.8 and 9.7.1.14 to 9.7.1.20.
#include <llvm/IR/Intrinsics.h>

#include "frontend/lift/translator.hpp"

namespace warpspan::lift {

namespace {

using Kind = ptx::Operand::Kind;

constexpr uint64_t ones(unsigned count) { return count >= 64 ? UINT64_MAX : (uint64_t{1} << count) - 1; }

// A function of two inputs by its truth table: bit 2a+b is the result for inputs a and b.
llvm::Value* table2(Emitter& emitter, unsigned table, llvm::Value* a, llvm::Value* b) {
  auto& ir = emitter.ir;
  if ((table & 8) != 0) return ir.CreateNot(table2(emitter, ~table & 15, a, b));
  switch (table & 7) {
    case 0: return emitter.constant(32, 0);
    case 1: return ir.CreateAnd(ir.CreateNot(a), ir.CreateNot(b));
    case 2: return ir.CreateAnd(ir.CreateNot(a), b);
    case 3: return ir.CreateNot(a);
    case 4: return ir.CreateAnd(a, ir.CreateNot(b));
    case 5: return ir.CreateNot(b);
    case 6: return ir.CreateXor(a, b);
    default: return ir.CreateNot(ir.CreateAnd(a, b));
  }
}

bool has_boolean(const ptx::Form& form) { return form.has("and") || form.has("or") || form.has("xor"); }

}  // namespace

bool Translator::logic(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  std::vector<llvm::Value*> v;
  if (!is_integer(type) && type != ptx::Type::pred) return false;
  if (!read_sources(instruction, width(type), v) || v.size() != 2) return false;
  const std::string_view name = instruction.form->opcode->name;
  auto& ir = emitter_.ir;
  write(operand(instruction, 0), name == "and"  ? ir.CreateAnd(v[0], v[1])
                                 : name == "or" ? ir.CreateOr(v[0], v[1])
                                                : ir.CreateXor(v[0], v[1]));
  return true;
}

// not inverts all bits; cnot is 1 for 0, else 0.
bool Translator::complement(const ptx::Instruction& instruction) {
  const unsigned bits = width(instruction.form->type());
  std::vector<llvm::Value*> v;
  if (bits == 0 || bits > 64 || !read_sources(instruction, bits, v)) return false;
  auto& ir = emitter_.ir;
  const bool all = instruction.form->opcode->name == "not";
  llvm::Value* is_zero = all ? nullptr : ir.CreateICmpEQ(v[0], emitter_.constant(bits, 0));
  write(operand(instruction, 0), all ? ir.CreateNot(v[0]) : emitter_.resize(is_zero, bits, false));
  return true;
}

// lop3: bit 4a+2b+c of the table is the result for inputs a, b and c.
bool Translator::three_input_logic(const ptx::Instruction& instruction) {
  if (has_boolean(*instruction.form) || instruction.operand_count != 5) return false;
  const ptx::Operand& table = operand(instruction, 4);
  llvm::Value* a = read(operand(instruction, 1), 32);
  llvm::Value* b = read(operand(instruction, 2), 32);
  llvm::Value* c = read(operand(instruction, 3), 32);
  if (table.kind != Kind::integer || a == nullptr || b == nullptr || c == nullptr) return false;
  auto& ir = emitter_.ir;
  const auto where_set = static_cast<unsigned>(table.value >> 4) & 15;
  const auto where_clear = static_cast<unsigned>(table.value) & 15;
  llvm::Value* set = table2(emitter_, where_set, b, c);
  llvm::Value* clear = table2(emitter_, where_clear, b, c);
  llvm::Value* result = nullptr;
  if (where_set == where_clear) {
    result = set;
  } else if (where_set == (~where_clear & 15)) {
    result = ir.CreateXor(a, clear);
  } else if (where_clear == 0) {
    result = ir.CreateAnd(a, set);
  } else if (where_set == 15) {
    result = ir.CreateOr(a, clear);
  } else {
    result = ir.CreateOr(ir.CreateAnd(a, set), ir.CreateAnd(ir.CreateNot(a), clear));
  }
  write(operand(instruction, 0), result);
  return true;
}

// Amounts beyond the width count as the width (PTX ISA 9.7.8.8), where LLVM's shifts would be undefined.
bool Translator::shift(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  const unsigned bits = width(type);
  llvm::Value* value = read(operand(instruction, 1), bits);
  llvm::Value* amount = read(operand(instruction, 2), 32);
  if (!is_integer(type) || value == nullptr || amount == nullptr) return false;
  auto& ir = emitter_.ir;
  llvm::Value* inside = ir.CreateICmpULT(amount, emitter_.constant(32, bits));
  llvm::Value* masked = emitter_.resize(ir.CreateAnd(amount, emitter_.constant(32, bits - 1)), bits, false);
  llvm::Value* shifted = nullptr;
  llvm::Value* beyond = emitter_.constant(bits, 0);
  if (instruction.form->opcode->name == "shl") {
    shifted = ir.CreateShl(value, masked);
  } else if (is_signed(type)) {
    shifted = ir.CreateAShr(value, masked);
    beyond = ir.CreateAShr(value, bits - 1);
  } else {
    shifted = ir.CreateLShr(value, masked);
  }
  write(operand(instruction, 0), ir.CreateSelect(inside, shifted, beyond));
  return true;
}

// shf shifts b:a; .l gives the upper, .r the lower 32 bits.
bool Translator::funnel_shift(const ptx::Instruction& instruction) {
  std::vector<llvm::Value*> v;
  if (!read_sources(instruction, 32, v) || v.size() != 3) return false;
  auto& ir = emitter_.ir;
  llvm::Value* most = emitter_.constant(32, 32);
  llvm::Value* amount = instruction.form->has("wrap") ? ir.CreateAnd(v[2], emitter_.constant(32, 31))
                                                      : ir.CreateSelect(ir.CreateICmpULT(v[2], most), v[2], most);
  amount = emitter_.resize(amount, 64, false);
  llvm::Value* both = ir.CreateOr(ir.CreateShl(emitter_.resize(v[1], 64, false), 32), emitter_.resize(v[0], 64, false));
  const bool left = instruction.form->opcode->name == "shf.l";
  llvm::Value* result = left ? ir.CreateLShr(ir.CreateShl(both, amount), 32) : ir.CreateLShr(both, amount);
  write(operand(instruction, 0), emitter_.resize(result, 32, false));
  return true;
}

// Fields whose position and length are constants inside the word.
bool Translator::extract_field(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  const unsigned bits = width(type);
  const ptx::Operand& first = operand(instruction, 2);
  const ptx::Operand& count = operand(instruction, 3);
  llvm::Value* value = read(operand(instruction, 1), bits);
  if (value == nullptr || first.kind != Kind::integer || count.kind != Kind::integer) return false;
  const auto position = static_cast<unsigned>(first.value & 255);
  const auto length = static_cast<unsigned>(count.value & 255);
  if (length == 0 || position + length > bits) return false;
  auto& ir = emitter_.ir;
  llvm::Value* top = ir.CreateShl(value, bits - position - length);
  write(operand(instruction, 0),
        is_signed(type) ? ir.CreateAShr(top, bits - length) : ir.CreateLShr(top, bits - length));
  return true;
}

bool Translator::insert_field(const ptx::Instruction& instruction) {
  const unsigned bits = width(instruction.form->type());
  const ptx::Operand& first = operand(instruction, 3);
  const ptx::Operand& count = operand(instruction, 4);
  llvm::Value* field = read(operand(instruction, 1), bits);
  llvm::Value* word = read(operand(instruction, 2), bits);
  if (field == nullptr || word == nullptr || first.kind != Kind::integer || count.kind != Kind::integer) return false;
  const auto position = static_cast<unsigned>(first.value & 255);
  const auto length = static_cast<unsigned>(count.value & 255);
  if (length == 0 || position + length > bits) return false;
  auto& ir = emitter_.ir;
  const uint64_t mask = ones(length) << position;
  llvm::Value* placed = ir.CreateAnd(ir.CreateShl(field, position), emitter_.constant(bits, mask));
  write(operand(instruction, 0), ir.CreateOr(placed, ir.CreateAnd(word, emitter_.constant(bits, ~mask))));
  return true;
}

// popc, clz, brev.
bool Translator::count_bits(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  std::vector<llvm::Value*> v;
  if (!is_integer(type) || !read_sources(instruction, width(type), v)) return false;
  auto& ir = emitter_.ir;
  const std::string_view name = instruction.form->opcode->name;
  llvm::Value* result = nullptr;
  if (name == "brev") {
    result = ir.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, v[0]);
  } else if (name == "popc") {
    result = emitter_.resize(ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, v[0]), 32, false);
  } else {
    result = emitter_.resize(ir.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, v[0], ir.getFalse()), 32, false);
  }
  write(operand(instruction, 0), result);
  return true;
}

}  // namespace warpspan::lift
