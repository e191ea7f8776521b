// SPDX-License-Identifier: GPL-3.0-or-later
// Words as users write them for a shell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace warpspan::support {

struct ShellWord {
  std::string text;
  size_t begin = 0;        // in the text that is read
  bool quoted = false;     // in part or as a whole, by a quote or a backslash
  char open_quote = '\0';  // one that is never closed: the word is not whole
};

// Whether a '#' at the beginning of a word begins a comment, up to the end of the line.
enum class Comments : uint8_t { none, after_hash };

// Splits a text as a POSIX shell does ("Shell Command Language", 2.2 and 2.3), without any expansion: blanks and line
// ends part words; '...' leaves everything; "..." leaves all but a backslash in front of a quote, a backslash, '$', '`'
// or a line end; elsewhere a backslash leaves the next character, and takes a line end away; a last one is itself. What
// else a shell would act on ($, *, |, ;, ...) is taken as it is written.
class ShellWordReader {
 public:
  // The text must live as long as the reader.
  ShellWordReader(std::string_view text, Comments comments) : text_(text), comments_(comments) {}

  // The next word; nothing at the end.
  std::optional<ShellWord> next();

 private:
  bool at_continuation() const;
  void skip_to_word();
  void read_escaped(ShellWord& word);
  void read_quoted(char quote, ShellWord& word);

  std::string_view text_;
  Comments comments_;
  size_t at_ = 0;
};

// All words of a text without comments. Errors (usage): a quote that does not end.
Result<std::vector<std::string>> shell_words(std::string_view text);

}  // namespace warpspan::support
