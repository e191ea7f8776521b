// SPDX-License-Identifier: GPL-3.0-or-later
// Searches that halve an interval, written in forms drawn at random, against all that may happen in wrapping
// arithmetic.
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <utility>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

enum class Middle { sum_signed, sum_unsigned, sum_corrected, sum_divided, from_low, from_high, middles };
enum class Test { pair, difference, reversed, tests };

// low becomes middle + after, or high becomes middle - before.
struct Search {
  uint32_t low = 0, high = 0;
  Middle middle = Middle::sum_signed;
  uint32_t rounding = 0;  // added before it is halved
  uint32_t after = 0, before = 0;
  Test test = Test::pair;
  std::string order = "lt";
  bool is_unsigned = false;
  int added = 0;  // to low, or to the difference; it is compared with high, or with the limit
  int limit = 0;
  bool at_begin = false, selects = false;
};

bool compare(const Search& s, uint32_t a, uint32_t b) {
  if (s.order == "ne") return a != b;
  if (s.is_unsigned) return s.order == "lt" ? a < b : a <= b;
  const auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  return s.order == "lt" ? x < y : x <= y;
}

bool goes_on(const Search& s, uint32_t low, uint32_t high) {
  const auto added = static_cast<uint32_t>(s.added), limit = static_cast<uint32_t>(s.limit);
  if (s.test == Test::pair) return compare(s, low + added, high);
  if (s.test == Test::difference) return compare(s, limit, high - low + added);
  return compare(s, low - high + added, limit);
}

uint32_t middle_of(const Search& s, uint32_t low, uint32_t high) {
  const uint32_t sum = low + high + s.rounding, difference = high - low + s.rounding;
  switch (s.middle) {
    case Middle::sum_signed: return static_cast<uint32_t>(static_cast<int32_t>(sum) >> 1);
    case Middle::sum_unsigned: return sum >> 1U;
    case Middle::sum_corrected: return static_cast<uint32_t>(static_cast<int32_t>(sum + (sum >> 31U)) >> 1);
    case Middle::sum_divided: return static_cast<uint32_t>(static_cast<int32_t>(sum) / 2);
    case Middle::from_low: return low + (difference >> 1U);
    default: return high - (difference >> 1U);
  }
}

constexpr int endless = 1000;
constexpr size_t most_states = 3000;

// The most iterations, if paths are chosen as the pattern states, or on all paths without one.
class Runs {
 public:
  explicit Runs(const Search& s) : s_(s) {}

  // Nothing if there are too many paths to follow.
  std::optional<int> most() {
    if (s_.at_begin && !goes_on(s_, s_.low, s_.high)) return 1;
    const int iterations = from(s_.low, s_.high, 0) + (s_.at_begin ? 1 : 0);
    return most_.size() < most_states ? std::optional(iterations) : std::nullopt;
  }
  int along(uint64_t pattern) const {
    uint32_t low = s_.low, high = s_.high;
    int iterations = 0;
    if (s_.at_begin && !goes_on(s_, low, high)) return 1;
    do {
      std::tie(low, high) = next(low, high, (pattern >> static_cast<unsigned>(iterations % 64) & 1U) != 0);
      if (++iterations > endless) return endless;
    } while (goes_on(s_, low, high));
    return iterations + (s_.at_begin ? 1 : 0);
  }

 private:
  std::pair<uint32_t, uint32_t> next(uint32_t low, uint32_t high, bool is_after) const {
    const uint32_t middle = middle_of(s_, low, high);
    return is_after ? std::pair(middle + s_.after, high) : std::pair(low, middle - s_.before);
  }
  int from(uint32_t low, uint32_t high, int depth) {
    if (depth > 70 || most_.size() >= most_states) return endless;
    const auto [known, is_new] = most_.try_emplace({low, high}, endless);  // a search that comes back does not end
    if (!is_new) return known->second;
    int most = 0;
    for (const bool is_after : {true, false}) {
      const auto [new_low, new_high] = next(low, high, is_after);
      most = std::max(most, goes_on(s_, new_low, new_high) ? from(new_low, new_high, depth + 1) : 0);
    }
    return most_[{low, high}] = std::min(most + 1, endless);
  }

  const Search& s_;
  std::map<std::pair<uint32_t, uint32_t>, int> most_;
};

