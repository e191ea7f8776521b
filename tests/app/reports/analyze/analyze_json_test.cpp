// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/reports/analyze/analyze_formats.hpp"
#include "app/reports/analyze/brief.hpp"
#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

const TextStyle in_full(false, usual_width, true);

using Json = nlohmann::ordered_json;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

Json example() {
  KernelReport kernel = test::example_kernel();
  kernel.launch.grid = ir::Extent{4, 1, 1};
  support::Diagnostic error;
  error.location = {"bad.ptx", 3, 7};
  error.message = "unknown opcode 'addd'";
  error.help = "did you mean 'add'?";
  return Json::parse(to_json({{kernel}, {error, support::usage_error("no such machine")}}, in_full));
}

}  // namespace

TEST_CASE("the keys of the document come in the order of the contract") {
  const Json document = example();
  CHECK(keys(document) == std::vector<std::string>{"schema", "kernels", "errors", "warnings", "version", "status",
                                                   "bound", "failed", "run"});
  const Json& kernel = document["kernels"][0];
  CHECK(keys(kernel) == std::vector<std::string>{"file",
                                                 "name",
                                                 "machine",
                                                 "launch",
                                                 "instructions",
                                                 "string",
                                                 "raw_edges",
                                                 "loops",
                                                 "single_warp",
                                                 "bounds",
                                                 "witness",
                                                 "transformed",
                                                 "only_one_string",
                                                 "resources",
                                                 "clock_readings",
                                                 "assumed_figures",
                                                 "clock_khz",
                                                 "any_dispatcher",
                                                 "fetch",
                                                 "lines",
                                                 "costs",
                                                 "transactions",
                                                 "demangled",
                                                 "occupancy",
                                                 "granted",
                                                 "ladder",
                                                 "accesses",
                                                 "listing",
                                                 "ptx",
                                                 "expected",
                                                 "headlines",
                                                 "advice",
                                                 "assumed"});
  CHECK(keys(kernel["bounds"][0]) == std::vector<std::string>{"model", "method", "makespan", "kind", "safe",
                                                              "assumptions", "seconds", "status", "remark", "parts"});
  CHECK(keys(document["errors"][0]) == std::vector<std::string>{"file", "line", "column", "message", "help", "cause"});
}

TEST_CASE("the values of a kernel") {
  const Json kernel = example()["kernels"][0];
  CHECK(kernel["file"] == "fir.ptx");
  CHECK(kernel["name"] == "fir");
  CHECK(kernel["machine"] == "toy");
  CHECK(kernel["launch"].dump() == R"({"block":[16,16,1],"grid":[4,1,1],"warps":8,"warps_per_block":8,"blocks":1,)"
                                   R"("device_warps":8,"block_from_file":false,"device_blocks":1,)"
                                   R"("residency":{"least":1,"most":4,"least_limit":"registers","most_limit":"warps"},)"
                                   R"("registers":{"least":1,"most":255},"shared_bytes":{"least":0,"most":48}})");
  CHECK(kernel["any_dispatcher"].is_null());
  CHECK(kernel["bounds"][0]["parts"][1].dump() ==
        R"({"kind":"resource","name":"issue","cycles":3503,"count":7,"demand":1001,"servers":2})");
  CHECK(kernel["bounds"][1]["parts"].empty());
  CHECK(kernel["instructions"].dump() == R"({"L":2001,"C":1001,"S":0})");
  CHECK(kernel["string"] == "C(L2C)^1000L");
  CHECK(kernel["raw_edges"] == 12);
  CHECK(kernel["loops"].dump() == R"([{"label":"$L__BB0_2","line":34,"trip_count":1000,"origin":"scalar-evolution",)"
                                  R"("source_file":"","source_line":0,"given":null,"given_by":""}])");
  CHECK(kernel["single_warp"].dump() == R"({"best":1000,"average":2000,"worst":4000})");
  CHECK(kernel["witness"] == 15000);
  CHECK(kernel["transformed"].dump() == R"({"string":"C(L2C)^1000L","servers":{"L":1,"C":2,"S":1}})");
  CHECK(kernel["only_one_string"] == false);
  CHECK(kernel["resources"][0].dump() == R"({"name":"issue","servers":2,"warps":8,"demand":1001})");
  CHECK(kernel["clock_readings"].dump() == R"([{"first_line":10,"second_line":20,"best":36,"average":40,"worst":48}])");
  CHECK(kernel["fetch"].is_null());
  CHECK(kernel["assumed_figures"].dump() == R"(["int.div","fp64"])");
  CHECK(kernel["clock_khz"] == 1000000);
}

