// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of 64 bits of which one block calculates the lower half and the next one the upper half.
#include <algorithm>

#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;

namespace {

constexpr sass::Word low = {0x80000005ff057210, 0x000fe20007f5e0ff};    // IADD3 R5, P2, RZ, -R5, RZ
constexpr sass::Word high = {0xffffffffff007424, 0x000fe200010e06ff};   // IMAD.X R0, RZ, RZ, -0x1, P2
constexpr sass::Word meet = {0x0000000000007948, 0x000fea0003800000};   // WARPSYNC 0x0
constexpr sass::Word end = {0x000000000000794d, 0x000fea0003800000};    // EXIT
constexpr sass::Word skip = {0x0000001000000947, 0x000fea0003800000};   // @P0 BRA to the word after the next
constexpr sass::Word other = {0x000000ff0500720c, 0x000fe40003f45070};  // ISETP.NE.U32.AND P2, PT, R5, RZ, PT

// Whether all of the number is subtracted as one.
bool subtracts(const std::vector<sass::Word>& words) {
  const sass::Lowered lowered = test::lowered_of_words(words);
  const auto& operations = lowered.program.bodies.front().kernel.operations;
  return std::any_of(operations.begin(), operations.end(), [](const ir::Operation& operation) {
    return operation.semantics.computation == ir::Computation::subtract && operation.semantics.bits == 64;
  });
}

}  // namespace

TEST_CASE("sass: a number goes on in the next block if nothing else leads there") {
  CHECK(subtracts({low, high, end}));
  CHECK(subtracts({low, meet, high, end}));
  CHECK(subtracts({low, skip, meet, high, end}) == false);  // whose meeting has two ways to it
  CHECK(subtracts({skip, low, meet, high, end}) == false);
  CHECK(subtracts({low, other, meet, high, end}) == false);  // the carry is another one
  CHECK(subtracts({low, meet, other, high, end}) == false);
}
