#include "app/requests/input_files.hpp"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "support/isolated.hpp"

namespace warpspan::app {

namespace {

namespace fs = std::filesystem;
using support::Result;

Result<std::vector<std::string>> files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  fs::recursive_directory_iterator entries(folder, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    std::error_code unknown;
    if (is_input(entries->path()) && entries->is_regular_file(unknown)) files.push_back(entries->path());
  }
  if (failed) {
    return support::usage_error("cannot read the folder '" + folder + "': " + failed.message(),
                                "give a folder that is readable, or files");
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) return support::usage_error("no .ptx file is in the folder '" + folder + "'", "give files");
  return files;
}

Result<std::vector<std::string>> files_matching(const std::string& pattern) {
  glob_t found{};
  const int status = ::glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
  ::globfree(&found);
  if (status != 0 && status != GLOB_NOMATCH) {
    return support::usage_error("cannot read all folders of the pattern '" + pattern + "'", "give files");
  }
  if (files.empty()) {
    return support::usage_error("no file matches '" + pattern + "'", "give files that exist, or another pattern");
  }
  return files;
}

Result<std::vector<std::string>> files_of(const std::string& word) {
  std::error_code unknown;
  if (word == "-") return std::vector{word};
  if (fs::is_directory(word, unknown)) return files_below(word);
  const bool is_pattern = word.find_first_of("*?[") != std::string::npos;
  if (is_pattern && !fs::exists(word, unknown)) return files_matching(word);
  return std::vector{word};
}

}  // namespace

bool is_input(const std::string& path) { return fs::path(path).extension() == ".ptx"; }

Result<std::vector<std::string>> input_files(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  std::set<std::string> known;
  support::Diagnostics errors;
  for (const std::string& word : words) {
    const auto files = files_of(word);
    if (!files) {
      errors.insert(errors.end(), files.errors().begin(), files.errors().end());
      continue;
    }
    for (const std::string& file : *files) {
      if (known.insert(file).second) all.push_back(file);
    }
  }
  if (!errors.empty()) return errors;
  return all;
}

support::Result<support::SourceFile> read_isolated(const std::string& path) {
  return support::isolated({}, "while the file was read", [&] { return support::read_source(path); });
}

}  // namespace warpspan::app
