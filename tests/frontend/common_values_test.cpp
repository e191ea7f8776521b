// SPDX-License-Identifier: GPL-3.0-or-later
// What R2UR takes from one lane, on code of sm_80 that is put together of single words.
#include "frontend/lift/flow_facts.hpp"
#include "frontend/sass/lowering/lower.hpp"
#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;
using sass::Word;

namespace {

// R17 from the word, and behind a branch R2UR UR13, R17; IMAD.U32 R10, RZ, RZ, UR13 and a loop that counts R10 down to
// 0.
std::optional<int64_t> iterations(const Word& source) {
  constexpr Word go_on{0x0000000000007947, 0x000fea0003800000};  // BRA to the next
  constexpr Word one_lane{0x00000000110d73c2, 0x00006200000e0000}, to_lanes{0x0000000dff0a7e24, 0x000fe2000f8e00ff};
  constexpr Word down{0xffffffff0a0a7810, 0x000fe20007ffe0ff}, is_left{0x000000ff0a00720c, 0x000fe40003f05270};
  constexpr Word back{0xffffffd000000947, 0x000fea000383ffff}, exit{0x000000000000794d, 0x000fea0003800000};
  const sass::Lowered lowered = test::lowered_of_words({source, go_on, one_lane, to_lanes, down, is_left, back, exit});
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  const auto facts = lift::find_facts(lowered.program, launch);
  REQUIRE(facts);
  REQUIRE(facts->loops.size() == 1);
  return facts->loops.front().trip_count;
}

}  // namespace

TEST_CASE("sass: what one lane gives to all is what each has, if all have the same") {
  CHECK(iterations({0x0000000700117802, 0x000fe20000000f00}) == 7);   // MOV R17, 0x7
  CHECK_FALSE(iterations({0x0000000000117919, 0x000e220000000000}));  // S2R R17, SR_LANEID: at most 31, but 0 wraps
}
