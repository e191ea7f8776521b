// SPDX-License-Identifier: GPL-3.0-or-later
// The include table of cmake/layers.txt against the includes of every source file.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace fs = std::filesystem;

namespace {

struct Layers {
  std::map<std::string, std::vector<std::string>> folders;    // folder -> folders it may include
  std::map<std::string, std::vector<std::string>> libraries;  // "<llvm/" -> where it may appear
  std::vector<std::string> apart;                             // folders whose files do not include one another
  std::vector<std::string> order;                             // folders, as they stand there
};

Layers read_layers() {
  std::ifstream in(warpspan::test::source_dir() + "/cmake/layers.txt");
  REQUIRE(in.good());
  Layers layers;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    const size_t colon = line.rfind(':');
    REQUIRE(colon != std::string::npos);
    const std::string name = line.substr(0, colon);
    std::istringstream rest(line.substr(colon + 1));
    std::vector<std::string> allowed;
    for (std::string word; rest >> word;) allowed.push_back(word);
    if (name == "each") {
      layers.apart.insert(layers.apart.end(), allowed.begin(), allowed.end());
    } else {
      (name[0] == '<' ? layers.libraries : layers.folders)[name] = allowed;
      if (name[0] != '<') layers.order.push_back(name);
    }
  }
  return layers;
}

// The folder of the table that a path belongs to: the longest that is a prefix of it.
std::string folder_of(const Layers& layers, const std::string& path) {
  std::string best;
  for (const auto& [folder, allowed] : layers.folders) {
    if (path.rfind(folder + "/", 0) == 0 && folder.size() > best.size()) best = folder;
  }
  return best;
}

// "app/cli/output" of "app/cli/output.hpp".
std::string without_extension(const std::string& path) { return path.substr(0, path.rfind('.')); }

std::vector<std::string> includes_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> includes;
  std::string line;
  while (std::getline(in, line)) {
    if (line.rfind("#include ", 0) == 0) includes.push_back(line.substr(9));
  }
  return includes;
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Files that CONTRIBUTING.md has the reader make.
bool is_example(const std::string& path) {
  return path.find("analyze_github") != std::string::npos || path.find("/list") != std::string::npos;
}

// What is wrong with one include of one file; empty if nothing is.
std::string complaint(const Layers& layers, const std::string& path, const std::string& include) {
  if (include[0] == '<') {
    for (const auto& [library, places] : layers.libraries) {
      if (include.rfind(library, 0) != 0) continue;
      bool allowed = false;
      for (const std::string& place : places) allowed = allowed || path.rfind(place, 0) == 0;
      if (!allowed) return path + " includes " + include;
    }
    return "";
  }
  const std::string target = folder_of(layers, include.substr(1));
  const std::string own = folder_of(layers, path);
  if (target.empty()) return path + " includes " + include + ", which is in no room";
  const std::vector<std::string>& allowed = layers.folders.at(own);
  const bool apart = std::find(layers.apart.begin(), layers.apart.end(), own) != layers.apart.end();
  const bool neighbour = target == own && without_extension(include.substr(1)) != without_extension(path);
  if (apart && neighbour) return path + " includes its neighbour " + include;
  const bool fine = target == own || std::find(allowed.begin(), allowed.end(), target) != allowed.end();
  return fine ? "" : path + " includes " + include;
}

}  // namespace

TEST_CASE("every include goes the way the house is built") {
  const Layers layers = read_layers();
  std::vector<std::string> complaints;
  size_t files = 0;
  for (const auto& [folder, allowed] : layers.folders) {
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(warpspan::test::source_dir()) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp" && extension != ".def") continue;
      const std::string path = fs::relative(entry.path(), warpspan::test::source_dir()).generic_string();
      if (folder_of(layers, path) != folder) continue;  // a folder inside has its own line
      ++files;
      for (const std::string& include : includes_of(entry.path())) {
        const std::string text = complaint(layers, path, include);
        if (!text.empty()) complaints.push_back(text);
      }
    }
  }
  CHECK(complaints == std::vector<std::string>{});
  CHECK(files > 40);
}

TEST_CASE("a room includes only rooms that stand above it") {
  const Layers layers = read_layers();
  std::vector<std::string> above;
  for (const std::string& folder : layers.order) {
    for (const std::string& allowed : layers.folders.at(folder)) {
      INFO(folder << " includes " << allowed);
      CHECK(std::find(above.begin(), above.end(), allowed) != above.end());
    }
    above.push_back(folder);
  }
  CHECK(layers.folders.at("timing/machine") == std::vector<std::string>{"ir", "support", "timing/assumptions"});
}

