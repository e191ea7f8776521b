// SPDX-License-Identifier: GPL-3.0-or-later
// What the program says to users who do what many do first: each message names the mistake and what to write instead.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/app/run_program.hpp"

namespace {

using namespace warpspan::test;

const std::string sample = "samples/saxpy.ptx";

std::string errors_of(std::vector<std::string> words) {
  const ProgramRun run = run_warpspan(words);
  INFO(run.out);
  CHECK((run.status == 2 || run.status == 3));
  return run.err;
}

// The report of check on these budgets, beside which the sample is.
ProgramRun check(const std::string& budgets, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  write_file(folder.file("budgets.toml"), budgets);
  std::vector<std::string> words = {"check", sample, "--budgets", folder.file("budgets.toml")};
  words.insert(words.end(), more.begin(), more.end());
  return run_warpspan(words);
}

const std::string budget = "[[budget]]\nkernel = \"saxpy\"\nblock = 256\ngrid = 4\n";

}  // namespace

TEST_CASE("a budget with an argument that no parameter has tells those that there are, by number and type") {
  const ProgramRun run = check(budget + "args = { width = 1920 }\nmax = \"1 ms\"\n");
  CHECK(run.status != 0);
  CHECK(contains(run.err, "budgets.toml:5:18: error: kernel 'saxpy' has no parameter 'width'\n"));
  CHECK(
      contains(run.err, "help: it has 0: f32, 1: u64, 2: u64, 3: u32; give one by its number: args = { 3 = 1920 }\n"));
}

TEST_CASE("machine code is read, whatever its file is called") {
  const TemporaryFolder folder;
  for (const char* name : {"v1.cubin", "kernel.ptx", "kernel"}) {
    write_file(folder.file(name), read_file(source_dir() + "/tests/frontend/object/data/saxpy.o"));
    const ProgramRun run = run_warpspan({"analyze", folder.file(name), "--block", "64"});
    INFO(name << run.err);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "kernel saxpy ("));
  }
}

TEST_CASE("boards are found by parts of their names, and none is taken for another") {
  for (const auto& [board, machine] : {std::pair("H100", "hopper"),
                                       {"V100", "volta"},
                                       {"AGX Orin", "orin"},
                                       {"a100", "ampere"},
                                       {"rtx4090", "ada"},
                                       {"jetson-agx-orin", "orin"}}) {
    INFO(board);
    CHECK(run_warpspan({"machines", board}).out.starts_with(std::string(machine) + ": "));
  }
  for (const char* board : {"H200", "B100", "A10", "sm_91"}) {
    const std::string error = errors_of({"analyze", sample, "--block", "32", "--machine", board});
    INFO(error);
    CHECK(contains(error, "unknown machine '" + std::string(board) + "'\n  help: known are ada, "));
    CHECK(contains(error, "'warpspan machines' has their boards"));
  }
  CHECK(contains(errors_of({"analyze", sample, "--block", "32", "--machine", "hoper"}), "did you mean 'hopper'?"));
}

TEST_CASE("a budgets file that is missing can be made by pasting what the error says") {
  const TemporaryFolder folder;
  write_file(folder.file("k l.ptx"), read_file(source_dir() + "/samples/transpose.ptx"));
  Surroundings around;
  around.folder = folder.path();
  for (const std::vector<std::string>& files : {std::vector<std::string>{"k l.ptx"}, {}}) {
    std::filesystem::remove(folder.file("my budgets.toml"));
    std::vector<std::string> words = {"check", "--budgets", "my budgets.toml"};
    words.insert(words.end(), files.begin(), files.end());
    const ProgramRun missing = run_warpspan(words, around);
    INFO(missing.err);
    CHECK(missing.status == 2);
    const std::string sign = "written into it: ";
    const size_t at = missing.err.find(sign);
    REQUIRE(at != std::string::npos);
    std::string commands = missing.err.substr(at + sign.size());
    commands = commands.substr(0, commands.find('\n'));
    const size_t name = commands.find("warpspan check");
    REQUIRE(name != std::string::npos);
    commands.replace(name, std::string("warpspan").size(), "'" + program() + "'");
    INFO(commands);
    CHECK(std::system(("cd '" + folder.path() + "' && { " + commands + "; } >/dev/null 2>&1").c_str()) == 0);
    CHECK(contains(read_file(folder.file("my budgets.toml")), "max = \""));
    CHECK_FALSE(contains(read_file(folder.file("my budgets.toml")), "kernel = \"*\""));
    CHECK(run_warpspan(words, around).status == 0);
  }
  CHECK_FALSE(contains(errors_of({"check", sample, "--budgets", "samples"}), "printf"));
}

