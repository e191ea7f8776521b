// SPDX-License-Identifier: GPL-3.0-or-later
// XML 1.0, section 2.2: a document may hold #x9, #xA, #xD and the characters from #x20 on but the surrogates, #xFFFE
// and #xFFFF; not even a reference to another one is allowed. printable() leaves of the forbidden ones only the last
// two.
#include "app/reports/xml.hpp"

#include <algorithm>

#include "support/printable.hpp"

namespace warpspan::app {

namespace {

// One line without the characters that no document may hold.
std::string legal(std::string line) {
  std::replace(line.begin(), line.end(), '\t', ' ');
  std::string text = support::printable(line);
  for (const auto& [character, written] :
       {std::pair{"\xef\xbf\xbe", "\\xef\\xbf\\xbe"}, std::pair{"\xef\xbf\xbf", "\\xef\\xbf\\xbf"}}) {
    for (size_t at = 0; (at = text.find(character, at)) != std::string::npos;) text.replace(at, 3, written);
  }
  return text;
}

std::string escaped(std::string_view text, const char* line_end) {
  std::string out;
  for (;;) {
    const size_t end = text.find('\n');
    for (const char c : legal(std::string(text.substr(0, end)))) {
      switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
      }
    }
    if (end == std::string_view::npos) return out;
    out += line_end;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string xml_content(std::string_view text) { return escaped(text, "\n"); }

std::string xml_attribute(std::string_view text) { return escaped(text, "&#10;"); }

std::string html_text(std::string_view text) { return xml_attribute(text); }

}  // namespace warpspan::app
