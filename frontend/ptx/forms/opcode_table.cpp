// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/forms/opcode_table.hpp"

#include <algorithm>
#include <array>

#include "ir/sizes.hpp"

namespace warpspan::ptx {
namespace {

// The words of the tables.
namespace rows {
using enum ir::OperationKind;
using Space = ir::MemorySpace;
using Does = ir::Computation;
using Transfer = ir::Transfer;
using Access = ir::AccessClass;
using Addressing = ir::Matrix::Addressing;
using Copy = ir::Copy::Kind;
using Sync = ir::Synchronisation;
constexpr int unknown_bytes = 16;   // the most that one lane copies at a time
constexpr int fragment_bytes = 32;  // the largest fragment of a lane: eight registers
constexpr int barrier_bytes = 8;
constexpr int line_bytes = ir::memory_line_bytes;

constexpr Rule bulk(Copy kind) { return copying(kind, memory(copy_bulk, Space::global, unknown_bytes)); }
constexpr Rule tensor(Copy kind) { return copying_tensor(kind, memory(copy_bulk, Space::global, unknown_bytes)); }
constexpr Rule matrix(Access access, Addressing addressing, Space space, int bytes) {
  return accessing(access, of_matrix(addressing, memory(matrix_load, space, bytes)));
}

constexpr OpcodeRow all[] = {
#define PTX_OPCODE(name, operands, rule, meaning, forms, section) {{name, operands, section}, rule, meaning, forms},
#include "frontend/ptx/forms/opcodes/arithmetic.def"
#include "frontend/ptx/forms/opcodes/async_copy.def"
#include "frontend/ptx/forms/opcodes/atomic.def"
#include "frontend/ptx/forms/opcodes/compare.def"
#include "frontend/ptx/forms/opcodes/control.def"
#include "frontend/ptx/forms/opcodes/conversion.def"
#include "frontend/ptx/forms/opcodes/floating.def"
#include "frontend/ptx/forms/opcodes/integer.def"
#include "frontend/ptx/forms/opcodes/logic.def"
#include "frontend/ptx/forms/opcodes/matrix.def"
#include "frontend/ptx/forms/opcodes/movement.def"
#include "frontend/ptx/forms/opcodes/synchronisation.def"
#include "frontend/ptx/forms/opcodes/tensor.def"
#include "frontend/ptx/forms/opcodes/texture.def"
#include "frontend/ptx/forms/opcodes/video.def"
#undef PTX_OPCODE
};
}  // namespace rows

constexpr bool one = true;
constexpr bool several = false;
constexpr ModifierGroup modifier_groups[] = {
#define MODIFIER_GROUP(name, most, together, members) {"<" #name ">", most, together, members},
#define TYPE_GROUP(name, members)
#include "frontend/ptx/forms/modifiers.def"
#undef MODIFIER_GROUP
#undef TYPE_GROUP
};
constexpr ModifierGroup type_groups[] = {
#define MODIFIER_GROUP(name, most, together, members)
#define TYPE_GROUP(name, members) {"<" #name ">", 1, several, members},
#include "frontend/ptx/forms/modifiers.def"
#undef MODIFIER_GROUP
#undef TYPE_GROUP
};

constexpr std::string_view type_spellings[] = {
#define PTX_TYPE(enumerator, name, bits) name,
#include "frontend/ptx/forms/types.def"
#undef PTX_TYPE
};
constexpr int type_bits[] = {
#define PTX_TYPE(enumerator, name, bits) bits,
#include "frontend/ptx/forms/types.def"
#undef PTX_TYPE
};

bool by_name(const OpcodeRow* row, std::string_view name) { return row->opcode.name < name; }

const ModifierGroup* group_named(std::span<const ModifierGroup> groups, std::string_view name) {
  const auto group = std::find_if(groups.begin(), groups.end(), [&](const ModifierGroup& g) { return g.name == name; });
  return group == groups.end() ? nullptr : &*group;
}

// Calls f with each modifier of a row and how often it may stand in a word.
template <typename F>
void for_each_modifier(std::string_view forms, F f) {
  for_each_part(forms, ';', [&](std::string_view alternative) {
    const size_t types_end = alternative.find(" : ");
    if (types_end != std::string_view::npos) alternative.remove_prefix(types_end + 3);
    for_each_part(alternative, ' ', [&](std::string_view word) {
      if (word.back() == '!') word.remove_suffix(1);
      for_each_part(word, '/', [&](std::string_view choice) {
        const ModifierGroup* group = modifier_group(choice);
        if (group == nullptr) return f(choice, 1);
        for_each_part(group->members, ' ', [&](std::string_view member) { f(member, group->most); });
      });
    });
  });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_pattern_of(std::string_view pattern, std::string_view modifier) {
  size_t at = 0;
  for (const char c : pattern) {
    if (at == modifier.size()) return false;
    if (c != '#') {
      if (modifier[at++] != c) return false;
      continue;
    }
    if (!is_digit(modifier[at])) return false;
    while (at < modifier.size() && is_digit(modifier[at])) ++at;
  }
  return at == modifier.size();
}

const ModifierGroup* modifier_group(std::string_view word) { return group_named(modifier_groups, word); }

const ModifierGroup* type_group(std::string_view word) { return group_named(type_groups, word); }

std::string_view to_string(Type type) { return type_spellings[static_cast<size_t>(type)]; }

int bits(Type type) { return type_bits[static_cast<size_t>(type)]; }

bool is_integer(Type type) {
  switch (type) {
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64: return true;
    default: return false;
  }
}

Type type_named(std::string_view name) {
  const auto found = std::find(std::begin(type_spellings), std::end(type_spellings), name);
  return found == std::end(type_spellings) ? Type::none : static_cast<Type>(found - std::begin(type_spellings));
}

std::span<const std::string_view> type_names() { return type_spellings; }

std::span<const OpcodeRow* const> opcode_rows() {
  static const auto sorted = [] {
    std::array<const OpcodeRow*, std::size(rows::all)> table;
    std::transform(std::begin(rows::all), std::end(rows::all), table.begin(),
                   [](const OpcodeRow& row) { return &row; });
    std::sort(table.begin(), table.end(),
              [](const OpcodeRow* a, const OpcodeRow* b) { return by_name(a, b->opcode.name); });
    return table;
  }();
  return sorted;
}

const OpcodeRow* find_opcode(std::string_view word) {
  const auto table = opcode_rows();
  for (size_t length = word.size(); length != std::string_view::npos; length = word.substr(0, length).rfind('.')) {
    const std::string_view name = word.substr(0, length);
    const auto row = std::lower_bound(table.begin(), table.end(), name, by_name);
    if (row != table.end() && (*row)->opcode.name == name) return *row;
  }
  return nullptr;
}

std::vector<std::string_view> continuations(std::string_view name) {
  std::vector<std::string_view> parts;
  for (const OpcodeRow* row : opcode_rows()) {
    std::string_view other = row->opcode.name;
    if (other.size() <= name.size() || other[name.size()] != '.' || other.substr(0, name.size()) != name) continue;
    other.remove_prefix(name.size() + 1);
    other = other.substr(0, other.find('.'));
    if (std::find(parts.begin(), parts.end(), other) == parts.end()) parts.push_back(other);
  }
  return parts;
}

std::vector<std::string_view> modifiers_of(const OpcodeRow& row) {
  std::vector<std::string_view> modifiers;
  for_each_modifier(row.forms, [&](std::string_view modifier, int) { modifiers.push_back(modifier); });
  return modifiers;
}

int most_of(const OpcodeRow& row, std::string_view modifier) {
  int most = 0;
  for_each_modifier(row.forms, [&](std::string_view pattern, int times) {
    if (is_pattern_of(pattern, modifier)) most = std::max(most, times);
  });
  return most;
}

bool is_modifier(std::string_view part) {
  const auto rows = opcode_rows();
  return std::any_of(rows.begin(), rows.end(), [&](const OpcodeRow* row) { return most_of(*row, part) > 0; });
}

}  // namespace warpspan::ptx
