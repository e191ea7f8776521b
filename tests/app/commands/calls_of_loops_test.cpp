// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of functions that are called: each copy for a call can have a bound of its own.
#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpspan::test;

const std::string sample = "tests/samples/facts/calls.nvcc-lineinfo.ptx";

std::vector<std::string> with(const std::string& command, const std::vector<std::string>& bounds) {
  std::vector<std::string> arguments = {command, sample, "--block", "32", "--grid", "1"};
  for (const std::string& bound : bounds) arguments.insert(arguments.end(), {"--loop-bound", bound});
  return arguments;
}

Json kernel_with(const std::vector<std::string>& bounds) {
  std::vector<std::string> arguments = with("analyze", bounds);
  arguments.insert(arguments.end(), {"--format", "json"});
  const ProgramRun run = run_warpspan(arguments);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

int64_t cycles_with(const std::vector<std::string>& bounds) {
  return kernel_with(bounds).at("bounds").at(0).at("makespan").get<int64_t>();
}

// Calls and trip counts of the loops, in their order.
std::vector<std::pair<std::vector<std::string>, int64_t>> trips_with(const std::vector<std::string>& bounds) {
  std::vector<std::pair<std::vector<std::string>, int64_t>> trips;
  const Json kernel = kernel_with(bounds);
  for (const Json& loop : kernel.at("loops")) {
    trips.emplace_back(loop.at("called_from").get<std::vector<std::string>>(), loop.at("trip_count").get<int64_t>());
  }
  return trips;
}

size_t errors_in(const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find("error: "); at != std::string::npos; at = text.find("error: ", at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a bound with a call is that of the copies for this call") {
  using Trips = std::vector<std::pair<std::vector<std::string>, int64_t>>;
  const std::vector<std::string> first = {"calls.cu:14"};
  const std::vector<std::string> upper = {"calls.cu:9", "calls.cu:15"};
  const std::vector<std::string> lower = {"calls.cu:10", "calls.cu:15"};
  CHECK(trips_with({"calls.cu:4=40"}) == Trips{{first, 40}, {upper, 40}, {lower, 40}});
  CHECK(trips_with({"calls.cu:4 from calls.cu:14=3", "calls.cu:4 from calls.cu:9=20",
                    "calls.cu:4 from calls.cu:10=7"}) == Trips{{first, 3}, {upper, 20}, {lower, 7}});
  CHECK(trips_with({"calls.cu:4 from line:115=3", "$L__BB0_1 from calls.cu:15=20", "runs:calls.cu:4 from line:80=7"}) ==
        Trips{{first, 3}, {upper, 20}, {lower, 7}});
  CHECK(trips_with({"calls.cu:4=40", "calls.cu:4 from calls.cu:10=7", "calls.cu:4 from calls.cu:14=50"}) ==
        Trips{{first, 40}, {upper, 40}, {lower, 7}});
}

TEST_CASE("one number for each call is one for all, and a smaller one for one of them is never worse") {
  const std::vector<std::string> calls = {"calls.cu:14", "calls.cu:9", "calls.cu:10"};
  int64_t before = cycles_with({"calls.cu:4=40"});
  std::vector<std::string> bounds;
  for (const std::string& call : calls) bounds.push_back("calls.cu:4 from " + call + "=40");
  CHECK(cycles_with(bounds) == before);
  for (std::string& bound : bounds) {
    bound.replace(bound.find('='), std::string::npos, "=10");
    const int64_t less = cycles_with(bounds);
    CHECK(less < before);
    before = less;
  }
  CHECK(before == cycles_with({"calls.cu:4=10"}));
}

TEST_CASE("a loop that lacks the bound of one call is one error, which names the call") {
  const ProgramRun none = run_warpspan(with("analyze", {}));
  CHECK(none.status == 3);
  CHECK(errors_in(none.err) == 1);
  CHECK(contains(none.err, "no bound for the loop '$L__BB0_1' (calls.cu:4) of kernel 'runs': "));
  CHECK(contains(none.err, "of the copy for one call, '$L__BB0_1 from calls.cu:14=N'"));
  const ProgramRun others = run_warpspan(with("analyze", {"calls.cu:4 from calls.cu:14=3"}));
  CHECK(others.status == 3);
  CHECK(errors_in(others.err) == 1);
  CHECK(contains(others.err, "of kernel 'runs', called from calls.cu:9, calls.cu:10: "));
  CHECK(contains(others.err, "'$L__BB0_1 from calls.cu:9=N'"));
}

TEST_CASE("a call that is none of a loop is an error that lists those that are") {
  const ProgramRun run = run_warpspan(with("analyze", {"calls.cu:4=9", "calls.cu:4 from calls.cu:16=3"}));
  CHECK(run.status == 2);
  CHECK(contains(run.err,
                 "--loop-bound 'calls.cu:4 from calls.cu:16=3' names no loop\n  help: the loops are at calls.cu:4 from "
                 "calls.cu:14, calls.cu:4 from calls.cu:9 and calls.cu:4 from calls.cu:10\n"));
  const ProgramRun no_calls = run_warpspan({"analyze", "samples/search.ptx", "--block", "128", "--arg",
                                            "search_param_4=20", "--loop-bound", "$L__BB0_4 from search.cu:3=20"});
  CHECK(no_calls.status == 2);
  CHECK(contains(no_calls.err, "no loop is in a copy of a function for one call: leave 'from' out"));
  for (const char* place : {"calls.cu:4 from calls.cu=3", "calls.cu:4 from :9=3", "calls.cu:4 from calls.cu:0=3"}) {
    INFO(place);
    CHECK(run_warpspan(with("analyze", {place})).status == 2);
  }
}

TEST_CASE("facts say which call they are for, and that lines have moved") {
  const std::vector<std::string> bounds = {"calls.cu:4 from calls.cu:14=3", "calls.cu:4 from calls.cu:9=20",
                                           "calls.cu:4 from calls.cu:10=7"};
  const ProgramRun written = run_warpspan(with("facts", bounds));
  REQUIRE(written.status == 0);
  CHECK(contains(written.out, "call_lines = [\"calls.cu:14\", \"calls.cu:15\", \"calls.cu:9\", \"calls.cu:10\"]\n"));
  CHECK(contains(written.out, "at = \"$L__BB0_1 from calls.cu:10\"\ntrip_count = 7\n"));
  CHECK(contains(run_warpspan(with("facts", {})).out,
                 "can have its own by its label, or by its call: \"calls.cu:4 from calls.cu:14\"."));
  const TemporaryFolder folder;
  write_file(folder.file("facts.toml"), written.out);
  const auto analyze = [&](const std::string& file) {
    return run_warpspan(
        {"analyze", file, "--block", "32", "--grid", "1", "--facts", folder.file("facts.toml"), "--format", "json"});
  };
  const ProgramRun used = analyze(sample);
  REQUIRE(used.status == 0);
  CHECK(Json::parse(used.out).at("kernels").at(0).at("bounds").at(0).at("makespan") == cycles_with(bounds));
  std::string moved = read_file(warpspan::test::source_dir() + "/" + sample);
  moved.replace(moved.find(".loc\t1 9 3"), 10, ".loc\t1 8 3");
  write_file(folder.file("moved.ptx"), moved);
  const ProgramRun refused = analyze(folder.file("moved.ptx"));
  CHECK(refused.status == 3);
  CHECK(contains(refused.err,
                 "the lines of kernel 'runs' are not those that these facts were written for: the call at calls.cu:9 "
                 "moved to calls.cu:8"));
}
