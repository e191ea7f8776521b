// SPDX-License-Identifier: GPL-3.0-or-later
// What users say of values, as ranges and of variables, against executions: none exceeds what warpspan says then.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/kernel_text.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using reference::Comparison;
using reference::Random;

namespace {

// Loops whose limits stand in variables and in a struct, loaded in every width and by every kind of address.
std::string loops_over_variables(Random& random) {
  std::ostringstream body;
  body << ".reg .pred %p<40>;\n.reg .b16 %h<40>;\n.reg .b32 %r<400>;\n.reg .b64 %d<400>;\n";
  const int64_t loops = random.between(1, 4);
  for (int64_t i = 0; i < loops; ++i) {
    const std::string n = std::to_string(10 * (i + 1));
    const auto name = [&](const char* file, int k) { return file + std::to_string(10 * (i + 1) + k); };
    const std::string limit = name("%r", 0), counter = name("%r", 1), part = name("%r", 2), address = name("%d", 0);
    const std::string generic = name("%d", 1), wide = name("%d", 2);
    const bool is_constant = random.chance(50);
    const std::string space = is_constant ? "const" : "global";
    const std::string variable = is_constant ? random.pick<std::string>({"N", "row"}) : "limit";
    const int64_t bits = random.pick({8, 16, 32});
    const int64_t offset = random.between(0, 2) * bits / 8;
    const std::string place = variable + "+" + std::to_string(offset);
    const std::string type = random.pick<std::string>({"u", "s"}) + std::to_string(bits);
    switch (random.below(5)) {
      case 0: body << "ld." << space << "." << type << " " << limit << ", [" << place << "];\n"; break;
      case 1:
        body << "mov.u64 " << address << ", " << variable << ";\nadd.s64 " << address << ", " << address << ", "
             << offset << ";\nld." << space << "." << type << " " << limit << ", [" << address << "];\n";
        break;
      case 2:
        body << "mov.u64 " << address << ", " << variable << ";\ncvta." << space << ".u64 " << generic << ", "
             << address << ";\nld." << type << " " << limit << ", [" << generic << "+" << offset << "];\n";
        break;
      case 3:
        body << "mov.u32 " << part << ", " << offset / (bits / 8) << ";\nmul.wide.u32 " << wide << ", " << part << ", "
             << bits / 8 << ";\nmov.u64 " << address << ", " << variable << ";\nadd.s64 " << generic << ", " << address
             << ", " << wide << ";\nld." << space << "." << type << " " << limit << ", [" << generic << "];\n";
        break;
      default: body << "ld.param.u32 " << limit << ", [m];\n"; break;
    }
    if (random.chance(60)) body << "and.b32 " << limit << ", " << limit << ", " << random.pick({7, 31, 13}) << ";\n";
    const std::string label = "L" + n;
    const std::string step = std::to_string(random.between(1, 3));
    body << "mov.u32 " << counter << ", " << random.pick<std::string>({"0", "1", "%tid.x"}) << ";\n"
         << label << ":\nadd.u32 " << counter << ", " << counter << ", " << step << ";\nsetp.lt."
         << random.pick<std::string>({"u32", "s32"}) << " %p" << i << ", " << counter << ", " << limit << ";\n@%p" << i
         << " bra " << label << ";\n";
  }
  return std::string(reference::file_header) + ".const .align 8 .b8 N[8];\n.const .align 8 .b8 row[16];\n" +
         ".global .align 8 .b8 limit[16];\n.visible .entry k(.param .u64 p, .param .u32 n, .param .u32 m)\n{\n" +
         body.str() + "ret;\n}\n";
}

struct Tally {
  int compared = 0;
  int refused = 0;
  std::vector<double> looseness;
  std::string violations;

  void add(uint64_t seed, const Comparison& result) {
    if (!result.violations.empty()) violations += std::to_string(seed) + ": " + result.violations.front() + "\n";
    compared += result.verdict == Comparison::Verdict::compared ? 1 : 0;
    refused += result.verdict == Comparison::Verdict::refused ? 1 : 0;
    if (result.verdict == Comparison::Verdict::compared) looseness.push_back(result.looseness);
  }
};

}  // namespace

TEST_CASE("no execution exceeds what is said of a range that holds its argument") {
  for (const reference::Family& family : reference::families()) {
    const uint64_t first = test::first_seed(1, 100), end = first + static_cast<uint64_t>(test::thinned_seeds(100));
    Tally tally;
    for (uint64_t seed = first; seed < end; ++seed) {
      reference::Experiment experiment = family.make(seed);
      experiment.tells_ranges = true;
      experiment.tells_variables = seed % 2 == 0;
      tally.add(seed, compare(experiment, seed, {reference::Order::taken_first}));
    }
    INFO(family.name << ": " << tally.compared << " compared, " << tally.refused << " refused\n" << tally.violations);
    CHECK(tally.violations.empty());
    CHECK(tally.compared >= warpspan::test::or_half(test::thinned_seeds(100) / 4));
  }
}

TEST_CASE("no execution exceeds what is said of variables that hold what the user says") {
  const uint64_t first = test::first_seed(1, 600), end = first + static_cast<uint64_t>(test::thinned_seeds(600));
  Tally tally;
  for (uint64_t seed = first; seed < end; ++seed) {
    Random random(seed);
    reference::Experiment experiment = reference::experiment_of(loops_over_variables(random), random);
    experiment.tells_ranges = random.chance(50);
    experiment.tells_variables = true;
    tally.add(seed, compare(experiment, seed, {reference::Order::taken_first}));
  }
  std::sort(tally.looseness.begin(), tally.looseness.end());
  INFO(tally.compared << " compared, " << tally.refused << " refused\n" << tally.violations);
  CHECK(tally.violations.empty());
  // Or the test would say nothing.
  CHECK(tally.compared >= warpspan::test::or_half(test::thinned_seeds(600) / 2));
  REQUIRE(!tally.looseness.empty());
  CHECK(tally.looseness[tally.looseness.size() / 4] == 1);  // where no range is in the way, bounds are what happens
}
