// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/forms/form.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "frontend/ptx/forms/combination.hpp"
#include "frontend/ptx/forms/opcode_table.hpp"
#include "frontend/ptx/forms/operation_rule.hpp"
#include "frontend/ptx/forms/unknown_word.hpp"

namespace warpspan::ptx {
namespace {

constexpr size_t most_operands = 16;  // no instruction has so many; call counts each of its lists as one

struct Pattern {
  OperandRule rule;
  bool optional = false;
  bool repeated = false;  // any number of times, also none
};

// Whether a form has a modifier, or one of a group.
bool has_any(const Form& form, std::string_view name) {
  const ModifierGroup* group = modifier_group(name);
  if (group == nullptr) return form.has(name);
  bool any = false;
  for_each_part(group->members, ' ', [&](std::string_view member) { any = any || form.has(member); });
  return any;
}

// The signs of an opcode row that a form's modifiers choose: see opcodes/README.md.
std::string_view chosen_signs(const Form& form) {
  std::string_view rest = form.opcode->operands;
  for (size_t end = rest.find(';'); end != std::string_view::npos; end = rest.find(';')) {
    std::string_view alternative = rest.substr(0, end);
    alternative.remove_prefix(std::min(alternative.find_first_not_of(' '), alternative.size()));
    const size_t colon = alternative.rfind(':');
    if (has_any(form, alternative.substr(0, colon))) return alternative.substr(colon + 1);
    rest.remove_prefix(end + 1);
  }
  return rest;
}

std::optional<Role> role_of(char sign) {
  switch (sign) {
    case 'w': return Role::write;
    case 'r': return Role::read;
    case 'x': return Role::read_write;
    case 'm':
    case 'k': return Role::address;
    case 't': return Role::target;
    case 'l': return Role::targets;
    case 'c': return Role::callee;
    default: return std::nullopt;
  }
}

// "(u32)" and the like.
void expect_named(OperandRule& rule, std::string_view name) {
  using Expected = OperandRule::Expected;
  rule.expected = name == "address" ? Expected::address : name == "number" ? Expected::number : Expected::fixed;
  if (rule.expected == Expected::fixed) rule.type = type_named(name);
}

void add_mark(Pattern& pattern, char mark) {
  OperandRule& rule = pattern.rule;
  switch (mark) {
    case '?': pattern.optional = true; break;
    case '*': pattern.repeated = true; break;
    case '+': rule.may_be_wider = true; break;
    case '&': rule.may_be_packed = true; break;
    case '#': rule.may_be_vector = true; break;
    case '|': rule.may_be_pair = true; break;
    case '_': rule.may_be_sink = true; break;
    case '^': rule.expected = OperandRule::Expected::twice; break;
    case '$': rule.may_be_special = true; break;
    case '@': rule.may_be_symbol = true; break;
    case '1':
    case '2':
    case '3':
      rule.expected = OperandRule::Expected::word_type;
      rule.type_number = static_cast<uint8_t>(mark - '0');
      break;
    default: break;  // blanks and commas
  }
}

std::vector<Pattern> parse_signs(std::string_view signs) {
  std::vector<Pattern> patterns;
  for (size_t at = 0; at < signs.size(); ++at) {
    if (const auto role = role_of(signs[at])) {
      patterns.emplace_back().rule.role = *role;
      patterns.back().rule.has_coordinates = signs[at] == 'k';
    } else if (signs[at] == '(') {
      const size_t end = signs.find(')', at);
      expect_named(patterns.back().rule, signs.substr(at + 1, end - at - 1));
      at = end;
    } else if (!patterns.empty()) {
      add_mark(patterns.back(), signs[at]);
    }
  }
  return patterns;
}

// The rules of `count` operands; empty if there cannot be so many. Optional ones are given to the leftmost signs.
std::vector<OperandRule> distribute(const std::vector<Pattern>& patterns, size_t count) {
  const auto required = static_cast<size_t>(
      std::count_if(patterns.begin(), patterns.end(), [](const Pattern& p) { return !p.optional && !p.repeated; }));
  if (count < required) return {};
  size_t spare = count - required;
  std::vector<OperandRule> rules;
  for (const Pattern& pattern : patterns) {
    const size_t times = pattern.repeated ? spare : pattern.optional ? std::min<size_t>(spare, 1) : 1;
    if (pattern.repeated || pattern.optional) spare -= times;
    rules.insert(rules.end(), times, pattern.rule);
  }
  return spare == 0 ? rules : std::vector<OperandRule>();
}

// Entry n has the rules of n operands; where n are impossible, its length is not n.
std::vector<std::vector<OperandRule>> rules_by_count(std::string_view signs) {
  const std::vector<Pattern> patterns = parse_signs(signs);
  std::vector<std::vector<OperandRule>> rules;
  for (size_t count = 0; count <= most_operands; ++count) rules.push_back(distribute(patterns, count));
  const bool may_be_none =
      std::all_of(patterns.begin(), patterns.end(), [](const Pattern& p) { return p.optional || p.repeated; });
  if (!may_be_none) rules.front().assign(1, OperandRule());
  return rules;
}

int vector_size_of(std::string_view modifier) {
  const bool is_vector = modifier.size() == 2 && modifier[0] == 'v' && modifier[1] >= '2' && modifier[1] <= '8';
  return is_vector ? modifier[1] - '0' : 1;
}

// ptxas 13.0 takes these twice, and they then mean no more than once.
bool may_be_repeated(std::string_view modifier) {
  static constexpr std::string_view harmless[] = {"sat", "cc",   "relu",      "shiftamt", "approx",
                                                  "NaN", "sync", "satfinite", "uni"};
  return std::find(std::begin(harmless), std::end(harmless), modifier) != std::end(harmless);
}

// Takes the parts of a word after its opcode, from `offset` on, into a form. Returns what is wrong, or an empty
// message.
UnknownWord take_parts(const OpcodeRow& row, Form& form, size_t offset) {
  const std::string_view word = form.text;
  while (offset < word.size()) {
    const size_t end = std::min(word.find('.', offset + 1), word.size());
    const std::string_view part = word.substr(offset + 1, end - offset - 1);
    const Type type = type_named(part);
    if (type != Type::none) {
      form.types.push_back(type);
    } else {
      const int most = most_of(row, part);
      if (most == 0) return unknown_modifier(row, part, offset);
      const bool full = std::count(form.modifiers.begin(), form.modifiers.end(), part) >= most;
      if (full && !may_be_repeated(part)) return repeated_modifier(part, offset);
      if (full) {
        offset = end;
        continue;
      }
      const int size = vector_size_of(part);
      if (size > 1 && form.vector_size > 1) return second_vector_size(part, offset);
      if (size > 1) form.vector_size = size;
      form.modifiers.push_back(part);
    }
    offset = end;
  }
  return {};
}

// Where the first type of a form stands, with its dot.
size_t type_offset(const Form& form) {
  return form.text.find("." + std::string(to_string(form.type())), form.opcode->name.size());
}

// Fills in what follows from modifiers and types. Returns what is wrong, or an empty message.
UnknownWord complete(const OpcodeRow& row, Form& form) {
  const size_t needed = types_needed(row.rule);
  if (form.types.size() < needed) return missing_type(row, needed, form.text.size());
  auto operation = operation_of(row.rule, form);
  if (!operation) {
    const bool integer = form.type() != Type::none && !continuations(row.opcode.name).empty();
    return integer ? incomplete_opcode(row.opcode.name, row.opcode.name.size())
                   : wrong_type(row, form.type(), type_offset(form));
  }
  if (UnknownWord error = check_combination(row, form); !error.message.empty()) return error;
  form.operation = std::move(*operation);
  form.operation.semantics = semantics_of(row.meaning, form);
  form.transfer = row.meaning.transfer;
  form.reads_carry = row.meaning.reads_carry;
  form.writes_carry = form.has("cc");
  for (const std::string_view modifier : form.modifiers) {
    if (const ir::MemorySpace space = space_named(modifier); space != ir::MemorySpace::none)
      form.spaces.push_back(space);
  }
  return {};
}

// Words are short and few: eight bytes at a time, each step spreading all bits.
uint64_t hash_of(std::string_view word) {
  constexpr uint64_t odd = 0x9E3779B97F4A7C15;
  uint64_t hash = word.size() * odd;
  const auto mix = [&hash](uint64_t bytes) {
    hash = (hash ^ bytes) * odd;
    hash ^= hash >> 29;
  };
  while (word.size() >= sizeof(uint64_t)) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, word.data(), sizeof bytes);
    mix(bytes);
    word.remove_prefix(sizeof bytes);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, word.data(), word.size());
  mix(rest);
  return hash ^ hash >> 32;
}

}  // namespace

