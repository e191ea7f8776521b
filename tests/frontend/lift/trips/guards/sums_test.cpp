// SPDX-License-Identifier: GPL-3.0-or-later
// Loops from the larger of two numbers to the smaller of two others, and from one quotient to the next, as they are
// written and unrolled.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using test::trips_of;
using Trips = std::vector<std::string>;

namespace {

// A value of 600 x 600 threads: more than is simulated.
const std::string position =
    "ld.param.u64 %d1, [p];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.s32 %r1, %r1, 16, %r2;\n"
    "mov.u32 %r3, %ctaid.y;\nmov.u32 %r4, %tid.y;\nmad.lo.s32 %r3, %r3, 16, %r4;\nadd.s32 %r5, %r1, %r3;\n";
const ir::Launch many = test::with_grid(test::block_of(16, 16), 40, 40);

// Counts %r10 to %r11 by four, to zero.
const std::string by_fours =
    "sub.s32 %r12, %r11, %r10;\nsetp.lt.u32 %p1, %r12, 4;\n@%p1 bra $end;\nand.b32 %r12, %r12, -4;\n"
    "$L: add.s32 %r12, %r12, -4;\nst.global.u32 [%d1], %r12;\nsetp.ne.s32 %p2, %r12, 0;\n@%p2 bra $L;\n$end: ret;";
// By eight, what is left over before.
const std::string rest_first =
    "sub.s32 %r12, %r11, %r10;\nsetp.lt.s32 %p1, %r12, 1;\n@%p1 bra $end;\nand.b32 %r13, %r12, 7;\n"
    "setp.eq.s32 %p2, %r13, 0;\n@%p2 bra $eights;\n$R: add.s32 %r10, %r10, 1;\nadd.s32 %r13, %r13, -1;\n"
    "st.global.u32 [%d1], %r10;\nsetp.ne.s32 %p2, %r13, 0;\n@%p2 bra $R;\n$eights: setp.lt.u32 %p3, %r12, 8;\n"
    "@%p3 bra $end;\n$L: add.s32 %r10, %r10, 8;\nst.global.u32 [%d1], %r10;\nsetp.ne.s32 %p2, %r10, %r11;\n"
    "@%p2 bra $L;\n$end: ret;";

std::string window(int radius) {
  return "sub.s32 %r10, %r5, " + std::to_string(radius) + ";\nmax.s32 %r10, %r10, 0;\nadd.s32 %r11, %r5, " +
         std::to_string(radius) + ";\nmin.s32 %r11, %r11, 1278;\n";
}

}  // namespace

TEST_CASE("a window that is cut off at the border is no wider than it is inside") {
  CHECK(trips_of(position + window(10) + by_fours, many) == Trips{"$L: 5"});
  CHECK(trips_of(position + window(10) + rest_first, many) == Trips{"$R: 7", "$L: 2"});
  CHECK(trips_of(position + window(3) + rest_first, many) == Trips{"$R: 7", "$L: 1"});
}

// A start that is not known, and a limit that is a number behind it, or before.
TEST_CASE("a limit that is a sum of the start does not wrap where the loop is entered") {
  const auto chunk = [](const std::string& limit, const std::string& guard = "setp.ge.s32 %p5, %r10, %r11;\n") {
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r10, [%d1];\nld.global.u32 %r2, [%d1+4];\n" + limit + guard +
           (guard.empty() ? "" : "@%p5 bra $end;\n");
  };
  const std::string smaller = "add.s32 %r11, %r10, 16;\nmin.s32 %r11, %r11, %r2;\n";
  CHECK(trips_of(chunk(smaller) + by_fours) == Trips{"$L: 4"});
  CHECK(trips_of(chunk(smaller) + rest_first) == Trips{"$R: 7", "$L: 2"});
  const std::string one_by_one = "$L: add.s32 %r10, %r10, 1;\nsetp.lt.s32 %p2, %r10, %r11;\n@%p2 bra $L;\n$end: ret;";
  CHECK(trips_of(chunk(smaller) + one_by_one) == Trips{"$L: 16"});
  const std::string test_first =
      "$L: setp.ge.s32 %p2, %r10, %r11;\n@%p2 bra $end;\nadd.s32 %r10, %r10, 1;\nbra.uni $L;\n$end: ret;";
  CHECK(trips_of(chunk(smaller, "") + test_first) == Trips{"$L: 17"});
  const auto is_bounded = [](const std::string& body) {
    return test::facts_of(body).loops.at(0).trip_count.has_value();
  };
  CHECK_FALSE(is_bounded(chunk(smaller, "") + by_fours));
  CHECK_FALSE(is_bounded(chunk("add.s32 %r11, %r10, 16;\nmax.s32 %r11, %r11, %r2;\n") + one_by_one));
  CHECK_FALSE(is_bounded(chunk("mov.u32 %r11, %r2;\n") + one_by_one));
  // Far behind, all may come between, and what the addition does is not known to be small.
  CHECK_FALSE(is_bounded(chunk("add.s32 %r11, %r10, %r2;\nmin.s32 %r11, %r11, 1000;\n") + one_by_one));
  // Entered by another comparison, which says nothing of where it ends.
  CHECK_FALSE(is_bounded(chunk(smaller, "setp.ge.u32 %p5, %r10, %r11;\n") +
                         "$L: add.s32 %r10, %r10, 1;\nsetp.ne.s32 %p2, %r10, %r11;\n@%p2 bra $L;\n$end: ret;"));
}

