// SPDX-License-Identifier: GPL-3.0-or-later
// All commands read all kinds of files: PTX, LLVM IR, machine code, and what holds these.
#include <catch2/catch.hpp>

#include "tests/app/kernel_json.hpp"
#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

using namespace warpspan::test;

namespace {

using Words = std::vector<std::string>;

const std::string objects = "tests/samples/objects/", data = "tests/frontend/object/data/";

// A file, what of it is asked for, and the words that bound it.
struct Kind {
  std::string file, kernel;
  Words launch;
};

const std::vector<Kind> kinds = {
    {"samples/saxpy.nvcc-sm_80.ptx", "saxpy", {"--arg", "3=4096"}},
    {"tests/documented/files/kernel.ll", "kernel", {"--flags", "-mcpu=sm_80"}},
    {objects + "two_kernels.cubin", "light", {}},
    {objects + "two_kernels.spills.cubin", "heavy", {}},
    {data + "saxpy.o", "saxpy", {}},
    {data + "saxpy.so", "saxpy", {}},
    {data + "saxpy.a", "saxpy", {}},
    {data + "saxpy.default.fatbin", "saxpy", {}},
    {data + "saxpy.code.fatbin", "saxpy", {}},
    {objects + "kernels.a", "two", {}},
    {objects + "kernels.so", "one", {}},
};

ProgramRun run(const std::string& command, const Kind& kind, const Words& more = {}) {
  Words words = {command, kind.file, "--kernel", kind.kernel, "--block", "64"};
  words.insert(words.end(), more.begin(), more.end());
  return run_warpspan(words);
}

// In TOML.
std::string entry(const Kind& kind) {
  const bool has_argument = !kind.launch.empty() && kind.launch[0] == "--arg";
  const bool has_flags = !kind.launch.empty() && kind.launch[0] == "--flags";
  return "kernel = \"" + kind.kernel + "\", file = \"" + source_dir() + "/" + kind.file + "\", block = 64, grid = 4" +
         (has_argument ? ", args = { 3 = 4096 }" : "") + (has_flags ? ", flags = \"" + kind.launch[1] + "\"" : "");
}

std::string with_lines(std::string keys) {
  for (size_t at = keys.find(", "); at != std::string::npos; at = keys.find(", ", at + 1)) keys.replace(at, 2, "\n");
  return keys + "\n";
}

}  // namespace

TEST_CASE("each command that bounds kernels gives the bound that analyze gives, of each kind of file") {
  const TemporaryFolder folder;
  for (const Kind& kind : kinds) {
    INFO(kind.file);
    Words launch = kind.launch;
    launch.insert(launch.end(), {"--grid", "4", "--explain", "--format", "json"});
    const ProgramRun analyzed = run("analyze", kind, launch);
    INFO(analyzed.err);
    REQUIRE(analyzed.status == 0);
    const Json kernel = Json::parse(analyzed.out).at("kernels").at(0);
    const int64_t cycles = cycles_of(kernel);

    write_file(folder.file("budgets.toml"), with_lines("[[budget]], " + entry(kind) + ", max = \"1 s\""));
    const ProgramRun checked = run_warpspan({"check", "--budgets", folder.file("budgets.toml"), "--format", "json"});
    INFO(checked.err);
    CHECK(checked.status == 0);
    CHECK(Json::parse(checked.out).at("results").at(0).at("limits").at(0).at("value") == cycles);

    write_file(folder.file("tasks.toml"),
               "[gpu]\nmachine = \"ampere\"\n[[task]]\nname = \"t\"\nstream = 1\nwork = [{ " + entry(kind) + " }]\n");
    const ProgramRun bounded = run_warpspan({"rta", folder.file("tasks.toml"), "--format", "json", "--runs", "0"});
    INFO(bounded.err);
    CHECK(bounded.status == 0);
    CHECK(contains(bounded.out, std::to_string(cycles)));

    if (!kind.launch.empty() && kind.launch[0] == "--flags") continue;  // a saved report cannot be compiled
    write_file(folder.file("base.json"), analyzed.out);
    Words options = kind.launch;
    options.insert(options.end(), {"--kernel", kind.kernel, "--block", "64", "--grid", "4"});
    Words words = {"compare", folder.file("base.json"), kind.file, "--format", "json", "--fail-on-regression", "0%"};
    words.insert(words.end(), options.begin(), options.end());
    const ProgramRun compared = run_warpspan(words);
    INFO(compared.err);
    CHECK(compared.status == 0);
    CHECK(contains(compared.out, "\"bound\": 0"));
  }
}

TEST_CASE("facts, occupancy, string and list read each kind of file") {
  for (const Kind& kind : kinds) {
    INFO(kind.file);
    const bool has_flags = !kind.launch.empty() && kind.launch[0] == "--flags";
    const Words flags = has_flags ? kind.launch : Words();
    const ProgramRun facts = run("facts", kind, flags);
    INFO(facts.err);
    CHECK(facts.status == 0);
    CHECK(contains(facts.out, "name = \"" + kind.kernel + "\""));
    CHECK_FALSE(contains(facts.out, "sha256 = \"\""));
    const ProgramRun occupancy = run("occupancy", kind, flags);
    CHECK(occupancy.status == 0);
    CHECK(contains(occupancy.out, "kernel " + kind.kernel));
    Words launch = kind.launch;
    launch.insert(launch.end(), {"--grid", "4"});
    const ProgramRun string = run("string", kind, launch);
    CHECK(string.status == 0);
    if (!has_flags) CHECK(run_warpspan({"list", kind.file}).status == 0);
  }
}

