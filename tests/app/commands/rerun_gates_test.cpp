// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of check and compare that are made again from what they record.
#include "tests/app/commands/check_gate.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspan::test;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

ProgramRun rerun(const std::string& report, const std::string& folder) {
  return run_warpspan({"rerun", "-"}, {.input = report, .folder = folder});
}

void check_is_made_again(const ProgramRun& report, const std::string& folder) {
  INFO(report.err);
  const ProgramRun again = rerun(report.out, folder);
  CHECK(again.status == report.status);
  CHECK(again.out == report.out);
  CHECK(again.err == report.err);
}

void check_is_refused(const ProgramRun& report, const std::string& folder, const std::string& reason) {
  const ProgramRun again = rerun(report.out, folder);
  INFO(again.err);
  CHECK(again.status == 2);
  CHECK(again.out.empty());
  CHECK(contains(again.err, reason));
}

const std::string log_text =
    "ptxas info    : Compiling entry function 'spmv' for 'sm_80'\n"
    "ptxas info    : Function properties for spmv\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 30 registers, used 0 barriers, 392 bytes cmem[0]\n";

// Reads files of each kind: budgets, PTX, facts, a log, a machine.
const std::string budgets =
    "[[budget]]\n"
    "kernel = \"spmv\"\n"
    "machine = \"my.toml\"\n"
    "block = 128\n"
    "facts = \"facts.toml\"\n"
    "max = \"10 s\"\n"
    "max_registers = 32\n";

struct GateOfAllFiles : Gate {
  GateOfAllFiles() {
    write("budgets.toml", budgets);
    write("facts.toml", "[[kernel]]\nname = \"spmv\"\n[[kernel.loop]]\nat = \"$L__BB0_3\"\ntrip_count = 64\n");
    write("my.toml", "name = \"mine\"\nbased_on = \"ampere\"\ntargets = [\"sm_80\"]\ndescription = \"mine\"\n");
    write("ptxas.log", log_text);
  }
};

const Words of_all_files = {"k.ptx", "--ptxas-log", "ptxas.log", "--fail-on-unused", "--format", "json"};

}  // namespace

TEST_CASE("reports of a gate are made again: one that passes, is over, has no bound, or cannot be read") {
  const GateOfAllFiles gate;
  const auto check = [&gate](int status) {
    const ProgramRun report = gate.run(of_all_files);
    INFO(report.err);
    CHECK(report.status == status);
    check_is_made_again(report, gate.path(""));
    return Json::parse(report.out);
  };
  Words names;
  const Json inputs = check(0)["run"]["inputs"];
  for (const Json& input : inputs) names.push_back(input["file"]);
  CHECK(names == Words{"ptxas.log", "budgets.toml", "k.ptx", "facts.toml"});
  gate.replace("budgets.toml", "10 s", "10 ns");
  CHECK(check(1)["run"]["machines"][0]["name"] == "mine");
  gate.replace("facts.toml", "[[kernel.loop]]\nat = \"$L__BB0_3\"\ntrip_count = 64\n", "");
  check(3);
  gate.append("budgets.toml", "maximum = 1\n");
  check(2);
}

TEST_CASE("where reports of a gate go, and what it writes, is not part of them") {
  const Gate gate;
  const Words plain = {"--format", "json"};
  const ProgramRun report = gate.run(plain);
  Words words = {"--update", "--margin", "0%",      "--stamp", "s",        "--depfile",    "d",
                 "--output", "-",        "--color", "always",  "--report", "markdown=m.md"};
  words.insert(words.end(), plain.begin(), plain.end());
  CHECK(gate.run(words).out == report.out);
  CHECK(Json::parse(report.out)["run"]["arguments"] == Json::array({"--budgets=budgets.toml"}));
  check_is_made_again(report, gate.path(""));
  const ProgramRun in_full = gate.run({"--explain", "--format", "json"});
  CHECK(in_full.out.size() > 2 * report.out.size());
  check_is_made_again(in_full, gate.path(""));
}

TEST_CASE("a report of an update is of the budgets that it has written") {
  const Gate gate;
  const ProgramRun report = gate.run({"--update", "--margin", "10%", "--format", "json"});
  CHECK(report.status == 0);
  check_is_made_again(report, gate.path(""));
  gate.append("budgets.toml", "[[budget]]\nkernel = \"nobody\"\nfile = \"k.ptx\"\nmax = \"1 s\"\n");
  const ProgramRun failed = gate.run({"--update", "--format", "json"});
  CHECK(failed.status == 2);
  CHECK(Json::parse(failed.out)["run"].is_null());
  check_is_refused(failed, gate.path(""), "of an update that failed: there is nothing to repeat");
}