TEST_CASE("the window between two quotients") {
  const std::string quotients =
      "mul.lo.s32 %r6, %r5, 100;\ndiv.u32 %r10, %r6, 7;\nadd.s32 %r6, %r6, 200;\ndiv.u32 %r11, %r6, 7;\n";
  CHECK(trips_of(position + quotients + by_fours, many) == Trips{"$L: 7"});  // 29 at most
  CHECK(trips_of(position + quotients + rest_first, many) == Trips{"$R: 7", "$L: 3"});
}

TEST_CASE("a branch before the loop says which threads come there") {
  // Beyond 500 the window ends before it begins, as an unsigned number far behind.
  const std::string cut =
      "sub.s32 %r10, %r5, 10;\nmax.s32 %r10, %r10, 0;\nadd.s32 %r11, %r5, 10;\nmin.s32 %r11, %r11, 499;\n";
  CHECK(trips_of(position + "setp.gt.s32 %p4, %r5, 499;\n@%p4 bra $end;\n" + cut + by_fours, many) == Trips{"$L: 5"});
  const std::string to_eight = "sub.s32 %r10, %r5, 9;\nmax.s32 %r10, %r10, 0;\nmov.u32 %r11, %r5;\n";
  CHECK(trips_of(position + "setp.gt.s32 %p4, %r5, 8;\n@%p4 bra $end;\n" + to_eight + by_fours, many) ==
        Trips{"$L: 2"});
  const auto all = test::facts_of(position + cut + by_fours, many).loops.at(0).trip_count;
  CHECK((!all || *all > 1'000'000));
}

TEST_CASE("a loaded limit that is clamped, unrolled") {
  // min(load, 128) iterations, by two and four; the distance is written with the larger of complements.
  const auto unrolled = [](int by, const std::string& clamp, const std::string& stride) {
    const std::string n = std::to_string(by);
    return "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nmin.s32 %r2, %r1, 128;\nsetp.lt.s32 %p1, %r2, 1;\n"
           "@%p1 bra $end;\nand.b32 %r3, %r2, " +
           std::to_string(by - 1) + ";\nsetp.lt.s32 %p1, %r2, " + n + ";\n@%p1 bra $end;\n" + clamp +
           "neg.s32 %r5, %r4;\n$L: st.global.u32 [%d1], %r5;\nadd.s64 %d1, %d1, " + stride + ";\nadd.s32 %r5, %r5, -" +
           n + ";\nsetp.ne.s32 %p2, %r5, 1;\n@%p2 bra $L;\n$end: ret;";
  };
  // -1 - min(load, 128) + rest, so that the loop counts down to one.
  const std::string complements = "not.b32 %r4, %r1;\nmax.s32 %r4, %r4, -129;\nadd.s32 %r4, %r4, %r3;\n";
  CHECK(trips_of(unrolled(2, complements, "4")) == Trips{"$L: 64"});
  CHECK(trips_of(unrolled(4, complements, "4")) == Trips{"$L: 32"});
  // Pointers that go far in each iteration are not what ends it.
  CHECK(trips_of(unrolled(2, complements, "262144")) == Trips{"$L: 64"});
  const auto other = test::facts_of(unrolled(2, "not.b32 %r4, %r1;\nadd.s32 %r4, %r4, %r3;\n", "4")).loops.at(0);
  CHECK((!other.trip_count || *other.trip_count > (1 << 20)));
}

