// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/command_table.hpp"
#include "app/reports/machine_reports.hpp"
#include "app/reports/readable.hpp"
#include "tests/app/cli/read_options.hpp"
#include "timing/machine/conditions.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using timing::Evidence;

// The command with these words behind its name.
Outcome machines(std::vector<const char*> words) {
  words.insert(words.begin(), "machines");
  const auto run = test::parse(all_commands(), std::move(words));
  REQUIRE(run);
  return (*run)();
}

timing::Machine toy() {
  timing::Machine machine;
  machine.name = "toy";
  machine.description = "a machine with round numbers";
  machine.targets = {"sm_1", "sm_2"};
  machine.multiprocessors = 4;
  machine.clock_khz = 1'000'000;
  machine.board = {Evidence::official, "[A] page 1"};
  machine.schedulers = 2;
  machine.issue_gap = 6;
  machine.issue = {Evidence::measured, "[A] page 2"};
  machine.max_threads_per_block = 1024;
  machine.limits = {Evidence::assumed, ""};
  machine.unit_width = {{{1, 2}, {1, 1}, {1, 8}}};
  machine.units = {Evidence::official, "[A] page 3"};
  machine.resources.resize(2);
  machine.resources[0] = {"issue", 1, timing::ResourceFigures::Sharing::scheduler, Evidence::measured, "[A] page 2"};
  machine.resources[1] = {"memory", 2, timing::ResourceFigures::Sharing::device, Evidence::simulator, "[A] page 4"};

  timing::OperationFigures load;
  load.latency = {100, 200, 3000};
  load.gap = 8;
  load.instructions = 2;
  load.per_transaction = 61;
  load.occupancies = {{0, 2, false, 2}, {1, 61, true, 70}};
  load.evidence = Evidence::simulator;
  load.source = "[A] page 4";
  timing::OperationFigures wide = load;
  wide.latency.worst = 4000;
  wide.source = "[A] page 5";
  const auto kind = static_cast<size_t>(ir::OperationKind::load_global);
  machine.operations[kind] = wide;
  machine.otherwise[kind] = load;
  machine.form_figures.push_back({ir::OperationKind::load_global, {{"*.v2.*", "*.v4.*"}, {}, {}, {}, false}, wide});
  timing::OperationFigures add;
  add.latency = {18, 18, 18};
  add.occupancies = {{0, 2, false, 2}};
  add.evidence = Evidence::measured;
  add.source = "[A] page 2";
  const auto int_add = static_cast<size_t>(ir::OperationKind::int_add);
  machine.operations[int_add] = machine.otherwise[int_add] = add;
  machine.assumptions = {"the clock stays"};
  machine.references = {{"A", "author, title, year"}};
  return machine;
}

}  // namespace

TEST_CASE("a machine is shown with the standing and the source of every figure") {
  std::string assumed;
  for (const std::string& sentence : timing::assumptions_of(timing::Machine{})) assumed += wrap("  - ", sentence);
  const std::string whole = machine_text(toy());
  const size_t granted = whole.find("\nassumptions that --assume grants"), sources = whole.find("\nsources\n");
  REQUIRE(granted < sources);
  CHECK(whole.substr(granted, sources - granted).find("\n  A-01 ptx-order: ") != std::string::npos);
  CHECK(whole.substr(0, granted) + whole.substr(sources) == R"(toy: a machine with round numbers
default for sm_1, sm_2

board: official; [A] page 1
  multiprocessors         4
  clock            1000 MHz

issue: measured; [A] page 2
  threads of a warp                             32
  schedulers                                     2
  cycles between two issues of a warp            6
  cycles an instruction occupies its scheduler   1

limits of a multiprocessor: assumed
  warps                                      0
  blocks                                     0
  named barriers of all blocks               0
  threads of a block                     1,024
  shared memory                        0 bytes
  shared memory of a block             0 bytes
  shared memory granularity            1 bytes
  shared memory reserved for a block   0 bytes
  registers                                  0
  registers of a block                       0
  registers of a thread                    255
  register granularity                       1
  partitions of registers at a launch        1

units of the string model: official; [A] page 3
  load/store (L)        1/2 warps per cycle
  core (C)                1 warps per cycle
  special function (S)  1/8 warps per cycle

resource  servers  shared by the warps of a  standing   from
issue           1  scheduler                 measured     1)
memory          2  device                    simulator    2)

operation    best  average     worst  gap  instr.  holds                  standing   from  forms
int.add        18       18        18    0       1  issue 2                measured     1)
load.global   100      200  4,000+61    8       2  issue 2, memory 70+61  simulator    3)  *.v2.*, *.v4.*
load.global   100      200  3,000+61    8       2  issue 2, memory 70+61  simulator    2)  others
  best, average, worst: cycles to the issue of a dependent instruction; gap: to the next issue of the warp;
  instr.: machine instructions it stands for; holds: cycles, or lines, it occupies a resource for;
  a+b: a for the first memory transaction, b for each further one

