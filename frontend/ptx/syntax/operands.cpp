// SPDX-License-Identifier: GPL-3.0-or-later
// Operands and constant expressions. PTX ISA 4.5, 6.
#include <algorithm>
#include <array>
#include <bit>

#include "frontend/ptx/syntax/parser_state.hpp"

namespace warpspan::ptx {

namespace {

struct SpecialRow {
  SpecialRegister id;
  std::string_view name;
  int components;
};

constexpr SpecialRow special_rows[] = {
#define SPECIAL_REGISTER(enumerator, name, components, value, place, cost) \
  {SpecialRegister::enumerator, name, components},
#include "frontend/ptx/forms/special_registers.def"
#undef SPECIAL_REGISTER
};

// A row's '#' stands for a number.
bool matches(std::string_view pattern, std::string_view name) {
  const size_t hash = pattern.find('#');
  if (hash == std::string_view::npos) return pattern == name;
  if (name.substr(0, hash) != pattern.substr(0, hash)) return false;
  size_t end = hash;
  while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
  return end > hash && name.substr(end) == pattern.substr(hash + 1);
}

const SpecialRow* find_special(std::string_view name) {
  for (const SpecialRow& row : special_rows) {
    if (matches(row.name, name)) return &row;
  }
  return nullptr;
}

// ".x" is 1 ... ".w" is 4; 0 for anything else.
uint8_t component_number(std::string_view directive) {
  if (directive.size() != 2) return 0;
  const size_t geometric = std::string_view("xyzw").find(directive[1]);
  const size_t color = std::string_view("rgba").find(directive[1]);
  const size_t found = geometric != std::string_view::npos ? geometric : color;
  return found == std::string_view::npos ? 0 : static_cast<uint8_t>(found + 1);
}

// Parts of a register in video instructions: ".b3", ".h10", ".b7654".
bool is_video_selector(std::string_view directive) {
  if (directive.size() < 3 || directive.size() > 6 || (directive[1] != 'b' && directive[1] != 'h')) return false;
  return directive.find_first_not_of("01234567", 2) == std::string_view::npos;
}

// Whose bits a floating-point literal is: "0f3F800000", "0d3FF0000000000000"; none for a decimal one.
Type literal_type(std::string_view text) {
  const char letter = text.size() > 1 && text[0] == '0' ? text[1] : ' ';
  if (letter == 'f' || letter == 'F') return Type::f32;
  return letter == 'd' || letter == 'D' ? Type::f64 : Type::none;
}

}  // namespace

// One operand: a simple one, or two with '|' between them.
std::optional<Operand> Parser::parse_operand() {
  auto first = parse_simple_operand();
  if (!first) return first;
  if (token_.is('+')) return parse_register_offset(*first) ? first : std::nullopt;
  if (!accept('|')) return first;
  const auto second = parse_simple_operand();
  if (!second) return std::nullopt;
  const size_t bottom = elements_.size();
  elements_.push_back(*first);
  elements_.push_back(*second);
  return with_elements(Operand::Kind::pair, bottom);
}

// "%r1+4" outside brackets, which the PTX ISA does not mention and ptxas takes for an addition before the instruction.
bool Parser::parse_register_offset(Operand& operand) {
  const int size = operand.kind == Operand::Kind::reg ? bits(function_.register_type(operand.index)) : 0;
  const bool fits = (size == 16 || size == 32 || size == 64) && is_integer(function_.register_type(operand.index));
  if (!fits || operand.count > 1 || operand.negated || operand.component != 0) {
    fail(token_.offset, "only an integer register of 16, 32 or 64 bits can have an offset");
    return false;
  }
  const auto offset = parse_integer();
  if (offset) operand.value = *offset;
  return offset.has_value();
}

std::optional<Operand> Parser::parse_simple_operand() {
  if (token_.is('{')) return parse_vector();
  if (token_.is('[')) return parse_address();
  if (accept('!')) {
    if (token_.kind != Token::Kind::identifier) {
      const auto value = parse_unary(0);
      Operand constant;
      if (value) constant.value = value->bits == 0;
      return value ? std::optional(constant) : std::nullopt;
    }
    auto operand = parse_named_operand();
    if (operand) operand->negated = true;
    return operand;
  }
  if (token_.kind == Token::Kind::identifier && token_.text != "WARP_SZ") return parse_named_operand();
  return parse_constant();
}

// Takes the elements above `bottom` from the stack of elements.
Operand Parser::with_elements(Operand::Kind kind, size_t bottom) {
  Operand operand;
  operand.kind = kind;
  operand.index = static_cast<uint32_t>(function_.operands.size());
  operand.count = static_cast<uint32_t>(elements_.size() - bottom);
  function_.operands.insert(function_.operands.end(), elements_.begin() + static_cast<ptrdiff_t>(bottom),
                            elements_.end());
  elements_.resize(bottom);
  return operand;
}

// A register, variable, label or function; a variable may have an offset in bytes, "var+4", or an index, "var[1]",
// which counts elements of its type, as ptxas 13.0 has it also for arrays of arrays and of vectors.
std::optional<Operand> Parser::parse_named_operand() {
  if (token_.kind != Token::Kind::identifier) {
    fail_here("a name");
    return std::nullopt;
  }
  const Token name = token_;
  advance();
  if (name.text == "_") {
    Operand sink;
    sink.kind = Operand::Kind::sink;
    return sink;
  }
  auto operand = resolve(name);
  if (!operand || !parse_component(*operand)) return std::nullopt;
  if (operand->kind == Operand::Kind::variable && token_.is('+')) {
    const auto offset = parse_integer();
    if (!offset) return std::nullopt;
    operand->value = *offset;
  } else if (operand->kind == Operand::Kind::variable && accept('[')) {
    const auto index = parse_integer();
    if (!index || !expect(']', "the array index")) return std::nullopt;
    const int element_bytes = std::max(bits(module_.variables[operand->index].type), 8) / 8;
    elements_.push_back(*operand);
    Operand address = with_elements(Operand::Kind::address, elements_.size() - 1);
    address.value = static_cast<int64_t>(static_cast<uint64_t>(*index) * static_cast<uint64_t>(element_bytes));
    return address;
  }
  return operand;
}

// What a name means here. A name that nothing has declared yet may be a label further down or a function further on: it
// is noted and resolved at the end.
std::optional<Operand> Parser::resolve(const Token& name) {
  Operand operand;
  if (const auto symbol = names_.find(name.text)) {
    static constexpr std::array<Operand::Kind, 4> kinds = {Operand::Kind::reg, Operand::Kind::variable,
                                                           Operand::Kind::function, Operand::Kind::table};
    operand.kind = kinds[static_cast<size_t>(symbol->kind)];
    operand.index = symbol->index;
    if (symbol->kind == Symbol::Kind::reg) operand.count = symbol->vector_size;
    if (symbol->kind == Symbol::Kind::reg && symbol->index < of_module_ && !function_.is_entry) {
      fail(name.offset, "'" + std::string(name.text) + "' is a register of the module, which only a kernel can use",
           "declare it in the function, or make it a parameter");
      return std::nullopt;
    }
    operand.type = symbol->type;
    return operand;
  }
  if (name.text.front() == '%') {
    if (auto special = special_register(name)) return special;
  }
  if (const auto variable = global_variables_.find(name.text); variable != global_variables_.end()) {
    operand.kind = Operand::Kind::variable;
    operand.index = variable->second;
    return operand;
  }
  if (name.text.front() == '%') {
    // Once for all that one declaration was perhaps meant to declare: %r1, %r2, ...
    const std::string_view prefix = name.text.substr(0, name.text.find_last_not_of("0123456789") + 1);
    names_undeclared_ = true;
    if (undeclared_.insert(prefix).second) {
      const auto size = names_.range_size(name.text);
      fail(name.offset, "undeclared register '" + std::string(name.text) + "'",
           size ? "its declaration ends at number " + std::to_string(int64_t{*size} - 1)
                : "declare it, as in '.reg .b32 " + std::string(name.text) + ";'");
    }
    return operand;
  }
  operand.kind = Operand::Kind::label;
  operand.index = static_cast<uint32_t>(references_.size());
  operand.value = 1;  // the index is of references_ until the end of the function
  references_.push_back({name.text, scope_, name.offset, slot_});
  return operand;
}

std::optional<Operand> Parser::special_register(const Token& name) {
  const SpecialRow* row = find_special(name.text);
  if (row == nullptr) return std::nullopt;
  Operand operand;
  operand.kind = Operand::Kind::special;
  operand.index = static_cast<uint32_t>(row->id);
  return operand;
}

// ".x" after a vector register or special register, ".b0" after a register in a video instruction.
bool Parser::parse_component(Operand& operand) {
  if (token_.kind != Token::Kind::directive || token_.offset != previous_.offset + previous_.text.size()) return true;
  const bool is_register = operand.kind == Operand::Kind::reg;
  if (is_register && is_video_selector(token_.text)) {
    selector_ = std::min(selector_, token_.offset);
    advance();
    return true;
  }
  operand.component = component_number(token_.text);
  if (operand.component == 0) {
    fail(token_.offset, "unknown component '" + std::string(token_.text) + "'");
    return false;
  }
  advance();
  const bool is_special = operand.kind == Operand::Kind::special;
  const uint32_t components = is_special    ? static_cast<uint32_t>(special_rows[operand.index].components)
                              : is_register ? operand.count
                                            : 1;
  if (components == 1 || operand.component > components) {
    fail(previous_.offset, (is_register || is_special ? "the register" : "what is no register") +
                               std::string(" has no component '") + std::string(previous_.text) + "'");
    return false;
  }
  if (!is_register) return true;
  operand.index += operand.component - 1U;  // a vector register's elements are registers of their own
  operand.count = 1;
  return true;
}

std::optional<Operand> Parser::parse_vector() {
  advance();
  const size_t bottom = elements_.size();
  do {
    if (token_.is('{')) {
      fail(token_.offset, "a vector cannot hold a vector");
      return std::nullopt;
    }
    const auto element = parse_simple_operand();
    if (!element) return std::nullopt;
    elements_.push_back(*element);
  } while (accept(','));
  if (!expect('}', "the elements of the vector")) return std::nullopt;
  return with_elements(Operand::Kind::vector, bottom);
}

// [base+offset], [texture, sampler, {coordinates}], [tensor map, {coordinates}]
std::optional<Operand> Parser::parse_address() {
  advance();
  const size_t bottom = elements_.size();
  int64_t offset = 0;
  do {
    if (token_.is('[')) {
      fail(token_.offset, "an address cannot hold an address");
      return std::nullopt;
    }
    const auto element = parse_simple_operand();
    if (!element) return std::nullopt;
    elements_.push_back(*element);
    if (elements_.size() == bottom + 1 && token_.is('+')) {
      const auto value = parse_integer();
      if (!value) return std::nullopt;
      offset = *value;
    }
  } while (accept(','));
  if (!expect(']', "the address")) return std::nullopt;
  if (token_.is(".unified")) advance();
  if (elements_[bottom].kind == Operand::Kind::variable) {
    offset += elements_[bottom].value;
    elements_[bottom].value = 0;
  }
  Operand operand = with_elements(Operand::Kind::address, bottom);
  operand.value = offset;
  return operand;
}

// ( operand, ... ), also empty: results and arguments of a call.
std::optional<Operand> Parser::parse_list() {
  advance();
  const size_t bottom = elements_.size();
  if (!token_.is(')')) {
    do {
      const auto element = parse_simple_operand();
      if (!element) return std::nullopt;
      elements_.push_back(*element);
    } while (accept(','));
  }
  if (!expect(')', "the list")) return std::nullopt;
  return with_elements(Operand::Kind::list, bottom);
}

std::optional<Operand> Parser::parse_constant() {
  Operand operand;
  const bool negative = token_.is('-');
  if (negative) advance();
  if (token_.kind == Token::Kind::floating) {
    operand.kind = Operand::Kind::floating;
    operand.value = static_cast<int64_t>(token_.bits ^ (negative ? uint64_t{1} << 63 : 0));
    operand.type = literal_type(token_.text);
    advance();
    return operand;
  }
  const auto value = negative ? parse_negative() : parse_integer();
  if (!value) return std::nullopt;
  operand.value = *value;
  return operand;
}

}  // namespace warpspan::ptx
