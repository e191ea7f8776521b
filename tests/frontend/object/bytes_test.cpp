// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/bytes.hpp"

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

using namespace std::string_literals;

TEST_CASE("numbers are read from little-endian bytes, and a read past the end fails for good") {
  const std::string bytes =
      "\x01\x02\x03\x04\x05\x06\x07\x08"
      "ab\0c"s;
  Cursor at(bytes);
  CHECK(at.u8() == 0x01);
  CHECK(at.u16() == 0x0302);
  CHECK(at.u32() == 0x07060504);
  CHECK(at.left() == 5);
  CHECK(at.take(1) == "\x08");
  CHECK(at.text() == "ab");
  CHECK(at.position() == 11);
  CHECK_FALSE(at.failed());
  CHECK(at.u16() == 0);
  CHECK(at.failed());
  CHECK(at.at_end());
  CHECK(at.u8() == 0);
  CHECK(at.take(0).empty());
  CHECK(Cursor(bytes).u64() == 0x0807060504030201);
  CHECK(Cursor(bytes, 12).at_end());
  CHECK_FALSE(Cursor(bytes, 12).failed());
  CHECK(Cursor(bytes, 13).failed());
  CHECK(Cursor(bytes, ~uint64_t{0}).failed());
  Cursor unterminated(bytes, 11);
  CHECK(unterminated.text().empty());
  CHECK(unterminated.failed());
  Cursor too_much(bytes);
  CHECK(too_much.take(~uint64_t{0}).empty());
  CHECK(too_much.failed());
}

TEST_CASE("the variable-length integers of DWARF are read, of 64 bits and no more") {
  // The examples of DWARF 4, figures 22 and 23.
  const auto unsigned_of = [](const std::string& bytes) { return Cursor(bytes).unsigned_leb(); };
  CHECK(unsigned_of("\x02") == 2);
  CHECK(unsigned_of("\x7f") == 127);
  CHECK(unsigned_of("\x80\x01") == 128);
  CHECK(unsigned_of("\xb9\x64") == 12857);
  CHECK(unsigned_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") == ~uint64_t{0});
  const auto signed_of = [](const std::string& bytes) { return Cursor(bytes).signed_leb(); };
  CHECK(signed_of("\x02") == 2);
  CHECK(signed_of("\x7e") == -2);
  CHECK(signed_of("\xff\x00"s) == 127);
  CHECK(signed_of("\x81\x7f") == -127);
  CHECK(signed_of("\x80\x7f") == -128);
  CHECK(signed_of("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f") == std::numeric_limits<int64_t>::min());
  for (const char* bytes :
       {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "\x80", "", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"}) {
    Cursor at_unsigned(bytes), at_signed(bytes);
    at_unsigned.unsigned_leb();
    at_signed.signed_leb();
    CHECK(at_unsigned.failed());
    CHECK(at_signed.failed());
  }
}

TEST_CASE("places are within a size only if they are, whatever their numbers") {
  constexpr uint64_t most = ~uint64_t{0};
  CHECK(within(0, 0, 0));
  CHECK(within(3, 7, 10));
  CHECK_FALSE(within(4, 7, 10));
  CHECK_FALSE(within(11, 0, 10));
  CHECK_FALSE(within(most, 2, 10));
  CHECK_FALSE(within(2, most, 10));
}

TEST_CASE("errors name the file and the byte") {
  const auto error = broken({"a.cubin", {}}, 64, "nothing is right");
  CHECK(error.location.file == "a.cubin");
  CHECK(error.message == "at byte 64 (0x40): nothing is right");
}
