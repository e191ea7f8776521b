// Comparison and selection, PTX ISA 9.7.6, of integers.
#include <array>

#include "frontend/lift/operands.hpp"
#include "frontend/lift/translator.hpp"

namespace warpspan::lift {

namespace {

using Predicate = llvm::CmpInst::Predicate;

struct Comparison {
  std::string_view name;
  Predicate of_signed;
  Predicate of_unsigned;
};
constexpr std::array<Comparison, 10> comparisons = {{
    {"eq", Predicate::ICMP_EQ, Predicate::ICMP_EQ},
    {"ne", Predicate::ICMP_NE, Predicate::ICMP_NE},
    {"lt", Predicate::ICMP_SLT, Predicate::ICMP_ULT},
    {"le", Predicate::ICMP_SLE, Predicate::ICMP_ULE},
    {"gt", Predicate::ICMP_SGT, Predicate::ICMP_UGT},
    {"ge", Predicate::ICMP_SGE, Predicate::ICMP_UGE},
    {"lo", Predicate::ICMP_ULT, Predicate::ICMP_ULT},
    {"ls", Predicate::ICMP_ULE, Predicate::ICMP_ULE},
    {"hi", Predicate::ICMP_UGT, Predicate::ICMP_UGT},
    {"hs", Predicate::ICMP_UGE, Predicate::ICMP_UGE},
}};

std::optional<Predicate> predicate_of(const ptx::Form& form) {
  for (const Comparison& comparison : comparisons) {
    if (form.has(comparison.name)) return is_signed(form.types.back()) ? comparison.of_signed : comparison.of_unsigned;
  }
  return std::nullopt;
}

}  // namespace

// Operands 1 and 2, of the last type, compared.
llvm::Value* Translator::comparison(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  if (form.types.empty() || !is_integer(form.types.back()) || instruction.operand_count < 3) return nullptr;
  const auto predicate = predicate_of(form);
  llvm::Value* a = read(operand(instruction, 1), width(form.types.back()));
  llvm::Value* b = read(operand(instruction, 2), width(form.types.back()));
  return predicate && a != nullptr && b != nullptr ? emitter_.ir.CreateICmp(*predicate, a, b) : nullptr;
}

// .and, .or or .xor with the predicate that is operand 3.
llvm::Value* Translator::combine(const ptx::Instruction& instruction, llvm::Value* compared) {
  if (instruction.operand_count < 4) return compared;
  llvm::Value* with = read(operand(instruction, 3), 1);
  if (with == nullptr) return nullptr;
  if (instruction.form->has("and")) return emitter_.ir.CreateAnd(compared, with);
  if (instruction.form->has("or")) return emitter_.ir.CreateOr(compared, with);
  return instruction.form->has("xor") ? emitter_.ir.CreateXor(compared, with) : nullptr;
}

// p|q: q gets the opposite comparison, combined in the same way.
bool Translator::set_predicate(const ptx::Instruction& instruction) {
  llvm::Value* compared = comparison(instruction);
  if (compared == nullptr) return false;
  const std::vector<ptx::Operand> destinations = scalars(function_, operand(instruction, 0));
  llvm::Value* first = combine(instruction, compared);
  llvm::Value* second = destinations.size() > 1 ? combine(instruction, emitter_.ir.CreateNot(compared)) : nullptr;
  if (first == nullptr) return false;
  write(destinations[0], first);
  if (second != nullptr) write(destinations[1], second);
  return true;
}

// All bits or none, or 1.0 or 0.0.
bool Translator::set_value(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  const bool is_single = type == ptx::Type::f32;
  if (instruction.form->types.size() != 2 || (!is_single && !is_integer(type))) return false;
  llvm::Value* compared = comparison(instruction);
  llvm::Value* result = compared == nullptr ? nullptr : combine(instruction, compared);
  if (result == nullptr) return false;
  constexpr uint64_t one = 0x3f800000;
  const unsigned bits = width(type);
  llvm::Value* yes = emitter_.constant(bits, is_single ? one : UINT64_MAX);
  write(operand(instruction, 0), emitter_.ir.CreateSelect(result, yes, emitter_.constant(bits, 0)));
  return true;
}

bool Translator::select(const ptx::Instruction& instruction) {
  const unsigned bits = width(instruction.form->type());
  llvm::Value* yes = read(operand(instruction, 1), bits);
  llvm::Value* no = read(operand(instruction, 2), bits);
  llvm::Value* predicate = read(operand(instruction, 3), 1);
  if (yes == nullptr || no == nullptr || predicate == nullptr) return false;
  write(operand(instruction, 0), emitter_.ir.CreateSelect(predicate, yes, no));
  return true;
}

// slct: the first if the third is not negative.
bool Translator::select_by_sign(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  if (form.types.size() != 2 || form.types[1] != ptx::Type::s32) return false;
  const unsigned bits = width(form.type());
  llvm::Value* yes = read(operand(instruction, 1), bits);
  llvm::Value* no = read(operand(instruction, 2), bits);
  llvm::Value* sign = read(operand(instruction, 3), 32);
  if (yes == nullptr || no == nullptr || sign == nullptr) return false;
  llvm::Value* negative = emitter_.ir.CreateICmpSLT(sign, emitter_.constant(32, 0));
  write(operand(instruction, 0), emitter_.ir.CreateSelect(negative, no, yes));
  return true;
}

bool Translator::minimum_or_maximum(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  std::vector<llvm::Value*> v;
  if (!is_integer(form.type()) || !form.modifiers.empty() || !read_sources(instruction, width(form.type()), v))
    return false;
  if (v.size() != 2) return false;
  auto& ir = emitter_.ir;
  llvm::Value* less = is_signed(form.type()) ? ir.CreateICmpSLT(v[0], v[1]) : ir.CreateICmpULT(v[0], v[1]);
  const bool minimum = form.opcode->name == "min";
  write(operand(instruction, 0), minimum ? ir.CreateSelect(less, v[0], v[1]) : ir.CreateSelect(less, v[1], v[0]));
  return true;
}

}  // namespace warpspan::lift
