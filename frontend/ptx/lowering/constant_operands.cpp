// SPDX-License-Identifier: GPL-3.0-or-later
// Moves. A machine instruction has one operand that may be an immediate or lie in constant memory; whatever else is
// constant is moved to a register before it, a word at a time, in loops each time anew where registers are scarce or
// the assembler likes it better. What an instruction takes with one immediate the table of expansions counts. Loads,
// stores and atomics have no such operand, nor have some words of several machine instructions.
//
// Constants in memory. The multiplications that add a sum of 64 bits (IMAD.WIDE, IMAD.HI) and dot products have no
// immediate in the place of some operands; the assembler puts the constant into a bank of its own. So it does with what
// PTX adds to a product in an instruction of its own or as the offset of an address, and with a constant that a move
// has put into a register. Nothing is added where the constant is 0, as the address of the only variable in shared
// memory is. scripts/measure-expansions --operands finds which instructions these are.
#include "frontend/ptx/lowering/constant_operands.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpspan::ptx {

namespace {

constexpr int word_bits = 32;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_no_place(const Form& form) {
  if (is_one_of(form.opcode->name, {"set", "slct", "sad", "copysign", "szext", "bmsk", "prmt", "dp4a", "dp2a.lo",
                                    "dp2a.hi", "cvt.pack", "mul24.lo", "mul24.hi", "mad24.lo", "mad24.hi"})) {
    return true;
  }
  return bits(form.type()) == word_bits && to_string(form.type()).ends_with("x2");
}

// Whether machine instructions of the kind have an operand that may be constant.
bool has_constant_operand(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case move:
    case int_add:
    case int_mul:
    case logic:
    case bits:
    case compare:
    case int64_add:
    case int64_mul:
    case int64_logic:
    case int64_bits:
    case int64_compare:
    case fp16:
    case fp32:
    case fp64:
    case convert:
    case convert64:
    case special: return true;
    default: return false;
  }
}

// Whether a parameter may stand among its operands where it is.
bool takes_parameter(const Form& form) { return !has_no_place(form) && has_constant_operand(form.operation.kind); }

// Whether its immediates are values: of others they choose lanes, masks, barriers and sizes.
bool computes_or_stores(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case shift:
    case video:
    case int64_shift:
    case int_div:
    case int64_div:
    case fp32_div:
    case fp32_root:
    case fp64_div:
    case fp64_root:
    case special_div:
    case store_shared:
    case store_global:
    case store_local:
    case store_generic:
    case atomic_shared:
    case atomic_global:
    case atomic_generic:
    case reduce_global: return true;
    default: return has_constant_operand(kind);
  }
}

bool is_atomic(const Form& form) { return form.opcode->name == "atom" || form.opcode->name == "red"; }

bool stores_halves(const Form& form) { return form.opcode->name == "st" && bits(form.type()) < word_bits; }

class ConstantsOf {
 public:
  ConstantsOf(const Module& module, const Function& function)
      : module_(module),
        function_(function),
        writes_(function.registers),
        known_(function.registers),
        product_(function.registers),
        accesses_(function.registers) {
    for (const Variable& variable : module.variables) {
      shared_ += variable.space == ir::MemorySpace::shared ? 1 : 0;
      in_constants_ += variable.space == ir::MemorySpace::constant ? 1 : 0;
    }
  }

  std::vector<ConstantOperands> find();

 private:
  // Of registers, whether the machine instruction that makes their value may add to it: a product, or one of at most 32
  // bits that carries may make a part of a wide one.
  enum class Product : uint8_t { none, low, wide };
  // Of operands, what is known of their value where they are compiled.
  enum class Value : uint8_t { unknown, zero, constant };

  // Uses of a register: accesses at one offset from it, and several offsets or something else.
  struct Accesses {
    bool any = false, several = false;
    int64_t offset = 0;
  };

  void count_uses(const Operand& operand);
  void follow();
  bool follow(const Instruction& instruction);
  Value value_of(const Operand& operand) const;
  Value value_of_address(const Variable& variable) const;
  bool is_constant(const Operand& operand) const { return value_of(operand) != Value::unknown; }
  Product product_of(const Operand& operand) const {
    return operand.kind == Operand::Kind::reg ? product_[operand.index] : Product::none;
  }
  Product product_among(const Instruction& instruction) const;
  const Operand* begin(const Instruction& instruction) const { return function_.begin(instruction); }
  const Operand* end(const Instruction& instruction) const { return begin(instruction) + instruction.operand_count; }
  static bool is_wide(const Form& form);
  bool reads_memory(const Instruction& instruction) const;
  int words_of(const Operand& operand, int width) const;
  ConstantOperands operands_of(const Instruction& instruction) const;

  const Module& module_;
  const Function& function_;
  int64_t shared_ = 0, in_constants_ = 0;  // variables of the module in shared and in constant memory
  std::vector<uint8_t> writes_;            // by register, at most 2
  std::vector<Value> known_;               // of registers that one instruction sets, from integers and addresses
  std::vector<Product> product_;
  std::vector<Accesses> accesses_;
};

