// SPDX-License-Identifier: GPL-3.0-or-later
// Compares whole reports with those in tests/golden.
#include <catch2/catch.hpp>
#include <regex>
#include <sstream>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using warpspan::test::ProgramRun;
using warpspan::test::read_file;
using warpspan::test::run_warpspan;

struct Case {
  std::string golden;                  // path without extension
  std::vector<std::string> arguments;  // of warpspan, without the format
};

std::vector<Case> cases() {
  std::vector<Case> all;
  std::istringstream lines(read_file(warpspan::test::source_dir() + "/tests/golden/cases"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    if (!(words >> name) || name.front() == '#') continue;
    Case one{warpspan::test::source_dir() + "/tests/golden/" + name, {}};
    for (std::string word; words >> word;) one.arguments.push_back(word);
    all.push_back(one);
  }
  return all;
}

// As tests/golden/update does.
std::string settled(const std::string& report) {
  static const std::regex in_json("\"(seconds|memory)\": [-+.e0-9]+");
  static const std::regex rate("[0-9,]+ states/s");
  static const std::regex in_table(
      " +[0-9]+\\.[0-9]{3}  (exact|upper|lower|published|time-limit|too-large|overflow|not-applicable|failed)");
  const std::string json = std::regex_replace(report, in_json, "\"$1\": 0");
  return std::regex_replace(std::regex_replace(json, rate, "0 states/s"), in_table, "  0  $1");
}

// Where two texts part, for a message that can be read.
std::string first_difference(const std::string& is, const std::string& golden) {
  std::istringstream a(is);
  std::istringstream b(golden);
  std::string line_a, line_b;
  for (int number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "line ends";
    if (more_a && more_b && line_a == line_b) continue;
    return "line " + std::to_string(number) + "\n  is:     " + (more_a ? line_a : "missing") +
           "\n  golden: " + (more_b ? line_b : "missing");
  }
}

void compare(const std::string& is, const std::string& path) {
  const std::string golden = read_file(path);
  if (is == golden) {
    SUCCEED();
    return;
  }
  FAIL_CHECK(path << " differs in " << first_difference(is, golden)
                  << "\nIf the new report is right, run tests/golden/update and read the difference.");
}

}  // namespace

TEST_CASE("reports are those in tests/golden") {
  const auto all = cases();
  REQUIRE(all.size() >= 5);
  for (const Case& one : all) {
    for (const std::string format : {"text", "json"}) {
      INFO(one.golden << " as " << format);
      std::vector<std::string> arguments = one.arguments;
      arguments.insert(arguments.end(), {"--format", format});
      const ProgramRun run = run_warpspan(arguments);
      CHECK(run.err.empty());
      CHECK(run.status == 0);
      compare(settled(run.out), one.golden + (format == "text" ? ".txt" : ".json"));
    }
  }
}
