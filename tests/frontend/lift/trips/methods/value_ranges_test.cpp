// SPDX-License-Identifier: GPL-3.0-or-later
// Loops whose values are unknown, but change in one direction.
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using test::trips_of;
using Trips = std::vector<std::string>;

namespace {

// A value loaded into %r1, below 2^bits.
std::string loaded(int bits) {
  return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nand.b32 %r1, %r1, " +
         std::to_string((int64_t{1} << bits) - 1) + ";\n";
}

}  // namespace

TEST_CASE("a number that is shifted by several bits at a time is empty so much sooner") {
  const auto wide = [](const std::string& shift, const std::string& test) {
    return "ld.param.u64 %d1, [p];\nld.global.u64 %d2, [%d1];\n$L: setp." + test +
           " %p1, %d2, 128;\n@%p1 bra $end;\nshr." + shift + ";\nbra.uni $L;\n$end: ret;";
  };
  CHECK(trips_of(wide("u64 %d2, %d2, 7", "lt.u64")) == Trips{"$L: 10"});
  CHECK(trips_of(wide("u64 %d2, %d2, 1", "lt.u64")) == Trips{"$L: 58"});
  CHECK(trips_of(wide("u64 %d2, %d2, 57", "lt.u64")) == Trips{"$L: 2"});
  CHECK(trips_of(wide("s64 %d2, %d2, 7", "lt.s64")) == Trips{"$L: 9"});
  // -1 stays what it is.
  CHECK_FALSE(test::facts_of(wide("s64 %d2, %d2, 7", "lt.u64")).loops.at(0).trip_count);
  const auto narrow = [](const std::string& load) {
    return "ld.param.u64 %d1, [p];\n" + load +
           "\n$L:\nshr.u32 %r1, %r1, 7;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra $L;\nret;";
  };
  CHECK(trips_of(narrow("ld.global.u32 %r1, [%d1];")) == Trips{"$L: 5"});
  CHECK(trips_of(narrow("ld.global.u8 %r1, [%d1];")) == Trips{"$L: 2"});
}

TEST_CASE("ones at the low end of a number are counted, though what is tested looks alike in each iteration") {
  const auto ones = [](const std::string& shift) {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\n$L: and.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 0;\n"
           "@%p1 bra $end;\n" +
           shift + "bra.uni $L;\n$end: ret;";
  };
  CHECK(trips_of(ones("shr.u32 %r1, %r1, 1;\n")) == Trips{"$L: 33"});
  CHECK_FALSE(test::facts_of(ones("shr.s32 %r1, %r1, 1;\n")).loops.at(0).trip_count);  // -1 has ones without end
}

namespace {

// A signed number of 32 or 64 bits in %d2, or %r1, that each iteration shifts right, until `test` is true of %p1.
std::string shifted(int bits, int by, const std::string& test, bool at_begin) {
  const std::string type = std::to_string(bits), x = bits == 64 ? "%d2" : "%r1";
  const std::string load = "ld.param.u64 %d1, [p];\nld.global.u" + type + " " + x + ", [%d1];\n$L:\n";
  const std::string shift = "shr.s" + type + " " + x + ", " + x + ", " + std::to_string(by) + ";\n";
  if (at_begin) return load + test + "@%p1 bra $end;\n" + shift + "bra.uni $L;\n$end: ret;";
  return load + shift + test + "@!%p1 bra $L;\nret;";
}

}  // namespace

TEST_CASE("a number that is shifted with its sign becomes 0 or -1, and stays so") {
  const std::string of32 = "setp.eq.s32 %p2, %r1, 0;\nsetp.eq.s32 %p3, %r1, -1;\nor.pred %p1, %p2, %p3;\n";
  const std::string of64 = "setp.eq.s64 %p2, %d2, 0;\nsetp.eq.s64 %p3, %d2, -1;\nor.pred %p1, %p2, %p3;\n";
  for (const int by : {1, 2, 3, 7, 8, 13, 31}) {
    // The most that is shifted out: all bits but one.
    const int64_t iterations = (31 + by - 1) / by, wide_iterations = (63 + by - 1) / by;
    INFO(by);
    CHECK(trips_of(shifted(32, by, of32, true)) == Trips{"$L: " + std::to_string(iterations + 1)});
    CHECK(trips_of(shifted(32, by, of32, false)) == Trips{"$L: " + std::to_string(iterations)});
    CHECK(trips_of(shifted(64, by, of64, true)) == Trips{"$L: " + std::to_string(wide_iterations + 1)});
  }
  // 0 alone, or -1 alone: the other one stays for ever; so does -1 where -2 or less ends it.
  const auto is_bounded = [](const std::string& body) {
    return test::facts_of(body).loops.at(0).trip_count.has_value();
  };
  CHECK_FALSE(is_bounded(shifted(32, 7, "setp.eq.s32 %p1, %r1, 0;\n", true)));
  CHECK_FALSE(is_bounded(shifted(32, 7, "setp.eq.s32 %p1, %r1, -1;\n", true)));
  CHECK_FALSE(is_bounded(
      shifted(32, 7, "setp.eq.s32 %p2, %r1, 0;\nsetp.lt.s32 %p3, %r1, -1;\nor.pred %p1, %p2, %p3;\n", true)));
}