TEST_CASE("the smaller of two distances to the border, from either side") {
  // w = 1280, h = 720: x = path, y = 0 below w, else x = 0, y = path - w + 1; min(w - x, h - y) by four.
  const std::string diagonal =
      "setp.ge.s32 %p1, %r5, 1999;\n@%p1 bra $end;\nsetp.lt.s32 %p2, %r5, 1280;\nadd.s32 %r6, %r5, -1279;\n"
      "selp.b32 %r7, %r5, 0, %p2;\nselp.b32 %r8, 0, %r6, %p2;\nsub.s32 %r9, 1280, %r7;\nsub.s32 %r10, 720, %r8;\n"
      "min.s32 %r11, %r9, %r10;\nsetp.lt.s32 %p1, %r11, 1;\n@%p1 bra $end;\nadd.s32 %r12, %r8, -721;\n"
      "add.s32 %r13, %r7, -1281;\nmax.s32 %r12, %r12, %r13;\nsub.s32 %r12, -2, %r12;\nand.b32 %r13, %r11, 3;\n"
      "setp.lt.u32 %p1, %r12, 3;\n@%p1 bra $end;\nsub.s32 %r14, %r11, %r13;\n$L: add.s32 %r14, %r14, -4;\n"
      "st.global.u32 [%d1], %r14;\nsetp.ne.s32 %p2, %r14, 0;\n@%p2 bra $L;\n$end: ret;";
  CHECK(trips_of(position + "shl.b32 %r5, %r5, 1;\n" + diagonal, many) == Trips{"$L: 180"});
}

// --- Random ends, executed in wrapping arithmetic.

