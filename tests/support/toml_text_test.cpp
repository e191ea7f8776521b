// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/toml_text.hpp"

#include <catch2/catch.hpp>

#include "support/toml.hpp"

using namespace warpspan::support;

TEST_CASE("texts and keys are written as TOML has them") {
  CHECK(toml_text("") == "\"\"");
  CHECK(toml_text("a \"b\" \\ ö") == "\"a \\\"b\\\" \\\\ ö\"");
  CHECK(toml_text("one\ntwo\t\x7f") == "\"one\\u000atwo\\u0009\\u007f\"");
  CHECK(toml_key("sm_80-a") == "sm_80-a");
  CHECK(toml_key("fp32.div") == "\"fp32.div\"");
  CHECK(toml_key("ö") == "\"ö\"");
  CHECK(toml_key("") == "\"\"");
}

TEST_CASE("every character of ASCII is read back as it was, in a text and in a key") {
  for (int c = 0; c < 128; ++c) {
    const std::string text = std::string("a") + static_cast<char>(c) + "z";
    const std::string line = toml_key(text) + " = " + toml_text(text) + "\n";
    INFO(line);
    TomlFile file("text.toml", line);
    const auto table = file.parse();
    REQUIRE(table);
    REQUIRE(table->contains(text));
    CHECK((*table)[text].value_or(std::string()) == text);
  }
}
