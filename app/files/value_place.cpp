// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/value_place.hpp"

#include <algorithm>

namespace warpspan::app {

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// Lines and columns count from 1, columns in characters of UTF-8.
size_t offset_of(std::string_view text, const toml::source_position& at) {
  size_t offset = 0;
  for (toml::source_index line = 1; line < at.line; ++line) {
    const size_t end = text.find('\n', offset);
    if (end == std::string_view::npos) return text.size();
    offset = end + 1;
  }
  for (toml::source_index column = 1; column < at.column && offset < text.size(); ++column) {
    ++offset;
    while (offset < text.size() && continues_character(text[offset])) ++offset;
  }
  return offset;
}

// Behind the brace: "{ a = 1 }" becomes "{ max = 2, a = 1 }".
ValuePlace place_in_braces(size_t brace, std::string_view text, bool is_empty, const std::string& key) {
  const bool has_blank = text.substr(brace + 1, 1) == " ";
  const std::string separator = is_empty ? "" : has_blank ? "," : ", ";
  return {brace + 1, brace + 1, (has_blank ? " " : "") + key + " = ", separator};
}

// Behind the line that holds the offset, as far from the margin.
ValuePlace place_below(size_t offset, std::string_view text, const std::string& key) {
  const size_t begin = text.rfind('\n', offset == 0 ? 0 : offset - 1);
  const size_t first = begin == std::string_view::npos ? 0 : begin + 1;
  const size_t indent = text.find_first_not_of(" \t", first);
  const std::string margin(text.substr(first, std::min(indent, text.size()) - first));
  const size_t end = text.find('\n', offset);
  const bool carriage = end != std::string_view::npos && end > 0 && text[end - 1] == '\r';
  const std::string line_end = carriage ? "\r\n" : "\n";
  if (end == std::string_view::npos) return {text.size(), text.size(), line_end + margin + key + " = ", ""};
  return {end + 1, end + 1, margin + key + " = ", line_end};
}

}  // namespace

ValuePlace place_of(std::string_view text, const toml::node& value) {
  return {offset_of(text, value.source().begin), offset_of(text, value.source().end), "", ""};
}

ValuePlace place_for(std::string_view text, const toml::table& table, const std::string& key) {
  const size_t begin = offset_of(text, table.source().begin);
  if (table.is_inline()) return place_in_braces(begin, text, table.empty(), key);
  const toml::node* kernel = table.get("kernel");
  return place_below(kernel == nullptr ? begin : offset_of(text, kernel->source().end), text, key);
}

ValuePlace place_of_entry(std::string_view text, const toml::table& table) {
  const size_t begin = offset_of(text, table.source().begin);
  if (table.is_inline() || text.substr(begin, 1) != "[") return {begin, begin, "", ""};
  size_t end = begin;
  for (const auto& [key, value] : table) end = std::max(end, offset_of(text, value.source().end));
  const size_t line_end = text.find('\n', end);
  return {begin, line_end == std::string_view::npos ? text.size() : line_end + 1, "", ""};
}

}  // namespace warpspan::app
