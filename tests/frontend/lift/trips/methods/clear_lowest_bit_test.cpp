// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that clear the lowest bit that is set.
#include <array>
#include <bit>
#include <catch2/catch.hpp>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

constexpr std::array<const char*, 4> clears = {"add.s32 %r3, %r1, -1;\nand.b32 %r2, %r3, %r1;\n",
                                               "sub.s32 %r3, %r1, 1;\nand.b32 %r2, %r1, %r3;\n",
                                               "neg.s32 %r3, %r1;\nand.b32 %r3, %r1, %r3;\nsub.s32 %r2, %r1, %r3;\n",
                                               "neg.s32 %r3, %r1;\nand.b32 %r3, %r3, %r1;\nxor.b32 %r2, %r3, %r1;\n"};

std::string ptx_of(uint32_t mask, const std::string& clear, bool at_begin, const std::string& test = "ne.s32") {
  const std::string start =
      "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nand.b32 %r1, %r1, " + std::to_string(mask) + ";\n$L:\n";
  const std::string setp = "setp." + test + " %p1, %r1, 0;\n";
  if (at_begin) return start + setp + "@!%p1 bra $end;\n" + clear + "mov.u32 %r1, %r2;\nbra.uni $L;\n$end: ret;";
  return start + clear + "mov.u32 %r1, %r2;\n" + setp + "@%p1 bra $L;\nret;";
}

int64_t iterations(uint32_t x, bool at_begin) {
  for (int64_t k = 1;; ++k) {
    if (at_begin && x == 0) return k;
    x &= x - 1;
    if (!at_begin && x == 0) return k;
  }
}

}  // namespace

TEST_CASE("a bit less in each iteration") {
  for (const uint32_t mask : {0u, 1u, 3u, 15u, 255u, 1023u}) {
    for (const char* clear : clears) {
      for (const bool at_begin : {false, true}) {
        const std::string body = ptx_of(mask, clear, at_begin);
        INFO(body);
        int64_t most = 0;
        for (uint32_t x = 0; x <= mask; ++x) most = std::max(most, iterations(x, at_begin));
        CHECK(test::facts_of(body).loops.at(0).trip_count == most);
      }
    }
  }
  CHECK(test::trips_of(ptx_of(~0u, clears[0], false)) == std::vector<std::string>{"$L: 32"});
  CHECK(test::trips_of(ptx_of(~0u, clears[0], true)) == std::vector<std::string>{"$L: 33"});
}

TEST_CASE("what does not clear a bit in each iteration is not bounded") {
  const auto is_bounded = [](const std::string& body) {
    return test::facts_of(body).loops.at(0).trip_count.has_value();
  };
  CHECK_FALSE(is_bounded(ptx_of(~0u, "add.s32 %r3, %r1, 1;\nand.b32 %r2, %r3, %r1;\n", false)));
  CHECK_FALSE(is_bounded(ptx_of(~0u, "add.s32 %r3, %r1, -1;\nor.b32 %r2, %r3, %r1;\n", false)));
  CHECK_FALSE(is_bounded(ptx_of(~0u, clears[0], false, "ge.s32")));  // 0 goes on
  CHECK_FALSE(is_bounded(ptx_of(~0u, clears[0], true, "eq.s32")));
}
