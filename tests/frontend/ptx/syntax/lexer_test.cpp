// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/syntax/lexer.hpp"

#include <bit>
#include <catch2/catch.hpp>

using namespace warpspan;
using ptx::Token;
using Kind = ptx::Token::Kind;

namespace {

Token only(const std::string& text) {
  static std::vector<std::unique_ptr<support::SourceFile>> sources;  // tokens point into them
  sources.push_back(std::make_unique<support::SourceFile>("t", text));
  ptx::Lexer lexer(*sources.back());
  const Token token = lexer.next();
  INFO(text);
  CHECK(lexer.next().kind == Kind::end);
  return token;
}

double number(const Token& token) { return std::bit_cast<double>(token.bits); }

}  // namespace

TEST_CASE("integers of every base keep their low 64 bits") {
  CHECK(only("42").bits == 42);
  CHECK(only("0x1F").bits == 31);
  CHECK(only("0Xff").bits == 255);
  CHECK(only("0b101").bits == 5);
  CHECK(only("017").bits == 15);
  CHECK(only("0").bits == 0);
  CHECK(only("42U").bits == 42);
  CHECK(only("0xFFFFFFFFFFFFFFFF").bits == UINT64_MAX);
  CHECK(only("18446744073709551617").bits == 1);
  for (const char* text : {"42", "0x1F", "0b1", "017", "7U"}) CHECK(only(text).kind == Kind::integer);
  for (const char* text : {"42u", "0x", "0b2", "089", "12ab"}) CHECK(only(text).kind == Kind::invalid);
}

TEST_CASE("floating-point literals are doubles") {
  CHECK(number(only("1.5")) == 1.5);
  CHECK(number(only("1.")) == 1.0);
  CHECK(number(only(".5")) == 0.5);
  CHECK(number(only("1e5")) == 1e5);
  CHECK(number(only("1.E+3")) == 1000.0);
  CHECK(number(only("0f3F800000")) == 1.0);
  CHECK(number(only("0F40000000")) == 2.0);
  CHECK(number(only("0d3FF0000000000000")) == 1.0);
  for (const char* text : {"0f3F80", "0f3F8000000", "0d3FF", "1.5x"}) CHECK(only(text).kind == Kind::invalid);
}

TEST_CASE("names, directives and strings") {
  for (const char* text : {"a", "_x", "$L__BB0_1", "%r1", "%tid", "_ZN3foo3barEv", "$", "_"}) {
    CHECK(only(text).kind == Kind::identifier);
    CHECK(only(text).text == text);
  }
  CHECK(only(".reg").kind == Kind::directive);
  CHECK(only(".param::entry").text == ".param::entry");
  CHECK(only("\"a.cu\"").kind == Kind::string);
  CHECK(only("\"open").kind == Kind::invalid);
}

TEST_CASE("blanks, comments and preprocessor lines are nothing") {
  CHECK(only(" \t\r\n\f// x\n/* a /* b */ 1").bits == 1);
  CHECK(only("# 1 \"x.cu\"\n7").bits == 7);
  CHECK(only("/* never closed").kind == Kind::end);
}

TEST_CASE("percent is an operator unless a name follows") {
  const support::SourceFile source("t", "7 % 4");
  ptx::Lexer lexer(source);
  CHECK(lexer.next().kind == Kind::integer);
  CHECK(lexer.next().is('%'));
  CHECK(lexer.next().kind == Kind::integer);
}

TEST_CASE("instruction words go on over dots and double colons") {
  const support::SourceFile source("t", "ld.global.L1::evict_last.v4.f32 {a}");
  ptx::Lexer lexer(source);
  const Token opcode = lexer.next();
  CHECK(opcode.text == "ld");
  CHECK(lexer.followed_by('.'));
  CHECK(lexer.rest_of_word(opcode) == "ld.global.L1::evict_last.v4.f32");
  CHECK(lexer.next().is('{'));
}

TEST_CASE("bytes that are not PTX are invalid") {
  CHECK(only("\x01").kind == Kind::invalid);
  CHECK(only("\xc3").kind == Kind::invalid);
  const support::SourceFile inside("t", std::string(1, '\0') + ";");
  CHECK(ptx::Lexer(inside).next().kind == Kind::invalid);
  CHECK(only(std::string(2, '\0')).kind == Kind::end);  // behind all text they are nothing
}