where the figures of the tables are from
    1) [A] page 2
    2) [A] page 4
    3) [A] page 5

assumptions
)" + assumed + R"(  - the clock stays

sources
  [A]      author, title, year
)");
}

TEST_CASE("a machine is printed whole as TOML and as JSON") {
  const timing::Machine ampere = *timing::load_machine("ampere");
  const Outcome toml = machines({"ampere", "--format", "toml"});
  CHECK(toml.errors.empty());
  const auto again = timing::parse_machine("printed.toml", toml.report.str());
  REQUIRE(again);
  CHECK(*again == ampere);

  const auto json = nlohmann::json::parse(machines({"ampere", "--format", "json"}).report.str());
  CHECK(json["name"] == "ampere");
  CHECK(json["board"]["multiprocessors"] == 108);
  CHECK(json["board"]["integrated"] == false);
  CHECK(json["assumptions"].size() == timing::assumptions_of(ampere).size());
  CHECK(json["limits"]["blocks"] == nlohmann::json({32, 32}));
  CHECK(json["resources"][0]["name"] == "issue");
  CHECK(json["fetch"]["caches"][2]["name"] == "L2");
  CHECK(json["sequence"]["architectures"] == nlohmann::json({80}));
  size_t operations = ampere.form_figures.size();
  for (const auto& figures : ampere.otherwise) operations += figures ? 1 : 0;
  REQUIRE(json["operations"].size() == operations);
  for (const auto& operation : json["operations"]) {
    CHECK(operation["latency"][2] >= operation["latency"][0]);
    CHECK_FALSE(operation["source"].get<std::string>().empty());
  }
}

TEST_CASE("a machine goes to a file, in the form that its name says") {
  const Outcome toml = machines({"Jetson AGX Orin", "--output", "orin.toml"});
  CHECK(toml.errors.empty());
  CHECK(toml.path == "orin.toml");
  CHECK(toml.report.str() == machines({"orin", "--format", "toml"}).report.str());
  CHECK(machines({"orin", "--output", "orin.json"}).report.str() ==
        machines({"orin", "--format", "json"}).report.str());
  CHECK(machines({"orin", "--output", "orin.txt"}).report.str() == machines({"orin"}).report.str());
  CHECK(machines({"--output", "all.txt"}).path == "all.txt");
  CHECK(machines({"orin", "--check", "--output", "orin.txt"}).path == "orin.txt");
  for (const std::vector<const char*>& wrong : {std::vector<const char*>{"machines", "--output", "all.json"},
                                                {"machines", "orin", "--check", "--output", "orin.toml"},
                                                {"machines", "orin", "--output", "orin.csv"},
                                                {"machines", "orin", "--format", "json", "--output", "orin.toml"}}) {
    CHECK_FALSE(test::parse(all_commands(), wrong));
  }
}

TEST_CASE("a machine is checked") {
  const Outcome good = machines({"ampere", "--check"});
  CHECK(good.errors.empty());
  CHECK(good.report.str().rfind("ampere: ", 0) == 0);
  CHECK(good.report.str().find("\nno errors\n") != std::string::npos);
  CHECK(good.report.str().find("worst latency") != std::string::npos);
  CHECK(good.report.str().find("matrix.group") != std::string::npos);
  CHECK(good.report.str().find("doubtful") == std::string::npos);

  const char* path = "machines_test_checked.toml";
  std::ofstream(path) << "based_on = \"ampere\"\nname = \"idle\"\ndescription = \"x\"\n[sources]\nA = \"b\"\n";
  const Outcome idle = machines({path, "--check"});
  std::ofstream(path) << "based_on = \"ampere\"\nnmae = \"idle\"\n[board]\nclock_khz = 0\n";
  const Outcome wrong = machines({path, "--check"});
  std::remove(path);
  CHECK(idle.report.str().find("doubtful: nothing cites source 'A'") != std::string::npos);
  CHECK(wrong.report.empty());
  REQUIRE(wrong.errors.size() == 2);
  CHECK(wrong.errors[0].message == "unknown key 'nmae' in the file");
  CHECK(wrong.errors[1].message == "'clock_khz' must be between 1 and 1000000000");
  for (const auto& error : wrong.errors) CHECK(error.cause == support::Cause::usage);
}

TEST_CASE("an unknown machine is an error without a report") {
  const Outcome outcome = machines({"no-such-machine"});
  CHECK(outcome.report.empty());
  REQUIRE(outcome.errors.size() == 1);
  CHECK(outcome.errors[0].message == "unknown machine 'no-such-machine'");
}
