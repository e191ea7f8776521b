// SPDX-License-Identifier: GPL-3.0-or-later
// The table of trip methods (ir/trip_methods.def) against the sources that have them, and against docs/lifting.md.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"

using namespace warpspan;

namespace {

struct Row {
  std::string name, source, stage, loops;
};
const std::vector<Row> methods = {
#define TRIP_METHOD(name, source, stage, loops) {#name, #source, #stage, loops},
#include "ir/trip_methods.def"
};

struct Source {
  std::string enumerator, name;
};
const std::vector<Source> sources = {
#define TRIP_SOURCE(enumerator, name, known, assumed) {#enumerator, name},
#include "ir/trip_methods.def"
};

std::string name_of(const std::string& enumerator) {
  const auto found = std::find_if(sources.begin(), sources.end(),
                                  [&](const Source& source) { return source.enumerator == enumerator; });
  REQUIRE(found != sources.end());
  return found->name;
}

std::string text_of(const std::string& path) {
  std::ifstream in(test::source_dir() + "/" + path);
  INFO(path);
  REQUIRE(in.good());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The cells of the row of a table that begins with a name; none if there is no such row.
std::vector<std::string> row_of(const std::string& page, const std::string& name) {
  const size_t begin = page.find("\n| `" + name + "` |");
  if (begin == std::string::npos) return {};
  std::istringstream line(page.substr(begin + 1, page.find('\n', begin + 1) - begin - 1));
  std::vector<std::string> cells;
  for (std::string cell; std::getline(line, cell, '|');) cells.push_back(cell);
  return cells;
}

}  // namespace

TEST_CASE("each trip method is described, with its source and the file that has it") {
  const std::string page = text_of("docs/lifting.md");
  std::set<std::string> names;
  for (const Row& method : methods) {
    CAPTURE(method.name);
    CHECK(names.insert(method.name).second);
    const auto cells = row_of(page, method.name);
    REQUIRE(cells.size() == 6);  // before the first bar: nothing
    CHECK(cells[2] == " " + method.loops + " ");
    CHECK(cells[4] == " `" + name_of(method.source) + "` ");
    const std::string file = cells[5].substr(2, cells[5].size() - 4);
    CHECK(text_of("frontend/lift/trips/methods/" + file).find(" trips_by_" + method.name + "(") != std::string::npos);
  }
}

TEST_CASE("each source of a trip count is described") {
  const std::string page = text_of("docs/lifting.md");
  for (const Source& source : sources) {
    CAPTURE(source.name);
    CHECK(row_of(page, source.name).empty() == (source.name == "none"));
  }
}

TEST_CASE("trip methods stand in the order of their stages") {
  const std::vector<std::string> stages = {"closed_form", "simulated", "bounding", "waiting",
                                           "following",   "last",      "retrying"};
  auto stage = stages.begin();
  for (const Row& method : methods) {
    CAPTURE(method.name, method.stage);
    stage = std::find(stage, stages.end(), method.stage);
    REQUIRE(stage != stages.end());
  }
}
