#include "frontend/ptx/names.hpp"

namespace warpspan::ptx {

namespace {

bool ends_in_digit(std::string_view name) { return !name.empty() && name.back() >= '0' && name.back() <= '9'; }

struct NumberedName {
  std::string_view prefix;
  uint32_t number = 0;
};

// "%r12" is element 12 of "%r". Elements are written without leading zeros, so "%r012" is no element of "%r", but it is
// element 12 of "%r0".
std::optional<NumberedName> split(std::string_view name) {
  size_t begin = name.size();
  uint64_t number = 0;
  uint64_t place = 1;
  for (size_t i = name.size(); i > 0 && name[i - 1] >= '0' && name[i - 1] <= '9' && place <= 1'000'000'000; --i) {
    const auto digit = static_cast<uint64_t>(name[i - 1] - '0');
    number += digit * place;
    place *= 10;
    if (digit != 0 || i == name.size()) begin = i - 1;
  }
  if (begin == name.size() || number > UINT32_MAX) return std::nullopt;
  if (name[begin] == '0' && begin + 1 != name.size()) return std::nullopt;
  return NumberedName{name.substr(0, begin), static_cast<uint32_t>(number)};
}

}  // namespace

void Names::open() { undo_.emplace_back(); }

void Names::close() {
  recent_ = {};
  for (const auto& [table, name] : undo_.back()) {
    if (table == &plain_ && ends_in_digit(name)) --numbered_plain_names_[name.front() == '%'];
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
  const std::optional<Symbol> known = ends_in_digit(name) ? find(name) : std::nullopt;
  if (known) {
    const auto element = split(name);
    const Entry* range = element ? find_range(element->prefix) : nullptr;
    if (range != nullptr && range->depth == undo_.size() && element->number < range->count) return false;
  }
  if (!declare_in(plain_, name, {symbol})) return false;
  if (ends_in_digit(name)) ++numbered_plain_names_[name.front() == '%'];
  return true;
}

bool Names::declare_range(std::string_view prefix, uint32_t count, Symbol symbol) {
  return declare_in(ranges_, prefix, {symbol, count});
}

const Names::Entry* Names::find_range(std::string_view prefix) const {
  const size_t place = (prefix.size() * 7 + (prefix.empty() ? 0 : static_cast<unsigned char>(prefix.back()))) % recent_.size();
  Recent& recent = recent_[place];
  if (recent.entry != nullptr && recent.prefix == prefix) return recent.entry;
  const auto found = ranges_.find(prefix);
  if (found == ranges_.end() || found->second.empty()) return nullptr;
  recent = {prefix, &found->second.back()};
  return recent.entry;
}

std::optional<Symbol> Names::find(std::string_view name) const {
  const Entry* best = nullptr;
  const bool numbered = ends_in_digit(name);
  if (!numbered || numbered_plain_names_[name.front() == '%'] > 0) {
    const auto found = plain_.find(name);
    if (found != plain_.end() && !found->second.empty()) best = &found->second.back();
  }
  if (numbered) {
    const auto element = split(name);
    const Entry* range = element ? find_range(element->prefix) : nullptr;
    if (range != nullptr && element->number < range->count && (best == nullptr || range->depth > best->depth)) {
      Symbol symbol = range->symbol;
      symbol.index += element->number * symbol.vector_size;
      return symbol;
    }
  }
  return best == nullptr ? std::nullopt : std::optional<Symbol>(best->symbol);
}

std::optional<uint32_t> Names::range_size(std::string_view name) const {
  const auto element = split(name);
  const Entry* range = element ? find_range(element->prefix) : nullptr;
  return range == nullptr ? std::nullopt : std::optional<uint32_t>(range->count);
}

}  // namespace warpspan::ptx
