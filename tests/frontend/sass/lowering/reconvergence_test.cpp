// SPDX-License-Identifier: GPL-3.0-or-later
// Branches that ask whether lanes are together, on code of sm_80 that is put together of single words.
#include "frontend/sass/lowering/reconvergence.hpp"

#include "frontend/sass/lowering/lower.hpp"
#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;
using sass::Word;

namespace {

constexpr Word branch_if_p0{0x0000001000000947, 0x000fea0003800000};  // @P0 BRA, to the second behind it
constexpr Word ask{0x000000137f007947, 0x000fea000b800000};           // BRA.CONV URZ, likewise
constexpr uint64_t mask = 0xff000000;                                 // where BRA.CONV has its register
constexpr Word set{0x0000003000007945, 0x000fe20003800000};           // BSSY B0, to the fourth behind it
constexpr Word meet{0x0000000000007941, 0x000fea0003800000};          // BSYNC B0
constexpr Word no_operation{0x0000000000007918, 0x000fc00000000000};
constexpr Word exit_here{0x000000000000794d, 0x000fea0003800000};
constexpr Word exit_if_p0{0x000000000000094d, 0x000fea0003800000};

// Whether warps may take different ways at the block that asks, if lanes may at the first other branch.
bool differ(const std::vector<Word>& words) {
  const sass::Code code = test::code_of_words(words);
  const auto blocks = sass::find_blocks(code);
  REQUIRE(blocks);
  ir::Flow flow;
  flow.blocks.resize(blocks->size());
  size_t asking = blocks->size();
  for (size_t b = 0; b < blocks->size(); ++b) {
    const sass::CodeBlock& block = (*blocks)[b];
    const Word& last = words[block.first + block.count - 1];
    flow.blocks[b].warps_differ = true;
    if ((last.low & ~mask) == (ask.low & ~mask)) asking = b;
    if (last.low == branch_if_p0.low || last.low == exit_if_p0.low) flow.blocks[b].divergent = true;
  }
  sass::Reconvergence(code, *blocks).join_questions(flow);
  return flow.blocks.at(asking).warps_differ;
}

}  // namespace

TEST_CASE("sass: all warps answer alike whether their lanes are together, where these cannot be apart") {
  CHECK_FALSE(differ({ask, no_operation, exit_here}));
  CHECK_FALSE(differ({set, branch_if_p0, no_operation, meet, ask, no_operation, exit_here}));
  CHECK_FALSE(differ({ask, no_operation, branch_if_p0, no_operation, exit_here}));
}

TEST_CASE("sass: warps may answer otherwise where lanes have diverged or ended") {
  CHECK(differ({branch_if_p0, no_operation, ask, no_operation, exit_here}));  // nothing makes them reconverge
  CHECK(differ({set, branch_if_p0, ask, no_operation, meet, exit_here}));     // not yet
  CHECK(differ({exit_if_p0, ask, no_operation, exit_here}));
  const Word of_register{(ask.low & ~mask) | 0x04000000, ask.high};  // a mask in UR4
  CHECK(differ({of_register, no_operation, exit_here}));
}

TEST_CASE("sass: no more groups of lanes come to a reconvergence point than a warp has lanes") {
  // BSSY B0; a loop that lanes leave by @P0 BRA; BSYNC B0; EXIT
  constexpr Word back{0xffffffe000007947, 0x000fea000383ffff}, waiting{meet.low, meet.high | uint64_t{1} << 52};
  using Counts = std::vector<uint32_t>;  // of the loop's first block, and of that which begins with BSYNC
  const auto counts = [&](int64_t trips, const Word& end) {
    const sass::Code code = test::code_of_words({set, branch_if_p0, back, end, exit_here});
    const auto blocks = sass::find_blocks(code);
    REQUIRE(blocks);
    REQUIRE(blocks->size() == 4);
    auto lowered = sass::lower(code, *blocks);
    REQUIRE(lowered);
    ir::Flow flow;
    flow.blocks.resize(4);
    flow.transactions.resize(lowered->kernel.instructions.size());
    flow.loops.emplace_back();
    const auto at = [&](uint32_t instruction) {
      const auto begins = [instruction](const sass::CodeBlock& block) { return block.first == instruction; };
      return static_cast<size_t>(std::find_if(blocks->begin(), blocks->end(), begins) - blocks->begin());
    };
    flow.loops[0].header = static_cast<ir::BlockId>(at(1));
    flow.loops[0].trip_count = trips;
    flow.blocks.at(at(1)).loop = flow.blocks.at(at(2)).loop = 0;
    flow.blocks[at(1)].divergent = true;
    const auto copied = sass::Reconvergence(code, *blocks).add_arrivals(lowered->kernel, flow);
    CHECK(copied.size() == flow.transactions.size());
    return Counts{lowered->kernel.blocks[at(1)].count, lowered->kernel.blocks[at(3)].count};
  };
  CHECK(counts(10, meet) == Counts{2, 2});
  CHECK(counts(31, meet) == Counts{2, 2});
  CHECK(counts(32, meet) == Counts{1, 33});
  CHECK(counts(32, waiting) == Counts{2, 2});
}