TEST_CASE("what is granted, what it buys, and where memory is accessed") {
  KernelReport report = test::with_accesses(test::with_ladder(test::example_kernel()));
  report.assumed.assume(timing::Assumption::warm_code);
  const Json kernel = Json::parse(to_json({{report}, {}}, in_full))["kernels"][0];
  CHECK(kernel["granted"].dump() == R"(["warm-code"])");
  REQUIRE(kernel["ladder"].size() == 3);
  CHECK(kernel["ladder"][0]["headline"] == true);
  REQUIRE(kernel["accesses"].size() == 3);
  CHECK(kernel["accesses"][0].dump() ==
        R"({"line":40,"source_file":"src/fir.cu","source_line":12,"instruction":"ld.global.f32","object":"in",)"
        R"("object_bytes":null,"form":"4 * threadIdx.x + 1024 * blockIdx.x","span":{"first":0,"end":4096},)"
        R"("warp_lines":2,"block_lines":9,"grid_lines":33,"dense":true,"pieces":2,"aligned_pieces":1,"executions":1,)"
        R"("cycles":100,"dense_with":36})");
  CHECK(kernel["accesses"][2].dump() ==
        R"({"line":60,"source_file":"","source_line":0,"instruction":"st.f32","object":null,"object_bytes":null,)"
        R"("form":"","span":null,"warp_lines":null,"block_lines":null,"grid_lines":null,"dense":false,"pieces":32,)"
        R"("aligned_pieces":0,"executions":null,"cycles":0,"dense_with":null})");
}

TEST_CASE("a bound with a value and one without") {
  const Json bounds = example()["kernels"][0]["bounds"];
  REQUIRE(bounds.size() == 4);
  CHECK(
      bounds[0].dump() ==
      R"({"model":"pipeline","method":"pipeline","makespan":8203,"kind":"upper","safe":true,)"
      R"("assumptions":["Latencies are at most as listed.","One block."],"seconds":0.25,"status":"optimal","remark":"",)"
      R"("parts":[{"kind":"path","name":"","cycles":4000,"count":1,"demand":4000,"servers":1},)"
      R"({"kind":"resource","name":"issue","cycles":3503,"count":7,"demand":1001,"servers":2},)"
      R"({"kind":"resource","name":"load_store","cycles":700,"count":7,"demand":100,"servers":1}]})");
  CHECK(bounds[2]["makespan"].is_null());
  CHECK(bounds[2]["safe"] == false);
  CHECK(bounds[2]["status"] == "time-limit");
  CHECK(bounds[2]["remark"] == "the time limit of 10 s has been reached");
}

TEST_CASE("errors have their place, or 0 where they have none") {
  const Json errors = example()["errors"];
  CHECK(errors[0].dump() == R"({"file":"bad.ptx","line":3,"column":7,"message":"unknown opcode 'addd'",)"
                            R"("help":"did you mean 'add'?","cause":"input"})");
  CHECK(errors[1].dump() == R"({"file":"","line":0,"column":0,"message":"no such machine","help":"","cause":"usage"})");
}

TEST_CASE("a grid that is not given is null") {
  const Json document = Json::parse(to_json({{test::example_kernel()}, {}}));
  CHECK(document["kernels"][0]["launch"]["grid"].is_null());
  CHECK(document["errors"].dump() == "[]");
}

TEST_CASE("an empty report is a document") {
  CHECK(Json::parse(to_json(AnalyzeReport{})).dump() ==
        R"({"schema":"warpspan.analyze/2","kernels":[],"errors":[],"warnings":[],"version":"0.1.0","status":"done",)"
        R"("bound":{"cycles":"unknown","picoseconds":"unknown"},"failed":[],"run":null})");
}

TEST_CASE("the largest bound stands at the top, unless anything is not bounded") {
  KernelReport slow = test::example_kernel();
  slow.analysis.bounds[0].bound.makespan = 9000;
  KernelReport slow_clock = test::example_kernel();
  slow_clock.machine.clock_khz = 700'000;
  AnalyzeReport report{{test::example_kernel(), slow, slow_clock}, {}};
  const auto bound = [&report] { return Json::parse(to_json(report))["bound"].dump(); };
  CHECK(bound() == R"({"cycles":9000,"picoseconds":11718572})");  // 8203 cycles of 1/700 us, rounded up
  const std::string unknown = R"({"cycles":"unknown","picoseconds":"unknown"})";
  report.failed = {{"a.ptx", "k", {}}};
  CHECK(bound() == unknown);
  report.failed.clear();
  support::Diagnostic warning;
  warning.severity = support::Severity::warning;
  report.errors = {warning};
  CHECK(bound() != unknown);
  report.errors = {support::usage_error("no such machine")};
  CHECK(bound() == unknown);
  report.errors.clear();
  report.kernels.edit(0).analysis.bounds.erase(
      report.kernels.at(0)->analysis.bounds.begin());  // the string model alone
  CHECK(bound() == unknown);
}

