// warpspan simulate as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string sample = "tests/frontend/object/data/kernels.sm_90.cubin";

ProgramRun simulate(Words words) {
  words.insert(words.begin(), {"simulate", sample, "--kernel", "shared_sum", "--block", "128"});
  return run_warpspan(words);
}

Json kernel_of(Words words) {
  words.insert(words.end(), {"--format", "json"});
  const ProgramRun run = simulate(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

}  // namespace

TEST_CASE("simulate says in its first line what is expected, and that it is no bound") {
  const ProgramRun run = simulate({"--grid", "8"});
  CHECK(run.err.empty());
  REQUIRE(run.status == 0);
  const std::string first = run.out.substr(0, run.out.find('\n'));
  CHECK(first.starts_with("expected "));
  CHECK(first.ends_with(" on hopper (an estimate, not safe)"));
  CHECK(contains(run.out, "occupancy"));
  CHECK(contains(run.out, "waiting for"));
}

TEST_CASE("the cycles of a simulation are below the bound of the same launch") {
  const Json kernel = kernel_of({"--grid", "8"});
  const ProgramRun bound =
      run_warpspan({"analyze", sample, "--kernel", "shared_sum", "--block", "128", "--grid", "8", "--format", "json"});
  REQUIRE(bound.status == 0);
  const Json bounded = Json::parse(bound.out).at("kernels").at(0);
  const auto cycles = kernel.at("expected").at("cycles").get<int64_t>();
  CHECK(cycles > 100);
  CHECK(cycles < bounded.at("bounds").at(0).at("makespan").get<int64_t>());
}

TEST_CASE("what warps waited and issued is all of their time") {
  const Json kernel = kernel_of({"--grid", "1000"});
  int64_t issued = 0;
  for (const Json& line : kernel.at("instructions")) {
    issued += line.at("issued").get<int64_t>();
    int64_t sum = line.at("issued").get<int64_t>();
    for (const auto& [name, cycles] : line.at("stalls").items()) sum += cycles.get<int64_t>();
    CHECK(std::abs(sum - line.at("cycles").get<int64_t>()) <= 14);  // each is rounded
  }
  CHECK(issued == kernel.at("simulated").at("instructions").get<int64_t>());
  CHECK(kernel.at("simulated").at("multiprocessors") == 132);
  CHECK(kernel.at("simulated").at("of") == 8);
  CHECK(kernel.at("measured") == true);
}

TEST_CASE("the scheduler of a simulation can be chosen, and the same run gives the same report") {
  CHECK(kernel_of({"--grid", "1000"}) == kernel_of({"--grid", "1000", "--scheduler", "greedy-then-youngest"}));
  CHECK(kernel_of({"--scheduler", "round-robin"}).at("scheduler") == "round-robin");
  const ProgramRun wrong = simulate({"--scheduler", "oldest"});
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.err, "greedy-then-oldest"));
}

TEST_CASE("other machines have figures that were not measured, and old ones none") {
  const ProgramRun ampere = simulate({"--machine", "ampere"});
  REQUIRE(ampere.status == 0);
  CHECK(contains(ampere.out, "on ampere (an estimate, not safe)"));
  CHECK(contains(ampere.out, "not all of its typical"));
  const ProgramRun fermi = simulate({"--machine", "fermi"});
  CHECK(fermi.status == 2);
  CHECK(contains(fermi.err, "has no typical figures to simulate with"));
}

TEST_CASE("PTX is not simulated, and the error says how it can be") {
  const ProgramRun run = run_warpspan({"simulate", "samples/saxpy.ptx", "--block", "256"});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "is PTX, of which no time is simulated"));
  CHECK(contains(run.err, "--assemble 'ptxas -O3'"));
}

TEST_CASE("a simulation needs a block") {
  const ProgramRun run = run_warpspan({"simulate", sample, "--kernel", "empty"});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "give --block X[,Y[,Z]]"));
}
