// Moves and conversions, PTX ISA 9.7.9.3, 9.7.9.20, 9.7.9.21.
#include "frontend/lift/operands.hpp"
#include "frontend/lift/translator.hpp"

namespace warpspan::lift {

namespace {

using Kind = ptx::Operand::Kind;

bool is_composite(const ptx::Operand& operand) {
  return operand.kind == Kind::vector || (operand.kind == Kind::reg && operand.count > 1);
}

// Whether a value of the type is what an integer literal in its place says.
bool takes_integers(ptx::Type type) { return is_integer(type) || type == ptx::Type::pred || type == ptx::Type::b128; }

ir::MemorySpace named_space(const ptx::Form& form) {
  using ir::MemorySpace;
  if (form.has("global")) return MemorySpace::global;
  if (form.has("const")) return MemorySpace::constant;
  if (form.has("local")) return MemorySpace::local;
  for (const std::string_view modifier : form.modifiers) {
    if (modifier.starts_with("shared")) return MemorySpace::shared;
    if (modifier.starts_with("param")) return MemorySpace::parameter;
  }
  return MemorySpace::none;
}

}  // namespace

bool Translator::move(const ptx::Instruction& instruction) {
  const ptx::Type type = instruction.form->type();
  if (instruction.operand_count != 2 || width(type) == 0) return false;
  const ptx::Operand& source = operand(instruction, 1);
  if (instruction.form->vector_size > 1) return move_elements(instruction);
  if (is_composite(operand(instruction, 0))) return unpack(instruction);
  if (is_composite(source)) return pack(instruction);
  if (source.kind == Kind::integer && !takes_integers(type)) return false;
  llvm::Value* value = read(source, width(type));
  if (value == nullptr) return false;
  write(operand(instruction, 0), value);
  return true;
}

// mov.v4.u32 of a vector or of a whole special register.
bool Translator::move_elements(const ptx::Instruction& instruction) {
  const unsigned bits = width(instruction.form->type());
  const std::vector<ptx::Operand> to = scalars(function_, operand(instruction, 0));
  std::vector<ptx::Operand> from = scalars(function_, operand(instruction, 1));
  if (from.size() == 1 && from[0].kind == Kind::special && from[0].component == 0 && to.size() <= 4) {
    from.resize(to.size(), from[0]);
    for (size_t i = 0; i < from.size(); ++i) from[i].component = static_cast<uint8_t>(i + 1);
  }
  std::vector<llvm::Value*> values;
  for (const ptx::Operand& element : from) values.push_back(read(element, bits));
  if (to.size() != from.size() || std::count(values.begin(), values.end(), nullptr) > 0) return false;
  for (size_t i = 0; i < to.size(); ++i) write(to[i], values[i]);
  return true;
}

// mov.b64 d, {a, b}: the first element is the lowest.
bool Translator::pack(const ptx::Instruction& instruction) {
  const unsigned bits = width(instruction.form->type());
  const std::vector<ptx::Operand> elements = scalars(function_, operand(instruction, 1));
  const auto part = bits / static_cast<unsigned>(elements.size());
  llvm::Value* result = emitter_.constant(bits, 0);
  for (unsigned i = 0; i < elements.size(); ++i) {
    llvm::Value* element = read(elements[i], part);
    if (element == nullptr) return false;
    result = emitter_.ir.CreateOr(result, emitter_.ir.CreateShl(emitter_.resize(element, bits, false), i * part));
  }
  write(operand(instruction, 0), result);
  return true;
}

bool Translator::unpack(const ptx::Instruction& instruction) {
  const unsigned bits = width(instruction.form->type());
  const std::vector<ptx::Operand> elements = scalars(function_, operand(instruction, 0));
  const auto part = bits / static_cast<unsigned>(elements.size());
  llvm::Value* whole = read(operand(instruction, 1), bits);
  if (whole == nullptr || part == 0) return false;
  for (unsigned i = 0; i < elements.size(); ++i) {
    write(elements[i], emitter_.resize(emitter_.ir.CreateLShr(whole, i * part), part, false));
  }
  return true;
}

// Between integers, without saturation: the source's signedness extends, the destination's fills a wider register.
bool Translator::convert(const ptx::Instruction& instruction) {
  const ptx::Form& form = *instruction.form;
  if (form.types.size() != 2 || !form.modifiers.empty() || instruction.operand_count != 2) return false;
  if (!is_integer(form.types[0]) || !is_integer(form.types[1])) return false;
  llvm::Value* value = read(operand(instruction, 1), width(form.types[1]));
  if (value == nullptr) return false;
  value = emitter_.resize(value, width(form.types[0]), is_signed(form.types[1]));
  write(operand(instruction, 0), value, is_signed(form.types[0]));
  return true;
}

// A generic address is that in a state space plus the start of the space's window.
bool Translator::convert_address(const ptx::Instruction& instruction) {
  const unsigned bits = width(instruction.form->type());
  const ir::MemorySpace space = named_space(*instruction.form);
  llvm::Value* value = instruction.operand_count == 2 ? read(operand(instruction, 1), bits) : nullptr;
  if (value == nullptr || space == ir::MemorySpace::none) return false;
  llvm::Value* window = launch_.window(space, bits);
  const bool to_generic = instruction.form->opcode->name == "cvta";
  write(operand(instruction, 0),
        to_generic ? emitter_.ir.CreateAdd(value, window) : emitter_.ir.CreateSub(value, window));
  return true;
}

}  // namespace warpspan::lift