TEST_CASE("facts of machine code are for that code") {
  const TemporaryFolder folder;
  const std::string code = data + "search.fatbin", facts = folder.file("facts.toml");
  REQUIRE(run_warpspan({"facts", code, "--block", "64", "--output", facts}).status == 0);
  std::string text = read_file(facts);
  CHECK(contains(text, "at = \"search.cu:5\""));
  text.replace(text.find("trip_count = 0"), 14, "trip_count = 9");
  write_file(facts, text);
  const Json kernel = kernel_of({code, "--block", "64", "--facts", facts});
  CHECK(kernel.at("loops").at(0).at("trip_count") == 9);
  CHECK(kernel.at("ptx").at("kernel").at("loops").at(0).at("trip_count") == 9);
  const ProgramRun other = run_warpspan({"analyze", code, "--ptx", "--block", "64", "--facts", facts});
  CHECK(other.status == 3);
  CHECK(contains(other.err, "is not the code that these facts were written for"));
}

TEST_CASE("a file without kernels is listed, and nothing to bound") {
  const TemporaryFolder folder;
  write_file(folder.file("none.ptx"), ".version 7.0\n.target sm_80\n.address_size 64\n");
  const ProgramRun listed = run_warpspan({"list", folder.file("none.ptx")});
  CHECK(listed.status == 0);
  CHECK(contains(listed.out, "no kernel"));
  const ProgramRun library = run_warpspan({"list", objects + "kernels.a"});
  CHECK(library.status == 0);
  CHECK(contains(library.out, "PTX in nokernel.o"));
  const ProgramRun bounded = run_warpspan({"analyze", folder.file("none.ptx"), "--block", "32"});
  CHECK(bounded.status == 3);
  CHECK(contains(bounded.err, "the file has no kernel"));
}

TEST_CASE("a compiler may write machine code") {
  const TemporaryFolder folder;
  // Its last words are -o FILE SOURCE.
  write_file(folder.file("compiler"), "#!/bin/sh\ncp \"" + objects + "two_kernels$1.cubin\" \"$3\"\n");
  std::filesystem::permissions(folder.file("compiler"), std::filesystem::perms::owner_all);
  const ProgramRun run =
      run_warpspan({"compare", "--compiler", folder.file("compiler"), "--flags=''", "--flags=.spills",
                    objects + "two_kernels.cu", "--block", "64", "--format", "json"});
  INFO(run.err);
  CHECK(run.status == 0);
  const Json kernels = Json::parse(run.out).at("kernels");
  REQUIRE(kernels.size() == 2);
  for (const Json& kernel : kernels) {
    const bool spills = kernel.at("name") == "heavy";
    CHECK((kernel.at("changes").at(0).at("bound") != 0) == spills);
  }
}

TEST_CASE("an update writes an entry for each kernel of a pattern where it is asked to") {
  const TemporaryFolder folder;
  const std::string budgets = folder.file("budgets.toml");
  const std::string text =
      "# Before.\n[defaults]\nblock = 64\n\n# All of them.\n[[budget]]\nkernel = \"*\"  # each\nfile = \"" +
      source_dir() + "/" + objects +
      "two_kernels.cubin\"\nmax = \"1 s\"\n\n# Last.\n[[budget]]\nkernel = \"one\"\nfile = \"" + source_dir() + "/" +
      objects + "kernels.a\"\n";
  write_file(budgets, text);
  REQUIRE(run_warpspan({"check", "--budgets", budgets, "--update", "--each"}).status == 0);
  const std::string updated = read_file(budgets);
  INFO(updated);
  CHECK(contains(updated, "kernel = \"light\"  # each\n"));
  CHECK(contains(updated, "kernel = \"heavy\"  # each\n"));
  CHECK_FALSE(contains(updated, "\"*\""));
  CHECK(contains(updated, "\n\n# Last.\n[[budget]]\nkernel = \"one\"\n"));
  const ProgramRun checked = run_warpspan({"check", "--budgets", budgets, "--ratchet", "0%", "--fail-on-unused"});
  INFO(checked.err);
  CHECK(checked.status == 2);  // the library has another kernel
  CHECK(contains(checked.err + checked.out, "no budget is for kernel 'two'"));
  REQUIRE(run_warpspan({"check", "--budgets", budgets, "--update", "--each"}).status == 0);
  CHECK(read_file(budgets) == updated);
  CHECK(run_warpspan({"check", "--budgets", budgets, "--each"}).status == 2);
}

TEST_CASE("registers, stack and shared memory of machine code are limited without a log") {
  const TemporaryFolder folder;
  const auto check = [&folder](const std::string& file, const std::string& limits) {
    write_file(folder.file("budgets.toml"), "[[budget]]\nkernel = \"heavy\"\nblock = 64\nfile = \"" + source_dir() +
                                                "/" + objects + file + "\"\n" + limits + "\n");
    return run_warpspan({"check", "--budgets", folder.file("budgets.toml")});
  };
  CHECK(check("two_kernels.cubin", "max_registers = 64\nmax_spill = 0\nmax_stack = 0\nmax_shared = 0").status == 0);
  CHECK(check("two_kernels.cubin", "max_registers = 40").status == 1);
  CHECK(check("two_kernels.spills.cubin", "max_registers = 24").status == 0);
  CHECK(check("two_kernels.spills.cubin", "max_stack = 0").status == 1);
  const ProgramRun spills = check("two_kernels.spills.cubin", "max_spill = 1000000");  // a stack is not all spills
  CHECK(spills.status == 2);
  CHECK(contains(spills.err, "no log tells max_spill"));
}
