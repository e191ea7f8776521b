// SPDX-License-Identifier: GPL-3.0-or-later
// Constants that machine code reads and PTX does not show: kernels beside what ptxas 13.0 makes of them for sm_80.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

namespace {

using nlohmann::json;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;

const std::string folder = "tests/samples/constants/";

int64_t bound(const std::string& file, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"analyze", folder + file, "--block", "32",           "--machine",
                                        "sm_80",   "--format",    "json",    "--time-limit", "0"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramRun run = run_warpspan(arguments);
  INFO(file << "\n" << run.err);
  REQUIRE(run.status == 0);
  int64_t least = 0;
  const json report = json::parse(run.out);
  for (const json& one : report.at("kernels").at(0).at("bounds")) {
    if (one.at("model") == "pipeline") least = one.at("makespan").get<int64_t>();
  }
  REQUIRE(least > 0);
  return least;
}

}  // namespace

TEST_CASE("integers from constant memory are in the bound of the PTX that does not name them") {
  struct Row {
    std::string name, parameter;
    int64_t reads;  // that machine code does in each of 1,000 rounds
  };
  for (const Row& row : std::initializer_list<Row>{{"lcg", "1", 2}, {"splitmix", "1", 2}, {"dot", "2", 4}}) {
    INFO(row.name);
    const std::vector<std::string> nothing = {"--arg", row.parameter + "=1000"};
    const int64_t ptx = bound(row.name + ".ptx", nothing), code = bound(row.name + ".sm_80.cubin", nothing);
    constexpr int64_t read = 1710;  // cycles, at least
    CHECK(ptx >= row.reads * 1000 * read);
    CHECK(code >= row.reads * 1000 * read);
    CHECK(ptx * 10 >= code * 9);  // beside these reads the machine code has what it has
    const std::vector<std::string> kept = {"--arg", row.parameter + "=1000", "--assume", "keeps-constants"};
    CHECK(bound(row.name + ".ptx", kept) >= bound(row.name + ".sm_80.cubin", kept));
    CHECK(bound(row.name + ".ptx", kept) < ptx / 3);
  }
}

TEST_CASE("the sentence on kept constants counts those that fit no operand") {
  const ProgramRun run = run_warpspan({"analyze", folder + "lcg.ptx", "--block", "32", "--arg", "1=1000", "--assume",
                                       "keeps-constants", "--explain", "--time-limit", "0"});
  CHECK(run.status == 0);
  CHECK(run.out.find("fits no operand among") != std::string::npos);
}

TEST_CASE("parameters that are read at an index of which the bank is known are kept with the bank") {
  const std::vector<std::string> nothing = {"--arg", "1=1000"};
  const std::vector<std::string> kept = {"--arg", "1=1000", "--assume", "keeps-constants"};
  CHECK(bound("indexed.sm_80.cubin", kept) < bound("indexed.sm_80.cubin", nothing) / 5);
}
