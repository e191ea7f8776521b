// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan calibrate as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/calibrate/made_up_program.hpp"

using namespace warpspan::test;

TEST_CASE("calibrate writes a program for one target or for all") {
  const ProgramRun one = run_warpspan({"calibrate", "--target", "sm_80"});
  CHECK(one.status == 0);
  CHECK(contains(one.out, "nvcc -O2 -arch=sm_80"));
  CHECK(contains(one.out, "{\"sm_80\", \"ampere\", 80, true, figures_of_sm_80}"));
  CHECK_FALSE(contains(one.out, "figures_of_sm_90"));
  const ProgramRun all = run_warpspan({"calibrate"});
  for (const char* target : {"sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    CHECK(contains(all.out, std::string("{\"") + target + "\", "));
  }
  const TemporaryFolder folder;
  CHECK(run_warpspan({"calibrate", "--target", "sm_80", "--output", folder.file("c.cu")}).status == 0);
  CHECK(read_file(folder.file("c.cu")) == one.out);
}

TEST_CASE("calibrate refuses targets that it has no program for") {
  for (const char* target : {"sm_70", "sm_8", "80", "a100", "sm_80 "}) {
    const ProgramRun run = run_warpspan({"calibrate", "--target", target});
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, "no calibration for '" + std::string(target) + "'"));
  }
  CHECK(contains(run_warpspan({"calibrate", "--target", "sm_81"}).err, "did you mean 'sm_80'?"));
  CHECK(run_warpspan({"calibrate", "--target", ""}).status == 2);
}

TEST_CASE("a calibrated machine bounds kernels") {
  const TemporaryFolder folder;
  const auto bound = [&folder](const MadeUpResults& results) {
    const ProgramRun printed = MadeUpProgram::get().run(results);
    REQUIRE(printed.status == 0);
    write_file(folder.file("my.toml"), printed.out);
    const ProgramRun checked = run_warpspan({"machines", "--check", folder.file("my.toml")});
    REQUIRE(checked.status == 0);
    CHECK(contains(checked.out, "no errors"));
    const ProgramRun run = run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", "64", "--arg",
                                         "3=16000", "--machine", folder.file("my.toml"), "--format", "json"});
    INFO(run.err);
    REQUIRE(run.status == 0);
    const auto report = nlohmann::json::parse(run.out);
    CHECK(report.at("kernels").at(0).at("machine") == "calibrated");
    return std::stoll(report.at("bound").at("cycles").dump());
  };
  const int64_t measured = bound({});
  CHECK(bound(MadeUpResults().with_chain("chain.fp32", 64 * 40)) > measured);
  CHECK(bound(MadeUpResults().with("memory.load", 4000)) > measured + 2000);
  CHECK(bound(MadeUpResults().with("lines.same_bank_ps", 134000)) > measured * 3 / 2);
  CHECK(bound(MadeUpResults().with_chain("chain.fp32", 64 * 3)) == measured);
  CHECK(bound(MadeUpResults().with("lines.same_bank_ps", 50)) == measured);
}
