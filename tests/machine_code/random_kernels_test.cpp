// The random kernels of tests/reference, as ptxas compiles them, against what is said of their machine code. Not part
// of the suite, as it takes ptxas: test_machine_code "[random-kernels]", with WARPSPAN_ATTACK_FIRST, _COUNT, _FAMILY.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>

#include "frontend/sass/words/print.hpp"
#include "tests/machine_code/arguments.hpp"
#include "tests/machine_code/compiler.hpp"
#include "tests/machine_code/facts_tally.hpp"
#include "tests/reference/footprints.hpp"
#include "tests/reference/generators/families.hpp"

using namespace warpspan;
using machine_code::FactsSubject;
using machine_code::FactsTally;
using reference::Experiment;
using reference::Random;

namespace {

std::vector<reference::Family> all_families() {
  std::vector<reference::Family> families = reference::families();
  families.push_back({"footprints", reference::footprint_experiment});
  return families;
}

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Empty if ptxas refuses it.
std::string compile(const Experiment& experiment, int architecture, int level) {
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
  const std::string bytes = test::compiled(file, architecture, "-O" + std::to_string(level));
  std::filesystem::remove(file);
  return bytes;
}

// Parameters are p, n and m, as kernel_text has them.
FactsSubject subject_of(const Experiment& experiment, const std::string& bytes, Random& random) {
  FactsSubject subject;
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

void attack(const reference::Family& family, uint64_t seed, FactsTally& tally) {
  const Experiment experiment = family.make(seed);
  Random random(seed + 77);
  const int architecture = random.of(test::architectures);
  for (const int level : {1, 3}) {
    const std::string bytes = compile(experiment, architecture, level);
    if (bytes.empty()) {
      ++tally.refusals["(ptxas)"];
      continue;
    }
    const std::string name = std::string(family.name) + " seed " + std::to_string(seed) + " sm_" +
                             std::to_string(architecture) + " -O" + std::to_string(level);
    tally.add(name, check_facts(subject_of(experiment, bytes, random), reference::all_orders));
  }
}

}  // namespace

TEST_CASE("attack: no execution of what ptxas makes of random kernels exceeds what is said of it",
          "[.][random-kernels]") {
  const uint64_t first = number_from("WARPSPAN_ATTACK_FIRST", 1), count = number_from("WARPSPAN_ATTACK_COUNT", 100);
  const char* only = std::getenv("WARPSPAN_ATTACK_FAMILY");
  for (const reference::Family& family : all_families()) {
    if (only != nullptr && std::string(only) != family.name) continue;
    FactsTally tally;
    for (uint64_t seed = first; seed < first + count; ++seed) attack(family, seed, tally);
    std::cout << family.name << ": " << tally.text() << std::flush;
    CHECK(tally.violations.empty());
  }
}

// To look at one kernel: its PTX, and its machine code with lines as findings name them.
TEST_CASE("show: one random kernel's machine code", "[.][show-random-kernel]") {
  const uint64_t seed = number_from("WARPSPAN_ATTACK_FIRST", 1);
  const char* only = std::getenv("WARPSPAN_ATTACK_FAMILY");
  for (const reference::Family& family : all_families()) {
    if (only == nullptr || std::string(only) != family.name) continue;
    const Experiment experiment = family.make(seed);
    const auto architecture = static_cast<int>(number_from("WARPSPAN_ATTACK_ARCHITECTURE", 80));
    const std::string bytes =
        compile(experiment, architecture, static_cast<int>(number_from("WARPSPAN_ATTACK_LEVEL", 3)));
    const auto cubin = object::read_cubin({"random.cubin", bytes});
    REQUIRE(cubin);
    const auto program = machine_code::prepare(*cubin, experiment.kernel);
    REQUIRE(program);
    std::cout << experiment.text;
    for (const sass::Instruction& instruction : program->instructions)
      std::cout << instruction.offset / sass::word_bytes + 1 << ": /*" << std::hex << instruction.offset << std::dec
                << "*/ " << sass::to_string(instruction) << "\n";
  }
}