TEST_CASE("signed LEB128: the byte that ends it has the sign, and nothing else does") {
  // byte = v & 127; v >>= 7; ends if v == 0 && !(byte & 64) || v == -1 && (byte & 64)
  const auto joined = [](const std::string& minus) {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\n$L:\nmov.u32 %r2, %r1;\nshr.s32 %r1, %r1, 7;\n"
           "and.b32 %r3, %r2, 64;\nmov.pred %p5, 0;\nsetp.lt.u32 %p1, %r2, 64;\n@%p1 bra $join;\n"
           "setp.ne.s32 %p2, %r1, " +
           minus + ";\nsetp.eq.s32 %p3, %r3, 0;\nor.pred %p5, %p2, %p3;\n$join: @%p5 bra $L;\nret;";
  };
  const auto joined_trips = [&](const std::string& minus) {
    return test::facts_of(joined(minus)).loops.at(0).trip_count;
  };
  CHECK(joined_trips("-1") == 5);
  CHECK_FALSE(joined_trips("-2"));
}

TEST_CASE("what is left after as much as a number has was taken off") {
  const auto body = [](const std::string& taken, const std::string& mask) {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nand.b32 %r1, %r1, " + mask + ";\n$L: " + taken +
           "sub.u32 %r1, %r1, %r2;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra $L;\nret;";
  };
  // The exponents of fmodf: 511 at most, 23 at a time.
  CHECK(trips_of(body("min.u32 %r2, %r1, 192937984;\n", "-8388608")) == Trips{"$L: 23"});
  CHECK(trips_of(body("min.u32 %r2, 100, %r1;\n", "1023")) == Trips{"$L: 11"});
  const auto is_bounded = [&](const std::string& taken) {
    return test::facts_of(body(taken, "1023")).loops.at(0).trip_count.has_value();
  };
  CHECK_FALSE(is_bounded("min.u32 %r2, %r1, 0;\n"));
  CHECK_FALSE(is_bounded("add.u32 %r3, %r1, 1;\nmin.u32 %r2, %r3, 100;\n"));
}

TEST_CASE("digits: a quotient by a constant, written as compilers do") {
  // x / 10 = x * 0xCCCCCCCD >> 35
  const std::string body =
      "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\n"
      "$L: mul.wide.u32 %d2, %r1, -858993459;\nshr.u64 %d2, %d2, 35;\ncvt.u32.u64 %r2, %d2;\n"
      "setp.gt.u32 %p1, %r1, 9;\nmov.u32 %r1, %r2;\n@%p1 bra $L;\nret;";
  CHECK(trips_of(body) == Trips{"$L: 10"});  // 4294967295 has ten digits
}

TEST_CASE("a remainder gets smaller in each iteration") {
  const std::string rests = loaded(13) +
                            "ld.global.u32 %r2, [%d1+4];\nand.b32 %r2, %r2, 8191;\n"
                            "setp.eq.s32 %p1, %r2, 0;\n@%p1 bra $end;\n"
                            "$L: ld.global.u32 %r1, [%d1+8];\nrem.u32 %r3, %r1, %r2;\nmov.u32 %r2, %r3;\n"
                            "setp.ne.s32 %p2, %r3, 0;\n@%p2 bra $L;\n$end: ret;";
  // Each remainder is at least one less than the one before: 8190, 8189, ..., 0.
  CHECK(trips_of(rests) == Trips{"$L: 8191"});
}

