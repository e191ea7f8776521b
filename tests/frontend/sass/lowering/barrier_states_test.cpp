// SPDX-License-Identifier: GPL-3.0-or-later
// What reads states of barrier objects, on code of sm_90 that is put together of single words.
#include "frontend/sass/lowering/barrier_states.hpp"

#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;
using sass::Word;

namespace {

constexpr Word arrive{0x000000ffff0c79a7, 0x000e220008100005};   // SYNCS.ARRIVE R12, [UR5], RZ
constexpr Word ask{0x0000000dff0075a7, 0x001e240008000145};      // SYNCS.PHASECHK P0, [UR5], R13
constexpr Word copy{0x0000000d00147202, 0x000fe20000000f00};     // MOV R20, R13
constexpr Word other{0x0000000c00147202, 0x000fe20000000f00};    // MOV R20, R12
constexpr Word written{0x00000007000d7802, 0x000fe20000000f00};  // MOV R13, 0x7
constexpr Word again{0xfffffffc00f40947, 0x000fea000383ffff};    // @P0 BRA, to the third before the next
constexpr Word exit_here{0x000000000000794d, 0x000fea0003800000};

size_t only_asked(const std::vector<Word>& words) {
  sass::Code code = test::code_of_words({});
  const auto decoded = sass::decode(words, 90, sass::UnknownOpcodes::are_kept);
  REQUIRE(decoded);
  code.instructions = *decoded;
  code.architecture = 90;
  code.sections = {{"k", 0, static_cast<uint32_t>(words.size())}};
  for (uint32_t i = 0; i < words.size(); ++i) code.listing.offsets.push_back(i * 2), code.listing.lines.push_back(1);
  const auto blocks = sass::find_blocks(code);
  REQUIRE(blocks);
  return sass::arrivals_only_asked_about(code, *blocks).size();
}

}  // namespace

TEST_CASE("sass: the phase that an arrival tells is only asked about") {
  CHECK(only_asked({arrive, ask, exit_here}) == 1);
  CHECK(only_asked({arrive, other, ask, exit_here}) == 1);
  CHECK(only_asked({arrive, ask, written, copy, exit_here}) == 1);
  CHECK(only_asked({arrive, ask, again, exit_here}) == 1);
}

TEST_CASE("sass: a state that something else reads is not") {
  CHECK(only_asked({arrive, copy, ask, exit_here}) == 0);
  CHECK(only_asked({arrive, ask, copy, exit_here}) == 0);
  CHECK(only_asked({copy, arrive, ask, again, exit_here}) == 1);  // of the state before
  CHECK(only_asked({copy, arrive, again, exit_here}) == 0);       // behind the branch back
}
