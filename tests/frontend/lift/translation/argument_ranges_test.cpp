// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of arguments against each of their values: what is reported of a range holds for every launch in it.
#include <algorithm>
#include <functional>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

constexpr int64_t enough = 1 << 18;  // iterations that are executed; from there on a loop runs on

// A loop that n decides, and what it does for one value: iterations, up to `enough`; 0 if it is not entered.
struct Shape {
  const char* name;
  std::string body;
  std::function<int64_t(uint32_t n)> iterations;
};

// "L: .. @%p1 bra L;" behind the load of n into %r1
std::string loop(const std::string& before, const std::string& iteration) {
  return "ld.param.u32 %r1, [n];\n" + before + "\nL:\n" + iteration + "\n@%p1 bra L;\nret;";
}

// Iterations of a loop with the test at its end.
int64_t counted(const std::function<bool(int64_t iteration)>& goes_on) {
  int64_t iteration = 1;
  while (iteration < enough && goes_on(iteration)) ++iteration;
  return iteration;
}

int32_t of(uint32_t n) { return static_cast<int32_t>(n); }

std::vector<Shape> shapes() {
  const std::string step = "add.s32 %r2, %r2, 1;\n";
  const std::string until = step + "setp.lt.s32 %p1, %r2, %r3;";
  const std::string from_0 = "mov.u32 %r2, 0;\n";
  const auto up_to = [](const std::function<int32_t(uint32_t)>& limit) {
    return [limit](uint32_t n) { return counted([&](int64_t iteration) { return iteration < limit(n); }); };
  };
  return {
      {"signed", loop(from_0, step + "setp.lt.s32 %p1, %r2, %r1;"), up_to(of)},
      {"unsigned", loop(from_0, step + "setp.lt.u32 %p1, %r2, %r1;"),
       [](uint32_t n) { return counted([n](int64_t iteration) { return iteration < int64_t{n}; }); }},
      {"not equal", loop(from_0, step + "setp.ne.s32 %p1, %r2, %r1;"),
       [](uint32_t n) { return counted([n](int64_t iteration) { return static_cast<uint32_t>(iteration) != n; }); }},
      {"steps of three", loop(from_0, "add.s32 %r2, %r2, 3;\nsetp.lt.s32 %p1, %r2, %r1;"),
       [](uint32_t n) { return counted([n](int64_t iteration) { return 3 * iteration < of(n); }); }},
      {"down", loop("mov.u32 %r2, %r1;\n", "add.s32 %r2, %r2, -1;\nsetp.gt.s32 %p1, %r2, 0;"),
       [](uint32_t n) { return counted([n](int64_t iteration) { return of(n) - iteration > 0; }); }},
      {"falls with n", loop(from_0 + "sub.s32 %r3, 40, %r1;\n", until), up_to([](uint32_t n) { return of(40 - n); })},
      {"falls with n, unsigned", loop(from_0 + "sub.s32 %r3, 40, %r1;\n", step + "setp.lt.u32 %p1, %r2, %r3;"),
       [](uint32_t n) { return counted([n](int64_t iteration) { return iteration < int64_t{40 - n}; }); }},
      {"remainder", loop(from_0 + "rem.u32 %r3, %r1, 7;\n", until), up_to([](uint32_t n) { return of(n % 7); })},
      {"low bits", loop(from_0 + "and.b32 %r3, %r1, 13;\n", until), up_to([](uint32_t n) { return of(n & 13U); })},
      {"square", loop(from_0 + "mul.lo.u32 %r3, %r1, %r1;\nand.b32 %r3, %r3, 63;\n", until),
       up_to([](uint32_t n) { return of(n * n & 63U); })},
      {"distance", loop(from_0 + "sub.s32 %r4, %r1, 9;\nabs.s32 %r3, %r4;\n", until),
       up_to([](uint32_t n) { return std::abs(of(n - 9)); })},
      {"smaller of two", loop(from_0 + "min.s32 %r3, %r1, 11;\n", until),
       up_to([](uint32_t n) { return std::min(of(n), 11); })},
      {"shift", loop("mov.u32 %r2, %r1;\n", "shr.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 0;"),
       [](uint32_t n) { return counted([n](int64_t iteration) { return iteration < 32 && n >> iteration != 0; }); }},
      {"signed shift", loop("mov.u32 %r2, %r1;\n", "shr.s32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 0;"),
       [](uint32_t n) {
         return counted([n](int64_t iteration) { return (iteration < 32 ? of(n) >> iteration : of(n) >> 31) != 0; });
       }},
      {"one shifted", loop("mov.u32 %r2, 1;\n", "shl.b32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;"),
       [](uint32_t n) {
         uint32_t value = 1;
         return counted([&](int64_t) { return of(value *= 2) < of(n); });
       }},
      {"thread begins", loop("mov.u32 %r2, %tid.x;\n", "add.s32 %r2, %r2, 32;\nsetp.lt.s32 %p1, %r2, %r1;"),
       [](uint32_t n) { return counted([n](int64_t iteration) { return 32 * iteration < of(n); }); }},
      {"low half",
       "ld.param.s16 %r1, [n];\nmov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n"
       "@%p1 bra L;\nret;",
       up_to([](uint32_t n) { return static_cast<int16_t>(n); })},
      {"third byte",
       "ld.param.u8 %r1, [n+2];\nmov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, 1;\n"
       "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;\nret;",
       up_to([](uint32_t n) { return of(n >> 16 & 255U); })},
      {"64 bits", loop("cvt.s64.s32 %d1, %r1;\nmov.u64 %d2, 0;\n", "add.s64 %d2, %d2, 1;\nsetp.lt.s64 %p1, %d2, %d1;"),
       up_to(of)},
      {"entered where n is odd",
       "ld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\nand.b32 %r3, %r1, 1;\nsetp.eq.s32 %p2, %r3, 0;\n@%p2 bra E;\nL:\n"
       "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;\nE:\nret;",
       [](uint32_t n) { return n % 2 == 0 ? 0 : counted([n](int64_t iteration) { return iteration < of(n); }); }},
  };
}

