// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/shell_words.hpp"

#include <algorithm>

namespace warpspan::support {

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

// A line end that a backslash takes away.
bool ShellWordReader::at_continuation() const { return text_.substr(at_, 2) == "\\\n"; }

void ShellWordReader::skip_to_word() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#' && comments_ == Comments::after_hash) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (is_blank(c)) {
      ++at_;
    } else if (at_continuation()) {
      at_ += 2;
    } else {
      return;
    }
  }
}

// What follows a backslash.
void ShellWordReader::read_escaped(ShellWord& word) {
  word.quoted = true;
  if (at_ == text_.size()) {
    word.text += '\\';
  } else if (const char c = text_[at_++]; c != '\n') {
    word.text += c;
  }
}

// What follows a quote, up to the next one.
void ShellWordReader::read_quoted(char quote, ShellWord& word) {
  constexpr std::string_view escaped_in_quotes = "$`\"\\\n";
  word.quoted = true;
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == quote) return;
    const bool escapes =
        c == '\\' && quote == '"' && at_ < text_.size() && escaped_in_quotes.find(text_[at_]) != std::string_view::npos;
    if (escapes) {
      read_escaped(word);
    } else {
      word.text += c;
    }
  }
  word.open_quote = quote;
}

std::optional<ShellWord> ShellWordReader::next() {
  skip_to_word();
  if (at_ == text_.size()) return std::nullopt;
  ShellWord word;
  word.begin = at_;
  while (at_ < text_.size() && !is_blank(text_[at_])) {
    const char c = text_[at_++];
    if (c == '\\') {
      read_escaped(word);
    } else if (c == '\'' || c == '"') {
      read_quoted(c, word);
    } else {
      word.text += c;
    }
  }
  return word;
}

Result<std::vector<std::string>> shell_words(std::string_view text) {
  std::vector<std::string> words;
  ShellWordReader reader(text, Comments::none);
  while (auto word = reader.next()) {
    if (word->open_quote != '\0') {
      return usage_error("a quote in '" + std::string(text) + "' has no end", "write it as for a shell");
    }
    words.push_back(std::move(word->text));
  }
  return words;
}

}  // namespace warpspan::support
