// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of which each iteration moves one of several counters.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using test::trips_of;
using Trips = std::vector<std::string>;

namespace {

const std::string pointer = "ld.param.u64 %d1, [p];\n";

// Merges a run of 0 .. 100 and one of 0 .. 200, as memory says.
std::string merge(const std::string& step, const std::string& test = "setp.lt.s32 %p2, %r1, 100;\n") {
  return pointer + "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\n$L: ld.global.u32 %r3, [%d1];\nsetp.lt.s32 %p1, %r3, 5;\n" +
         "@%p1 bra $second;\nadd.s32 %r1, %r1, 1;\nbra.uni $test;\n$second: " + step + "$test:\n" + test +
         "setp.lt.s32 %p3, %r2, 200;\nand.pred %p4, %p2, %p3;\n@%p4 bra $L;\nret;";
}

bool is_bounded(const std::string& body) { return test::facts_of(body).loops.at(0).trip_count.has_value(); }

}  // namespace

TEST_CASE("each iteration moves one counter or the other") {
  CHECK(trips_of(merge("add.s32 %r2, %r2, 1;\n")) == Trips{"$L: 299"});
  CHECK(trips_of(merge("add.s32 %r2, %r2, 10;\n")) == Trips{"$L: 119"});
  CHECK_FALSE(is_bounded(merge("add.s32 %r2, %r2, 0;\n")));  // one may stay where it is
  CHECK_FALSE(is_bounded(merge("sub.s32 %r2, %r2, 1;\n")));  // or go in the other direction
  CHECK_FALSE(
      is_bounded(merge("add.s32 %r1, %r1, -1;\nadd.s32 %r2, %r2, 1;\n", "setp.lt.s32 %p2, %r1, 2147483647;\n")));
  CHECK_FALSE(is_bounded(merge("add.s32 %r2, %r2, 1;\n", "setp.le.s32 %p2, %r1, 2147483647;\n")));  // or wrap
}

TEST_CASE("a counter may be moved only where a branch of the iteration allows it") {
  const auto body = [](const std::string& test) {
    return pointer + "mov.u32 %r1, 30;\nmov.u32 %r2, 50;\n$L: setp.gt.s32 %p1, " + test +
           ", 0;\n@%p1 bra $first;\nsub.s32 %r2, %r2, 1;\nbra.uni $test;\n$first: sub.s32 %r1, %r1, 1;\n"
           "$test: ld.global.u32 %r3, [%d1];\nsetp.ne.s32 %p3, %r3, 7;\nsetp.gt.s32 %p2, %r2, 0;\n"
           "and.pred %p2, %p2, %p3;\n@%p2 bra $L;\nret;";
  };
  CHECK(trips_of(body("%r1")) == Trips{"$L: 80"});
  CHECK_FALSE(is_bounded(body("%r3")));
}

TEST_CASE("the counted one of two exits bounds the loop however they are joined") {
  const auto body = [](const std::string& join) {
    return pointer +
           "mov.u32 %r1, 0;\n$L: ld.global.u32 %r3, [%d1];\nsetp.eq.s32 %p1, %r3, 0;\nadd.s32 %r1, %r1, 1;\n" + join +
           "ret;";
  };
  const std::string ended = "setp.eq.s32 %p2, %r1, 10000000;\n", goes_on = "setp.lt.s32 %p2, %r1, 10000000;\n";
  CHECK(trips_of(body(ended + "or.pred %p3, %p1, %p2;\n@!%p3 bra $L;\n")) == Trips{"$L: 10000000"});
  CHECK(trips_of(body(goes_on + "and.pred %p3, %p1, %p2;\n@%p3 bra $L;\n")) == Trips{"$L: 10000000"});
  CHECK(trips_of(body("mov.pred %p3, 0;\n@%p1 bra $J;\nsetp.lt.s32 %p3, %r1, 10000000;\n$J: @%p3 bra $L;\n")) ==
        Trips{"$L: 10000000"});
  // Both have to hold for it to end: it may go on for ever.
  CHECK_FALSE(is_bounded(body(ended + "and.pred %p3, %p1, %p2;\n@!%p3 bra $L;\n")));
  CHECK_FALSE(is_bounded(body(goes_on + "or.pred %p3, %p1, %p2;\n@%p3 bra $L;\n")));
}