TEST_CASE("a step that is not the same in each iteration counts as the smallest") {
  const auto body = [](const std::string& step) {
    return loaded(20) + "mov.u32 %r2, 0;\n$L: ld.global.u32 %r3, [%d1];\nsetp.lt.s32 %p1, %r3, 5;\n" + step +
           "setp.lt.s32 %p2, %r2, 100;\n@%p2 bra $L;\nret;";
  };
  CHECK(trips_of(body("selp.b32 %r4, 1, 2, %p1;\nadd.s32 %r2, %r2, %r4;\n")) == Trips{"$L: 100"});
  CHECK(trips_of(body("selp.b32 %r4, 5, 2, %p1;\nadd.s32 %r2, %r2, %r4;\n")) == Trips{"$L: 50"});
  CHECK(trips_of(body("@%p1 bra $one;\nadd.s32 %r2, %r2, 6;\n$one: add.s32 %r2, %r2, 1;\n")) == Trips{"$L: 100"});
  // It may stay where it is.
  CHECK_FALSE(test::facts_of(body("selp.b32 %r4, 0, 2, %p1;\nadd.s32 %r2, %r2, %r4;\n")).loops.at(0).trip_count);
}

TEST_CASE("what wraps is not bounded") {
  // 0, 3, 6, ... in 8 bits of an unsigned counter that must become exactly 255 is, but a step of 1 or 2 is not: it may
  // jump over the limit.
  const std::string body =
      loaded(8) +
      "mov.u32 %r2, 0;\n$L: ld.global.u32 %r3, [%d1];\nand.b32 %r3, %r3, 1;\nadd.s32 %r3, %r3, 1;\n"
      "add.s32 %r2, %r2, %r3;\nsetp.ne.s32 %p2, %r2, 100;\n@%p2 bra $L;\nret;";
  CHECK_FALSE(test::facts_of(body).loops.at(0).trip_count);
}

TEST_CASE("a limit in memory stays unknown") {
  const std::string body =
      "ld.param.u64 %d1, [p];\nmov.u32 %r2, 0;\n$L: ld.global.u32 %r1, [%d1];\n"
      "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra $L;\nret;";
  CHECK_FALSE(test::facts_of(body).loops.at(0).trip_count);
}

TEST_CASE("an exit that some iterations pass by does not count") {
  const std::string body = loaded(8) +
                           "mov.u32 %r2, 0;\n$L: ld.global.u32 %r3, [%d1];\nsetp.lt.s32 %p1, %r3, 5;\n"
                           "add.s32 %r2, %r2, %r1;\nadd.s32 %r2, %r2, 1;\n@%p1 bra $L;\n"
                           "setp.lt.s32 %p2, %r2, 100;\n@%p2 bra $L;\nret;";
  CHECK_FALSE(test::facts_of(body).loops.at(0).trip_count);
}

TEST_CASE("the count says how it was found") {
  const auto facts = test::facts_of(loaded(13) +
                                    "ld.global.u32 %r2, [%d1+4];\nand.b32 %r2, %r2, 1;\nadd.s32 %r2, %r2, 2;\n"
                                    "$L: div.u32 %r1, %r1, %r2;\nsetp.gt.s32 %p1, %r1, 0;\n@%p1 bra $L;\nret;");
  REQUIRE(facts.loops.size() == 1);
  CHECK(facts.loops[0].trip_count == 13);
  CHECK(facts.loops[0].source == ir::TripCountSource::value_ranges);
}

// --- Random loops over two values, executed in wrapping arithmetic for starts and loads that are possible.

