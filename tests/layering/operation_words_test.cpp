// SPDX-License-Identifier: GPL-3.0-or-later
// Behind the front-ends operations are known by kind, facts and semantics; their words serve the look-up of costs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace fs = std::filesystem;

namespace {

// Those that look up costs by words, or make operations for that.
const std::vector<std::string> looking_up = {"ir/kernel.hpp", "timing/costs/access_classes.cpp",
                                             "timing/costs/cost.cpp", "app/calibrate/base_figures.cpp"};

bool is_looking_up(const std::string& path) {
  return path.starts_with("timing/machine/") ||
         std::find(looking_up.begin(), looking_up.end(), path) != looking_up.end();
}

// Without comments at the end of it.
std::string code_of(const std::string& line) { return line.substr(0, line.find("//")); }

// What is wrong with one line of a file; empty if nothing is.
std::string complaint(const std::string& path, const std::string& line) {
  static const std::regex words(R"(\bkey\.(opcode|types|modifiers)\b|\bOperationKey\b|\bmnemonic\(\))");
  static const std::regex compared(
      R"re(\b(opcode|mnemonic\(\)|operation\.text)\s*[=!]=\s*"|"\s*[=!]=\s*[\w.()>-]*\b(opcode|mnemonic)\b|\b(opcode|operation\.text)\.(starts_with|ends_with|find|contains|compare)\(")re");
  const std::string code = code_of(line);
  if (std::regex_search(code, compared)) return path + " compares words: " + line;
  if (!is_looking_up(path) && std::regex_search(code, words)) return path + " reads words: " + line;
  return "";
}

std::vector<std::string> complaints_of(const std::string& path, std::istream& in) {
  std::vector<std::string> found;
  for (std::string line; std::getline(in, line);) {
    const std::string text = complaint(path, line);
    if (!text.empty()) found.push_back(text);
  }
  return found;
}

}  // namespace

TEST_CASE("nothing behind the front-ends reads the words of an operation but the look-up of its costs") {
  std::vector<std::string> complaints;
  size_t files = 0;
  for (const char* room : {"ir", "frontend/lift", "timing", "app"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(warpspan::test::source_dir()) / room)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp") continue;
      ++files;
      std::ifstream in(entry.path());
      const std::string path = fs::relative(entry.path(), warpspan::test::source_dir()).generic_string();
      for (std::string& text : complaints_of(path, in)) complaints.push_back(std::move(text));
    }
  }
  CHECK(complaints == std::vector<std::string>{});
  CHECK(files > 400);
}

TEST_CASE("a word that is read, or compared with a literal, is found") {
  const auto is_refused = [](const char* path, const char* line) { return !complaint(path, line).empty(); };
  CHECK(is_refused("timing/warp/waits.cpp", R"(return operation.key.opcode == "cp.async";)"));
  CHECK(is_refused("timing/costs/cost.cpp", R"(return operation.key.opcode == "red";)"));
  CHECK(is_refused("timing/costs/cost.cpp", R"(return opcode.ends_with("arrive");)"));
  CHECK(is_refused("frontend/lift/lane_facts.cpp", "const auto& words = operation.key.modifiers;"));
  CHECK(is_refused("app/requests/gpu_code.cpp", R"(return instruction.mnemonic() == "NOP";)"));
  CHECK_FALSE(is_refused("timing/costs/cost.cpp", "auto& words = other.key.modifiers;"));
  CHECK_FALSE(is_refused("timing/warp/waits.cpp", R"(// the opcode == "cp.async" of PTX)"));
}
