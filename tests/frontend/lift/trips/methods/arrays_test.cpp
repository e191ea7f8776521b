// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that end when memory says so, through arrays whose sizes are given.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

// From an unknown offset of the array at w on, until a loaded value ends it.
struct Loop {
  int64_t step = 1;   // of the index
  int64_t scale = 4;  // bytes
  int64_t offset = 0;
  std::string bits = "s32";  // of the index
  int bytes = 4;             // that are accessed: 1, 4 or 8
  bool tests_first = false;
  std::string guard = {};
  int64_t array = 4096;
};

std::string ptx_of(const Loop& l) {
  const std::string load = l.guard + "ld.global.u" + std::to_string(8 * l.bytes) + (l.bytes == 8 ? " %d9" : " %r9") +
                           ", [%d3+" + std::to_string(l.offset) + "];\n";
  const std::string leave = "ld.global.u32 %r8, [%d8];\nsetp.eq.s32 %p1, %r8, 7;\n@%p1 bra $end;\n";
  const bool is_wide = l.bits.substr(1) == "64", is_short = l.bits.substr(1) == "16";
  const std::string index = is_wide ? "%d1" : is_short ? "%h1" : "%r1";
  const std::string extend =
      is_wide ? "mov.u64 %d2, %d1;\n" : "cvt." + l.bits.substr(0, 1) + "64." + l.bits + " %d2, " + index + ";\n";
  return "ld.param.u64 %d8, [p];\nld.param.u64 %d7, [w];\nld.global.u32 %r9, [%d8+4];\nsetp.lt.s32 %p2, %r9, 3;\n"
         "ld.global." +
         std::string(is_wide    ? "u64 "
                     : is_short ? "u16 "
                                : "u32 ") +
         index + ", [%d8+8];\n$L:\n" + (l.tests_first ? leave : "") + extend + "mad.lo.s64 %d3, %d2, " +
         std::to_string(l.scale) + ", %d7;\n" + load + (l.tests_first ? "" : leave) + "add.s" + l.bits.substr(1) + " " +
         index + ", " + index + ", " + std::to_string(l.step) + ";\nbra.uni $L;\n$end: ret;";
}

std::optional<int64_t> trips(const Loop& l) {
  ir::Launch launch = test::block_of(32);
  launch.buffers.push_back({"w", l.array});
  const ir::Flow facts = test::facts_of(ptx_of(l), launch);
  REQUIRE(facts.loops.size() == 1);
  if (facts.loops[0].trip_count) CHECK(facts.loops[0].source == ir::TripCountSource::array_size);
  return facts.loops[0].trip_count;
}

constexpr int64_t giga = int64_t{1} << 30;

}  // namespace

TEST_CASE("a loop through an array has as many iterations as fit in") {
  CHECK(trips({}) == 1024);
  CHECK(trips({.tests_first = true}) == 1025);  // the last iteration makes no access
  CHECK(trips({.step = -1}) == 1024);
  CHECK(trips({.step = 4}) == 256);
  CHECK(trips({.step = 3, .array = 4095}) == 341);
  CHECK(trips({.bits = "u32"}) == 1024);
  CHECK(trips({.bits = "s64"}) == 1024);
  CHECK(trips({.scale = 1, .bytes = 1}) == 4096);
  CHECK(trips({.offset = 64}) == 1024);
  CHECK(trips({.step = 0}) == std::nullopt);
  CHECK(trips({.guard = "@%p2 "}) == std::nullopt);  // not each iteration makes it
  CHECK(trips({.array = 3}) == std::nullopt);        // no access fits in
}

TEST_CASE("a counter may wrap only where the array is so large") {
  CHECK(trips({.scale = 1, .bits = "u16", .bytes = 1, .array = 65535}) == 65535);
  CHECK(trips({.scale = 1, .bits = "u16", .bytes = 1, .array = 65536}) == std::nullopt);
  CHECK(trips({.scale = 4, .bits = "s32", .array = 4 * giga}) == giga);
  CHECK(trips({.scale = 4, .bits = "s32", .array = 17 * giga}) == std::nullopt);
  CHECK(trips({.step = 40000, .scale = 1, .bits = "u16", .bytes = 1, .array = 20000}) == 1);
  CHECK(trips({.step = 40000, .scale = 1, .bits = "u16", .bytes = 1, .array = 30000}) == 2);  // it goes back 25536
}

