// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/saved_report.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "app/reports/analyze/analyze_formats.hpp"
#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using Json = nlohmann::json;

Json example() {
  AnalyzeReport report;
  report.kernels.push_back(test::example_kernel());
  report.kernels.edit(0).transactions = {{ir::MemorySpace::global, 12}};
  return Json::parse(to_json(report, {false, usual_width, true}));
}

support::Result<SavedReport> read(const std::string& text) {
  return read_saved_report(support::SourceFile("saved.json", text));
}

std::string error_of(const Json& document) {
  const auto saved = read(document.dump());
  return saved ? "no error" : saved.errors().front().message;
}

}  // namespace

TEST_CASE("a saved report has the figures of the analysis") {
  const auto saved = read(example().dump());
  REQUIRE(saved);
  REQUIRE(saved->kernels.size() == 1);
  const KernelFigures& kernel = saved->kernels.front();
  const KernelFigures direct = figures_of(test::example_kernel());
  CHECK(kernel.name == direct.name);
  CHECK(kernel.bound == direct.bound);
  CHECK(kernel.one_warp == direct.one_warp);
  CHECK(kernel.instructions == direct.instructions);
  CHECK(kernel.parts.size() == direct.parts.size());
  CHECK(kernel.assumptions == direct.assumptions);
  CHECK(kernel.loops.size() == direct.loops.size());
  REQUIRE(kernel.transactions);
  CHECK(kernel.transactions->front().count == 12);
}

TEST_CASE("what an older report lacks is not known, and what a newer one has besides does not matter") {
  Json document = example();
  Json& kernel = document["kernels"][0];
  for (const char* key : {"transactions", "lines", "costs", "clock_khz"}) kernel.erase(key);
  kernel["launch"].erase("registers");
  kernel["something"] = {{"new", 1}};
  document["more"] = nullptr;
  document.erase("run");
  const auto saved = read(document.dump());
  REQUIRE(saved);
  const KernelFigures& read = saved->kernels.front();
  CHECK_FALSE(read.transactions);
  CHECK_FALSE(read.lines);
  CHECK_FALSE(read.words);
  CHECK_FALSE(read.registers);
  CHECK_FALSE(saved->words);
  document["run"] = {{"command", "analyze"}, {"arguments", {"--arg=n=4", "k.ptx"}}};
  CHECK(warpspan::app::read_saved_report(support::SourceFile("saved.json", document.dump()))->words ==
        std::vector<std::string>{"--arg=n=4", "k.ptx"});
}

TEST_CASE("anything else that is not as it should be is an error with its place") {
  const auto changed = [](const std::string& pointer, const Json& value) {
    Json document = example();
    document[Json::json_pointer(pointer)] = value;
    return error_of(document);
  };
  CHECK(changed("/schema", "warpspan.solve/1") == "schema: expected 'warpspan.analyze/2', got 'warpspan.solve/1'");
  CHECK(changed("/kernels/0/bounds", Json::array()) == "kernels[0].bounds: no safe bound of the pipeline model");
  CHECK(changed("/kernels/0/bounds/0/safe", "yes") == "kernels[0].bounds[0].safe: expected true or false, got a text");
  CHECK(changed("/kernels/0/bounds/0/makespan", -1) == "kernels[0].bounds[0].makespan: expected a number from 0");
  CHECK(changed("/kernels/0/bounds/0/makespan", 1.5) ==
        "kernels[0].bounds[0].makespan: expected an integer, got a number that is no integer of 64 bits");
  CHECK(changed("/kernels/0/launch/block", {1, 2}) == "kernels[0].launch.block: expected three numbers");
  CHECK(changed("/kernels/0/instructions", Json::object()) == "kernels[0].instructions: member 'L' is missing");
  CHECK(changed("/kernels/0/loops", 3) == "kernels[0].loops: expected an array, got an integer");
  CHECK(changed("/kernels", {1}) == "kernels[0]: expected an object");
  CHECK(error_of(Json::array()) == "the document: expected an object");
  CHECK_FALSE(read("{"));
  CHECK_FALSE(read(""));
}

TEST_CASE("a report in short is no side of a comparison, one of an older version is") {
  AnalyzeReport report;
  report.kernels.push_back(test::example_kernel());
  CHECK(error_of(Json::parse(to_json(report))) ==
        "kernels[0].bounds[0]: the report was made without --explain, which a comparison needs");
  Json older = example();
  older["schema"] = "warpspan.analyze/1";
  CHECK(error_of(older) == "no error");
}

TEST_CASE("errors of the saved run come along") {
  Json document = example();
  document["errors"] = Json::array(
      {{{"file", "a.ptx"}, {"line", 3}, {"column", 1}, {"message", "no bound"}, {"help", ""}, {"cause", "input"}}});
  const auto saved = read(document.dump());
  REQUIRE(saved);
  REQUIRE(saved->errors.size() == 1);
  CHECK(saved->errors[0].location.line == 3);
  CHECK(saved->errors[0].cause == support::Cause::input);
}

TEST_CASE("mutants of a saved report are read or refused") {
  const std::string original = example().dump();
  std::mt19937 random(3);
  size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string mutant = original;
    for (int change = 0; change <= round % 3; ++change) {
      const size_t at = random() % mutant.size();
      if (round % 2 == 0) {
        mutant[at] = "0123456789-{}[]\",:ntf"[random() % 21];
      } else {
        mutant.erase(at, 1 + random() % 4);
      }
    }
    if (!read(mutant)) ++refused;
  }
  CHECK(refused > 500);
}
