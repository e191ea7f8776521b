// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/shared_inputs.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::app;

TEST_CASE("what several shards have read must be the same for all") {
  RunRecord a, b;
  a.add_input("facts.toml", "1");
  a.add_machine("ampere", "1");
  b.add_input("other.ptx", "2");
  b.add_input("facts.toml", "1");
  b.add_machine("ampere", "1");
  SharedInputs same;
  same.add(a);
  same.add(b);
  CHECK(same.errors().empty());
  b.add_input("facts.toml", "2");
  b.add_input("facts.toml", "3");
  b.add_machine("ampere", "2");
  SharedInputs other;
  other.add(a);
  other.add(b);
  const auto& errors = other.errors();
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].message == "the shards have read different versions of the file 'facts.toml'");
  CHECK(errors[1].message == "the shards have read different versions of the machine 'ampere'");
}
