// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/syntax/parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <set>
#include <tuple>

#include "frontend/ptx/syntax/parser_state.hpp"
#include "frontend/ptx/syntax/variable_contents.hpp"
#include "support/digits.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::ptx {

support::Result<Module> parse(std::shared_ptr<const support::SourceFile> source) {
  return Parser(std::move(source)).run();
}

Parser::Parser(std::shared_ptr<const support::SourceFile> source) : source_(std::move(source)), lexer_(*source_) {
  module_.source = source_;
  module_.forms = std::make_shared<FormTable>();
}

support::Result<Module> Parser::run() {
  if (source_->text().size() >= std::numeric_limits<uint32_t>::max()) {
    fail(0, "the file is larger than 4 GiB");
    return errors_;
  }
  advance();
  if (!failed()) parse_version();
  while (!failed() && token_.kind != Token::Kind::end) parse_module_statement();
  if (!failed()) resolve_functions();
  if (errors_.empty()) {
    find_stores(module_, initial_names_);
    return std::move(module_);
  }
  // Names are resolved at the end of a function, so errors come in another order than the text.
  std::stable_sort(errors_.begin(), errors_.end(), [](const support::Diagnostic& a, const support::Diagnostic& b) {
    return std::pair(a.location.line, a.location.column) < std::pair(b.location.line, b.location.column);
  });
  return errors_;
}

// --- Tokens and errors.

// Takes the next token. A byte that no PTX text contains ends the parse: what comes after it would only be noise.
void Parser::advance() {
  previous_ = {token_.text, token_.offset};
  token_ = lexer_.next();
  if (token_.kind != Token::Kind::invalid) return;
  const auto byte = static_cast<unsigned char>(token_.text.empty() ? 0 : token_.text.front());
  if (byte < 0x20 || byte > 0x7e) {
    fail(token_.offset, "byte 0x" + support::hexadecimal(byte, 2) + " cannot stand in PTX text",
         "is this a binary file? PTX is ASCII text");
    stopped_ = true;
    token_ = {Token::Kind::end, {}, token_.offset, 0};
  }
}

bool Parser::accept(char punctuation) {
  if (!token_.is(punctuation)) return false;
  advance();
  return true;
}

bool Parser::accept(std::string_view directive) {
  if (!token_.is(directive)) return false;
  advance();
  return true;
}

bool Parser::expect(char punctuation, std::string_view after) {
  if (token_.is(punctuation)) {
    advance();
    return true;
  }
  fail_here("'" + std::string(1, punctuation) + "' after " + std::string(after));
  return false;
}

void Parser::fail(size_t offset, std::string message, std::string help) {
  if (failed()) return;
  errors_.push_back(source_->error_at(offset, std::move(message), std::move(help)));
  if (errors_.size() < most_errors) return;
  stopped_ = true;
  errors_.push_back(source_->error_at(offset, "too many errors, stopping here"));
}

std::string Parser::describe(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the file";
  constexpr size_t longest = 60;
  std::string text(token.text.substr(0, longest));
  if (token.text.size() > longest) text += "...";
  return (token.kind == Token::Kind::invalid ? "malformed '" : "'") + text + "'";
}

void Parser::fail_here(std::string_view expected) {
  const std::string help = token_.kind == Token::Kind::end ? "the file may be cut short" : "";
  fail(token_.offset, "expected " + std::string(expected) + ", found " + describe(token_), help);
}

void Parser::skip_statement() {
  while (token_.kind != Token::Kind::end && !token_.is('{') && !token_.is('}')) {
    if (accept(';')) return;
    advance();
  }
}

void Parser::skip_braces() {
  const Token opening = token_;
  size_t depth = 0;
  do {
    if (token_.kind == Token::Kind::end) {
      fail(opening.offset, "'{' is never closed", "the file may be cut short");
      return;
    }
    if (token_.is('{')) ++depth;
    if (token_.is('}')) --depth;
    if (depth > 0) lexer_.skip_plain_lines();
    advance();
  } while (depth > 0);
}

// --- The module.

