// SPDX-License-Identifier: GPL-3.0-or-later
// The random kernels of tests/reference, as ptxas compiles them, against what is said of their machine code. Not part
// of the suite, as it takes ptxas: test_machine_code "[random-kernels]", with WARPSPAN_ATTACK_FIRST, _COUNT, _FAMILY.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "frontend/sass/words/print.hpp"
#include "tests/machine_code/facts_tally.hpp"
#include "tests/machine_code/random_compiled.hpp"
#include "tests/reference/footprints.hpp"
#include "tests/reference/generators/families.hpp"

using namespace warpspan;
using machine_code::FactsTally;
using reference::Experiment;
using reference::Random;

namespace {

std::vector<reference::Family> all_families() {
  std::vector<reference::Family> families = reference::families();
  families.push_back({"footprints", reference::footprint_experiment});
  return families;
}

void attack(const reference::Family& family, uint64_t seed, FactsTally& tally) {
  const Experiment experiment = family.make(seed);
  Random random(seed + 77);
  const int architecture = random.of(test::architectures);
  // With line tables, what the PTX tells of the code is compared, too.
  for (const std::string flags : {"-O1", "-O3", "-O1 -lineinfo", "-O3 -lineinfo"}) {
    const std::string bytes = test::compiled(experiment, architecture, flags);
    if (bytes.empty()) {
      ++tally.refusals["(ptxas)"];
      continue;
    }
    const std::string name = std::string(family.name) + " seed " + std::to_string(seed) + " sm_" +
                             std::to_string(architecture) + " " + flags;
    tally.add(name, check_facts(test::subject_of(experiment, bytes, random), reference::all_orders));
  }
}

}  // namespace

TEST_CASE("attack: no execution of what ptxas makes of random kernels exceeds what is said of it",
          "[.][random-kernels]") {
  const uint64_t first = test::number_from("WARPSPAN_ATTACK_FIRST", 1),
                 count = test::number_from("WARPSPAN_ATTACK_COUNT", 100);
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
  const uint64_t seed = test::number_from("WARPSPAN_ATTACK_FIRST", 1);
  const char* only = std::getenv("WARPSPAN_ATTACK_FAMILY");
  for (const reference::Family& family : all_families()) {
    if (only == nullptr || std::string(only) != family.name) continue;
    const Experiment experiment = family.make(seed);
    const auto architecture = static_cast<int>(test::number_from("WARPSPAN_ATTACK_ARCHITECTURE", 80));
    const std::string bytes =
        test::compiled(experiment, architecture, "-O" + std::to_string(test::number_from("WARPSPAN_ATTACK_LEVEL", 3)));
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
