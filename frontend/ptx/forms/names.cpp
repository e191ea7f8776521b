// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/forms/names.hpp"

namespace warpspan::ptx {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool ends_in_digit(std::string_view name) { return !name.empty() && is_digit(name.back()); }

}  // namespace

void Names::open() { undo_.emplace_back(); }

void Names::close() {
  recent_ = {};
  for (const auto& [table, name] : undo_.back()) {
    if (table == &plain_ && ends_in_digit(name)) --numbered_plain_names_[name.front() == '%'];
    if (table == &ranges_ && ends_in_digit(name)) --numbered_prefixes_;
    table->find(name)->second.pop_back();
  }
  undo_.pop_back();
}

bool Names::declare_in(Table& table, std::string_view name, Entry entry) {
  recent_ = {};
  std::vector<Entry>& entries = table[name];
  entry.depth = undo_.size();
  if (!entries.empty() && entries.back().depth == entry.depth) return false;
  entries.push_back(entry);
  undo_.back().emplace_back(&table, name);
  return true;
}

bool Names::declare(std::string_view name, Symbol symbol) {
  const Element element = find_element(name);
  if (element.range != nullptr && element.range->depth == undo_.size()) return false;
  if (!declare_in(plain_, name, {symbol})) return false;
  if (ends_in_digit(name)) ++numbered_plain_names_[name.front() == '%'];
  return true;
}

bool Names::declare_range(std::string_view prefix, uint32_t count, Symbol symbol) {
  if (!declare_in(ranges_, prefix, {symbol, count})) return false;
  if (ends_in_digit(prefix)) ++numbered_prefixes_;
  return true;
}

const Names::Entry* Names::find_range(std::string_view prefix) const {
  const size_t place =
      (prefix.size() * 7 + (prefix.empty() ? 0 : static_cast<unsigned char>(prefix.back()))) % recent_.size();
  Recent& recent = recent_[place];
  if (recent.entry != nullptr && recent.prefix == prefix) return recent.entry;
  const auto found = ranges_.find(prefix);
  if (found == ranges_.end() || found->second.empty()) return nullptr;
  recent = {prefix, &found->second.back()};
  return recent.entry;
}

// "%r12" is element 12 of "%r<20>". Elements are written without leading zeros. Nearly always the digits at the end are
// the number; only if a prefix itself ends in a digit, as in "%r1<5>", the name can be read otherwise.
Names::Element Names::find_element(std::string_view name) const {
  uint64_t number = 0;
  uint64_t place = 1;
  Element best;
  for (size_t begin = name.size(); begin > 0 && is_digit(name[begin - 1]) && place <= most_elements;) {
    --begin;
    number += static_cast<uint64_t>(name[begin] - '0') * place;
    place *= 10;
    const bool all_digits = begin == 0 || !is_digit(name[begin - 1]);
    const bool leading_zero = name[begin] == '0' && begin + 1 < name.size();
    if (leading_zero || (!all_digits && numbered_prefixes_ == 0)) continue;
    const Entry* range = find_range(name.substr(0, begin));
    if (range == nullptr) continue;
    best.declared = range->count;
    if (number < range->count) return {range, static_cast<uint32_t>(number), range->count};
  }
  return best;
}

std::optional<Symbol> Names::find(std::string_view name) const {
  const Entry* plain = nullptr;
  const bool numbered = ends_in_digit(name);
  if (!numbered || numbered_plain_names_[name.front() == '%'] > 0) {
    const auto found = plain_.find(name);
    if (found != plain_.end() && !found->second.empty()) plain = &found->second.back();
  }
  if (numbered) {
    const Element element = find_element(name);
    if (element.range != nullptr && (plain == nullptr || element.range->depth > plain->depth)) {
      Symbol symbol = element.range->symbol;
      symbol.index += element.number * symbol.vector_size;
      return symbol;
    }
  }
  return plain == nullptr ? std::nullopt : std::optional<Symbol>(plain->symbol);
}

std::optional<uint32_t> Names::range_size(std::string_view name) const { return find_element(name).declared; }

}  // namespace warpspan::ptx
