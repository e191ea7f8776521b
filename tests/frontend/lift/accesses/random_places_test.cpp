// SPDX-License-Identifier: GPL-3.0-or-later
// Places in rings, digits of a thread's number, remainders with a sign, and places behind guards by extremes, against
// what each thread accesses.
#include <algorithm>
#include <set>

#include "support/floor_divide.hpp"
#include "tests/frontend/lift/find_facts.hpp"
#include "tests/random_numbers.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using test::block_of;
using test::with_grid;

namespace {

// %r1: thread, %r3: number of the thread in the grid; %d4: an array of it that says anything.
const std::string start =
    "ld.param.u64 %d1, [p];\nld.param.u64 %d4, [w];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r5, %ntid.x;\nmad.lo.s32 %r3, %r2, %r5, %r1;\n";

// p[%r9] of 4 bytes.
const std::string load = "mul.wide.s32 %d2, %r9, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r10, [%d3];\n";

std::string text(int64_t number) { return std::to_string(number); }

// The access of p.
const ir::Access& access_of(const ir::Flow& flow) {
  const ir::Access* found = nullptr;
  for (const ir::Access& access : flow.accesses) {
    if (access.object != ir::no_object && flow.objects[access.object].name == "p") found = &access;
  }
  REQUIRE(found != nullptr);
  return *found;
}

// Of lanes that begin anywhere in a line.
int64_t most_lines(const std::vector<int64_t>& places) {
  size_t most = 0;
  for (int64_t begin = 0; begin < 128; begin += 4) {
    std::set<int64_t> lines;
    for (const int64_t place : places) lines.insert(support::floor_divide(begin + 4 * place, 128));
    most = std::max(most, lines.size());
  }
  return static_cast<int64_t>(most);
}

}  // namespace

TEST_CASE("random rings: no warp asks for more lines than are counted") {
  test::Random random(test::first_seed(71, 40));
  int64_t counted_few = 0;
  for (int round = 0; round < test::thinned_seeds(40); ++round) {
    const int64_t blocks = 1 + test::below(random, 5), factor = 1 + test::below(random, 3);
    const int64_t mask = (int64_t{1} << (4 + test::below(random, 8))) - 1;
    const int64_t step = test::below(random, 5000) - 1000, more = test::below(random, 300);
    const int64_t turns = 1 + test::below(random, 12);
    const ir::Flow flow =
        test::facts_of(start + "mad.lo.s32 %r6, %r3, " + text(factor) + ", " + text(more) +
                           ";\nmov.u32 %r7, 0;\n$L:\nand.b32 %r9, %r6, " + text(mask) + ";\n" + load +
                           "add.s32 %r6, %r6, " + text(step) + ";\nand.b32 %r6, %r6, " + text(mask) +
                           ";\nadd.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, " + text(turns) + ";\n@%p1 bra $L;\nret;",
                       with_grid(block_of(64), blocks));
    const ir::Access& access = access_of(flow);
    const int64_t lines = flow.transactions[access.instruction];
    counted_few += lines < 32 ? 1 : 0;
    for (int64_t warp = 0; warp < 2 * blocks; ++warp) {
      for (int64_t turn = 0; turn < turns; ++turn) {
        std::vector<int64_t> places;
        for (int64_t lane = 0; lane < 32; ++lane) {
          places.push_back(((warp * 32 + lane) * factor + more + turn * step) & mask);
          if (access.span) REQUIRE(4 * places.back() >= access.span->first);
          if (access.span) REQUIRE(4 * places.back() + 4 <= access.span->end);
        }
        REQUIRE(most_lines(places) <= lines);
      }
    }
  }
  CHECK(counted_few > 0);
}

namespace {

// What is done to a number below 2^31, which stays one.
struct Step {
  std::string opcode;
  int64_t by = 0;

