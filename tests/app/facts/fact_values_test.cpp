// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/fact_values.hpp"

#include <catch2/catch.hpp>

#include "ir/flow.hpp"

using namespace warpspan;
using namespace warpspan::app;

TEST_CASE("places of loops are read as they are written") {
  struct Row {
    const char *text, *label, *file;
    int64_t line;
    const char* kernel;
  };
  const Row rows[] = {{"$L__BB0_2", "$L__BB0_2", "", 0, ""},
                      {"line:63", "", "", 63, ""},
                      {"kernel.cu:42", "", "kernel.cu", 42, ""},
                      {"/a b/kernel.cu:42", "", "/a b/kernel.cu", 42, ""},
                      {"./line:3", "", "./line", 3, ""},
                      {"k:L", "L", "", 0, "k"},
                      {"k:line:63", "", "", 63, "k"},
                      {"k:kernel.cu:42", "", "kernel.cu", 42, "k"},
                      {"ns::reduce<512>:$L_1", "$L_1", "", 0, "ns::reduce<512>"},
                      {"ns::reduce<ns::A>:k.cu:4294967295", "", "k.cu", 4294967295, "ns::reduce<ns::A>"},
                      {"*:L", "L", "", 0, "*"}};
  for (const Row& row : rows) {
    INFO(row.text);
    const auto bound = loops_at(row.text);
    REQUIRE(bound);
    CHECK(bound->label == row.label);
    CHECK(bound->file == row.file);
    CHECK(bound->line == row.line);
    CHECK(bound->kernel == row.kernel);
    CHECK(ir::place_of(*bound) == row.text);
  }
}

TEST_CASE("what is no place of a loop") {
  for (const char* text : {"", ":", ":L", "k:", "line:0", ":63", "k::63", "L 1", "k.cu", "k.cu:4294967296", "a:b c",
                           ":k.cu:42", "reduce<512>"}) {
    INFO(text);
    CHECK(!loops_at(text));
  }
}

// Every short text over the letters that mean something: what is read, is written back the same.
TEST_CASE("places are unambiguous") {
  const std::string letters = "L.:1/";
  size_t read = 0;
  for (size_t number = 0; number < 5 * 5 * 5 * 5 * 5 * 5 * 5; ++number) {
    std::string text;
    for (size_t rest = number; rest > 0; rest /= 5) text += letters[rest % 5];
    const auto bound = loops_at(text);
    if (!bound) continue;
    ++read;
    CHECK((bound->line != 0) != !bound->label.empty());
    if (text.find(":0") == std::string::npos) CHECK(ir::place_of(*bound) == text);
  }
  CHECK(read > 1000);
}

TEST_CASE("places of arguments") {
  CHECK(argument_at("n")->parameter == "n");
  CHECK(argument_at("s+8:4")->bytes->offset == 8);
  CHECK(argument_at("s+8:4")->bytes->count == 4);
  CHECK(argument_at("s+8")->bytes->count == 0);  // which the type of the value tells
  for (const char* text : {"", "+8:4", "s+8x", "s+8:3", "s+:4", "s+8:16"}) CHECK(!argument_at(text));
}

TEST_CASE("places of variables") {
  CHECK(global_at("N")->parameter == "N");
  CHECK(!global_at("N")->element);
  CHECK(global_at("table[3]")->parameter == "table");
  CHECK(global_at("table[3]")->element == 3);
  CHECK(global_at("ns::table[12]")->parameter == "ns::table");
  CHECK(global_at("table+12")->bytes->offset == 12);
  CHECK(global_at("table+12:4")->bytes->count == 4);
  for (const char* text : {"", "[3]", "table[]", "table[-1]", "table[x]", "table[4294967296]", "table+", "+4"}) {
    INFO(text);
    CHECK(!global_at(text));
  }
}

TEST_CASE("places are written as they are read") {
  for (const char* text : {"n", "0", "s+8:4"}) CHECK(ir::place_of(*argument_at(text)) == text);
  for (const char* text : {"N", "table[3]", "table+12:4"}) CHECK(ir::place_of(*global_at(text)) == text);
  // With a type an element is so many bytes.
  ir::Argument element = *global_at("table[3]");
  REQUIRE(!give_value(element, "s32:7"));
  CHECK(ir::place_of(element) == "table+12:4");
}
