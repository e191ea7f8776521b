// The samples, launched as their table recommends, on memory of any contents: no execution exceeds its bounds.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/reference/command_options.hpp"

using namespace warpspan;
using reference::Comparison;
using reference::Experiment;

namespace {

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
      const std::string options = (*it)[1];
      // Memory of any contents would break the promise that a loop bound is.
      if (options.find("--loop-bound") == std::string::npos) found.experiments.push_back(test::with_options(options));
    }
    result.push_back(found);
  }
  return result;
}

}  // namespace

TEST_CASE("reference: no execution of a sample exceeds its bounds") {
  int compared = 0;
  for (const Row& row : rows()) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(SOURCE_DIR) + "/samples")) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".ptx" || name.substr(0, name.find('.')) != row.sample) continue;
      for (Experiment experiment : row.experiments) {
        experiment.text = test::content_of(entry.path());
        if (experiment.kernel.empty()) experiment.kernel = test::first_kernel(experiment.text);
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
