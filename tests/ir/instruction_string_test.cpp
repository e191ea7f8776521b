// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/instruction_string.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using ir::InstructionString;
using ir::UnitClass;
using support::Rational;

namespace {

InstructionString parse(const std::string& text) {
  auto result = ir::parse_instruction_string("string", text);
  INFO(text);
  REQUIRE(result.ok());
  return *result;
}

std::string error_of(const std::string& text) {
  const auto result = ir::parse_instruction_string("string", text);
  INFO(text);
  REQUIRE(!result.ok());
  return support::render(result.errors().front(), false);
}

}  // namespace

TEST_CASE("appending compresses as it goes") {
  InstructionString string;
  string.append(UnitClass::core);
  InstructionString body;
  body.append(UnitClass::load_store);
  body.append(UnitClass::load_store);
  body.append(UnitClass::core);
  string.append_repeated(body, 64);
  string.append(UnitClass::load_store);
  CHECK(to_string(string) == "C(L2C)^64L");
}

TEST_CASE("equal groups side by side are joined, and a group of one term is that term") {
  InstructionString body = parse("LC");
  InstructionString string;
  string.append_repeated(body, 3);
  string.append_repeated(body, 4);
  CHECK(to_string(string) == "(LC)^7");
  InstructionString loads;
  loads.append_repeated(parse("L"), 5);
  CHECK(to_string(loads) == "L5");
  loads.append_repeated(parse("L2"), 3);
  CHECK(to_string(loads) == "L11");
  loads.append_repeated(InstructionString(), 3);
  loads.append_repeated(parse("C"), 0);
  CHECK(to_string(loads) == "L11");
}

TEST_CASE("printing and parsing are inverse") {
  for (const char* text : {"", "L", "LCS", "L2C3S4", "C(L2C)^64L", "((LC)^2S)^3", "(L(CS)^5)^1000000000000"}) {
    CHECK(to_string(parse(text)) == text);
  }
  CHECK(to_string(parse(" L L\tC ( L C ) ^ 2 ")) == "L2C(LC)^2");
}

TEST_CASE("counts go through repetitions without unrolling") {
  const ir::UnitCounts counts = parse("C(L2C(S3)^2)^1000000L").counts();
  CHECK(counts[0] == support::Integer(2000001));
  CHECK(counts[1] == support::Integer(1000001));
  CHECK(counts[2] == support::Integer(6000000));
  CHECK(parse("C(L2C(S3)^2)^1000000L").length() == support::Integer(9000002));
  CHECK(parse("(L9223372036854775807)^2").length().overflowed());
}

TEST_CASE("what cannot be read is told with its place") {
  CHECK(error_of("LXC") ==
        "string:1:2: error: unknown symbol 'X' in an instruction string\n  LXC\n   ^\n"
        "  help: the symbols are L (load/store), C (core) and S (special function)\n");
  CHECK(error_of("L0") == "string:1:2: error: a repetition is a number from 1 to 9223372036854775807\n  L0\n   ^\n");
  CHECK(error_of("L99999999999999999999").find("a repetition is a number from 1") != std::string::npos);
  CHECK(error_of("(LC").find("string:1:1: error: '(' is never closed") == 0);
  CHECK(error_of("LC)").find("string:1:3: error: ')' without '('") == 0);
  CHECK(error_of("(LC)2").find("expected '^' and a number after ')'") != std::string::npos);
  CHECK(error_of(std::string(300, '(') + "L").find("groups are nested too deeply") != std::string::npos);
}

TEST_CASE("narrow units lengthen the string") {
  const auto result = transform(parse("C(LC)^20L"), {Rational{1, 2}, Rational{1, 1}, Rational{1, 8}});
  REQUIRE(result.ok());
  CHECK(to_string(result->string) == "C(L2C)^20L2");
  CHECK(result->servers == std::array<int64_t, 3>{1, 1, 1});
  const auto wide = transform(parse("S2C"), {Rational{1, 1}, Rational{2, 1}, Rational{1, 4}});
  REQUIRE(wide.ok());
  CHECK(to_string(wide->string) == "S8C");
  CHECK(wide->servers == std::array<int64_t, 3>{1, 2, 1});
  CHECK(!transform(parse("L"), {Rational{2, 3}, Rational{1, 1}, Rational{1, 1}}).ok());
  CHECK(!transform(parse("L"), {Rational{0, 1}, Rational{1, 1}, Rational{1, 1}}).ok());
}