namespace {

enum class Act : uint8_t { add, subtract, shift_right, divide, remainder, mask, smaller, load, shift_signed, take_off };

struct Move {
  Act act = Act::add;
  bool first = true;      // changes %r1, else %r2
  bool by_other = false;  // by the other value, else by `by`
  uint32_t by = 1;
};

struct RandomLoop {
  uint32_t first_mask = 255, second_mask = 255;  // of what the values are loaded from
  std::vector<Move> moves;
  bool tests_first = true;
  unsigned predicate = 0;  // of ne, lt, le, gt, ge: goes on while it holds
  bool is_signed = false;
  uint32_t limit = 0;
};

constexpr const char* predicates[] = {"ne", "lt", "le", "gt", "ge"};

RandomLoop random_loop(std::mt19937_64& random) {
  const auto below = [&random](uint64_t n) { return static_cast<uint32_t>(random() % n); };
  RandomLoop loop;
  loop.first_mask = below(5) == 0 ? UINT32_MAX : (1u << below(9)) - 1;
  loop.second_mask = (1u << below(9)) - 1;
  for (uint32_t i = 1 + below(3); i > 0; --i) {
    loop.moves.push_back(
        {static_cast<Act>(below(10)), below(2) == 0, below(3) == 0, below(4) == 0 ? below(300) : 1 + below(4)});
  }
  loop.tests_first = below(2) == 0;
  loop.predicate = below(5);
  loop.is_signed = below(2) == 0;
  loop.limit = below(3) == 0 ? below(200) : below(3);
  return loop;
}

std::string ptx_of(const RandomLoop& loop) {
  std::string body = "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nand.b32 %r1, %r1, " +
                     std::to_string(loop.first_mask) + ";\nld.global.u32 %r2, [%d1+4];\nand.b32 %r2, %r2, " +
                     std::to_string(loop.second_mask) + ";\n$L:\n";
  for (const Move& move : loop.moves) {
    const std::string to = move.first ? "%r1" : "%r2", other = move.first ? "%r2" : "%r1";
    const std::string by = move.by_other ? other : std::to_string(move.by);
    const auto line = [&](const std::string& opcode) { body += opcode + " " + to + ", " + to + ", " + by + ";\n"; };
    switch (move.act) {
      case Act::add: line("add.u32"); break;
      case Act::subtract: line("sub.u32"); break;
      case Act::shift_right: line("shr.u32"); break;
      case Act::divide: line("div.u32"); break;
      case Act::remainder: line("rem.u32"); break;
      case Act::mask: line("and.b32"); break;
      case Act::smaller: line("min.u32"); break;
      case Act::shift_signed: line("shr.s32"); break;
      case Act::take_off: body += "min.u32 %r4, " + to + ", " + by + ";\nsub.u32 " + to + ", " + to + ", %r4;\n"; break;
      case Act::load:
        body += "ld.global.u32 %r3, [%d1+8];\nand.b32 %r3, %r3, 3;\nadd.u32 " + to + ", " + to + ", %r3;\n";
        break;
    }
  }
  return body + "setp." + predicates[loop.predicate] + (loop.is_signed ? ".s32" : ".u32") + " %p1, " +
         (loop.tests_first ? "%r1" : "%r2") + ", " + std::to_string(loop.limit) + ";\n@%p1 bra $L;\nret;";
}

// Nothing where an iteration divides by zero, whose result PTX leaves open.
std::optional<int64_t> iterations(const RandomLoop& loop, uint32_t a, uint32_t b, std::mt19937_64& random,
                                  int64_t most) {
  for (int64_t k = 1; k <= most; ++k) {
    for (const Move& move : loop.moves) {
      uint32_t& to = move.first ? a : b;
      const uint32_t by = move.by_other ? (move.first ? b : a) : move.by;
      switch (move.act) {
        case Act::add: to += by; break;
        case Act::subtract: to -= by; break;
        case Act::shift_right: to = by < 32 ? to >> by : 0; break;
        case Act::divide:
          if (by == 0) return std::nullopt;
          to /= by;
          break;
        case Act::remainder:
          if (by == 0) return std::nullopt;
          to %= by;
          break;
        case Act::mask: to &= by; break;
        case Act::smaller: to = std::min(to, by); break;
        case Act::shift_signed: to = static_cast<uint32_t>(static_cast<int32_t>(to) >> std::min(by, 31U)); break;
        case Act::take_off: to -= std::min(to, by); break;
        case Act::load: to += static_cast<uint32_t>(random() % 4); break;
      }
    }
    const uint32_t value = loop.tests_first ? a : b;
    const auto s = static_cast<int32_t>(value), limit = static_cast<int32_t>(loop.limit);
    const bool goes_on[] = {value != loop.limit, loop.is_signed ? s < limit : value < loop.limit,
                            loop.is_signed ? s <= limit : value <= loop.limit,
                            loop.is_signed ? s > limit : value > loop.limit,
                            loop.is_signed ? s >= limit : value >= loop.limit};
    if (!goes_on[loop.predicate]) return k;
  }
  return most + 1;
}

constexpr int64_t most_iterations = 20'000;  // that are executed

void check_random_loops(uint64_t first, uint64_t count) {
  int64_t bounded = 0, exact = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    const RandomLoop loop = random_loop(random);
    const ir::Flow facts = test::facts_of(ptx_of(loop), test::block_of(32));
    REQUIRE(facts.loops.size() == 1);
    const auto bound = facts.loops[0].trip_count;
    if (!bound) continue;
    ++bounded;
    INFO("seed " << seed << ", bound " << *bound << "\n" << ptx_of(loop));
    int64_t longest = 0;
    for (int run = 0; run < 60; ++run) {
      const auto a = run < 2 ? (run == 0 ? loop.first_mask : 0) : static_cast<uint32_t>(random()) & loop.first_mask;
      const auto b = run < 2 ? (run == 0 ? loop.second_mask : 0) : static_cast<uint32_t>(random()) & loop.second_mask;
      const auto found = iterations(loop, a, b, random, std::min(*bound, most_iterations));
      if (found && *found <= most_iterations) longest = std::max(longest, *found);
    }
    REQUIRE(longest <= *bound);
    exact += longest == *bound ? 1 : 0;
  }
  CHECK(bounded * 5 > warpspan::test::or_half(static_cast<int64_t>(count)));
  CHECK(exact * 4 > warpspan::test::or_half(bounded));
}

}  // namespace

