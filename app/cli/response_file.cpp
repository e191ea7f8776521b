#include "app/cli/response_file.hpp"

#include <algorithm>
#include <optional>

#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;
using support::SourceFile;

constexpr size_t deepest = 10;
constexpr size_t most_words = 100'000;

struct Word {
  std::string text;
  size_t offset = 0;     // where it begins in its file
  bool literal = false;  // with a quote or a backslash: an '@' in front is just that
};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Diagnostic wrong(const SourceFile& file, size_t offset, std::string message, std::string help) {
  Diagnostic error = file.error_at(offset, std::move(message), std::move(help));
  error.cause = support::Cause::usage;
  return error;
}

// Splits a file as a shell does (POSIX, "Shell Command Language", 2.2 and 2.3), without expansions.
class Splitter {
 public:
  explicit Splitter(const SourceFile& file) : file_(file), text_(file.text()) {}

  // The next word; nothing at the end.
  Result<std::optional<Word>> next() {
    skip_to_word();
    if (at_ == text_.size()) return std::optional<Word>();
    Word word;
    word.offset = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) {
      const char c = text_[at_++];
      if (c == '\\') {
        escape(word);
      } else if (c != '\'' && c != '"') {
        word.text += c;
      } else if (!quotation(c, word)) {
        return wrong(file_, word.offset, "a quote is never closed", "close it, or write \\" + std::string(1, c));
      }
    }
    return std::optional(std::move(word));
  }

 private:
  void skip_to_word() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '#' || is_continued())) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        at_ += is_continued() ? 2 : 1;
      }
    }
  }
  // A line end that a backslash takes away.
  bool is_continued() const { return text_.substr(at_, 2) == "\\\n"; }
  // What follows a backslash; a last one is itself.
  void escape(Word& word) {
    word.literal = true;
    if (at_ == text_.size()) {
      word.text += '\\';
    } else if (const char c = text_[at_++]; c != '\n') {
      word.text += c;
    }
  }
  // Adds what stands behind a quote, up to the next one; false if there is none.
  bool quotation(char quote, Word& word) {
    word.literal = true;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == quote) return true;
      const bool escapes = c == '\\' && quote == '"' && at_ < text_.size() &&
                           std::string_view("$`\"\\\n").find(text_[at_]) != std::string_view::npos;
      if (escapes) {
        escape(word);
      } else {
        word.text += c;
      }
    }
    return false;
  }

  const SourceFile& file_;
  std::string_view text_;
  size_t at_ = 0;
};

class Expansion {
 public:
  // from: the file that the word stands in, or nothing.
  std::optional<Diagnostic> add(const Word& word, const SourceFile* from) {
    const bool names_file = word.text.size() > 1 && word.text.front() == '@' && !word.literal && !ended_;
    auto error = names_file ? add_file(word.text.substr(1)) : add_word(word.text);
    if (!error || from == nullptr || !error->location.file.empty()) return error;
    return wrong(*from, word.offset, error->message, error->help);
  }

  std::vector<std::string>& words() { return words_; }

 private:
  std::optional<Diagnostic> add_word(const std::string& word) {
    if (word == "--") ended_ = true;
    words_.push_back(word);
    if (words_.size() <= most_words) return std::nullopt;
    return support::usage_error("more than 100,000 words", "give folders or patterns instead of files");
  }

  std::optional<Diagnostic> add_file(const std::string& path) {
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      return support::usage_error("the file '" + path + "' names itself", "take '@" + path + "' out");
    }
    if (open_.size() == deepest) {
      return support::usage_error("files of words are nested deeper than 10", "put words into fewer files");
    }
    const auto file = support::read_source(path);
    if (!file) {
      return support::usage_error(file.errors().front().message, "give a file of words that exists, or write ./@" +
                                                                     path + " for a file whose name begins with @");
    }
    open_.push_back(path);
    auto error = add_words_of(*file);
    open_.pop_back();
    return error;
  }

  std::optional<Diagnostic> add_words_of(const SourceFile& file) {
    Splitter splitter(file);
    while (true) {
      const auto word = splitter.next();
      if (!word) return word.errors().front();
      if (!*word) return std::nullopt;
      if (auto error = add(**word, &file)) return error;
    }
  }

  std::vector<std::string> words_;
  std::vector<std::string> open_;  // files that are being read
  bool ended_ = false;             // by "--": no options follow
};

}  // namespace

Result<std::vector<std::string>> with_response_files(const std::vector<std::string>& words) {
  Expansion expansion;
  for (const std::string& word : words) {
    if (auto error = expansion.add({word}, nullptr)) return *error;
  }
  return std::move(expansion.words());
}

}  // namespace warpspan::app
