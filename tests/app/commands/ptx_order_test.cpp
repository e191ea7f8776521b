// SPDX-License-Identifier: GPL-3.0-or-later
// Loads that stand in a row before their uses: ptxas issues a few, waits, and issues the next.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/files.hpp"

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

const std::string folder = "tests/samples/order/";

ProgramRun analyze(const std::string& file, Words more) {
  Words words = {"analyze",   folder + file, "--block", "32",           "--arg", "2=1000",
                 "--explain", "--format",    "json",    "--time-limit", "0"};
  words.insert(words.end(), more.begin(), more.end());
  return run_warpspan(words);
}

int64_t bound(const std::string& file, const Words& more) {
  const ProgramRun run = analyze(file, more);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0).at("bounds").at(0).at("makespan").get<int64_t>();
}

}  // namespace

TEST_CASE("rounds of loads are bounded where the order of PTX is not granted") {
  const Words with_log = {"--ptxas-log", folder + "sink128.log"};
  // What the machine code takes where each load takes as long as any.
  CHECK(bound("sink40.ptx", {}) >= 17200000);
  CHECK(bound("sink128.ptx", with_log) >= 55000000);
  // Of 10^8 cycles a load: registers for six loads of 16 bytes make 22 rounds a turn at least.
  Words rounds = with_log;
  rounds.insert(rounds.end(), {"--machine", folder + "rounds.toml"});
  CHECK(bound("sink128.ptx", rounds) >= 1000 * 22 * int64_t{100000000});
}

TEST_CASE("the order of the PTX is a rung of the ladder, and what rests on it says so") {
  const ProgramRun nothing = analyze("sink40.ptx", {}), assumed = analyze("sink40.ptx", {"--assume", "ptx-order"});
  CHECK(nothing.status == 0);
  CHECK(assumed.status == 0);
  const auto kernel = [](const ProgramRun& run) { return Json::parse(run.out).at("kernels").at(0); };
  const Json rung = kernel(nothing).at("ladder").at(1);
  CHECK(rung.at("assumption") == "ptx-order");
  CHECK(rung.at("makespan") == kernel(assumed).at("bounds").at(0).at("makespan"));
  CHECK(contains(kernel(assumed).at("bounds").dump(), "(--assume ptx-order)"));
  CHECK_FALSE(contains(kernel(nothing).at("bounds").dump(), "(--assume ptx-order)"));
}
