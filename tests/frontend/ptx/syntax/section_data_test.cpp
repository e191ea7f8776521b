// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes that sections of a module stand for.
#include "frontend/ptx/syntax/section_data.hpp"

#include "support/digits.hpp"
#include "tests/frontend/ptx/parse_text.hpp"

using namespace warpspan;

namespace {

constexpr std::array<std::string_view, 3> names = {".debug_info", ".debug_abbrev", ".debug_str"};

// In hexadecimal; "?" if they are not known.
std::string bytes_of(const std::string& sections, const std::string& name = ".debug_info") {
  const auto data = ptx::section_data(test::module_of(sections), names);
  if (!data || !data->contains(name)) return "?";
  std::string text;
  for (const char byte : data->find(name)->second) text += support::hexadecimal(static_cast<uint8_t>(byte), 2);
  return text;
}

std::string info(const std::string& lists) { return bytes_of(".section .debug_info\n{\n" + lists + "\n}\n"); }

}  // namespace

TEST_CASE("lists of numbers of each width") {
  CHECK(info(".b8 1,2,255") == "0102ff");
  CHECK(info(".b8 1\n.b16 258\n.b32 305419896\n.b64 1") == "010201785634120100000000000000");
  CHECK(info("") == "");
  CHECK(info(".b8 -1, 0x10, 010, 1 // one\n,2") ==
        "ff1008"
        "0102");
  CHECK(info(".b8 010\n.b8 08") == "?");
  CHECK(info(".b8 1,\n2\n  .b8 3 /* and */ .b8 4\n\n") == "01020304");
  CHECK(info(".b8 300\n.b8 -2") == "2cfe");
  CHECK(info(".b64 18446744073709551615") == "ffffffffffffffff");
}

TEST_CASE("labels are places in their sections, sections themselves and what is not known are 0") {
  const std::string text = ".section .debug_str { .b8 7,8\nname: .b8 9 }\n";
  const std::string use =
      text + ".section .debug_info { begin:\n.b32 .debug_abbrev\n.b32 name+1\n.b8 end-begin\n.b16 $L__code\nend:}\n";
  CHECK(bytes_of(use) ==
        "00000000"
        "03000000"
        "0b"
        "0000");
  CHECK(bytes_of(use, ".debug_str") == "070809");
  CHECK(info(".b8 later\n.b8 5\nlater: .b8 6") == "020506");
}

TEST_CASE("sections of one name follow each other, and others are not read") {
  const std::string two = ".section .debug_info { .b8 1 }\n.section .debug_info { .b8 2 }\n";
  CHECK(bytes_of(two) == "0102");
  CHECK(bytes_of(two + ".section .other { .b8 what is this ? }\n") == "0102");
  CHECK(bytes_of(".section .other { .b8 1 }\n", ".other") == "?");
}

TEST_CASE("anything else than lists gives nothing") {
  for (const char* wrong : {".b8", ".b8 1,", ".b8 1 2", ".u8 1", "label", "1", ".b8 ,1", ".b8 1+", ".b8 1.5", ";"}) {
    INFO(wrong);
    CHECK(info(wrong) == "?");
  }
}
