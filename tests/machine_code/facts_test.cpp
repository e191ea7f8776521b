// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of machine code, against executions of it. The suite does so for the checked-in cubins; all samples for
// all architectures, where ptxas is at hand: test_machine_code "[compiled-facts]".
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "tests/machine_code/cases.hpp"
#include "tests/machine_code/compiler.hpp"
#include "tests/machine_code/facts_tally.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using machine_code::FactsCheck;
using machine_code::FactsSubject;
using machine_code::FactsTally;

namespace {

// What the analysis is told of a case, and where its memory lies.
struct Telling {
  const char* name;
  bool arguments;
  bool aligned;
};
constexpr Telling tellings[] = {{"told", true, true}, {"untold", false, false}};

std::vector<ir::Extent> blocks_of(const ir::Extent& grid) {
  std::vector<ir::Extent> blocks;
  for (int64_t i = 0; i < grid.x * grid.y * grid.z; ++i) {
    blocks.push_back({i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y});
  }
  return blocks;
}

const object::Function* function_of(const object::Cubin& cubin, const std::string& name) {
  for (const object::Function& function : cubin.functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

FactsSubject subject_of(const std::string& bytes, const object::Function& function, const machine_code::Case& which,
                        const Telling& telling) {
  const uint64_t shift = telling.aligned ? 0 : 48;
  FactsSubject subject;
  subject.cubin = bytes;
  subject.kernel = which.kernel;
  subject.aligned = telling.aligned;
  subject.told.block = which.block;
  subject.told.grid = which.grid;
  std::vector<uint64_t> values;
  for (size_t i = 0; i < which.arguments.size(); ++i) {
    const machine_code::Argument& argument = which.arguments[i];
    values.push_back(value_of(argument, i, shift));
    if (is_pointer(argument.kind)) subject.pointers[static_cast<uint32_t>(i)] = values.back();
    const bool told = telling.arguments && argument.kind == machine_code::Argument::Kind::integer;
    if (told) subject.told.arguments.push_back({std::to_string(i), std::to_string(argument.value)});
  }
  subject.launch.block = which.block;
  subject.launch.grid = which.grid;
  subject.launch.blocks = blocks_of(which.grid);
  subject.launch.parameters = machine_code::parameter_bytes(function, values);
  subject.launch.seed = 7;
  subject.fill = [which, shift](reference::Memory& memory) {
    for (size_t i = 0; i < which.arguments.size(); ++i) fill(which.arguments[i], i, memory, shift);
  };
  return subject;
}

void check_case(const std::string& name, const std::string& bytes, const machine_code::Case& which, FactsTally& tally) {
  const auto cubin = object::read_cubin({"kernel.cubin", bytes});
  const object::Function* function = cubin ? function_of(*cubin, which.kernel) : nullptr;
  if (function == nullptr) return;
  for (const Telling& telling : tellings) {
    const FactsCheck check = check_facts(subject_of(bytes, *function, which, telling), reference::all_orders);
    tally.add(name + " " + which.kernel + " " + telling.name, check);
  }
}

std::vector<test::SampleCase> all_cases() {
  std::vector<test::SampleCase> cases = test::sample_cases();
  for (const auto& more : {test::kernel_cases(), test::frame_cases(), test::break_cases(), test::window_cases(),
                           test::copy_cases(), test::opcode_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

}  // namespace

TEST_CASE("machine code: no execution of checked-in cubins exceeds what is said of them") {
  FactsTally tally;
  const std::filesystem::path data = warpspan::test::source_dir() + "/tests/machine_code/data";
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    if (entry.path().extension() != ".cubin") continue;
    const std::string name = entry.path().filename().string();
    for (const test::SampleCase& each : all_cases()) {
      if (each.sample == name.substr(0, name.find('.')))
        check_case(name, test::content_of(entry.path()), each.kernel, tally);
    }
  }
  INFO(tally.text());
  if (std::getenv("WARPSPAN_ATTACK_REASONS") != nullptr) std::cout << tally.text();
  CHECK(tally.violations.empty());
  CHECK(tally.compared > 0);
}

TEST_CASE("machine code: no execution of any sample exceeds what is said of it", "[.][compiled-facts]") {
  FactsTally tally;
  for (const test::SampleCase& row : all_cases()) {
    for (const std::filesystem::path& file : test::files_of(row.sample)) {
      for (const int architecture : test::architectures) {
        for (const std::string& level : test::levels()) {
          const std::string bytes = test::compiled(file, architecture, level);
          const std::string name = file.filename().string() + " sm_" + std::to_string(architecture) + " " + level;
          if (!bytes.empty()) check_case(name, bytes, row.kernel, tally);
        }
      }
    }
  }
  std::cout << tally.text();
  CHECK(tally.violations.empty());
  CHECK(tally.compared > 0);
}

TEST_CASE("machine code: no execution of cubins of a folder exceeds what is said of them", "[.][cubin-facts]") {
  FactsTally tally;
  for (const test::SampleCase& row : test::sample_cases()) {
    for (const std::filesystem::path& file : test::cubins_of(row.sample)) {
      check_case(file.filename().string(), test::content_of(file), row.kernel, tally);
    }
  }
  std::cout << tally.text();
  CHECK(tally.violations.empty());
  CHECK(tally.compared > 0);
}