TEST_CASE("the step may be a number of which only the sign is known") {
  const auto body = [](const std::string& guard) {
    return pointer + "ld.global.u32 %r2, [%d1];\nand.b32 %r2, %r2, 1023;\n" + guard +
           "mov.u32 %r1, 500;\n$L: sub.s32 %r1, %r1, %r2;\nld.global.u32 %r3, [%d1];\nsetp.eq.s32 %p1, %r3, 0;\n"
           "@%p1 bra $end;\nsetp.ge.s32 %p2, %r1, %r2;\n@%p2 bra $L;\n$end: ret;";
  };
  CHECK(trips_of(body("setp.lt.s32 %p3, %r2, 1;\n@%p3 bra $end;\n")) == Trips{"$L: 500"});
  CHECK(trips_of(body("setp.lt.s32 %p3, %r2, 10;\n@%p3 bra $end;\n")) == Trips{"$L: 50"});
  CHECK_FALSE(is_bounded(body("")));  // it may be 0
}

TEST_CASE("a limit of which nothing is known is none") {
  CHECK_FALSE(is_bounded(pointer + "ld.global.u32 %r4, [%d1];\nmov.u32 %r1, 0;\n$L: ld.global.u32 %r3, [%d1];\n"
                                   "setp.eq.s32 %p1, %r3, 0;\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p2, %r1, %r4;\n"
                                   "and.pred %p3, %p1, %p2;\n@%p3 bra $L;\nret;"));
}

// --- Random loops over three counters, executed in wrapping arithmetic for starts and loads that are possible.

