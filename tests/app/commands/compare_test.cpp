// SPDX-License-Identifier: GPL-3.0-or-later
// 'warpspan compare' as users run it: exit statuses, what is shown, and that a saved report is as good as its file.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpspan::test;
using Words = std::vector<std::string>;

const std::string pairs = "tests/samples/compare/";
const Words nbody = {"--block", "128", "--arg", "3=1024"};

struct Sample {
  std::string name;
  Words options;
};
const std::vector<Sample> samples = {
    {"matmul_tiled", {"--block", "16,16", "--arg", "3=256"}}, {"nbody", nbody}, {"precise_math", {"--block", "256"}}};

ProgramRun compare(const Words& words, const Words& more = {}, const Surroundings& around = {}) {
  Words arguments = {"compare"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_warpspan(arguments, around);
}

Json json_of(Words words, const Words& more) {
  words.insert(words.end(), {"--format", "json"});
  const ProgramRun run = compare(words, more);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out);
}

// A compiler made of a shell script, whose last words are -o FILE SOURCE: it copies the PTX that its flag names.
std::string compiler_that(const TemporaryFolder& folder, const std::string& script) {
  write_file(folder.file("compiler"), "#!/bin/sh\n" + script);
  std::filesystem::permissions(folder.file("compiler"), std::filesystem::perms::owner_all);
  return "'" + folder.file("compiler") + "' -ptx";
}
const std::string copies = "cp \"tests/samples/compare/nbody.$2.ptx\" \"$4\"\n";

const std::string tiny = ".version 7.0\n.target sm_80\n.address_size 64\n";

}  // namespace

TEST_CASE("what is compared with itself has no change") {
  for (const Sample& sample : samples) {
    const std::string file = pairs + sample.name + ".O3.ptx";
    const Json changes = json_of({file, file}, sample.options)["kernels"][0]["changes"][0];
    INFO(changes.dump());
    CHECK(changes["bound"] == 0);
    for (const char* list : {"parts", "lines", "instructions", "assumed_before", "assumed_after"}) {
      CHECK(changes[list].empty());
    }
  }
}

TEST_CASE("with the sides changed every change has the other sign") {
  for (const Sample& sample : samples) {
    const std::string a = pairs + sample.name + ".O3.ptx", b = pairs + sample.name + ".cicc-O1.ptx";
    const Json there = json_of({a, b}, sample.options)["kernels"][0],
               back = json_of({b, a}, sample.options)["kernels"][0];
    CHECK(there["sides"][0] == back["sides"][1]);
    CHECK(there["changes"][0]["bound"].get<int64_t>() == -back["changes"][0]["bound"].get<int64_t>());
    Json lines = back["changes"][0]["lines"], parts = back["changes"][0]["parts"];
    for (Json& line : lines) {
      std::swap(line["before"], line["after"]);
      std::swap(line["line_before"], line["line_after"]);
    }
    for (Json& part : parts) std::swap(part["before"], part["after"]);
    CHECK(there["changes"][0]["lines"] == lines);
    CHECK(there["changes"][0]["parts"] == parts);
  }
}

TEST_CASE("the lines and the parts that no line has add up to the change of the bound") {
  for (const Sample& sample : samples) {
    for (const char* flags : {"fast", "cicc-O1"}) {
      const Json changes = json_of({pairs + sample.name + ".O3.ptx", pairs + sample.name + "." + flags + ".ptx"},
                                   sample.options)["kernels"][0]["changes"][0];
      INFO(sample.name << " " << flags);
      int64_t sum = 0;
      for (const Json& line : changes["lines"]) sum += line["after"].get<int64_t>() - line["before"].get<int64_t>();
      for (const Json& part : changes["parts"]) {
        const std::string name = part["part"];
        const bool of_lines = name == "path" || name.rfind("resource ", 0) == 0;
        if (!of_lines) sum += part["after"].get<int64_t>() - part["before"].get<int64_t>();
      }
      CHECK(changes["bound"] == sum);
    }
  }
}