bool Form::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

// An address behind those whose spaces are named is that of a barrier object, in shared memory as these are.
ir::MemorySpace Form::space_of_address(size_t n) const {
  if (n < spaces.size()) return spaces[n];
  const bool is_barrier_object = !spaces.empty() || opcode->name.starts_with("mbarrier.");
  return is_barrier_object ? ir::MemorySpace::shared : ir::MemorySpace::none;
}

const std::vector<OperandRule>* Form::rules(size_t count) const {
  if (count >= rules_by_count->size() || (*rules_by_count)[count].size() != count) return nullptr;
  return &(*rules_by_count)[count];
}

Type Form::expected_type(const OperandRule& rule) const {
  using Expected = OperandRule::Expected;
  switch (rule.expected) {
    case Expected::word_type:
      return types.empty() ? Type::none : types[std::min<size_t>(rule.type_number, types.size()) - 1];
    case Expected::twice: return bits(type()) == 16 ? Type::u32 : bits(type()) == 32 ? Type::u64 : Type::none;
    case Expected::fixed: return rule.type;
    default: return Type::none;
  }
}

FormTable::FormTable() : slots_(1024) {}

const Form* FormTable::find(std::string_view word) {
  const uint64_t hash = hash_of(word);
  for (size_t at = hash & (slots_.size() - 1); slots_[at].form != nullptr; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].hash == hash && slots_[at].form->text == word) return slots_[at].form;
  }
  return add(word, hash);
}

const Form* FormTable::add(std::string_view word, uint64_t hash) {
  const OpcodeRow* row = find_opcode(word);
  if (row == nullptr) {
    error_ = unknown_opcode(word);
    return nullptr;
  }
  auto form = std::make_unique<Form>();
  form->text = word;
  form->opcode = &row->opcode;
  error_ = take_parts(*row, *form, row->opcode.name.size());
  if (error_.message.empty()) error_ = complete(*row, *form);
  if (!error_.message.empty()) return nullptr;
  std::unique_ptr<RulesByCount>& rules = rules_[chosen_signs(*form)];
  if (rules == nullptr) rules = std::make_unique<RulesByCount>(rules_by_count(chosen_signs(*form)));
  form->rules_by_count = rules.get();
  forms_.push_back(std::move(form));
  if (2 * forms_.size() > slots_.size()) grow();
  insert({hash, forms_.back().get()});
  return forms_.back().get();
}

void FormTable::insert(Slot slot) {
  size_t at = slot.hash & (slots_.size() - 1);
  while (slots_[at].form != nullptr) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = slot;
}

void FormTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.form != nullptr) insert(slot);
  }
}

}  // namespace warpspan::ptx
