// SPDX-License-Identifier: GPL-3.0-or-later
// The program as its users meet it: exit status, standard output, standard error.
#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"

namespace {

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::read_file;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::write_file;

const std::string bad = "tests/samples/bad/";

// A kernel without a loop, for any number of threads.
const std::string copy_ptx = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to) {
	.reg .b32 %r<3>;
	.reg .b64 %rd<7>;
	ld.param.u64 %rd1, [from];
	ld.param.u64 %rd2, [to];
	cvta.to.global.u64 %rd3, %rd1;
	cvta.to.global.u64 %rd4, %rd2;
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd5, %r1, 4;
	add.s64 %rd3, %rd3, %rd5;
	add.s64 %rd4, %rd4, %rd5;
	ld.global.u32 %r2, [%rd3];
	st.global.u32 [%rd4], %r2;
	ret;
}
)";
const std::string command_names =
    "analyze, check, compare, merge, simulate, string, occupancy, rta, amalthea, list, listing, facts, solve, verify, "
    "machines, calibrate, reproduce, rerun, completion and man";
const std::string copy_string = "L2C6L2C";

ProgramRun analyze(std::vector<std::string> arguments, const warpspan::test::Surroundings& around = {}) {
  arguments.insert(arguments.begin(), {"analyze", "--block", "32"});
  return run_warpspan(arguments, around);
}

// Checks that a file is refused with this text, and nothing is reported.
void check_refused(const std::string& file, int status, const std::vector<std::string>& texts) {
  const ProgramRun run = analyze({file});
  INFO(file << "\n" << run.err);
  CHECK(run.status == status);
  CHECK(run.out.empty());
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(contains(run.err, text));
  }
}

}  // namespace

TEST_CASE("help and version are no errors") {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"--help"},
                                                                                         {"-h"},
                                                                                         {"analyze", "--help"},
                                                                                         {"check", "--help"},
                                                                                         {"string", "--help"},
                                                                                         {"solve", "--help"},
                                                                                         {"verify", "--help"},
                                                                                         {"rerun", "--help"},
                                                                                         {"help"},
                                                                                         {"help", "solve"},
                                                                                         {"machines", "--help"}}) {
    const ProgramRun run = run_warpspan(arguments);
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    CHECK(contains(run.out, "Examples:"));
    CHECK(contains(run.out, "Exit status: 0 done, 1 over budget"));
  }
  for (const char* option : {"--version", "-V"}) {
    const ProgramRun version = run_warpspan({option});
    CHECK(version.status == 0);
    CHECK(version.out == "warpspan 0.1.0\n");
    CHECK(version.err.empty());
  }
  CHECK(run_warpspan({"help", "solve"}).out == run_warpspan({"solve", "--help"}).out);
}

TEST_CASE("wrong use has status 2 and says what is right") {
  const auto check = [](const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramRun run = run_warpspan(arguments);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(run.err == message);
  };
  check({}, "error: missing command\n  help: the commands are " + command_names + "; see 'warpspan --help'\n");
  check({"analyse", "a.ptx"},
        "error: unknown command 'analyse'\n  help: did you mean 'analyze'? the commands are " + command_names + "\n");
  check({"analyze"}, "error: no file is given\n  help: give at least one file, or - for standard input\n");
  check({"analyze", "a.ptx", "--speed"}, "error: unknown option '--speed'\n  help: see 'warpspan analyze --help'\n");
  check({"analyze", "a.ptx", "--block", "0"}, "error: --block: expected X[,Y[,Z]] with numbers from 1, got '0'\n");
  check({"analyze", "a.ptx", "--arg", "n"},
        "error: --arg: expected NAME=VALUE with a decimal or hexadecimal integer, got 'n'\n");
  check({"string", "a.ptx", "--loop-bound", "L=0"},
        "error: --loop-bound: expected PLACE=N with a number from 1, got 'L=0'\n  help: a place is a label, such as "
        "0x1a0 in machine code, line:63 or "
        "kernel.cu:42, with the kernel before it if it is only for that one: --loop-bound 'KERNEL:line:63=16'; "
        "of a function that is called, with the call behind it: --loop-bound 'kernel.cu:42 from kernel.cu:9=16'\n");
}

TEST_CASE("an unknown machine is wrong use, and told once") {
  const ProgramRun run = analyze({bad + "unknown_opcode.ptx", bad + "empty.ptx", "--machine", "riva"});
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK(run.err.rfind("error: unknown machine 'riva'\n  help: known are ", 0) == 0);
  CHECK(contains(run.err, "fermi"));
  CHECK(run_warpspan({"machines", "riva"}).status == 2);
  CHECK(run_warpspan({"machines", "missing.toml"}).status == 2);
}

