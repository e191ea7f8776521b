// The table of trip methods (ir/trip_methods.def) against the sources that have them, and against docs/lifting.md.
#include "frontend/lift/trips/methods/trip_methods.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"

using namespace warpspan;

namespace {

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
  const std::vector<std::string> sources = {
#define TRIP_SOURCE(enumerator, name, known, assumed) name,
#include "ir/trip_methods.def"
  };
  std::set<std::string> names;
  for (const lift::TripMethod& method : lift::trip_methods()) {
    const std::string name(method.name);
    CAPTURE(name);
    CHECK(names.insert(name).second);
    CHECK_FALSE(method.loops.empty());
    const auto cells = row_of(page, name);
    REQUIRE(cells.size() == 6);  // before the first bar: nothing
    CHECK(cells[4] == " `" + sources[static_cast<size_t>(method.source)] + "` ");
    const std::string file = cells[5].substr(2, cells[5].size() - 4);
    CHECK(text_of("frontend/lift/trips/methods/" + file).find(" trips_by_" + name + "(") != std::string::npos);
  }
}

TEST_CASE("each source of a trip count is described") {
  const std::string page = text_of("docs/lifting.md");
  const std::vector<std::string> sources = {
#define TRIP_SOURCE(enumerator, name, known, assumed) name,
#include "ir/trip_methods.def"
  };
  for (const std::string& source : sources) {
    CAPTURE(source);
    CHECK(row_of(page, source).empty() == (source == "none"));
  }
}

TEST_CASE("a method that only bounds is asked after those that count") {
  lift::TripStage last = lift::TripStage::closed_form;
  for (const lift::TripMethod& method : lift::trip_methods()) {
    CHECK(method.stage >= last);
    last = method.stage;
  }
}
