// SPDX-License-Identifier: GPL-3.0-or-later
// Loops from a number in memory to a limit that is made of it and of others, drawn at random, against numbers at all
// corners of the type.
#include <array>
#include <catch2/catch.hpp>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/random_numbers.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

// A number of memory, 0 or 1, or the start of the counter, 2, and a constant.
struct Term {
  int of = 2;
  int32_t added = 0;
};

struct Shape {
  Term start{0, 0};
  Term first, second;
  int chosen = 0;  // the limit: 0: the smaller one; 1: the larger one; 2: the first
  int32_t step = 1;
  bool is_unsigned = false;
  std::string order = "lt";
  int guard = 0;  // 0: none; 1: as the loop goes on; 2: the same, the other kind of sign
  bool at_begin = true;
};

using Numbers = std::array<int32_t, 2>;

int32_t wrapped(int64_t number) { return static_cast<int32_t>(static_cast<uint32_t>(number)); }

int32_t value(const Term& term, const Numbers& numbers, int32_t start) {
  return wrapped(int64_t{term.of == 2 ? start : numbers[static_cast<size_t>(term.of)]} + term.added);
}

bool compare(const std::string& order, int32_t a, int32_t b, bool is_unsigned) {
  if (order == "ne") return a != b;
  const auto x = static_cast<uint32_t>(a), y = static_cast<uint32_t>(b);
  if (order == "lt") return is_unsigned ? x < y : a < b;
  return is_unsigned ? x <= y : a <= b;
}

// The iterations, or as many as `most`.
int64_t iterations(const Shape& s, const Numbers& numbers, int64_t most) {
  int32_t counter = value(s.start, numbers, 0);
  const int32_t a = value(s.first, numbers, counter), b = value(s.second, numbers, counter);
  const int32_t limit = s.chosen == 2 ? a : s.chosen == 1 ? std::max(a, b) : std::min(a, b);
  if (s.guard > 0 && !compare(s.order, counter, limit, s.is_unsigned != (s.guard == 2))) return 0;
  for (int64_t iteration = 1; iteration < most; ++iteration) {
    if (s.at_begin && !compare(s.order, counter, limit, s.is_unsigned)) return iteration;
    counter = wrapped(int64_t{counter} + s.step);
    if (!s.at_begin && !compare(s.order, counter, limit, s.is_unsigned)) return iteration;
  }
  return most;
}

std::string ptx_of(const Shape& s) {
  const auto set = [](const std::string& to, const Term& term) {
    const std::string from = term.of == 2 ? "%r3" : term.of == 1 ? "%r2" : "%r1";
    return "add.s32 " + to + ", " + from + ", " + std::to_string(term.added) + ";\n";
  };
  const auto test = [&](const std::string& counter, bool is_unsigned) {
    const std::string type = s.order == "ne" ? "b32" : is_unsigned ? "u32" : "s32";
    return "setp." + s.order + "." + type + " %p1, " + counter + ", %r6;\n";
  };
  std::string text = "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nld.global.u32 %r2, [%d1+4];\n" +
                     set("%r3", s.start) + set("%r4", s.first) + set("%r5", s.second) +
                     (s.chosen == 2   ? "mov.u32 %r6, %r4;\n"
                      : s.chosen == 1 ? "max.s32 %r6, %r4, %r5;\n"
                                      : "min.s32 %r6, %r4, %r5;\n");
  if (s.guard > 0) text += test("%r3", s.is_unsigned != (s.guard == 2)) + "@!%p1 bra $end;\n";
  const std::string step = "add.s32 %r3, %r3, " + std::to_string(s.step) + ";\n";
  if (s.at_begin)
    return text + "$L:\n" + test("%r3", s.is_unsigned) + "@!%p1 bra $end;\n" + step + "bra.uni $L;\n$end: ret;";
  return text + "$L:\n" + step + test("%r3", s.is_unsigned) + "@%p1 bra $L;\n$end: ret;";
}

Shape drawn(test::Random& random) {
  const auto below = [&random](int64_t n) { return static_cast<int>(test::below(random, n)); };
  const std::array<int32_t, 8> constants = {0, 1, 16, 1000, -1, -5, INT32_MAX, INT32_MIN};
  const auto term = [&] {
    const int of = below(4) == 0 ? below(2) : 2;
    return Term{of, below(3) == 0 ? constants[static_cast<size_t>(below(8))] : below(40)};
  };
  Shape s;
  if (below(3) == 0) s.start.added = below(20) - 10;
  s.first = term();
  s.second = below(2) == 0 ? Term{1, 0} : term();
  s.chosen = below(4) == 0 ? 1 + below(2) : 0;
  s.step = below(3) == 0 ? 1 + below(5) : 1;
  s.is_unsigned = below(4) == 0;
  s.order = below(8) == 0 ? "ne" : below(4) == 0 ? "le" : "lt";
  s.guard = below(3) == 0 ? 0 : 1 + below(4) / 3;
  s.at_begin = below(2) == 0;
  return s;
}

}  // namespace

TEST_CASE("random loops from a number of memory to a limit that is made of it never run longer than their bound") {
  test::Random random(test::first_seed(5, 2500));
  const std::array<int32_t, 7> corners = {0, 1, -1, INT32_MAX, INT32_MIN, 1 << 30, -(1 << 30)};
  int bounded = 0, exact = 0;
  for (int i = 0; i < test::thinned_seeds(2500); ++i) {
    const Shape s = drawn(random);
    INFO(ptx_of(s));
    const auto facts = test::facts_of(ptx_of(s));
    if (facts.loops.empty() || !facts.loops[0].trip_count) continue;
    const int64_t reported = *facts.loops[0].trip_count;
    if (reported > 1'000'000) continue;
    ++bounded;
    int64_t longest = 0;
    for (const int32_t a : corners) {
      for (const int32_t b : corners) {
        for (int k = 0; k < 3; ++k) {
          const Numbers numbers = {wrapped(a + test::below(random, 60) - 30),
                                   wrapped(b + test::below(random, 60) - 30)};
          const int64_t found = iterations(s, numbers, std::min<int64_t>(reported + 2, 3000));
          if (reported < 2998) REQUIRE(found <= reported);
          longest = std::max(longest, found);
        }
      }
    }
    exact += longest == reported ? 1 : 0;
  }
  CHECK(bounded > warpspan::test::or_half(test::thinned_seeds(2500) / 5));
  CHECK(exact * 5 > warpspan::test::or_half(bounded * 4));
}