  int64_t operator()(int64_t number) const {
    if (opcode == "and.b32") return number & by;
    if (opcode == "or.b32") return number | by;
    if (opcode == "xor.b32") return number ^ by;
    if (opcode == "shr.u32") return number >> by;
    if (opcode == "rem.u32" || opcode == "rem.s32") return number % by;
    return number / by;
  }
};

Step random_step(test::Random& random) {
  static constexpr const char* opcodes[] = {"and.b32", "or.b32",  "xor.b32", "shr.u32",
                                            "rem.u32", "div.u32", "rem.s32", "div.s32"};
  const auto which = static_cast<size_t>(test::below(random, 8));
  const int64_t power = int64_t{1} << test::below(random, 10);
  const bool is_odd = test::below(random, 3) == 0;
  const int64_t number = is_odd ? 1 + test::below(random, 1200) : test::below(random, 2) == 0 ? power : 2 * power - 1;
  return {opcodes[which], which == 3 ? test::below(random, 9) : number};
}

}  // namespace

// A part of the thread's number in the grid, and another one of it, as rows and columns are.
TEST_CASE("random digits: no place is outside of the span, no warp asks for more lines than are counted") {
  test::Random random(test::first_seed(74, 400));
  int64_t bounded = 0, few = 0, tight = 0;
  for (int round = 0; round < test::thinned_seeds(400); ++round) {
    const int64_t threads = int64_t{32} << test::below(random, 3), blocks = 1 + test::below(random, 40);
    const int64_t more = test::below(random, 3) == 0 ? test::below(random, 300) : 0;
    const int64_t factor = test::below(random, 3) - 1, scale = 1 + test::below(random, 40);
    const Step first = random_step(random), second = random_step(random), third = random_step(random);
    const auto line = [](const Step& step, const char* result, const char* source) {
      return step.opcode + " " + result + ", " + source + ", " + text(step.by) + ";\n";
    };
    const ir::Flow flow =
        test::facts_of(start + "add.s32 %r6, %r3, " + text(more) + ";\n" + line(first, "%r7", "%r6") +
                           line(second, "%r8", "%r7") + line(third, "%r11", "%r6") + "mul.lo.s32 %r8, %r8, " +
                           text(scale) + ";\nmad.lo.s32 %r9, %r11, " + text(factor) + ", %r8;\n" + load + "ret;",
                       with_grid(block_of(threads), blocks));
    const ir::Access& access = access_of(flow);
    const int64_t lines = flow.transactions[access.instruction];
    INFO(first.opcode << " " << first.by << ", " << second.opcode << " " << second.by << ", " << third.opcode << " "
                      << third.by << ": " << factor << ", " << scale << ", " << more);
    int64_t least = INT64_MAX, most = INT64_MIN;
    std::set<int64_t> touched;
    for (int64_t warp = 0; warp < threads / 32 * blocks; ++warp) {
      std::vector<int64_t> places;
      for (int64_t lane = 0; lane < 32; ++lane) {
        const int64_t number = warp * 32 + lane + more;
        places.push_back(scale * second(first(number)) + factor * third(number));
        least = std::min(least, 4 * places.back());
        most = std::max(most, 4 * places.back() + 4);
        touched.insert(support::floor_divide(4 * places.back(), 128));
      }
      REQUIRE(most_lines(places) <= lines);
    }
    if (access.span) REQUIRE((access.span->first <= least && most <= access.span->end));
    if (access.grid_lines) REQUIRE(static_cast<int64_t>(touched.size()) <= *access.grid_lines);
    bounded += access.span ? 1 : 0;
    few += lines <= 4 ? 1 : 0;
    tight += access.span && access.span->first == least && access.span->end == most ? 1 : 0;
  }
  CHECK(bounded > 300 * test::thinned_seeds(400) / 400);
  CHECK(few > 50 * test::thinned_seeds(400) / 400);
  CHECK(tight > 50 * test::thinned_seeds(400) / 400);
}