TEST_CASE("no folder has more sources than one sees at a glance") {
  constexpr size_t most = 40;
  const fs::path root = warpspan::test::source_dir();
  std::map<std::string, size_t> sources;
  for (const char* top :
       {"support", "ir", "frontend", "solver", "timing", "app", "library", "tests", "bench", "fuzz"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".cpp" || extension == ".hpp" || extension == ".def")
        ++sources[fs::relative(entry.path().parent_path(), root).generic_string()];
    }
  }
  CHECK(sources.size() > 60);
  for (const auto& [folder, count] : sources) {
    INFO(folder);
    CHECK(count <= most);
  }
}

// Sources of a library are compiled several at a time (cmake/unity_groups.cmake): its enumerators would be names there
// that none of the sources spells.
TEST_CASE("headers have no enumerators without a scope") {
  const fs::path root = warpspan::test::source_dir();
  size_t headers = 0;
  for (const char* top : {"support", "ir", "frontend", "solver", "timing", "app", "library", "include"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.path().extension() != ".hpp") continue;
      ++headers;
      INFO(entry.path());
      CHECK_FALSE(std::regex_search(content_of(entry.path()), std::regex("\nenum (?!class )")));
    }
  }
  CHECK(headers > 300);
}

TEST_CASE("files that pages name are there, and so is what they name in them") {
  const fs::path root = warpspan::test::source_dir();
  const std::regex mention(
      "`((?:app|docs|frontend|include|ir|library|python|solver|support|timing|tests|cmake)/[a-z_0-9/"
      "]+\\.(?:cpp|hpp|def|txt|md))"
      "(?::([-A-Za-z_:]+))?`");
  std::vector<fs::path> pages = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  size_t found = 0;
  for (const fs::path& page : pages) {
    const std::string text = content_of(page);
    for (std::sregex_iterator it(text.begin(), text.end(), mention), end; it != end; ++it) {
      const std::string path = (*it)[1], name = (*it)[2];
      INFO(page.filename() << " names " << path << " " << name);
      if (is_example(path)) continue;
      ++found;
      CHECK(fs::exists(root / path));
      CHECK((name.empty() || content_of(root / path).find(name) != std::string::npos));
    }
  }
  CHECK(found > 120);
}

TEST_CASE("the check finds what it looks for") {
  const Layers layers = read_layers();
  CHECK(complaint(layers, "solver/strings/bounds/list_bound.cpp", "\"ir/kernel.hpp\"") ==
        "solver/strings/bounds/list_bound.cpp includes \"ir/kernel.hpp\"");
  CHECK(complaint(layers, "ir/kernel.cpp", "<llvm/IR/Module.h>") == "ir/kernel.cpp includes <llvm/IR/Module.h>");
  CHECK(complaint(layers, "ir/kernel.cpp", "\"frontend/ptx/syntax/ast.hpp\"") ==
        "ir/kernel.cpp includes \"frontend/ptx/syntax/ast.hpp\"");
  CHECK(complaint(layers, "frontend/lift/translation/lift.cpp", "<llvm/IR/Module.h>").empty());
  CHECK(complaint(layers, "app/commands/analyze.cpp", "\"solver/strings/certificate/verify.hpp\"").empty());
  CHECK(complaint(layers, "app/reports/analyze/analyze_text.cpp", "\"app/cli/option_set.hpp\"") ==
        "app/reports/analyze/analyze_text.cpp includes \"app/cli/option_set.hpp\"");
  CHECK(complaint(layers, "app/commands/analyze.cpp", "<CLI/CLI.hpp>") ==
        "app/commands/analyze.cpp includes <CLI/CLI.hpp>");
}

TEST_CASE("commands do not include one another") {
  const Layers layers = read_layers();
  CHECK(complaint(layers, "app/commands/analyze.cpp", "\"app/commands/solve.hpp\"") ==
        "app/commands/analyze.cpp includes its neighbour \"app/commands/solve.hpp\"");
  CHECK(complaint(layers, "app/commands/solve.cpp", "\"app/commands/solve.hpp\"").empty());
  CHECK(complaint(layers, "app/cli/output.cpp", "\"app/cli/memory.hpp\"").empty());
}
