// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/syntax/lexer.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <string>

namespace warpspan::ptx {

namespace {

enum CharacterClass : uint8_t {
  blank = 1,
  name_start = 2,
  name_part = 4,
  digit = 8,
  hexadecimal = 16,
  text = 32,
  plain = 64
};

constexpr std::array<uint8_t, 256> classify() {
  std::array<uint8_t, 256> table{};
  for (int c = 0x20; c < 0x7f; ++c) table[static_cast<size_t>(c)] = text;
  for (const char c : {' ', '\t', '\r', '\n', '\f', '\v'}) table[static_cast<size_t>(c)] = blank | text;
  for (char c = 'a'; c <= 'z'; ++c) table[static_cast<size_t>(c)] |= name_start | name_part;
  for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<size_t>(c)] |= name_start | name_part;
  for (const char c : {'_', '$'}) table[static_cast<size_t>(c)] |= name_start | name_part;
  table['%'] |= name_start;
  for (char c = '0'; c <= '9'; ++c) table[static_cast<size_t>(c)] |= name_part | digit | hexadecimal;
  for (char c = 'a'; c <= 'f'; ++c) table[static_cast<size_t>(c)] |= hexadecimal;
  for (char c = 'A'; c <= 'F'; ++c) table[static_cast<size_t>(c)] |= hexadecimal;
  for (const char c : {' ', '\t', '\r', '.', ',', ':', '+', '-', '(', ')'}) table[static_cast<size_t>(c)] |= plain;
  for (uint8_t& c : table) {
    if ((c & name_part) != 0) c |= plain;
  }
  return table;
}

constexpr std::array<uint8_t, 256> classes = classify();

bool is(char c, uint8_t character_class) { return (classes[static_cast<unsigned char>(c)] & character_class) != 0; }

}  // namespace

size_t Lexer::skip_while(size_t from, uint8_t character_class) const {
  while (from < text_.size() && is(text_[from], character_class)) ++from;
  return from;
}

Token Lexer::make(Token::Kind kind, size_t begin) const {
  return {kind, text_.substr(begin, position_ - begin), static_cast<uint32_t>(begin), 0};
}

// Blanks, comments, and lines left by the C preprocessor ("# 1 ..."). A comment without end runs to the end of the
// file.
void Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (is(c, blank)) {
      at_line_start_ = at_line_start_ || c == '\n';
      ++position_;
    } else if (c == '/' && text_.substr(position_, 2) == "//") {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && text_.substr(position_, 2) == "/*") {
      const size_t end = text_.find("*/", position_ + 2);
      position_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else if (c == '#' && at_line_start_) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else {
      return;
    }
  }
}

void Lexer::skip_plain_lines() {
  while (true) {
    const size_t end = skip_while(position_, plain);
    if (end >= text_.size() || text_[end] != '\n') return;
    position_ = end + 1;
    at_line_start_ = true;
  }
}

Token Lexer::next() {
  skip_blanks();
  at_line_start_ = false;
  const size_t begin = position_;
  if (begin >= text_.size()) return make(Token::Kind::end, begin);
  const char c = text_[begin];
  const char following = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
  if (is(c, name_start) && (c != '%' || is(following, name_part))) {
    position_ = skip_while(begin + 1, name_part);
    return make(Token::Kind::identifier, begin);
  }
  if (is(c, digit) || (c == '.' && is(following, digit))) return number(begin);
  if (c == '.' && is(following, name_part)) {
    position_ = skip_while(begin + 1, name_part);
    while (text_.substr(position_, 2) == "::") position_ = skip_while(position_ + 2, name_part);
    return make(Token::Kind::directive, begin);
  }
  if (c == '"') {
    const size_t end = text_.find_first_of("\"\n", begin + 1);
    const bool closed = end != std::string_view::npos && text_[end] == '"';
    position_ = closed ? end + 1 : std::min(end, text_.size());
    return make(closed ? Token::Kind::string : Token::Kind::invalid, begin);
  }
  return punctuation(begin);
}

