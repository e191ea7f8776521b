// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan facts, and --facts: what is written is filled in, used, and refused when it is for other code.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpspan::test;

std::string replaced(std::string text, const std::string& part, const std::string& instead) {
  REQUIRE(contains(text, part));
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += instead.size()) {
    text.replace(at, part.size(), instead);
  }
  return text;
}

const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";

// A loop up to a value in memory, one up to the parameter n, one of 5 turns.
std::string kernel(const std::string& name) {
  return ".visible .entry " + name +
         "(.param .u64 p, .param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<10>;\n"
         ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nld.param.u32 %r3, [n];\n.loc 1 3 1\n"
         "mov.u32 %r2, 0;\n" +
         name + "_m: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra " + name +
         "_m;\n"
         ".loc 1 5 1\nmov.u32 %r2, 0;\n" +
         name + "_n: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r3;\n@%p1 bra " + name +
         "_n;\n.loc 1 7 1\nmov.u32 %r2, 0;\nL: add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 5;\n@%p1 bra L;\n"
         "ret;\n}\n";
}
const std::string files = ".file 1 \"/src/k.cu\"\n";

struct Files {
  explicit Files(const std::string& text) { write("k.ptx", text); }
  void write(const std::string& name, const std::string& text) const { write_file(folder.file(name), text); }
  std::string read(const std::string& name) const { return read_file(folder.file(name)); }
  ProgramRun run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--block", "32"});
    return run_warpspan(arguments, {.folder = folder.path()});
  }
  ProgramRun analyze(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"analyze", "k.ptx", "--time-limit", "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  TemporaryFolder folder;
};

const std::string filled =
    "[[kernel]]\nname = \"k\"\n[[kernel.loop]]\nat = \"k.cu:3\"\ntrip_count = 64\n"
    "[kernel.args]\nn = 9\n";

}  // namespace

