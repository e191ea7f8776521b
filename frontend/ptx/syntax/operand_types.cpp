// SPDX-License-Identifier: GPL-3.0-or-later
// Whether an operand has the type that its instruction wants. PTX ISA 9.4.1, 9.5; what it leaves open is as ptxas 13.0
// does it: a register of a .b type fits every type of its width, one of an integer type every integer of its width.
#include <algorithm>

#include "frontend/ptx/forms/opcode_table.hpp"
#include "frontend/ptx/syntax/parser_state.hpp"

namespace warpspan::ptx {

namespace {

using Kind = Operand::Kind;

bool is_untyped(Type type) {
  return type == Type::b8 || type == Type::b16 || type == Type::b32 || type == Type::b64 || type == Type::b128;
}

// A pair of halves is as good as 32 bits to ptxas.
bool fits_as_bits(Type reg, Type wanted) {
  if (is_untyped(reg) || is_untyped(wanted)) return true;
  return reg == Type::f16x2 && (is_integer(wanted) || wanted == Type::u16x2 || wanted == Type::s16x2);
}

bool register_fits(Type reg, Type wanted, bool may_be_wider) {
  if (reg == wanted) return true;
  if (reg == Type::pred || wanted == Type::pred) return false;
  if (bits(reg) != bits(wanted) && (!may_be_wider || bits(reg) < bits(wanted))) return false;
  return fits_as_bits(reg, wanted) || (is_integer(reg) && is_integer(wanted));
}

bool integer_fits(Type wanted) { return is_integer(wanted) || is_untyped(wanted) || wanted == Type::pred; }

bool floating_fits(Type literal, Type wanted) {
  if (wanted == Type::f32 || wanted == Type::f64) return true;
  return (wanted == Type::b32 && literal == Type::f32) || (wanted == Type::b64 && literal != Type::f32);
}

bool special_fits(SpecialRegister special, Type wanted) {
  if (!is_integer(wanted) && !is_untyped(wanted)) return false;
  switch (special) {
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::current_graph_exec:
    case SpecialRegister::pm64: return bits(wanted) == 64;
    case SpecialRegister::gridid: return true;  // of 64 bits, of 32 before PTX 3.0
    default: return bits(wanted) <= 32;
  }
}

bool is_address_type(Type type) {
  return (is_integer(type) || is_untyped(type)) && (bits(type) == 32 || bits(type) == 64);
}

bool is_plain_access(const Form& form) {
  const std::string_view name = form.opcode->name;
  return name == "ld" || name == "st" || name == "atom" || name == "red" || name == "ldu";
}

std::string width(Type type) { return std::to_string(bits(type)) + (bits(type) == 1 ? " bit" : " bits"); }

}  // namespace

// The text of the operand that begins at `offset`, for messages.
std::string Parser::written(uint32_t offset) const {
  const std::string_view rest = std::string_view(source_->text()).substr(offset, 40);
  const bool is_list = !rest.empty() && (rest.front() == '{' || rest.front() == '[');
  const size_t end = rest.find_first_of(is_list ? "}];\n" : ",;)]}\n");
  return "'" + std::string(rest.substr(0, is_list && end != rest.npos ? end + 1 : end)) + "'";
}

// Whether one value (no vector, pair or address) is of the type.
bool Parser::is_of(const Operand& operand, Type wanted, const OperandRule& rule) const {
  switch (operand.kind) {
    case Kind::reg: return operand.count <= 1 && register_fits(operand.type, wanted, rule.may_be_wider);
    case Kind::integer: return integer_fits(wanted);
    case Kind::floating: return floating_fits(operand.type, wanted);
    case Kind::special:
      return rule.may_be_special &&
             (rule.may_be_wider || special_fits(static_cast<SpecialRegister>(operand.index), wanted));
    case Kind::variable:
    case Kind::function: return rule.may_be_symbol;
    case Kind::label:  // a function, or what is not known before the end of the body
      return rule.may_be_symbol || functions_.count(references_[operand.index].name) == 0;
    case Kind::sink: return rule.may_be_sink;
    default: return false;
  }
}

// The elements of a vector: as many as the word says, or of as many bits as its type has, each of its own type.
bool Parser::vector_fits(const Form& form, const Operand& operand, Type wanted, const OperandRule& rule) const {
  const Operand* elements = function_.elements(operand);
  // As for ptxas a vector with an element of a .b type is of no type.
  const bool untyped = std::any_of(elements, elements + operand.count, [](const Operand& element) {
    return element.kind == Kind::reg && is_untyped(element.type);
  });
  const auto element_fits = [&](const Operand& element) {
    const bool is_number = element.kind == Kind::reg && element.count <= 1 && element.type != Type::pred;
    const bool wide_enough =
        bits(element.type) == bits(wanted) || (rule.may_be_wider && bits(element.type) > bits(wanted));
    return element.kind == Kind::sink || is_of(element, wanted, rule) || (untyped && is_number && wide_enough);
  };
  const bool some_value = std::any_of(elements, elements + operand.count,
                                      [](const Operand& element) { return element.kind != Kind::sink; });
  const bool may_be_counted = form.vector_size > 1 || form.operation.space != ir::MemorySpace::none;  // also {%r1}
  const bool counted = may_be_counted && operand.count == static_cast<uint32_t>(form.vector_size);
  const int first_bits = bits(elements[0].type);
  const bool alike = std::all_of(elements, elements + operand.count, [&](const Operand& element) {
    return element.kind != Kind::reg || elements[0].kind != Kind::reg || bits(element.type) == first_bits;
  });
  if (!alike) return false;
  if (counted || rule.may_be_vector) return some_value && std::all_of(elements, elements + operand.count, element_fits);
  if (!rule.may_be_packed || form.vector_size > 1 || !is_untyped(wanted) || operand.count < 2) return false;
  const int part = bits(wanted) / static_cast<int>(operand.count);
  return part * static_cast<int>(operand.count) == bits(wanted) &&
         std::all_of(elements, elements + operand.count, [&](const Operand& element) {
           return element.kind != Kind::reg || (element.count <= 1 && bits(element.type) == part);
         });
}

// False after an error.
bool Parser::check_type(const Form& form, const OperandRule& rule, const Operand& operand, uint32_t offset) {
  if (rule.expected == OperandRule::Expected::anything) return true;
  const Type wanted = form.expected_type(rule);
  if (operand.kind == Kind::reg && operand.count <= 1 && form.vector_size == 1 && wanted != Type::none &&
      register_fits(operand.type, wanted, rule.may_be_wider)) {
    return true;  // nearly always
  }
  if (operand.kind == Kind::vector && wanted != Type::none && vector_fits(form, operand, wanted, rule)) return true;
  const std::string name = "'" + form.text + "'";
  if (rule.expected == OperandRule::Expected::address) {
    if (operand.kind != Kind::reg || (operand.count <= 1 && is_address_type(operand.type))) return true;
    fail(offset, name + " wants an address here, an integer of 32 or 64 bits; " + written(offset) + " is of type ." +
                     std::string(to_string(operand.type)));
    return false;
  }
  if (rule.expected == OperandRule::Expected::number) {
    if (operand.kind == Kind::integer && operand.value >= 0) return true;
    fail(offset, name + " wants a constant here, 0 or more");
    return false;
  }
  if (wanted == Type::none) return true;
  const std::string type = "." + std::string(to_string(wanted));
  if (operand.kind == Kind::vector) {
    fail(offset, name +
                     (form.vector_size > 1
                          ? " wants a vector of " + std::to_string(form.vector_size) + " elements of type " + type
                          : " wants a value of type " + type) +
                     " here, not " + written(offset));
    return false;
  }
  if (operand.kind == Kind::pair) {
    const Operand* elements = function_.elements(operand);
    const auto is_predicate = [](const Operand& o) { return o.kind == Kind::sink || o.type == Type::pred; };
    const bool first = elements[0].kind == Kind::sink || is_of(elements[0], wanted, rule);
    if (rule.may_be_pair && first && is_predicate(elements[1])) return true;
    fail(offset, name + " cannot have the pair " + written(offset) + " here",
         rule.may_be_pair ? "the second of a pair is a predicate register" : "");
    return false;
  }
  const bool whole_vector = operand.kind == Kind::reg && operand.count > 1;
  if (whole_vector || form.vector_size > 1) {
    const bool fits = whole_vector && operand.count == static_cast<uint32_t>(form.vector_size) &&
                      register_fits(operand.type, wanted, rule.may_be_wider);
    if (fits || (operand.kind == Kind::special && rule.may_be_special) ||
        (!whole_vector && (rule.type_number == 0 || operand.kind == Kind::sink)))
      return true;
    fail(offset, form.vector_size > 1 ? name + " wants a vector of " + std::to_string(form.vector_size) +
                                            " elements here, not " + written(offset)
                                      : name + " cannot have a vector here");
    return false;
  }
  if (is_of(operand, wanted, rule)) return true;
  if (operand.kind == Kind::reg) {
    fail(offset, name + " wants type " + type + " here, " + width(wanted) + "; " + written(offset) + " is of type ." +
                     std::string(to_string(operand.type)));
  } else {
    fail(offset, name + " wants a value of type " + type + " here, not " + written(offset),
         operand.kind == Kind::special || operand.kind == Kind::variable ? "move it into a register first, with mov"
                                                                         : "");
  }
  return false;
}

// A result or argument of a call against the parameter it is passed as.
bool Parser::fits_parameter(const Function& callee, const Parameter& parameter, const Operand& operand) const {
  if (operand.kind == Kind::sink) return true;
  if (parameter.variable == none && callee.vector_size(parameter.reg) > 1) {
    return operand.kind == Kind::reg && operand.count == callee.vector_size(parameter.reg) &&
           bits(operand.type) == bits(callee.register_type(parameter.reg));
  }
  const Type wanted =
      parameter.variable == none ? callee.register_type(parameter.reg) : module_.variables[parameter.variable].type;
  const int64_t bytes = std::max(bits(wanted), 8) / 8;
  const bool is_array = parameter.variable != none && module_.variables[parameter.variable].bytes != bytes;
  if (operand.kind == Kind::variable) {
    const Variable& passed = module_.variables[operand.index];
    if (passed.space != ir::MemorySpace::parameter) return false;
    return is_array ? passed.bytes == module_.variables[parameter.variable].bytes
                    : passed.bytes == bytes && register_fits(passed.type, wanted, false);
  }
  if (is_array) return false;
  if (operand.kind == Kind::floating) return !is_integer(wanted) || is_untyped(wanted);
  return is_of(operand, wanted, OperandRule());
}

// A call of a function that is known by its name: as many results and arguments as it has, each of its type.
bool Parser::check_call(const Token& opcode) {
  const auto is_list = [](const Operand& operand) { return operand.kind == Kind::list; };
  const bool has_results = is_list(operands_.front());
  const size_t target = has_results ? 1 : 0;
  const bool has_arguments = operands_.size() > target + 1 && is_list(operands_[target + 1]);
  const Operand& called = operands_[target];
  if (called.kind == Kind::reg && operands_.back().kind != Kind::table) {
    fail(operand_offsets_[target], "a call of a computed function says of which kind it is",
         "name a .callprototype or .calltargets behind the arguments");
    return false;
  }
  if (called.kind != Kind::label) return true;
  const auto known = functions_.find(references_[called.index].name);
  if (known == functions_.end()) return true;
  const Function& callee = known->second == slot_ ? function_ : module_.functions[known->second];
  const auto check = [&](const std::vector<Parameter>& parameters, bool present, size_t place, const char* what) {
    const Operand nothing;
    const Operand& passed = present ? operands_[place] : nothing;
    const bool is_variadic = !parameters.empty() && parameters.back().variable != none &&
                             module_.variables[parameters.back().variable].bytes == 0;
    const size_t count = passed.count;
    if (is_variadic ? count + 1 < parameters.size() : count != parameters.size()) {
      fail(opcode.offset, "'" + std::string(callee.name) + "' has " + std::to_string(parameters.size()) + " " + what +
                              (parameters.size() == 1 ? "" : "s") + ", not " + std::to_string(count));
      return false;
    }
    for (size_t i = 0; i < count && i + (is_variadic ? 1 : 0) < parameters.size(); ++i) {
      if (fits_parameter(callee, parameters[i], function_.elements(passed)[i])) continue;
      fail(operand_offsets_[place], std::string(what) + " " + std::to_string(i + 1) + " is not of the type that '" +
                                        std::string(callee.name) + "' has for it");
      return false;
    }
    return true;
  };
  return check(callee.results, has_results, 0, "result") &&
         check(callee.parameters, has_arguments, target + 1, "argument");
}

// What stands in brackets: a base of 16, 32 or 64 bits or a variable of the space that the word names for it, else of
// one that has generic addresses; then, for textures, surfaces and tensors only, coordinates.
bool Parser::check_address(const Form& form, const OperandRule& rule, size_t place) {
  const Operand& operand = operands_[place];
  const uint32_t offset = operand_offsets_[place];
  const auto name = [&] { return "'" + form.text + "'"; };
  if (operand.count > 1 && !rule.has_coordinates) {
    fail(offset, "an address of " + name() + " is one value", "write an offset with '+', as in [%rd1+4]");
    return false;
  }
  const Operand& base = function_.elements(operand)[0];
  if (base.kind == Kind::reg &&
      (base.count > 1 || !(is_integer(base.type) || is_untyped(base.type)) || bits(base.type) > 64)) {
    fail(offset, "an address is an integer, and " + written(offset) + " begins with a register of type ." +
                     std::string(to_string(base.type)));
    return false;
  }
  if (base.kind == Kind::floating || base.kind == Kind::special || base.kind == Kind::sink || base.negated) {
    fail(offset, written(offset) + " is no address", "an address is a register or variable, as in [%rd1+4]");
    return false;
  }
  if (base.kind == Kind::integer && form.operation.space != ir::MemorySpace::local && is_plain_access(form)) {
    fail(offset, "only .local memory can have a number as its address", "move the number into a register first");
    return false;
  }
  if (base.kind != Kind::variable || form.operation.space == ir::MemorySpace::texture) return true;
  const Variable& variable = module_.variables[base.index];
  const ir::MemorySpace wanted = space_of_address(form, place);
  if (wanted == variable.space) return true;
  const bool is_constant = variable.space == ir::MemorySpace::constant;
  if (wanted == ir::MemorySpace::none) {
    const bool has_generic_address = !is_constant && variable.space != ir::MemorySpace::parameter;
    if (has_generic_address || form.operation.kind == ir::OperationKind::fence) return true;
    fail(offset, name() + " without a space cannot access " + written(offset),
         is_plain_access(form) ? "write " + std::string(form.opcode->name) + (is_constant ? ".const" : ".param") : "");
    return false;
  }
  fail(offset, name() + " accesses another space than that of '" + std::string(variable.name) + "'",
       "its declaration says where it is");
  return false;
}

}  // namespace warpspan::ptx
