// Integer arithmetic, PTX ISA 9.7.1. All of it wraps; nothing is marked nsw or nuw.
#include "frontend/lift/translator.hpp"

namespace warpspan::lift {

bool Translator::add_or_subtract(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  std::vector<llvm::Value*> v;
  if (!is_integer(form.type()) || form.has("sat") || !read_sources(instruction, width(form.type()), v)) return false;
  const bool adds = form.opcode->name == "add";
  write(operand(instruction, 0), adds ? emitter_.ir.CreateAdd(v[0], v[1]) : emitter_.ir.CreateSub(v[0], v[1]));
  return true;
}

// The part "lo", "hi" or "wide" of a product.
llvm::Value* Translator::product(std::string_view part, ptx::Type type, llvm::Value* a, llvm::Value* b) {
  if (part == "lo") return emitter_.ir.CreateMul(a, b);
  const unsigned bits = width(type);
  llvm::Value* wide = emitter_.ir.CreateMul(emitter_.resize(a, 2 * bits, is_signed(type)),
                                            emitter_.resize(b, 2 * bits, is_signed(type)));
  if (part == "wide") return wide;
  return emitter_.ir.CreateTrunc(emitter_.ir.CreateLShr(wide, bits), emitter_.type(bits));
}

// mul and mad with .lo, .hi and .wide.
bool Translator::multiply(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  const std::string_view part = form.opcode->name.substr(4);
  const unsigned bits = width(form.type());
  if (!is_integer(form.type()) || form.has("sat")) return false;
  llvm::Value* a = read(operand(instruction, 1), bits);
  llvm::Value* b = read(operand(instruction, 2), bits);
  if (a == nullptr || b == nullptr) return false;
  llvm::Value* result = product(part, form.type(), a, b);
  if (instruction.operand_count > 3) {
    llvm::Value* addend = read(operand(instruction, 3), part == "wide" ? 2 * bits : bits);
    if (addend == nullptr) return false;
    result = emitter_.ir.CreateAdd(result, addend);
  }
  write(operand(instruction, 0), result);
  return true;
}

// 24-bit factors; .lo is the lower, .hi the upper 32 bits of their 48-bit product.
bool Translator::multiply24(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  std::vector<llvm::Value*> v;
  if (width(form.type()) != 32 || form.has("sat") || !read_sources(instruction, 32, v)) return false;
  auto& ir = emitter_.ir;
  for (size_t i = 0; i < 2; ++i) {
    v[i] = emitter_.resize(ir.CreateTrunc(v[i], emitter_.type(24)), 64, is_signed(form.type()));
  }
  const bool high = form.opcode->name.ends_with(".hi");
  llvm::Value* wide = ir.CreateMul(v[0], v[1]);
  llvm::Value* result = ir.CreateTrunc(high ? ir.CreateLShr(wide, 16) : wide, emitter_.type(32));
  if (v.size() > 2) result = ir.CreateAdd(result, v[2]);
  write(operand(instruction, 0), result);
  return true;
}

bool Translator::absolute_difference(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  std::vector<llvm::Value*> v;
  if (!is_integer(type) || !read_sources(instruction, width(type), v) || v.size() != 3) return false;
  auto& ir = emitter_.ir;
  llvm::Value* less = is_signed(type) ? ir.CreateICmpSLT(v[0], v[1]) : ir.CreateICmpULT(v[0], v[1]);
  llvm::Value* difference = ir.CreateSelect(less, ir.CreateSub(v[1], v[0]), ir.CreateSub(v[0], v[1]));
  write(operand(instruction, 0), ir.CreateAdd(difference, v[2]));
  return true;
}

// The result of a division by zero is not specified, nor is that of the least number by -1: LLVM must not conclude that
// they do not happen, so there the divisor is replaced and the result unknown.
bool Translator::divide(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  const unsigned bits = width(type);
  std::vector<llvm::Value*> v;
  if (!is_integer(type) || !read_sources(instruction, bits, v) || v.size() != 2) return false;
  auto& ir = emitter_.ir;
  llvm::Value* undefined = ir.CreateICmpEQ(v[1], emitter_.constant(bits, 0));
  if (is_signed(type)) {
    llvm::Value* least = emitter_.constant(bits, uint64_t{1} << (bits - 1));
    llvm::Value* overflows =
        ir.CreateAnd(ir.CreateICmpEQ(v[1], emitter_.constant(bits, UINT64_MAX)), ir.CreateICmpEQ(v[0], least));
    undefined = ir.CreateOr(undefined, overflows);
  }
  llvm::Value* divisor = ir.CreateSelect(undefined, emitter_.constant(bits, 1), v[1]);
  const bool divides = instruction.form->opcode->name == "div";
  llvm::Value* result = nullptr;
  if (is_signed(type)) {
    result = divides ? ir.CreateSDiv(v[0], divisor) : ir.CreateSRem(v[0], divisor);
  } else {
    result = divides ? ir.CreateUDiv(v[0], divisor) : ir.CreateURem(v[0], divisor);
  }
  write(operand(instruction, 0), ir.CreateSelect(undefined, emitter_.pure(bits, v), result));
  return true;
}

bool Translator::absolute_or_negate(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  std::vector<llvm::Value*> v;
  if (!is_signed(type) || !read_sources(instruction, width(type), v)) return false;
  auto& ir = emitter_.ir;
  llvm::Value* zero = emitter_.constant(width(type), 0);
  llvm::Value* negative = ir.CreateSub(zero, v[0]);
  const bool negates = instruction.form->opcode->name == "neg";
  write(operand(instruction, 0), negates ? negative : ir.CreateSelect(ir.CreateICmpSLT(v[0], zero), negative, v[0]));
  return true;
}

}  // namespace warpspan::lift
