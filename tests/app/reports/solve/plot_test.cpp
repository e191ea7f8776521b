// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/solve/plot.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace warpspan;
using namespace warpspan::app;

TEST_CASE("round ticks hold the range, and are few") {
  CHECK(round_ticks(0, 8) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(round_ticks(0, 60) == std::vector<double>{0, 10, 20, 30, 40, 50, 60});
  CHECK(round_ticks(2401, 3000) == std::vector<double>{2400, 2500, 2600, 2700, 2800, 2900, 3000});
  for (const double low : {0.0, 1.0, 17.0, 999.0, 1e6, 1e18}) {
    for (const double span : {0.0, 1.0, 3.0, 47.0, 1e5, 1e18}) {
      const auto ticks = round_ticks(low, low + span);
      INFO(low << " " << span);
      CHECK(ticks.size() >= 2);
      CHECK(ticks.size() <= 9);
      CHECK(ticks.front() <= low);
      CHECK(ticks.back() >= low + span);
    }
  }
}

TEST_CASE("names are escaped, and every series is in the legend") {
  Panel panel;
  panel.title = "a < b & c";
  Series series;
  series.name = "x > y";
  series.points = {{1, 1}, {2, {}}, {3, 4}};
  panel.series = {series};
  const std::string picture = svg_of({panel});
  CHECK(picture.find("a &lt; b &amp; c") != std::string::npos);
  CHECK(picture.find("x &gt; y") != std::string::npos);
  CHECK(picture.find("<polyline") == std::string::npos);  // the hole leaves two single points
  CHECK(picture.find("<circle") != std::string::npos);
}

TEST_CASE("a chart without points, or with one, has numbers all the same") {
  Panel empty;
  Panel point = empty;
  Series series;
  series.points = {{5, 7}};
  point.series = {series};
  point.from_zero = false;
  for (const Panel& panel : {empty, point}) {
    const std::string picture = svg_of({panel});
    CHECK(picture.find("nan") == std::string::npos);
    CHECK(picture.find("inf") == std::string::npos);
  }
}
