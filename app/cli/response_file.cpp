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
  size_t offset = 0;  // where it begins in its file
  bool quoted = false;
};

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Diagnostic wrong(const SourceFile& file, size_t offset, std::string message, std::string help) {
  Diagnostic error = file.error_at(offset, std::move(message), std::move(help));
  error.cause = support::Cause::usage;
  return error;
}

// Splits a file as a shell would.
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
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        if (!quotation(word))
          return wrong(file_, word.offset, "a quote is never closed", "close it, or write \\" + std::string(1, c));
      } else {
        if (c == '\\' && at_ + 1 < text_.size()) ++at_;
        word.text += text_[at_++];
      }
    }
    return std::optional(std::move(word));
  }

 private:
  void skip_to_word() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '#')) {
      at_ = text_[at_] == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }
  }
  // Adds what stands between two quotes; false if there is only one.
  bool quotation(Word& word) {
    const char quote = text_[at_++];
    word.quoted = true;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return true;
      }
      if (text_[at_] == '\\' && quote == '"' && at_ + 1 < text_.size()) ++at_;
      word.text += text_[at_];
    }
    return false;
  }

  const SourceFile& file_;
  std::string_view text_;
  size_t at_ = 0;
};

class Expansion {
 public:
  // from: where the word stands; nothing if on the command line itself.
  std::optional<Diagnostic> add(const std::string& word, const SourceFile* from, size_t offset) {
    const auto located = [&](std::string message, std::string help) {
      return from == nullptr ? support::usage_error(std::move(message), std::move(help))
                             : wrong(*from, offset, std::move(message), std::move(help));
    };
    const bool names_file = word.size() > 1 && word.front() == '@' && !ended_;
    if (!names_file) {
      if (word == "--") ended_ = true;
      words_.push_back(word);
      if (words_.size() <= most_words) return std::nullopt;
      return located("more than 100,000 words", "give folders or patterns instead of files");
    }
    const std::string path = word.substr(1);
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      return located("the file '" + path + "' names itself", "take '" + word + "' out");
    }
    if (open_.size() == deepest)
      return located("files of words are nested deeper than 10", "put words into fewer files");
    const auto file = support::read_source(path);
    if (!file) {
      const std::string& reason = file.errors().front().message;
      return located(reason, "give a file of words that exists, or write ./" + word + " for a file of that name");
    }
    open_.push_back(path);
    auto error = add_all(*file);
    open_.pop_back();
    return error;
  }

  std::vector<std::string>& words() { return words_; }

 private:
  std::optional<Diagnostic> add_all(const SourceFile& file) {
    Splitter splitter(file);
    while (true) {
      auto word = splitter.next();
      if (!word) return word.errors().front();
      if (!*word) return std::nullopt;
      const auto& [text, offset, quoted] = **word;
      if (text.empty() && !quoted) continue;
      if (auto error = add(text, &file, offset)) return error;
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
    if (auto error = expansion.add(word, nullptr, 0)) return *error;
  }
  return std::move(expansion.words());
}

}  // namespace warpspan::app
