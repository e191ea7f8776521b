// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/problem_file.hpp"

#include <catch2/catch.hpp>

#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

using solver::Method;

namespace {

ProblemSettings settings_of(const std::string& text) {
  const auto settings = parse_problem("p.toml", text);
  INFO(text << (settings ? "" : "\n" + settings.errors().front().message));
  REQUIRE(settings);
  return *settings;
}

// "line:column message | help" of each error, one per line.
std::string errors_of(const std::string& text) {
  const auto settings = parse_problem("p.toml", text);
  if (settings) return "no error";
  std::string all;
  for (const support::Diagnostic& error : settings.errors()) {
    CHECK(error.cause == support::Cause::input);
    CHECK(error.location.file == "p.toml");
    all += std::to_string(error.location.line) + ":" + std::to_string(error.location.column) + " " + error.message +
           (error.help.empty() ? "" : " | " + error.help) + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("a problem file with every key") {
  const ProblemSettings settings = settings_of(R"(string = "C(L2C)^3L"
warps = [8, 1, 2]
methods = ["list", "exact"]
time_limit = 0.5
horizon = "published"
schedule = true
target = 600
[sigma]
L = 2
C = "1/2"
)");
  CHECK(ir::to_string(*settings.string) == "C(L2C)^3L");
  CHECK(settings.warps == std::vector<int64_t>{1, 2, 8});
  CHECK(settings.methods == std::vector{Method::exact, Method::list});
  CHECK(settings.time_limit == 0.5);
  CHECK(settings.horizon == solver::Horizon::published);
  CHECK(settings.schedule == true);
  CHECK(settings.target == 600);
  CHECK(settings.sigma[0] == support::Rational{2, 1});
  CHECK(settings.sigma[1] == support::Rational{1, 2});
  CHECK_FALSE(settings.sigma[2]);
}

TEST_CASE("an empty problem file says nothing") {
  const ProblemSettings settings = settings_of("# nothing\n");
  CHECK_FALSE(settings.string);
  CHECK_FALSE(settings.warps);
  CHECK_FALSE(settings.methods);
  CHECK_FALSE(settings.schedule);
}

TEST_CASE("other ways to write the same") {
  CHECK(settings_of("warps = 4").warps == std::vector<int64_t>{4});
  CHECK(settings_of("warps = \"1..3\"").warps == std::vector<int64_t>{1, 2, 3});
  CHECK(settings_of("methods = \"list\"").methods == std::vector{Method::list});
  CHECK(settings_of("methods = [\"published\"]").methods->size() == 3);
  CHECK(settings_of("time_limit = 10").time_limit == 10);
  CHECK(settings_of("sigma = {L = 3}").sigma[0] == support::Rational{3, 1});
}

TEST_CASE("units stand for sigma") {
  const auto sigma = settings_of("[units]\nwarp_size = 64\nL = 16\nC = 128\nS = 64\n").sigma;
  CHECK(sigma[0] == support::Rational{1, 4});
  CHECK(sigma[1] == support::Rational{2, 1});
  CHECK(sigma[2] == support::Rational{1, 1});
  CHECK(settings_of("[units]\nL = 16\n").sigma[0] == support::Rational{1, 2});
  CHECK(errors_of("[units]\nL = 48\n") ==
        "2:5 'L' of [units] makes 48/32 of a warp a cycle, which is neither a whole number nor 1/n | give a divisor or "
        "a multiple of warp_size\n");
}

TEST_CASE("all errors of a problem file in one run, with their places") {
  CHECK(errors_of(R"(string = "LXL"
warps = 0
methodes = "all"
time_limit = -1
horizon = 3
schedule = "yes"
target = "x"
[sigma]
L = 1.5
X = 1
C = "3/2"
[units]
L = 16
)") == "1:12 unknown symbol 'X' in an instruction string | the symbols are L (load/store), C (core) and S (special "
       "function)\n"
       "2:9 'warps' must be between 1 and 9223372036854775807\n"
       "3:1 unknown key 'methodes' in the problem file | did you mean 'methods'?\n"
       "4:14 'time_limit' must be a number of seconds from 0 to 1000000\n"
       "5:11 'horizon' must be a text, not an integer\n"
       "6:12 'schedule' must be true or false, not a text\n"
       "7:10 'target' must be an integer, not a text\n"
       "9:5 'L' of [sigma] must be an integer, not a number with a fraction\n"
       "10:1 unknown key 'X' in [sigma] | known are C, L or S\n"
       "11:5 [sigma]: expected a whole number of warps from 1, or 1/n of a warp, for C, got '3/2'\n"
       "12:1 both [sigma] and [units] are given | leave one of them out\n");
}

TEST_CASE("values of the wrong type or range") {
  CHECK(errors_of("warps = []") == "1:9 'warps' must not be empty\n");
  CHECK(errors_of("warps = [1, \"x\", 0]") ==
        "1:13 'warps' must be an integer, not a text\n1:18 'warps' must be between 1 and 9223372036854775807\n");
  CHECK(errors_of("warps = 1.5").rfind("1:9 'warps' must be an integer, an array of integers or a text", 0) == 0);
  CHECK(errors_of("warps = \"1..20000\"").rfind("1:9 'warps': more than 10,000 numbers of warps", 0) == 0);
  CHECK(errors_of("methods = []").rfind("1:11 'methods' must be a text or an array of texts", 0) == 0);
  CHECK(errors_of("methods = [1]") == "1:12 an entry of 'methods' must be a text, not an integer\n");
  CHECK(errors_of("methods = [\"exakt\"]").rfind("1:12 'methods': unknown method 'exakt' | did you mean 'exact'?", 0) ==
        0);
  CHECK(errors_of("time_limit = nan").rfind("1:14 'time_limit' must be", 0) == 0);
  CHECK(errors_of("time_limit = 1000001").rfind("1:14 'time_limit' must be", 0) == 0);
  CHECK(errors_of("sigma = 1").rfind("1:9 'sigma' must be a table, not an integer", 0) == 0);
  CHECK(errors_of("string = \"\"").rfind("1:10 'string': the instruction string is empty", 0) == 0);
  CHECK(errors_of("string = 5") == "1:10 'string' must be a text, not an integer\n");
  CHECK(errors_of("target = 0") == "1:10 'target' must be between 1 and 9223372036854775807\n");
}

TEST_CASE("an error in a string that is written in another way is placed at its beginning") {
  CHECK(errors_of("string = \"\"\"\nLXL\"\"\"").rfind("1:10 unknown symbol 'X'", 0) == 0);
  CHECK(errors_of("string = \"\\u004CX\"").rfind("1:10 unknown symbol 'X'", 0) == 0);
}

TEST_CASE("what is no TOML is refused at the place") {
  for (const char* bad : {"string = \"LLC", "warps = ", "[sigma", "= 3", "a = 1\na = 2", "\x01\x02", "string = LLC"}) {
    INFO(bad);
    CHECK(errors_of(bad).find("not a TOML file: ") != std::string::npos);
  }
  CHECK(errors_of("warps = " + std::string(100'000, '[')).find("not a TOML file: ") != std::string::npos);
}
