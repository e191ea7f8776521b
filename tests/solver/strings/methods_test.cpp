// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/methods.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "solver/strings/solve.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

TEST_CASE("the rows of the table of methods are complete") {
  std::set<std::string_view> names;
  for (const Method method : all_methods()) {
    const MethodRow& row = method.row();
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(row.name != "all");  // the word for all of them
    CHECK(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos);
    CHECK(row.run != nullptr);
    CHECK((row.asked_with.empty() || (find_method(row.asked_with) && row.asked_with != row.name)));
    CHECK(find_method(row.name) == method);
    CHECK(all_methods()[method.index()] == method);
  }
  CHECK_FALSE(find_method("all"));
  CHECK_FALSE(find_method(""));
  CHECK(to_string(Method::ilp_count) == "ilp-count");
  CHECK(Method::witness < Method::exact);
}

TEST_CASE("each method reports under the name of its row") {
  for (const Method method : all_methods()) {
    SolveOptions options;
    options.methods = {method};
    const auto solution = solve(problem("LC", 2, {1, 1}), options);
    REQUIRE(solution);
    REQUIRE(solution->results.size() == 1);
    CHECK(solution->results.front().method == to_string(method));
  }
}
