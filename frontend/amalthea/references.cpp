// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/references.hpp"

#include <optional>

#include "support/digits.hpp"

namespace warpspan::amalthea {

namespace {

constexpr std::string_view document = "amlt:/#";
constexpr std::string_view type_mark = "?type=";

// As Java's URLDecoder does; nothing if it is not encoded so.
std::optional<std::string> decoded(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const auto byte = i + 2 < text.size() ? support::parse_digits<uint8_t>(text.substr(i + 1, 2), 16) : std::nullopt;
    if (!byte) return std::nullopt;
    result += static_cast<char>(*byte);
    i += 2;
  }
  return result;
}

}  // namespace

Reference reference_of(std::string_view text, size_t at) {
  Reference reference;
  reference.written = text;
  reference.at = at;
  if (text.starts_with(document)) text.remove_prefix(document.size());
  const size_t mark = text.rfind(type_mark);
  if (mark == std::string_view::npos || text.find('#') != std::string_view::npos) return reference;
  const auto name = decoded(text.substr(0, mark));
  if (!name || name->empty()) return reference;
  reference.name = *name;
  reference.type = text.substr(mark + type_mark.size());
  return reference;
}

std::vector<Reference> references_of(const Element& element, std::string_view key) {
  std::vector<Reference> references;
  if (const std::string* list = element.find(key)) {
    constexpr const char* blanks = " \t\r\n";
    for (size_t begin = list->find_first_not_of(blanks); begin != std::string::npos;) {
      const size_t end = list->find_first_of(blanks, begin);
      references.push_back(reference_of(std::string_view(*list).substr(begin, end - begin), element.at));
      begin = list->find_first_not_of(blanks, end);
    }
  }
  for (const Element& child : element.children) {
    if (child.name != key) continue;
    const std::string* href = child.find("href");
    references.push_back(reference_of(href == nullptr ? std::string_view() : std::string_view(*href), child.at));
  }
  return references;
}

}  // namespace warpspan::amalthea