TEST_CASE("facts that are written are filled in and used") {
  const Files files_of(head + kernel("k") + files);
  const ProgramRun written = files_of.run({"facts", "k.ptx", "--output", "f.toml"});
  CHECK(written.status == 0);
  CHECK(written.out.empty());
  CHECK(written.err.empty());
  const std::string facts = files_of.read("f.toml");
  INFO(facts);
  CHECK(
      contains(facts,
               "# k_m (line 14): its exit test depends on an element of the array of parameter 'p', loaded in line 10\n"
               "[[kernel.loop]]\nat = \"k.cu:3\"\ntrip_count = 0\n"));
  CHECK(contains(facts, "# [[kernel.loop]]\n# at = \"k.cu:5\"\n# trip_count = 0\n"));
  CHECK(contains(facts, "#   L (line 24, k.cu:7): 5, found by scalar-evolution\n"));
  CHECK(contains(facts, "# p = 0  # parameter 0, u64\n# n = 0  # parameter 1, u32; loops depend on it\n"));
  CHECK(contains(facts, "[kernel.buffers]\n# p = 0\n"));

  const ProgramRun unfilled = files_of.analyze({"--facts", "f.toml"});
  CHECK(unfilled.status == 2);
  CHECK(unfilled.out.empty());
  CHECK(contains(unfilled.err, "the trip count of the loop at 'k.cu:3' is not filled in"));

  files_of.write("f.toml", replaced(replaced(facts, "\ntrip_count = 0", "\ntrip_count = 64"), "# n = 0", "n = 9"));
  const ProgramRun used = files_of.analyze({"--facts", "f.toml", "--explain"});
  CHECK(used.err.empty());
  CHECK(used.status == 0);
  CHECK(contains(used.out, "The parameter 'n' is 9 (f.toml:"));
  CHECK(contains(used.out, "The loop at 'k_m' (line 14, k.cu:3) runs at most 64 times each time it is entered"));
  const ProgramRun by_options = files_of.analyze({"--loop-bound", "k.cu:3=64", "--arg", "n=9", "--explain"});
  const auto headline = [](const std::string& text) {
    const size_t begin = text.find("  at most ");
    REQUIRE(begin != std::string::npos);
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  CHECK(headline(by_options.out) == headline(used.out));

  // What is known by now is written again.
  const ProgramRun again = files_of.run({"facts", "k.ptx", "--facts", "f.toml"});
  CHECK(again.status == 0);
  CHECK(contains(again.out, "at = \"k.cu:3\"\ntrip_count = 64\n"));
  CHECK(contains(again.out, "\nn = \"9\"\n"));
  CHECK(contains(again.out, "#   k_n (line 19, k.cu:5): 9, found by scalar-evolution\n"));

  const ProgramRun string = files_of.run({"string", "k.ptx", "--facts", "f.toml"});
  CHECK(string.status == 0);
  CHECK(contains(string.out, "\n  The parameter 'n' is 9 (f.toml:"));
}

TEST_CASE("facts for other code are refused, with the difference") {
  const Files files_of(head + kernel("k") + kernel("j") + files);
  const std::string facts = replaced(files_of.run({"facts", "k.ptx"}).out, "\ntrip_count = 0", "\ntrip_count = 64");
  files_of.write("f.toml", replaced(facts, "# n = 0", "n = 9"));
  CHECK(files_of.analyze({"--facts", "f.toml"}).status == 0);
  // A comment is no code, a moved line no instruction.
  files_of.write("k.ptx", "// moved\n\n" + head + kernel("k") + kernel("j") + files);
  CHECK(files_of.analyze({"--facts", "f.toml"}).status == 0);

  std::string changed =
      replaced(kernel("k"), "ld.param.u32 %r3, [n];\n", "ld.param.u32 %r3, [n];\nadd.u32 %r3, %r3, 0;\n");
  changed = replaced(changed, ".loc 1 5 1", ".loc 1 6 1");
  files_of.write("k.ptx", head + changed + kernel("j") + files);
  const ProgramRun run = files_of.analyze({"--facts", "f.toml"});
  CHECK(run.status == 3);
  CHECK(contains(run.err,
                 "kernel 'k' is not the code that these facts were written for: it has 17 instructions, not "
                 "16; the loop k_n moved from k.cu:5 to k.cu:6\n"));
  CHECK(contains(run.err, "f.toml:"));
  CHECK(!contains(run.err, "no bound for"));
  CHECK(!contains(run.err, "warning"));
  CHECK(!contains(run.out, "kernel k "));
  CHECK(contains(run.out, "kernel j "));

  files_of.write("k.ptx", head + replaced(kernel("k"), "%r2, 5", "%r2, 6") + kernel("j") + files);
  CHECK(
      contains(files_of.analyze({"--facts", "f.toml"}).err, "its loops and parameters are the same, its instructions"));
}

TEST_CASE("facts by source lines are refused when the lines have moved under the same code") {
  const Files files_of(head + kernel("k") + files);
  const std::string facts = replaced(files_of.run({"facts", "k.ptx"}).out, "\ntrip_count = 0", "\ntrip_count = 64");
  files_of.write("f.toml", replaced(facts, "# n = 0", "n = 9"));
  // Two lines were put in above: the loop up to n would get the bound of the loop up to a value in memory.
  const std::string moved = replaced(
      replaced(replaced(kernel("k"), ".loc 1 7 ", ".loc 1 9 "), ".loc 1 5 ", ".loc 1 7 "), ".loc 1 3 ", ".loc 1 5 ");
  files_of.write("k.ptx", head + moved + files);
  const ProgramRun run = files_of.analyze({"--facts", "f.toml"});
  CHECK(run.status == 3);
  CHECK(run.out.empty());
  CHECK(contains(run.err,
                 "the lines of kernel 'k' are not those that these facts were written for: the loop k_m moved "
                 "from k.cu:3 to k.cu:5; the loop k_n moved from k.cu:5 to k.cu:7; the loop L moved from k.cu:7 "
                 "to k.cu:9\n"));
  // Labels are a part of the code.
  files_of.write("f.toml", replaced(replaced(facts, "# n = 0", "n = 9"), "at = \"k.cu:3\"", "at = \"k_m\""));
  CHECK(files_of.analyze({"--facts", "f.toml"}).status == 0);
}

TEST_CASE("a fact below what is proven is an error at its line, one above it is listed") {
  const Files files_of(head + kernel("k") + files);
  files_of.write("low.toml", filled + "[[kernel]]\nname = \"*\"\n[[kernel.loop]]\nat = \"L\"\ntrip_count = 4\n");
  const ProgramRun low = files_of.analyze({"--facts", "low.toml"});
  CHECK(low.status == 3);
  CHECK(low.out.empty());
  CHECK(contains(low.err,
                 "low.toml:12:14: error: the bound *:L=4 cannot be true: the loop 'L' (k.cu:7) of kernel 'k' "
                 "runs 5 times where it is entered\n"));
  files_of.write("high.toml", filled + "[[kernel]]\nname = \"*\"\n[[kernel.loop]]\nat = \"L\"\ntrip_count = 6\n");
  const ProgramRun high = files_of.analyze({"--facts", "high.toml", "--format", "json"});
  CHECK(high.status == 0);
  const Json loops = Json::parse(high.out).at("kernels").at(0).at("loops");
  CHECK(loops.at(2).at("trip_count") == 5);
  CHECK(loops.at(2).at("origin") == "scalar-evolution");
  CHECK(loops.at(2).at("given") == 6);
  CHECK(loops.at(2).at("given_by") == "high.toml:12");
  CHECK(contains(files_of.analyze({"--facts", "high.toml", "--explain"}).out, "scalar-evolution (given 6)"));
}

TEST_CASE("facts that name nothing are warnings") {
  const Files files_of(head + kernel("k") + files);
  files_of.write("f.toml", filled +
                               "m = 3\n[kernel.buffers]\np = 4096\nq = 1\n[[kernel]]\nname = \"kk\"\n[[kernel.loop]]\n"
                               "at = \"X\"\ntrip_count = 3\n[[kernel]]\nname = \"*\"\n[[kernel.loop]]\n"
                               "at = \"k.cu:4\"\ntrip_count = 3\n");
  const ProgramRun run = files_of.analyze({"--facts", "f.toml", "--format", "json"});
  CHECK(run.status == 0);
  for (const char* message : {"f.toml:8:1: warning: kernel 'k' has no parameter 'm'\n",
                              "f.toml:11:1: warning: kernel 'k' has no parameter 'q'\n",
                              "f.toml:12:1: warning: these facts are for no kernel: none is called 'kk'\n",
                              "f.toml:21:14: warning: '*:k.cu:4' names no loop\n"}) {
    INFO(message);
    CHECK(contains(run.err, message));
  }
  const Json document = Json::parse(run.out);
  CHECK(document.at("errors").empty());
  CHECK(document.at("warnings").size() == 4);
  CHECK(document.at("kernels").size() == 1);
}

TEST_CASE("a value in both, and different, is an error") {
  const Files files_of(head + kernel("k") + files);
  files_of.write("f.toml", filled);
  CHECK(files_of.analyze({"--facts", "f.toml", "--arg", "n=9"}).status == 0);
  const ProgramRun run = files_of.analyze({"--facts", "f.toml", "--arg", "1=8"});
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK(contains(run.err,
                 "f.toml:7:1: error: parameter 'n' of kernel 'k' is given a value twice, and not the same one\n"
                 "  n = 9\n"));
}

TEST_CASE("a file of facts that cannot be read ends everything") {
  const Files files_of(head + kernel("k") + files);
  const ProgramRun missing = files_of.analyze({"--facts", "none.toml", "--loop-bound", "k.cu:3=4", "--arg", "n=9"});
  CHECK(missing.status == 2);
  CHECK(missing.out.empty());
  CHECK(contains(missing.err, "none.toml"));
  files_of.write("bad.toml", "[[kernel]]\n");
  CHECK(files_of.analyze({"--facts", "bad.toml", "--loop-bound", "k.cu:3=4", "--arg", "n=9"}).status == 2);
  CHECK(files_of.run({"facts", "k.ptx", "--facts", "bad.toml"}).status == 2);
}

TEST_CASE("a label that several kernels have is nobody's without a kernel") {
  const Files files_of(head + kernel("a") + kernel("b") + files);
  const std::vector<std::string> rest = {"--loop-bound", "k.cu:3=4", "--arg", "n=9", "--format", "json"};
  const auto analyze = [&](const std::string& bound) {
    std::vector<std::string> arguments = {"--loop-bound", bound};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    return files_of.analyze(arguments);
  };
  const ProgramRun run = analyze("L=6");
  CHECK(run.status == 2);
  CHECK(contains(run.err,
                 "--loop-bound L=6 names loops at 2 places\n  help: give one of --loop-bound a:L=6 (k.ptx:24) "
                 "and --loop-bound b:L=6 (k.ptx:49), or --loop-bound '*:L=6' for all\n"));
  CHECK(Json::parse(run.out).at("kernels").empty());
  for (const char* bound : {"a:L=6", "b:L=6", "*:L=6", "line:24=6", "a:line:24=6", "a:k.cu:7=6", "k.cu:7=6"}) {
    INFO(bound);
    const ProgramRun named = analyze(bound);
    CHECK(named.status == 0);
    CHECK(Json::parse(named.out).at("kernels").size() == 2);
  }
  for (const char* bound : {"c:L=6", "a:b_m=6", "line:49=6x", "a:line:49=6", "k.cu:8=6", "b.cu:7=6", "X=6"}) {
    INFO(bound);
    CHECK(analyze(bound).status == 2);
  }
  CHECK(files_of.analyze({"--kernel", "a", "--loop-bound", "L=6", "--loop-bound", "k.cu:3=4", "--arg", "n=9"}).status ==
        0);
}

TEST_CASE("a label of several files, and a source line of several of one name, are ambiguous") {
  const Files files_of(head + kernel("k") + files);
  files_of.write("other.ptx", head + kernel("k") + ".file 1 \"/other/k.cu\"\n");
  const auto analyze = [&](const std::string& bound) {
    return files_of.analyze({"other.ptx", "--loop-bound", "k_m=4", "--arg", "n=9", "--loop-bound", bound});
  };
  CHECK(contains(analyze("L=6").err, "--loop-bound L=6 names loops at 2 places"));
  CHECK(contains(analyze("L=6").err, "--loop-bound k_m=4 names loops at 2 places"));
  const ProgramRun lines = files_of.analyze({"other.ptx", "--arg", "n=9", "--loop-bound", "k.cu:3=6"});
  CHECK(lines.status == 2);
  CHECK(lines.out.empty());
  CHECK(contains(lines.err,
                 "--loop-bound k.cu:3=6 names loops of 2 source files\n  help: write more of the path of the "
                 "one that is meant: /other/k.cu and /src/k.cu\n"));
  CHECK(
      files_of.analyze({"other.ptx", "--arg", "n=9", "--loop-bound", "other/k.cu:3=6", "--loop-bound", "src/k.cu:3=6"})
          .status == 0);
  CHECK(files_of.analyze({"other.ptx", "--arg", "n=9", "--loop-bound", "k:k_m=4"}).status == 0);
}

TEST_CASE("functions without a body are asked for, and are no errors") {
  const std::string text = head + ".extern .func _Z3foov();\n.visible .entry k()\n{\ncall _Z3foov;\nret;\n}\n";
  const Files files_of(text);
  const ProgramRun run = files_of.run({"facts", "k.ptx"});
  CHECK(run.status == 0);
  CHECK(contains(run.out, "[kernel.calls]\n_Z3foov = 0  # foo()\n"));
  CHECK(run.err.empty());
}

TEST_CASE("facts of real code list the loops of a line together") {
  const ProgramRun run = run_warpspan({"facts", "tests/samples/facts/loops.nvcc-lineinfo.ptx", "--block", "32"});
  CHECK(run.status == 0);
  CHECK(contains(run.out,
                 "# 5 loops, unrolled, copied or of one line: the number is for each of them, and each can have "
                 "its own by its label.\n# $L__BB0_17 (line 167)"));
  CHECK(contains(run.out, "[[kernel.loop]]\nat = \"loops.cu:28\"\ntrip_count = 0\n"));
  const ProgramRun json = run_warpspan(
      {"facts", "tests/samples/facts/loops.nvcc-G.ptx", "--block", "32", "--format", "json", "--arg", "w_param_3=5"});
  CHECK(json.status == 0);
  const Json kernel_of = Json::parse(json.out).at("kernels").at(0);
  CHECK(kernel_of.at("loops").at(0).at("source_line") == 4);
  CHECK(kernel_of.at("loops").at(0).at("tests_last") == false);
  CHECK(kernel_of.at("arguments").dump() == R"([{"place":"w_param_3","value":"5"}])");
}
