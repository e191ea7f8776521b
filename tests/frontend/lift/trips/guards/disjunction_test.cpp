// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that go on while one thing holds or another: merges of two runs, drawn at random, against all that memory may
// say.
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <optional>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/random_numbers.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

// What a branch of the iteration asks: of a counter, as the iteration begins, and its limit, or of memory.
struct Question {
  bool is_loaded = false;
  bool of_first = true;
  int predicate = 0;  // of `predicates`
};
constexpr std::array<const char*, 6> predicates = {"lt", "ge", "ne", "eq", "le", "gt"};

enum class Join : uint8_t { only, both, either };

struct Merge {
  int first_limit = 4, second_limit = 4;
  int first_start = 0, second_start = 0;
  int goes_on = 0;  // while 0: one is below its limit; 1: both are; 2: one is not at its limit
  bool is_carried = false;
  bool is_guarded = true;
  Question first, second, third;
  Join join = Join::only, second_join = Join::only;  // first, second; then third
  bool by_select = false;
  int first_step = 1, second_step = 1;
};

bool holds(int predicate, int a, int b) {
  return std::array<bool, 6>{a<b, a >= b, a != b, a == b, a <= b, a> b}[static_cast<size_t>(predicate)];
}

constexpr int endless = 1000;

class Runs {
 public:
  explicit Runs(const Merge& m) : m_(m) {}

  // How often the header runs; endless: it may not end.
  int most() {
    const bool is_skipped = (m_.is_guarded || !m_.is_carried) && !goes_on(m_.first_start, m_.second_start);
    return is_skipped ? 1 : from(m_.first_start, m_.second_start);
  }

 private:
  bool goes_on(int i, int j) const {
    if (m_.goes_on == 0) return i < m_.first_limit || j < m_.second_limit;
    if (m_.goes_on == 1) return i < m_.first_limit && j < m_.second_limit;
    return i != m_.first_limit || j != m_.second_limit;
  }

  bool answer(const Question& q, bool loaded, int i, int j) const {
    if (q.is_loaded) return loaded;
    return q.of_first ? holds(q.predicate, i, m_.first_limit) : holds(q.predicate, j, m_.second_limit);
  }

  static bool joined(Join join, bool a, bool b) {
    return join == Join::only ? a : join == Join::both ? a && b : a || b;
  }

  int from(int i, int j) {
    if (i > 40 || j > 40) return endless;
    const auto [known, is_new] = most_.try_emplace({i, j}, endless);
    if (!is_new) return known->second;
    int most = 1;
    for (int loaded = 0; loaded < 8; ++loaded) {
      const bool a = answer(m_.first, (loaded & 1) != 0, i, j), b = answer(m_.second, (loaded & 2) != 0, i, j);
      const bool c = answer(m_.third, (loaded & 4) != 0, i, j);
      const bool moves_first = joined(m_.second_join, joined(m_.join, a, b), c);
      const int new_i = moves_first ? i + m_.first_step : i, new_j = moves_first ? j : j + m_.second_step;
      const bool again = goes_on(new_i, new_j);
      if (again) most = std::max(most, 1 + from(new_i, new_j));
      if (!again && !m_.is_carried) most = std::max(most, 2);  // the header runs to its test
    }
    return most_[{i, j}] = std::min(most, endless);
  }

  const Merge& m_;
  std::map<std::pair<int, int>, int> most_;
};

std::string compare(int predicate, bool of_first, const Merge& m, const std::string& to) {
  return "setp." + std::string(predicates[static_cast<size_t>(predicate)]) + ".s32 " + to +
         (of_first ? ", %r1, " + std::to_string(m.first_limit) : ", %r2, " + std::to_string(m.second_limit)) + ";\n";
}

// %p1 and %p2: of the first and of the second; %p3: whether it goes on.
std::string test_of(const Merge& m) {
  const int predicate = m.goes_on == 2 ? 2 : 0;
  return compare(predicate, true, m, "%p1") + compare(predicate, false, m, "%p2") +
         (m.goes_on == 1 ? "and.pred %p3, %p1, %p2;\n" : "or.pred %p3, %p1, %p2;\n");
}

