// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines of a program with two commands.
#include "app/cli/command_line.hpp"

#include "tests/app/cli/read_options.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

Command command(const std::string& name) {
  const auto declare = [name](OptionSet& set) {
    const auto text = std::make_shared<std::string>();
    set.text("--text", "TEXT", "A text", *text);
    return Run([name, text] { return Outcome{name + ": " + *text, {}, {}}; });
  };
  return {name, "Does " + name, "Examples:\n  warpspan " + name + " --text a\n", declare};
}

const std::vector<Command> commands = {command("walk"), command("run")};

std::string report_of(const std::vector<const char*>& words) {
  const auto run = test::parse(commands, words);
  REQUIRE(run);
  const Outcome outcome = (*run)();
  CHECK(outcome.errors.empty());
  return outcome.report.str();
}

std::string errors_of(const std::vector<const char*>& words) {
  return test::text_of_errors(test::parse(commands, words));
}

}  // namespace

TEST_CASE("a command runs with its own options") {
  CHECK(report_of({"walk", "--text", "slowly"}) == "walk: slowly");
  CHECK(report_of({"run"}) == "run: ");
}

TEST_CASE("the commands are listed, and each has its help") {
  const std::string all = report_of({"--help"});
  CHECK(all.find("walk") < all.find("run"));
  CHECK(all.find("Does run") != std::string::npos);
  const std::string one = report_of({"run", "--help"});
  CHECK(one.find("--text TEXT") != std::string::npos);
  CHECK(one.find("A text") != std::string::npos);
  CHECK(one.find("  warpspan run --text a\n") != std::string::npos);
  CHECK(report_of({"--version"}) == "warpspan 0.1.0\n");
  CHECK(report_of({"-V"}) == "warpspan 0.1.0\n");
  CHECK(report_of({"help"}) == all);
  CHECK(report_of({"help", "run"}) == one);
  for (const std::string& help : {all, one}) CHECK(help.find("Exit status: 0 done") != std::string::npos);
}

TEST_CASE("what an option says is found without knowing the command") {
  using Words = std::vector<std::string>;
  CHECK(value_in(Words{"x", "--format", "json"}, "--format") == "json");
  CHECK(value_in(Words{"--format=text", "--format=json"}, "--format") == "json");
  CHECK(value_in(Words{"--format="}, "--format") == "");
  CHECK_FALSE(value_in(Words{"--format"}, "--format"));
  CHECK_FALSE(value_in(Words{"--", "--format", "json"}, "--format"));
  CHECK_FALSE(value_in(Words{"--formats=json"}, "--format"));
}

TEST_CASE("what is not known is told with what is") {
  CHECK(errors_of({}) == "missing command | the commands are walk and run; see 'warpspan --help'\n");
  CHECK(errors_of({"crawl", "a"}) == "unknown command 'crawl' | the commands are walk and run\n");
  CHECK(errors_of({"wlak"}) == "unknown command 'wlak' | did you mean 'walk'? the commands are walk and run\n");
  CHECK(errors_of({"walk", "--txt=a"}) ==
        "unknown option '--txt' | did you mean '--text'? see 'warpspan walk --help'\n");
  CHECK(errors_of({"--versoin"}) == "unknown option '--versoin' | did you mean '--version'? see 'warpspan --help'\n");
  CHECK(errors_of({"help", "rnu"}) == "unknown command 'rnu' | did you mean 'run'? the commands are walk and run\n");
  CHECK(errors_of({"help", "run", "walk"}) == "unexpected argument 'walk' | see 'warpspan help'\n");
  CHECK(errors_of({"walk", "--fast"}) == "unknown option '--fast' | see 'warpspan walk --help'\n");
  CHECK(errors_of({"walk", "fast"}) == "unexpected argument 'fast' | see 'warpspan walk --help'\n");
  CHECK(errors_of({"--fast"}) == "unknown option '--fast' | see 'warpspan --help'\n");
}