TEST_CASE("the lines that a person finds in the PTX are those that are named") {
  const auto top = [](const std::string& sample, const std::string& flags, const Words& options) {
    const Json kernel =
        json_of({pairs + sample + ".O3.ptx", pairs + sample + "." + flags + ".ptx"}, options)["kernels"][0];
    const Json& lines = kernel["changes"][0]["lines"];
    return lines.empty() ? std::string() : lines[0]["text"].get<std::string>();
  };
  const Words tiles = {"--block", "16,16", "--arg", "3=256", "--assume", "ptx-order"};
  // rsqrt.approx.f32 becomes rsqrt.approx.ftz.f32, which needs no scaling of denormal numbers; nothing else that costs.
  CHECK(top("nbody", "fast", nbody).rfind("const float inverse = rsqrtf(", 0) == 0);
  // The only difference are .ftz on additions and multiplications, which cost the same.
  CHECK(top("matmul_tiled", "fast", tiles).empty());
  // Addresses of the other tile are computed in each turn, from parameters that may have left the constant cache.
  CHECK(top("matmul_tiled", "cicc-O1", tiles).rfind("tile_b[threadIdx.y][threadIdx.x] = b[(start", 0) == 0);
  // Where they are kept, that the loop is not unrolled any more.
  Words kept = tiles;
  kept.insert(kept.end(), {"--assume", "keeps-constants"});
  CHECK(top("matmul_tiled", "cicc-O1", kept) == "for (int k = 0; k < kTile; ++k) {");
  // Range reductions give way to sin.approx and ex2.approx.
  CHECK(top("precise_math", "fast", {"--block", "256"}).find("sinf(x[i])") != std::string::npos);
}

TEST_CASE("a saved report and the file it is of give the same comparison") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples) {
    const std::string a = pairs + sample.name + ".O3.ptx", b = pairs + sample.name + ".cicc-O1.ptx";
    for (const std::string& file : {a, b}) {
      Words words = {"analyze",  file,       "--explain",
                     "--format", "json",     "--time-limit",
                     "0",        "--output", folder.file(file == a ? "a.json" : "b.json")};
      words.insert(words.end(), sample.options.begin(), sample.options.end());
      REQUIRE(run_warpspan(words).status == 0);
    }
    const Json files = json_of({a, b}, sample.options)["kernels"];
    CHECK(json_of({folder.file("a.json"), folder.file("b.json")}, {})["kernels"] == files);
    CHECK(json_of({folder.file("a.json"), b}, sample.options)["kernels"] == files);
  }
}

TEST_CASE("a report says what it was made from") {
  const std::string a = pairs + "nbody.O3.ptx", b = pairs + "nbody.fast.ptx";
  const Json run = json_of({a, b}, nbody)["run"];
  CHECK(run["command"] == "compare");
  CHECK(run["arguments"].dump() == R"(["--block=128","--arg=3=1024",")" + a + R"(",")" + b + R"("])");
  REQUIRE(run["inputs"].size() == 3);  // the source too, whose lines the report shows
  CHECK(run["inputs"][0]["file"] == a);
  CHECK(run["machines"][0]["name"] == "ampere");
}

TEST_CASE("a regression has a status of its own") {
  const std::string a = pairs + "nbody.O3.ptx", b = pairs + "nbody.fast.ptx";
  const auto status = [&](const std::string& base, const std::string& next, const std::string& allowed) {
    Words words = {base, next, "--fail-on-regression", allowed};
    return compare(words, nbody).status;
  };
  CHECK(status(a, b, "0%") == 0);
  CHECK(status(b, a, "5%") == 1);
  CHECK(status(b, a, "8%") == 0);
  CHECK(compare({b, a}, nbody).status == 0);
}

