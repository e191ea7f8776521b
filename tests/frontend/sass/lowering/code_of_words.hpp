// SPDX-License-Identifier: GPL-3.0-or-later
// Code of sm_80 that is put together of single words.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/lowering/lower.hpp"
#include "frontend/sass/words/code.hpp"
#include "frontend/sass/words/decode.hpp"

namespace warpspan::test {

// A kernel "k", with a line of the listing for each word.
inline sass::Code code_of_words(const std::vector<sass::Word>& words) {
  sass::Code code;
  code.file = "t.cubin";
  code.name = "k";
  code.architecture = 80;
  const auto decoded = sass::decode(words, 80, sass::UnknownOpcodes::are_kept);
  REQUIRE(decoded);
  code.instructions = *decoded;
  code.sections = {{"k", 0, static_cast<uint32_t>(words.size())}};
  std::string text;
  for (uint32_t i = 0; i < words.size(); ++i) {
    code.listing.lines.push_back(i + 1);
    code.listing.offsets.push_back(i * 2);
    text += ".\n";
  }
  code.listing.source = std::make_shared<support::SourceFile>("t.cubin", text);
  return code;
}

inline sass::Lowered lowered_of_words(const std::vector<sass::Word>& words) {
  const sass::Code code = code_of_words(words);
  const auto blocks = sass::find_blocks(code);
  REQUIRE(blocks);
  auto lowered = sass::lower(code, *blocks);
  REQUIRE(lowered);
  return std::move(*lowered);
}

}  // namespace warpspan::test