namespace {

constexpr unsigned counters = 3;
constexpr unsigned fixed = 2;  // values that are loaded before the loop
constexpr std::array<const char*, 6> predicates = {"eq", "ne", "lt", "le", "gt", "ge"};

struct Number {
  uint32_t constant = 0;
  std::optional<unsigned> loaded = std::nullopt;  // instead of it
};

struct Test {
  unsigned counter = 0;
  uint32_t offset = 0;  // added to the counter
  unsigned predicate = 0;
  bool is_signed = true;
  Number limit;
};

struct Move {
  unsigned counter = 0;
  bool subtracts = false;
  Number by;
};

// if (test, or what is loaded) yes; else no;
struct Choice {
  std::optional<Test> test;
  bool selects = false;
  std::vector<Move> yes, no;  // with selects the same counters
};

enum class Join : uint8_t { apart, both, either, phi };

// Goes on while all tests hold, and what is loaded says so.
struct Leave {
  std::vector<Test> tests;
  bool asks_memory = false;
  Join join = Join::apart;
};

struct Loop {
  std::array<uint32_t, fixed> masks = {};
  std::array<uint32_t, fixed> least = {};
  std::array<Number, counters> starts = {};
  std::optional<Test> guard;
  Leave first, last;
  std::vector<Choice> choices;
};

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  Loop loop() {
    Loop loop;
    for (unsigned i = 0; i < fixed; ++i) {
      loop.masks[i] = (1u << below(6)) - 1;
      loop.least[i] = one_in(3) ? 0 : 1;
    }
    for (Number& start : loop.starts) start = number();
    if (one_in(3)) loop.guard = test();
    if (one_in(2)) loop.first = leave();
    if (one_in(2) || loop.first.tests.empty()) loop.last = leave();
    for (unsigned i = 1 + below(2); i > 0; --i) loop.choices.push_back(choice());
    return loop;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  bool one_in(unsigned n) { return below(n) == 0; }
  uint32_t constant() {
    if (one_in(12)) return 0x80000000U - 5 + below(10);
    if (one_in(8)) return 0U - below(10);
    return below(30);
  }
  Number number() {
    if (one_in(4)) return {0, below(fixed)};
    return {constant()};
  }
  Test test() { return {below(counters), one_in(4) ? constant() : 0, below(6), !one_in(4), number()}; }
  // Mostly one that a counter which rises can meet.
  Test exit() {
    Test result = test();
    if (!one_in(4)) result.predicate = one_in(4) ? 1 : 2 + below(2);
    return result;
  }
  Move move(unsigned counter) {
    Move result{counter, one_in(8), number()};
    if (!one_in(3)) result.by = {1 + below(one_in(2) ? 1 : 3)};
    return result;
  }
  Choice choice() {
    Choice result;
    if (one_in(3)) result.test = test();
    result.selects = one_in(3);
    for (unsigned i = 1 + below(2); i > 0; --i) {
      const unsigned counter = below(counters);
      result.yes.push_back(move(counter));
      result.no.push_back(move(result.selects ? counter : below(counters)));
    }
    if (!result.selects && one_in(6)) result.no.clear();
    return result;
  }
  Leave leave() {
    Leave result;
    for (unsigned i = 1 + below(3); i > 0; --i) result.tests.push_back(exit());
    result.asks_memory = one_in(3);
    result.join = static_cast<Join>(below(4));
    return result;
  }

  std::mt19937_64 random_;
};

std::string text(const Number& number) {
  return number.loaded ? "%r" + std::to_string(10 + *number.loaded) : std::to_string(number.constant);
}
std::string name(unsigned counter) { return "%r" + std::to_string(1 + counter); }

std::string ptx_of(const Test& test, const std::string& to, bool negated = false) {
  // The pairs that deny one another: eq and ne, lt and ge, le and gt.
  constexpr std::array<unsigned, 6> denied = {1, 0, 5, 4, 3, 2};
  const unsigned predicate = negated ? denied[test.predicate] : test.predicate;
  return "add.u32 %r20, " + name(test.counter) + ", " + std::to_string(test.offset) + ";\nsetp." +
         predicates[predicate] + (test.is_signed ? ".s32 " : ".u32 ") + to + ", %r20, " + text(test.limit) + ";\n";
}

std::string ptx_of(const Move& move, const std::string& to) {
  return (move.subtracts ? "sub.u32 " : "add.u32 ") + to + ", " + name(move.counter) + ", " + text(move.by) + ";\n";
}

const std::string ask = "ld.global.u32 %r21, [%d1+8];\nsetp.lt.u32 ";

std::string ptx_of(const Leave& leave, int& labels) {
  std::string body;
  const std::string join = "$J" + std::to_string(labels++);
  const auto add = [&](const std::string& holds, const std::string& fails, bool is_first) {
    switch (leave.join) {
      case Join::apart: body += holds + "@!%p1 bra $end;\n"; break;
      case Join::both: body += holds + (is_first ? "mov.pred %p2, %p1;\n" : "and.pred %p2, %p2, %p1;\n"); break;
      case Join::either: body += fails + (is_first ? "mov.pred %p2, %p1;\n" : "or.pred %p2, %p1, %p2;\n"); break;
      case Join::phi: body += holds + "mov.pred %p2, %p1;\n@!%p2 bra " + join + ";\n"; break;
    }
  };
  bool is_first = true;
  if (leave.asks_memory) {
    add(ask + "%p1, %r21, 5;\n", "ld.global.u32 %r21, [%d1+8];\nsetp.ge.u32 %p1, %r21, 5;\n", true);
    is_first = false;
  }
  for (const Test& test : leave.tests) {
    add(ptx_of(test, "%p1"), ptx_of(test, "%p1", true), is_first);
    is_first = false;
  }
  if (is_first || leave.join == Join::apart) return body;
  if (leave.join == Join::phi) body += join + ":\n";
  return body + (leave.join == Join::either ? "@%p2 bra $end;\n" : "@!%p2 bra $end;\n");
}

std::string ptx_of(const Choice& choice, int& labels) {
  const std::string label = std::to_string(labels++);
  std::string body = choice.test ? ptx_of(*choice.test, "%p3") : ask + "%p3, %r21, 7;\n";
  if (choice.selects) {
    for (size_t i = 0; i < choice.yes.size(); ++i) {
      body += ptx_of(choice.yes[i], "%r22") + ptx_of(choice.no[i], "%r23") + "selp.b32 " + name(choice.yes[i].counter) +
              ", %r22, %r23, %p3;\n";
    }
    return body;
  }
  body += "@!%p3 bra $N" + label + ";\n";
  for (const Move& move : choice.yes) body += ptx_of(move, name(move.counter));
  body += "bra.uni $E" + label + ";\n$N" + label + ":\n";
  for (const Move& move : choice.no) body += ptx_of(move, name(move.counter));
  return body + "$E" + label + ":\n";
}

std::string ptx_of(const Loop& loop) {
  std::string body = pointer;
  int labels = 0;
  for (unsigned i = 0; i < fixed; ++i) {
    const std::string to = "%r" + std::to_string(10 + i);
    body += "ld.global.u32 " + to + ", [%d1+" + std::to_string(4 * i) + "];\nand.b32 " + to + ", " + to + ", " +
            std::to_string(loop.masks[i]) + ";\nadd.u32 " + to + ", " + to + ", " + std::to_string(loop.least[i]) +
            ";\n";
  }
  for (unsigned i = 0; i < counters; ++i) body += "mov.u32 " + name(i) + ", " + text(loop.starts[i]) + ";\n";
  if (loop.guard) body += ptx_of(*loop.guard, "%p1") + "@!%p1 bra $end;\n";
  body += "$L:\n" + ptx_of(loop.first, labels);
  for (const Choice& choice : loop.choices) body += ptx_of(choice, labels);
  return body + ptx_of(loop.last, labels) + "bra.uni $L;\n$end: ret;";
}

class Run {
 public:
  // `bias` of 8 answers of memory are yes.
  Run(const Loop& loop, std::mt19937_64& random, unsigned bias) : loop_(loop), random_(random), bias_(bias) {
    for (unsigned i = 0; i < fixed; ++i) {
      const unsigned kind = random_() % 4;
      const auto loaded = kind == 0 ? 0 : kind == 1 ? ~0U : static_cast<uint32_t>(random_());
      fixed_[i] = (loaded & loop.masks[i]) + loop.least[i];
    }
    for (unsigned i = 0; i < counters; ++i) values_[i] = value(loop.starts[i]);
  }

