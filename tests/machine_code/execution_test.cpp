// SPDX-License-Identifier: GPL-3.0-or-later
// What the program executes for estimates of time, against the interpreter of these tests, on checked-in machine code.
// What ptxas makes of all samples and of random kernels, where it is at hand: "[executed-samples]",
// "[executed-random]".
#include "tests/machine_code/execution.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <map>

#include "tests/machine_code/arguments.hpp"
#include "tests/machine_code/cases.hpp"
#include "tests/machine_code/compiler.hpp"
#include "tests/machine_code/random_compiled.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using machine_code::ExecutionCheck;
using Verdict = ExecutionCheck::Verdict;

namespace {

const std::filesystem::path data = warpspan::test::source_dir() + "/tests/machine_code/data";

std::vector<test::SampleCase> all_cases() {
  std::vector<test::SampleCase> found;
  for (const auto& cases : {test::sample_cases(), test::kernel_cases(), test::frame_cases(), test::break_cases(),
                            test::window_cases(), test::copy_cases(), test::opcode_cases()})
    found.insert(found.end(), cases.begin(), cases.end());
  return found;
}

ExecutionCheck check(const std::string& cubin, const machine_code::Case& which) {
  reference::Memory memory(7);
  std::vector<uint64_t> values;
  for (size_t i = 0; i < which.arguments.size(); ++i) {
    fill(which.arguments[i], i, memory);
    values.push_back(value_of(which.arguments[i], i));
  }
  machine_code::Launch launch;
  launch.block = which.block;
  launch.grid = which.grid;
  launch.blocks = which.blocks;
  const auto read = object::read_cubin({"kernel.cubin", cubin});
  REQUIRE(read);
  for (const object::Function& function : read->functions) {
    if (function.name == which.kernel) launch.parameters = machine_code::parameter_bytes(function, values);
  }
  return check_execution(cubin, which.kernel, launch, memory);
}

}  // namespace

TEST_CASE("execution: machine code does step for step what the interpreter does") {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    if (entry.path().extension() != ".cubin") continue;
    const std::string name = entry.path().filename().string();
    for (const test::SampleCase& each : all_cases()) {
      if (each.sample != name.substr(0, name.find('.'))) continue;
      const ExecutionCheck result = check(test::content_of(entry.path()), each.kernel);
      INFO(name << " " << each.kernel.kernel << ": " << result.reason);
      CHECK(result.verdict == Verdict::agrees);
      CHECK(result.bytes > 0);
      ++compared;
    }
  }
  CHECK(compared >= 60);
}

TEST_CASE("execution: what ptxas makes of all samples does what the interpreter does", "[.][executed-samples]") {
  std::map<Verdict, int> verdicts;
  for (const test::SampleCase& each : all_cases()) {
    for (const std::filesystem::path& file : test::files_of(each.sample)) {
      for (const int architecture : test::architectures) {
        for (const std::string& level : test::levels()) {
          const std::string cubin = test::compiled(file, architecture, level);
          if (cubin.empty()) continue;
          const ExecutionCheck result = check(cubin, each.kernel);
          ++verdicts[result.verdict];
          if (result.verdict == Verdict::agrees) continue;
          WARN(file.filename().string() << " " << each.kernel.kernel << " sm_" << architecture << " " << level << ": "
                                        << result.reason);
        }
      }
    }
  }
  WARN("agree " << verdicts[Verdict::agrees] << ", differ " << verdicts[Verdict::differs] << ", refused "
                << verdicts[Verdict::refused]);
  CHECK(verdicts[Verdict::differs] == 0);
}

TEST_CASE("execution: what ptxas makes of random kernels does what the interpreter does", "[.][executed-random]") {
  const uint64_t first = test::number_from("WARPSPAN_ATTACK_FIRST", 1);
  const uint64_t count = test::number_from("WARPSPAN_ATTACK_COUNT", 20);
  for (const reference::Family& family : reference::families()) {
    std::map<Verdict, int> verdicts;
    int64_t steps = 0;
    for (uint64_t seed = first; seed < first + count; ++seed) {
      const reference::Experiment experiment = family.make(seed);
      reference::Random random(seed + 77);
      const int architecture = random.of(test::architectures);
      const std::string bytes = test::compiled(experiment, architecture, random.chance(50) ? "-O1" : "-O3");
      if (bytes.empty()) continue;
      const machine_code::FactsSubject subject = test::subject_of(experiment, bytes, random);
      const ExecutionCheck result =
          check_execution(bytes, experiment.kernel, subject.launch, reference::Memory(subject.launch.seed));
      ++verdicts[result.verdict];
      steps += result.steps;
      if (result.verdict == Verdict::differs)
        WARN(family.name << " seed " << seed << " sm_" << architecture << ": " << result.reason);
    }
    std::cout << family.name << ": agree " << verdicts[Verdict::agrees] << ", differ " << verdicts[Verdict::differs]
              << ", refused " << verdicts[Verdict::refused] << ", steps " << steps << "\n";
    // Of lanes that wait at one BSYNC in different activations of a function, the interpreter makes one group.
    if (family.name != std::string("recursion")) CHECK(verdicts[Verdict::differs] == 0);
  }
}
