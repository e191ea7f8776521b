// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/makespan/part.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "solver/makespan/part_sum.hpp"

using namespace warpspan::solver;

TEST_CASE("each kind of part has a row of its own, with a key that no other has") {
  std::set<std::string_view> keys;
  for (size_t i = 0; i < part_rows.size(); ++i) {
    const PartRow& row = part_rows[i];
    CHECK(static_cast<size_t>(row.kind) == i);
    CHECK(&row_of(row.kind) == &row);
    CHECK(to_string(row.kind) == row.key);
    CHECK(keys.insert(row.key).second);
    CHECK_FALSE(row.sentence.empty());
  }
}

TEST_CASE("terms of paths are parts behind the path: a sum, or each where steps have them") {
  GridProblem problem;
  problem.critical_path = 100;
  problem.path_terms = {{Part::Kind::code, 4, 10}, {Part::Kind::failures, 6, 0}, {Part::Kind::data, 0, 0}};
  PartSum sum;
  sum.add_paths(problem, 3);
  CHECK(*sum.total().value() == 3 * 110 + 10);
  const Bound bound = std::move(sum).finish({});
  REQUIRE(bound.parts.size() == 3);
  CHECK(bound.parts[0].cycles == 300);
  CHECK(bound.parts[1].kind == Part::Kind::code);
  CHECK(bound.parts[1].cycles == 22);
  CHECK(bound.parts[1].workers == 1);
  CHECK(bound.parts[1].demand == 22);
  CHECK(bound.parts[2].kind == Part::Kind::failures);
  CHECK(bound.parts[2].cycles == 18);
  CHECK(bound.parts[2].workers == 3);
  CHECK(bound.parts[2].demand == 6);
}

TEST_CASE("a demand grows with its partial one and that of an interval, or says that it cannot") {
  ResourceDemand demand = {10, ResourceDemand::Partial{4, 7}, 3};
  REQUIRE(demand.add(5));
  CHECK(demand.worker == 15);
  CHECK(demand.partial->each == 9);
  CHECK(demand.partial->block == 7);
  CHECK(demand.interval == 8);
  REQUIRE(demand.round_up(4));
  CHECK(demand.worker == 16);
  CHECK(demand.interval == 8);
  CHECK(demand.has_valid_partial());
  CHECK_FALSE(demand.add(INT64_MAX));
  CHECK_FALSE(ResourceDemand{INT64_MAX}.round_up(2));
  demand.partial->each = demand.worker + 1;
  CHECK_FALSE(demand.has_valid_partial());
}