TEST_CASE("a report of a gate is refused where one of its files has changed") {
  const auto refused = [](const std::string& file, const std::string& old, const std::string& text,
                          const std::string& reason) {
    const GateOfAllFiles gate;
    const ProgramRun report = gate.run(of_all_files);
    CHECK(report.status == 0);
    gate.replace(file, old, text);
    check_is_refused(report, gate.path(""), reason);
  };
  refused("budgets.toml", "", "# more\n", "'budgets.toml' has changed since the report was made");
  refused("ptxas.log", "", "more\n", "'ptxas.log' has changed since the report was made");
  refused("facts.toml", "", "# more\n", "'facts.toml' has changed since the report was made");
  refused("k.ptx", "", "// more\n", "'k.ptx' has changed since the report was made");
  refused("my.toml", "description = \"mine\"", "description = \"changed\"",
          "machine 'mine' has changed since the report was made");
}

TEST_CASE("a limit on registers alone records its machine") {
  const GateOfAllFiles gate;
  gate.replace("budgets.toml", "max = \"10 s\"\n", "");
  const ProgramRun report = gate.run({"k.ptx", "--ptxas-log", "ptxas.log", "--format", "json"});
  CHECK(report.status == 0);
  CHECK(Json::parse(report.out)["run"]["machines"][0]["name"] == "mine");
  check_is_made_again(report, gate.path(""));
}

TEST_CASE("comparisons of files and of saved reports are made again") {
  const std::string a = "tests/samples/compare/nbody.O3.ptx", b = "tests/samples/compare/nbody.fast.ptx";
  const Words launch = {"--block", "128", "--arg", "3=1024", "--format", "json"};
  const auto compare = [&launch](Words words) {
    words.insert(words.begin(), "compare");
    words.insert(words.end(), launch.begin(), launch.end());
    return run_warpspan(words);
  };
  const ProgramRun files = compare({a, b, "--fail-on-regression", "5%"});
  CHECK(files.status == 0);
  check_is_made_again(files, warpspan::test::source_dir());
  const ProgramRun regressed = compare({b, a, "--fail-on-regression", "5%"});
  CHECK(regressed.status == 1);
  CHECK(Json::parse(regressed.out)["status"] == "over-budget");
  check_is_made_again(regressed, warpspan::test::source_dir());
  const ProgramRun failed = compare({"nowhere.ptx", a});
  CHECK(failed.status == 2);
  CHECK(Json::parse(failed.out)["regression"] == "unknown");
  check_is_made_again(failed, warpspan::test::source_dir());

  const TemporaryFolder folder;
  const std::string saved = folder.file("base.json");
  Words words = {"analyze", a, "--explain", "--output", saved};
  words.insert(words.end(), launch.begin(), launch.end());
  REQUIRE(run_warpspan(words).status == 0);
  const ProgramRun with_saved = compare({saved, b});
  CHECK(with_saved.status == 0);
  check_is_made_again(with_saved, warpspan::test::source_dir());
  write_file(saved, read_file(saved) + "\n");
  check_is_refused(with_saved, warpspan::test::source_dir(), "'" + saved + "' has changed since the report was made");
}

TEST_CASE("comparisons of what a compiler makes are made again as long as it makes the same") {
  const TemporaryFolder folder;
  write_file(folder.file("k.cu"), "");
  const auto write_compiler = [&folder](const std::string& of_fast) {
    write_file(folder.file("compiler"), "#!/bin/sh\ncase $1 in fast) n=" + of_fast + ";; *) n=O3;; esac\ncp \"" +
                                            warpspan::test::source_dir() +
                                            "/tests/samples/compare/nbody.$n.ptx\" \"$3\"\n");
    std::filesystem::permissions(folder.file("compiler"), std::filesystem::perms::owner_all);
  };
  write_compiler("fast");
  const ProgramRun report = run_warpspan({"compare", "--compiler", "./compiler", "--flags", "O3", "--flags", "fast",
                                          "k.cu", "--block", "128", "--arg", "3=1024", "--format", "json"},
                                         {.folder = folder.path()});
  CHECK(report.status == 0);
  check_is_made_again(report, folder.path());
  write_compiler("cicc-O1");
  check_is_refused(report, folder.path(), "the report says something else than the run of 'warpspan compare ");
}