void ConstantsOf::count_uses(const Operand& operand) {
  const Operand* elements = function_.elements(operand);
  switch (operand.kind) {
    case Operand::Kind::reg:
      for (uint32_t i = 0; i < std::max(operand.count, 1U); ++i) {
        if (operand.role != Role::write) accesses_[operand.index + i].several = true;
        if (operand.role != Role::write && operand.role != Role::read_write) continue;
        uint8_t& count = writes_[operand.index + i];
        count = static_cast<uint8_t>(std::min(count + 1, 2));
      }
      break;
    case Operand::Kind::address: {
      if (operand.count == 0 || elements[0].kind != Operand::Kind::reg) break;
      Accesses& known = accesses_[elements[0].index];
      known.several = known.several || operand.count > 1 || (known.any && known.offset != operand.value);
      known.any = true;
      known.offset = operand.value;
      break;
    }
    case Operand::Kind::vector:
    case Operand::Kind::pair:
    case Operand::Kind::list:
      for (uint32_t i = 0; i < operand.count; ++i) count_uses(elements[i]);
      break;
    default: break;
  }
}

// Multiplications, but those of at most 32 bits of which only the low half is the result: these have an operand for
// what is added.
bool ConstantsOf::is_wide(const Form& form) {
  const std::string_view name = form.opcode->name;
  const bool multiplies = name.starts_with("mul.") || name.starts_with("mad.") || name.starts_with("madc.") ||
                          name.starts_with("mul24.") || name.starts_with("mad24.");
  return multiplies && (!name.ends_with(".lo") || bits(form.type()) > word_bits);
}

// The assembler lays out the variables of shared and constant memory itself, one alone at the beginning.
ConstantsOf::Value ConstantsOf::value_of_address(const Variable& variable) const {
  const bool shared = variable.space == ir::MemorySpace::shared;
  if (!shared && variable.space != ir::MemorySpace::constant) return Value::unknown;
  return (shared ? shared_ : in_constants_) == 1 ? Value::zero : Value::constant;
}

ConstantsOf::Value ConstantsOf::value_of(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::reg: return operand.count <= 1 ? known_[operand.index] : Value::unknown;
    case Operand::Kind::integer: return operand.value == 0 ? Value::zero : Value::constant;
    case Operand::Kind::variable: return value_of_address(module_.variables[operand.index]);
    case Operand::Kind::vector: break;
    default: return Value::unknown;
  }
  const Operand* elements = function_.elements(operand);
  const bool all =
      std::all_of(elements, elements + operand.count, [this](const Operand& one) { return is_constant(one); });
  return all ? Value::constant : Value::unknown;
}

ConstantsOf::Product ConstantsOf::product_among(const Instruction& instruction) const {
  Product most = Product::none;
  for (const Operand* operand = begin(instruction) + 1; operand < end(instruction); ++operand) {
    most = std::max(most, product_of(*operand));
  }
  return most;
}

bool ConstantsOf::follow(const Instruction& instruction) {
  const Operand* operands = begin(instruction);
  if (instruction.operand_count < 2 || operands[0].kind != Operand::Kind::reg) return false;
  const uint32_t written = operands[0].index;
  const std::string_view name = instruction.form->opcode->name;
  const bool copies = name == "mov" || name == "cvta" || name == "cvta.to" || name == "cvt";
  bool more = false;
  const bool is_known =
      instruction.form->operation.semantics.pure && instruction.guard == none && writes_[written] == 1 &&
      std::all_of(operands + 1, end(instruction), [this](const Operand& one) { return is_constant(one); });
  if (is_known && known_[written] == Value::unknown) {
    known_[written] = copies ? value_of(operands[1]) : Value::constant;
    more = true;
  }
  const bool adds_constant = (name == "add" || name == "sub") && instruction.operand_count == 3 &&
                             (is_constant(operands[1]) || is_constant(operands[2]));
  Product product = adds_constant || copies ? product_among(instruction) : Product::none;
  if (name.starts_with("mul.") || name.starts_with("mad.")) product = Product::low;
  if (is_wide(*instruction.form)) product = Product::wide;
  if (product > product_[written]) {
    product_[written] = product;
    more = true;
  }
  return more;
}

// Where values are copied against the order of the text so often that this takes long, all registers are taken to have
// the most expensive.
void ConstantsOf::follow() {
  constexpr int most_passes = 20;
  bool more = true;
  for (int pass = 0; more && pass < most_passes; ++pass) {
    more = false;
    for (const Instruction& instruction : function_.instructions) more = follow(instruction) || more;
  }
  if (!more) return;
  known_.assign(function_.registers, Value::constant);
  product_.assign(function_.registers, Product::wide);
}