TEST_CASE("random remainders of what is loaded: no place is outside of the span, no warp asks for more lines") {
  test::Random random(test::first_seed(72, 40));
  for (int round = 0; round < test::thinned_seeds(40); ++round) {
    const int64_t divisor = 1 + test::below(random, 200), factor = 1 + test::below(random, 4);
    const int64_t more = test::below(random, 100) - 50;
    const bool negated = test::below(random, 2) == 0;
    // As machine code divides: the absolute value, and then its sign.
    const ir::Flow flow = test::facts_of(
        start +
            "mul.wide.s32 %d5, %r3, 4;\nadd.s64 %d6, %d4, %d5;\nld.global.u32 %r11, [%d6];\nabs.s32 %r12, %r11;\n"
            "rem.u32 %r13, %r12, " +
            text(divisor) + ";\nneg.s32 %r14, %r13;\nsetp.lt.s32 %p1, %r11, 0;\n" +
            (negated ? "selp.b32 %r15, %r13, %r14, %p1;\n" : "selp.b32 %r15, %r14, %r13, %p1;\n") +
            "mad.lo.s32 %r9, %r15, " + text(factor) + ", " + text(more) + ";\n" + load + "ret;",
        with_grid(block_of(64), 4));
    const ir::Access& access = access_of(flow);
    REQUIRE(access.span);
    REQUIRE(access.grid_lines);
    // A number for the sign that the least of 32 bits has, too: its absolute value is 2^31.
    std::vector<int64_t> places;
    for (int64_t lane = 0; lane < 32; ++lane) {
      const auto data = lane == 0 ? INT32_MIN : static_cast<int32_t>(test::below(random, int64_t{1} << 32));
      const int64_t rest = std::abs(static_cast<int64_t>(data)) % divisor;
      places.push_back(((data < 0) != negated ? -rest : rest) * factor + more);
      REQUIRE(4 * places.back() >= access.span->first);
      REQUIRE(4 * places.back() + 4 <= access.span->end);
    }
    CHECK(access.span->end - access.span->first <= 4 * (2 * (divisor - 1) * factor + 1));
    CHECK(most_lines(places) <= flow.transactions[access.instruction]);
    CHECK(most_lines(places) <= *access.grid_lines);
  }
}

TEST_CASE("random guards by the smaller and the larger of two numbers: no place is outside of the span") {
  test::Random random(test::first_seed(73, 60));
  int64_t cut = 0, outside = 0;
  for (int round = 0; round < test::thinned_seeds(60); ++round) {
    const int64_t low = test::below(random, 20) - 4, high = test::below(random, 80);
    const bool by_least = test::below(random, 4) != 0, by_most = test::below(random, 4) != 0;
    const bool both_extremes_swapped = test::below(random, 4) == 0;  // says that one of them suffices
    const std::string least = both_extremes_swapped ? "max" : "min", most = both_extremes_swapped ? "min" : "max";
    std::string body = "mov.u32 %r4, %tid.y;\nmov.u32 %r6, %ctaid.y;\nmad.lo.s32 %r6, %r6, 8, %r4;\n" + least +
                       ".s32 %r7, %r3, %r6;\n" + most + ".s32 %r8, %r3, %r6;\n";
    if (by_least) body += "setp.le.s32 %p1, %r7, " + text(low) + ";\n@%p1 bra E;\n";
    if (by_most) body += "setp.ge.s32 %p2, %r8, " + text(high) + ";\n@%p2 bra E;\n";
    body += "mad.lo.s32 %r9, %r6, 64, %r3;\n" + load + "E:\nret;";
    const ir::Flow flow = test::facts_of(start + body, with_grid(block_of(32, 8), 2, 8));
    std::vector<int64_t> places;
    for (int64_t x = 0; x < 64; ++x) {
      for (int64_t y = 0; y < 64; ++y) {
        const int64_t first = both_extremes_swapped ? std::max(x, y) : std::min(x, y);
        const int64_t second = both_extremes_swapped ? std::min(x, y) : std::max(x, y);
        if ((by_least && first <= low) || (by_most && second >= high)) {
          ++outside;
        } else {
          places.push_back(4 * (64 * y + x));
        }
      }
    }
    if (places.empty()) continue;
    const ir::Access& access = access_of(flow);
    REQUIRE(access.span);
    cut += access.span->first > 0 || access.span->end < 4 * 64 * 64 ? 1 : 0;
    for (const int64_t place : places) {
      REQUIRE(place >= access.span->first);
      REQUIRE(place + 4 <= access.span->end);
    }
  }
  CHECK(cut > 0);
  CHECK(outside > 0);
}
