// Every command that samples/README.md recommends does what it says, for the sample of each compiler.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/app/run_program.hpp"

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    word.erase(std::remove(word.begin(), word.end(), '\''), word.end());
    words.push_back(word);
  }
  return words;
}

struct Row {
  std::string sample;
  std::vector<std::vector<std::string>> options;  // of each command
};

std::vector<Row> rows() {
  std::ifstream in(std::string(SOURCE_DIR) + "/samples/README.md");
  const std::regex row("\\| `(\\w+)` \\|.*\\| (.*) \\|");
  const std::regex code("`([^`]*)`");
  std::vector<Row> result;
  std::string line;
  while (std::getline(in, line)) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    Row found{match[1], {}};
    const std::string cell = match[2];
    for (std::sregex_iterator it(cell.begin(), cell.end(), code), end; it != end; ++it) {
      found.options.push_back(words_of((*it)[1]));
    }
    if (found.options.empty()) found.options.push_back({});
    result.push_back(found);
  }
  return result;
}

}  // namespace

TEST_CASE("the commands of the samples' table all give a bound") {
  const std::string folder = std::string(SOURCE_DIR) + "/samples";
  size_t analysed = 0;
  for (const Row& row : rows()) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".ptx" || name.substr(0, name.find('.')) != row.sample) continue;
      for (std::vector<std::string> options : row.options) {
        options.insert(options.begin(), {"analyze", entry.path().string(), "--time-limit", "0"});
        const auto run = warpspan::test::run_warpspan(options);
        INFO(name << "\n" << run.err);
        CHECK(run.status == 0);
        CHECK(run.out.find("worst-case makespan <= ") != std::string::npos);
        ++analysed;
      }
    }
  }
  CHECK(rows().size() >= 20);
  CHECK(analysed >= 40);
}
