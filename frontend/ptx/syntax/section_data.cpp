// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/syntax/section_data.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/ptx/syntax/lexer.hpp"

namespace warpspan::ptx {

namespace {

using Data = std::map<std::string, std::string, std::less<>>;

// Bytes of an element of the list that a directive begins; 0 of any other.
unsigned width_of(std::string_view directive) {
  if (directive == ".b8") return 1;
  if (directive == ".b16") return 2;
  if (directive == ".b32") return 4;
  return directive == ".b64" ? 8 : 0;
}

void append(std::string& bytes, uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
}

// A line with a list of decimal numbers alone, as most are: where the next one begins. Nothing of any other line.
std::optional<size_t> read_plain_line(std::string_view text, size_t begin, std::string& bytes) {
  const size_t end = std::min(text.find('\n', begin), text.size());
  const size_t blank = std::min(text.find(' ', begin), end);
  const unsigned width = width_of(text.substr(begin, blank - begin));
  if (width == 0) return std::nullopt;
  const size_t known = bytes.size();
  const char* const line_end = text.data() + end;
  for (const char* at = text.data() + blank; at != line_end;) {
    uint64_t value = 0;
    const auto [behind, error] = std::from_chars(at + 1, line_end, value);
    const bool is_plain = error == std::errc() && (at[1] != '0' || behind == at + 2);  // not octal
    if (!is_plain || (behind != line_end && *behind != ',')) {
      bytes.resize(known);
      return std::nullopt;
    }
    append(bytes, value, width);
    at = behind;
  }
  return bytes.size() == known ? std::nullopt : std::optional(std::min(end + 1, text.size()));
}

class SectionReader {
 public:
  std::optional<Data> run(const Module& module, std::span<const std::string_view> names) {
    for (const Section& section : module.sections) {
      if (std::find(names.begin(), names.end(), section.name) == names.end()) continue;
      text_ = module.source->text().substr(section.begin, section.end - section.begin);
      bytes_ = &data_[std::string(section.name)];
      if (!read_section()) return std::nullopt;
    }
    if (data_.empty()) return std::nullopt;
    for (const Use& use : uses_) {
      uint64_t value = use.value;
      for (const auto& [label, negated] : use.labels) {
        const auto known = labels_.find(label);
        if (known == labels_.end()) value = 0;
        if (known == labels_.end()) break;
        value += negated ? 0 - known->second : known->second;
      }
      for (unsigned i = 0; i < use.width; ++i) (*use.bytes)[use.offset + i] = static_cast<char>(value >> (8 * i));
    }
    return std::move(data_);
  }

 private:
  // An element with labels, which may stand further on.
  struct Use {
    std::string* bytes = nullptr;
    size_t offset = 0;
    unsigned width = 0;
    uint64_t value = 0;  // without them
    std::vector<std::pair<std::string_view, bool>> labels = {};
  };

  bool read_section() {
    for (size_t begin = 0; begin < text_.size();) {
      if (const auto next = read_plain_line(text_, begin, *bytes_)) {
        begin = *next;
      } else if (!read_statement(begin)) {
        return false;
      }
    }
    return true;
  }

  // One label or list of any form; moves on behind it.
  bool read_statement(size_t& begin) {
    Lexer lexer(text_.substr(begin));
    lexer_ = &lexer;
    advance();
    if (token_.kind == Token::Kind::end) {
      begin = text_.size();
      return true;
    }
    if (token_.kind == Token::Kind::identifier) {
      labels_.emplace(token_.text, bytes_->size());
      advance();
      if (!token_.is(':')) return false;
      begin += token_.offset + 1;
      return true;
    }
    const unsigned width = width_of(token_.text);
    if (width == 0) return false;
    do {
      advance();
      if (!read_element(width)) return false;
    } while (token_.is(','));
    begin += token_.offset;
    return true;
  }

  // Integers, labels and sections with signs between them.
  bool read_element(unsigned width) {
    Use use{bytes_, bytes_->size(), width};
    for (bool is_first = true; is_first || token_.is('+') || token_.is('-'); is_first = false) {
      const bool negated = token_.is('-');
      if (negated || token_.is('+')) advance();
      if (token_.kind == Token::Kind::integer) {
        use.value += negated ? 0 - token_.bits : token_.bits;
      } else if (token_.kind == Token::Kind::identifier) {
        use.labels.emplace_back(token_.text, negated);
      } else if (token_.kind != Token::Kind::directive) {
        return false;
      }
      advance();
    }
    append(*bytes_, use.value, width);
    if (!use.labels.empty()) uses_.push_back(std::move(use));
    return true;
  }

  void advance() { token_ = lexer_->next(); }

  Data data_;
  std::string_view text_;  // of the section that is read
  Lexer* lexer_ = nullptr;
  Token token_;
  std::string* bytes_ = nullptr;  // of that section
  std::unordered_map<std::string_view, size_t> labels_;
  std::vector<Use> uses_;
};

}  // namespace

std::optional<Data> section_data(const Module& module, std::span<const std::string_view> names) {
  return SectionReader().run(module, names);
}

}  // namespace warpspan::ptx
