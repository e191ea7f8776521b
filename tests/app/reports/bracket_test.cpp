// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/bracket.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::app;

TEST_CASE("what is known of the worst case, in a line") {
  const auto text = [](const Bracket& bracket) { return bracket_text(bracket, "worst case"); };
  CHECK(text({9, 9}) == "worst case = 9 cycles (exact)");
  CHECK(text({1, 1}) == "worst case = 1 cycle (exact)");
  CHECK(text({9, 12}) == "9 <= worst case <= 12 cycles (gap 25 %)");
  CHECK(text({8, 12}) == "8 <= worst case <= 12 cycles (gap 33 %)");
  CHECK(text({999, 1000}) == "999 <= worst case <= 1,000 cycles (gap below 1 %)");
  CHECK(text({{}, 12}) == "worst case <= 12 cycles");
  CHECK(text({9, {}}) == "worst case >= 9 cycles, no safe upper bound");
  CHECK(text({}) == "worst case unknown: no safe bound was found");
}

TEST_CASE("gaps of large numbers") {
  CHECK(gap({1, INT64_MAX}) == 10'000);
  CHECK(gap({INT64_MAX, INT64_MAX}) == 0);
  CHECK_FALSE(gap({{}, 12}).has_value());
}