std::string ask(const Question& q, const Merge& m, const std::string& to) {
  if (q.is_loaded) return "ld.volatile.global.u32 %r8, [%d1];\nsetp.eq.u32 " + to + ", %r8, 7;\n";
  // What the iteration before has computed stands in a predicate.
  if (m.is_carried && q.predicate == 0 && m.goes_on != 2)
    return "mov.pred " + to + (q.of_first ? ", %p1;\n" : ", %p2;\n");
  return compare(q.predicate, q.of_first, m, to);
}

std::string join(Join how, const std::string& to, const std::string& other) {
  if (how == Join::only) return "";
  return std::string(how == Join::both ? "and" : "or") + ".pred " + to + ", " + to + ", " + other + ";\n";
}

std::string ptx_of(const Merge& m) {
  const std::string i = std::to_string(m.first_step), j = std::to_string(m.second_step);
  const std::string move = m.by_select ? "selp.u32 %r3, " + i +
                                             ", 0, %p4;\nadd.u32 %r1, %r1, %r3;\nnot.pred %p7, %p4;\nselp.u32 %r4, " +
                                             j + ", 0, %p7;\nadd.u32 %r2, %r2, %r4;\n"
                                       : "@%p4 bra $first;\nadd.u32 %r2, %r2, " + j +
                                             ";\nbra.uni $test;\n$first:\nadd.u32 %r1, %r1, " + i + ";\n$test:\n";
  const std::string iteration = ask(m.first, m, "%p4") + ask(m.second, m, "%p5") + ask(m.third, m, "%p6") +
                                join(m.join, "%p4", "%p5") + join(m.second_join, "%p4", "%p6") + move;
  const std::string start = "ld.param.u64 %d1, [p];\nmov.u32 %r1, " + std::to_string(m.first_start) +
                            ";\nmov.u32 %r2, " + std::to_string(m.second_start) + ";\n";
  if (!m.is_carried) return start + "$L:\n" + test_of(m) + "@!%p3 bra $end;\n" + iteration + "bra.uni $L;\n$end: ret;";
  return start + test_of(m) + (m.is_guarded ? "@!%p3 bra $end;\n" : "") + "$L:\n" + iteration + test_of(m) +
         "@%p3 bra $L;\n$end: ret;";
}

Merge drawn(test::Random& random) {
  const auto below = [&random](int64_t n) { return static_cast<int>(test::below(random, n)); };
  const auto question = [&] { return Question{below(3) == 0, below(2) == 0, below(4) == 0 ? below(6) : below(2)}; };
  Merge m;
  m.first_limit = below(7);
  m.second_limit = below(7);
  if (below(4) == 0) m.first_start = below(3);
  m.goes_on = below(4) == 0 ? 1 : below(5) == 0 ? 2 : 0;
  m.is_carried = below(2) == 0;
  m.is_guarded = below(4) > 0;
  m.first = question();
  m.second = question();
  m.third = question();
  // As merges are written: the first is left, and the second is not, or the first has the smaller element.
  const bool is_merge = below(2) == 0;
  if (is_merge) {
    m.first = {true, true, 0};
    m.second = {false, false, 1};
    m.third = {false, true, 0};
  }
  m.join = is_merge ? Join::either : static_cast<Join>(below(3));
  m.second_join = is_merge ? Join::both : static_cast<Join>(below(3));
  if (is_merge && below(5) == 0) m.third.predicate = below(6);
  if (is_merge && below(5) == 0) m.second.predicate = below(6);
  m.by_select = below(2) == 0;
  if (below(6) == 0) m.first_step = below(3);
  if (below(6) == 0) m.second_step = below(3);
  return m;
}

}  // namespace

TEST_CASE("random merges that go on while one run or the other is left never run longer than their bound") {
  test::Random random(test::first_seed(5, 600));
  int bounded = 0, ending = 0;
  for (int i = 0; i < test::thinned_seeds(600); ++i) {
    const Merge m = drawn(random);
    const int most = Runs(m).most();
    INFO(ptx_of(m));
    const auto facts = test::facts_of(ptx_of(m));
    REQUIRE(facts.loops.size() <= 1);
    if (facts.loops.empty()) continue;
    const auto reported = facts.loops[0].trip_count;
    if (reported) CHECK(*reported >= most);
    bounded += reported ? 1 : 0;
    ending += most < endless ? 1 : 0;
  }
  INFO(bounded << " bounded of " << ending << " that end");
  CHECK(bounded * 5 > warpspan::test::or_half(ending * 4));
}

