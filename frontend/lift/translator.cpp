#include "frontend/lift/translator.hpp"

#include <bit>
#include <cmath>

#include "frontend/lift/operands.hpp"

namespace warpspan::lift {

namespace {

using Kind = ptx::Operand::Kind;

// Whether the results of such an operation follow from its operands alone.
bool is_function_of_operands(const ptx::Form& form) {
  using enum ir::OperationKind;
  if (form.reads_carry) return false;
  switch (form.operation.kind) {
    case move:
    case int_add:
    case int_mul:
    case int_div:
    case logic:
    case shift:
    case bits:
    case compare:
    case video:
    case int64_add:
    case int64_mul:
    case int64_div:
    case int64_logic:
    case int64_shift:
    case int64_bits:
    case int64_compare:
    case fp16:
    case fp32:
    case fp32_div:
    case fp32_root:
    case fp64:
    case fp64_div:
    case fp64_root:
    case convert:
    case convert64:
    case special:
    case special_div: return true;
    default: return false;
  }
}

// The bits of a literal in an instruction of a type of that many bits.
std::optional<uint64_t> literal_bits(int64_t double_bits, unsigned bits) {
  const auto raw = static_cast<uint64_t>(double_bits);
  if (bits == 64) return raw;
  const double value = std::bit_cast<double>(raw);
  const auto single = static_cast<float>(value);
  if (bits != 32 || std::isnan(value) || static_cast<double>(single) != value) return std::nullopt;
  return std::bit_cast<uint32_t>(single);
}

}  // namespace

bool is_signed(ptx::Type type) {
  using ptx::Type;
  return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

Translator::Handler Translator::find_handler(const ptx::Form& form) {
  using T = Translator;
  static const std::unordered_map<std::string_view, Handler> handlers = {{"add", &T::add_or_subtract},
                                                                         {"sub", &T::add_or_subtract},
                                                                         {"mul.lo", &T::multiply},
                                                                         {"mul.hi", &T::multiply},
                                                                         {"mul.wide", &T::multiply},
                                                                         {"mad.lo", &T::multiply},
                                                                         {"mad.hi", &T::multiply},
                                                                         {"mad.wide", &T::multiply},
                                                                         {"mul24.lo", &T::multiply24},
                                                                         {"mul24.hi", &T::multiply24},
                                                                         {"mad24.lo", &T::multiply24},
                                                                         {"mad24.hi", &T::multiply24},
                                                                         {"sad", &T::absolute_difference},
                                                                         {"div", &T::divide},
                                                                         {"rem", &T::divide},
                                                                         {"abs", &T::absolute_or_negate},
                                                                         {"neg", &T::absolute_or_negate},
                                                                         {"min", &T::minimum_or_maximum},
                                                                         {"max", &T::minimum_or_maximum},
                                                                         {"and", &T::logic},
                                                                         {"or", &T::logic},
                                                                         {"xor", &T::logic},
                                                                         {"not", &T::complement},
                                                                         {"cnot", &T::complement},
                                                                         {"lop3", &T::three_input_logic},
                                                                         {"shl", &T::shift},
                                                                         {"shr", &T::shift},
                                                                         {"shf.l", &T::funnel_shift},
                                                                         {"shf.r", &T::funnel_shift},
                                                                         {"bfe", &T::extract_field},
                                                                         {"bfi", &T::insert_field},
                                                                         {"popc", &T::count_bits},
                                                                         {"clz", &T::count_bits},
                                                                         {"brev", &T::count_bits},
                                                                         {"setp", &T::set_predicate},
                                                                         {"set", &T::set_value},
                                                                         {"selp", &T::select},
                                                                         {"slct", &T::select_by_sign},
                                                                         {"mov", &T::move},
                                                                         {"cvt", &T::convert},
                                                                         {"cvta", &T::convert_address},
                                                                         {"cvta.to", &T::convert_address},
                                                                         {"ld", &T::load},
                                                                         {"ldu", &T::load},
                                                                         {"st", &T::store}};
  const auto found = handlers.find(form.opcode->name);
  return found == handlers.end() ? nullptr : found->second;
}

void Translator::translate(uint32_t index) {
  const ptx::Instruction& instruction = function_.instructions[index];
  emitter_.set_origin(index);
  guard_ = guard(instruction);
  const auto [known, is_new] = handlers_.try_emplace(instruction.form, nullptr);
  if (is_new) known->second = find_handler(*instruction.form);
  if (known->second == nullptr || !(this->*known->second)(instruction)) write_unknown(instruction);
}

llvm::Value* Translator::guard(const ptx::Instruction& instruction) {
  if (instruction.guard == ptx::none) return nullptr;
  if (registers_.bits(instruction.guard) != 1) return emitter_.opaque(1);
  llvm::Value* predicate = registers_.read(instruction.guard);
  return instruction.guard_negated ? emitter_.ir.CreateNot(predicate) : predicate;
}

llvm::Value* Translator::read(const ptx::Operand& operand, unsigned bits) {
  if (bits == 0) return nullptr;
  switch (operand.kind) {
    case Kind::reg: {
      const unsigned have = operand.count > 1 ? 0 : registers_.bits(operand.index);
      if (have < bits) return nullptr;
      llvm::Value* value = emitter_.ir.CreateTrunc(registers_.read(operand.index), emitter_.type(bits));
      return operand.negated ? emitter_.ir.CreateNot(value) : value;
    }
    case Kind::integer:
      if (bits == 1) return emitter_.constant(1, operand.value != 0 ? 1 : 0);
      return emitter_.constant(bits, static_cast<uint64_t>(operand.value));
    case Kind::floating: {
      const auto literal = literal_bits(operand.value, bits);
      return literal ? emitter_.constant(bits, *literal) : emitter_.pure(bits, {});
    }
    case Kind::special:
      return launch_.special(static_cast<ptx::SpecialRegister>(operand.index), operand.component, bits);
    case Kind::variable:
      return emitter_.ir.CreateAdd(launch_.variable_address(operand.index, bits),
                                   emitter_.constant(bits, static_cast<uint64_t>(operand.value)));
    case Kind::function: return launch_.function_address(operand.index, bits);
    default: return nullptr;
  }
}

bool Translator::read_sources(const ptx::Instruction& instruction, unsigned bits, std::vector<llvm::Value*>& values) {
  for (uint32_t i = 1; i < instruction.operand_count; ++i) {
    values.push_back(read(operand(instruction, i), bits));
    if (values.back() == nullptr) return false;
  }
  return !values.empty();
}

void Translator::write(const ptx::Operand& destination, llvm::Value* value, bool is_signed) {
  const bool is_scalar = destination.kind == Kind::reg && destination.count <= 1;
  for_each_register(function_, destination, destination.role, [&](uint32_t id, ptx::Role) {
    const unsigned bits = registers_.bits(id);
    const bool fits = is_scalar && value->getType()->getIntegerBitWidth() <= bits;
    if (bits > 0) guarded_write(id, fits ? emitter_.resize(value, bits, is_signed) : emitter_.opaque(bits));
  });
}

void Translator::write_slot(uint32_t slot, llvm::Value* value) { guarded_write(slot_id(slot), value); }

void Translator::guarded_write(uint32_t id, llvm::Value* value) {
  registers_.write(id, guard_ == nullptr ? value : emitter_.ir.CreateSelect(guard_, value, registers_.read(id)));
}

// Every register the instruction writes gets a value of which at most the uniformity is known.
void Translator::write_unknown(const ptx::Instruction& instruction) {
  std::vector<llvm::Value*> sources;
  bool is_pure = is_function_of_operands(*instruction.form);
  for_each_register(function_, instruction, [&](uint32_t id, ptx::Role role) {
    if (role != ptx::Role::write && is_pure && registers_.bits(id) > 0) sources.push_back(registers_.read(id));
  });
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const ptx::Operand& source = operand(instruction, i);
    const auto is_special = [](const ptx::Operand& o) { return o.kind == Kind::special; };
    const std::vector<ptx::Operand> elements = scalars(function_, source);
    // A special register inside an instruction that is not lifted exactly.
    if (std::any_of(elements.begin(), elements.end(), is_special)) is_pure = false;
  }
  for_each_register(function_, instruction, [&](uint32_t id, ptx::Role role) {
    const unsigned bits = registers_.bits(id);
    if (role == ptx::Role::read || role == ptx::Role::address || bits == 0) return;
    guarded_write(id, is_pure ? emitter_.pure(bits, sources) : emitter_.opaque(bits));
  });
}

}  // namespace warpspan::lift