TEST_CASE("a command that is missing, and an option of one letter, are guessed") {
  CHECK(contains(errors_of({sample}),
                 "error: 'samples/saxpy.ptx' is no command\n  help: a command comes first: "
                 "warpspan analyze samples/saxpy.ptx --block 256"));
  CHECK(contains(errors_of({"analyze", sample, "-b", "256"}), "did you mean '--block'?"));
}

TEST_CASE("a budgets file that is wrong tells what to write") {
  for (const char* text : {"[[budget]]\nkernel = saxpy\n", "[[budget]]\nkernel = \"saxpy\"\nmax = 25ms\n"}) {
    CHECK(contains(check(text).err, "help: texts stand in quotes: key = \"text\""));
  }
  CHECK(contains(check(std::string("\177ELF\0\1", 6)).err,
                 "budgets.toml: error: not a TOML file: it is an ELF file, as machine code is\n"));
  CHECK(
      contains(check("//\n.version 8.0\n.target sm_80\n").err,
               "budgets.toml: error: not a TOML file: it is PTX\n  help: 'warpspan analyze FILE' bounds its kernels"));
  CHECK(
      contains(check("[budget]\nkernel = \"saxpy\"\n").err, "help: write [[budget]], with two brackets on each side"));
  CHECK(
      contains(check(budget + "args = { 3 = 4 }\nbuffers = { n = 4096 }\nmax = \"1 s\"\n").err,
               "help: its parameters are 0: f32, 1: u64, 2: u64, 3: u32; give one by its number, as --buffer 1=BYTES"));
  CHECK(contains(check(budget + "file = \"none/*.ptx\"\nmax = \"1 s\"\n").err, "none/*.ptx'\n"));
  CHECK_FALSE(contains(check(budget + "file = \"none/*.ptx\"\nmax = \"1 s\"\n").err, "cannot read all folders"));
}

TEST_CASE("what other commands have as options is told to be a key of budgets") {
  const auto told = [](const std::string& option) {
    return errors_of({"check", sample, "--budgets", "samples/budgets.toml", option, "1"});
  };
  CHECK(contains(told("--machine"),
                 "unknown option '--machine'\n  help: each entry of the budgets file has it, as the "
                 "key 'machine': machine = \"A100\"; docs/gate.md has all keys"));
  CHECK(contains(told("--block"), "as the key 'block': block = 256"));
  CHECK(contains(told("--loop-bound"), "as the key 'loop_bounds'; docs/gate.md has all keys"));
  CHECK(contains(told("--bloc"), "see 'warpspan check --help'"));
}

TEST_CASE("CUDA source is to be compiled, with the command for it") {
  CHECK(contains(errors_of({"analyze", "samples/saxpy.cu", "--block", "256"}),
                 "help: this is CUDA source, compile it: nvcc -ptx -lineinfo samples/saxpy.cu\n"));
}

TEST_CASE("a folder without PTX tells how the code in it is named") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("lib"));
  write_file(folder.file("lib/b.so"), "");
  write_file(folder.file("lib/a.so"), "");
  write_file(folder.file("note.txt"), "");
  CHECK(contains(errors_of({"analyze", folder.path(), "--block", "256"}),
                 "help: a folder stands for the .ptx files in it; name others, as " + folder.file("lib/a.so") +
                     ", or a pattern: '" + folder.file("lib/*.so") + "'\n"));
}

TEST_CASE("code of another GPU is told without --explain") {
  const TemporaryFolder folder;
  const std::string other = "PTX for sm_90 does not run on devices of sm_72: what is bounded is the same code for them";
  std::string ptx = read_file(source_dir() + "/samples/saxpy.ptx");
  ptx.replace(ptx.find(".version 4.2"), 12, ".version 8.0");
  ptx.replace(ptx.find(".target sm_20"), 13, ".target sm_90");
  write_file(folder.file("k.ptx"), ptx);
  const std::string launch = "kernel = \"saxpy\"\nblock = 256\ngrid = 4\nargs = { 3 = 1000 }\n";
  write_file(folder.file("b.toml"), "[[budget]]\n" + launch + "machine = \"xavier\"\nmax = \"1 s\"\n");
  const auto gate = run_warpspan({"check", folder.file("k.ptx"), "--budgets", folder.file("b.toml")});
  CHECK(gate.status == 0);
  CHECK(contains(gate.err, "warning: " + other + "\n"));
  write_file(
      folder.file("t.toml"),
      "[gpu]\nmachine = \"xavier\"\n[[task]]\nname = \"t\"\nstream = 1\nperiod = \"1 s\"\nwork = [{ file = \"k.ptx\", "
      "kernel = \"saxpy\", block = 256, grid = 4, args = { 3 = 1000 } }]\n");
  const auto tasks = run_warpspan({"rta", folder.file("t.toml")});
  CHECK(contains(tasks.out, "\n  - saxpy: PTX for sm_90 does not run on devices of sm_72: what"));
}

