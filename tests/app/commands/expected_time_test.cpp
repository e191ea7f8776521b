// SPDX-License-Identifier: GPL-3.0-or-later
// Expected times in reports on bounds: estimates that no bound depends on.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/commands/check_gate.hpp"
#include "tests/app/run_program.hpp"

using namespace warpspan::test;

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string cubin = "tests/frontend/object/data/kernels.sm_90.cubin";
const Words launch = {"--kernel", "shared_sum", "--block", "128", "--grid", "8"};

Json report_of(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"--format", "json"});
  const ProgramRun run = run_warpspan(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out);
}

Json analyzed(const Words& more) { return report_of({"analyze", cubin}, more).at("kernels").at(0); }

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Machine code with a bound and a budget of the expected time.
class ExpectedGate : public Gate {
 public:
  ExpectedGate() : Gate("k.cubin", cubin, "shared_sum", "block = 128\ngrid = 8\n") {
    replace("budgets.toml", "\"ampere\"", "\"hopper\"");
    append("budgets.toml", "expect = \"1 us\"\n");
    update();
  }

  // The limit of the expected time.
  Json limit(int status) const {
    const ProgramRun done = run({"--format", "json"});
    INFO(done.out << done.err);
    REQUIRE(done.status == status);
    return Json::parse(done.out).at("results").at(0).at("limits").at(1);
  }
};

}  // namespace

TEST_CASE("a report on machine code tells the time that a simulation of as much expects") {
  const Json kernel = analyzed(launch);
  const Json& expected = kernel.at("expected");
  const Json simulated = report_of({"simulate", cubin, "--quick"}, launch).at("kernels").at(0);
  CHECK(expected == simulated.at("expected"));
  CHECK(expected.at("method") == "simulated");
  CHECK(expected.at("safe") == false);
  CHECK(expected.at("usual_factor").get<int64_t>() >= 120);
  CHECK(expected.at("not_simulated") == "");
  CHECK(expected.at("cycles").get<int64_t>() < kernel.at("bounds").at(0).at("makespan").get<int64_t>());
  CHECK(analyzed(with(launch, {"--simulate", "full"})).at("expected").at("method") == "simulated");
}

TEST_CASE("an analysis simulates what 'simulate' does, also where lanes part and meet") {
  for (const std::string kernel : {"h_nested_div", "h_switch32", "h_brx"}) {
    INFO(kernel);
    const Words words = {"--kernel", kernel, "--block", "32", "--arg", "1=8", "--buffer", "0=268435456"};
    const std::string file = "samples/measured/operations.cubin";
    const Json expected = report_of({"analyze", file}, words).at("kernels").at(0).at("expected");
    CHECK(expected == report_of({"simulate", file, "--quick"}, words).at("kernels").at(0).at("expected"));
  }
}

TEST_CASE("no bound depends on what is simulated") {
  Json quick = analyzed(launch), never = analyzed(with(launch, {"--simulate", "never"}));
  CHECK(never.at("expected").at("method") == "estimated");
  CHECK(never.at("expected").at("not_simulated") == "--simulate never");
  for (Json* each : {&quick, &never}) {
    each->erase("expected");
    for (Json& bound : each->at("bounds")) bound.erase("seconds");
  }
  CHECK(quick == never);
}

TEST_CASE("PTX has an estimate by the formula, which says so") {
  const Words words = {"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", "4", "--arg", "3=1000"};
  const Json kernel = report_of(words, {}).at("kernels").at(0);
  CHECK(kernel.at("expected").at("method") == "estimated");
  CHECK(contains(kernel.at("expected").at("not_simulated"), "it is PTX"));
  const ProgramRun text = run_warpspan(words);
  CHECK(contains(text.out, "\n  expected "));
  CHECK(contains(text.out, ", rough estimate, not safe: "));
  CHECK_FALSE(contains(run_warpspan(with(words, {"--model", "string", "--time-limit", "0"})).out, "  expected "));
}

TEST_CASE("a machine that was not measured has no usual error") {
  const Json expected = analyzed(with(launch, {"--machine", "ampere"})).at("expected");
  CHECK(expected.at("method") == "simulated");
  CHECK(expected.at("usual_factor").is_null());
}

TEST_CASE("what a parameter without a value decides is not simulated") {
  // Its guard compares the number of the thread with the first parameter.
  const Words words = {"analyze", "tests/frontend/object/data/saxpy.default.fatbin", "--block", "256", "--grid", "4"};
  const Json unknown = report_of(words, {}).at("kernels").at(0).at("expected");
  CHECK(unknown.at("method") == "estimated");
  CHECK(contains(unknown.at("not_simulated"), "--arg"));
  const Json known = report_of(words, {"--arg", "0=1024"}).at("kernels").at(0).at("expected");
  CHECK(known.at("method") == "simulated");
}

TEST_CASE("compare shows expected times beside bounds, also of saved reports") {
  const TemporaryFolder folder;
  const std::string before = folder.file("before.json");
  REQUIRE(run_warpspan(with({"analyze", cubin, "--explain", "--format", "json", "--output", before}, launch)).status ==
          0);
  const Json saved = report_of({"compare", before, cubin}, launch).at("kernels").at(0);
  CHECK(saved.at("sides").at(0).at("expected") == saved.at("sides").at(1).at("expected"));
  CHECK(saved.at("changes").at(0).at("expected") == 0);
  // Found in another way: no change is told.
  const Json other = report_of({"compare", before, cubin, "--simulate", "never"}, launch).at("kernels").at(0);
  CHECK(other.at("changes").at(0).at("expected").is_null());
  const ProgramRun text = run_warpspan({"compare", "tests/samples/compare/nbody.O3.ptx",
                                        "tests/samples/compare/nbody.fast.ptx", "--block", "128", "--arg", "3=1024"});
  CHECK(contains(text.out, "expected, cycles (an estimate)"));
}

TEST_CASE("a budget of the expected time holds today, and within its tolerance") {
  const ExpectedGate gate;
  gate.check_passes();
  const Json limit = gate.limit(0);
  CHECK(limit.at("quantity") == "expected");
  CHECK(limit.at("tolerance") == "5%");
  CHECK(limit.at("value").get<int64_t>() <= limit.at("most").get<int64_t>());
  CHECK(contains(gate.read("budgets.toml"), "expect = \""));
  CHECK_FALSE(contains(gate.read("budgets.toml"), "expect = \"1 us\""));
  const std::string updated = gate.read("budgets.toml");
  gate.update();
  CHECK(gate.read("budgets.toml") == updated);
}

TEST_CASE("a kernel that is slower than expected fails in every format, with a verdict of its own") {
  const ExpectedGate gate;
  const int64_t cycles = gate.limit(0).at("value").get<int64_t>();
  const std::string text = gate.read("budgets.toml");
  const size_t begin = text.find("expect = ");
  const std::string line = text.substr(begin, text.find('\n', begin) - begin);
  gate.replace("budgets.toml", line, "expect = \"" + std::to_string(cycles * 100 / 106) + " cycles\"");
  gate.check_fails(1, "expected");
  CHECK(gate.limit(1).at("status") == "slower");
  CHECK(contains(gate.run({}).out, "1 slower than expected"));
  CHECK(contains(gate.run({"--format", "sarif"}).out, "expected-slower"));
  gate.append("budgets.toml", "expect_tolerance = \"10%\"\n");
  gate.check_passes();
}

TEST_CASE("a time that is not simulated is no expected time of a gate") {
  const Gate gate;
  gate.append("budgets.toml", "expect = \"1 s\"\n");
  gate.check_fails(2, "it was not simulated");
}
