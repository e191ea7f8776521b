// SPDX-License-Identifier: GPL-3.0-or-later
// CommonMark 0.31, section 2.5: a character reference is never taken for markup, so what would be stands as one. A
// backslash is not enough: in a table, GitHub ends the cell at the '|' of "\\|".
#include "app/reports/markdown.hpp"

#include <algorithm>

#include "support/printable.hpp"

namespace warpspan::app {

namespace {

// There '_' is no emphasis (section 6.2), and most names have it only there.
bool is_inside_word(std::string_view text, size_t at) {
  const auto is_word = [text](size_t i) {
    const char c = text[i];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return at > 0 && at + 1 < text.size() && is_word(at - 1) && is_word(at + 1);
}

// Whether the text would make a list, a rule or a heading by its character there, if it stood at the beginning of a
// line (sections 4.1, 4.3, 5.2); or be code by a blank in front.
bool begins_block(std::string_view text, size_t at) {
  const size_t number = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool is_last = at + 1 == text.size() || text[at + 1] == ' ';
  if (at > 0) return at == number && (text[at] == '.' || text[at] == ')') && is_last;
  return text[at] == '=' || text[at] == ' ' ||
         ((text[at] == '-' || text[at] == '+') && (is_last || text[1] == text[0]));
}

}  // namespace

std::string markdown(std::string_view text) {
  constexpr std::string_view markup = "&<>|`\\*[]~$#@";
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  line = support::printable(line);
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (markup.find(c) != std::string_view::npos || (c == '_' && !is_inside_word(line, i)) || begins_block(line, i)) {
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      out += c;
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) { return "<code>" + markdown(text) + "</code>"; }

}  // namespace warpspan::app
