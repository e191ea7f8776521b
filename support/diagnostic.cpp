#include "support/diagnostic.hpp"

#include <algorithm>

namespace warpspan::support {

namespace {

constexpr size_t widest_excerpt = 160;

struct Excerpt {
  std::string text;
  size_t caret = 0;  // characters before the caret
};

// The part of a line around the column that fits a terminal. Tabs become single blanks and unprintable bytes '?', so
// that the caret stands under its character and a binary file cannot send control codes to the terminal.
Excerpt cut(std::string_view line, size_t column) {
  const size_t at = std::min(column == 0 ? 0 : column - 1, line.size());
  size_t begin = 0;
  if (line.size() > widest_excerpt && at > widest_excerpt / 2) begin = at - widest_excerpt / 2;
  const size_t length = std::min(widest_excerpt, line.size() - begin);
  Excerpt excerpt{std::string(line.substr(begin, length)), at - begin};
  for (char& c : excerpt.text) {
    if (c == '\t') c = ' ';
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  }
  if (begin > 0) {
    excerpt.text.insert(0, "...");
    excerpt.caret += 3;
  }
  if (begin + length < line.size()) excerpt.text += "...";
  return excerpt;
}

std::string_view name(Severity severity) {
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

std::string render(const Diagnostic& diagnostic, bool colour) {
  const auto paint = [colour](std::string_view code, std::string_view text) {
    return colour ? "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m" : std::string(text);
  };
  std::string out;
  const Location& at = diagnostic.location;
  if (!at.file.empty()) {
    out += at.file;
    if (at.line > 0) out += ":" + std::to_string(at.line);
    if (at.line > 0 && at.column > 0) out += ":" + std::to_string(at.column);
    out += ": ";
  }
  const std::string_view code = diagnostic.severity == Severity::error ? "1;31" : "1;35";
  out += paint(code, std::string(name(diagnostic.severity)) + ":") + " " + diagnostic.message + "\n";
  if (at.column > 0 && !diagnostic.source_line.empty()) {
    const Excerpt excerpt = cut(diagnostic.source_line, static_cast<size_t>(at.column));
    out += "  " + excerpt.text + "\n  " + std::string(excerpt.caret, ' ') + paint("1;32", "^") + "\n";
  }
  if (!diagnostic.help.empty()) out += "  " + paint("1;36", "help:") + " " + diagnostic.help + "\n";
  return out;
}

}  // namespace warpspan::support