TEST_CASE("a file that cannot be read is wrong use") {
  check_refused("missing.ptx", 2, {"missing.ptx: error: cannot read 'missing.ptx': No such file or directory\n"});
  check_refused("scripts", 2, {"scripts: error: no .ptx file is in the folder 'scripts'\n"});
  check_refused("samples/*.cubin", 2, {"error: no file matches 'samples/*.cubin'\n"});
}

TEST_CASE("a file that is not as it should be is refused at the place") {
  check_refused(bad + "empty.ptx", 3, {"empty.ptx:1:1: error: the file holds no PTX\n"});
  check_refused(bad + "binary.ptx", 3, {"binary.ptx: error: this is a binary file of an unknown kind, and no PTX\n"});
  check_refused(bad + "truncated.ptx", 3, {"truncated.ptx:16:14: error: the body of 'truncated' is never closed\n"});
  check_refused(bad + "duplicate_label.ptx", 3,
                {"duplicate_label.ptx:18:1: error: label '$L__BB0_1' is declared twice\n  $L__BB0_1:\n  ^\n"});
  check_refused(bad + "undeclared_register.ptx", 3,
                {"undeclared_register.ptx:12:21: error: undeclared register '%r3'\n",
                 "undeclared_register.ptx:13:18: error: undeclared register '%f1'\n"});
  check_refused(bad + "unknown_label.ptx", 3, {"unknown_label.ptx:13:7: error: ", "unknown_label.ptx:15:12: error: "});
  check_refused(bad + "unknown_opcode.ptx", 3,
                {"unknown_opcode.ptx:14:2: error: unknown opcode 'frobnicate'\n",
                 "unknown_opcode.ptx:15:5: error: unknown modifier '.sideways' of 'add'\n",
                 "unknown_opcode.ptx:17:2: error: unknown opcode 'MOV'\n"});
}

TEST_CASE("a binary file sends no control codes to the terminal") {
  const ProgramRun run = analyze({bad + "binary.ptx"});
  for (const char c : run.err) CHECK((c == '\n' || (c >= ' ' && c <= '~')));
}

TEST_CASE("what cannot be bounded is refused") {
  const std::string unbounded = "tests/samples/unbounded/";
  check_refused(unbounded + "spin_lock.ptx", 3, {"spin_lock.ptx:16:2: error: no bound for the loop '$L__BB0_1'"});
  check_refused(unbounded + "recursion.ptx", 3, {"recursion.ptx:", "error: "});
  check_refused(unbounded + "indirect_call.ptx", 3, {"indirect_call.ptx:", "error: "});
  check_refused(unbounded + "mmio.ptx", 3, {"mmio.ptx:7:", "ld.mmio.relaxed.sys.global.u32", "leave .mmio out"});
  check_refused(unbounded + "mmio.sm_90.cubin", 3,
                {"mmio.sm_90.cubin", "no figures for 'LDG'", ".mmio is for devices"});
}

TEST_CASE("a kernel whose block is not known is refused") {
  const ProgramRun run = run_warpspan({"analyze", "-"}, {.input = copy_ptx});
  CHECK(run.status == 3);
  CHECK(run.out.empty());
  CHECK(contains(run.err, "<stdin>:4:"));
  CHECK(contains(run.err, "error: the block of kernel 'copy' is not known\n"));
  CHECK(contains(run.err, "  help: give --block X[,Y[,Z]], or compile with __launch_bounds__\n"));
}