TEST_CASE("random loops over two unknown values never run longer than their bound") {
  check_random_loops(warpspan::test::first_seed(1, 1500), warpspan::test::thinned_seeds(1500));
}

TEST_CASE("many random loops over two unknown values", "[.slow]") { check_random_loops(100'000, 200'000); }

namespace {

// As often as asked for: less one where %r1 is above zero, which %p1 then is. Negated: chosen by the contrary, as
// machine code does.
std::string decrements(int count, bool negated = false) {
  const std::string choice =
      negated ? "setp.le.s32 %p3, %r1, 0;\nselp.s32 %r2, 0, -1, %p3;\n" : "selp.s32 %r2, -1, 0, %p1;\n";
  std::string text;
  for (int i = 0; i < count; ++i) text += "setp.gt.s32 %p1, %r1, 0;\n" + choice + "add.s32 %r1, %r1, %r2;\n";
  return text;
}

// How often a loop of that runs, which goes on where the last decrement was one.
int64_t runs_of_decrements(int64_t start, int count) {
  for (int64_t runs = 1;; ++runs) {
    bool is_above = false;
    for (int i = 0; i < count; ++i) {
      is_above = start > 0;
      start -= is_above ? 1 : 0;
    }
    if (!is_above) return runs;
  }
}

}  // namespace

TEST_CASE("a counter that stops at zero is followed from whatever it begins with, also behind a remainder") {
  for (const int count : {1, 2, 3, 4, 7}) {
    const auto most = [count](int64_t last) {
      int64_t runs = 0;
      for (int64_t start = -128; start <= last; ++start) runs = std::max(runs, runs_of_decrements(start, count));
      return "$L: " + std::to_string(runs);
    };
    const std::string begin = "ld.param.u64 %d1, [p];\nld.global.s8 %r1, [%d1];\n";
    const std::string loop = "$L:\n" + decrements(count) + "@%p1 bra $L;\nret;";
    CHECK(trips_of(begin + loop) == Trips{most(127)});
    CHECK(trips_of(begin + "$L:\n" + decrements(count, true) + "@%p1 bra $L;\nret;") == Trips{most(127)});
    const std::string remainder = "ld.global.u32 %r3, [%d1 + 8];\nand.b32 %r3, %r3, 3;\n$R:\n" + decrements(1) +
                                  "sub.s32 %r3, %r3, 1;\nsetp.gt.s32 %p2, %r3, 0;\n@%p2 bra $R;\n";
    const Trips both = trips_of(begin + remainder + loop);
    REQUIRE(both.size() == 2);
    CHECK(both.back() == most(126));
  }
  // Above another number, or by more, it is another counter.
  CHECK_FALSE(test::facts_of("ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\n$L:\nsetp.gt.s32 %p1, %r1, -1;\n"
                             "selp.s32 %r2, -1, 0, %p1;\nadd.s32 %r1, %r1, %r2;\nsetp.ne.s32 %p2, %r1, -7;\n"
                             "@%p2 bra $L;\nret;")
                  .loops.at(0)
                  .trip_count);
}
