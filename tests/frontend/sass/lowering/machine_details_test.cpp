// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/machine_details.hpp"

#include <catch2/catch.hpp>

#include "frontend/sass/words/decode.hpp"

using namespace warpspan;

TEST_CASE("sass: what instructions are to a simulation") {
  const std::vector<sass::Word> words = {{0x00000a0000017a02, 0x000fc40000000f00},   // MOV R1, c[0x0][0x28]
                                         {0x0000040201007387, 0x0001e80000100800},   // STL [R1+0x4], R2
                                         {0x0000580002027b82, 0x00321e0000000a00},   // LDC.64 R2, c[0x0][R2+0x160]
                                         {0x000000000000794d, 0x000fea0003800000}};  // EXIT
  sass::Code code;
  code.architecture = 80;
  const auto decoded = sass::decode(words, 80, sass::UnknownOpcodes::are_errors);
  REQUIRE(decoded);
  code.instructions = *decoded;
  const auto details = sass::machine_details(code, {3, 2, 1, 0});
  REQUIRE(details.size() == 4);
  CHECK(details[0].unit == ir::ExecutionUnit::none);
  CHECK(details[0].place == 3);
  CHECK(details[1].unit == ir::ExecutionUnit::constant);
  CHECK(!details[1].constant);  // a register has a part in its place
  CHECK(details[2].unit == ir::ExecutionUnit::memory);
  CHECK(details[3].unit == ir::ExecutionUnit::integer);
  CHECK(details[3].constant == 0x28);
  CHECK(details[3].place == 0);
}
