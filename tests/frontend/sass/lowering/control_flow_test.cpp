// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls come back, on code of sm_80 that is put together of single words.
#include "frontend/sass/lowering/control_flow.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/frontend/sass/lowering/code_of_words.hpp"

using namespace warpspan;
using sass::Word;

namespace {

constexpr Word exit_here{0x000000000000794d, 0x000fea0003800000};
constexpr Word exit_if_p0{0x000000000000094d, 0x000fea0003800000};
constexpr Word no_operation{0x0000000000007918, 0x000fc00000000000};
constexpr Word trap{0x000000040000795c, 0x000fea0000300000};  // BPT.TRAP 0x1
constexpr Word trap_if_p0{0x000000040000095c, 0x000fea0000300000};
constexpr Word call_address{0x0000000000007943, 0x003fde0003c00000};     // CALL.ABS, filled in when linked
constexpr Word low_half{0x0000000000147802, 0x000fe20000000f00};         // MOV R20, filled in
constexpr Word high_half{0x0000000000157802, 0x000fe20000000f00};        // MOV R21
constexpr Word return_absolute{0x0000000014007950, 0x000fea0003e00000};  // RET.ABS R20
constexpr Word call_register{0x0000000006007344, 0x003fde0003c00000};    // CALL.REL.NOINC R6
constexpr Word indexed_branch{0x0000000002007949, 0x003fde0003800000};   // BRX R2

// A word that leads from one instruction to another.
Word leading(Word word, int64_t from, int64_t to) {
  const int64_t distance = (to - from - 1) * static_cast<int64_t>(sass::word_bytes);
  word.low |= static_cast<uint64_t>(distance) << 32;
  if (distance < 0) word.high |= 0x3ffff;
  return word;
}

Word branch(int64_t from, int64_t to) { return leading({0x0000000000007947, 0x000fea0003800000}, from, to); }
Word branch_if_p0(int64_t from, int64_t to) { return leading({0x0000000000000947, 0x000fea0003800000}, from, to); }
Word call(int64_t from, int64_t to) { return leading({0x0000000000007944, 0x000fea0003c00000}, from, to); }
Word call_if_p0(int64_t from, int64_t to) { return leading({0x0000000000000944, 0x000fea0003c00000}, from, to); }
// RET.REL.NODEC R2
Word return_at(int64_t from) { return leading({0x0000000002007950, 0x000fea0003c00000}, from, 0); }
// RET.REL.NODEC !P1, R2
Word return_unless_p1(int64_t from) { return leading({0x0000000002007950, 0x000fea0004c00000}, from, 0); }
// MOV R2, the offset of an instruction
Word address_of(int64_t index) {
  return {0x00027802 | static_cast<uint64_t>(index * static_cast<int64_t>(sass::word_bytes)) << 32, 0x000fe20000000f00};
}

std::vector<sass::CodeBlock> blocks_of(const sass::Code& code) {
  auto blocks = sass::find_blocks(code);
  if (!blocks) INFO(blocks.errors().front().message);
  REQUIRE(blocks);
  return *blocks;
}

// What is refused has a line that says what to do instead.
std::string error_of(const sass::Code& code) {
  const auto blocks = sass::find_blocks(code);
  REQUIRE_FALSE(blocks);
  CHECK_FALSE(blocks.errors().front().help.empty());
  return blocks.errors().front().message;
}

std::string error_of(const std::vector<Word>& words) { return error_of(test::code_of_words(words)); }

// Where the block of an instruction may go on, as instructions, ascending.
std::vector<uint32_t> after(const std::vector<sass::CodeBlock>& blocks, uint32_t last) {
  std::vector<uint32_t> all;
  for (const sass::CodeBlock& block : blocks) {
    if (block.first + block.count != last + 1) continue;
    for (const uint32_t target : block.targets) all.push_back(blocks[target].first);
    if (block.next != UINT32_MAX) all.push_back(blocks[block.next].first);
  }
  std::sort(all.begin(), all.end());
  return all;
}

size_t copies(const std::vector<sass::CodeBlock>& blocks) {
  uint32_t most = 0;
  for (const sass::CodeBlock& block : blocks) most = std::max(most, block.call);
  return most;
}

const std::string not_found = "where its subroutine returns to is not found before it";

}  // namespace

TEST_CASE("sass: a return may have a predicate") {
  const auto blocks = blocks_of(
      test::code_of_words({address_of(2), call(1, 3), exit_here, return_unless_p1(3), no_operation, return_at(5)}));
  CHECK(after(blocks, 3) == std::vector<uint32_t>{2, 4});
  CHECK(after(blocks, 5) == std::vector<uint32_t>{2});
}

