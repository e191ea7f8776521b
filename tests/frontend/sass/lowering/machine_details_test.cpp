// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/machine_details.hpp"

#include <catch2/catch.hpp>

#include "frontend/sass/words/decode.hpp"

using namespace warpspan;

namespace {

// Of these of the words.
std::vector<ir::MachineDetail> details_of(const std::vector<sass::Word>& words, int architecture,
                                          const std::vector<uint32_t>& instructions) {
  sass::Code code;
  code.architecture = architecture;
  const auto decoded = sass::decode(words, architecture, sass::UnknownOpcodes::are_errors);
  REQUIRE(decoded);
  code.instructions = *decoded;
  return sass::machine_details(code, instructions);
}

}  // namespace

TEST_CASE("sass: what instructions are to a simulation") {
  const std::vector<sass::Word> words = {{0x00000a0000017a02, 0x000fc40000000f00},   // MOV R1, c[0x0][0x28]
                                         {0x0000040201007387, 0x0001e80000100800},   // STL [R1+0x4], R2
                                         {0x0000580002027b82, 0x00321e0000000a00},   // LDC.64 R2, c[0x0][R2+0x160]
                                         {0x000000000000794d, 0x000fea0003800000}};  // EXIT
  const auto details = details_of(words, 80, {3, 2, 1, 0});
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

TEST_CASE("sass: units of a simulation that are not those of a bound") {
  const std::vector<sass::Word> words = {{0x0000000900007240, 0x080fe40003800000},   // HMNMX2 R0, R0, R9, PT
                                         {0x00000000000579c3, 0x000e220000004300},   // S2UR UR5, SR_VIRTUALSMID
                                         {0x0000000400007310, 0x000e300000301000},   // F2F.F32.F64 R0, R4
                                         {0x0000000800087311, 0x000e24000020d800}};  // F2I.U64.TRUNC R8, R8
  const auto details = details_of(words, 90, {0, 1, 2, 3});
  CHECK(details[0].unit == ir::ExecutionUnit::integer);
  CHECK(details[1].unit == ir::ExecutionUnit::uniform);
  CHECK(details[2].unit == ir::ExecutionUnit::wide_conversion);
  CHECK(details[3].unit == ir::ExecutionUnit::conversion);  // to 64 bits
}

TEST_CASE("sass: what goes on beside a warp, and what it waits for") {
  using Effect = ir::MachineDetail::Effect;
  const std::vector<sass::Word> words = {
      {0x01e00000081879f0, 0x000fd80008700818},   // HGMMA.64x128x16.F32 R24, gdesc[UR8], R24
      {0x01e00000081879f0, 0x000fe60008000818},   // the same, gsb0
      {0x00000000000079c5, 0x000fe20000000000},   // WARPGROUP.ARRIVE
      {0x00008000000079c5, 0x000fe40000010000},   // WARPGROUP.DEPBAR.LE gsb0, 0x0
      {0x000000000400798f, 0x0001f20000800100}};  // CCTL.E.PF2 [R4]
  const auto details = details_of(words, 90, {0, 1, 2, 3, 4});
  for (const size_t product : {0, 1}) {
    CHECK(details[product].unit == ir::ExecutionUnit::group_matrix);
    CHECK(details[product].depth == 128 / 8);
  }
  CHECK(details[0].effect == Effect::none);
  CHECK(details[1].effect == Effect::commits_products);
  CHECK(details[2].effect == Effect::none);
  CHECK(details[3].effect == Effect::awaits_products);
  CHECK(details[3].outstanding == 0);
  CHECK(details[4].effect == Effect::none);
}

TEST_CASE("sass: which atomics count to a limit") {
  const std::vector<sass::Word> words = {
      {0x000000090400098e, 0x0021e2000c10e186},   // @P0 REDG.E.ADD.STRONG.GPU [R4], R9
      {0x000010130600798e, 0x000fe8000d90e186},   // REDG.E.INC.STRONG.GPU [R6+0x10], R19
      {0x000014150600798e, 0x000fe8000e10e186},   // REDG.E.DEC.STRONG.GPU [R6+0x14], R21
      {0x0000101306ff798a, 0x000fe800099ee1c6}};  // ATOM.E.INC.STRONG.GPU RZ, [R6+0x10], R19
  const auto details = details_of(words, 90, {0, 1, 2, 3});
  CHECK(!details[0].wraps);
  CHECK(details[1].wraps);
  CHECK(details[2].wraps);
  CHECK(!details[3].wraps);
}

TEST_CASE("sass: which loads go past the L1") {
  const std::vector<sass::Word> words = {{0x0000000602047981, 0x000ea2000c1ebd00},   // LDG.E.128.STRONG.SM R4, [R2]
                                         {0x0000000604057981, 0x000ea2000c1ef900},   // LDG.E.STRONG.GPU R5, [R4]
                                         {0x0000000602037981, 0x000ea2000c1f5900}};  // LDG.E.STRONG.SYS R3, [R2]
  const auto details = details_of(words, 90, {0, 1, 2});
  CHECK(!details[0].past_l1);
  CHECK(details[1].past_l1);
  CHECK(details[2].past_l1);
}
