#include "frontend/ptx/form.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "frontend/ptx/opcode_table.hpp"
#include "frontend/ptx/operation_rule.hpp"
#include "frontend/ptx/unknown_word.hpp"

namespace warpspan::ptx {
namespace {

constexpr size_t most_operands = 16;  // no instruction has so many; call counts each of its lists as one

struct RolePattern {
  Role role;
  bool optional = false;
  bool repeated = false;  // any number of times, also none
};

// The signs of an opcode row that a form's modifiers choose: see opcodes/README.md.
std::string_view chosen_signs(const Form& form) {
  std::string_view rest = form.opcode->operands;
  for (size_t end = rest.find(';'); end != std::string_view::npos; end = rest.find(';')) {
    const std::string_view alternative = rest.substr(0, end);
    const size_t colon = alternative.rfind(':');
    if (form.has(alternative.substr(0, colon))) return alternative.substr(colon + 1);
    rest.remove_prefix(end + 1);
  }
  return rest;
}

std::vector<RolePattern> parse_signs(std::string_view signs) {
  std::vector<RolePattern> patterns;
  for (const char sign : signs) {
    switch (sign) {
      case 'w': patterns.push_back({Role::write}); break;
      case 'r': patterns.push_back({Role::read}); break;
      case 'x': patterns.push_back({Role::read_write}); break;
      case 'm': patterns.push_back({Role::address}); break;
      case 't': patterns.push_back({Role::target}); break;
      case 'l': patterns.push_back({Role::targets}); break;
      case 'c': patterns.push_back({Role::callee}); break;
      case '?': patterns.back().optional = true; break;
      case '*': patterns.back().repeated = true; break;
      default: break;  // blanks and commas
    }
  }
  return patterns;
}

// The roles of `count` operands; empty if there cannot be so many. Optional ones are given to the leftmost signs.
std::vector<Role> distribute(const std::vector<RolePattern>& patterns, size_t count) {
  const auto required = static_cast<size_t>(
      std::count_if(patterns.begin(), patterns.end(), [](const RolePattern& p) { return !p.optional && !p.repeated; }));
  if (count < required) return {};
  size_t spare = count - required;
  std::vector<Role> roles;
  for (const RolePattern& pattern : patterns) {
    const size_t times = pattern.repeated ? spare : pattern.optional ? std::min<size_t>(spare, 1) : 1;
    if (pattern.repeated || pattern.optional) spare -= times;
    roles.insert(roles.end(), times, pattern.role);
  }
  return spare == 0 ? roles : std::vector<Role>();
}

// Entry n holds the roles of n operands; where n are impossible, its length is not n.
std::vector<std::vector<Role>> roles_by_count(std::string_view signs) {
  const std::vector<RolePattern> patterns = parse_signs(signs);
  std::vector<std::vector<Role>> roles;
  for (size_t count = 0; count <= most_operands; ++count) roles.push_back(distribute(patterns, count));
  const bool may_be_none =
      std::all_of(patterns.begin(), patterns.end(), [](const RolePattern& p) { return p.optional || p.repeated; });
  if (!may_be_none) roles.front().assign(1, Role::read);
  return roles;
}

int vector_size_of(std::string_view modifier) {
  const bool is_vector = modifier.size() == 2 && modifier[0] == 'v' && modifier[1] >= '2' && modifier[1] <= '8';
  return is_vector ? modifier[1] - '0' : 1;
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
      if (full) return repeated_modifier(part, offset);
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
  form.operation = std::move(*operation);
  form.operation.semantics = semantics_of(row.meaning, form);
  form.transfer = row.meaning.transfer;
  form.reads_carry = row.meaning.reads_carry;
  form.writes_carry = form.has("cc");
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

const std::vector<Role>* Form::roles(size_t count) const {
  if (count >= roles_by_count->size() || (*roles_by_count)[count].size() != count) return nullptr;
  return &(*roles_by_count)[count];
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
  std::unique_ptr<RolesByCount>& roles = roles_[chosen_signs(*form)];
  if (roles == nullptr) roles = std::make_unique<RolesByCount>(roles_by_count(chosen_signs(*form)));
  form->roles_by_count = roles.get();
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