namespace {

// while (i < 100 || j < 200) if (`first`) ++i; else ++j; with the predicates of the iteration before in %p1 and %p2.
std::string rotated(const std::string& first,
                    const std::string& begin = "setp.gt.s32 %p1, 100, 0;\nsetp.gt.s32 %p2, 200, 0;\n",
                    const std::string& test = "or.pred %p3, %p1, %p2;\n") {
  return "ld.param.u64 %d1, [p];\nld.param.u32 %r9, [n];\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n" + begin +
         "$L: ld.volatile.global.u32 %r8, [%d1];\nsetp.lt.s32 %p4, %r8, 5;\n" + first +
         "@%p4 bra $first;\nadd.s32 %r2, %r2, 1;\nbra.uni $test;\n$first: add.s32 %r1, %r1, 1;\n$test:\n"
         "setp.lt.s32 %p1, %r1, 100;\nsetp.lt.s32 %p2, %r2, 200;\n" +
         test + "@%p3 bra $L;\nret;";
}

bool is_bounded(const std::string& body) { return test::facts_of(body).loops.at(0).trip_count.has_value(); }

// Of a merge: i is left, and j is not, or memory says i.
const std::string smaller = "not.pred %p5, %p2;\nor.pred %p4, %p4, %p5;\nand.pred %p4, %p4, %p1;\n";

}  // namespace

TEST_CASE("a condition that the iteration before has computed is one of this iteration's counters") {
  CHECK(test::trips_of(rotated(smaller)) == std::vector<std::string>{"$L: 301"});
  CHECK(test::trips_of(rotated("mov.pred %p4, %p1;\n")) == std::vector<std::string>{"$L: 300"});
  // Memory alone says which; a counter may move though nothing is left of it.
  CHECK_FALSE(is_bounded(rotated("")));
  CHECK_FALSE(is_bounded(rotated("or.pred %p4, %p4, %p1;\n")));
  CHECK_FALSE(is_bounded(rotated("not.pred %p4, %p1;\n")));
  // In the first iteration it may be something else.
  const auto unlike = test::facts_of(rotated(smaller, "setp.gt.s32 %p1, %r9, 0;\nsetp.gt.s32 %p2, 200, 0;\n"));
  CHECK(unlike.loops.at(0).trip_count.value_or(301) >= 301);
  // It goes on where nothing is left.
  CHECK_FALSE(is_bounded(rotated(smaller, "setp.gt.s32 %p1, 100, 0;\nsetp.gt.s32 %p2, 200, 0;\n",
                                 "or.pred %p3, %p1, %p2;\nsetp.gt.s32 %p6, %r8, 3;\nor.pred %p3, %p3, %p6;\n")));
}

TEST_CASE("what the first of two merging loops leaves bounds what goes on with the rest") {
  const auto body = [](const std::string& step, const std::string& test) {
    return "ld.param.u64 %d1, [p];\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\n"
           "$A: ld.volatile.global.u32 %r8, [%d1];\nsetp.lt.s32 %p4, %r8, 5;\n@%p4 bra $first;\nadd.s32 %r2, %r2, 1;\n"
           "bra.uni $test;\n$first: " +
           step + "$test:\n" + test + "setp.lt.s32 %p2, %r2, 200;\nand.pred %p3, %p1, %p2;\n@%p3 bra $A;\n" +
           "$B: setp.ge.s32 %p5, %r1, 100;\n@%p5 bra $end;\nld.volatile.global.u32 %r8, [%d1];\nadd.s32 %r1, %r1, 1;\n"
           "bra.uni $B;\n$end: ret;";
  };
  const auto trips = [&](const std::string& step, const std::string& test) {
    return test::facts_of(body(step, test)).loops.at(1).trip_count;
  };
  const std::string below = "setp.lt.s32 %p1, %r1, 100;\n";
  CHECK(trips("add.s32 %r1, %r1, 1;\n", below) == 101);
  CHECK(trips("add.s32 %r1, %r1, 3;\n", below) == 101);
  CHECK(trips("add.s32 %r1, %r1, -1;\n", "setp.gt.s32 %p1, %r1, -50;\n") == 151);
  CHECK_FALSE(trips("add.s32 %r1, %r1, -1;\n", below));  // it goes down as long as memory says so
}
