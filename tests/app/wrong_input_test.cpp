// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong PTX is an error at its place, with status 3: no crash, no defect. And what ptxas accepts is read.
#include <catch2/catch.hpp>

#include "support/memory_limit.hpp"
#include "tests/app/run_program.hpp"

namespace {

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::read_file;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::write_file;

const std::string header = ".version 7.0\n.target sm_80\n.address_size 64\n";
const std::string good = header + ".visible .entry small() { ret; }\n";
const std::string bad = header + ".visible .entry k() { frobnicate; }\n";

void check_refused(const std::string& name, const std::string& error) {
  for (const char* command : {"string", "analyze"}) {
    const ProgramRun run = run_warpspan({command, "tests/samples/bad/" + name, "--block", "32"});
    INFO(name << "\n" << run.err);
    CHECK(run.status == 3);
    CHECK(run.out.empty());
    CHECK(run.err.rfind("tests/samples/bad/" + name + ":" + error, 0) == 0);
    CHECK(contains(run.err, "^\n"));
  }
}

}  // namespace

TEST_CASE("a branch to what is no label is refused at its place") {
  check_refused("branch_to_number.ptx", "7:5: error: the target of 'bra' is a label\n");
  check_refused("branch_to_register.ptx", "7:5: error: the target of 'bra' is a label\n");
  check_refused("branch_on_one_line.ptx", "4:27: error: the target of 'bra' is a label\n");
  check_refused("joined_word.ptx", "7:9: error: undeclared register '%r7ld'\n");
}

TEST_CASE("a list of targets that is cut short is refused at its place") {
  check_refused("branchtargets_empty.ptx", "4:41: error: expected a label, found ';'\n");
  check_refused("branchtargets_cut.ptx", "4:44: error: expected a label, found ';'\n");
  check_refused("calltargets_cut.ptx", "4:53: error: expected a function name, found ';'\n");
}

TEST_CASE("what ptxas accepts beyond the manual is read") {
  const ProgramRun prototype =
      run_warpspan({"string", "tests/samples/accepted/prototype_without_semicolon.ptx", "--block", "32"});
  CHECK(prototype.status == 0);
  CHECK(prototype.out == "k: C\n");
  // mov; the addition and the store; two additions; ret
  const ProgramRun offset =
      run_warpspan({"string", "tests/samples/accepted/register_plus_offset.ptx", "--block", "32"});
  CHECK(offset.status == 0);
  CHECK(offset.out == "k: C2LC3\n");
}

TEST_CASE("a byte-order mark is skipped, and columns are right") {
  const std::string mark = "\xef\xbb\xbf";
  CHECK(run_warpspan({"string", "-", "--block", "32"}, {.input = mark + good}).out == "small: C\n");
  const ProgramRun run = run_warpspan({"string", "-", "--block", "32"}, {.input = mark + "version 7.0\n"});
  CHECK(run.status == 3);
  CHECK(run.err.rfind("<stdin>:1:1: error: expected '.version'", 0) == 0);
}

TEST_CASE("control characters of names reach no terminal") {
  const TemporaryFolder folder;
  const std::string name = folder.file("\033[31mred\n\x7f.ptx");
  for (const std::string& text : {good, bad}) {
    write_file(name, text);
    for (const char* command : {"analyze", "string"}) {
      for (const char* format : {"text", "json"}) {
        const ProgramRun run = run_warpspan({command, name, name, "--block", "32", "--format", format});
        CHECK(run.status == (text == good ? 0 : 3));
        for (const char c : run.out + run.err) CHECK((c == '\n' || (c >= ' ' && c <= '~')));
      }
    }
  }
  const ProgramRun missing = run_warpspan({"analyze", "\033.ptx", "--block", "\a", "--kernel", "\b"});
  CHECK(contains(missing.err, "got '\\x07'"));
  CHECK_FALSE(contains(missing.err, "\a"));
  write_file(folder.file("m.toml"), "name = \"\\u001b\"\n");
  const ProgramRun machine = run_warpspan({"machines", folder.file("m.toml")});
  CHECK(machine.status == 2);
  CHECK(contains(machine.err, "m.toml:1:8: error: a control character in '\\x1b'\n"));
}