// The one loop of a body, whose n is given.
ir::Loop loop_for(const std::string& body, const std::string& n) {
  const ir::Flow flow = test::facts_of(body, test::with_argument(test::block_of(32), "n", n));
  REQUIRE(flow.loops.size() == 1);
  return flow.loops.front();
}

struct Ends {
  int64_t first, last;
};

}  // namespace

TEST_CASE("a range of an argument: no value of it has more iterations than the bound, and none fewer than is proven") {
  const std::vector<Ends> ranges = {
      {1, 64},    {0, 64},          {-3, 3},        {5, 9},           {12, 13},
      {100, 300}, {-40, -1},        {0, 1},         {1000, 1010},     {250, 258},
      {41, 60},   {-70000, -69990}, {65530, 65545}, {131070, 131080}, {2147483640, 2147483650}};
  int bounded = 0;
  int tight = 0;
  int all = 0;
  for (const Shape& shape : shapes()) {
    for (const Ends& range : ranges) {
      const std::string text = std::to_string(range.first) + ".." + std::to_string(range.last);
      INFO(shape.name << ", n in " << text);
      int64_t most = 0;
      int64_t fewest = INT64_MAX;
      for (int64_t n = range.first; n <= range.last; ++n) {
        const int64_t iterations = shape.iterations(static_cast<uint32_t>(n));
        most = std::max(most, iterations);
        if (iterations > 0) fewest = std::min(fewest, iterations);
      }
      const ir::Loop loop = loop_for(shape.body, text);
      ++all;
      if (fewest < enough) CHECK(loop.fewest_trips <= fewest);  // of the launches that enter the loop
      if (!loop.trip_count) continue;
      ++bounded;
      CHECK(*loop.trip_count >= most);
      tight += *loop.trip_count == most ? 1 : 0;
    }
  }
  // Or the test would say little.
  INFO(bounded << " of " << all << " bounded, " << tight << " tight");
  CHECK(bounded >= all * 3 / 4);
  CHECK(tight >= all * 2 / 3);
}

TEST_CASE("a range of one value is that value") {
  for (const Shape& shape : shapes()) {
    INFO(shape.name);
    for (const int64_t n : {1, 2, 13, 40}) {
      const std::string value = std::to_string(n);
      CHECK(loop_for(shape.body, value + ".." + value).trip_count == loop_for(shape.body, value).trip_count);
    }
  }
}

TEST_CASE("the largest number of iterations need not be at an end of the range") {
  // (n * n) & 63 of 0 to 13 is largest at 7 and 9: 49 and 17 lie between 0 and 41.
  const std::vector<Shape> all = shapes();
  const Shape& square =
      *std::find_if(all.begin(), all.end(), [](const Shape& shape) { return std::string(shape.name) == "square"; });
  CHECK(loop_for(square.body, "0..13").trip_count >= 49);
  CHECK(loop_for(square.body, "0").trip_count == 1);
  CHECK(loop_for(square.body, "13").trip_count == 41);
}

TEST_CASE("a range that lets a counter wrap around its type is refused, and named") {
  const ir::Loop loop = loop_for(
      "ld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, 1;\nsetp.ne.s32 %p1, %r2, %r1;\n@%p1 bra "
      "L;\nret;",
      "0..9");
  CHECK(!loop.trip_count);
  CHECK(loop.obstacle == "its exit test depends on parameter 'n' (0..9), whose value is not known");
  CHECK(loop.remedies == std::vector<std::string>{"{argument} n=VALUE"});
}

