// SPDX-License-Identifier: GPL-3.0-or-later
// Reports that are made again from what they record.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "tests/app/run_program.hpp"
#include "tests/app/sample_options.hpp"
#include "tests/paths.hpp"
#include "tests/thinned.hpp"

namespace {

using Json = nlohmann::ordered_json;
using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::read_file;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::write_file;
using Words = std::vector<std::string>;

// A kernel with a loop without a bound beside one that has none.
const std::string ptx = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry plain() { ret; }
.visible .entry endless() {
again:
	bra again;
}
)";

ProgramRun analyze(Words words, const std::string& folder = warpspan::test::source_dir()) {
  words.insert(words.begin(), {"analyze", "--format", "json"});
  return run_warpspan(words, {.folder = folder});
}

ProgramRun rerun(const std::string& report, const std::string& folder = warpspan::test::source_dir()) {
  return run_warpspan({"rerun", "-"}, {.input = report, .folder = folder});
}

// The report with something changed.
std::string changed(const std::string& report, const std::function<void(Json&)>& change) {
  Json document = Json::parse(report);
  change(document);
  return document.dump(2) + "\n";
}

}  // namespace

TEST_CASE("the reports of the samples are made again, byte by byte") {
  const auto commands = warpspan::test::sample_commands();
  for (size_t i = 0; i < commands.size(); i += warpspan::test::taken_one_in) {
    const auto& command = commands[i];
    Words words = command.options;
    words.push_back(command.files.front());
    const ProgramRun report = analyze(words);
    INFO(command.files.front() << "\n" << report.err);
    const ProgramRun again = rerun(report.out);
    CHECK(again.status == report.status);
    CHECK(again.out == report.out);
    CHECK(again.err == report.err);
  }
}

TEST_CASE("where a report goes and how it looks is not part of it") {
  const Words words = {"samples/sfu.ptx", "--block", "256"};
  Words other = words;
  other.insert(other.end(), {"--color", "always", "--output", "-", "--format", "json"});
  CHECK(analyze(other).out == analyze(words).out);
}

TEST_CASE("a report in full is made again in full") {
  const ProgramRun report = analyze({"samples/sfu.ptx", "--block", "256", "--explain"});
  CHECK_FALSE(Json::parse(report.out)["kernels"][0]["lines"].empty());
  CHECK(rerun(report.out).out == report.out);
}

TEST_CASE("a report with errors, of several files and any order of options, is made again") {
  const TemporaryFolder folder;
  write_file(folder.file("a.ptx"), ptx);
  write_file(folder.file("-b.ptx"), ptx);
  write_file(folder.file("my.toml"), "name = \"mine\"\nbased_on = \"fermi\"\ndescription = \"mine\"\n");
  const Words words = {"a.ptx", "--machine", "./my.toml", "--kernel=*", "--block",
                       "64",    "--block",   "32",        "--",         "-b.ptx"};
  const ProgramRun report = analyze(words, folder.path());
  INFO(report.err);
  CHECK(report.status == 3);
  CHECK(Json::parse(report.out)["failed"].size() == 2);
  const ProgramRun again = rerun(report.out, folder.path());
  CHECK(again.status == 3);
  CHECK(again.out == report.out);
  CHECK(again.err == report.err);
  // From elsewhere, with the folder told; to a file.
  write_file(folder.file("report.json"), report.out);
  const ProgramRun far = run_warpspan(
      {"rerun", folder.file("report.json"), "--directory", folder.path(), "--output", folder.file("again")});
  CHECK(far.status == 3);
  CHECK(far.out.empty());
  CHECK(read_file(folder.file("again")) == report.out);
  const ProgramRun lost = run_warpspan({"rerun", folder.file("report.json")});
  CHECK(lost.status == 2);
  CHECK(lost.out.empty());
  CHECK(contains(lost.err, "error: cannot read 'a.ptx': No such file or directory\n"));
  CHECK(contains(lost.err, "give --directory"));
}

TEST_CASE("seconds of searches are those of the report") {
  const ProgramRun report = analyze({"samples/fir_constant.ptx", "--model", "all", "--time-limit", "0"});
  REQUIRE(report.status == 0);
  const std::string other = changed(report.out, [](Json& document) {
    for (Json& bound : document["kernels"][0]["bounds"]) bound["seconds"] = 1.5;
  });
  const ProgramRun again = rerun(other);
  CHECK(again.status == 0);
  CHECK(again.out == other);
}

