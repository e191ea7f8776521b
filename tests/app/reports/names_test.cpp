// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/names.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/paths.hpp"

using namespace warpspan;

TEST_CASE("the sources of trip counts are those of the schemas") {
  std::string origins;
#define TRIP_SOURCE(enumerator, name, known, assumed)             \
  CHECK(app::to_string(ir::TripCountSource::enumerator) == name); \
  origins += std::string(origins.empty() ? "\"" : ", \"") + name + "\"";
#include "ir/trip_methods.def"
  for (const char* schema : {"analyze", "facts-report"}) {
    std::ifstream in(test::source_dir() + "/docs/schema/" + schema + ".schema.json");
    REQUIRE(in.good());
    std::ostringstream text;
    text << in.rdbuf();
    CHECK(text.str().find("\"origin\": {\"enum\": [" + origins + "]}") != std::string::npos);
  }
}
