// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/response_file.hpp"

#include <algorithm>
#include <optional>

#include "support/shell_words.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Result;
using support::ShellWord;
using support::SourceFile;

constexpr size_t deepest = 10;
constexpr size_t most_words = 100'000;

Diagnostic wrong(const SourceFile& file, size_t offset, std::string message, std::string help) {
  Diagnostic error = file.error_at(offset, std::move(message), std::move(help));
  error.cause = support::Cause::usage;
  return error;
}

class Expansion {
 public:
  // from: the file that the word stands in, or nothing.
  std::optional<Diagnostic> add(const ShellWord& word, const SourceFile* from) {
    const bool names_file = word.text.size() > 1 && word.text.front() == '@' && !word.quoted && !ended_;
    auto error = names_file ? add_file(word.text.substr(1)) : add_word(word.text);
    if (!error || from == nullptr || !error->location.file.empty()) return error;
    return wrong(*from, word.begin, error->message, error->help);
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
    support::ShellWordReader reader(file.text(), support::Comments::after_hash);
    while (const auto word = reader.next()) {
      if (word->open_quote != '\0') {
        return wrong(file, word->begin, "a quote is never closed",
                     "close it, or write \\" + std::string(1, word->open_quote));
      }
      if (auto error = add(*word, &file)) return error;
    }
    return std::nullopt;
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
