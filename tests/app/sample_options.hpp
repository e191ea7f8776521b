// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that samples/README.md recommends, for the sample of each compiler.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace warpspan::test {

struct SampleCommand {
  std::vector<std::string> options;
  std::vector<std::string> files;  // of the sample, sorted
};

inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    word.erase(std::remove(word.begin(), word.end(), '\''), word.end());
    words.push_back(word);
  }
  return words;
}

inline std::vector<std::string> sample_files(const std::string& sample) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(warpspan::test::source_dir() + "/samples")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".ptx" && name.substr(0, name.find('.')) == sample) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// In the order of the table's rows; a row without options is a command without them.
inline std::vector<SampleCommand> sample_commands() {
  std::ifstream in(warpspan::test::source_dir() + "/samples/README.md");
  const std::regex row("\\| `(\\w+)` \\|.*\\| (.*) \\|");
  const std::regex code("`([^`]*)`");
  std::vector<SampleCommand> commands;
  std::string line;
  while (std::getline(in, line)) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const std::vector<std::string> files = sample_files(match[1]);
    const std::string cell = match[2];
    std::sregex_iterator option(cell.begin(), cell.end(), code);
    if (option == std::sregex_iterator()) commands.push_back({{}, files});
    for (; option != std::sregex_iterator(); ++option) commands.push_back({words_of((*option)[1]), files});
  }
  return commands;
}

}  // namespace warpspan::test