void Parser::parse_version() {
  if (token_.kind == Token::Kind::end) {
    fail(0, "the file holds no PTX", "a PTX file begins with '.version'");
    stopped_ = true;
    return;
  }
  if (!token_.is(".version")) {
    fail(token_.offset, "expected '.version' at the start of the module, found " + describe(token_),
         source_->name().ends_with(".cu")
             ? "this is CUDA source, compile it: nvcc -ptx -lineinfo " + support::shell_quoted(source_->name())
             : "is this a PTX file? nvcc -ptx, clang --cuda-device-only -S and llc write PTX");
    stopped_ = true;
    return;
  }
  advance();
  if (token_.kind != Token::Kind::floating) return fail_here("a version such as 9.0 after '.version'");
  module_.version = token_.text;
  advance();
}

bool Parser::before_version(int major, int minor) const {
  const std::string_view text = module_.version;
  const size_t dot = text.find('.');
  const auto number = [](std::string_view digits) {
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  };
  return std::pair(number(text.substr(0, dot)), number(text.substr(dot + 1))) < std::pair(major, minor);
}

void Parser::parse_module_statement() {
  if (token_.is(".target")) return parse_target();
  if (token_.is(".section")) return parse_section();
  if (token_.is(".file")) return parse_file();
  if (token_.is(".loc")) return parse_location();
  if (accept(".address_size")) {
    const auto size = parse_number("the address size");
    if (size && *size != 32 && *size != 64) fail(previous_.offset, "the address size is 32 or 64");
    if (size) module_.address_size = *size == 64 ? 64 : 32;
    return;
  }
  if (token_.is(".pragma")) return skip_statement();
  if (token_.is(".alias")) return parse_alias();
  if (token_.is('@')) {  // @@DWARF lines of PTX before 2.0
    const int64_t line = source_->locate(token_.offset).line;
    while (token_.kind != Token::Kind::end && source_->locate(token_.offset).line == line) advance();
    return;
  }
  if (token_.is(".visible") || token_.is(".extern") || token_.is(".weak") || token_.is(".common")) {
    return parse_linkage();
  }
  if (accept(".entry")) return parse_function(true);
  if (accept(".func")) return parse_function(false);
  if (at_declaration()) {
    const size_t errors_before = errors_.size();
    parse_variables(false);
    if (errors_.size() > errors_before && !at_function()) skip_to_function();
    return;
  }
  fail_here("a directive such as .entry, .func, .global or .section");
  skip_to_function();
}

// What can only begin a function.
bool Parser::at_function() const {
  return token_.is(".entry") || token_.is(".func") || token_.is(".visible") || token_.is(".weak");
}

// After a header that cannot be read its parameters and body are not read either: they would be errors without end.
void Parser::skip_to_function() {
  do {
    advance();
  } while (token_.kind != Token::Kind::end && !at_function());
}

// What can only begin a statement of the module.
bool Parser::at_module_directive() const {
  static constexpr std::array<std::string_view, 9> directives = {".visible", ".extern", ".weak",    ".common", ".entry",
                                                                 ".func",    ".file",   ".section", ".alias"};
  const auto here = [this](std::string_view directive) { return token_.is(directive); };
  return at_declaration() || std::any_of(directives.begin(), directives.end(), here);
}

void Parser::parse_target() {
  advance();
  do {
    if (token_.kind != Token::Kind::identifier) return fail_here("a target such as sm_80");
    module_.targets.push_back(token_.text);
    advance();
  } while (accept(','));
}

// .section NAME { data }: debug information, which is read when it is needed.
void Parser::parse_section() {
  advance();
  if (token_.kind != Token::Kind::directive && token_.kind != Token::Kind::identifier &&
      token_.kind != Token::Kind::string) {
    return fail_here("the name of the section");
  }
  const std::string_view name = token_.text;
  advance();
  if (!token_.is('{')) return fail_here("'{' after the name of the section");
  const uint32_t begin = token_.offset + 1;
  skip_braces();
  module_.sections.push_back({name, begin, previous_.offset});
}

