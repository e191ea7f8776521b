// SPDX-License-Identifier: GPL-3.0-or-later
// The options of 'warpspan solve', and the problem that they and a file make.
#include "app/commands/solve.hpp"
#include "tests/app/cli/read_options.hpp"
#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

using solver::Method;

TEST_CASE("solve takes all options of a problem") {
  std::string file;
  ProblemSettings settings;
  REQUIRE(
      test::read_options({"p.toml", "--string", "L2C", "--warps", "1..3", "--sigma", "C=2", "--method", "exact,list",
                          "--target", "9", "--horizon", "published", "--time-limit", "0.5", "--schedule"},
                         [&](OptionSet& set) { add_problem(set, file, settings); }) == "no error");
  CHECK(file == "p.toml");
  CHECK(ir::to_string(*settings.string) == "L2C");
  CHECK(settings.warps == std::vector<int64_t>{1, 2, 3});
  CHECK(settings.sigma[1] == support::Rational{2, 1});
  CHECK(settings.methods == std::vector{Method::exact, Method::list});
  CHECK(settings.target == 9);
  CHECK(settings.horizon == solver::Horizon::published);
  CHECK(settings.time_limit == 0.5);
  CHECK(settings.schedule == true);
}

TEST_CASE("solve without options leaves all open") {
  std::string file;
  ProblemSettings settings;
  REQUIRE(test::read_options({}, [&](OptionSet& set) { add_problem(set, file, settings); }) == "no error");
  CHECK(file.empty());
  CHECK_FALSE(settings.string);
  CHECK_FALSE(settings.warps);
  CHECK_FALSE(settings.sigma[0]);
  CHECK_FALSE(settings.methods);
  CHECK_FALSE(settings.time_limit);
  CHECK_FALSE(settings.schedule);
}

TEST_CASE("the command line takes the place of what a file says") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("p.toml");
  test::write_file(path, "string = \"LLC\"\nwarps = 4\nmethods = \"list\"\n[sigma]\nL = 2\nC = 3\n");
  ProblemSettings settings;
  RunRecord run;
  const auto plain = complete_problem(path, settings, run);
  REQUIRE(plain);
  REQUIRE(run.inputs.size() == 1);
  CHECK(run.inputs.front().name == path);
  CHECK(ir::to_string(plain->string) == "L2C");
  CHECK(plain->warps == std::vector<int64_t>{4});
  CHECK(plain->methods == std::vector{Method::list});
  CHECK(plain->time_limit == 10);
  CHECK(plain->transformed.servers == std::array<int64_t, 3>{2, 3, 1});
  settings.warps = {1, 2};
  settings.sigma[0] = support::Rational{1, 2};
  settings.time_limit = 1;
  const auto changed = complete_problem(path, settings, run);
  REQUIRE(changed);
  CHECK(changed->warps == std::vector<int64_t>{1, 2});
  CHECK(ir::to_string(changed->transformed.string) == "L4C");
  CHECK(changed->transformed.servers == std::array<int64_t, 3>{1, 3, 1});
  CHECK(changed->time_limit == 1);
  CHECK(changed->methods == std::vector{Method::list});
}

TEST_CASE("what a problem lacks or what does not go together is wrong use") {
  const auto message = [](const std::string& file, const ProblemSettings& settings) {
    RunRecord run;
    const auto problem = complete_problem(file, settings, run);
    if (problem) return std::string("no error");
    std::string all;
    for (const auto& error : problem.errors()) {
      CHECK(error.cause == support::Cause::usage);
      all += error.message + "\n";
    }
    return all;
  };
  const test::TemporaryFolder folder;
  const std::string path = folder.file("p.toml");
  test::write_file(path, "horizon = \"safe\"\n");
  CHECK(message(path, {}) == "'" + path + "' gives no 'string'\n'" + path + "' gives no 'warps'\n");
  ProblemSettings settings;
  settings.string = *parse_string("--string", "LC");
  settings.warps = {1, 2};
  settings.schedule = true;
  CHECK(message(path, settings) == "a schedule needs one number of warps, not several\n");
  settings.schedule.reset();
  settings.warps = {2};
  settings.target = 7;
  CHECK(message("", settings) == "a target needs several numbers of warps\n");
  CHECK(message(folder.file("missing.toml"), {}).rfind("cannot read '", 0) == 0);
}