// So ptxas leaves loops of more than 4 KiB for sm_80 to sm_89.
TEST_CASE("sass: a call from which nothing comes back is a branch") {
  const auto loop = blocks_of(test::code_of_words({no_operation, call_if_p0(1, 3), branch(2, 0), exit_here}));
  CHECK(copies(loop) == 0);
  CHECK(after(loop, 1) == std::vector<uint32_t>{2, 3});
  CHECK(after(loop, 2) == std::vector<uint32_t>{0});

  const auto always = blocks_of(test::code_of_words({call(0, 2), exit_here, exit_here}));
  CHECK(after(always, 0) == std::vector<uint32_t>{2});
  CHECK(after(always, 1).empty());

  // Of two loops, one in the other.
  const auto nested = blocks_of(test::code_of_words(
      {no_operation, no_operation, call_if_p0(2, 4), branch(3, 1), call_if_p0(4, 6), branch(5, 0), exit_here}));
  CHECK(copies(nested) == 0);
  CHECK(after(nested, 2) == std::vector<uint32_t>{3, 4});
  CHECK(after(nested, 4) == std::vector<uint32_t>{5, 6});

  // A number before it that is an offset by chance.
  const auto chance =
      blocks_of(test::code_of_words({address_of(3), no_operation, call_if_p0(2, 4), branch(3, 1), exit_here}));
  CHECK(copies(chance) == 0);
  CHECK(after(chance, 2) == std::vector<uint32_t>{3, 4});
}

TEST_CASE("sass: behind a call that is a branch there may be subroutines") {
  // 6: the subroutine of the call at 4
  const auto blocks = blocks_of(test::code_of_words(
      {no_operation, call_if_p0(1, 3), branch(2, 0), address_of(5), call(4, 6), exit_here, return_at(6)}));
  CHECK(copies(blocks) == 1);
  CHECK(after(blocks, 1) == std::vector<uint32_t>{2, 3});
  CHECK(after(blocks, 4) == std::vector<uint32_t>{6});
  CHECK(after(blocks, 6) == std::vector<uint32_t>{5});
}

TEST_CASE("sass: a loop of a subroutine may be left by a call") {
  // 3: the subroutine, which never returns; 3 and 4 are its loop.
  const auto blocks = blocks_of(test::code_of_words(
      {address_of(2), call(1, 3), exit_here, no_operation, call_if_p0(4, 6), branch(5, 3), exit_here}));
  CHECK(copies(blocks) == 0);
  CHECK(after(blocks, 1) == std::vector<uint32_t>{3});
  CHECK(after(blocks, 4) == std::vector<uint32_t>{5, 6});
}

TEST_CASE("sass: a call that may come back is none") {
  // Its target returns: directly, under a guard, behind a branch, behind another subroutine, by another such call.
  CHECK(error_of({call(0, 2), exit_here, return_at(2)}).find(not_found) != std::string::npos);
  CHECK(error_of({call_if_p0(0, 2), exit_here, exit_if_p0, return_at(3)}).find(not_found) != std::string::npos);
  CHECK(error_of({call(0, 2), exit_here, branch_if_p0(2, 4), exit_here, return_at(4)}).find(not_found) !=
        std::string::npos);
  CHECK(error_of({call(0, 2), exit_here, address_of(4), call(3, 5), return_at(4), return_at(5)}).find(not_found) !=
        std::string::npos);
  CHECK(error_of({call(0, 2), exit_here, call_if_p0(2, 4), exit_here, return_at(4)}).find(not_found) !=
        std::string::npos);
  CHECK(error_of({call(0, 2), exit_here, call_if_p0(2, 4), return_at(3), exit_here}).find(not_found) !=
        std::string::npos);
  // The end of the code is not run into unseen.
  CHECK(error_of({call(0, 2), exit_here, no_operation}).find("the code ends here") != std::string::npos);
  // In a subroutine: what returns there might come back to either call.
  CHECK(
      error_of({address_of(2), call(1, 3), exit_here, call_if_p0(3, 5), branch(4, 3), return_at(5)}).find(not_found) !=
      std::string::npos);
}

TEST_CASE("sass: what an indexed branch or a call through a register leads to may return") {
  const std::vector<Word> words = {call(0, 2), exit_here, indexed_branch, exit_here, return_at(4)};
  CHECK(error_of(words).find(not_found) != std::string::npos);
  sass::Code listed = test::code_of_words(words);
  listed.indirect_branches = {{2 * sass::word_bytes, {3 * sass::word_bytes, 4 * sass::word_bytes}}};
  CHECK(error_of(listed).find(not_found) != std::string::npos);
  listed.indirect_branches.front().targets.pop_back();
  const auto blocks = blocks_of(listed);
  CHECK(copies(blocks) == 0);
  CHECK(after(blocks, 0) == std::vector<uint32_t>{2});
  // Outside of the code.
  listed.indirect_branches.front().targets.front() = 0x1000;
  CHECK(sass::find_blocks(listed).errors().size() == 1);

  CHECK(error_of({call(0, 2), exit_here, call_register, exit_here}).find(not_found) != std::string::npos);
}

