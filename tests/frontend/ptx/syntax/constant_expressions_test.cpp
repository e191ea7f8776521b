// SPDX-License-Identifier: GPL-3.0-or-later
// What ptxas 13.0 makes of constant expressions: read from the code of modules that initialise variables with them.
#include <utility>

#include "frontend/ptx/syntax/parser.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;
using test::errors_of;
using test::header;
using test::kernel;
using test::module_of;

namespace {

int64_t value_of(const std::string& expression) {
  const ptx::Module module = module_of(kernel("mov.b64 %rd1, " + expression + ";"));
  const ptx::Function& f = module.functions.at(0);
  const ptx::Operand& operand = f.begin(f.instructions.at(0))[1];
  REQUIRE(operand.kind == ptx::Operand::Kind::integer);
  return operand.value;
}

}  // namespace

TEST_CASE("constant expressions have the values that ptxas gives them") {
  constexpr int64_t half = INT64_MAX;
  const std::pair<const char*, int64_t> rows[] = {
      {"0xFFFFFFFFFFFFFFFF>>56", 255},
      {"0xFFFFFFFFFFFFFFFF/2", half},
      {"0xFFFFFFFFFFFFFFFF>0", 1},
      {"18446744073709551615/2", half},
      {"9223372036854775808>>62", 2},
      {"(-1)/2", 0},
      {"(-7)/2", -3},
      {"(-7)% 3", 0},
      {"(-9) % 4", 3},
      {"5 % -3", 5},
      {"(((-7) % 3) - 1) > 0", 1},
      {"((8 % 3)-3)>0", 1},
      {"(-1)>>1", -1},
      {"-8>>1U", -4},
      {"-8>>65", -4},
      {"-1U>>60", 15},
      {"(.u64)-1>>60", 15},
      {"(.u64)(-8)/2", half - 3},
      {"(.s64)0xFFFFFFFFFFFFFFFF>>56", -1},
      {"(-1)<1U", 0},
      {"5U-6U>0", 1},
      {"(+5U-6)>0", 1},
      {"-8U/2", half - 3},
      {"1<<64", 1},
      {"1<<70", 64},
      {"1<<-1", INT64_MIN},
      {"100>>-1", 0},
      {"1<<64>>3", 0},
      {"(1<<63)>>63", -1},
      {"((1<<63)+0U)>>63", 1},
      {"0x8000000000000000>>63", 1},
      {"(~0)>>60", 15},
      {"~1U/2", half},
      {"(-1 & -1)>>60", -1},
      {"((-1)^0)>>60", -1},
      {"(-1|0)/2", 0},
      {"(-1*1U)>>60", 15},
      {"(-(5U))>>60", 15},
      {"((1<2U)-2)>0", 0},
      {"((5U==5U)-2)>0", 0},
      {"((1||0U)-2)>0", 0},
      {"(!0-2)>0", 0},
      {"(1?-8:8U)>>1", -4},
      {"(0?8U:-8)>>1", -4},
      {"7>5?3:4", 3},
      {"0?1:2?3:4", 3},
      {"3-2-1", 0},
      {"2+3*4<<1", 28},
      {"1|2^3&4", 3},
      {"1&&0||1", 1},
      {"010", 8},
      {"0b101", 5},
      {"WARP_SZ*2", 64},
      {"(WARP_SZ-33)>>60", -1},
  };
  for (const auto& [expression, value] : rows) {
    INFO(expression);
    CHECK(value_of(expression) == value);
  }
}

TEST_CASE("constant expressions that have no value are refused") {
  for (const char* expression : {"5/0", "5 % 0", "(1<<63)/-1"}) {
    INFO(expression);
    CHECK(errors_of(header + kernel(std::string("mov.b64 %rd1, ") + expression + ";"))
              .find("division by zero in a constant expression") != std::string::npos);
  }
}

TEST_CASE("constant expressions stand for offsets, indices and sizes of arrays") {
  const ptx::Module module = module_of(".global .b8 t[0xFFFFFFFFFFFFFFFF >> 56];\n" +
                                       kernel("ld.global.u32 %r1, [t+(1<<66)]; ld.global.u8 %r1, [t+5-1];"));
  CHECK(module.variables.at(0).bytes == 255);
  const ptx::Function& f = module.functions.at(0);
  CHECK(f.begin(f.instructions.at(0))[1].value == 4);
  CHECK(f.begin(f.instructions.at(1))[1].value == 4);
}