TEST_CASE("the status is that of the exit") {
  const auto status = [](support::Cause cause) {
    AnalyzeReport report;
    report.errors.emplace_back().cause = cause;
    return Json::parse(to_json(report))["status"].get<std::string>();
  };
  CHECK(status(support::Cause::usage) == "wrong-use");
  CHECK(status(support::Cause::input) == "not-bounded");
  CHECK(status(support::Cause::internal) == "internal-error");
}

TEST_CASE("what failed and how the report was made are in the document") {
  AnalyzeReport report;
  report.failed = {{"a.ptx", "k", {support::usage_error("no")}}, {"b.ptx", "", {}}};
  report.run.command = "analyze";
  report.run.arguments = {"--block=32", "a.ptx"};
  report.run.add_input("a.ptx", "abc");
  report.run.add_input("a.ptx", "abc");
  report.run.add_machine("toy", "");
  const Json document = Json::parse(to_json(report));
  CHECK(document["failed"][0]["name"] == "k");
  CHECK(document["failed"][0]["errors"][0]["message"] == "no");
  CHECK(document["failed"][1].dump() == R"({"file":"b.ptx","name":null,"errors":[]})");
  CHECK(document["run"].dump() ==
        R"({"command":"analyze","arguments":["--block=32","a.ptx"],"inputs":[{"file":"a.ptx","sha256":)"
        R"("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}],"machines":[{"name":"toy","sha256":)"
        R"("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}],"assemblers":[]})");
}

TEST_CASE("without an explanation a document lacks its large parts, and nothing else differs") {
  KernelReport kernel = test::with_accesses(test::with_ladder(test::example_kernel()));
  kernel.lines = {{"fir.cu", 12, 1000, 30, 70, "memory", "y += a[i];"}};
  Json full = Json::parse(to_json({{kernel}, {}}, in_full));
  for (const char* key :
       {"string", "transformed", "resources", "lines", "costs", "ladder", "accesses", "listing", "ptx"}) {
    CHECK(full["kernels"][0].erase(key) == 1);
  }
  for (Json& bound : full["kernels"][0]["bounds"]) CHECK(bound.erase("assumptions") == 1);
  CHECK(to_json({{kernel}, {}}) == full.dump(2) + "\n");
  CHECK(full["kernels"][0]["assumed"].dump() == R"({"count":3,"identifiers":[]})");
  make_brief(kernel);
  CHECK(to_json({{kernel}, {}}) == full.dump(2) + "\n");
  make_brief(kernel);
  CHECK(to_json({{kernel}, {}}) == full.dump(2) + "\n");
}

TEST_CASE("numbers up to 2^63 - 1 keep all digits") {
  KernelReport kernel = test::example_kernel();
  kernel.analysis.bounds[0].bound.makespan = INT64_MAX;
  CHECK(to_json({{kernel}, {}}).find("\"makespan\": 9223372036854775807,") != std::string::npos);
}

TEST_CASE("the cost of lines and of instructions is in the document") {
  KernelReport kernel = test::example_kernel();
  CHECK(Json::parse(to_json({{kernel}, {}}, in_full))["kernels"][0]["lines"].dump() == "[]");
  kernel.lines = {{"fir.cu", 12, 1000, 30, 70, "memory", "y += a[i];"}};
  kernel.analysis.costs = {{4, 1000, 30, 70, "memory"}};
  kernel.instructions = {{56, "ld.global.f32"}};
  const Json report = Json::parse(to_json({{kernel}, {}}, in_full))["kernels"][0];
  CHECK(report["lines"].dump() == R"([{"file":"fir.cu","line":12,"executions":1000,"cycles":100,"own":30,)"
                                  R"("others":70,"resource":"memory","text":"y += a[i];"}])");
  CHECK(report["costs"].dump() == R"([{"line":56,"instruction":"ld.global.f32","executions":1000,"cycles":100,)"
                                  R"("own":30,"others":70,"resource":"memory"}])");
}

TEST_CASE("bytes that are not UTF-8 do not spoil the document") {
  AnalyzeReport report;
  report.errors.push_back(support::usage_error("unexpected character '\xff'"));
  CHECK(Json::parse(to_json(report))["errors"][0]["message"] == "unexpected character '\xef\xbf\xbd'");
}

TEST_CASE("what fetching the code costs is in the document") {
  const AnalyzeReport report{{test::with_fetch(test::example_kernel())}, {}};
  CHECK(Json::parse(to_json(report))["kernels"][0]["fetch"].dump() ==
        R"({"bytes":1000,"lines":9,"misses":{"L0":{"fits":false,"once":0,"each_warp":30},)"
        R"("L1":{"fits":true,"once":9,"each_warp":0}},"cycles":{"once":900,"each_warp":300}})");
}