TEST_CASE("what has changed is an error that names it, and nothing is printed") {
  const TemporaryFolder folder;
  write_file(folder.file("a.ptx"), ptx);
  write_file(folder.file("my.toml"), "name = \"mine\"\nbased_on = \"fermi\"\ndescription = \"mine\"\n");
  const ProgramRun report =
      analyze({".", "--kernel", "plain", "--block", "32", "--machine", "./my.toml"}, folder.path());
  INFO(report.err);
  REQUIRE(report.status == 0);
  const auto refused = [&](const std::string& text) {
    const ProgramRun run = rerun(text, folder.path());
    INFO(run.err);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    return run.err;
  };
  CHECK(contains(refused(changed(report.out, [](Json& d) { d["version"] = "0.0.9"; })),
                 "error: the report is of warpspan 0.0.9, and this is 0.1.0\n"));
  CHECK(contains(refused(changed(report.out, [](Json& d) { d["bound"]["cycles"] = 1; })), "at /bound/cycles"));
  CHECK(contains(refused(changed(report.out, [](Json& d) { d["errors"].push_back("x"); })), "at /errors/0"));
  CHECK(contains(refused(changed(report.out, [](Json& d) { d["run"]["arguments"].push_back("--output=x"); })),
                 "\"arguments\" are not as warpspan writes them"));
  CHECK(contains(refused(changed(report.out, [](Json& d) { d["run"]["arguments"].push_back("--blok=1"); })),
                 "unknown option '--blok'"));
  CHECK(contains(refused(changed(report.out, [](Json& d) { d["run"]["command"] = "rerun"; })), "no command"));
  write_file(folder.file("b.ptx"), ptx);
  CHECK(contains(refused(report.out), "'./b.ptx' was not there when the report was made"));
  std::filesystem::remove(folder.file("b.ptx"));
  write_file(folder.file("my.toml"), "name = \"mine\"\nbased_on = \"fermi\"\ndescription = \"changed\"\n");
  CHECK(contains(refused(report.out), "machine 'mine' has changed since the report was made"));
  write_file(folder.file("a.ptx"), ptx + "\n");
  CHECK(contains(refused(report.out), "'./a.ptx' has changed since the report was made"));
  CHECK(folder.files() == 2);
}

TEST_CASE("what is no report, or one that cannot be made again, is refused") {
  const auto refused = [](const std::string& text, int status = 2) {
    const ProgramRun run = rerun(text);
    INFO(run.err);
    CHECK(run.status == status);
    CHECK(run.out.empty());
    return run.err;
  };
  const std::string no_report = "the file is no report that tells how it was made";
  CHECK(contains(refused("", 3), "not a JSON file"));
  for (const char* text : {"[]", "1", "{}", R"({"schema":"s","version":1,"run":null})"}) {
    CHECK(contains(refused(text), no_report));
  }
  CHECK(contains(refused(run_warpspan({"analyze", "--format", "json"}).out), "options could not be read"));
  CHECK(contains(refused(R"({"schema":"s","version":"0.1.0","run":{"command":1,"arguments":[],"inputs":[]}})", 3),
                 "run: member 'machines' is missing"));
  const ProgramRun of_input = run_warpspan({"analyze", "-", "--block", "32", "--format", "json"}, {.input = ptx});
  CHECK(contains(refused(of_input.out), "the report is of standard input, which cannot be read again"));
  CHECK(contains(run_warpspan({"rerun"}).err, "no report is given"));
  CHECK(contains(run_warpspan({"rerun", "missing.json"}).err, "cannot read 'missing.json'"));
}

// Each mutant is refused, or says what the report says.
TEST_CASE("a report of a command that writes other files is not run") {
  const TemporaryFolder folder;
  write_file(folder.file("k.ptx"), read_file(warpspan::test::source_dir() + "/samples/fir_constant.ptx"));
  const std::string budgets = "[[budget]]\nkernel = \"*\"\nfile = \"k.ptx\"\nblock = 32\nmax = \"1 s\"\n";
  write_file(folder.file("budgets.toml"), budgets);
  const std::string report = analyze({"samples/fir_constant.ptx", "--block", "32"}).out;
  for (const char* command : {"check", "solve", "rerun", "none"}) {
    const std::string other = changed(report, [command](Json& document) {
      document["run"]["command"] = command;
      document["run"]["arguments"] = {"--budgets=budgets.toml", "--update"};
      document["run"]["inputs"] = Json::array();
    });
    const ProgramRun run = rerun(other, folder.path());
    CHECK(run.status == 2);
    const bool is_check = command == std::string("check");
    CHECK(contains(run.err, is_check ? "they have --update" : "no command that can be repeated"));
    CHECK(read_file(folder.file("budgets.toml")) == budgets);
  }
}

TEST_CASE("a report that is changed anywhere makes no other report") {
  const TemporaryFolder folder;
  write_file(folder.file("a.ptx"), ptx);
  const std::string report = analyze({"a.ptx", "--kernel", "plain", "--block", "32"}, folder.path()).out;
  const auto without_seconds = [](const std::string& text) {
    return std::regex_replace(text, std::regex("\"seconds\": [^,]*"), "\"seconds\": 0");
  };
  std::mt19937 random(warpspan::test::first_seed(3, 80));
  const std::string characters = "0179-.,:[]{}\"aeltn \\";
  int refused = 0;
  for (int i = 0; i < warpspan::test::thinned_seeds(80); ++i) {
    std::string mutant = report;
    const size_t at = random() % mutant.size();
    if (i % 3 == 0) mutant.erase(at, 1 + random() % 40);
    if (i % 3 == 1) mutant[at] = characters[random() % characters.size()];
    if (i % 3 == 2) mutant.insert(at, mutant.substr(random() % mutant.size(), random() % 40));
    const ProgramRun run = rerun(mutant, folder.path());
    INFO(i << ": " << run.err << mutant);
    CHECK((run.status == 0 || run.status == 2 || run.status == 3));
    CHECK(run.out.empty() == (run.status != 0));
    if (run.status == 0) CHECK(without_seconds(run.out) == without_seconds(report));
    refused += run.status == 0 ? 0 : 1;
  }
  CHECK(refused > 0);
  CHECK(folder.files() == 1);
}
