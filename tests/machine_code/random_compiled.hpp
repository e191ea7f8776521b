// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels of tests/reference as ptxas compiles them, and how they are launched.
#pragma once

#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>

#include "tests/machine_code/arguments.hpp"
#include "tests/machine_code/compiler.hpp"
#include "tests/machine_code/facts.hpp"
#include "tests/reference/generators/families.hpp"

namespace warpspan::test {

inline uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Empty if ptxas refuses it.
inline std::string compiled(const reference::Experiment& experiment, int architecture, const std::string& flags) {
  const auto file = std::filesystem::temp_directory_path() / ("warpspan.random." + std::to_string(getpid()) + ".ptx");
  std::string text = experiment.text;
  const std::string target = ".target sm_80";
  if (const size_t at = text.find(target); architecture < 80 && at != std::string::npos)
    text.replace(at, target.size(), ".target sm_75");
  // ptxas takes no special registers as factors.
  static const std::regex factors(R"(mad\.lo\.u32 (\S+), (\S+), (\S+), (\S+);)");
  text =
      std::regex_replace(text, factors, "{ .reg .u32 y, z; mov.u32 y, $2; mov.u32 z, $3; mad.lo.u32 $1, y, z, $4; }");
  std::ofstream(file) << text;
  const std::string bytes = compiled(file, architecture, flags);
  std::filesystem::remove(file);
  return bytes;
}

// Parameters are p, n and m, as kernel_text has them.
inline machine_code::FactsSubject subject_of(const reference::Experiment& experiment, const std::string& bytes,
                                             reference::Random& random) {
  machine_code::FactsSubject subject;
  subject.cubin = bytes;
  subject.kernel = experiment.kernel;
  subject.aligned = random.chance(50);
  const uint64_t step = subject.aligned ? 256 : 16;
  std::vector<uint64_t> values = {0x7f0000000000 + random.below(1 << 20) * step,
                                  random.chance(50) ? random.below(64) : random.next() & UINT32_MAX, random.below(4)};
  subject.told.block = experiment.launch.block;
  subject.told.grid = experiment.launch.grid.value_or(ir::Extent{1, 1, 1});
  const std::vector<std::string> names = {"p", "n", "m"};
  for (const ir::Argument& argument : experiment.launch.arguments) {
    const auto index = static_cast<size_t>(std::find(names.begin(), names.end(), argument.parameter) - names.begin());
    if (index == names.size()) continue;
    values[index] = std::stoull(argument.value);
    subject.told.arguments.push_back({std::to_string(index), argument.value});
    if (index == 0) subject.aligned = subject.aligned && values[0] % 256 == 0;
  }
  const auto& told = subject.told.arguments;
  const bool tells_n = std::any_of(told.begin(), told.end(), [](const ir::Argument& a) { return a.parameter == "1"; });
  if (random.chance(40) && !tells_n) subject.told.arguments.push_back({"1", std::to_string(values[1])});
  subject.pointers[0] = values[0];
  subject.launch.block = *subject.told.block;
  subject.launch.grid = *subject.told.grid;
  subject.launch.blocks.clear();
  const ir::Extent& grid = subject.launch.grid;
  for (int64_t i = 0; i < grid.x * grid.y * grid.z; ++i)
    subject.launch.blocks.push_back({i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y});
  const auto cubin = object::read_cubin({"random.cubin", bytes});
  if (cubin && !cubin->functions.empty()) {
    for (const object::Function& function : cubin->functions) {
      if (function.name == experiment.kernel)
        subject.launch.parameters = machine_code::parameter_bytes(function, values);
    }
  }
  subject.launch.clears_registers = true;
  subject.launch.most_steps = experiment.most_steps;
  subject.launch.seed = random.next();
  return subject;
}

}  // namespace warpspan::test
