// Statements of a function body. PTX ISA 4.2, 7.1, 9, 11.5.
#include <limits>

#include "frontend/ptx/parser_state.hpp"

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
  if (!failed()) resolve_labels();
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
  if (token_.is(".file")) return skip_line_directive();
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
  Table table;
  table.name = label.text;
  table.is_prototype = token_.is(".callprototype");
  const bool of_labels = token_.is(".branchtargets");
  advance();
  if (table.is_prototype) {
    function_.tables.push_back(table);
    return skip_statement();  // its parameters say nothing about time
  }
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
  function_.tables.push_back(table);
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
  const auto guard = resolve(name);
  const bool is_predicate =
      guard && guard->kind == Operand::Kind::reg && function_.register_type(guard->index) == Type::pred;
  if (!is_predicate) {
    if (errors_.size() == errors_before && undeclared_.count(name.text) == 0) {
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

// The dotted word, joined where blanks stand before its dots. Leaves the token after it as the next one.
std::string_view Parser::instruction_word(const Token& opcode) {
  const bool taken = token_.offset != opcode.offset;  // a word without a dot right behind it
  std::string_view word = opcode.text;
  if (!taken) {
    word = lexer_.rest_of_word(opcode);
    advance();
  }
  if (token_.kind != Token::Kind::directive) return word;
  std::string joined(word);
  while (token_.kind == Token::Kind::directive) {
    joined += token_.text;
    advance();
  }
  return *joined_words_.insert(std::move(joined)).first;
}

void Parser::parse_instruction(const Token& opcode, uint32_t guard, bool guard_negated, uint32_t offset) {
  const std::string_view word = instruction_word(opcode);
  const Form* form = module_.forms->find(word);
  if (form == nullptr) {
    const UnknownWord& unknown = module_.forms->error();
    fail(opcode.offset + unknown.offset, unknown.message, unknown.help);
    return skip_statement();
  }
  const size_t errors_before = errors_.size();
  const size_t first_reference = references_.size();
  const size_t pool_before = function_.operands.size();
  std::vector<Operand>& operands = operand_buffer_;
  operands.clear();
  elements_.clear();
  const std::string_view name = form->opcode->name;
  if (name == "call") {
    parse_call_operands(operands);
  } else if (!token_.is(';')) {
    do {
      const auto operand = parse_operand();
      if (!operand) break;
      operands.push_back(*operand);
    } while (accept(','));
  }
  if (errors_.size() != errors_before) return skip_statement();
  if (!expect(';', "the instruction")) return skip_statement();
  if (name != "call" && !assign_roles(*form, operands, opcode)) return;
  if (operands.size() > std::numeric_limits<uint16_t>::max()) return fail(offset, "too many operands");

  Instruction instruction;
  instruction.form = form;
  instruction.first_operand = static_cast<uint32_t>(function_.operands.size());
  instruction.operand_count = static_cast<uint16_t>(operands.size());
  instruction.guard = guard;
  instruction.guard_negated = guard_negated;
  instruction.offset = offset;
  if (!function_.positions.empty()) instruction.position = static_cast<uint32_t>(function_.positions.size() - 1);
  function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
  function_.instructions.push_back(instruction);
  if (references_.size() == first_reference) return;
  for (size_t i = pool_before; i < function_.operands.size(); ++i) {
    const Operand& operand = function_.operands[i];
    if (operand.kind == Operand::Kind::label && operand.value == 1) {
      references_[operand.index].operand = static_cast<uint32_t>(i);
    }
  }
}

// call {(results),} target {, (arguments)} {, table or prototype}: results are written, arguments read. PTX
// ISA 9.7.12.5.
void Parser::parse_call_operands(std::vector<Operand>& operands) {
  if (token_.is('(')) {
    auto results = parse_list();
    if (!results) return;
    set_role(*results, Role::write);
    operands.push_back(*results);
    if (!expect(',', "the results of the call")) return;
  }
  do {
    auto operand = token_.is('(') ? parse_list() : parse_simple_operand();
    if (!operand) return;
    set_role(*operand,
             operand->kind == Operand::Kind::list || operand->kind == Operand::Kind::reg ? Role::read : Role::target);
    operands.push_back(*operand);
  } while (accept(','));
}

void Parser::set_role(Operand& operand, Role role) {
  operand.role = role;
  const bool has_elements = operand.kind == Operand::Kind::vector || operand.kind == Operand::Kind::pair ||
                            operand.kind == Operand::Kind::list;
  for (uint32_t i = 0; has_elements && i < operand.count; ++i) function_.operands[operand.index + i].role = role;
}

bool Parser::assign_roles(const Form& form, std::vector<Operand>& operands, const Token& opcode) {
  const std::vector<Role>* roles = form.roles(operands.size());
  if (roles == nullptr) {
    fail(opcode.offset, "'" + form.text + "' cannot have " + std::to_string(operands.size()) +
                            (operands.size() == 1 ? " operand" : " operands"));
    return false;
  }
  for (size_t i = 0; i < operands.size(); ++i) set_role(operands[i], (*roles)[i]);
  return true;
}

// Labels are visible in their block and the blocks inside it, before and after their place.
void Parser::resolve_labels() {
  for (const Reference& reference : references_) {
    uint32_t found = none;
    for (uint32_t scope = reference.scope; scope != none && found == none; scope = scopes_[scope].parent) {
      const auto label = scopes_[scope].labels.find(reference.name);
      if (label != scopes_[scope].labels.end()) found = label->second;
    }
    if (reference.table != none) {
      function_.tables[reference.table].labels[reference.table_entry] = found;
      if (found == none) fail(reference.offset, "undeclared label '" + std::string(reference.name) + "'");
    } else if (reference.operand == none) {
      continue;  // the instruction was dropped after another error
    } else if (found != none) {
      function_.operands[reference.operand].index = found;
      function_.operands[reference.operand].value = 0;
    } else {
      function_.operands[reference.operand].value = 0;
      function_references_.push_back(reference);
    }
  }
}

}  // namespace warpspan::ptx
