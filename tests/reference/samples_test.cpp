// The samples, launched as their table recommends, on memory of any contents: no execution exceeds its bounds.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "tests/reference/comparison.hpp"

using namespace warpspan;
using reference::Comparison;
using reference::Experiment;

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

ir::Extent extent_of(const std::string& text) {
  ir::Extent extent;
  char comma = ' ';
  std::istringstream(text) >> extent.x >> comma >> extent.y >> comma >> extent.z;
  return extent;
}

// Nothing where a loop bound is given: memory of any contents would break that promise.
std::optional<Experiment> experiment_of(const std::string& options) {
  Experiment experiment;
  const std::vector<std::string> words = words_of(options);
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    if (words[i] == "--kernel") experiment.kernel = value;
    if (words[i] == "--block") experiment.launch.block = extent_of(value);
    if (words[i] == "--grid") experiment.launch.grid = extent_of(value);
    if (words[i] == "--loop-bound") return std::nullopt;
    if (words[i] == "--arg") {
      const size_t equal = value.find('=');
      experiment.launch.arguments.push_back({value.substr(0, equal), value.substr(equal + 1)});
    }
  }
  return experiment;
}

struct Row {
  std::string sample;
  std::vector<Experiment> experiments;  // without text
};

std::vector<Row> rows() {
  std::ifstream in(std::string(SOURCE_DIR) + "/samples/README.md");
  const std::regex row("\\| `(\\w+)` \\|.*\\| (.*) \\|");
  const std::regex code("`([^`]*)`");
  std::vector<Row> result;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    Row found{match[1], {}};
    const std::string cell = match[2];
    for (std::sregex_iterator it(cell.begin(), cell.end(), code), end; it != end; ++it) {
      if (auto experiment = experiment_of((*it)[1])) found.experiments.push_back(*experiment);
    }
    result.push_back(found);
  }
  return result;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The first kernel of a text, where the table names none.
std::string first_kernel(const std::string& text) {
  std::smatch match;
  return std::regex_search(text, match, std::regex("\\.entry\\s+([\\w$]+)")) ? match[1].str() : "";
}

}  // namespace

TEST_CASE("reference: no execution of a sample exceeds its bounds") {
  int compared = 0;
  for (const Row& row : rows()) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(SOURCE_DIR) + "/samples")) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".ptx" || name.substr(0, name.find('.')) != row.sample) continue;
      for (Experiment experiment : row.experiments) {
        experiment.text = content_of(entry.path());
        if (experiment.kernel.empty()) experiment.kernel = first_kernel(experiment.text);
        experiment.most_steps = 3'000'000;
        const Comparison result =
            compare(experiment, 1, {reference::Order::taken_first, reference::Order::any_at_split});
        INFO(name << " " << experiment.kernel << ": " << result.reason);
        INFO((result.violations.empty() ? "" : result.violations.front()));
        CHECK(result.verdict == Comparison::Verdict::compared);
        CHECK(result.violations.empty());
        ++compared;
      }
    }
  }
  CHECK(compared >= 40);
}