namespace {

constexpr unsigned sources = 3;  // loaded values, too many to be simulated
constexpr uint32_t masks[sources] = {8191, 16383, 32767};

enum class Operation : uint8_t {
  source,
  add,
  subtract,
  multiply,
  low,
  high,
  low_unsigned,
  high_unsigned,
  divide,
  divide_signed,
  mask,
  branch,
  last = branch
};
constexpr const char* mnemonics[] = {"",        "add.s32", "sub.s32", "mul.lo.s32", "min.s32", "max.s32",
                                     "min.u32", "max.u32", "div.u32", "div.s32",    "and.b32"};

struct Step {
  Operation operation = Operation::source;
  unsigned a = 0, b = 0;  // steps before
  uint32_t constant = 0;
  bool has_constant = false;  // instead of b
};

enum class Shape : uint8_t { whiles, does, fours, rest };

struct Window {
  std::vector<Step> steps;
  unsigned first = 0, end = 0;  // steps
  unsigned guard = 0;           // entered only if first < end: 1, signed; 2, or equal; 3, unsigned
  struct Guard {
    unsigned a = 0, b = 0;  // steps
    unsigned kind = 1;      // as `guard`
  };
  std::vector<Guard> guards = {};  // the same of others
  Shape shape = Shape::whiles;
  uint32_t step = 1;
};

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  Window window() {
    Window window;
    for (unsigned i = 0; i < sources; ++i) window.steps.push_back({});
    const unsigned count = 3 + below(7);
    for (unsigned i = 0; i < count; ++i) window.steps.push_back(step(static_cast<unsigned>(window.steps.size())));
    window.first = sources + below(count);
    window.end = sources + below(count);
    if (one_in(4)) window.first = below(sources);
    window.guard = one_in(2) ? 0 : 1 + below(3);
    while (one_in(2)) window.guards.push_back({below(sources + count), below(sources + count), 1 + below(3)});
    window.shape = static_cast<Shape>(below(4));
    window.step = 1 + below(4);
    return window;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  bool one_in(unsigned n) { return below(n) == 0; }
  Step step(unsigned before) {
    Step result;
    result.operation = static_cast<Operation>(1 + below(static_cast<unsigned>(Operation::last)));
    result.a = one_in(2) ? before - 1 - below(std::min(3U, before)) : below(before);
    result.b = below(before);
    result.has_constant = one_in(2);
    result.constant = one_in(30) ? 0x80000000U - below(3) : one_in(5) ? 0U - below(40) : below(300);
    const bool divides = result.operation == Operation::divide || result.operation == Operation::divide_signed;
    if (divides || result.operation == Operation::multiply) {
      result.has_constant = true;
      result.constant = 1 + below(9);
    } else if (result.operation == Operation::mask) {
      result.has_constant = true;
      result.constant = one_in(2) ? 0U - (1U << below(4)) : (1U << (1 + below(5))) - 1;
    }
    return result;
  }

  std::mt19937_64 random_;
};

std::string name(unsigned step) { return "%r" + std::to_string(step); }

std::string ptx_of(const Window& window) {
  std::string body = "ld.param.u64 %d1, [p];\n";
  for (unsigned i = 0; i < sources; ++i) {
    body += "ld.global.u32 " + name(i) + ", [%d1+" + std::to_string(4 * i) + "];\nand.b32 " + name(i) + ", " + name(i) +
            ", " + std::to_string(masks[i]) + ";\n";
  }
  for (unsigned i = sources; i < window.steps.size(); ++i) {
    const Step& step = window.steps[i];
    const std::string b = step.has_constant ? std::to_string(static_cast<int32_t>(step.constant)) : name(step.b);
    if (step.operation == Operation::branch) {
      const std::string label = "$B" + std::to_string(i);
      body += "mov.u32 " + name(i) + ", " + b + ";\nsetp.lt.s32 %p1, " + name(step.a) + ", " + b + ";\n@%p1 bra " +
              label + ";\nadd.s32 " + name(i) + ", " + name(step.a) + ", 1;\n" + label + ":\n";
    } else {
      body += std::string(mnemonics[static_cast<size_t>(step.operation)]) + " " + name(i) + ", " + name(step.a) + ", " +
              b + ";\n";
    }
  }
  body +=
      "mov.u32 %r30, " + name(window.first) + ";\nmov.u32 %r31, " + name(window.end) + ";\nsub.s32 %r32, %r31, %r30;\n";
  const char* fails[] = {"", "ge.s32", "gt.s32", "ge.u32"};
  const auto skip_unless = [&](unsigned kind, const std::string& a, const std::string& b) {
    body += std::string("setp.") + fails[kind] + " %p2, " + a + ", " + b + ";\n@%p2 bra $end;\n";
  };
  for (const Window::Guard& guard : window.guards) skip_unless(guard.kind, name(guard.a), name(guard.b));
  if (window.guard > 0) skip_unless(window.guard, "%r30", "%r31");
  const std::string step = std::to_string(window.step);
  const std::string store = "st.global.u32 [%d1], %r30;\n";
  switch (window.shape) {
    case Shape::whiles:
      return body + "$L: setp.ge.s32 %p3, %r30, %r31;\n@%p3 bra $end;\nadd.s32 %r30, %r30, " + step + ";\n" + store +
             "bra.uni $L;\n$end: ret;";
    case Shape::does:
      return body + "$L: add.s32 %r30, %r30, " + step + ";\n" + store +
             "setp.lt.s32 %p3, %r30, %r31;\n@%p3 bra $L;\n$end: ret;";
    case Shape::fours:
      return body +
             "setp.lt.u32 %p3, %r32, 4;\n@%p3 bra $end;\nand.b32 %r32, %r32, -4;\n$L: add.s32 %r32, %r32, -4;\n" +
             store + "setp.ne.s32 %p3, %r32, 0;\n@%p3 bra $L;\n$end: ret;";
    case Shape::rest:
      return body +
             "and.b32 %r33, %r32, 3;\nsetp.eq.s32 %p3, %r33, 0;\n@%p3 bra $M;\n$R: add.s32 %r30, %r30, 1;\n"
             "add.s32 %r33, %r33, -1;\nst.global.u32 [%d1], %r33;\nsetp.ne.s32 %p3, %r33, 0;\n@%p3 bra $R;\n"
             "$M: setp.lt.u32 %p3, %r32, 4;\n@%p3 bra $end;\n$L: add.s32 %r30, %r30, 4;\n" +
             store + "setp.ne.s32 %p3, %r30, %r31;\n@%p3 bra $L;\n$end: ret;";
  }
  return {};
}

uint32_t compute(const Step& step, uint32_t a, uint32_t b) {
  const auto sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
  switch (step.operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::low: return sa < sb ? a : b;
    case Operation::high: return sa < sb ? b : a;
    case Operation::low_unsigned: return std::min(a, b);
    case Operation::high_unsigned: return std::max(a, b);
    case Operation::divide: return a / b;
    case Operation::divide_signed: return static_cast<uint32_t>(sa / sb);
    case Operation::mask: return a & b;
    case Operation::branch: return sa < sb ? b : a + 1;
    case Operation::source: break;
  }
  return a;
}

constexpr int64_t most_iterations = 10'000;  // that are executed

// How often the header of the loop $L runs, up to one more than `most`; 0 if it is not entered.
int64_t iterations(const Window& window, const uint32_t (&values)[sources], int64_t most) {
  std::vector<uint32_t> all(values, values + sources);
  for (size_t i = sources; i < window.steps.size(); ++i) {
    const Step& step = window.steps[i];
    all.push_back(compute(step, all[step.a], step.has_constant ? step.constant : all[step.b]));
  }
  uint32_t at = all[window.first];
  const uint32_t end = all[window.end];
  const auto is_before = [&] { return static_cast<int32_t>(at) < static_cast<int32_t>(end); };
  const auto passes = [](unsigned kind, uint32_t a, uint32_t b) {
    const bool is_below = static_cast<int32_t>(a) < static_cast<int32_t>(b);
    return kind == 0 || (kind == 3 ? a < b : is_below || (kind == 2 && a == b));
  };
  for (const Window::Guard& guard : window.guards) {
    if (!passes(guard.kind, all[guard.a], all[guard.b])) return 0;
  }
  if (!passes(window.guard, at, end)) return 0;
  uint32_t rest = end - at;
  const bool unrolled = window.shape == Shape::fours || window.shape == Shape::rest;
  if (unrolled && rest < 4) return 0;
  if (window.shape == Shape::rest) at += rest & 3;
  rest &= ~3U;
  for (int64_t k = 1; k <= most; ++k) {
    if (window.shape == Shape::whiles && !is_before()) return k;
    at += unrolled ? 4 : window.step;
    rest -= 4;
    const bool ends = window.shape == Shape::does    ? !is_before()
                      : window.shape == Shape::fours ? rest == 0
                      : window.shape == Shape::rest  ? at == end
                                                     : false;
    if (ends) return k;
  }
  return most + 1;
}

void check_random_windows(uint64_t first, uint64_t count) {
  int64_t bounded = 0, close = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Window window = Maker(seed).window();
    const ir::Flow facts = test::facts_of(ptx_of(window), test::block_of(32));
    for (const ir::Loop& loop : facts.loops) {
      if (loop.label != "$L" || !loop.trip_count) continue;
      ++bounded;
      INFO("seed " << seed << ", bound " << *loop.trip_count << "\n" << ptx_of(window));
      int64_t longest = 0;
      std::mt19937_64 random(seed);
      for (int i = 0; i < 200; ++i) {
        uint32_t values[sources];
        for (unsigned s = 0; s < sources; ++s) {
          const uint32_t kind = static_cast<uint32_t>(random() % 6);
          values[s] = masks[s] & (kind == 0 ? 0 : kind == 1 ? ~0U : static_cast<uint32_t>(random()));
        }
        longest = std::max(longest, iterations(window, values, std::min(*loop.trip_count, most_iterations)));
      }
      REQUIRE((longest <= *loop.trip_count || *loop.trip_count > most_iterations));
      close += longest > 0 && *loop.trip_count <= 2 * longest ? 1 : 0;
    }
  }
  CHECK(bounded * 2 > warpspan::test::or_half(static_cast<int64_t>(count)));
  CHECK(close * 4 > warpspan::test::or_half(bounded));
}

}  // namespace