// Whether an integer among its operands may lie in constant memory.
bool ConstantsOf::reads_memory(const Instruction& instruction) const {
  const Operand* operands = begin(instruction);
  const Form& form = *instruction.form;
  const std::string_view name = form.opcode->name;
  const auto any_constant = [this](const Operand* first, const Operand* last) {
    return std::any_of(first, last, [this](const Operand& operand) { return value_of(operand) == Value::constant; });
  };
  // Of several offsets from one product the access has each, as it has room for it.
  const auto is_product_and_offset = [this](const Operand& operand) {
    if (operand.kind != Operand::Kind::address || operand.count == 0 || operand.value == 0) return false;
    const Operand& base = function_.elements(operand)[0];
    return product_of(base) == Product::wide && !accesses_[base.index].several;
  };
  if (std::any_of(operands, end(instruction), is_product_and_offset)) return true;
  // Halves of 16 bits are combined with a constant.
  const auto has_constant_element = [&](const Operand& operand) {
    const Operand* elements = function_.elements(operand);
    return operand.kind == Operand::Kind::vector && any_constant(elements, elements + operand.count);
  };
  if (stores_halves(form) && any_constant(operands, end(instruction))) return true;
  if ((stores_halves(form) || name == "mov") && std::any_of(operands, end(instruction), has_constant_element))
    return true;
  if (instruction.operand_count < 3) return false;
  if (name == "szext") return true;
  if (name == "dp4a" || name.starts_with("dp2a") || name == "vmad") {
    return any_constant(operands + 1, end(instruction));
  }
  const bool carries = form.reads_carry || form.writes_carry;
  if (name.starts_with("mad") && (is_wide(form) || carries)) return any_constant(operands + 1, end(instruction));
  const bool adds = name == "add" || name == "sub" || name == "addc" || name == "subc";
  if (!adds || bits(form.type()) < word_bits || !is_integer(form.type())) return false;
  const Product needed = carries ? Product::low : Product::wide;
  return any_constant(operands + 1, end(instruction)) && product_among(instruction) >= needed;
}

// Of an immediate of so many bits.
int ConstantsOf::words_of(const Operand& operand, int width) const {
  switch (operand.kind) {
    case Operand::Kind::integer:
    case Operand::Kind::floating: {
      const auto value = static_cast<uint64_t>(operand.value);
      const bool is_single = width <= word_bits;
      if (is_single) return value == 0 ? 0 : 1;
      return (static_cast<uint32_t>(value) != 0 ? 1 : 0) + (value >> word_bits != 0 ? 1 : 0);
    }
    case Operand::Kind::vector: {
      int sum = 0;
      for (uint32_t i = 0; i < operand.count; ++i) sum += words_of(function_.elements(operand)[i], width);
      return sum;
    }
    default: return 0;
  }
}

ConstantOperands ConstantsOf::operands_of(const Instruction& instruction) const {
  const Form& form = *instruction.form;
  const std::vector<OperandRule>* rules = form.rules(instruction.operand_count);
  ConstantOperands result;
  result.in_memory = reads_memory(instruction);
  const Operand* operands = begin(instruction);
  int longest = 0, sources = 0;
  const bool has_table = form.opcode->name == "lop3";
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    if (operands[i].role != Role::read || operands[i].kind == Operand::Kind::address) continue;
    ++sources;
    if (operands[i].kind == Operand::Kind::vector) sources += static_cast<int>(operands[i].count) - 1;
    if (!computes_or_stores(form.operation.kind) || (has_table && i == 4)) continue;
    const Type type = rules == nullptr || i >= rules->size() ? Type::none : form.expected_type((*rules)[i]);
    const int words = words_of(operands[i], type == Type::none ? 2 * word_bits : bits(type));
    result.words += words;
    if (operands[i].kind != Operand::Kind::vector) longest = std::max(longest, words);
    if (operands[i].kind == Operand::Kind::vector && words > 0) longest = std::max(longest, 1);
  }
  const bool combines = sources > 1 && (form.operation.kind == ir::OperationKind::move || form.opcode->name == "cvt");
  const bool covered = form.opcode->name != "set" && !combines && !is_atomic(form) && !stores_halves(form);
  result.moves = result.words - (covered ? longest : 0);  // one is in the table of expansions
  if (combines && form.opcode->name == "cvt") {
    result.free = -1;  // a parameter comes through a uniform register
  } else if (takes_parameter(form) && !combines && longest == 0) {
    result.free = form.opcode->name == "selp" ? 1 : 2;
  }
  return result;
}

std::vector<ConstantOperands> ConstantsOf::find() {
  for (const Instruction& instruction : function_.instructions) {
    for (const Operand* operand = begin(instruction); operand != end(instruction); ++operand) count_uses(*operand);
  }
  follow();
  std::vector<ConstantOperands> found;
  found.reserve(function_.instructions.size());
  for (const Instruction& instruction : function_.instructions) found.push_back(operands_of(instruction));
  return found;
}

}  // namespace

std::vector<ConstantOperands> constant_operands(const Module& module, const Function& function) {
  return ConstantsOf(module, function).find();
}

}  // namespace warpspan::ptx
