// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments from PTX files and the options of the command line that go with them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/reference/comparison.hpp"

namespace warpspan::test {

inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

inline ir::Extent extent_of(const std::string& text) {
  ir::Extent extent;
  char comma = ' ';
  std::istringstream(text) >> extent.x >> comma >> extent.y >> comma >> extent.z;
  return extent;
}

// An experiment without text, launched as the options say: --kernel, --block, --grid, --arg.
inline reference::Experiment with_options(const std::string& options) {
  reference::Experiment experiment;
  const std::vector<std::string> words = words_of(options);
  for (size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& value = words[i + 1];
    if (words[i] == "--kernel") experiment.kernel = value;
    if (words[i] == "--block") experiment.launch.block = extent_of(value);
    if (words[i] == "--grid") experiment.launch.grid = extent_of(value);
    if (words[i] == "--arg") {
      const size_t equal = value.find('=');
      experiment.launch.arguments.push_back({value.substr(0, equal), value.substr(equal + 1)});
    }
  }
  return experiment;
}

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The first kernel of a text.
inline std::string first_kernel(const std::string& text) {
  std::smatch match;
  return std::regex_search(text, match, std::regex("\\.entry\\s+([\\w$]+)")) ? match[1].str() : "";
}

// A sample, launched as the table of the samples recommends.
struct SampleRow {
  std::vector<std::filesystem::path> files;        // sorted
  std::vector<reference::Experiment> experiments;  // without text; those that assume a loop bound left out
};

inline std::vector<SampleRow> sample_rows() {
  const std::filesystem::path folder = warpspan::test::source_dir() + "/samples";
  std::ifstream in(folder / "README.md");
  const std::regex row("\\| `(\\w+)` \\|.*\\| (.*) \\|");
  const std::regex code("`([^`]*)`");
  std::vector<SampleRow> result;
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    SampleRow found;
    const std::string cell = match[2];
    for (std::sregex_iterator it(cell.begin(), cell.end(), code), end; it != end; ++it) {
      const std::string options = (*it)[1];
      // Memory of any contents would break the promise that a loop bound is.
      if (options.find("--loop-bound") == std::string::npos) found.experiments.push_back(with_options(options));
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() == ".ptx" && name.substr(0, name.find('.')) == match[1]) {
        found.files.push_back(entry.path());
      }
    }
    std::sort(found.files.begin(), found.files.end());
    result.push_back(std::move(found));
  }
  return result;
}

}  // namespace warpspan::test
