// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/opcode_table.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/print.hpp"
#include "frontend/sass/words/word_layout.hpp"

using namespace warpspan;

namespace {

struct Example {
  int architecture;
  sass::Word word;
  std::string_view text;
};
constexpr Example examples[] = {
#define SASS_WORD(architecture, high, low, text) {architecture, {low, high}, text},
#include "tests/frontend/sass/words/words.def"
#undef SASS_WORD
};

}  // namespace

TEST_CASE("sass: the rows of the opcode tables can be read, and no key has two") {
  for (const std::string& error : sass::table_errors()) FAIL_CHECK(error);
  CHECK(sass::opcode_rows().size() > 250);
}

TEST_CASE("sass: every example word decodes to its text") {
  for (const Example& example : examples) {
    const sass::Instruction instruction = sass::decode_word(example.word, example.architecture, 0x1000);
    CAPTURE(example.architecture);
    CHECK(sass::to_string(instruction) == example.text);
  }
}

TEST_CASE("sass: every row that was observed has an example word, and says where it is from") {
  std::set<const sass::Opcode*> seen;
  for (const Example& example : examples) seen.insert(sass::decode_word(example.word, example.architecture, 0).opcode);
  for (const sass::Opcode& row : sass::opcode_rows()) {
    CAPTURE(row.mnemonic, row.key.number);
    CHECK((row.source == "NAK" || row.source == "observed" || row.source == "NAK observed"));
    CHECK(row.since <= row.until);
    if (row.source != "NAK") CHECK(seen.count(&row) == 1);
  }
}

TEST_CASE("sass: rows that were not observed decode a word of their key") {
  for (const sass::Opcode& row : sass::opcode_rows()) {
    if (row.source != "NAK") continue;
    const uint16_t key = sass::keys_of(row.key).front();
    const uint64_t low = uint64_t{key} & 0xfff, high = uint64_t{(key >> 12) & 1U} << 27;
    const sass::Word word = sass::layout_of(row, key, row.since).applied_to({low | 0x7000, high});
    const sass::Instruction instruction = sass::decode_word(word, row.since, 0);
    CAPTURE(row.mnemonic);
    CHECK(instruction.opcode == &row);
  }
}

TEST_CASE("sass: the latency of double precision depends on the chip") {
  const sass::Opcode* multiply = sass::find_opcode({0x7228, 0}, 80);
  REQUIRE(multiply);
  CHECK(multiply->mnemonic == "DMUL");
  CHECK(sass::has_variable_latency(*multiply, 80));
  CHECK_FALSE(sass::has_variable_latency(*multiply, 90));
  CHECK_FALSE(sass::has_variable_latency(*multiply, 100));
  CHECK(sass::has_variable_latency(*multiply, 120));
}

TEST_CASE("sass: the same key can mean different things on two architectures") {
  const auto name = [](uint64_t key, int architecture, uint64_t high = 0) {
    const sass::Opcode* row = sass::find_opcode({key | 0x7000, high}, architecture);
    return row ? row->mnemonic : "";
  };
  CHECK(name(0x235, 80) == "HFMA2.MMA");
  CHECK(name(0x235, 120, 0x200) == "IADD.64");
  CHECK(name(0x235, 120) == "IADD");
  CHECK(name(0x235, 75).empty());
  CHECK(name(0x236, 75) == "HMMA.884");
  CHECK(name(0x236, 90) == "VIADD");
}
