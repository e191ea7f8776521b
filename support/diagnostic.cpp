// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/diagnostic.hpp"

#include <algorithm>

#include "support/printable.hpp"

namespace warpspan::support {

namespace {

constexpr size_t widest_excerpt = 160;

struct Excerpt {
  std::string text;
  size_t caret = 0;  // columns before the caret
};

// The part of a line around the column that fits a terminal. Tabs become single blanks, so that the caret stands under
// its character.
Excerpt cut(std::string_view line, size_t column) {
  const size_t at = std::min(column == 0 ? 0 : column - 1, line.size());
  const size_t begin = line.size() > widest_excerpt && at > widest_excerpt / 2 ? at - widest_excerpt / 2 : 0;
  const auto shown = [](std::string_view part) {
    std::string text(part);
    std::replace(text.begin(), text.end(), '\t', ' ');
    return ascii(text);
  };
  const std::string before = shown(line.substr(begin, at - begin));
  Excerpt excerpt{before, before.size()};
  if (begin > 0) {
    excerpt.text.insert(0, "...");
    excerpt.caret += 3;
  }
  excerpt.text += shown(line.substr(at, begin + widest_excerpt - at));
  if (begin + widest_excerpt < line.size()) excerpt.text += "...";
  return excerpt;
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "error";
}

}  // namespace

Diagnostic usage_error(std::string message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.cause = Cause::usage;
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  return diagnostic;
}

Diagnostic internal_error(std::string message) {
  Diagnostic diagnostic;
  diagnostic.cause = Cause::internal;
  diagnostic.message = std::move(message);
  return diagnostic;
}

std::string render(const Diagnostic& diagnostic, bool colour) {
  const auto paint = [colour](std::string_view code, std::string_view text) {
    return colour ? "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m" : std::string(text);
  };
  std::string out;
  const Location& at = diagnostic.location;
  if (!at.file.empty()) {
    out += printable(at.file);
    if (at.line > 0) out += ":" + std::to_string(at.line);
    if (at.line > 0 && at.column > 0) out += ":" + std::to_string(at.column);
    out += ": ";
  }
  const std::string_view code = diagnostic.severity == Severity::error ? "1;31" : "1;35";
  out += paint(code, std::string(to_string(diagnostic.severity)) + ":") + " " + printable(diagnostic.message) + "\n";
  if (at.column > 0 && !diagnostic.source_line.empty()) {
    const Excerpt excerpt = cut(diagnostic.source_line, static_cast<size_t>(at.column));
    out += "  " + excerpt.text + "\n  " + std::string(excerpt.caret, ' ') + paint("1;32", "^") + "\n";
  }
  if (!diagnostic.help.empty()) out += "  " + paint("1;36", "help:") + " " + printable(diagnostic.help) + "\n";
  return out;
}

}  // namespace warpspan::support
