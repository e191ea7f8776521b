// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that move two counters by comparisons of what stands in memory, drawn at random, against all that may happen.
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <utility>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/random_numbers.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

struct Comparison {
  int order = 0;  // of `orders`
  bool is_signed = true;
  bool is_swapped = false;
};
constexpr std::array<const char*, 6> orders = {"eq", "ne", "lt", "le", "gt", "ge"};

// counter += comparison holds ? if_true : if_false
struct Mover {
  Comparison by;
  int if_true = 1, if_false = 0;
  int form = 0;  // how the predicate becomes a number
};

struct Merge {
  Mover first, second;
  int first_limit = 5, second_limit = 5;
  int goes_on = 0;  // 0: while both are below their limits; 1: the first; 2: either
  std::optional<Comparison> leaves;
  bool at_begin = false;
};

constexpr std::array<std::pair<int32_t, int32_t>, 5> answers = {{{0, 1}, {1, 0}, {1, 1}, {-1, 0}, {0, -1}}};

bool holds(const Comparison& c, int32_t u, int32_t v) {
  if (c.is_swapped) std::swap(u, v);
  const auto compare = [&c](auto a, auto b) {
    return std::array<bool, 6>{a == b, a != b, a<b, a <= b, a> b, a >= b}[static_cast<size_t>(c.order)];
  };
  return c.is_signed ? compare(u, v) : compare(static_cast<uint32_t>(u), static_cast<uint32_t>(v));
}

bool goes_on(const Merge& m, int i, int j) {
  const bool a = i < m.first_limit, b = j < m.second_limit;
  return m.goes_on == 0 ? a && b : m.goes_on == 1 ? a : a || b;
}

constexpr int endless = 10'000;

class Runs {
 public:
  explicit Runs(const Merge& m) : m_(m) {}
  int from(int i, int j) {
    if (i > 30 && j > 30) return endless;
    if (m_.at_begin && !goes_on(m_, i, j)) return 1;
    const auto [known, is_new] = most_.try_emplace({i, j}, endless);  // an iteration that moves nothing may come again
    if (!is_new) return known->second;
    if (i > 60 || j > 60) return endless;
    int most = 1;
    for (const auto& [u, v] : answers) {
      if (m_.leaves && holds(*m_.leaves, u, v)) continue;
      const int new_i = i + moved(m_.first, u, v), new_j = j + moved(m_.second, u, v);
      if (m_.at_begin || goes_on(m_, new_i, new_j)) most = std::max(most, 1 + from(new_i, new_j));
    }
    return most_[{i, j}] = std::min(most, endless);
  }

 private:
  static int moved(const Mover& mover, int32_t u, int32_t v) {
    return holds(mover.by, u, v) ? mover.if_true : mover.if_false;
  }
  const Merge& m_;
  std::map<std::pair<int, int>, int> most_;
};

std::string ptx_of(const Merge& m) {
  const auto compare = [](const Comparison& c, const std::string& to) {
    const std::string type = c.order < 2 ? "b32" : c.is_signed ? "s32" : "u32";
    return "setp." + std::string(orders[static_cast<size_t>(c.order)]) + "." + type + " " + to +
           (c.is_swapped ? ", %r9, %r8;\n" : ", %r8, %r9;\n");
  };
  const auto move = [&](const Mover& mover, const std::string& predicate, const std::string& counter) {
    const std::string yes = std::to_string(mover.if_true), no = std::to_string(mover.if_false);
    std::string text = compare(mover.by, predicate);
    if (mover.form == 0) text += "selp.u32 %r5, " + yes + ", " + no + ", " + predicate + ";\n";
    if (mover.form == 1) {
      text +=
          "selp.u16 %h1, " + yes + ", " + no + ", " + predicate + ";\ncvt.u32.u16 %r6, %h1;\ncvt.s32.s8 %r5, %r6;\n";
    }
    if (mover.form == 2) {
      text += "selp.u16 %h1, 1, 0, " + predicate + ";\nand.b16 %h2, %h1, 255;\nsetp.ne.s16 " + predicate +
              ", %h2, 0;\nnot.pred " + predicate + ", " + predicate + ";\nselp.u32 %r5, " + no + ", " + yes + ", " +
              predicate + ";\n";
    }
    if (mover.form == 3) {
      return text + "add.u32 %r5, " + counter + ", " + yes + ";\nadd.u32 %r6, " + counter + ", " + no + ";\nselp.b32 " +
             counter + ", %r5, %r6, " + predicate + ";\n";
    }
    return text + "add.u32 " + counter + ", " + counter + ", %r5;\n";
  };
  const std::string limits = "setp.lt.s32 %p5, %r1, " + std::to_string(m.first_limit) + ";\nsetp.lt.s32 %p6, %r2, " +
                             std::to_string(m.second_limit) + ";\n";
  const std::string test = limits + (m.goes_on == 0   ? "and.pred %p7, %p5, %p6;\n"
                                     : m.goes_on == 1 ? "mov.pred %p7, %p5;\n"
                                                      : "or.pred %p7, %p5, %p6;\n");
  const std::string body = "ld.global.u32 %r8, [%d1];\nld.global.u32 %r9, [%d1+4];\n" +
                           (m.leaves ? compare(*m.leaves, "%p4") + "@%p4 bra $end;\n" : std::string()) +
                           move(m.first, "%p1", "%r1") + move(m.second, "%p2", "%r2");
  const std::string start = "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n";
  if (m.at_begin) return start + "$L:\n" + test + "@!%p7 bra $end;\n" + body + "bra.uni $L;\n$end: ret;";
  return start + "$L:\n" + body + test + "@%p7 bra $L;\n$end: ret;";
}

Merge drawn(test::Random& random) {
  const auto below = [&random](int64_t n) { return static_cast<int>(test::below(random, n)); };
  const auto comparison = [&] { return Comparison{below(6), below(4) > 0, below(2) == 0}; };
  const auto mover = [&] {
    Mover drawn_mover{comparison(), below(3), below(3), below(4)};
    if (below(2) == 0) drawn_mover.if_false = 0;
    if (below(2) == 0) drawn_mover.if_true = 1;
    return drawn_mover;
  };
  Merge m{mover(), mover(), below(8), below(8), below(3), std::nullopt, below(2) == 0};
  if (below(2) == 0) m.leaves = comparison();
  return m;
}

}  // namespace

TEST_CASE("random loops that move two counters never run longer than their bound") {
  test::Random random(test::first_seed(3, 2500));
  int bounded = 0, ending = 0;
  for (int i = 0; i < test::thinned_seeds(2500); ++i) {
    const Merge m = drawn(random);
    const int most = Runs(m).from(0, 0);
    INFO(ptx_of(m));
    const auto facts = test::facts_of(ptx_of(m));
    REQUIRE(facts.loops.size() <= 1);
    if (facts.loops.empty()) continue;
    const auto reported = facts.loops[0].trip_count;
    if (reported) CHECK(*reported >= most);
    bounded += reported ? 1 : 0;
    ending += most < endless ? 1 : 0;
  }
  CHECK(bounded * 5 > warpspan::test::or_half(ending * 3));
}
