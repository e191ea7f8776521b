// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/execution/contents.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/reference/generators/random.hpp"

using namespace warpspan;
using Kind = ir::Contents::Kind;
using reference::mix;

namespace {

template <typename Element>
Element element(const ir::Contents& contents, uint64_t index) {
  std::array<uint8_t, sizeof(Element)> bytes{};
  ir::write_contents(contents, index * sizeof(Element), bytes);
  return std::bit_cast<Element>(bytes);
}

// Of a number that is not denormal.
double value_of_half(uint16_t bits) {
  if (bits == 0) return 0;
  return (1 + (bits & 0x3ff) / 1024.0) * std::exp2((bits >> 10) - 15);
}

}  // namespace

TEST_CASE("contents: what is drawn is the function of the index and the seed that the documents state") {
  CHECK(mix(0) == 0xe220a8397b1dcdaf);  // the first number of SplitMix64 from 0
  for (const uint64_t seed : {uint64_t{0}, uint64_t{7}, UINT64_MAX}) {
    for (const uint64_t i : {uint64_t{0}, uint64_t{1}, uint64_t{1023}, uint64_t{1} << 32}) {
      const uint64_t d = mix(seed ^ mix(i));
      CHECK(element<uint32_t>({Kind::integers, seed}, i) == d >> 32);
      CHECK(element<uint32_t>({Kind::integers, seed, 1000}, i) == (d >> 32) * 1000 >> 32);
      CHECK(element<float>({Kind::reals, seed}, i) == static_cast<double>(d >> 40) / 16777216);
      CHECK(element<double>({Kind::doubles, seed}, i) == static_cast<double>(d >> 11) / 9007199254740992);
      CHECK(value_of_half(element<uint16_t>({Kind::halves, seed}, i)) == static_cast<double>(d >> 53) / 2048);
    }
  }
}

TEST_CASE("contents: all halves that are drawn are exact") {
  std::array<bool, 2048> seen{};
  for (uint64_t i = 0; i < 40'000; ++i) {
    const double value = value_of_half(element<uint16_t>({Kind::halves, 1}, i)) * 2048;
    REQUIRE(value == std::floor(value));
    REQUIRE(value < 2048);
    seen[static_cast<size_t>(value)] = true;
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](bool each) { return each; }));
}

TEST_CASE("contents: ramps, zeros, and bytes with zeros behind them") {
  CHECK(element<uint32_t>({Kind::ramp}, 123) == 123);
  CHECK(element<uint32_t>({Kind::zeros, 5}, 123) == 0);
  const ir::Contents bytes{Kind::bytes, 0, 0, std::make_shared<const std::string>("abcdef")};
  CHECK(element<uint32_t>(bytes, 0) == 0x64636261);
  CHECK(element<uint32_t>(bytes, 1) == 0x6665);
  CHECK(element<uint32_t>(bytes, 2) == 0);
}

TEST_CASE("contents: any part of them is the same as all of them") {
  for (const Kind kind : {Kind::ramp, Kind::integers, Kind::doubles, Kind::halves}) {
    const ir::Contents contents{kind, 3};
    std::vector<uint8_t> all(64);
    ir::write_contents(contents, 0, all);
    for (size_t first = 0; first < 20; ++first) {
      for (size_t count = 0; first + count <= 40; ++count) {
        std::vector<uint8_t> part(count);
        ir::write_contents(contents, first, part);
        CHECK(std::equal(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(first)));
      }
    }
  }
}
