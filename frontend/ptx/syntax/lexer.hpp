// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of PTX. PTX ISA 4.1-4.5.
#pragma once

#include <cstdint>
#include <string_view>

#include "support/source_file.hpp"

namespace warpspan::ptx {

struct Token {
  enum class Kind : uint8_t {
    end,
    invalid,      // a byte that PTX text cannot contain, or a literal that is cut short or malformed
    identifier,   // also registers and special registers: "%r1", "$L__BB0_1"
    directive,    // a dot and what follows it without blanks: ".reg", ".param::entry"
    integer,      // bits: its value modulo 2^64
    floating,     // bits: of the double; 32-bit hexadecimal literals are widened
    string,       // text includes the quotes
    punctuation,  // one of ; , { } ( ) [ ] < > = ! @ : + - * / % & | ^ ~ ?, or two characters: << >> <= >= == != && ||
  };
  Kind kind = Kind::end;
  std::string_view text;
  uint32_t offset = 0;
  uint64_t bits = 0;

  bool is(char c) const { return kind == Kind::punctuation && text.size() == 1 && text[0] == c; }
  bool is(std::string_view directive) const { return kind == Kind::directive && text == directive; }
};

class Lexer {
 public:
  // Without the zeros behind the text, which writers in C leave there.
  explicit Lexer(const support::SourceFile& source)
      : text_(source.text().substr(0, source.text().find_last_not_of('\0') + 1)) {}
  explicit Lexer(std::string_view text) : text_(text) {}  // a part of one, with offsets from its begin

  Token next();

  // Skips the rest of the line and lines behind it, each as a whole, that contain words, numbers, and what stands
  // between them: no brace, quote, comment or other byte.
  void skip_plain_lines();

  // Called when `opcode`, an identifier, has just been read: the dotted word it begins, such as "ld.global.f32", up to
  // the first character that cannot belong to it.
  std::string_view rest_of_word(const Token& opcode);

  // True if the character right after the last token is `c`: no blank in between.
  bool followed_by(char c) const { return position_ < text_.size() && text_[position_] == c; }

 private:
  Token make(Token::Kind kind, size_t begin) const;
  Token number(size_t begin);
  Token float_bits(size_t begin, size_t digits);
  Token integer(size_t begin, size_t first_digit, int base);
  Token decimal_or_octal(size_t begin);
  Token punctuation(size_t begin);
  void skip_blanks();
  size_t skip_while(size_t from, uint8_t character_class) const;

  std::string_view text_;
  size_t position_ = 0;
  bool at_line_start_ = true;
};

}  // namespace warpspan::ptx
