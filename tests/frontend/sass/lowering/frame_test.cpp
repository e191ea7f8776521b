// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/frame.hpp"

#include <catch2/catch.hpp>

#include "frontend/sass/lowering/lower.hpp"
#include "frontend/sass/words/decode.hpp"
#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;

namespace {

// MOV R1, c[0x0][0x28]; IADD3 R1, R1, -0x10, RZ; STL [R1+0x4], R2; LDL.64 R4, [R1+0x8]; EXIT of sm_80, with the words
// that follow the setup in between.
const sass::Word move = {0x00000a0000017a02, 0x000fc40000000f00};
const sass::Word add = {0xfffffff001017810, 0x000fe20007ffe0ff};
const sass::Word store = {0x0000040201007387, 0x0001e80000100800};
const sass::Word load = {0x0000080001047983, 0x000ea80000100a00};
const sass::Word exit = {0x000000000000794d, 0x000fea0003800000};

std::optional<sass::Frame> frame_of(const std::vector<sass::Word>& between) {
  std::vector<sass::Word> words = {move, add};
  words.insert(words.end(), between.begin(), between.end());
  words.push_back(exit);
  sass::Code code;
  code.architecture = 80;
  const auto decoded = sass::decode(words, 80, sass::UnknownOpcodes::are_kept);
  REQUIRE(decoded);
  code.instructions = *decoded;
  sass::CodeBlock block;
  block.count = static_cast<uint32_t>(words.size());
  return find_frame(code, {block});
}

}  // namespace

TEST_CASE("sass: what is accessed at numbers from R1 is a frame") {
  const auto frame = frame_of({store, load});
  REQUIRE(frame);
  CHECK(frame->first == 4);
  CHECK(frame->bytes == 12);
  CHECK_FALSE(frame_of({}));
}

TEST_CASE("sass: there is no frame that other code may know") {
  const sass::Word copied = {0x0000000100037202, 0x000fc40000000f00};     // MOV R3, R1
  const sass::Word stored = {0x0000040101007387, 0x0001e80000100800};     // STL [R1+0x4], R1
  const sass::Word elsewhere = {0x0000040203007387, 0x0001e80000100800};  // STL [R3+0x4], R2
  const sass::Word top = {0x00000a0000037a02, 0x000fc40000000f00};        // MOV R3, c[0x0][0x28]
  const sass::Word unknown = {0x0000000000007fff, 0x000fc00000000000};    // whatever this is
  const sass::Word guarded = {0xfffffff001010810, 0x000fe20007ffe0ff};    // @P0 IADD3 R1, R1, -0x10, RZ
  const sass::Word global = {0x0000000402007986, 0x000fe2000c101904};     // STG [R2.64], R4
  for (const sass::Word& word : {copied, stored, elsewhere, top, unknown, guarded}) {
    INFO(std::hex << word.low);
    CHECK_FALSE(frame_of({store, word, load}));
  }
  CHECK(frame_of({store, global, load}));
  const sass::Word indexed = {0x0000580002027b82, 0x00321e0000000a00};  // LDC.64 R2, c[0x0][R2+0x160]: a parameter
  CHECK(frame_of({store, indexed, load}));
  const sass::Word from_begin = {0x0000000002027b82, 0x00321e0000000a00};  // LDC.64 R2, c[0x0][R2]: whatever it reaches
  CHECK_FALSE(frame_of({store, from_begin, load}));
}

namespace {

sass::Lowered lowered_of(std::vector<sass::Word> words) {
  words.push_back(exit);
  return test::lowered_of_words(words);
}

// What the lowered kernel has of frames; nothing if its size is not known.
std::optional<int64_t> bytes_of(const std::vector<sass::Word>& words) {
  const auto frames = lowered_of(words).kernel.frames;
  return frames.empty() ? std::nullopt : std::optional(frames.front().bytes);
}

}  // namespace

TEST_CASE("sass: a thread's local memory is what R1 is moved down by, if that is a number") {
  const sass::Word back = {0x0000001001017810, 0x000fe20007ffe0ff};         // IADD3 R1, R1, 0x10, RZ
  const sass::Word by_register = {0x0000000201017210, 0x000fe20007ffe0ff};  // IADD3 R1, R1, R2, RZ
  const sass::Word loaded = {0x0000080001017983, 0x000ea80000100800};       // LDL R1, [R1+0x8]
  CHECK(bytes_of({}) == 0);
  CHECK(bytes_of({move}) == 0);
  CHECK(bytes_of({move, add, store, load}) == 16);
  CHECK(bytes_of({move, add, store, add, load, back, back}) == 32);
  CHECK_FALSE(bytes_of({move, add, by_register, store}));
  CHECK_FALSE(bytes_of({move, add, store, loaded}));
}

namespace {

// Of the third and the fourth instruction, where every access without a known place falls into 32.
std::vector<uint32_t> transactions_of(const std::vector<sass::Word>& words) {
  const sass::Lowered lowered = lowered_of(words);
  ir::Flow facts;
  facts.transactions.assign(lowered.program.bodies.front().kernel.instructions.size(), ir::warp_lanes);
  const ir::Flow flow = sass::facts_of_kernel(lowered, facts);
  return {flow.transactions.begin() + 2, flow.transactions.begin() + 4};
}

}  // namespace

TEST_CASE("sass: lanes that access words of a frame ask for no more lines than it has") {
  const sass::Word by_register = {0x0000000201017210, 0x000fe20007ffe0ff};  // IADD3 R1, R1, R2, RZ
  const sass::Word global = {0x0000000402007986, 0x000fe2000c101904};       // STG [R2.64], R4
  CHECK(transactions_of({move, add, store, load}) == std::vector<uint32_t>{6, 6});
  CHECK(transactions_of({move, add, global, load}) == std::vector<uint32_t>{32, 6});
  CHECK(transactions_of({move, add, store, load, by_register}) == std::vector<uint32_t>{32, 32});
}