TEST_CASE("loads see the parts of a range, and what stands beside it") {
  const auto trips = [](const std::string& load, const std::vector<ir::Argument>& arguments) {
    const std::string text =
        ".visible .entry k(.param .align 8 .b8 s[16])\n{\n.reg .pred %p;\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n"
        ".reg .b64 %d<9>;\n" +
        load + "\nmov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p, %r2, %r1;\n@%p bra L;\nret;\n}\n";
    ir::Launch launch = test::block_of(32);
    launch.arguments = arguments;
    const auto analyzed = test::analyze(text, launch);
    INFO((analyzed.facts.ok() ? std::string() : render(analyzed.facts.errors().front(), false)));
    REQUIRE(analyzed.facts.ok());
    const ir::Loop& loop = analyzed.facts->loops.at(0);
    return loop.trip_count ? std::to_string(*loop.trip_count) : "? " + loop.obstacle;
  };
  const std::vector<ir::Argument> rows = {{"s", "3..20", ir::ByteRange{8, 4}}};
  const std::vector<ir::Argument> both = {{"s", "3..20", ir::ByteRange{8, 4}}, {"s", "7", ir::ByteRange{12, 4}}};
  CHECK(trips("ld.param.u32 %r1, [s+8];", rows) == "20");
  CHECK(trips("ld.param.u8 %r1, [s+8];", rows) == "20");
  CHECK(trips("ld.param.u16 %r1, [s+8];", rows) == "20");
  CHECK(trips("ld.param.v2.u32 {%r1, %r3}, [s+8];", rows) == "20");
  CHECK(trips("ld.param.u64 %d1, [s+8];\ncvt.u32.u64 %r1, %d1;", both) == "20");
  CHECK(trips("ld.param.u64 %d1, [s+8];\nshr.u64 %d1, %d1, 32;\ncvt.u32.u64 %r1, %d1;", both) == "7");
  CHECK(trips("ld.param.u64 %d1, [s+8];\nmov.b64 {%r1, %r3}, %d1;", both) == "20");
  // Of 64 bits one half is known.
  CHECK(trips("ld.param.u64 %d1, [s+8];\ncvt.u32.u64 %r1, %d1;", rows) == "20");
  CHECK(trips("ld.param.u64 %d1, [s+8];\nshr.u64 %d1, %d1, 32;\ncvt.u32.u64 %r1, %d1;", rows).front() == '?');
  // Of one byte nothing is known.
  CHECK(trips("ld.param.u32 %r1, [s+9];", rows).front() == '?');
}

TEST_CASE("ranges that cannot be") {
  const auto error_of = [](const std::string& value, std::optional<ir::ByteRange> bytes = std::nullopt) {
    ir::Launch launch = test::with_argument(test::block_of(32), "n", value);
    launch.arguments.back().bytes = bytes;
    const auto analyzed = test::analyze(test::kernel_k("ret;"), launch);
    return analyzed.facts.ok() ? "none" : render(analyzed.facts.errors().front(), false);
  };
  for (const char* text :
       {"0..0xffffffff", "-5..-5", "-2147483648..2147483647", "-1..4294967294", "4294967295..4294967295"})
    CHECK(error_of(text) == "none");
  CHECK(error_of("9..3") ==
        "error: the range 9..3 of parameter 'n' of kernel 'k' is empty\n  help: write the smaller number first\n");
  CHECK(error_of("1..4294967296") ==
        "error: 1..4294967296 does not fit parameter 'n' of kernel 'k', which has 32 bits\n");
  CHECK(error_of("-1..4294967295") ==
        "error: the range -1..4294967295 has more values than parameter 'n' of kernel 'k', which has 32 bits\n"
        "  help: leave it out: it says nothing\n");
  CHECK(error_of("-1..255", ir::ByteRange{1, 1}) ==
        "error: the range -1..255 has more values than byte 1 of parameter 'n' of kernel 'k', which has 8 bits\n"
        "  help: leave it out: it says nothing\n");
}

TEST_CASE("a range in a file may be repeated, and may not be another one") {
  const auto error_of = [](const std::string& first, const std::string& second) {
    ir::Launch launch = test::with_argument(test::block_of(32), "n", first);
    launch = test::with_argument(launch, "n", second);
    launch.arguments.back().origin.location.file = "facts.toml";
    const auto analyzed = test::analyze(test::kernel_k("ret;"), launch);
    return analyzed.facts.ok() ? "none" : analyzed.facts.errors().front().message;
  };
  CHECK(error_of("1..5", "1..5") == "none");
  CHECK(error_of("1..5", "0x1..0x5") == "none");
  for (const char* other : {"1..6", "0..5", "3", "5"}) {
    CHECK(error_of("1..5", other) == "parameter 'n' of kernel 'k' is given a value twice, and not the same one");
    CHECK(error_of(other, "1..5") == "parameter 'n' of kernel 'k' is given a value twice, and not the same one");
  }
}
