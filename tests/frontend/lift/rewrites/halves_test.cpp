// Numbers of 64 bits whose halves a loop keeps apart.
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::trips_of;
using test::with_argument;

namespace {

// w counts down to 0 by `step` in the registers %r1 and %r2, which `between` may do something to.
std::string counted_down(int step, const std::string& between = "") {
  return "ld.param.u64 %d1, [w];\nmov.b64 {%r1, %r2}, %d1;\n$L:\nmov.b64 %d2, {%r1, %r2};\nadd.s64 %d3, %d2, -" +
         std::to_string(step) + ";\nmov.b64 {%r1, %r2}, %d3;\n" + between +
         "mov.b64 %d4, {%r1, %r2};\nsetp.gt.s64 %p1, %d4, 0;\n@%p1 bra $L;\nret;";
}

ir::Launch w_is(int64_t w) { return with_argument(block_of(32), "w", std::to_string(w)); }

}  // namespace

TEST_CASE("a number whose halves are two phis is counted as one") {
  CHECK(trips_of(counted_down(1), w_is(1000)) == std::vector<std::string>{"$L: 1000"});
  CHECK(trips_of(counted_down(4), w_is(10'000'000'000)) == std::vector<std::string>{"$L: 2500000000"});
}

TEST_CASE("what is selected by halves is selected as a whole") {
  const std::string selects =
      "ld.param.u32 %r5, [n];\nsetp.eq.u32 %p2, %r5, 7;\nselp.b32 %r3, %r1, 0, %p2;\nselp.b32 %r4, %r2, 0, %p2;\n"
      "mov.b32 %r1, %r3;\nmov.b32 %r2, %r4;\n";
  CHECK(trips_of(counted_down(1, selects), with_argument(w_is(1000), "n", "7")) ==
        std::vector<std::string>{"$L: 1000"});
}

TEST_CASE("halves that are exchanged are no halves of one number") {
  const std::string swaps = "mov.b32 %r3, %r1;\nmov.b32 %r1, %r2;\nmov.b32 %r2, %r3;\n";
  const auto trips = trips_of(counted_down(1, swaps), w_is(1000));
  REQUIRE(trips.size() == 1);
  CHECK(trips[0] != "$L: 1000");  // 999 * 2^32 is greater than 0, and so on
}
