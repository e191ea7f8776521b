// SPDX-License-Identifier: GPL-3.0-or-later
// Values of struct members, ranges and variables, told on the command line, in budgets and in files of facts: of code
// that nvcc 13.0 made.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpspan::test;
using Words = std::vector<std::string>;

const std::string folder = "tests/samples/values/";

ProgramRun analyze(const std::string& kernel, Words words) {
  words.insert(words.begin(), {"analyze", folder + "filter.ptx", "--kernel", kernel, "--machine", "ampere", "--explain",
                               "--format", "json", "--time-limit", "0"});
  return run_warpspan(words);
}

// What is said of the one kernel.
Json kernel_of(const ProgramRun& run) {
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

int64_t makespan(const Json& kernel) {
  for (const Json& bound : kernel.at("bounds")) {
    if (bound.at("model") == "pipeline") return bound.at("makespan").get<int64_t>();
  }
  FAIL("no bound");
  return 0;
}

std::vector<int64_t> trips(const Json& kernel) {
  std::vector<int64_t> result;
  for (const Json& loop : kernel.at("loops")) result.push_back(loop.at("trip_count").get<int64_t>());
  return result;
}

// The assumptions that what was given makes.
std::vector<std::string> given(const Json& kernel) {
  std::vector<std::string> result;
  for (const Json& bound : kernel.at("bounds")) {
    if (bound.at("model") != "pipeline") continue;
    for (const std::string text : bound.at("assumptions")) {
      if (contains(text, "(--") || contains(text, ".toml:")) result.push_back(text);
    }
  }
  return result;
}

const Words filter = {"--block", "128", "--grid", "4"};
const Words relax = {"--block", "64", "--arg", "1=500"};

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("members of a struct and ranges of them: the bound holds for every value in the range") {
  const Json range =
      kernel_of(analyze("filter", with(filter, {"--arg", "0+16=s32:1..3000", "--arg", "0+20=s16:1..9"})));
  CHECK(given(range) == Words{"The 4 bytes from byte 16 of parameter '0' are between 1 and 3000 (--arg).",
                              "The 2 bytes from byte 20 of parameter '0' are between 1 and 9 (--arg)."});
  for (const char* samples : {"1", "511", "512", "2999", "3000"}) {
    for (const char* taps : {"1", "3", "4", "7", "8", "9"}) {
      INFO(samples << " samples, " << taps << " taps");
      const Json one = kernel_of(analyze("filter", with(filter, {"--arg", "0+16:4=" + std::string(samples), "--arg",
                                                                 "filter_param_0+20=s16:" + std::string(taps)})));
      CHECK(makespan(one) <= makespan(range));
      for (size_t i = 0; i < trips(one).size(); ++i) CHECK(trips(one)[i] <= trips(range)[i]);
    }
  }
}

TEST_CASE("variables that are given, and initialisers that are trusted, are assumptions by name") {
  const Json by_value =
      kernel_of(analyze("relax", with(relax, {"--global", "stages=3", "--global", "tuning::rounds[1]=s32:8"})));
  CHECK(trips(by_value) == std::vector<int64_t>{3, 8, 8});
  CHECK(given(by_value) == Words{"The variable 'stages' is 3 as long as the kernel runs (--global).",
                                 "The variable '_ZN6tuning6roundsE[1]' is 8 as long as the kernel runs (--global)."});
  const Json trusted = kernel_of(analyze("relax", with(relax, {"--global", "stages=3", "--trust-initialisers"})));
  CHECK(trips(trusted) == trips(by_value));
  CHECK(makespan(trusted) == makespan(by_value));
  CHECK(given(trusted) ==
        Words{"The variable 'stages' is 3 as long as the kernel runs (--global).",
              "Variable '_ZN6tuning6roundsE' holds what the file initialises it with: neither the host nor another "
              "kernel has changed it (--trust-initialisers)."});
}

TEST_CASE("errors say what to write, and what they say works") {
  const ProgramRun unknown = analyze("relax", relax);
  CHECK(unknown.status == 3);
  const std::string rounds = "--global _ZN6tuning6roundsE+4:4=VALUE", stages = "--global stages=VALUE";
  CHECK(contains(unknown.err, "depends on variable 'stages', whose value is not known"));
  CHECK(contains(unknown.err, rounds));
  CHECK(contains(unknown.err, stages));
  const auto word = [](std::string option) {
    option.replace(option.find("VALUE"), 5, "3");
    return option.substr(option.find(' ') + 1);
  };
  CHECK(analyze("relax", with(relax, {"--global", word(rounds), "--global", word(stages)})).status == 0);

  const ProgramRun stored = analyze("count", {"--block", "32", "--global", "calls=3"});
  CHECK(stored.status == 2);
  CHECK(contains(stored.err, "--global: what variable 'calls' holds may change: line "));
  CHECK(analyze("count", {"--block", "32", "--trust-initialisers"}).status == 3);

  const ProgramRun named = analyze("relax", {"--block", "64", "--arg", "n=500"});
  CHECK(named.status == 2);
  CHECK(contains(named.err,
                 "its parameters are 0: u64, 1: u32; compilers drop their names, "
                 "unless for a debugger (nvcc -G, clang -g): give one by its number, as --arg 1=VALUE"));
}

TEST_CASE("budgets and files of facts say the same as options") {
  const ProgramRun check = run_warpspan({"check", "--budgets", folder + "budgets.toml", "--format", "json"});
  INFO(check.err << check.out);
  CHECK(check.status == 0);
  const Json results = Json::parse(check.out).at("results");
  REQUIRE(results.size() == 2);
  const Json first =
      kernel_of(analyze("filter", with(filter, {"--arg", "0+16=s32:1..100000", "--arg", "0+20=s16:1..32"})));
  CHECK(results[0].at("bound") == makespan(first));
  const Words words = {"--block", "64", "--arg", "1=0..500", "--global", "stages=1..3", "--trust-initialisers"};
  const Json second = kernel_of(analyze("relax", words));
  CHECK(results[1].at("bound") == makespan(second));

  // What "warpspan facts" writes of them reads back.
  const TemporaryFolder own;
  const ProgramRun facts = run_warpspan(with({"facts", folder + "filter.ptx", "--kernel", "relax"}, words));
  REQUIRE(facts.status == 0);
  CHECK(contains(facts.out, "[kernel.args]\nrelax_param_1 = \"0..500\"\n"));
  CHECK(contains(facts.out, "[kernel.globals]\nstages = \"1..3\"\n"));
  write_file(own.file("facts.toml"), facts.out);
  const Json third =
      kernel_of(analyze("relax", {"--block", "64", "--facts", own.file("facts.toml"), "--trust-initialisers"}));
  CHECK(makespan(third) == makespan(second));
  const Words said = given(third);
  REQUIRE(said.size() == 3);
  CHECK(contains(said[0], "The parameter 'relax_param_1' is between 0 and 500 ("));
  CHECK(contains(said[0], "facts.toml:"));
  CHECK(contains(said[1], "The variable 'stages' is between 1 and 3 as long as the kernel runs ("));
  // A place that the help of a loop names.
  const ProgramRun open = run_warpspan({"facts", folder + "filter.ptx", "--kernel", "relax", "--block", "64"});
  CHECK(contains(open.out, "[kernel.globals]\n# \"_ZN6tuning6roundsE+4:4\" = 0  # loops depend on it\n# stages = 0"));
}

TEST_CASE("a saved report that was made with them is made again") {
  const TemporaryFolder own;
  const ProgramRun made = run_warpspan({"analyze", folder + "filter.ptx", "--kernel", "relax", "--block", "64", "--arg",
                                        "1=0..500", "--global", "stages=1..3", "--trust-initialisers", "--format",
                                        "json", "--time-limit", "0", "--output", own.file("relax.json")});
  REQUIRE(made.status == 0);
  const ProgramRun again = run_warpspan({"rerun", own.file("relax.json")});
  INFO(again.out << again.err);
  CHECK(again.status == 0);
}
