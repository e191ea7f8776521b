// SPDX-License-Identifier: GPL-3.0-or-later
// Variables, registers, parameters and function headers. PTX ISA 5.4, 7, 11.
#include <algorithm>
#include <array>
#include <limits>

#include "frontend/ptx/forms/opcode_table.hpp"
#include "frontend/ptx/syntax/parser_state.hpp"
#include "support/checked.hpp"

namespace warpspan::ptx {

namespace {

constexpr int64_t most_registers = 1 << 24;  // of one function; real kernels declare some thousands
constexpr int64_t largest_variable = int64_t{1} << 40;
constexpr int64_t most_threads = std::numeric_limits<int32_t>::max();

}  // namespace

ir::MemorySpace state_space(std::string_view directive) {
  using ir::MemorySpace;
  static constexpr std::array<std::pair<std::string_view, MemorySpace>, 10> spaces = {{
      {".global", MemorySpace::global},
      {".shared", MemorySpace::shared},
      {".shared::cta", MemorySpace::shared},
      {".shared::cluster", MemorySpace::shared},
      {".local", MemorySpace::local},
      {".const", MemorySpace::constant},
      {".param", MemorySpace::parameter},
      {".param::entry", MemorySpace::parameter},
      {".param::func", MemorySpace::parameter},
      {".tex", MemorySpace::texture},
  }};
  for (const auto& [text, space] : spaces) {
    if (text == directive) return space;
  }
  return ir::MemorySpace::none;
}

// The type a directive such as ".u32" names, or Type::none.
static Type directive_type(std::string_view directive) {
  return directive.empty() || directive.front() != '.' ? Type::none : type_named(directive.substr(1));
}

// The others are only for instructions to name (PTX ISA 5.2.3); ptxas refuses a variable of them.
static bool is_declared(Type type) { return type <= Type::surfref; }

const RegisterRange* Function::range_of(uint32_t reg) const {
  const auto after = std::upper_bound(register_ranges.begin(), register_ranges.end(), reg,
                                      [](uint32_t id, const RegisterRange& range) { return id < range.first; });
  return after == register_ranges.begin() ? nullptr : &*std::prev(after);
}

Type Function::register_type(uint32_t reg) const {
  const RegisterRange* range = range_of(reg);
  return range == nullptr ? Type::none : range->type;
}

uint32_t Function::vector_size(uint32_t reg) const {
  const RegisterRange* range = range_of(reg);
  return range == nullptr ? 1 : range->vector_size;
}

bool Parser::at_declaration() const {
  if (token_.kind != Token::Kind::directive) return false;
  if (state_space(token_.text) != ir::MemorySpace::none || token_.text == ".reg" || token_.text == ".sreg") return true;
  const Type type = directive_type(token_.text);
  return type == Type::texref || type == Type::samplerref || type == Type::surfref;
}

std::optional<int64_t> Parser::parse_number(std::string_view what) {
  if (token_.kind != Token::Kind::integer || token_.bits > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    fail_here("a number for " + std::string(what));
    return std::nullopt;
  }
  const auto value = static_cast<int64_t>(token_.bits);
  advance();
  return value;
}

// Everything before the names: space, alignment, attributes, vector size and type, in any order.
bool Parser::parse_declarator(Declarator& declarator) {
  if (token_.is(".reg") || token_.is(".sreg")) {
    declarator.is_register = true;
    advance();
  } else if (state_space(token_.text) != ir::MemorySpace::none) {
    declarator.space = state_space(token_.text);
    advance();
    if (declarator.space == ir::MemorySpace::constant && token_.is('[') && !parse_bank()) return false;
  }
  while (token_.kind == Token::Kind::directive) {
    if (accept(".align")) {
      const auto alignment = parse_number("the alignment");
      if (!alignment) return false;
      declarator.alignment = *alignment;
    } else if (token_.is(".v2") || token_.is(".v4") || token_.is(".v8")) {
      declarator.vector_size = token_.text[2] - '0';
      advance();
    } else if (token_.is(".attribute")) {
      if (!parse_attribute()) return false;
    } else if (token_.is(".ptr")) {
      parse_pointer_attribute();
    } else if (const Type type = directive_type(token_.text); type != Type::none) {
      if (!is_declared(type)) {
        fail(token_.offset, "nothing can be declared with the type '" + std::string(token_.text) + "'");
      }
      declarator.type =
          is_declared(type) ? type : Type::b8;  // the name is declared, or each use of it were an error too
      advance();
    } else {
      fail(token_.offset, "unknown type or attribute '" + std::string(token_.text) + "' in a declaration");
      return false;
    }
  }
  if (declarator.type == Type::none) {
    fail_here("a type such as .u32");
    return false;
  }
  if (declarator.space == ir::MemorySpace::none && !declarator.is_register) {
    declarator.space = ir::MemorySpace::global;  // .texref, .samplerref, .surfref
  }
  return true;
}

// The bank of constants in '.const[2]', which PTX had before 2.2. All banks are the same memory here.
bool Parser::parse_bank() {
  advance();
  return parse_number("the bank of constants") && expect(']', "the bank of constants");
}

// .attribute(...), of which nothing is needed.
bool Parser::parse_attribute() {
  advance();
  if (!expect('(', ".attribute")) return false;
  int depth = 1;
  while (depth > 0 && token_.kind != Token::Kind::end) {
    if (token_.is('(')) ++depth;
    if (token_.is(')')) --depth;
    advance();
  }
  return true;
}

// .ptr{.space}{.align N}: lexed as separate directives.
void Parser::parse_pointer_attribute() {
  advance();
  if (state_space(token_.text) != ir::MemorySpace::none || token_.is(".generic")) advance();
}

std::optional<int64_t> Parser::parse_dimensions(int64_t element_bytes) {
  support::Integer bytes = element_bytes;
  while (accept('[')) {
    if (accept(']')) {
      bytes = 0;
      continue;
    }
    const size_t offset = token_.offset;
    const auto count = parse_integer();
    if (!count || !expect(']', "the array size")) return std::nullopt;
    if (*count < 0) {
      fail(offset, "an array size cannot be negative");
      return std::nullopt;
    }
    bytes *= *count;
  }
  if (!bytes.value() || *bytes.value() > largest_variable) {
    fail(previous_.offset, "the variable is larger than 1 TiB");
    return std::nullopt;
  }
  return bytes.value();
}

// What a variable starts as is read where it is asked for (variable_contents.hpp): skips to the ',' or ';' after it.
void Parser::skip_initializer(Declarator& declarator) {
  int depth = 0;
  declarator.initial_begin = token_.offset;
  while (token_.kind != Token::Kind::end) {
    declarator.initial_end = token_.offset;
    if (depth == 0 && (token_.is(',') || token_.is(';'))) return;
    if (token_.kind == Token::Kind::identifier) initial_names_.push_back(token_);
    if (token_.is('{') || token_.is('(')) ++depth;
    if ((token_.is('}') || token_.is(')')) && --depth < 0) return;
    advance();
  }
}

void Parser::parse_variables(bool is_extern) {
  Declarator declarator;
  if (!parse_declarator(declarator)) return skip_statement();
  do {
    if (token_.kind != Token::Kind::identifier) {
      fail_here("a name in the declaration");
      return skip_statement();
    }
    const Token name = token_;
    advance();
    std::optional<uint32_t> count;
    if (accept('<')) {
      const auto number = parse_number("the number of registers");
      if (!number || !expect('>', "the number of registers")) return skip_statement();
      if (*number > most_registers) {
        fail(name.offset, "more than " + std::to_string(most_registers) + " registers in one declaration");
        return skip_statement();
      }
      count = static_cast<uint32_t>(*number);
    }
    const int64_t element_bytes = std::max(bits(declarator.type), 8) / 8 * declarator.vector_size;
    const auto bytes = parse_dimensions(element_bytes);
    if (!bytes) return skip_statement();
    declarator.initial_begin = declarator.initial_end = 0;
    if (accept('=')) skip_initializer(declarator);
    if (declarator.is_register) {
      declare_registers(declarator, name, count);
    } else {
      declare_variable(declarator, name, *bytes, is_extern);
    }
  } while (accept(','));
  if (!expect(';', "the declaration")) skip_statement();
}

void Parser::declare_registers(const Declarator& declarator, const Token& name, std::optional<uint32_t> count) {
  if (!in_function_) {
    if (!before_version(3, 0)) {
      return fail(name.offset, "registers cannot be declared outside a function",
                  "only a file with a '.version' below 3.0 has registers of the module");
    }
    return module_registers_.push_back({declarator, name, count});
  }
  const auto vector_size = static_cast<uint8_t>(declarator.vector_size);
  const uint32_t first = function_.registers;
  if (!add_registers({name.text, count.has_value(), declarator.type, vector_size, first, count.value_or(1)},
                     name.offset)) {
    return;
  }
  const Symbol symbol{Symbol::Kind::reg, first, vector_size, declarator.type};
  const bool fresh = count ? names_.declare_range(name.text, *count, symbol) : names_.declare(name.text, symbol);
  if (!fresh) fail(name.offset, "'" + std::string(name.text) + "' is declared twice");
}

// As registers of the function: a kernel begins with any value in them. What a call leaves in them is not analysed, so
// only kernels may use them.
void Parser::declare_module_registers() {
  for (const ModuleRegisters& registers : module_registers_) {
    declare_registers(registers.declarator, registers.name, registers.count);
  }
  of_module_ = function_.registers;
}

// offset: of what wants them. False after an error.
bool Parser::add_registers(const RegisterRange& range, size_t offset) {
  const uint64_t total = uint64_t{function_.registers} + uint64_t{range.count} * range.vector_size;
  if (total > most_registers) {
    fail(offset, "a function cannot have more than " + std::to_string(most_registers) + " registers");
    return false;
  }
  function_.register_ranges.push_back(range);
  function_.registers = static_cast<uint32_t>(total);
  return true;
}

uint32_t Parser::add_variable(const Declarator& declarator, std::string_view name, int64_t bytes) {
  Variable variable;
  variable.name = name;
  variable.space = declarator.space;
  variable.type = declarator.type;
  variable.alignment = declarator.alignment;
  variable.bytes = bytes;
  variable.initial_begin = declarator.initial_begin;
  variable.initial_end = declarator.initial_end;
  module_.variables.push_back(variable);
  return static_cast<uint32_t>(module_.variables.size() - 1);
}

// A module variable may be announced as .extern and declared later.
void Parser::declare_variable(const Declarator& declarator, const Token& name, int64_t bytes, bool is_extern) {
  const auto index = static_cast<uint32_t>(module_.variables.size());
  if (in_function_) {
    if (!names_.declare(name.text, {Symbol::Kind::variable, index})) {
      return fail(name.offset, "'" + std::string(name.text) + "' is declared twice");
    }
  } else {
    const auto [known, fresh] = global_variables_.emplace(name.text, index);
    Variable* earlier = fresh ? nullptr : &module_.variables[known->second];
    if (earlier != nullptr) {
      if (!is_extern && earlier->bytes == 0) earlier->bytes = bytes;
      if (declarator.initial_end != 0) earlier->initial_begin = declarator.initial_begin;
      if (declarator.initial_end != 0) earlier->initial_end = declarator.initial_end;
      return;
    }
  }
  const uint32_t variable = add_variable(declarator, name.text, bytes);
  if (in_function_) add_kernel_parameter(name, variable);
}

// Before PTX 1.4 the parameters of a kernel stand in its body.
void Parser::add_kernel_parameter(const Token& name, uint32_t variable) {
  if (!function_.is_entry || module_.variables[variable].space != ir::MemorySpace::parameter) return;
  if (before_version(1, 4)) {
    module_.variables[variable].parameter = static_cast<uint32_t>(function_.parameters.size());
    Parameter parameter;
    parameter.variable = variable;
    function_.parameters.push_back(parameter);
  } else if (before_version(2, 0) && undeclared_.insert(".param").second) {
    fail(name.offset, "the parameters of a kernel stand in parentheses behind its name",
         "only a file with a '.version' below 1.4 has them in the body");
  }
}

// --- Functions.

// The place of a function in the module, made when its name is first seen.
uint32_t Parser::slot_of(std::string_view name) {
  const auto [known, fresh] = functions_.emplace(name, static_cast<uint32_t>(module_.functions.size()));
  if (fresh) module_.functions.emplace_back().name = name;
  return known->second;
}

// After .entry or .func. A function may be announced without a body before it is defined.
void Parser::parse_function(bool is_entry) {
  function_ = Function();
  function_.is_entry = is_entry;
  in_function_ = true;
  const size_t first_variable = module_.variables.size();
  names_.open();
  declare_module_registers();
  names_.open();
  parse_function_header();
  if (token_.is('{')) {
    function_.has_body = true;
    parse_body();
  } else if (!ends_declaration()) {
    fail_here("'{' or ';' after the function's declaration");
    if (!at_function()) skip_to_function();
  }
  names_.close();
  names_.close();
  in_function_ = false;
  for (size_t i = first_variable; i < module_.variables.size(); ++i) module_.variables[i].function = slot_;
  Function& known = module_.functions[slot_];
  if (known.has_body && function_.has_body) {
    fail(function_.offset, "function '" + std::string(function_.name) + "' is defined twice");
  }
  if (!known.has_body || function_.has_body) known = std::move(function_);
}

// ptxas wants a semicolon after the declaration of a kernel, but not after that of a function.
bool Parser::ends_declaration() {
  if (accept(';')) return true;
  return !function_.is_entry && (at_module_directive() || token_.kind == Token::Kind::end);
}

// (results) name (parameters) tuning
void Parser::parse_function_header() {
  if (token_.is(".attribute") && !parse_attribute()) return;
  if (token_.is('(')) parse_parameters(function_.results);
  const bool named = token_.kind == Token::Kind::identifier;
  if (!named) fail_here("the name of the function");
  function_.name = named ? token_.text : std::string_view();
  function_.offset = token_.offset;
  slot_ = slot_of(function_.name);
  if (named) advance();
  if (token_.is('(')) parse_parameters(function_.parameters);
  for (size_t i = 0; i < function_.parameters.size(); ++i) {
    const uint32_t variable = function_.parameters[i].variable;
    if (variable != none) module_.variables[variable].parameter = static_cast<uint32_t>(i);
  }
  parse_tuning();
}

// ( parameter, ... ), also empty.
void Parser::parse_parameters(std::vector<Parameter>& parameters) {
  advance();
  if (accept(')')) return;
  do {
    if (!parse_parameter(parameters)) {
      while (token_.kind != Token::Kind::end && !token_.is(')') && !token_.is('{') && !token_.is(';')) advance();
      break;
    }
  } while (accept(','));
  expect(')', "the parameters");
}

bool Parser::parse_parameter(std::vector<Parameter>& parameters) {
  if (!at_declaration()) {
    fail_here(".param or .reg in a parameter list");
    return false;
  }
  Declarator declarator;
  if (!parse_declarator(declarator)) return false;
  if (declarator.is_register && function_.is_entry) {
    fail(previous_.offset, "the parameters of a kernel are .param variables, not registers");
    return false;
  }
  if (token_.kind != Token::Kind::identifier) {
    fail_here("the name of the parameter");
    return false;
  }
  const Token name = token_;
  advance();
  const auto bytes = parse_dimensions(std::max(bits(declarator.type), 8) / 8 * declarator.vector_size);
  if (!bytes) return false;
  Parameter parameter;
  const bool placeholder = name.text == "_";
  if (declarator.is_register) {
    parameter.reg = function_.registers;
    if (!placeholder) declare_registers(declarator, name, std::nullopt);
  } else {
    parameter.variable = static_cast<uint32_t>(module_.variables.size());
    if (!placeholder && !names_.declare(name.text, {Symbol::Kind::variable, parameter.variable})) {
      fail(name.offset, "parameter '" + std::string(name.text) + "' is declared twice");
    }
    add_variable(declarator, name.text, *bytes);
  }
  parameters.push_back(parameter);
  return true;
}

// At most most_threads in all, so that no product of extents overflows.
bool Parser::parse_extent(ir::Extent& extent) {
  extent = {1, 1, 1};
  support::Integer threads = 1;
  for (int64_t* side : {&extent.x, &extent.y, &extent.z}) {
    const size_t offset = token_.offset;
    const auto value = parse_number("the extent");
    if (!value) return false;
    if (*value < 1) {
      fail(offset, "an extent is at least 1");
      return false;
    }
    threads *= *value;
    if (!threads.value() || *threads.value() > most_threads) {
      fail(offset, "more than " + std::to_string(most_threads) + " in all");
      return false;
    }
    *side = *value;
    if (!accept(',')) break;
  }
  return true;
}

// The number after .maxnreg or .minnctapersm.
bool Parser::parse_limit(int64_t& limit) {
  const std::string_view directive = previous_.text;
  const size_t offset = token_.offset;
  const auto value = parse_number(directive);
  if (!value) return false;
  if (*value < 1) {
    fail(offset, std::string(directive) + " is at least 1");
    return false;
  }
  limit = *value;
  return true;
}

// Directives between the parameters and the body. PTX ISA 11.4.
void Parser::parse_tuning() {
  while (token_.kind == Token::Kind::directive && !at_module_directive()) {
    if (accept(".maxntid")) {
      if (!parse_extent(function_.launch_bounds.maximum)) return;
    } else if (accept(".reqntid")) {
      if (!parse_extent(function_.launch_bounds.required)) return;
    } else if (accept(".reqnctapercluster")) {
      ir::Extent cluster;
      if (!parse_extent(cluster)) return;
      function_.launch_bounds.cluster = cluster;
      function_.launch_bounds.clusters = cluster.x > 1 || cluster.y > 1 || cluster.z > 1;
    } else if (accept(".maxnreg")) {
      if (!parse_limit(function_.launch_bounds.max_registers)) return;
    } else if (accept(".minnctapersm")) {
      if (!parse_limit(function_.launch_bounds.min_blocks)) return;
    } else if (accept(".explicitcluster")) {
      function_.launch_bounds.clusters = true;
    } else if (accept(".blocksareclusters")) {
      function_.launch_bounds.in_clusters = true;
    } else if (token_.is(".pragma")) {
      skip_statement();
    } else if (accept(".maxnctapersm") || accept(".maxclusterrank") || accept(".abi_preserve") ||
               accept(".abi_preserve_control")) {
      if (!parse_number(previous_.text)) return;
    } else if (!accept(".noreturn")) {
      fail(token_.offset, "unknown directive '" + std::string(token_.text) + "' before a function's body");
      advance();
    }
  }
}

}  // namespace warpspan::ptx