Token Lexer::punctuation(size_t begin) {
  static constexpr std::string_view single = ";,{}()[]<>=!@:+-*/%&|^~?";
  static constexpr std::array<std::string_view, 8> pairs = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  position_ = begin + 1;
  if (text_.substr(begin, 1).find_first_of("<>=!&|") == 0) {
    for (const std::string_view pair : pairs) {
      if (text_.substr(begin, 2) == pair) position_ = begin + 2;
    }
  }
  if (position_ == begin + 2) return make(Token::Kind::punctuation, begin);
  const bool known = single.find(text_[begin]) != std::string_view::npos;
  return make(known ? Token::Kind::punctuation : Token::Kind::invalid, begin);
}

std::string_view Lexer::rest_of_word(const Token& opcode) {
  size_t end = position_;
  while (end < text_.size()) {
    if (is(text_[end], name_part)) {
      ++end;
    } else if (text_[end] == '.' && end + 1 < text_.size() && is(text_[end + 1], name_part)) {
      end += 2;
    } else if (text_.substr(end, 2) == "::" && end + 2 < text_.size() && is(text_[end + 2], name_part)) {
      end += 3;
    } else {
      break;
    }
  }
  position_ = end;
  return text_.substr(opcode.offset, end - opcode.offset);
}

Token Lexer::integer(size_t begin, size_t first_digit, int base) {
  uint64_t value = 0;
  size_t end = first_digit;
  while (end < text_.size() && is(text_[end], hexadecimal)) {
    const char c = text_[end];
    const int d = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (d >= base) break;
    value = value * static_cast<uint64_t>(base) + static_cast<uint64_t>(d);  // ptxas keeps the low 64 bits
    ++end;
  }
  const bool has_digits = end > first_digit;
  if (end < text_.size() && text_[end] == 'U') ++end;
  position_ = skip_while(end, name_part);
  Token token = make(has_digits && position_ == end ? Token::Kind::integer : Token::Kind::invalid, begin);
  token.bits = value;
  return token;
}

// 0f and 8 digits, 0d and 16 digits: the bits of a float or double.
Token Lexer::float_bits(size_t begin, size_t digits) {
  uint64_t value = 0;
  const size_t first = begin + 2;
  const size_t end = skip_while(first, hexadecimal);
  position_ = skip_while(end, name_part);
  if (end - first != digits || position_ != end) return make(Token::Kind::invalid, begin);
  std::from_chars(text_.data() + first, text_.data() + end, value, 16);
  if (digits == 8)
    value = std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(value))));
  Token token = make(Token::Kind::floating, begin);
  token.bits = value;
  return token;
}

Token Lexer::number(size_t begin) {
  const char second = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
  if (text_[begin] == '0') {
    switch (second) {
      case 'x':
      case 'X': return integer(begin, begin + 2, 16);
      case 'b':
      case 'B': return integer(begin, begin + 2, 2);
      case 'f':
      case 'F': return float_bits(begin, 8);
      case 'd':
      case 'D': return float_bits(begin, 16);
      default: break;
    }
  }
  return decimal_or_octal(begin);
}

Token Lexer::decimal_or_octal(size_t begin) {
  size_t end = skip_while(begin, digit);
  const auto at = [this](size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  bool is_float = false;
  if (at(end) == '.') {
    is_float = true;
    end = skip_while(end + 1, digit);
  }
  if ((at(end) | 0x20) == 'e') {
    const size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
    if (is(at(end + 1 + sign), digit)) {
      is_float = true;
      end = skip_while(end + 1 + sign, digit);
    }
  }
  if (!is_float) {
    const bool octal = text_[begin] == '0' && end - begin > 1;
    return integer(begin, begin, octal ? 8 : 10);
  }
  double value = 0;
  std::from_chars(text_.data() + begin, text_.data() + end, value);
  position_ = skip_while(end, name_part);
  Token token = make(position_ == end ? Token::Kind::floating : Token::Kind::invalid, begin);
  token.bits = std::bit_cast<uint64_t>(value);
  return token;
}

}  // namespace warpspan::ptx
