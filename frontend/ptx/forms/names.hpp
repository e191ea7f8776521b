// SPDX-License-Identifier: GPL-3.0-or-later
// What a name means at a point of a function: registers, variables and tables of the scopes around it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/ptx/forms/form.hpp"

namespace warpspan::ptx {

struct Symbol {
  enum class Kind : uint8_t { reg, variable, function, table };
  Kind kind = Kind::reg;
  uint32_t index = 0;
  uint8_t vector_size = 1;  // of a register
  Type type = Type::none;   // of a register
};

class Names {
 public:
  Names() { open(); }

  void open();   // a scope inside the current one
  void close();  // forgets what the innermost scope declared
  size_t depth() const { return undo_.size(); }

  // False if the innermost scope has the name already.
  bool declare(std::string_view name, Symbol symbol);
  // Registers prefix0 .. prefix(count-1), with consecutive indices (times vector_size) from symbol.index.
  bool declare_range(std::string_view prefix, uint32_t count, Symbol symbol);

  // The innermost meaning of a name, also of an element of a range.
  std::optional<Symbol> find(std::string_view name) const;
  // The size of the innermost range that `name` looks like an element of, whether inside it or not.
  std::optional<uint32_t> range_size(std::string_view name) const;

 private:
  struct Entry {
    Symbol symbol;
    uint32_t count = 0;  // of a range
    size_t depth = 0;
  };
  struct Element {
    const Entry* range = nullptr;      // that contains the name
    uint32_t number = 0;               // in the range
    std::optional<uint32_t> declared;  // elements of the range, also if the name is beyond them
  };
  using Table = std::unordered_map<std::string_view, std::vector<Entry>>;

  bool declare_in(Table& table, std::string_view name, Entry entry);
  const Entry* find_range(std::string_view prefix) const;
  Element find_element(std::string_view name) const;

  static constexpr uint64_t most_elements = 1'000'000'000;  // of a range, more than any function may declare

  Table plain_;
  Table ranges_;
  std::vector<std::vector<std::pair<Table*, std::string_view>>> undo_;
  // The ranges looked up last: nearly all operands are elements of a few. Emptied by every declaration.
  struct Recent {
    std::string_view prefix;
    const Entry* entry = nullptr;
  };
  mutable std::array<Recent, 16> recent_;
  // Plain names that end in a digit, without and with a leading '%': while there are none, such a name is in a range.
  std::array<size_t, 2> numbered_plain_names_{};
  size_t numbered_prefixes_ = 0;  // ranges whose prefix ends in a digit
};

}  // namespace warpspan::ptx
