// Experiments from PTX files and the options of the command line that go with them.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

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

}  // namespace warpspan::test
