// SPDX-License-Identifier: GPL-3.0-or-later
// Statements of a function body. PTX ISA 4.2, 7.1, 9, 11.5.
#include "frontend/ptx/syntax/parser_state.hpp"

namespace warpspan::ptx {

// { statements }, with blocks nested to any depth below deepest_scope, without recursion.
void Parser::parse_body() {
  const size_t outer_depth = names_.depth();
  scopes_.clear();
  references_.clear();
  undeclared_.clear();
  scope_ = none;
  do {
    if (token_.kind == Token::Kind::end) {
      fail(token_.offset, "the body of '" + std::string(function_.name) + "' is never closed",
           "add '}'; the file may be cut short");
      break;
    }
    if (at_function()) {
      fail(token_.offset, "the body of '" + std::string(function_.name) + "' is never closed before the next function",
           "add '}'");
      break;
    }
    if (token_.is('{')) {
      if (names_.depth() - outer_depth >= deepest_scope) {
        fail(token_.offset, "blocks nested deeper than " + std::to_string(deepest_scope));
        stopped_ = true;
        break;
      }
      names_.open();
      scopes_.push_back({scope_, {}});
      scope_ = static_cast<uint32_t>(scopes_.size() - 1);
      advance();
    } else if (token_.is('}')) {
      function_.end_offset = token_.offset;
      names_.close();
      scope_ = scopes_[scope_].parent;
      advance();
    } else {
      parse_statement();
    }
  } while (names_.depth() > outer_depth && !failed());
  while (names_.depth() > outer_depth) names_.close();
  if (failed()) return;
  add_return();
  resolve_labels();
}

// ptxas ends a body that can be left at its closing brace as if 'ret' stood there.
void Parser::add_return() {
  const std::vector<Instruction>& body = function_.instructions;
  const bool has_last_label = !function_.labels.empty() && function_.labels.back().instruction == body.size();
  if (!body.empty() && !has_last_label && body.back().guard == none &&
      body.back().form->transfer != ir::Transfer::fallthrough && body.back().form->transfer != ir::Transfer::call) {
    return;
  }
  Instruction end;
  end.form = module_.forms->find("ret");
  end.offset = function_.end_offset;
  push_instruction(end, {});
}

void Parser::parse_statement() {
  if (token_.kind == Token::Kind::identifier) return parse_identifier_statement();
  if (token_.is('@')) return parse_guarded();
  if (token_.kind == Token::Kind::directive) return parse_body_directive();
  fail_here("an instruction, a label or a directive");
  advance();
  skip_statement();
}

void Parser::parse_body_directive() {
  if (token_.is(".loc")) return parse_location();
  if (token_.is(".file")) return parse_file();
  if (token_.is(".pragma")) return skip_statement();
  if (token_.is(".section")) return parse_section();
  if (token_.is(".extern")) advance();
  if (at_declaration()) return parse_variables(false);
  fail(token_.offset, "unknown directive '" + std::string(token_.text) + "' in a function");
  advance();
  skip_statement();
}

// .loc FILE LINE COLUMN {, function_name LABEL{+OFFSET}, inlined_at FILE LINE COLUMN}: one line without a semicolon.
void Parser::parse_location() {
  advance();
  const auto file = parse_number("the file of .loc");
  const auto line = file ? parse_number("the line of .loc") : std::nullopt;
  if (!line || !parse_number("the column of .loc")) return;
  while (accept(',')) {
    if (token_.kind != Token::Kind::identifier) return fail_here("function_name or inlined_at");
    const bool inlined = token_.text == "inlined_at";
    advance();
    if (inlined) {
      for (int i = 0; i < 3; ++i) {
        if (!parse_number("inlined_at")) return;
      }
    } else {
      advance();
      if (accept('+') && !parse_number("the offset of function_name")) return;
    }
  }
  const auto clamp = [](int64_t v) { return static_cast<uint32_t>(std::min<int64_t>(v, UINT32_MAX)); };
  if (in_function_) function_.positions.push_back({clamp(*file), clamp(*line)});
}

// A label if a colon follows (labels and opcodes may have the same names), otherwise an instruction.
void Parser::parse_identifier_statement() {
  const Token name = token_;
  if (lexer_.followed_by('.')) return parse_instruction(name, none, false, name.offset);
  advance();
  if (token_.is(':')) return parse_label(name);
  // The opcode was a word by itself, or has a blank before its first dot.
  parse_instruction(name, none, false, name.offset);
}

void Parser::parse_label(const Token& name) {
  advance();
  if (token_.is(".branchtargets") || token_.is(".calltargets") || token_.is(".callprototype")) return parse_table(name);
  const auto index = static_cast<uint32_t>(function_.labels.size());
  if (!scopes_[scope_].labels.emplace(name.text, index).second) {
    return fail(name.offset, "label '" + std::string(name.text) + "' is declared twice",
                "give each label of a block its own name");
  }
  function_.labels.push_back({name.text, static_cast<uint32_t>(function_.instructions.size()), name.offset});
}

void Parser::parse_table(const Token& label) {
  const auto index = static_cast<uint32_t>(function_.tables.size());
  if (!names_.declare(label.text, {Symbol::Kind::table, index})) {
    fail(label.offset, "'" + std::string(label.text) + "' is declared twice");
  }
  Table& table = function_.tables.emplace_back();
  table.name = label.text;
  table.is_prototype = token_.is(".callprototype");
  const bool of_labels = token_.is(".branchtargets");
  advance();
  if (table.is_prototype) return skip_statement();  // its parameters say nothing about time
  std::vector<uint32_t>& entries = of_labels ? table.labels : table.functions;
  do {
    if (token_.kind != Token::Kind::identifier) {
      fail_here(of_labels ? "a label" : "a function name");
      return skip_statement();
    }
    Reference reference{token_.text, scope_, token_.offset, slot_};
    reference.table = index;
    reference.table_entry = static_cast<uint32_t>(entries.size());
    (of_labels ? references_ : function_references_).push_back(reference);
    entries.push_back(none);
    advance();
  } while (accept(','));
  if (!expect(';', "the list of targets")) skip_statement();
}

void Parser::parse_guarded() {
  const uint32_t offset = token_.offset;
  advance();
  const bool negated = accept('!');
  const Token name = token_;
  if (name.kind != Token::Kind::identifier) {
    fail_here("a predicate register after '@'");
    return skip_statement();
  }
  advance();
  const size_t errors_before = errors_.size();
  names_undeclared_ = false;
  const auto guard = resolve(name);
  const bool is_predicate =
      guard && guard->kind == Operand::Kind::reg && function_.register_type(guard->index) == Type::pred;
  if (!is_predicate) {
    if (errors_.size() == errors_before && !names_undeclared_) {
      fail(name.offset, "the guard '" + std::string(name.text) + "' is not a predicate register");
    }
    return skip_statement();
  }
  if (token_.kind != Token::Kind::identifier) {
    fail_here("an instruction after the guard");
    return skip_statement();
  }
  const Token opcode = token_;
  if (!lexer_.followed_by('.')) advance();
  parse_instruction(opcode, guard->index, negated, offset);
}

// The dotted word, concatenated where blanks stand before its dots. Leaves the token after it as the next one. Empty
// after an error.
std::string_view Parser::instruction_word(const Token& opcode) {
  const bool taken = token_.offset != opcode.offset;  // a word without a dot right behind it
  std::string_view word = opcode.text;
  if (!taken) {
    word = lexer_.rest_of_word(opcode);
    advance();
  }
  // 'ld.const[2].u32' of PTX before 2.2: without a type, what stands in brackets is no address.
  if (word.ends_with(".const") && token_.is('[') && !parse_bank()) return {};
  if (token_.kind != Token::Kind::directive) return word;
  std::string word_of_parts(word);
  while (token_.kind == Token::Kind::directive) {
    word_of_parts += token_.text;
    advance();
  }
  return *concatenated_words_.insert(std::move(word_of_parts)).first;
}

void Parser::parse_instruction(const Token& opcode, uint32_t guard, bool guard_negated, uint32_t offset) {
  const std::string_view word = instruction_word(opcode);
  if (word.empty()) return skip_statement();
  const Form* form = module_.forms->find(word);
  if (form == nullptr) {
    const UnknownWord& unknown = module_.forms->error();
    fail(opcode.offset + unknown.offset, unknown.message, unknown.help);
    return skip_statement();
  }
  const size_t first_reference = references_.size();
  const size_t pool_before = function_.operands.size();
  selector_ = none;
  if (!parse_operands(*form) || !expect(';', "the instruction")) return skip_statement();
  if (selector_ != none && form->operation.kind != ir::OperationKind::video) {
    return fail(selector_, "only video instructions take parts of registers, and '" + form->text + "' is none");
  }
  if (!assign_roles(*form, opcode)) return;
  Instruction instruction;
  instruction.form = form;
  instruction.guard = guard;
  instruction.guard_negated = guard_negated;
  instruction.offset = offset;
  push_instruction(instruction, operands_);
  if (references_.size() == first_reference) return;
  for (size_t i = pool_before; i < function_.operands.size(); ++i) {
    const Operand& operand = function_.operands[i];
    if (operand.kind == Operand::Kind::label && operand.value == 1) {
      references_[operand.index].operand = static_cast<uint32_t>(i);
    }
  }
}

void Parser::push_instruction(Instruction instruction, const std::vector<Operand>& operands) {
  instruction.first_operand = static_cast<uint32_t>(function_.operands.size());
  instruction.operand_count = static_cast<uint16_t>(operands.size());
  if (!function_.positions.empty()) instruction.position = static_cast<uint32_t>(function_.positions.size() - 1);
  function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
  function_.instructions.push_back(instruction);
}

// Into operands_ and operand_offsets_. False after an error.
bool Parser::parse_operands(const Form& form) {
  operands_.clear();
  operand_offsets_.clear();
  elements_.clear();
  names_undeclared_ = false;
  if (form.transfer == ir::Transfer::call) return parse_call_operands();
  if (token_.is(';')) return true;
  const size_t errors_before = errors_.size();
  do {
    operand_offsets_.push_back(token_.offset);
    const auto operand = parse_operand();
    if (!operand) return false;
    operands_.push_back(*operand);
  } while (accept(','));
  return errors_.size() == errors_before && !names_undeclared_;
}

// call {(results),} target {, (arguments)} {, prototype or list of functions}. PTX ISA 9.7.12.5.
bool Parser::parse_call_operands() {
  const size_t errors_before = errors_.size();
  const auto take = [this](std::optional<Operand> operand, uint32_t offset) {
    if (operand) operands_.push_back(*operand);
    if (operand) operand_offsets_.push_back(offset);
    return operand.has_value();
  };
  const auto take_list = [&] {
    const uint32_t offset = token_.offset;
    return take(parse_list(), offset);
  };
  const auto take_name = [&] {
    const uint32_t offset = token_.offset;
    return take(parse_named_operand(), offset);
  };
  if (token_.is('(') && (!take_list() || !expect(',', "the results of the call"))) return false;
  if (!take_name()) return false;
  bool more = accept(',');
  if (more && token_.is('(')) {
    if (!take_list()) return false;
    more = accept(',');
  }
  if (more && !take_name()) return false;
  return errors_.size() == errors_before && !names_undeclared_;
}

// Labels are visible in their block and the blocks inside it, before and after their place.
void Parser::resolve_labels() {
  for (const Reference& reference : references_) {
    uint32_t found = none;
    for (uint32_t scope = reference.scope; scope != none && found == none; scope = scopes_[scope].parent) {
      const auto label = scopes_[scope].labels.find(reference.name);
      if (label != scopes_[scope].labels.end()) found = label->second;
    }
    resolve_label(reference, found);
  }
}

// The label may be none. A name that is no label here is a function's if it is not used as a branch target.
void Parser::resolve_label(const Reference& reference, uint32_t label) {
  const std::string name(reference.name);
  const auto undeclared = [&] {
    if (!undeclared_.insert(reference.name).second) return;
    fail(reference.offset, "undeclared label '" + name + "'",
         "a label stands before an instruction, as in '" + name + ":'");
  };
  if (reference.table != none) {
    function_.tables[reference.table].labels[reference.table_entry] = label;
    if (label == none) undeclared();
    return;
  }
  if (reference.operand == none) return;  // the instruction was dropped after another error
  Operand& operand = function_.operands[reference.operand];
  operand.value = 0;
  if (operand.role == Role::target) {
    if (label == none) undeclared();
    operand.index = label;
  } else if (label != none) {
    fail(reference.offset, "'" + name + "' is a label, which only a branch can name");
  } else {
    function_references_.push_back(reference);
  }
}

}  // namespace warpspan::ptx
