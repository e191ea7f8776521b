// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/spelling.hpp"

#include <catch2/catch.hpp>

#include "app/facts/fact_kind.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

support::Diagnostic with_keys(const std::string& help) {
  support::Diagnostic error = spelled({support::usage_error("wrong", help)}).front();
  name_keys(error, {"budgets.toml", 7, 1});
  return error;
}

}  // namespace

TEST_CASE("what is mentioned is spelled as options, and nothing else is changed") {
  CHECK(spelled("give {block} X[,Y[,Z]], or {loop_bound} 'L=N'") == "give --block X[,Y[,Z]], or --loop-bound 'L=N'");
  CHECK(spelled("{grid}{grid}") == "--grid--grid");
  CHECK(spelled("write { grid = 8 }, {lambda()#1}, {blocks}, {") == "write { grid = 8 }, {lambda()#1}, {blocks}, {");
  for (const FactKind& kind : fact_kinds()) CHECK(spelled(ir::mention(kind.fact)) == kind.option);
  CHECK(spelled("{machine} {assume} {arch} {flags} {assemble} {ptx} {machine_code} {unknown_opcodes}") ==
        "--machine --assume --arch --flags --assemble --ptx --machine-code --unknown-opcodes");
}

TEST_CASE("helps name the keys of what they mention") {
  CHECK(with_keys("give a smaller {block}").help ==
        "give a smaller --block; in budgets.toml:7 that is the key 'block'");
  CHECK(with_keys("give {argument} n=VALUE or {grid} X").help ==
        "give --arg n=VALUE or --grid X; in budgets.toml:7 those are the keys 'grid' and 'args'");
  CHECK(with_keys("bound it with {ptx}").help == "bound it with --ptx");
  CHECK(with_keys("see --block").help == "see --block");  // helps are not searched for options
  // Not spelled before.
  support::Diagnostic error = support::usage_error("wrong", "give {machine} NAME");
  name_keys(error, {"tasks.toml", 2, 1});
  CHECK(error.help == "give --machine NAME; in tasks.toml:2 that is the key 'machine'");
}
