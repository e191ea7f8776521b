// SPDX-License-Identifier: GPL-3.0-or-later
// How much of a launch is executed on memory of zeros, for scripts/full-work.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "frontend/object/cubin.hpp"
#include "tests/machine_code/arguments.hpp"
#include "tests/machine_code/interpreter/interpreter.hpp"
#include "tests/reference/command_options.hpp"
#include "tests/split.hpp"

namespace {

using namespace warpspan;
using namespace warpspan::machine_code;
using test::split;

constexpr int64_t most_blocks = 4;         // that are executed of a launch, from its first to its last
constexpr int64_t most_steps = 4'000'000;  // of their warps

ir::Extent extent_of(const std::string& text) {
  const std::vector<std::string> numbers = split(text, ',');
  return {std::stoll(numbers.at(0)), std::stoll(numbers.at(1)), std::stoll(numbers.at(2))};
}

// What scripts/measured/launches.py gives the launcher: "array", or "bytes:" and these.
std::vector<uint8_t> parameters_of(const object::Function& function, const std::vector<std::string>& words) {
  std::vector<uint8_t> bytes;
  for (const object::Parameter& parameter : function.parameters) {
    const std::string& word = words.at(parameter.ordinal);
    bytes.resize(std::max(bytes.size(), static_cast<size_t>(parameter.offset + parameter.size)));
    for (int64_t i = 0; i < parameter.size; ++i) {
      const uint64_t address = pointer_of(parameter.ordinal);
      const size_t digits = 6 + 2 * static_cast<size_t>(i);  // behind "bytes:"
      bytes[static_cast<size_t>(parameter.offset + i)] = static_cast<uint8_t>(
          word == "array" ? address >> (8 * i)
                          : (digits + 2 <= word.size() ? std::stoul(word.substr(digits, 2), nullptr, 16) : 0));
    }
  }
  return bytes;
}

std::vector<ir::Extent> blocks_of(const ir::Extent& grid) {
  const int64_t all = *grid.count().value(), count = std::min(all, most_blocks);
  std::vector<ir::Extent> blocks;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t block = count == 1 ? 0 : i * (all - 1) / (count - 1);
    blocks.push_back({block % grid.x, block / grid.x % grid.y, block / (grid.x * grid.y)});
  }
  return blocks;
}

// Instructions that a warp executes, in the mean, or why that is not known.
std::string executed(const std::vector<std::string>& plan) {
  const std::string& file = plan.at(0);
  const std::string& kernel = plan.at(1);
  const std::string content = test::content_of(file);
  const auto cubin = object::read_cubin({file, content});
  if (!cubin) return "no cubin";
  const auto function = std::find_if(cubin->functions.begin(), cubin->functions.end(),
                                     [&](const auto& each) { return each.name == kernel; });
  const auto program = prepare(*cubin, kernel);
  if (!program || function == cubin->functions.end()) return "no program";
  const std::vector<std::string> words(plan.begin() + 5, plan.end());
  const auto is_known = [](const std::string& word) { return word == "array" || word.starts_with("bytes:"); };
  if (!std::all_of(words.begin(), words.end(), is_known)) return "objects";
  Launch launch;
  launch.grid = extent_of(plan.at(2));
  launch.block = extent_of(plan.at(3));
  launch.blocks = blocks_of(launch.grid);
  launch.parameters = parameters_of(*function, words);
  launch.most_steps = most_steps;
  launch.clears_registers = launch.clears_own_memory = launch.passes_unknown = true;
  reference::Memory memory = reference::Memory::zeros();
  const Record record = run(*program, launch, memory);
  if (!record.stopped.empty()) return record.stopped;
  return std::to_string(record.steps / static_cast<int64_t>(record.warps.size()));
}

}  // namespace

// WARPSPAN_PLAN: a file with a launch in each line. Prints a line for each.
TEST_CASE("executed: instructions of the launches of a plan", "[.][executed-launches]") {
  const char* plan = std::getenv("WARPSPAN_PLAN");
  if (plan == nullptr) return;
  std::ifstream file(plan);
  for (std::string line; std::getline(file, line);)
    std::cout << "executed\t" << executed(split(line, '\t')) << std::endl;
}
