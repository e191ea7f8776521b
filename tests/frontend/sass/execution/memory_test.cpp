// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/memory.hpp"

#include <bit>
#include <catch2/catch.hpp>

using namespace warpspan;
using execution::Memory;
using Kind = ir::Contents::Kind;

TEST_CASE("memory: holds zeros until something is stored") {
  Memory memory;
  CHECK(memory.load<uint64_t>(0x7f0000000000) == 0);
  CHECK(memory.pages().empty());
  memory.store<uint16_t>(0x7f0000000ffe, 0xabcd);
  CHECK(memory.load<uint32_t>(0x7f0000000ffc) == 0xabcd0000);
  CHECK(memory.load<uint32_t>(0x7f0000001000) == 0);
  CHECK(memory.pages() == std::vector<uint64_t>{0x7f0000000000});
}

// Pages that are found at one place of the table do not hide each other.
TEST_CASE("memory: many pages side by side") {
  Memory memory;
  for (uint64_t i = 0; i < 2000; ++i) memory.store<uint32_t>(i * Memory::page_bytes * 128, static_cast<uint32_t>(i));
  for (uint64_t i = 0; i < 2000; ++i) CHECK(memory.load<uint32_t>(i * Memory::page_bytes * 128) == i);
}

TEST_CASE("memory: contents of a range, drawn by their seed") {
  Memory memory;
  memory.fill(0x10000, 0x2004, {Kind::integers, 1, 10, nullptr});
  memory.fill(0x20000, 0x1000, {Kind::reals, 2, 0, nullptr});
  Memory other;
  other.fill(0x10000, 0x2004, {Kind::integers, 1, 10, nullptr});
  bool varies = false;
  for (uint64_t at = 0x10000; at < 0x12004; at += 4) {
    CHECK(memory.load<uint32_t>(at) < 10);
    CHECK(memory.load<uint32_t>(at) == other.load<uint32_t>(at));
    varies = varies || memory.load<uint32_t>(at) != memory.load<uint32_t>(0x10000);
  }
  CHECK(varies);
  CHECK(memory.load<uint32_t>(0x12004) == 0);
  const auto real = std::bit_cast<float>(memory.load<uint32_t>(0x20010));
  CHECK(real >= 0);
  CHECK(real < 1);
}

// However large an array is, only pages that are touched are made.
TEST_CASE("memory: contents of an array that nobody reads cost nothing") {
  Memory memory;
  memory.fill(0x10000, uint64_t{1} << 40, {Kind::integers, 1, 0, nullptr});
  CHECK(memory.pages().empty());
  memory.load<uint32_t>(uint64_t{1} << 39);
  CHECK(memory.pages() == std::vector<uint64_t>{uint64_t{1} << 39});
}

TEST_CASE("memory: arrays that end and begin within a page") {
  Memory memory;
  memory.fill(0x10000, 8, {Kind::ramp, 0, 0, nullptr});
  memory.fill(0x10010, 0x1000, {Kind::ramp, 0, 0, nullptr});
  CHECK(memory.load<uint32_t>(0x10004) == 1);
  CHECK(memory.load<uint32_t>(0x10008) == 0);
  CHECK(memory.load<uint32_t>(0x10018) == 2);
  CHECK(memory.load<uint32_t>(0x1100c) == 0x3ff);
  CHECK(memory.load<uint32_t>(0x11010) == 0);
}
