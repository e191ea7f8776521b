// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan reproduce as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

using warpspan::test::contains;
using warpspan::test::run_warpspan;

TEST_CASE("reproduce tells each figure of a source") {
  const auto run = run_warpspan({"reproduce", "tx2"});
  CHECK(run.status == 0);
  CHECK(contains(run.out, "  section 3.5    K1 K2 K3 K4 end at                       4, 10, 12, 11     4, 10, 12, 11"));
  CHECK(contains(run.out, "are not printed in the source\n"));
  CHECK_FALSE(contains(run.out, "unexplained"));
}

TEST_CASE("reproduce as JSON has the figures as texts") {
  const auto run = run_warpspan({"reproduce", "finishing-time", "--format", "json"});
  CHECK(run.status == 0);
  const auto report = nlohmann::json::parse(run.out);
  CHECK(report["schema"] == "warpspan.reproduce/1");
  CHECK(report["status"] == "done");
  CHECK(report["sources"][0]["parts"][0]["figures"][0]["ours"] == "22 cycles");
}

TEST_CASE("a source that there is not is wrong use") {
  const auto run = run_warpspan({"reproduce", "tx3"});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "there is no source 'tx3'"));
  CHECK(contains(run.err, "the sources are makespan, finishing-time, fermi, tx2"));
}
