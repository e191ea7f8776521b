// SPDX-License-Identifier: GPL-3.0-or-later
// Masks of WARPSYNC that lanes have in registers.
#include "frontend/sass/lowering/masks.hpp"

#include <algorithm>

#include "ir/sentences.hpp"
#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;

namespace {

constexpr sass::Word some = {0x000000ffff067424, 0x000fe200078e00ff};      // IMAD.MOV.U32 R6, RZ, RZ, 0xff
constexpr sass::Word all = {0xffffffffff067424, 0x000fe200078e00ff};       // IMAD.MOV.U32 R6, RZ, RZ, -0x1
constexpr sass::Word who = {0x0000000000067806, 0x000fe200038e0100};       // VOTE.ANY R6, PT, PT
constexpr sass::Word meet = {0x0000000600007348, 0x000fea0003800000};      // WARPSYNC R6
constexpr sass::Word together = {0xffffffff00007948, 0x000fea0003800000};  // WARPSYNC 0xffffffff
constexpr sass::Word asks = {0x0000000000007806, 0x000fc800040e0100};      // VOTE.ANY P0, P0
constexpr sass::Word skip = {0x0000001000000947, 0x000fea0003800000};      // @P0 BRA to the word after the next
constexpr sass::Word end = {0x000000000000794d, 0x000fea0003800000};       // EXIT

bool parts(const std::vector<sass::Word>& words) {
  return test::lowered_of_words(words).program.bodies.front().kernel.lanes_part;
}

bool takes_lanes_to_stay(const std::vector<sass::Word>& words) {
  const auto assumed = test::lowered_of_words(words).assumptions;
  return std::find(assumed.begin(), assumed.end(), ir::masks_do_not_part) != assumed.end();
}

}  // namespace

TEST_CASE("sass: lanes part where masks may differ and a vote behind answers each of them") {
  CHECK(parts({some, meet, asks, end}));
  CHECK(parts({meet, asks, end}));
  CHECK_FALSE(takes_lanes_to_stay({some, meet, asks, end}));
  // A vote that is the same whoever goes on jointly.
  CHECK_FALSE(parts({some, meet, end}));
  CHECK_FALSE(parts({asks, some, meet, end}));
  CHECK(takes_lanes_to_stay({some, meet, end}));
}

TEST_CASE("sass: masks are alike that are all ones, or what a vote told the lanes that come") {
  for (const sass::Word& alike : {all, who}) {
    CHECK_FALSE(parts({alike, meet, asks, end}));
    CHECK_FALSE(takes_lanes_to_stay({alike, meet, asks, end}));
    CHECK_FALSE(parts({alike, meet, meet, asks, end}));
    CHECK(parts({skip, alike, meet, asks, end}));  // some come another way
    CHECK(parts({alike, some, meet, asks, end}));
  }
  // Lanes that voted apart may have met since.
  CHECK(parts({who, together, meet, asks, end}));
  CHECK_FALSE(parts({all, together, meet, asks, end}));
}
