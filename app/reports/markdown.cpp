// CommonMark 0.31, section 2.5: a character reference is never taken for markup, so what would be stands as one. A
// backslash is not enough: in a table, GitHub ends the cell at the '|' of "\\|".
#include "app/reports/markdown.hpp"

#include <algorithm>

#include "support/printable.hpp"

namespace warpspan::app {

std::string markdown(std::string_view text) {
  constexpr std::string_view markup = "&<>|`\\*[]~$#@";
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  std::string out;
  for (const char c : support::printable(line)) {
    if (markup.find(c) != std::string_view::npos) {
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else if (c == '_') {
      out += "\\_";  // in nearly all names: easier to read than a reference
    } else {
      out += c;
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) { return "<code>" + markdown(text) + "</code>"; }

}  // namespace warpspan::app