// k and j fall by 100 in each of 20 iterations, from n + 200 and from max(n, -100) + 200: j never wraps, but k does if
// n is the least number. Where j is looked at in the case that n is the larger one, it is as k is.
TEST_CASE("that a counter does not wrap in one case is not reported of others that look alike there") {
  const std::string body =
      "ld.param.u32 %r1, [n];\nld.param.u32 %r2, [m];\nmax.s32 %r3, %r1, -100;\nmov.u32 %r4, 0;\n"
      "add.s32 %r5, %r3, 200;\nadd.s32 %r6, %r1, 200;\n$A:\nmax.s32 %r7, %r5, %r2;\nmov.u32 %r8, 0;\n$B:\n"
      "add.s32 %r8, %r8, 1;\nsetp.lt.s32 %p1, %r8, %r7;\n@%p1 bra $B;\nmov.u32 %r9, 0;\n$C:\nadd.s32 %r9, %r9, 1;\n"
      "setp.lt.s32 %p2, %r9, %r6;\n@%p2 bra $C;\nadd.s32 %r5, %r5, -100;\nadd.s32 %r6, %r6, -100;\n"
      "add.s32 %r4, %r4, 1;\nsetp.lt.s32 %p3, %r4, 20;\n@%p3 bra $A;\nret;";
  const auto loops = test::facts_of(body, test::with_argument(test::block_of(32), "n", "-2147483648..-50")).loops;
  REQUIRE(loops.size() == 3);
  CHECK(loops[2].label == "$C");
  CHECK_FALSE(loops[2].trip_count);
}

TEST_CASE("random windows never run longer than their bound") {
  check_random_windows(warpspan::test::first_seed(1, 1500), warpspan::test::thinned_seeds(1500));
}

TEST_CASE("many random windows", "[.slow]") { check_random_windows(100'000, 200'000); }