// .file INDEX "NAME" {, TIME, SIZE}: one line without a semicolon.
void Parser::parse_file() {
  advance();
  const auto number = parse_number("the file's number");
  if (!number) return;
  if (token_.kind != Token::Kind::string) return fail_here("the file's name in quotes");
  const std::string_view name = token_.text.substr(1, token_.text.size() - 2);
  if (*number <= UINT32_MAX) module_.files.emplace(static_cast<uint32_t>(*number), name);
  advance();
  while (accept(',')) {
    if (!parse_number("the file's time and size")) return;
  }
}

// .alias NAME, FUNCTION; the name is that of a declaration without a body (PTX ISA, "Kernel and Function Directives").
void Parser::parse_alias() {
  advance();
  std::array<uint32_t, 2> functions{};
  std::array<Token, 2> names{};
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0 && !expect(',', "the alias")) return skip_statement();
    names[i] = token_;
    const auto known = functions_.find(token_.text);
    if (token_.kind != Token::Kind::identifier || known == functions_.end()) {
      fail_here(i == 0 ? "the name of a function that is declared before the alias"
                       : "the name of a function before this line");
      return skip_statement();
    }
    functions[i] = known->second;
    advance();
  }
  if (!expect(';', "the alias")) return skip_statement();
  aliases_.push_back({functions[0], functions[1], names[0].offset});
}

// With all functions known.
void Parser::resolve_aliases() {
  for (const Alias& alias : aliases_) {
    Function& declared = module_.functions[alias.function];
    const Function& aliased = module_.functions[alias.aliased];
    const std::string name = "'" + std::string(declared.name) + "'", other = "'" + std::string(aliased.name) + "'";
    if (declared.is_entry || aliased.is_entry) {
      fail(alias.offset, "a kernel can neither have nor be an alias");
    } else if (declared.has_body) {
      fail(alias.offset, name + " has a body, so it cannot be an alias");
    } else if (declared.alias_of != none) {
      fail(alias.offset,
           name + " is already an alias of '" + std::string(module_.functions[declared.alias_of].name) + "'");
    } else if (!aliased.has_body) {
      fail(alias.offset, other + " has no body in this file, so nothing can be its alias");
    } else if (!has_same_parameters(declared, aliased)) {
      fail(alias.offset, name + " has other results or parameters than " + other);
    } else {
      declared.alias_of = alias.aliased;
    }
  }
}

// Of the same types and sizes, as far as calls ask.
bool Parser::has_same_parameters(const Function& a, const Function& b) const {
  const auto of = [this](const Function& f, const Parameter& p) {
    if (p.variable == none) return std::tuple(true, f.register_type(p.reg), int64_t{f.vector_size(p.reg)});
    return std::tuple(false, module_.variables[p.variable].type, module_.variables[p.variable].bytes);
  };
  const auto same = [&](const Parameter& x, const Parameter& y) { return of(a, x) == of(b, y); };
  return std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(), same) &&
         std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(), same);
}

void Parser::parse_linkage() {
  const bool is_extern = token_.is(".extern");
  advance();
  if (accept(".entry")) return parse_function(true);
  if (accept(".func")) return parse_function(false);
  if (at_declaration()) return parse_variables(is_extern);
  fail_here(".entry, .func or a variable after " + std::string(previous_.text));
  skip_to_function();
}

// After an error a function may not contain what refers to it: then this only looks for further errors.
void Parser::resolve_functions() {
  resolve_aliases();
  const auto resolved = [this](uint32_t f) {
    return module_.functions[f].alias_of == none ? f : module_.functions[f].alias_of;
  };
  const bool consistent = errors_.empty();
  std::set<std::pair<uint32_t, std::string_view>> reported;
  for (const Reference& reference : function_references_) {
    Function& user = module_.functions[reference.function];
    const auto found = functions_.find(reference.name);
    if (found == functions_.end()) {
      if (!reported.emplace(reference.function, reference.name).second) continue;
      fail(reference.offset, "undeclared name '" + std::string(reference.name) + "'",
           "declare a label, function or variable of this name");
    } else if (!consistent) {
      continue;
    } else if (reference.table != none) {
      user.tables[reference.table].functions[reference.table_entry] = resolved(found->second);
    } else {
      Operand& operand = user.operands[reference.operand];
      operand.kind = Operand::Kind::function;
      operand.index = resolved(found->second);
    }
  }
}

}  // namespace warpspan::ptx
