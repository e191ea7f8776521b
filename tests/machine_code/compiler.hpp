// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code that ptxas makes, where it is at hand.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/reference/command_options.hpp"

namespace warpspan::test {

inline constexpr int architectures[] = {75, 80, 86, 89, 90, 120};

// What ptxas is told of optimization; PTXAS_FLAGS instead, if it is set: "-g".
inline std::vector<std::string> levels() {
  const char* other = std::getenv("PTXAS_FLAGS");
  if (other != nullptr) return {other};
  return {"-O1", "-O3"};
}

// Empty if ptxas refuses it.
inline std::string compiled(const std::filesystem::path& ptx, int architecture, const std::string& level) {
  const auto cubin = std::filesystem::temp_directory_path() /
                     ("warpspan." + std::to_string(getpid()) + "." + ptx.filename().string() + ".cubin");
  std::filesystem::remove(cubin);
  const std::string command = "ptxas " + level + " -arch=sm_" + std::to_string(architecture) + " " + ptx.string() +
                              " -o " + cubin.string() + " > /dev/null 2>&1";
  std::string bytes;
  if (std::system(command.c_str()) == 0) bytes = content_of(cubin);
  std::filesystem::remove(cubin);
  return bytes;
}

// The cubins NAME.*.cubin of CUBIN_FOLDER; none if it is not set.
inline std::vector<std::filesystem::path> cubins_of(const std::string& sample) {
  const char* folder = std::getenv("CUBIN_FOLDER");
  std::vector<std::filesystem::path> files;
  if (folder == nullptr) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".cubin" && name.substr(0, name.find('.')) == sample) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// The PTX files of a name: NAME.ptx, NAME.nvcc-sm_80.ptx; of samples/ and data/, or of PTX_FOLDER.
inline std::vector<std::filesystem::path> files_of(const std::string& sample) {
  const char* other = std::getenv("PTX_FOLDER");
  const std::string root = warpspan::test::source_dir();
  std::vector<std::string> folders = {root + "/samples", root + "/tests/machine_code/data"};
  if (other != nullptr) folders = {other};
  std::vector<std::filesystem::path> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() == ".ptx" && name.substr(0, name.find('.')) == sample) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace warpspan::test
