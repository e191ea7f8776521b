// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/timing/assembler.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/files.hpp"
#include "tests/paths.hpp"

namespace warpspan::machine_code {

bool is_at_hand(const std::string& assembler) {
  return std::system(("'" + assembler + "' --version > /dev/null 2>&1").c_str()) == 0;
}

std::string assembled(const std::string& assembler, const TimedKernel& kernel, int architecture,
                      const std::string& level) {
  const std::string name =
      (std::filesystem::temp_directory_path() / ("warpspan.timed." + std::to_string(getpid()))).string();
  std::ofstream(name + ".ptx") << kernel.text;
  const std::string command = "'" + assembler + "' " + level + " " + kernel.flags + " -arch=sm_" +
                              std::to_string(architecture) + " " + name + ".ptx -o " + name + ".cubin > /dev/null 2>&1";
  std::string bytes;
  if (std::system(command.c_str()) == 0) {
    std::ifstream file(name + ".cubin", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::filesystem::remove(name + ".ptx");
  std::filesystem::remove(name + ".cubin");
  return bytes;
}

}  // namespace warpspan::machine_code
