// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/kernels/input_files.hpp"

#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>

#include "support/isolated.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::app {

namespace {

namespace fs = std::filesystem;
using support::Result;

// Of what is read if it is named.
constexpr std::string_view endings_of_code[] = {".cubin", ".fatbin", ".so", ".o", ".a", ".ll", ".bc"};

bool is_code(const fs::path& path) {
  return std::find(std::begin(endings_of_code), std::end(endings_of_code), path.extension()) !=
         std::end(endings_of_code);
}

// What is in a folder and in those below it.
struct Folder {
  std::vector<std::string> inputs;  // sorted
  std::set<fs::path> code;          // is_code
};

std::string help_on(const Folder& found) {
  std::string help = "a folder stands for the .ptx files in it";
  if (!found.code.empty()) {
    const fs::path& first = *found.code.begin();
    help += "; name others, as " + support::shell_quoted(first.string()) + ", or a pattern: " +
            support::shell_quoted((first.parent_path() / "*").string() + first.extension().string());
  }
  return help;
}

Result<Folder> look_into(const std::string& folder) {
  Folder found;
  std::error_code failed;
  fs::recursive_directory_iterator entries(folder, failed);
  for (; !failed && entries != fs::recursive_directory_iterator(); entries.increment(failed)) {
    std::error_code unknown;
    const bool is_gone = !entries->exists(unknown);  // of a link
    if (!is_gone && !entries->is_regular_file(unknown)) continue;
    if (is_input(entries->path())) found.inputs.push_back(entries->path());
    if (is_code(entries->path())) found.code.insert(entries->path());
  }
  if (failed) {
    return support::usage_error("cannot read the folder '" + folder + "': " + failed.message(),
                                "give a folder that is readable, or files");
  }
  std::sort(found.inputs.begin(), found.inputs.end());
  return found;
}

Result<std::vector<std::string>> files_below(const std::string& folder) {
  auto found = look_into(folder);
  if (!found) return found.errors();
  if (found->inputs.empty()) {
    return support::usage_error("no .ptx file is in the folder '" + folder + "'", help_on(*found));
  }
  return std::move(found->inputs);
}

bool is_sign(char c) { return c == '*' || c == '?' || c == '['; }

// As a pattern that matches this text only.
std::string quoted(const std::string& text) {
  std::string pattern;
  for (const char c : text) {
    if (is_sign(c) || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

Result<std::vector<std::string>> files_matching(const fs::path& folder, const std::string& word) {
  const std::string pattern = folder / word;
  glob_t found{};
  const auto stops_at = [](const char*, int error) { return error == ENOENT || error == ENOTDIR ? 0 : 1; };
  const int status = ::glob((quoted(folder) / fs::path(word)).c_str(), 0, stops_at, &found);
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

Result<std::vector<std::string>> files_of(const fs::path& folder, const std::string& word) {
  std::error_code unknown;
  if (word == "-") return std::vector{word};
  const fs::path path = folder / word;
  if (fs::is_directory(path, unknown)) return files_below(path);
  const bool is_pattern = std::any_of(word.begin(), word.end(), is_sign);
  if (is_pattern && !fs::exists(path, unknown)) return files_matching(folder, word);
  return std::vector{path.string()};
}

}  // namespace

bool is_input(const std::string& path) { return fs::path(path).extension() == ".ptx"; }

Result<std::vector<std::string>> input_files(const std::vector<std::string>& words, const std::string& folder) {
  std::vector<std::string> all;
  std::set<std::string> known;
  support::Diagnostics errors;
  for (const std::string& word : words) {
    const auto files = files_of(folder, word);
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

support::Diagnostics code_left_out(const std::vector<std::string>& words) {
  support::Diagnostics notes;
  for (const std::string& word : words) {
    std::error_code unknown;
    if (word == "-" || !fs::is_directory(word, unknown)) continue;
    const auto found = look_into(word);
    if (!found || found->inputs.empty() || found->code.empty()) continue;
    support::Diagnostic note = support::usage_error(
        "the folder '" + word + "' has " + std::to_string(found->code.size()) +
            (found->code.size() == 1 ? " file" : " files") + " that may hold machine code, not looked at",
        help_on(*found));
    note.severity = support::Severity::note;
    notes.push_back(std::move(note));
  }
  return notes;
}

support::Result<support::SourceFile> read_isolated(const std::string& path) {
  return support::isolated({}, "while the file was read", [&] { return support::read_source(path); });
}

}  // namespace warpspan::app
