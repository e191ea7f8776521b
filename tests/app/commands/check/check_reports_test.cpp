// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan check --report: one run, several formats, none of which can look better than the run was.
#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using warpspan::test::contains;
using warpspan::test::read_file;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::write_file;

const std::vector<std::string> formats = {"text", "json", "junit", "sarif", "github", "markdown"};

// One kernel on one machine under that limit.
std::string budget(const std::string& max) {
  return "[[budget]]\nkernel = \"sfu\"\nfile = \"" + warpspan::test::source_dir() +
         "/samples/sfu.ptx\"\nmachine = \"orin\"\nblock = 256\nmax = \"" + max + "\"\n";
}

std::vector<std::string> with_all_reports(const TemporaryFolder& folder) {
  std::vector<std::string> words = {"check", "--budgets", folder.file("budgets.toml")};
  for (const std::string& format : formats) words.push_back("--report=" + format + "=" + folder.file(format));
  return words;
}

}  // namespace

TEST_CASE("one run writes the report in all formats, and to standard output") {
  const TemporaryFolder folder;
  write_file(folder.file("budgets.toml"), budget("1 ms"));
  write_file(folder.file("junit"), "what an earlier run left, longer than a report\n" + std::string(100'000, '.'));
  const auto passed = run_warpspan(with_all_reports(folder));
  CHECK(passed.status == 0);
  CHECK(passed.out == read_file(folder.file("text")));
  for (const std::string& format : formats) {
    INFO(format);
    const auto alone = run_warpspan({"check", "--budgets", folder.file("budgets.toml"), "--format", format});
    CHECK(alone.status == 0);
    CHECK(alone.out == read_file(folder.file(format)));
  }
  CHECK(folder.files() == formats.size() + 1);  // nothing half-written stays

  write_file(folder.file("budgets.toml"), budget("10 cycles"));
  const auto over = run_warpspan(with_all_reports(folder));
  CHECK(over.status == 1);
  for (const std::string& format : formats) {
    INFO(format);
    CHECK(contains(read_file(folder.file(format)), "sfu"));
    CHECK(contains(read_file(folder.file(format)), "over"));
  }
}

TEST_CASE("a report that cannot be written fails the gate, and the others are written") {
  const TemporaryFolder folder;
  write_file(folder.file("budgets.toml"), budget("1 ms"));
  const auto run = run_warpspan({"check", "--budgets", folder.file("budgets.toml"), "--stamp", folder.file("stamp"),
                                 "--report", "junit=/dev/full", "--report", "sarif=" + folder.file("sarif")});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "cannot write '/dev/full'"));
  CHECK(contains(run.err, "give --report a file"));
  CHECK(contains(read_file(folder.file("sarif")), "\"exitCode\": 0"));  // of the gate itself
  CHECK_FALSE(std::filesystem::exists(folder.file("stamp")));
}

TEST_CASE("a gate without budgets looks failed in every format") {
  const TemporaryFolder folder;  // without budgets.toml
  const auto run = run_warpspan(with_all_reports(folder));
  CHECK(run.status == 2);
  CHECK(contains(read_file(folder.file("text")), "no budget was checked"));
  CHECK(contains(read_file(folder.file("json")), "\"status\": \"wrong-use\""));
  CHECK(contains(read_file(folder.file("junit")), "tests=\"1\" failures=\"0\" errors=\"1\""));
  CHECK(contains(read_file(folder.file("sarif")), "\"executionSuccessful\": false"));
  CHECK(contains(read_file(folder.file("sarif")), "\"ruleId\": \"not-checked\""));
  CHECK(read_file(folder.file("github")).rfind("::error ", 0) == 0);
  CHECK(contains(read_file(folder.file("markdown")), "the gate fails"));
}

TEST_CASE("reports that would overwrite one another are refused before anything is written") {
  const TemporaryFolder folder;
  write_file(folder.file("budgets.toml"), budget("1 ms"));
  const auto run = run_warpspan(
      {"check", "--budgets", "budgets.toml", "--report", "junit=out", "--report", "sarif=./out"}, {{}, folder.path()});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "--report: another report goes to './out' too"));
  CHECK(folder.files() == 1);
}
