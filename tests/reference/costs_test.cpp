// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels of every family and the samples: what instructions cost adds up to the bound.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>

#include "frontend/frontend.hpp"
#include "tests/reference/command_options.hpp"
#include "tests/reference/generators/families.hpp"
#include "tests/thinned.hpp"
#include "timing/analysis.hpp"

using namespace warpspan;
using solver::Part;

namespace {

int64_t cycles_of(const std::vector<Part>& parts, Part::Kind kind) {
  int64_t sum = 0;
  for (const Part& part : parts) sum += part.kind == kind ? part.cycles : 0;
  return sum;
}

// What lines of code have of the parts that count resources, rounded down. None holds a unit from an issue on.
int64_t fetched(const timing::Analysis& analysis, const std::vector<Part>& parts, const timing::Machine& machine) {
  int64_t sum = 0;
  for (const Part& part : parts) {
    if (part.kind != Part::Kind::resource || !analysis.fetch) continue;
    const auto named = [&part](const timing::ResourceFigures& resource) { return resource.name == part.name; };
    const auto found = std::find_if(machine.resources.begin(), machine.resources.end(), named);
    if (found == machine.resources.end()) continue;
    const auto r = static_cast<size_t>(found - machine.resources.begin());
    sum += analysis.fetch->demand[r] * part.workers / part.servers;
  }
  return sum;
}

// Whether there was a bound to be told apart.
bool check_costs(const frontend::AnalyzedKernel& k, const timing::Machine& machine) {
  const auto analysis = timing::analyze(k.kernel, k.flow, k.launch, machine, {}, std::nullopt);
  if (!analysis) return false;
  const solver::Bound& bound = analysis->bounds.front().bound;
  if (!bound.makespan) return false;
  INFO("kernel " << k.kernel.name << " on " << machine.name);
  int64_t own = 0, others = 0;
  for (const timing::InstructionCost& cost : analysis->costs) {
    CHECK(cost.own >= 0);
    CHECK(cost.others >= 0);
    CHECK(cost.executions >= 0);
    CHECK(cost.cycles() > 0);
    CHECK(cost.resource.empty() == (cost.others == 0));
    own += cost.own;
    others += cost.others;
  }
  CHECK(own == cycles_of(bound.parts, Part::Kind::path));
  int64_t shared = 0;
  for (const Part::Kind kind : {Part::Kind::resource, Part::Kind::blocks, Part::Kind::failures}) {
    shared += cycles_of(bound.parts, kind);
  }
  const int64_t code = shared - others - fetched(*analysis, bound.parts, machine);
  CHECK(code >= 0);
  CHECK(code <= static_cast<int64_t>(bound.parts.size()));  // at most one cycle a part is rounded up
  return true;
}

int check_file(const std::string& text, const std::vector<std::string>& names, const ir::Launch& launch,
               const timing::Machine& machine) {
  const auto source = std::make_shared<const support::SourceFile>("k.ptx", text);
  int checked = 0;
  for (const frontend::AnalyzedKernel& k : frontend::read_kernels(source, names, launch).kernels) {
    if (check_costs(k, machine)) ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("costs of random kernels add up to their bounds") {
  const auto fermi = timing::load_machine("fermi"), ampere = timing::load_machine("ampere");
  REQUIRE(fermi);
  REQUIRE(ampere);
  for (const reference::Family& family : reference::families()) {
    const uint64_t first = test::first_seed(1, 40), end = first + static_cast<uint64_t>(test::thinned_seeds(40));
    int checked = 0;
    for (uint64_t seed = first; seed < end; ++seed) {
      const reference::Experiment experiment = family.make(seed);
      INFO(family.name << " " << seed);
      const timing::Machine& machine = seed % 2 == 0 ? *fermi : *ampere;
      checked += check_file(experiment.text, {experiment.kernel}, experiment.launch, machine);
    }
    INFO(family.name);
    CHECK(checked >= warpspan::test::or_half(test::thinned_seeds(40) * 2 / 5));  // or the test would say nothing
  }
}

TEST_CASE("costs of the samples add up to their bounds, on every machine") {
  int checked = 0;
  const std::vector<std::string> machines = timing::builtin_machines();
  for (size_t m = 0; m < machines.size(); m += test::taken_one_in) {
    const auto machine = timing::load_machine(machines[m]);
    REQUIRE(machine);
    for (const test::SampleRow& row : test::sample_rows()) {
      for (const std::filesystem::path& file : row.files) {
        for (const reference::Experiment& experiment : row.experiments) {
          INFO(file.filename().string());
          const std::string text = test::content_of(file);
          const std::string kernel = experiment.kernel.empty() ? test::first_kernel(text) : experiment.kernel;
          ir::Launch launch = experiment.launch;
          if (checked % 2 == 0) launch.grid = ir::Extent{300, 1, 1};
          checked += check_file(text, {kernel}, launch, *machine);
        }
      }
    }
  }
  CHECK(checked >= 100 / test::taken_one_in);
}
