// SPDX-License-Identifier: GPL-3.0-or-later
// Which reads of constants are of what the launch passes.
#include <catch2/catch.hpp>

#include "frontend/sass/lowering/lower.hpp"
#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;
using sass::Word;

namespace {

constexpr Word move_launch{0x00000a00ff017624, 0x000fc400078e00ff};  // IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]
constexpr Word move_third{0x00c00a00ff017624, 0x000fc400078e00ff};   // IMAD.MOV.U32 R1, RZ, RZ, c[0x3][0x28]
constexpr Word load_launch{0x0000000000007b82, 0x000e240000000800};  // LDC R0, c[0x0][R0]
constexpr Word load_third{0x00c0000000007b82, 0x000e240000000800};   // LDC R0, c[0x3][R0]
constexpr Word exit_here{0x000000000000794d, 0x000fea0003800000};    // EXIT

// By instruction but the last one: whether it reads constants, and of the launch alone.
using Reads = std::vector<std::pair<bool, bool>>;

Reads reads_of(std::vector<Word> words) {
  words.push_back(exit_here);
  const sass::Lowered lowered = test::lowered_of_words(words);
  Reads found;
  for (const ir::Instruction& instruction : lowered.kernel.instructions) {
    const ir::Operation& operation = lowered.kernel.operation(instruction);
    const bool loads =
        operation.kind == ir::OperationKind::load_param || operation.kind == ir::OperationKind::load_const;
    found.emplace_back(loads || operation.reads_constant, operation.reads_launch);
  }
  found.pop_back();
  return found;
}

}  // namespace

TEST_CASE("sass: what is in bank 0 is of the launch, whether an operand or loaded, at an index too") {
  const std::pair of_launch(true, true), of_others(true, false), none(false, false);
  CHECK(reads_of({move_launch}) == Reads{of_launch});
  CHECK(reads_of({move_third}) == Reads{of_others});
  CHECK(reads_of({load_launch, load_third}) == Reads{of_launch, of_others});
  CHECK(reads_of({move_launch, move_launch}) == Reads{of_launch, none});  // the block has read it
}
