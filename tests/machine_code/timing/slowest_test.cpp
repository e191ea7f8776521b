// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels as ptxas compiles them, in launches of one block or many, on machines of twelve targets: the slowest
// runs that the program itself finds, against its bounds. Skipped where there is no ptxas.
//
// suite_machine_code "[slowest-campaign]" takes any number of them: WARPSPAN_TIMED_FIRST and _COUNT, seeds of each
// family; _FAMILY, one of them; _FOLDER, where kernels are written that take longer than a bound.
#include "tests/machine_code/timing/slowest.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "frontend/machine_code.hpp"
#include "tests/machine_code/timing/assembler.hpp"
#include "tests/reference/generators/random.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using namespace machine_code;

namespace {

constexpr int slowest_architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
constexpr const char* slowest_levels[] = {"-O3", "-O1", "-O2"};

uint64_t given(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

ir::Contents any_contents(reference::Random& random) {
  using Kind = ir::Contents::Kind;
  ir::Contents contents;
  contents.kind = random.pick({Kind::zeros, Kind::ramp, Kind::integers, Kind::integers, Kind::reals});
  contents.seed = random.next();
  if (random.chance(50)) contents.below = static_cast<uint32_t>(random.between(1, 5000));
  return contents;
}

// Blocks that fill nothing, one multiprocessor, all of them once, and several times.
ir::Extent any_grid(reference::Random& random, int64_t multiprocessors) {
  const int64_t blocks = random.pick<int64_t>(
      {1, 2, multiprocessors, multiprocessors + 1, 2 * multiprocessors, 5 * multiprocessors + 3, 40 * multiprocessors});
  if (random.chance(30)) return {1, blocks, 1};
  return {blocks, 1, 1};
}

struct SlowestSubject {
  std::string name;
  TimedKernel kernel;
  int architecture = 0;
  const char* level = "-O3";
};

SlowestSubject subject_at(const TimedFamily& family, uint64_t seed) {
  SlowestSubject subject;
  subject.kernel = family.make(seed);
  subject.architecture = slowest_architectures[seed % std::size(slowest_architectures)];
  subject.level = slowest_levels[seed / std::size(slowest_architectures) % std::size(slowest_levels)];
  const std::string target = ".target sm_80";
  std::string& text = subject.kernel.text;
  if (const size_t at = text.find(target); subject.architecture < 80 && at != std::string::npos)
    text.replace(at, target.size(), ".target sm_75");
  subject.name = std::string(family.name) + "." + std::to_string(seed) + ".sm_" + std::to_string(subject.architecture) +
                 subject.level;
  return subject;
}

void keep(const SlowestSubject& subject, const std::string& cubin, const ir::Launch& launch, const std::string& what) {
  const char* folder = std::getenv("WARPSPAN_TIMED_FOLDER");
  if (folder == nullptr) return;
  const std::filesystem::path file = std::filesystem::path(folder) / subject.name;
  std::ofstream ptx(file.string() + ".ptx");
  ptx << "// " << what << "\n// --block " << launch.block->x << "," << launch.block->y << "," << launch.block->z
      << " --grid " << launch.grid->x << "," << launch.grid->y;
  for (const ir::Argument& argument : launch.arguments) ptx << " --arg " << argument.parameter << "=" << argument.value;
  ptx << "\n" << subject.kernel.text;
  std::ofstream(file.string() + ".cubin", std::ios::binary) << cubin;
}

void check_subject(const SlowestSubject& subject, uint64_t seed, SlowestTally& tally) {
  const std::string cubin = assembled("ptxas", subject.kernel, subject.architecture, subject.level);
  if (cubin.empty()) {
    ++tally.refusals["(ptxas)"];
    return;
  }
  ++tally.compiled;
  const auto machine = timing::machine_for_target("sm_" + std::to_string(subject.architecture));
  REQUIRE(machine);
  reference::Random random(seed);
  ir::Launch launch = told_launch(subject.kernel, true);
  launch.grid = any_grid(random, machine->multiprocessors);
  const auto reading = frontend::read_machine_code({"k.cubin", cubin}, {subject.kernel.kernel}, launch);
  if (reading.kernels.empty()) {
    ++tally.refused;
    ++tally.refusals["(not analyzed)"];
    return;
  }
  SlowestOptions options;
  options.rungs = {{"nothing", {}}, {"all", timing::all_rungs()}};
  if (machine->usual_assumptions() != timing::AssumptionSet{})
    options.rungs.push_back({"usual", machine->usual_assumptions()});
  options.contents = any_contents(random);
  options.instructions = 2e4;
  const size_t before = tally.violations.size();
  tally.add(subject.name, check_slowest(reading.kernels.front(), *machine, options));
  if (tally.violations.size() > before) keep(subject, cubin, launch, tally.violations.back());
}

}  // namespace

TEST_CASE("slowest runs: none of what ptxas makes of random kernels takes longer than its bounds") {
  if (!is_at_hand("ptxas")) return;
  const uint64_t first = test::first_seed(1, 60), end = first + static_cast<uint64_t>(test::thinned_seeds(60));
  SlowestTally tally;
  for (const TimedFamily& family : timed_families()) {
    for (uint64_t seed = first; seed < end; ++seed) check_subject(subject_at(family, seed), seed, tally);
  }
  INFO(tally.text());
  CHECK(tally.violations.empty());
  CHECK(tally.compared >= test::or_half(test::thinned_seeds(60) * 10));
}

TEST_CASE("slowest runs: campaign", "[.][slowest-campaign]") {
  const char* only = std::getenv("WARPSPAN_TIMED_FAMILY");
  const uint64_t first = given("WARPSPAN_TIMED_FIRST", 1), end = first + given("WARPSPAN_TIMED_COUNT", 100);
  size_t violations = 0;
  for (const TimedFamily& family : timed_families()) {
    if (only != nullptr && std::string(only) != family.name) continue;
    SlowestTally tally;
    for (uint64_t seed = first; seed < end; ++seed) check_subject(subject_at(family, seed), seed, tally);
    std::cout << family.name << ": " << tally.text() << std::flush;
    violations += tally.violations.size();
  }
  CHECK(violations == 0);
}
