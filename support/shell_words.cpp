#include "support/shell_words.hpp"

namespace warpspan::support {

namespace {

constexpr std::string_view blanks = " \t\r\n";

// Reads the text from one word to the next.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : rest_(text) {}

  bool skip_blanks() {
    const size_t begin = rest_.find_first_not_of(blanks);
    rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
    return !rest_.empty();
  }

  // False if a quote does not end.
  bool read_word(std::string& word) {
    while (!rest_.empty() && blanks.find(rest_.front()) == std::string_view::npos) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\'' ? !read_single(word) : c == '"' ? !read_double(word) : !read_plain(c, word)) return false;
    }
    return true;
  }

 private:
  bool read_plain(char c, std::string& word) {
    if (c != '\\') {
      word += c;
      return true;
    }
    if (rest_.empty()) return false;
    word += rest_.front();
    rest_.remove_prefix(1);
    return true;
  }

  bool read_single(std::string& word) {
    const size_t end = rest_.find('\'');
    if (end == std::string_view::npos) return false;
    word += rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool read_double(std::string& word) {
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      const bool escapes =
          c == '\\' && !rest_.empty() && std::string_view("\"\\$`").find(rest_.front()) != std::string_view::npos;
      word += escapes ? rest_.front() : c;
      if (escapes) rest_.remove_prefix(1);
    }
    return false;
  }

  std::string_view rest_;
};

}  // namespace

Result<std::vector<std::string>> shell_words(std::string_view text) {
  std::vector<std::string> words;
  Splitter splitter(text);
  while (splitter.skip_blanks()) {
    std::string word;
    if (!splitter.read_word(word)) {
      return usage_error("a quote or \\ in '" + std::string(text) + "' has no end", "write it as for a shell");
    }
    words.push_back(std::move(word));
  }
  return words;
}

}  // namespace warpspan::support
