// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/operation_kind.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "ir/sizes.hpp"

using namespace warpspan;
using ir::OperationKind;
using ir::Synchronisation;
using sass::operation_kind;
using sass::Word;

namespace {

sass::Instruction decoded(int architecture, Word word) {
  const std::vector<Word> words = {word};
  const auto instructions = sass::decode(words, architecture);
  REQUIRE(instructions);
  return instructions->front();
}

}  // namespace

TEST_CASE("sass: each decoded instruction has a kind, but for accesses of 256 bits") {
  std::set<std::string> without;
  for (const Word word : {
#define SASS_WORD(architecture, high, low, text) Word{low, high},
#include "tests/frontend/sass/words/words.def"
#undef SASS_WORD
       }) {
    for (const int architecture : {70, 75, 80, 90, 100, 120}) {
      const std::vector<Word> words = {word};
      const auto instructions = sass::decode(words, architecture);
      if (!instructions || operation_kind(instructions->front())) continue;
      without.insert(sass::operation_name(instructions->front()));
    }
  }
  CHECK(without.empty());
}

TEST_CASE("sass: textures by their dimensions, of which cubes and layers have two") {
  CHECK(sass::operation_name(decoded(80, {0x300062030e0e7b60, 0x000f4200019e0f10})) == "TEX.2D");
  CHECK(sass::operation_name(decoded(80, {0x70005c1c1a167b60, 0x00014200019e01ff})) == "TEX.2D");  // CUBE
  CHECK(sass::operation_name(decoded(80, {0xb0005a0802187b60, 0x000f4200019e0f0e})) == "TEX.2D");  // ARRAY_2D
  CHECK(sass::operation_name(decoded(80, {0x5000600218027b60, 0x000f4200019e01ff})) == "TEX");     // 3D
  CHECK(sass::operation_name(decoded(80, {0x1000600218027b60, 0x000f4200019e01ff})) == "TEX.1D");
}

TEST_CASE("sass: textures write as many registers as channels are read") {
  const auto counts = [](uint64_t high) {
    std::vector<int> all;
    const sass::Instruction instruction = decoded(80, {0x300062030e0e7b60, high});
    for (const sass::Operand& operand : instruction.operands()) {
      if (operand.role == sass::Role::written && !operand.is_predicate()) all.push_back(operand.count);
    }
    return all;  // the further channels first
  };
  CHECK(counts(0x000f4200019e0f10) == std::vector{2, 2});
  CHECK(counts(0x000f4200019e0710) == std::vector{1, 2});
  CHECK(counts(0x000f4200019e0a10) == std::vector{1, 2});
  CHECK(counts(0x000f4200019e0810) == std::vector{1, 1});
}

TEST_CASE("sass: copies by lanes, and what closes a group of copies") {
  const auto copy = decoded(80, {0x00000000020d7fae, 0x0003e2000b901c46});
  CHECK(operation_kind(copy) == OperationKind::copy_async);
  CHECK(operation_facts(copy).copy.kind == ir::Copy::Kind::by_lanes);
  CHECK_FALSE(fetches_two_lines(copy, 80));
  CHECK(fetches_two_lines(decoded(80, {0x000504000a0d7fae, 0x000fe8000b901dc6}), 80));        // LTC256B
  CHECK_FALSE(fetches_two_lines(decoded(80, {0x000400000a0d9fae, 0x000fe8000b901d46}), 80));  // LTC128B
  CHECK(fetches_two_lines(decoded(100, {0x000504000a0f7fae, 0x000fe8000b981b04}), 100));
  CHECK_FALSE(fetches_two_lines(decoded(100, {0x000400000a0f9fae, 0x000fe8000b981a04}), 100));
  const auto commit = decoded(80, {0x00000000000079af, 0x000e220000000000});
  CHECK(operation_kind(commit) == OperationKind::copy_async);
  CHECK(operation_facts(commit).synchronisation == Synchronisation::commit);
  const auto flush = decoded(90, {0x00000000000079b7, 0x0001ec0000000000});
  CHECK(operation_kind(flush) == OperationKind::copy_bulk);
  CHECK(operation_facts(flush).synchronisation == Synchronisation::commit);
}