TEST_CASE("nothing that cannot be said passes") {
  const TemporaryFolder folder;
  write_file(folder.file("a.ptx"), tiny + ".visible .entry histogram() { ret; }\n.visible .entry k() { ret; }\n");
  write_file(folder.file("b.ptx"), tiny + ".visible .entry k() { ret; }\n");
  write_file(folder.file("bad.ptx"), tiny + ".visible .entry k() { frobnicate; }\n");
  write_file(folder.file("hopper.ptx"),
             ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n");
  const Words block = {"--block", "32"};
  const auto run = [&](const std::string& a, const std::string& b, const Words& more = {}) {
    Words words = {folder.file(a), folder.file(b), "--block", "32"};
    return compare(words, more);
  };
  const ProgramRun listed = run("a.ptx", "b.ptx");
  CHECK(listed.status == 0);
  CHECK(contains(listed.out, "only in before"));
  CHECK(run("a.ptx", "b.ptx", {"--fail-on-regression", "5%"}).status == 3);
  CHECK(run("b.ptx", "a.ptx", {"--fail-on-regression", "5%"}).status == 3);
  CHECK(run("bad.ptx", "b.ptx").status == 3);
  CHECK(run("b.ptx", "bad.ptx").status == 3);
  CHECK(run("b.ptx", "missing.ptx").status == 2);
  const ProgramRun machines = run("b.ptx", "hopper.ptx");
  CHECK(machines.status == 0);
  CHECK(contains(machines.out, "the machines differ: ampere before, hopper after"));
  CHECK(run("b.ptx", "hopper.ptx", {"--fail-on-regression", "5%"}).status == 2);
  CHECK(run("b.ptx", "hopper.ptx", {"--machine", "ampere", "--fail-on-regression", "5%"}).status == 0);
}

TEST_CASE("no regression is ruled out by a machine with other figures, or a kernel of another name") {
  const TemporaryFolder folder;
  write_file(folder.file("k.ptx"), tiny + ".visible .entry k() { ret; }\n");
  write_file(folder.file("renamed.ptx"), tiny + ".visible .entry k_2() { ret; }\n");
  const auto write_machine = [&folder](const std::string& clock) {
    write_file(
        folder.file("my.toml"),
        "name = \"my\"\ndescription = \"mine\"\nbased_on = \"ampere\"\n[board]\nmultiprocessors = 1\nclock_khz = " +
            clock + "\nstanding = \"assumed\"\nsource = \"test\"\n");
  };
  const Words words = {folder.file("k.ptx"), "--block", "32", "--machine", folder.file("my.toml")};
  write_machine("1000000");
  Words analyze = {"analyze", "--explain", "--format", "json", "--output", folder.file("base.json")};
  analyze.insert(analyze.end(), words.begin(), words.end());
  const ProgramRun base = run_warpspan(analyze);
  INFO(base.err);
  REQUIRE(base.status == 0);
  const auto run = [&](const Words& more) {
    return compare(
        {folder.file("base.json"), folder.file("k.ptx"), "--block", "32", "--machine", folder.file("my.toml")}, more);
  };
  CHECK(run({"--fail-on-regression", "5%"}).status == 0);
  write_machine("2000000");
  const ProgramRun other = run({"--fail-on-regression", "5%"});
  INFO(other.err);
  CHECK(other.status == 2);
  CHECK(contains(other.err, "two versions of the machine my"));
  CHECK(run({}).status == 0);

  const Words renamed = {folder.file("k.ptx"), folder.file("renamed.ptx"), "--block", "32"};
  CHECK(compare(renamed, {}).status == 0);
  const ProgramRun gate = compare(renamed, {"--fail-on-regression", "5%"});
  CHECK(gate.status == 3);
  CHECK(contains(gate.err, "that one may be gone, and this one new"));
}

TEST_CASE("a saved report without what is asked for is no success") {
  const TemporaryFolder folder;
  const std::string empty = "{\"schema\": \"warpspan.analyze/2\", \"kernels\": [], \"errors\": []}";
  write_file(folder.file("a.json"), empty);
  write_file(folder.file("b.json"), empty);
  const ProgramRun none = compare({folder.file("a.json"), folder.file("b.json")});
  CHECK(none.status == 2);
  CHECK(contains(none.err, "neither side has a kernel"));
  const ProgramRun misspelt = compare({folder.file("a.json"), pairs + "nbody.O3.ptx", "--kernel", "nbody"}, nbody);
  CHECK(misspelt.status == 2);
  CHECK(contains(misspelt.err, "the report has no kernel 'nbody'"));
  CHECK(compare({folder.file("a.json"), pairs + "nbody.O3.ptx", "--fail-on-regression", "5%"}, nbody).status == 3);
}

TEST_CASE("wrong words are told") {
  const auto error = [](const Words& words) {
    const ProgramRun run = compare(words);
    CHECK(run.status == 2);
    return run.err;
  };
  CHECK(contains(error({}), "nothing is given to compare"));
  CHECK(contains(error({"a.ptx"}), "expected two sides"));
  CHECK(contains(error({"a.ptx", "b.ptx", "c.ptx"}), "expected two sides"));
  CHECK(contains(error({"-", "-"}), "standard input cannot be both sides"));
  CHECK(contains(error({"a.json", "b.json", "--block", "32"}), "--block: the bounds of saved reports are made"));
  CHECK(contains(error({"a.json", "b.ptx", "--compiler", "nvcc"}), "a saved report cannot be compiled"));
  CHECK(contains(error({"a.ptx", "b.ptx", "--compiler", "'nvcc"}), "has no end"));
  CHECK(contains(error({"a.ptx", "b.ptx", "--fail-on-regression", "5"}), "expected a percentage"));
  CHECK(contains(error({"--flags", "-O3", "--flags", "-O1"}), "no file is given"));
  CHECK(contains(error({"samples/saxpy.ptx", "--flags", "-O3", "--flags", "-O1"}), "is not compiled"));
  CHECK(contains(error({"README.md", "samples", "--compiler", "no-such-compiler"}), "cannot run 'no-such-compiler'"));
}

TEST_CASE("one source under several sets of flags has a column for each") {
  const TemporaryFolder folder, temporary;
  write_file(folder.file("k.cu"), "");
  Words words = {"--compiler", compiler_that(folder, copies), folder.file("k.cu")};
  for (const char* flags : {"O3", "fast", "cicc-O1"}) words.insert(words.end(), {"--flags", flags});
  const ProgramRun run = compare(words, nbody, {{}, warpspan::test::source_dir(), {"TMPDIR=" + temporary.path()}});
  INFO(run.out << run.err);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "(1)  O3\n(2)  fast\n(3)  cicc-O1\n"));
  CHECK(contains(run.out, "1,330,934  1,252,725  9,588,865\n"));
  CHECK(temporary.files() == 0);
  // One set of flags is for both sides.
  CHECK(
      compare({"--compiler", compiler_that(folder, copies), "--flags", "O3", folder.file("k.cu"), folder.file("k.cu")},
              nbody)
          .status == 0);
}