  // How often the header runs, up to one more than `most`.
  int64_t iterations(int64_t most) {
    if (loop_.guard && !holds(*loop_.guard)) return 0;
    for (int64_t k = 1; k <= most; ++k) {
      if (!stays(loop_.first)) return k;
      for (const Choice& choice : loop_.choices) choose(choice);
      if (!stays(loop_.last)) return k;
    }
    return most + 1;
  }

 private:
  uint32_t value(const Number& number) const { return number.loaded ? fixed_[*number.loaded] : number.constant; }
  bool holds(const Test& test) const {
    const uint32_t a = values_[test.counter] + test.offset, b = value(test.limit);
    const auto sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
    const bool less = test.is_signed ? sa < sb : a < b;
    const std::array<bool, 6> results = {a == b, a != b, less, less || a == b, !less && a != b, !less};
    return results[test.predicate];
  }
  // Memory lets it go on: that is the longest run.
  bool stays(const Leave& leave) const {
    return std::all_of(leave.tests.begin(), leave.tests.end(), [this](const Test& test) { return holds(test); });
  }
  void choose(const Choice& choice) {
    const bool is_yes = choice.test ? holds(*choice.test) : random_() % 8 < bias_;
    for (const Move& move : is_yes ? choice.yes : choice.no) {
      uint32_t& to = values_[move.counter];
      to = move.subtracts ? to - value(move.by) : to + value(move.by);
    }
  }

  const Loop& loop_;
  std::mt19937_64& random_;
  unsigned bias_;
  std::array<uint32_t, fixed> fixed_ = {};
  std::array<uint32_t, counters> values_ = {};
};

constexpr int64_t most_iterations = 20'000;  // that are executed

void check_random_loops(uint64_t first, uint64_t count) {
  int64_t bounded = 0, exact = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Loop loop = Maker(seed).loop();
    const ir::Flow facts = test::facts_of(ptx_of(loop), test::block_of(32));
    if (facts.loops.empty()) continue;  // no edge leads back
    REQUIRE(facts.loops.size() == 1);
    const auto bound = facts.loops[0].trip_count;
    if (!bound) continue;
    ++bounded;
    INFO("seed " << seed << ", bound " << *bound << "\n" << ptx_of(loop));
    int64_t longest = 0;
    std::mt19937_64 random(seed);
    for (unsigned i = 0; i < 90; ++i) {
      longest = std::max(longest, Run(loop, random, i % 9).iterations(std::min(*bound, most_iterations)));
    }
    REQUIRE((longest <= *bound || *bound > most_iterations));
    exact += longest == *bound ? 1 : 0;
  }
  CHECK(bounded * 5 > warpspan::test::or_half(static_cast<int64_t>(count)));
  CHECK(exact * 4 > warpspan::test::or_half(bounded));
}

}  // namespace

TEST_CASE("random loops over three counters never run longer than their bound") {
  check_random_loops(warpspan::test::first_seed(1, 3000), warpspan::test::thinned_seeds(3000));
}

TEST_CASE("many random loops over three counters", "[.slow]") { check_random_loops(100'000, 200'000); }
