// SPDX-License-Identifier: GPL-3.0-or-later
// A program that asks for JSON gets a document, whatever is wrong.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

namespace {

using nlohmann::json;
using warpspan::test::ProgramRun;
using warpspan::test::read_file;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using Words = std::vector<std::string>;

json document_of(const ProgramRun& run, const std::string& schema) {
  INFO(run.out << run.err);
  CHECK(run.status == 2);
  CHECK_FALSE(run.err.empty());
  json document = json::parse(run.out);
  CHECK(document.at("schema") == schema);
  REQUIRE_FALSE(document.at("errors").empty());
  return document;
}

}  // namespace

TEST_CASE("wrong options are in the JSON of each command") {
  const auto check = [](const Words& words, const std::string& schema, const std::string& message) {
    const json document = document_of(run_warpspan(words), schema);
    CHECK(document.at("errors").at(0).at("message") == message);
  };
  check({"analyze", "--format", "json", "a.ptx", "--fast"}, "warpspan.analyze/2", "unknown option '--fast'");
  check({"analyze", "--block", "0", "a.ptx", "--format=json"}, "warpspan.analyze/2",
        "--block: expected X[,Y[,Z]] with numbers from 1, got '0'");
  check({"check", "--format", "json"}, "warpspan.check/2", "--budgets is not given");
  check({"compare", "a.ptx", "--format", "json"}, "warpspan.compare/1", "expected two sides, BASE and NEW");
  check({"string", "--format", "text", "--format", "json"}, "warpspan.string/1", "no file is given");
  check({"verify", "missing.json", "--format", "json"}, "warpspan.verify/1",
        "cannot read 'missing.json': No such file or directory");
  check({"solve", "missing.toml", "--format", "json"}, "warpspan.errors/1",
        "cannot read 'missing.toml': No such file or directory");
  check({"machines", "riva", "--format", "json"}, "warpspan.errors/1", "unknown machine 'riva'");
  check({"frobnicate", "--format", "json"}, "warpspan.errors/1", "unknown command 'frobnicate'");
}

TEST_CASE("a run that failed has a status, and no bound that a filter could take for one") {
  const json document =
      document_of(run_warpspan({"analyze", "a.ptx", "--blok", "1", "--format", "json"}), "warpspan.analyze/2");
  CHECK(document.at("status") == "wrong-use");
  CHECK(document.at("bound").at("cycles") == "unknown");
  CHECK(document.at("run").is_null());
}

TEST_CASE("a gate that was not run looks like no success") {
  const json check = document_of(run_warpspan({"check", "--budgts", "b.toml", "--format", "json"}), "warpspan.check/2");
  CHECK(check.at("status") == "wrong-use");
  CHECK(check.at("run").is_null());
  const json compare =
      document_of(run_warpspan({"compare", "a.ptx", "b.ptx", "--fail-on-regression", "5", "--format", "json"}),
                  "warpspan.compare/1");
  CHECK(compare.at("status") == "wrong-use");
  CHECK(compare.at("regression") == "unknown");
  CHECK(compare.at("run").is_null());
}

TEST_CASE("the document goes where the report would have gone") {
  const TemporaryFolder folder;
  const std::string path = folder.file("report.json");
  const ProgramRun run = run_warpspan({"analyze", "a.ptx", "--blok", "--output", path, "--format", "json"});
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK(json::parse(read_file(path)).at("status") == "wrong-use");
}

TEST_CASE("without --format json nothing is printed") {
  CHECK(run_warpspan({"analyze", "a.ptx", "--fast"}).out.empty());
  CHECK(run_warpspan({"analyze", "a.ptx", "--fast", "--format", "jsn"}).out.empty());
  CHECK(run_warpspan({"analyze", "a.ptx", "--fast", "--format"}).out.empty());
}