std::string ptx_of(const Search& s) {
  const auto number = [](auto value) { return std::to_string(static_cast<int32_t>(value)); };
  const std::string sum = "add.s32 %r4, %r1, %r2;\nadd.s32 %r4, %r4, " + number(s.rounding) + ";\n";
  const std::string difference = "sub.s32 %r4, %r2, %r1;\nadd.s32 %r4, %r4, " + number(s.rounding) + ";\n";
  const std::string middles[] = {sum + "shr.s32 %r3, %r4, 1;\n",
                                 sum + "shr.u32 %r3, %r4, 1;\n",
                                 sum + "shr.u32 %r5, %r4, 31;\nadd.s32 %r4, %r5, %r4;\nshr.s32 %r3, %r4, 1;\n",
                                 sum + "div.s32 %r3, %r4, 2;\n",
                                 difference + "shr.u32 %r4, %r4, 1;\nadd.s32 %r3, %r4, %r1;\n",
                                 difference + "shr.u32 %r4, %r4, 1;\nsub.s32 %r3, %r2, %r4;\n"};
  const std::string after = "add.s32 %r6, %r3, " + number(s.after) + ";\n";
  const std::string before = "sub.s32 %r7, %r3, " + number(s.before) + ";\n";
  const std::string change = s.selects ? after + before + "selp.b32 %r1, %r6, %r1, %p1;\nselp.b32 %r2, %r2, %r7, %p1;\n"
                                       : "@%p1 bra $right;\n" + before +
                                             "mov.u32 %r2, %r7;\nbra.uni $join;\n$right: " + after +
                                             "mov.u32 %r1, %r6;\n$join:\n";
  const std::string operands[] = {
      "add.s32 %r10, %r1, " + number(s.added) + ";\nmov.u32 %r11, %r2;\n",
      "sub.s32 %r11, %r2, %r1;\nadd.s32 %r11, %r11, " + number(s.added) + ";\nmov.u32 %r10, " + number(s.limit) + ";\n",
      "sub.s32 %r10, %r1, %r2;\nadd.s32 %r10, %r10, " + number(s.added) + ";\nmov.u32 %r11, " + number(s.limit) +
          ";\n"};
  const std::string test = operands[static_cast<size_t>(s.test)] + "setp." + s.order +
                           (s.is_unsigned ? ".u32" : ".s32") + " %p2, %r10, %r11;\n";
  const std::string start =
      "ld.param.u64 %d1, [p];\nmov.u32 %r1, " + number(s.low) + ";\nmov.u32 %r2, " + number(s.high) + ";\n";
  const std::string body =
      middles[static_cast<size_t>(s.middle)] + "ld.global.u32 %r8, [%d1];\nsetp.lt.s32 %p1, %r8, 77;\n" + change;
  if (s.at_begin) return start + "$L: " + test + "@!%p2 bra $end;\n" + body + "bra.uni $L;\n$end: ret;";
  return start + "$L:\n" + body + test + "@%p2 bra $L;\nret;";
}

Search drawn(std::mt19937_64& random) {
  const auto below = [&random](uint64_t n) { return static_cast<uint32_t>(random() % n); };
  Search s;
  s.middle = static_cast<Middle>(below(static_cast<uint64_t>(Middle::middles)));
  s.rounding = below(4) == 0 ? 1 : 0;
  s.after = below(2);
  s.before = below(2);
  s.test = static_cast<Test>(below(static_cast<uint64_t>(Test::tests)));
  s.order = std::vector<std::string>{"lt", "le", "ne"}[below(3)];
  s.is_unsigned = below(3) == 0;
  s.added = s.test == Test::reversed ? static_cast<int>(below(3)) - 1 : static_cast<int>(below(4)) - 1;
  s.limit = s.test == Test::reversed ? -static_cast<int>(below(3)) : static_cast<int>(below(4)) - 1;
  s.at_begin = below(2) == 0;
  s.selects = below(2) == 0;
  return s;
}

}  // namespace

TEST_CASE("searches of small intervals are never bounded below what may happen") {
  std::mt19937_64 random(test::first_seed(1, 1600));
  int bounded = 0, ending = 0, exact = 0;
  for (int i = 0; i < test::thinned_seeds(1600); ++i) {
    Search s = drawn(random);
    s.low = static_cast<uint32_t>(random() % 6) - 2;
    s.high = s.low + static_cast<uint32_t>(random() % (i % 2 == 0 ? 5 : 40)) - 2;
    const auto most = Runs(s).most();
    INFO(ptx_of(s));
    const auto facts = test::facts_of(ptx_of(s));
    REQUIRE(facts.loops.size() == 1);
    const auto reported = facts.loops[0].trip_count;
    if (!most || *most >= endless) CHECK_FALSE(reported);
    if (reported) CHECK(*reported >= most.value_or(0));
    ending += most && *most < endless ? 1 : 0;
    bounded += reported ? 1 : 0;
    exact += reported && reported == most ? 1 : 0;
  }
  CHECK(bounded * 5 > warpspan::test::or_half(ending * 4));
  CHECK(exact == bounded);
}

TEST_CASE("searches of intervals near the ends of their type are never bounded below what may happen") {
  std::mt19937_64 random(test::first_seed(2, 1600));
  int bounded = 0;
  const uint32_t corners[] = {0, 1U << 30U, 1U << 31U, 0x7fffffff, 0x3fffffff, 0xffffffff, 0xc0000000};
  for (int i = 0; i < test::thinned_seeds(1600); ++i) {
    Search s = drawn(random);
    s.low = corners[random() % (i % 3 == 0 ? std::size(corners) : 1)] + static_cast<uint32_t>(random() % 5) - 2;
    s.high = corners[random() % std::size(corners)] + static_cast<uint32_t>(random() % 5) - 2;
    INFO(ptx_of(s));
    const auto facts = test::facts_of(ptx_of(s));
    REQUIRE(facts.loops.size() == 1);
    const auto reported = facts.loops[0].trip_count;
    if (!reported) continue;
    ++bounded;
    const Runs runs(s);
    for (int k = 0; k < 100; ++k) {
      const uint64_t pattern = k == 0 ? 0 : k == 1 ? ~uint64_t{0} : random() | (k % 3 == 0 ? random() : 0);
      CHECK(*reported >= runs.along(pattern));
    }
  }
  CHECK(bounded > warpspan::test::or_half(test::thinned_seeds(1600) / 20));
}
