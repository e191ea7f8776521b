// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/attributes.hpp"

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

TEST_CASE("attributes of all four formats are read") {
  const std::string section = Bytes()
                                  .u8(1)
                                  .u8(0x35)
                                  .u16(0)
                                  .u8(2)
                                  .u8(0x4c)
                                  .u16(3)
                                  .u8(3)
                                  .u8(0x19)
                                  .u16(40)
                                  .u8(4)
                                  .u8(0x1c)
                                  .u16(8)
                                  .u32(0x50)
                                  .u32(0xe0)
                                  .u8(4)
                                  .u8(0xee)
                                  .u16(0)
                                  .str();
  const auto attributes = read_attributes({"k", section}, section);
  REQUIRE(attributes);
  REQUIRE(attributes->size() == 5);
  CHECK((*attributes)[1].number == attribute::barrier_count);
  CHECK(Cursor((*attributes)[1].payload).u8() == 3);
  CHECK(Cursor((*attributes)[2].payload).u16() == 40);
  CHECK((*attributes)[3].payload.size() == 8);
  CHECK((*attributes)[4].payload.empty());
  CHECK(read_attributes({"k", ""}, "")->empty());
}

TEST_CASE("attributes cut short or of unknown size are errors") {
  for (const std::string& section : {Bytes().u8(1).u8(2).u8(0).str(), Bytes().u8(4).u8(2).u16(5).u32(0).str()}) {
    CHECK(error_of(read_attributes({"k", section}, section)).find("at byte 0 (0x0): an attribute is cut short") == 0);
  }
  for (const unsigned format : {0u, 5u, 255u}) {
    const std::string section = Bytes().u32(0x1).u8(format).u8(0).u16(0).str();
    CHECK(error_of(read_attributes({"k", section}, section)).find("at byte 4 (0x4): an attribute has the unknown") ==
          0);
  }
}