TEST_CASE("random loops through arrays, from every offset, never run longer than their bound") {
  std::mt19937_64 random(7);
  const auto between = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  const char* types[] = {"s16", "u16", "s32", "u32", "s64"};
  int64_t bounded = 0, exact = 0;
  for (int i = 0; i < 120; ++i) {
    Loop l;
    l.bits = types[between(0, 4)];
    const bool is_short = l.bits.substr(1) == "16";
    l.step = is_short && between(0, 1) == 1 ? between(-32768, 32767) : between(-5, 5);
    l.scale = between(1, 9) - (between(0, 5) == 0 ? 10 : 0);
    l.offset = between(-20, 20);
    l.bytes = 1 << (between(0, 1) == 0 ? 0 : between(2, 3));
    l.tests_first = between(0, 1) == 1;
    l.array = l.bytes + between(0, is_short ? 300'000 : 300);
    const auto bound = trips(l);
    if (!bound) continue;
    ++bounded;
    // Of 16 bits every start; of wider ones those around 0 and where they wrap.
    int64_t longest = 0;
    for (int64_t start = -32768; start < 32768; start += is_short ? 5 : 16384) {
      for (int64_t near = is_short ? 0 : -400; near <= (is_short ? 0 : 400); ++near) {
        auto index = static_cast<uint64_t>(start + near + (is_short ? 0 : -start));
        int64_t accesses = 0;
        while (accesses <= *bound) {
          const uint64_t extended = l.bits == "s16"   ? static_cast<uint64_t>(static_cast<int16_t>(index))
                                    : l.bits == "u16" ? static_cast<uint16_t>(index)
                                    : l.bits == "s32" ? static_cast<uint64_t>(static_cast<int32_t>(index))
                                    : l.bits == "u32" ? static_cast<uint32_t>(index)
                                                      : index;
          const auto at =
              static_cast<int64_t>(extended * static_cast<uint64_t>(l.scale) + static_cast<uint64_t>(l.offset));
          if (at < 0 || at > l.array - l.bytes) break;
          ++accesses;
          index += static_cast<uint64_t>(l.step);
        }
        longest = std::max(longest, accesses + (l.tests_first ? 1 : 0));
      }
    }
    INFO(ptx_of(l) << "\narray " << l.array);
    REQUIRE(longest <= *bound);
    exact += longest == *bound ? 1 : 0;
  }
  CHECK(bounded > 60);
  CHECK(exact * 4 > bounded);
}

TEST_CASE("an array is known however an address in it came about") {
  const auto trips_from = [](const std::string& start) {
    ir::Launch launch = test::block_of(32);
    launch.buffers.push_back({"w", 4096});
    const ir::Flow facts = test::facts_of(
        "ld.param.u64 %d8, [p];\nld.param.u64 %d1, [w];\nld.global.u32 %r9, [%d8+4];\nsetp.lt.s32 %p2, %r9, 3;\n" +
            start +
            "$L: ld.global.u32 %r1, [%d1];\nadd.s64 %d1, %d1, 4;\nld.global.u32 %r8, [%d8];\n"
            "setp.ne.s32 %p1, %r8, 7;\n@%p1 bra $L;\nret;",
        launch);
    return facts.loops.back().trip_count;
  };
  CHECK(trips_from("") == 1024);
  CHECK(trips_from("@%p2 add.s64 %d1, %d1, 64;\n") == 1024);
  CHECK(trips_from("@%p2 mov.u64 %d1, %d8;\n") == std::nullopt);  // or p
  CHECK(trips_from("@%p2 mov.u64 %d1, 64;\n") == std::nullopt);   // or no array
  CHECK(trips_from("@%p2 add.s64 %d1, %d1, %d8;\n") == std::nullopt);
  // A loop before, whose step is unknown, and one that doubles the address.
  const std::string before = "ld.global.u32 %r2, [%d8+8];\nsetp.lt.s32 %p3, %r2, 9;\n@%p3 bra $M;\n";
  CHECK(trips_from("$M: ld.global.u32 %r3, [%d1];\nmul.wide.u32 %d3, %r3, 4;\nadd.s64 %d1, %d1, %d3;\n" + before) ==
        1024);
  CHECK(trips_from("$M: add.s64 %d1, %d1, %d1;\n" + before) == std::nullopt);
}

TEST_CASE("a loop without a bound names the arrays whose sizes would bound it, and no numbers for addresses") {
  const auto remedies = [](const std::string& text, std::vector<std::string>* values = nullptr) {
    const ir::Flow facts = test::facts_of(text, test::block_of(32));
    REQUIRE(facts.loops.size() == 1);
    CHECK_FALSE(facts.loops[0].trip_count);
    if (values != nullptr) *values = facts.loops[0].remedies;
    return facts.loops[0].array_remedies;
  };
  const std::vector<std::string> of_w = {"{buffer} w=BYTES"};
  int helped = 0;
  for (const int64_t step : {-3, 0, 1}) {
    for (const std::string bits : {"s32", "u32", "s64"}) {
      for (const bool tests_first : {false, true}) {
        for (const std::string guard : {"", "@%p2 "}) {
          const Loop l{.step = step, .bits = bits, .tests_first = tests_first, .guard = guard, .array = giga};
          INFO(ptx_of(l));
          CHECK((remedies(ptx_of(l)) == of_w) == trips(l).has_value());
          helped += remedies(ptx_of(l)) == of_w ? 1 : 0;
        }
      }
    }
  }
  CHECK(helped == 12);

  const auto between = [](const std::string& end) {
    return "ld.param.u64 %d1, [w];\n" + end +
           "$L: ld.global.u32 %r1, [%d1];\nadd.s64 %d1, %d1, 4;\nsetp.lt.u64 %p1, %d1, %d2;\n@%p1 bra $L;\nret;";
  };
  std::vector<std::string> values;
  CHECK(remedies(between("ld.param.u64 %d2, [p];\n"), &values) == of_w);  // from w to p
  CHECK(values.empty());
  remedies(between("ld.param.s32 %r2, [n];\nmul.wide.s32 %d3, %r2, 4;\nadd.s64 %d2, %d1, %d3;\n"), &values);
  CHECK(values == std::vector<std::string>{"{argument} n=VALUE"});  // from w to w + n
}

namespace {

// From an unknown index on through an array in shared memory, 8192 bytes large, at addresses of 32 bits.
struct SharedLoop {
  int64_t step = 1;
  int64_t scale = 4;
  int64_t offset = 0;
  bool is_generic = false;
  bool tests_first = false;
  std::string guard = {};
  std::string more = {};
};

std::string ptx_of(const SharedLoop& l) {
  const std::string index = "mul.lo.s32 %r2, %r1, " + std::to_string(l.scale) + ";\n";
  const std::string narrow = "mov.u32 %r3, tile;\n" + l.more + index + "add.s32 %r4, %r3, %r2;\n" + l.guard +
                             "st.shared.u32 [%r4+" + std::to_string(l.offset) + "], %r9;\n";
  const std::string wide = "mov.u64 %d3, tile;\ncvta.shared.u64 %d4, %d3;\n" + index +
                           "cvt.s64.s32 %d5, %r2;\nadd.s64 %d6, %d4, %d5;\n" + l.guard + "st.u32 [%d6+" +
                           std::to_string(l.offset) + "], %r9;\n";
  const std::string leave = "ld.volatile.global.u32 %r8, [%d1];\nsetp.eq.s32 %p1, %r8, 7;\n@%p1 bra $end;\n";
  const std::string access = l.is_generic ? wide : narrow;
  return "ld.param.u64 %d1, [p];\nld.global.u32 %r9, [%d1+4];\nsetp.lt.s32 %p2, %r9, 3;\n"
         "ld.global.u32 %r1, [%d1+8];\n$L:\n" +
         (l.tests_first ? leave + access : access + leave) + "add.s32 %r1, %r1, " + std::to_string(l.step) +
         ";\nbra.uni $L;\n$end: ret;";
}

ir::Flow flow_of(const SharedLoop& l) { return test::facts_of(ptx_of(l), test::block_of(32)); }
std::optional<int64_t> trips(const SharedLoop& l) { return flow_of(l).loops.at(0).trip_count; }

}  // namespace

TEST_CASE("a loop through a variable of the file ends with it, which is an assumption of the kernel") {
  for (const bool is_generic : {false, true}) {
    INFO(is_generic);
    const ir::Flow flow = flow_of({.is_generic = is_generic});
    CHECK(flow.loops.at(0).trip_count == 2048);
    CHECK(flow.loops.at(0).source == ir::TripCountSource::array_size);
    CHECK(flow.bounding_variables == std::vector<std::string>{"tile"});
    CHECK(trips({.is_generic = is_generic, .tests_first = true}) == 2049);
    CHECK(trips({.step = -1, .is_generic = is_generic}) == 2048);
    CHECK(trips({.step = 8, .is_generic = is_generic}) == 256);
    CHECK(trips({.step = 3000, .is_generic = is_generic}) == 1);
    CHECK_FALSE(trips({.step = 0, .is_generic = is_generic}));
    CHECK_FALSE(trips({.is_generic = is_generic, .guard = "@%p2 "}));  // not each iteration makes it
  }
  // An address that memory says may be in the array, or not.
  CHECK_FALSE(trips({.more = "add.s32 %r3, %r9, 0;\n"}));
  // The next access is beyond the array; or it is at the same offset again, as the address wraps around its type.
  CHECK(trips(SharedLoop{.scale = int64_t{1} << 30}) == 1);
  CHECK_FALSE(trips(SharedLoop{.step = 65536, .scale = 65536}));
}

TEST_CASE("where a loop is bounded otherwise, no variable is taken to end it") {
  const std::string counted =
      "mov.u32 %r1, 0;\nmov.u32 %r3, tile;\n$L: st.shared.u32 [%r3], %r1;\nadd.s32 %r3, %r3, 4;\n"
      "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 5000;\n@%p1 bra $L;\nret;";
  const ir::Flow flow = test::facts_of(counted, test::block_of(32));
  CHECK(flow.loops.at(0).trip_count == 5000);
  CHECK(flow.bounding_variables.empty());
}

TEST_CASE("random loops through shared memory, from every offset, never run longer than their bound") {
  std::mt19937_64 random(11);
  const auto between = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  int bounded = 0;
  for (int i = 0; i < 60; ++i) {
    SharedLoop l;
    l.step = between(0, 3) == 0 ? between(-2'000'000'000, 2'000'000'000) : between(-300, 300);
    l.scale = between(0, 3) == 0 ? int64_t{1} << between(0, 30) : between(1, 40);
    l.is_generic = between(0, 1) == 1;
    l.tests_first = between(0, 1) == 1;
    const auto bound = trips(l);
    if (!bound) continue;
    ++bounded;
    int64_t longest = 0;
    // From every index whose address may be in the array: what is added to it, modulo 2^32, is below 8192.
    for (int64_t at = 0; at <= 8188; ++at) {
      // Of a scale that is odd every address has one index; of others the index may be that of the quotient.
      if (at % l.scale != 0) continue;
      auto index = static_cast<uint32_t>(at / l.scale);
      int64_t accesses = 0;
      while (accesses <= *bound) {
        const auto product = static_cast<uint32_t>(index * static_cast<uint32_t>(l.scale));
        const bool is_inside = l.is_generic ? static_cast<int32_t>(product) >= 0 && product <= 8188 : product <= 8188;
        if (!is_inside) break;
        ++accesses;
        index += static_cast<uint32_t>(l.step);
      }
      longest = std::max(longest, accesses + (l.tests_first ? 1 : 0));
    }
    INFO(ptx_of(l));
    REQUIRE(longest <= *bound);
  }
  CHECK(bounded > 30);
}