TEST_CASE("a compiler that fails is an error with what it said") {
  const TemporaryFolder folder;
  write_file(folder.file("k.cu"), "");
  const std::string script = "case $2 in O3) " + copies + ";; *) echo 'k.cu(3): error: no' >&2; exit 1;; esac\n";
  const ProgramRun run = compare(
      {"--compiler", compiler_that(folder, script), "--flags", "O3", "--flags", "O9", folder.file("k.cu")}, nbody);
  CHECK(run.status == 3);
  CHECK(contains(run.err, "failed with exit status 1"));
  CHECK(contains(run.err, "k.cu(3): error: no"));
  CHECK(contains(run.out, "only in before"));
}

TEST_CASE("an interrupt ends the compiler, and nothing stays") {
  const TemporaryFolder folder, temporary;
  write_file(folder.file("k.cu"), "");
  // An interrupt from a terminal would reach the compiler as well; this one only the program.
  const std::string compiler = compiler_that(folder, "exec sleep 60\n");
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  const ProgramRun run =
      interrupt_warpspan({"compare", "--compiler", compiler, folder.file("k.cu"), folder.file("k.cu")});
  ::unsetenv("TMPDIR");
  INFO(run.err);
  CHECK(run.status == 3);
  CHECK(contains(run.err, "interrupted while "));
  for (const auto& left : std::filesystem::directory_iterator(temporary.path())) {
    CHECK(left.path().filename().string().rfind("warpspan-test-", 0) == 0);  // of this test itself
  }
}

TEST_CASE("LLVM IR is compared under several flags, and by file") {
  const Words launch = {"--block", "256", "--grid", "4", "--arg", "3=4096"};
  const std::string module = "tests/samples/llvm_ir/saxpy.";
  const Json same = json_of({module + "ll", module + "bc"}, launch);
  CHECK(same["kernels"][0]["changes"][0]["bound"] == 0);
  const ProgramRun sets = compare({"--flags", "-O0", "--flags", "-O3", module + "ll"}, launch);
  INFO(sets.err);
  CHECK(sets.status == 0);
  CHECK(contains(sets.out, "before  -O0\nafter   -O3\n"));
  CHECK(compare({"--flags", "-O0", "--flags", "-ffast-math", module + "ll"}, launch).status == 2);
}

TEST_CASE("the report goes whole to a file, in every format") {
  const TemporaryFolder folder;
  const std::string a = pairs + "nbody.O3.ptx", b = pairs + "nbody.fast.ptx";
  for (const char* format : {"text", "json", "markdown"}) {
    const ProgramRun shown = compare({a, b, "--format", format}, nbody);
    CHECK(compare({a, b, "--format", format, "--output", folder.file("report")}, nbody).status == 0);
    CHECK(shown.out == read_file(folder.file("report")));
  }
}