TEST_CASE("sass: the calls of other sections behind a call that is a branch come back there") {
  // 4: another section, called from 2.
  sass::Code code = test::code_of_words({call_if_p0(0, 2), branch(1, 0), call_address, exit_here, exit_here});
  code.sections = {{"k", 0, 4}, {"f", 4, 1}};
  code.references[2] = {sass::Code::Reference::Kind::call, 4};
  const auto blocks = blocks_of(code);
  CHECK(after(blocks, 0) == std::vector<uint32_t>{1, 2});
  CHECK(after(blocks, 2) == std::vector<uint32_t>{4});

  // It is behind the call of another section that this one returns.
  code = test::code_of_words({call_if_p0(0, 2), branch(1, 0), call_address, return_at(3), exit_here});
  code.sections = {{"k", 0, 4}, {"f", 4, 1}};
  code.references[2] = {sass::Code::Reference::Kind::call, 4};
  CHECK(error_of(code).find(not_found) != std::string::npos);
}

// Its RET is followed to the call (restored_values.hpp): so a call in its midst that might come back behind itself is
// found.
TEST_CASE("sass: a function of another section may leave its loop by a call, and return") {
  using Kind = sass::Code::Reference::Kind;
  // 4: f, of which 4 to 6 are a loop
  const auto linked = [](const Word& at_4) {
    sass::Code code = test::code_of_words(
        {low_half, high_half, call_address, exit_here, at_4, call_if_p0(5, 7), branch(6, 4), return_absolute});
    code.sections = {{"k", 0, 4}, {"f", 4, 4}};
    code.references = {{0, {Kind::low_half, 3}}, {1, {Kind::high_half, 3}}, {2, {Kind::call, 4}}};
    return code;
  };
  const auto blocks = blocks_of(linked(no_operation));
  CHECK(copies(blocks) == 1);
  CHECK(after(blocks, 5) == std::vector<uint32_t>{6, 7});
  CHECK(after(blocks, 7) == std::vector<uint32_t>{3});
  // MOV R20, R2
  CHECK(
      error_of(linked({0x0000000200147202, 0x000fe20000000f00})).find("it returns to where the function was called") !=
      std::string::npos);
}

// ptxas has nothing behind a trap that ends a kernel but the first subroutine, or what fills up the section.
TEST_CASE("sass: a trap leads nowhere") {
  const auto blocks =
      blocks_of(test::code_of_words({branch_if_p0(0, 4), address_of(3), call(2, 5), exit_here, trap, return_at(5)}));
  CHECK(after(blocks, 4).empty());
  CHECK(after(blocks, 5) == std::vector<uint32_t>{3});
  CHECK(after(blocks_of(test::code_of_words({no_operation, trap, branch(2, 2)})), 1).empty());
  const auto guarded = blocks_of(test::code_of_words({no_operation, trap_if_p0, exit_here}));
  CHECK(after(guarded, 1) == std::vector<uint32_t>{2});
}

TEST_CASE("sass: no branch leads to what only leads to a trap") {
  using Next = std::vector<uint32_t>;
  const auto first = [](const std::vector<Word>& words) { return after(blocks_of(test::code_of_words(words)), 0); };
  CHECK(first({branch_if_p0(0, 2), trap, exit_here}) == Next{2});
  CHECK(first({branch_if_p0(0, 2), exit_here, trap}) == Next{1});
  CHECK(first({branch_if_p0(0, 3), branch_if_p0(1, 4), trap, exit_here, trap}) == Next{3});
  CHECK(first({branch_if_p0(0, 2), trap_if_p0, exit_here}).size() == 2);  // some lanes may go on there
  CHECK(first({branch_if_p0(0, 2), trap, trap}) == Next{1});              // there is no other way
}

TEST_CASE("sass: a subroutine that returns under a predicate goes on behind its RET as well") {
  const Word return_if_p0 = leading({0x0000000002000950, 0x000fea0003c00000}, 3, 0);
  const auto blocks =
      blocks_of(test::code_of_words({address_of(2), call(1, 3), exit_here, return_if_p0, no_operation, return_at(5)}));
  CHECK(after(blocks, 3) == std::vector<uint32_t>{2, 4});
  CHECK(after(blocks, 5) == std::vector<uint32_t>{2});
}
