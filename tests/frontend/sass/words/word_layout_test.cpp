// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/word_layout.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/words/bits.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/print.hpp"

using namespace warpspan;
using sass::Word;

namespace {

struct Example {
  int architecture;
  Word word;
};
constexpr Example examples[] = {
#define SASS_WORD(architecture, high, low, text) {architecture, {low, high}},
#include "tests/frontend/sass/words/words.def"
#undef SASS_WORD
};

Word flipped(Word word, unsigned bit) {
  (bit < 64 ? word.low : word.high) ^= uint64_t{1} << bit % 64;
  return word;
}

// With random numbers in all bits that a row does not fix.
Word any_word(const sass::WordLayout& layout, uint16_t key, std::mt19937_64& random) {
  Word word{(random() & ~uint64_t{0xfff}) | (key & 0xfff), random()};
  word.high = (word.high & ~(uint64_t{1} << 27)) | uint64_t{(key >> 12) & 1U} << 27;
  return layout.applied_to(word);
}

// All that analyses see of a word.
bool same(const sass::Instruction& a, const sass::Instruction& b) {
  const auto equal = [](const auto& x, const auto& y) { return std::equal(x.begin(), x.end(), y.begin(), y.end()); };
  return a.opcode == b.opcode && a.guard == b.guard && a.control == b.control && equal(a.modifiers(), b.modifiers()) &&
         equal(a.operands(), b.operands());
}

// For each row, one of its keys and an architecture that has both.
void for_each_layout(std::initializer_list<int> architectures,
                     const std::function<void(const sass::Opcode&, uint16_t, int)>& visit) {
  for (const int architecture : architectures) {
    for (const sass::Opcode& row : sass::opcode_rows()) {
      if (architecture < row.since || architecture > row.until) continue;
      for (const uint16_t key : sass::keys_of(row.key)) {
        Word word{uint64_t{key} & 0xfff, uint64_t{(key >> 12) & 1U} << 27};
        word = sass::layout_of(row, key, architecture).applied_to(word);
        if (sass::find_opcode(word, architecture) == &row) visit(row, key, architecture);
      }
    }
  }
}

}  // namespace

TEST_CASE("sass: a word with a bit that its row does not explain is unknown, or another row's") {
  size_t unknown = 0, other = 0;
  for (const Example& example : examples) {
    const sass::Opcode* row = sass::find_opcode(example.word, example.architecture);
    REQUIRE(row);
    const sass::WordLayout layout = sass::layout_of(*row, sass::key_of(example.word), example.architecture);
    for (unsigned bit = 0; bit < 128; ++bit) {
      if (bit < 12 || bit == 91 || !sass::bit(layout.fixed, bit)) continue;
      const Word word = flipped(example.word, bit);
      const sass::Opcode* found = sass::find_opcode(word, example.architecture);
      CHECK(found != row);
      (found ? other : unknown) += 1;
      const Word words[] = {word};
      const auto decoded = sass::decode(words, example.architecture);
      CHECK(static_cast<bool>(decoded) == (found != nullptr));
      if (!found)
        CHECK(sass::why_unknown(word, example.architecture).find("nothing explains bit") != std::string::npos);
    }
  }
  CHECK(unknown > 10000);
  CHECK(other < unknown / 50);
}

TEST_CASE("sass: of each row all bits are decoded that it explains, but for those of which nothing is asked") {
  std::mt19937_64 random(36);
  size_t bits = 0;
  for_each_layout({75, 90, 120}, [&](const sass::Opcode& row, uint16_t key, int architecture) {
    const sass::WordLayout layout = sass::layout_of(row, key, architecture);
    const Word undecoded = sass::undecoded_bits(row, key, architecture);
    std::array<bool, 128> decoded{};
    size_t open = 1;
    for (int i = 0; i < 200 && open > 0; ++i) {
      open = 0;
      const Word word = any_word(layout, key, random);
      const sass::Instruction instruction = sass::decode_word(word, architecture, 0x1000);
      REQUIRE(instruction.opcode == &row);
      for (unsigned bit = 12; bit < 128; ++bit) {
        if (bit == 91 || sass::bit(layout.fixed, bit) || decoded[bit]) continue;
        decoded[bit] = !same(instruction, sass::decode_word(flipped(word, bit), architecture, 0x1000));
        open += !decoded[bit] && !sass::bit(undecoded, bit);
      }
    }
    for (unsigned bit = 12; bit < 128; ++bit) {
      if (bit == 91 || sass::bit(layout.fixed, bit)) continue;
      CAPTURE(row.mnemonic, key, architecture, bit);
      CHECK(decoded[bit] != sass::bit(undecoded, bit));
      ++bits;
    }
  });
  CHECK(bits > 40000);
}

TEST_CASE("sass: random bits where a row allows them never do harm") {
  std::mt19937_64 random(1);
  size_t length = 0;
  for_each_layout({70, 75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121}, [&](const sass::Opcode& row, uint16_t key,
                                                                                 int architecture) {
    const sass::WordLayout layout = sass::layout_of(row, key, architecture);
    for (int i = 0; i < 20; ++i) {
      const Word word = any_word(layout, key, random);
      const sass::Instruction instruction = sass::decode_word(word, architecture, random() & ~uint64_t{15});
      REQUIRE(instruction.known());
      const sass::RegisterSet written = sass::writes(instruction);
      const sass::RegisterSet surely = sass::surely_writes(instruction);
      if ((surely.general & ~written.general).any()) FAIL("what is surely written is not written");
      length += sass::to_string(instruction).size() + sass::control_text(instruction).size();
    }
  });
  CHECK(length > 1000000);
}

TEST_CASE("sass: bits that nothing explains are told in ranges") {
  sass::WordLayout layout;
  layout.fixed = {~uint64_t{0}, ~uint64_t{0}};
  CHECK(sass::unexplained_bits(layout, {0, 0}).empty());
  CHECK(sass::unexplained_bits(layout, {1, 0}) == "0");
  CHECK(sass::unexplained_bits(layout, {uint64_t{1} << 63, 1}) == "63, 64");
  CHECK(sass::unexplained_bits(layout, {0, uint64_t{7} << 60 | 2}) == "65, 124 to 126");
  layout.value = {1, 0};
  CHECK(sass::unexplained_bits(layout, {2, 0}) == "0, 1");
}
