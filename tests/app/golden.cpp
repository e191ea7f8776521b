// Compares whole reports with those in tests/golden.
#include <catch2/catch.hpp>
#include <sstream>

#include "run_program.hpp"

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
  std::istringstream lines(read_file(SOURCE_DIR "/tests/golden/cases"));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Case one;
    one.arguments = {"analyze"};
    for (std::string word; words >> word;) one.arguments.push_back(word);
    if (one.arguments.size() == 1 || one.arguments[1].front() == '#') continue;
    one.golden = SOURCE_DIR "/tests/golden/" + std::filesystem::path(one.arguments[1]).stem().string();
    all.push_back(one);
  }
  return all;
}

// As tests/golden/update does.
std::string without_seconds(const std::string& json) {
  const std::string key = "\"seconds\": ";
  std::string out;
  size_t begin = 0;
  for (size_t at = json.find(key); at != std::string::npos; at = json.find(key, begin)) {
    out += json.substr(begin, at + key.size() - begin) + "0";
    begin = json.find_first_not_of("+-.e0123456789", at + key.size());
  }
  return out + json.substr(begin);
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
      compare(without_seconds(run.out), one.golden + (format == "text" ? ".txt" : ".json"));
    }
  }
}