TEST_CASE("a block is read as it is printed, and a grid that is too large tells the largest") {
  const std::vector<std::string> words = {"analyze", "samples/matmul_tiled.ptx", "--arg", "3=64", "--block"};
  const auto with = [&words](const std::string& block) {
    std::vector<std::string> all = words;
    all.push_back(block);
    return run_warpspan(all);
  };
  CHECK(with("16x16").status == 0);
  CHECK(with("16x16").out == with("16,16").out);
  CHECK(contains(with("16x16").out, ", block 16x16, "));
  CHECK(contains(errors_of({"analyze", sample, "--block", "256", "--grid", "5000000000"}),
                 "--grid: 5,000,000,000 is above the largest grid, 2,147,483,647\n"));
}

TEST_CASE("a label that the shell has replaced is guessed") {
  CHECK(contains(errors_of({"analyze", sample, "--block", "32", "--loop-bound", "=5"}),
                 "help: labels begin with $, which the shell replaces: --loop-bound '$L__BB0_3=16'"));
}

TEST_CASE("headroom above twice the budget is a factor, and a limit without a log is not known for want of a log") {
  const ProgramRun over = check(budget + "args = { 3 = 1000 }\nmax = \"1 us\"\n");
  CHECK(over.status == 1);
  CHECK(contains(over.out, " times the budget"));
  CHECK_FALSE(contains(over.out, "-7,"));
  const ProgramRun unknown = check(budget + "args = { 3 = 1000 }\nmax = \"1 s\"\nmax_registers = 20\n");
  CHECK(unknown.status == 2);
  CHECK(contains(unknown.out, "unknown"));
  CHECK(contains(unknown.out, "registers 20  no log"));
  CHECK_FALSE(contains(unknown.out, "unbounded"));
}

TEST_CASE("atomics of all blocks at one place are one advice, in cycles of each block") {
  const std::string count =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry count(.param .u64 to) {\n"
      " .reg .pred %p<2>; .reg .b64 %rd<2>; .reg .b32 %r<3>;\n ld.param.u64 %rd1, [to];\n mov.u32 %r2, %tid.x;\n"
      " setp.ne.s32 %p1, %r2, 0;\n @%p1 bra done;\n atom.global.add.u32 %r1, [%rd1], 1;\ndone:\n ret;\n}\n";
  const ProgramRun run = run_warpspan({"analyze", "-", "--block", "256", "--grid", "8160"}, {.input = count});
  INFO(run.out);
  CHECK(run.status == 0);
  CHECK(contains(run.out,
                 "  advice    <stdin>:10 one atom.global.add.u32 of a warp in each block, one block after "
                 "another:\n            8,160 x 12,160 cycles: 0.16 of the bound"));
  CHECK_FALSE(contains(run.out, "more with --explain"));
  CHECK_FALSE(contains(run.out, "some warps"));
}

TEST_CASE("code on a GPU that cannot run it is said first, for one kernel and for several") {
  const ProgramRun one = run_warpspan({"analyze", "samples/saxpy.nvcc-sm_80.ptx", "--block", "128", "--grid", "3",
                                       "--arg", "3=1000", "--machine", "turing"});
  INFO(one.out << one.err);
  const std::string caution =
      "  beware    PTX for sm_80 does not run on devices of sm_75: what is bounded is the same code";
  CHECK(contains(one.out, "MHz)\n" + caution));
  const ProgramRun several = run_warpspan({"analyze", "tests/frontend/object/data/kernels.sm_90.cubin", "--block",
                                           "128", "--grid", "4", "--machine", "ampere"});
  CHECK(contains(several.out, "MHz)\n  beware    Machine code for sm_90 does not run on devices of sm_80:"));
}

TEST_CASE("what several kernels lack is one error, and a table has those that are bounded") {
  const std::string error = errors_of({"analyze", "samples/validation/stream.ptx"});
  CHECK(contains(error, "error: the block of kernel 'copy_one' is not known\n"));
  CHECK(contains(error, "  the same: samples/validation/stream.ptx:43 'mul_one', "));
  CHECK(error.find("error: ") == error.rfind("error: "));
  const ProgramRun some =
      run_warpspan({"analyze", "samples/saxpy.ptx", "samples/transpose.ptx", "--block", "32,8", "--grid", "4"});
  CHECK(some.status == 3);
  CHECK(contains(some.out, "no bound  saxpy.ptx:42, see below\n"));
  CHECK(contains(some.out, "bounded   "));
}