TEST_CASE("extreme files are refused without a crash") {
  const TemporaryFolder folder;
  const std::string head = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n";
  write_file(folder.file("line.ptx"), head + "{\n\tmov.u32 " + std::string(1'000'000, 'x') + ";\n}\n");
  write_file(folder.file("braces.ptx"), head + std::string(100'000, '{'));
  write_file(folder.file("parentheses.ptx"), head + "{\n\tmov.u32 %r1, " + std::string(100'000, '(') + "1;\n}\n");
  write_file(folder.file("digits.ptx"), head + "{\n\tmov.u32 %r1, " + std::string(1'000'000, '9') + ";\n}\n");
  write_file(folder.file("zeros.ptx"), std::string(1'000'000, '\0'));
  for (const char* name : {"line.ptx", "braces.ptx", "parentheses.ptx", "digits.ptx", "zeros.ptx"}) {
    const ProgramRun run = analyze({folder.file(name)});
    INFO(name << "\n" << run.err.substr(0, 1000));
    CHECK(run.status == 3);
    CHECK(run.out.empty());
    CHECK(contains(run.err, "error: "));
    CHECK(run.err.size() < 100'000);
  }
}

TEST_CASE("a bad file does not keep the others from being reported") {
  const TemporaryFolder folder;
  write_file(folder.file("copy.ptx"), copy_ptx);
  const ProgramRun run = analyze({"missing.ptx", bad + "unknown_opcode.ptx", folder.file("copy.ptx")});
  CHECK(run.status == 3);
  CHECK(run.out.rfind("kernel copy (" + folder.file("copy.ptx") + "), block 32, ", 0) == 0);
  CHECK(contains(run.err, "missing.ptx: error: cannot read"));
  CHECK(contains(run.err, "unknown_opcode.ptx:14:2: error: unknown opcode 'frobnicate'"));

  const ProgramRun missing = analyze({folder.file("copy.ptx"), "missing.ptx"});
  CHECK(missing.status == 2);
  CHECK(contains(missing.out, "\n  at most "));

  const ProgramRun string = run_warpspan({"string", "--block", "32", bad + "empty.ptx", folder.file("copy.ptx")});
  CHECK(string.status == 3);
  CHECK(string.out == folder.file("copy.ptx") + ":copy: " + copy_string + "\n");
}

TEST_CASE("code is cold unless it is granted to be warm") {
  const TemporaryFolder folder;
  write_file(folder.file("copy.ptx"), copy_ptx);
  const ProgramRun cold = analyze({folder.file("copy.ptx"), "--explain"});
  CHECK(cold.status == 0);
  CHECK(contains(cold.out, "\n    fetching code "));
  CHECK(contains(cold.out, "Instruction caches hold only code of this kernel"));
  const ProgramRun warm = analyze({folder.file("copy.ptx"), "--assume", "warm-code", "--explain"});
  CHECK(warm.status == 0);
  CHECK_FALSE(contains(warm.out, "fetching code"));
  CHECK(contains(warm.out, "(--assume"));
  // The code fits: nothing is to be kept, so nothing is told.
  CHECK(analyze({folder.file("copy.ptx"), "--assume", "keeps-code", "--explain"}).out == cold.out);
}

TEST_CASE("a kernel with an error has no number, and the file's other kernels have") {
  const std::string endless = R"(.visible .entry wait(.param .u64 flag) {
	.reg .pred %p<2>;
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [flag];
again:
	ld.global.u32 %r1, [%rd1];
	setp.eq.s32 %p1, %r1, 0;
	@%p1 bra again;
	ret;
}
)";
  const ProgramRun run = analyze({"-"}, {.input = copy_ptx + endless});
  INFO(run.err);
  CHECK(run.status == 3);
  CHECK(contains(run.out, "kernel copy (<stdin>), block 32, "));
  CHECK_FALSE(contains(run.out, "kernel wait"));
  CHECK(contains(run.err, "error: no bound for the loop 'again' of kernel 'wait'"));

  const ProgramRun bounded = analyze({"-", "--loop-bound", "again=5", "--explain"}, {.input = copy_ptx + endless});
  INFO(bounded.err);
  CHECK(bounded.status == 0);
  CHECK(contains(bounded.out, "kernel wait (<stdin>)\n"));
  CHECK(contains(bounded.out, "again"));
  CHECK(contains(bounded.out, "user"));

  const ProgramRun one = analyze({"-", "--kernel", "copy"}, {.input = copy_ptx + endless});
  CHECK(one.status == 0);
  CHECK(contains(one.out, "kernel copy"));
  CHECK_FALSE(contains(one.out, "kernel wait"));
}

TEST_CASE("what fits no kernel is wrong use") {
  const auto check = [](const std::vector<std::string>& arguments, const std::string& message) {
    std::vector<std::string> all = {"-"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ProgramRun run = analyze(all, {.input = copy_ptx});
    INFO(run.err);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, message));
  };
  check({"--kernel", "move"}, "the file has no kernel 'move'");
  check({"--arg", "n=5"}, "kernel 'copy' has no parameter 'n'");
  check({"--buffer", "n=5"}, "--buffer: kernel 'copy' has no parameter 'n'");
  check({"--loop-bound", "L=5"}, "--loop-bound L=5 names no loop");
}

TEST_CASE("standard input is read once the file is -") {
  const ProgramRun text = analyze({"-"}, {.input = copy_ptx});
  CHECK(text.status == 0);
  CHECK(text.err.empty());
  CHECK(text.out.rfind("kernel copy (<stdin>), block 32, ", 0) == 0);
  const ProgramRun string = run_warpspan({"string", "-", "--block", "32"}, {.input = copy_ptx});
  CHECK(string.status == 0);
  CHECK(string.err.empty());
  CHECK(string.out == "copy: " + copy_string + "\n");
}

TEST_CASE("the option --output writes the whole report to a file and nothing else") {
  const TemporaryFolder folder;
  const ProgramRun printed = analyze({"-"}, {.input = copy_ptx});
  const ProgramRun run = analyze({"-", "--output", folder.file("report.txt")}, {.input = copy_ptx});
  CHECK(run.status == 0);
  CHECK(run.out.empty());
  CHECK(run.err.empty());
  CHECK(read_file(folder.file("report.txt")) == printed.out);
  CHECK(folder.files() == 1);
}

TEST_CASE("a report that cannot be written is an error") {
  const TemporaryFolder folder;
  const std::string path = folder.file("missing/report.txt");
  const ProgramRun run = analyze({"-", "--output", path}, {.input = copy_ptx});
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK(contains(run.err, "error: cannot write '" + path + "': No such file or directory\n"));
  CHECK(folder.files() == 0);

  const ProgramRun full = analyze({"-"}, {.input = copy_ptx, .output_file = "/dev/full"});
  CHECK(full.status == 2);
  CHECK(full.err == "error: cannot write the report to standard output: No space left on device\n");
}

TEST_CASE("machines are listed, and shown with the standing and source of every figure") {
  const ProgramRun list = run_warpspan({"machines"});
  CHECK(list.status == 0);
  CHECK(list.err.empty());
  CHECK(list.out.rfind("name", 0) == 0);
  CHECK(contains(list.out, "\nfermi "));
  CHECK(contains(list.out, "sm_20"));

  const ProgramRun fermi = run_warpspan({"machines", "fermi"});
  CHECK(fermi.status == 0);
  CHECK(fermi.err.empty());
  for (const char* part : {"fermi: ", "schedulers", "multiprocessors", "\nload.global ", "measured", "\nsources\n"}) {
    INFO(part);
    CHECK(contains(fermi.out, part));
  }
}

TEST_CASE("a loop bound below what the loop is known to do is refused") {
  const auto saxpy = [](const std::string& bound, const std::string& n) {
    return run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", "4", "--time-limit", "0", "--arg",
                         "3=" + n, "--loop-bound", "$L__BB0_2=" + bound});
  };
  const ProgramRun refused = saxpy("1", "4096");
  CHECK(refused.status == 3);
  CHECK(refused.out.empty());
  CHECK(refused.err ==
        "samples/saxpy.ptx:42:2: error: --loop-bound '$L__BB0_2=1' cannot be true: the loop '$L__BB0_2' of kernel "
        "'saxpy' "
        "runs 4 times where it is entered\n   add.s64  %rd9, %rd2, %rd11;\n   ^\n  help: leave the option out: the "
        "loop's bound is known\n");
  // Of 3,000 elements, 1,024 threads take two or three each.
  const ProgramRun between = saxpy("1", "3000");
  CHECK(between.status == 3);
  CHECK(contains(between.err, "runs at least 2 times where it is entered"));
  CHECK(contains(between.err, "help: leave the option out, or give at least 2\n"));
}

TEST_CASE("a loop bound is an assumption of the result where nothing smaller is proven") {
  const auto saxpy = [](const std::string& bound) {
    const ProgramRun run =
        run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", "4", "--time-limit", "0", "--arg",
                      "3=3000", "--loop-bound", "$L__BB0_2=" + bound, "--explain"});
    CHECK(run.status == 0);
    return run.out;
  };
  CHECK(contains(saxpy("2"), "$L__BB0_2    42           2  user\n"));
  CHECK(contains(saxpy("2"),
                 "The loop at '$L__BB0_2' (line 42) runs at most 2 times each time it is entered\n"
                 "       (--loop-bound). [pipeline]\n"));
  for (const char* bound : {"3", "4"}) {
    const std::string given = bound == std::string("4") ? " (given 4)" : "";
    CHECK(contains(saxpy(bound), "$L__BB0_2    42           3  scalar-evolution" + given + "\n"));
    CHECK_FALSE(contains(saxpy(bound), "(--loop-bound)"));
  }
}

TEST_CASE("folders and patterns stand for their files") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("more"));
  for (const char* name : {"b.ptx", "more/a.ptx", "c.txt"}) write_file(folder.file(name), copy_ptx);
  const auto files_of = [&folder](const std::string& word) {
    const ProgramRun run = run_warpspan({"string", word, "b.ptx", "--block", "32"}, {.folder = folder.path()});
    CHECK(run.status == 0);
    return run.out;
  };
  const std::string line = ":copy: " + copy_string + "\n";
  CHECK(files_of(".") == "./b.ptx" + line + "./more/a.ptx" + line + "b.ptx" + line);
  CHECK(files_of("*/*.ptx") == "more/a.ptx" + line + "b.ptx" + line);
  CHECK(files_of("b.ptx") == "copy: " + copy_string + "\n");
}