TEST_CASE("writing with --output keeps the old file until there is a new report") {
  const TemporaryFolder folder;
  const std::string report = folder.file("report");
  const auto analyze = [&](const std::string& text, const std::string& format) {
    write_file(folder.file("k.ptx"), text);
    write_file(report, "the last report\n");
    return run_warpspan({"analyze", folder.file("k.ptx"), "--block", "32", "--format", format, "--output", report})
        .status;
  };
  CHECK(analyze(bad, "text") == 3);
  CHECK(read_file(report) == "the last report\n");
  CHECK(analyze(good, "text") == 0);
  CHECK(contains(read_file(report), "\n  at most "));
  CHECK(analyze(bad, "json") == 3);  // the errors are the report
  CHECK(contains(read_file(report), "\"message\": \"unknown opcode 'frobnicate'\""));
  // Of several files the kernels that are bounded, and in JSON the errors of the others.
  write_file(folder.file("good.ptx"), good);
  write_file(folder.file("bad.ptx"), bad);
  const std::vector<std::string> both = {
      "analyze", folder.file("good.ptx"), folder.file("bad.ptx"), "--block", "32", "--output", report, "--format"};
  for (const std::string format : {"text", "json"}) {
    std::vector<std::string> arguments = both;
    arguments.push_back(format);
    CHECK(run_warpspan(arguments).status == 3);
    CHECK(contains(read_file(report), "small"));
    CHECK(contains(read_file(report), "frobnicate") == (format == "json"));
  }
  CHECK(folder.files() == 4);
}

// The bytes of a long kernel fit the memory, what the analysis makes of them does not.
TEST_CASE("a kernel that needs more memory is an error, and the others are reported") {
  if (warpspan::support::sanitized) return;
  std::string large = ".visible .entry large(.param .u64 p) {\n.reg .b32 %r<9>;\n.reg .pred %p<3>;\n";
  for (int i = 0; i < 40'000; ++i) {
    const std::string label = "L" + std::to_string(i);
    large += "setp.eq.u32 %p1, %r1, " + std::to_string(i) + ";\n@%p1 bra " + label + ";\nadd.u32 %r1, %r2, %r1;\n" +
             "mul.lo.u32 %r2, %r1, %r2;\n" + label + ":\n";
  }
  const ProgramRun run = run_warpspan({"analyze", "-", "--block", "32", "--memory", "64M", "--time-limit", "0"},
                                      {.input = good + large + "ret; }\n"});
  INFO(run.err);
  CHECK(run.status == 3);
  CHECK(contains(run.err, "<stdin>:5:"));
  CHECK(contains(run.err, " error: out of memory in the analysis of kernel 'large'\n  help: raise --memory"));
  CHECK(contains(run.out, "kernel small"));
  CHECK_FALSE(contains(run.out, "kernel large"));
}

TEST_CASE("the limit of --memory is a size") {
  for (const char* size : {"", "4", "G", "0G", "63M", "-1G", "1.5G", "4GX", "4g", "2048T", "99999999999999999999T"}) {
    const ProgramRun run = run_warpspan({"analyze", "a.ptx", "--memory", size});
    CHECK(run.status == 2);
    CHECK(run.err ==
          "error: --memory: expected a size from 64M to 1024T, such as 512M or 8G, got '" + std::string(size) + "'\n");
  }
  for (const char* size : {"64M", "65536K", "1G", "1T", "1GB", "64MiB"}) {
    CHECK(run_warpspan({"string", "-", "--block", "32", "--memory", size}, {.input = good}).status == 0);
  }
  CHECK(run_warpspan({"solve", "--string", "LLC", "--warps", "4", "--memory", "128M"}).status == 0);
}

TEST_CASE("text that nests without end ends in an error") {
  for (const std::string& text : {header + ".global .u8 a[1] = " + std::string(2'000'000, '{'),
                                  header + ".entry k() { mov.u32 %r1, " + std::string(2'000'000, '-') + "1; }",
                                  header + ".entry k() " + std::string(2'000'000, '{'),
                                  header + ".entry k() { call " + std::string(2'000'000, '(') + "; }"}) {
    const ProgramRun run = run_warpspan({"analyze", "-", "--block", "32"}, {.input = text});
    CHECK(run.status == 3);
    CHECK(contains(run.err, "error: "));
  }
}
