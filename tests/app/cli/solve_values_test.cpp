// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_values.hpp"

#include <catch2/catch.hpp>

#include "app/files/problem_file.hpp"
#include "tests/app/cli/read_options.hpp"

using namespace warpspan;
using namespace warpspan::app;

using solver::Method;

namespace {

std::vector<int64_t> warps(const char* text) {
  const auto parsed = parse_warps("--warps", text);
  INFO(text << ": " << test::text_of_errors(parsed));
  REQUIRE(parsed);
  return *parsed;
}

}  // namespace

TEST_CASE("numbers of warps: one, several, ranges, sorted and each once") {
  CHECK(warps("4") == std::vector<int64_t>{4});
  CHECK(warps("1,2,8") == std::vector<int64_t>{1, 2, 8});
  CHECK(warps("1..4") == std::vector<int64_t>{1, 2, 3, 4});
  CHECK(warps("8,1..3,2,8..8") == std::vector<int64_t>{1, 2, 3, 8});
  CHECK(warps("1000000000") == std::vector<int64_t>{1'000'000'000});
  CHECK(warps("9223372036854775807") == std::vector<int64_t>{INT64_MAX});
  CHECK(warps("9223372036854775806..9223372036854775807").size() == 2);
  CHECK(warps("1..10000").size() == 10'000);
}

TEST_CASE("numbers of warps are strict") {
  for (const char* bad : {"", "0", "-1", "+1", "x", "1x", " 1", "1,", ",1", "1..", "..4", "1...4", "1-4", "1.5"}) {
    INFO(bad);
    const std::string errors = test::text_of_errors(parse_warps("--warps", bad));
    CHECK(errors.rfind("--warps: expected numbers of warps from 1, such as 4, 1,2,8 or 1..48, got '", 0) == 0);
  }
  CHECK(test::text_of_errors(parse_warps("--warps", "9223372036854775808")) ==
        "--warps: expected a number of warps up to 9223372036854775807, got '9223372036854775808'\n");
  CHECK(test::text_of_errors(parse_warps("--warps", "5..3")) ==
        "--warps: expected a range from the smaller to the larger number, got '5..3'\n");
  const std::string many = "--warps: more than 10,000 numbers of warps | give fewer, such as 1..48 or 1,10,100\n";
  CHECK(test::text_of_errors(parse_warps("--warps", "1..10001")) == many);
  CHECK(test::text_of_errors(parse_warps("--warps", "1..6000,1..6000")) == many);
  CHECK(test::text_of_errors(parse_warps("--warps", "1..9223372036854775807")) == many);
  CHECK(test::text_of_errors(parse_warps("--warps", "1..10000,1..10000,1..9223372036854775807")) == many);
}

TEST_CASE("sigma: each class at most once, whole numbers or 1/n") {
  const auto sigma = parse_sigma("--sigma", "C=1/2,L=4");
  REQUIRE(sigma);
  CHECK((*sigma)[0] == support::Rational{4, 1});
  CHECK((*sigma)[1] == support::Rational{1, 2});
  CHECK_FALSE((*sigma)[2]);
  CHECK((*parse_sigma("--sigma", "S=2/4"))[2] == support::Rational{1, 2});
  CHECK((*parse_sigma("--sigma", "S=6/3"))[2] == support::Rational{2, 1});
}

TEST_CASE("sigma is strict") {
  for (const char* bad : {"0", "-1", "1/0", "3/2", "0/1", "-1/2", "x", "", "1.5", "99999999999999999999"}) {
    INFO(bad);
    CHECK(test::text_of_errors(parse_sigma("--sigma", "L=" + std::string(bad))) ==
          "--sigma: expected a whole number of warps from 1, or 1/n of a warp, for L, got '" + std::string(bad) +
              "'\n");
  }
  CHECK(test::text_of_errors(parse_sigma("--sigma", "X=1,L=0")) ==
        "--sigma: unknown class 'X' | the classes are L (load/store), C (core) and S (special function)\n"
        "--sigma: expected a whole number of warps from 1, or 1/n of a warp, for L, got '0'\n");
  CHECK(test::text_of_errors(parse_sigma("--sigma", "L=1,L=1")) == "--sigma: class 'L' is given twice\n");
  CHECK(test::text_of_errors(parse_sigma("--sigma", "L=1,")) == "--sigma: expected L=1,C=1/2 and the like, got ''\n");
  CHECK(test::text_of_errors(parse_sigma("--sigma", "")) == "--sigma: expected L=1,C=1/2 and the like, got ''\n");
  CHECK(test::text_of_errors(parse_sigma("--sigma", "l=1")).rfind("--sigma: unknown class 'l'", 0) == 0);
}

TEST_CASE("methods, in their order") {
  CHECK(*parse_methods("--method", "list,exact,list") == std::vector{Method::exact, Method::list});
  CHECK(*parse_methods("--method", "published") == std::vector{Method::published, Method::tractable, Method::raravi});
  CHECK(parse_methods("--method", "all")->size() == solver::all_methods().size());
  for (const Method method : solver::all_methods()) {
    const auto parsed = parse_methods("--method", to_string(method));
    REQUIRE(parsed);
    CHECK(std::find(parsed->begin(), parsed->end(), method) != parsed->end());
  }
  CHECK(parse_methods("--method", "tractable")->size() == 1);
  const auto others = default_methods();
  CHECK(others.size() == solver::all_methods().size() - 3);
  CHECK(std::find(others.begin(), others.end(), Method::ilp) == others.end());
}

TEST_CASE("every row of the table of methods can be asked for, and the help tells of it") {
  const std::string help = methods_help();
  for (const Method method : solver::all_methods()) {
    const std::string name(to_string(method));
    INFO(name);
    const auto asked = parse_methods("--method", name);
    REQUIRE(asked);
    CHECK(std::find(asked->begin(), asked->end(), method) != asked->end());
    CHECK((help.rfind(name, 0) == 0 || help.find(", " + name) != std::string::npos));
    const auto settings = parse_problem("problem.toml", "methods = [\"" + name + "\"]");
    REQUIRE(settings);
    CHECK(settings->methods == *asked);
    const auto defaults = default_methods();
    const bool is_default = std::find(defaults.begin(), defaults.end(), method) != defaults.end();
    CHECK(is_default == method.row().by_default);
  }
  CHECK(help ==
        "witness, exact, certificate, list, published (with tractable and raravi), tractable, raravi, ilp-count, ilp, "
        "ilp-long, or all; default: all but ilp-count, ilp and ilp-long, which can take long");
}

TEST_CASE("an unknown method is answered with the nearest and all names") {
  const std::string list =
      "the methods are all, witness, exact, certificate, list, published, tractable, raravi, ilp-count, ilp and "
      "ilp-long\n";
  CHECK(test::text_of_errors(parse_methods("--method", "exakt")) ==
        "--method: unknown method 'exakt' | did you mean 'exact'? " + list);
  CHECK(test::text_of_errors(parse_methods("--method", "ilp_count,magic")) ==
        "--method: unknown method 'ilp_count' | did you mean 'ilp-count'? " + list +
            "--method: unknown method 'magic' | " + list);
  CHECK(test::text_of_errors(parse_methods("--method", "")) == "--method: unknown method '' | " + list);
}

TEST_CASE("strings are located in what gives them") {
  CHECK(ir::to_string(*parse_string("--string", "C(L2C)^3 L")) == "C(L2C)^3L");
  const auto wrong = parse_string("--string", "LXL");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.errors().front().location.file == "--string");
  CHECK(wrong.errors().front().location.column == 2);
  CHECK(wrong.errors().front().source_line == "LXL");
  for (const char* empty : {"", "  ", "()^4"}) {
    CHECK(test::text_of_errors(parse_string("--string", empty)) ==
          "--string: the instruction string is empty | give at least one symbol, such as LLCLL\n");
  }
  CHECK(test::text_of_errors(parse_string("--string", "((L9000000000000000000)^9)^9")) ==
        "--string: the instruction string has more than 2^63-1 symbols\n");
}

TEST_CASE("the horizon and single numbers") {
  CHECK(*parse_horizon("--horizon", "safe") == solver::Horizon::safe);
  CHECK(*parse_horizon("--horizon", "published") == solver::Horizon::published);
  CHECK(test::text_of_errors(parse_horizon("--horizon", "long")) ==
        "--horizon: expected safe or published, got 'long'\n");
  CHECK(*parse_count("--target", "600") == 600);
  for (const char* bad : {"0", "-3", "1..4", "", "x"}) {
    CHECK(test::text_of_errors(parse_count("--target", bad)) ==
          "--target: expected a number of warps from 1, got '" + std::string(bad) + "'\n");
  }
}

TEST_CASE("a long wrong value is shown in part") {
  CHECK(test::text_of_errors(parse_horizon("--horizon", std::string(1000, 'x'))) ==
        "--horizon: expected safe or published, got '" + std::string(40, 'x') + "...'\n");
}