TEST_CASE("sass: bulk copies by where they go, and boxes of tensors by their dimensions") {
  const auto into_shared = decoded(90, {0x000006080a0073ba, 0x0003d80008001204});
  CHECK(operation_name(into_shared) == "UBLKCP.S.G");
  CHECK(operation_facts(into_shared).copy.kind == ir::Copy::Kind::bulk);
  CHECK_FALSE(operation_facts(into_shared).of_cluster);
  CHECK(operation_name(decoded(90, {0x00000608050073ba, 0x0001e20008001404})) == "UBLKCP.G.S");
  const auto to_another = decoded(90, {0x00000006050073ba, 0x0003d80008000604});
  CHECK(operation_name(to_another) == "UBLKCP.S.S");
  CHECK(operation_facts(to_another).of_cluster);
  const auto to_several = decoded(90, {0x00000006080073ba, 0x0003d80008000a04});
  CHECK(operation_name(to_several) == "UBLKCP.S.G.MULTICAST");
  CHECK(operation_facts(to_several).of_cluster);
  const auto tensor = decoded(90, {0x00000408060075b4, 0x0003d80008011000});
  CHECK(operation_name(tensor) == "UTMALDG");
  CHECK(operation_facts(tensor).copy == ir::Copy{ir::Copy::Kind::bulk, true, {ir::Box::Mode::tiled, 3}});
  CHECK(operation_name(decoded(90, {0x00000008060073b4, 0x0003d80008000804})) == "UTMALDG.MULTICAST");
}

TEST_CASE("sass: a look at a barrier object may suspend; an arrival without a state may be elsewhere") {
  CHECK(operation_facts(decoded(90, {0x00000000ff0075a7, 0x000e220008000044})).synchronisation ==
        Synchronisation::test);
  CHECK(operation_facts(decoded(90, {0x00000000ff0075a7, 0x000e220008000144})).synchronisation ==
        Synchronisation::try_wait);
  CHECK_FALSE(may_arrive_elsewhere(decoded(90, {0x000000ffff0679a7, 0x000e240008100004})));
  CHECK(may_arrive_elsewhere(decoded(90, {0x000000ffffff79a7, 0x000fe20008100404})));  // .RED
}

TEST_CASE("sass: what waits for other launches, and what lets them begin") {
  CHECK(operation_facts(decoded(90, {0x000000000000782e, 0x000fc80000000000})).synchronisation ==
        Synchronisation::await_launches);
  CHECK(operation_facts(decoded(90, {0x000000000000782d, 0x000fe80000000000})).synchronisation ==
        Synchronisation::allow_launches);
}

TEST_CASE("sass: lines that are prefetched are accesses, emptying a cache is none") {
  CHECK(operation_kind(decoded(90, {0x000000000600798f, 0x000fe80000800100})) == OperationKind::prefetch);  // PF2
  CHECK(operation_kind(decoded(90, {0x00000000ff00798f, 0x000fe80002000000})) == OperationKind::fence);     // IVALL
}

TEST_CASE("sass: lanes give the addresses of eight rows for each register of matrices") {
  const auto lines = [](Word word) { return operation_facts(decoded(90, word)).matrix.lines; };
  CHECK(lines({0x000040000007783b, 0x000e280000000000}) == 8);
  CHECK(lines({0x000000000406783b, 0x000e620000000100}) == 16);
  CHECK(lines({0x000040000608783b, 0x000e280000000200}) == 32);
  CHECK(operation_facts(decoded(90, {0x0000000408007844, 0x004fe80000000200})).access == ir::AccessClass::store);
}

TEST_CASE("sass: what a warp group multiplies is named by its columns and goes on, its fences are waited for") {
  // N from 8 to 256: the number of sums of a lane tells it.
  for (unsigned eights = 0; eights < 32; ++eights) {
    const sass::Word word = {0x00000000041879f0 | uint64_t{eights} << 53, 0x003fde000f800818};
    const auto instruction = decoded(90, word);
    INFO(eights);
    CHECK(operation_kind(instruction) == OperationKind::matrix_group);
    CHECK(operation_name(instruction) == (eights < 8 ? "HGMMA.N64" : eights < 16 ? "HGMMA.N128" : "HGMMA.N256"));
    CHECK(operation_facts(instruction).synchronisation == Synchronisation::arrive);
  }
  const auto bits = [](uint64_t shape) {
    return operation_name(decoded(90, {0x00000000041879f2 | shape << 53, 0x000fe2000b814018}));
  };
  CHECK(bits(0) == "BGMMA.N64");   // 8 columns
  CHECK(bits(5) == "BGMMA.N64");   // 64
  CHECK(bits(6) == "BGMMA.N128");  // 80
  CHECK(bits(9) == "BGMMA.N128");
  CHECK(bits(17) == "BGMMA.N256");
  const auto fence = decoded(90, {0x00000000000079c5, 0x003fde0000000000});
  CHECK(operation_kind(fence) == OperationKind::matrix_group);
  CHECK(operation_facts(fence).synchronisation == Synchronisation::none);
}
