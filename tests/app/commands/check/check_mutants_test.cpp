// SPDX-License-Identifier: GPL-3.0-or-later
// Every way to pass the gate wrongly is one that fails, in every format: the gate's contract.
#include "support/memory_limit.hpp"
#include "tests/app/commands/check_gate.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspan::test;

// What 'ptxas -v' prints of the kernel, with these figures.
std::string log_of(const std::string& target, int registers, int spills) {
  return "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'spmv' for '" + target +
         "'\nptxas info    : Function properties for spmv\n    0 bytes stack frame, " + std::to_string(spills) +
         " bytes spill stores, " + std::to_string(spills) + " bytes spill loads\nptxas info    : Used " +
         std::to_string(registers) + " registers, used 0 barriers, 392 bytes cmem[0]\n";
}

// Wrong texts of a budgets file, each for the line that it replaces.
struct WrongText {
  std::string old, text, reason;
};

}  // namespace

TEST_CASE("the gate that the mutants are made of holds") {
  const Gate gate;
  gate.check_passes();
  gate.check_passes({"--fail-on-unused"});
  gate.check_passes({"--ratchet", "0%"});
}

TEST_CASE("mutants: what grew is over its budget") {
  const Gate gate;
  gate.replace("budgets.toml", "= 64", "= 65");
  gate.check_fails(1, "over");
  gate.replace("budgets.toml", "= 65", "= 128");
  gate.check_fails(1, "over");
  const Gate code;
  code.replace("k.ptx", "\tld.global.f32 \t%f7", "\tld.global.f32 \t%f6, [%rd23];\n\tld.global.f32 \t%f7");
  code.check_fails(1, "over");
  const Gate launch;
  launch.replace("budgets.toml", "block = 128", "block = 160");
  launch.check_fails(1, "over");
  const Gate machine;
  machine.replace("budgets.toml", "ampere", "turing");
  machine.check_fails(1, "over");
  const Gate budget;
  budget.replace("budgets.toml", "max = \"", "max = \"1 cycle\" # ");
  budget.check_fails(1, "over");
}

TEST_CASE("mutants: one that is over among others that hold") {
  const Gate gate;
  gate.append("budgets.toml",
              "[[budget]]\nkernel = \"sp*\"\nfile = \"k.ptx\"\nblock = 128\n"
              "loop_bounds = { \"$L__BB0_3\" = 64 }\nmachine = \"ampere\"\nmax = \"1 ns\"\n");
  gate.check_fails(1, "over");
}

TEST_CASE("mutants: files that cannot be read") {
  const Gate gone;
  gone.remove("k.ptx");
  gone.check_fails(2, "No such file or directory");
  const Gate folder;
  folder.remove("k.ptx");
  std::filesystem::create_directory(folder.path("k.ptx"));
  folder.check_fails(2, "no .ptx file is in the folder");
  const Gate empty;
  empty.write("k.ptx", "");
  empty.check_fails(3, "the file holds no PTX");
  const Gate cut;
  cut.write("k.ptx", cut.read("k.ptx").substr(0, 900));
  cut.check_fails(3, "expected");
  const Gate none;
  none.remove("budgets.toml");
  none.check_fails(2, "No such file or directory");
  const Gate log;
  log.check_fails(2, "No such file or directory", {"--ptxas-log", "no.log"});
  const Gate facts;
  facts.append("budgets.toml", "facts = \"no.toml\"\n");
  facts.check_fails(2, "No such file or directory");
  const Gate machine;
  machine.replace("budgets.toml", "ampere", "no.toml");
  machine.check_fails(2, "No such file or directory");
}

TEST_CASE("mutants: entries that name nothing") {
  const Gate renamed;
  renamed.replace("k.ptx", ".entry spmv(", ".entry other(");
  renamed.check_fails(2, "the budget names no kernel");
  const Gate unmatched;
  unmatched.replace("budgets.toml", "\"spmv\"", "\"spmv_*\"");
  unmatched.check_fails(2, "the budget names no kernel");
  const Gate no_file;
  no_file.replace("budgets.toml", "k.ptx", "*.none");
  no_file.check_fails(2, "no file matches");
  const Gate nowhere;
  nowhere.replace("budgets.toml", "file =", "#");
  nowhere.check_fails(2, "no file is given");
  const Gate not_asked;
  not_asked.write("other.ptx", not_asked.read("k.ptx"));
  not_asked.check_fails(2, "no budget is for the files of the command line", {"other.ptx"});
  const Gate unused;
  unused.append("k.ptx", ".visible .entry more() { ret; }\n");
  unused.check_passes();
  unused.check_fails(2, "no budget is for kernel", {"--fail-on-unused"});
}

TEST_CASE("mutants: a name that became ambiguous") {
  const Gate gate;
  const std::string both =
      ".version 7.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry _Z3runi() { ret; }\n.visible .entry _Z3runf() { ret; }\n";
  gate.write("both.ptx", both);
  gate.append("budgets.toml", "[[budget]]\nkernel = \"run\"\nfile = \"both.ptx\"\nblock = 32\nmax = \"1 s\"\n");
  gate.check_fails(2, "is the name of 2 kernels");
  gate.replace("budgets.toml", "\"run\"", "\"run(int)\"");
  gate.check_passes();
  gate.check_fails(2, "no budget is for kernel", {"--fail-on-unused"});
  gate.replace("budgets.toml", "\"run(int)\"", "\"run*\"");
  gate.check_passes({"--fail-on-unused"});
}

TEST_CASE("mutants: kernels that cannot be bounded") {
  const Gate loop;
  loop.replace("budgets.toml", "loop_bounds", "# loop_bounds");
  loop.check_fails(3, "no bound for the loop");
  const Gate block;
  block.replace("budgets.toml", "block", "# block");
  block.check_fails(3, "is not known");
  const Gate opcode;
  opcode.replace("k.ptx", "\tret;", "\tfrobnicate;\n\tret;");
  opcode.check_fails(3, "unknown opcode");
  const Gate too_large;
  too_large.replace("budgets.toml", "= 64", "= 9223372036854775807");
  too_large.check_fails(3, "64 bits");
  const Gate block_too_large;
  block_too_large.replace("budgets.toml", "block = 128", "block = 2048");
  block_too_large.check_fails(2, "at most 1024 threads");
}

TEST_CASE("mutants: facts that are contradicted or for other code") {
  const Gate gate;
  gate.write("fir.ptx", read_file(warpspan::test::source_dir() + "/samples/fir_constant.ptx"));
  gate.append("budgets.toml",
              "[[budget]]\nkernel = \"fir_constant\"\nfile = \"fir.ptx\"\nmax = \"1 s\"\n"
              "loop_bounds = { \"$L__BB0_4\" = 1 }\n");
  gate.check_fails(3, "cannot be true");
  const Gate other;
  other.write("facts.toml", "[[kernel]]\nname = \"spmv\"\nsha256 = \"" + std::string(64, '0') + "\"\n");
  other.append("budgets.toml", "facts = \"facts.toml\"\n");
  other.check_fails(3, "is not the code that these facts were written for");
  const Gate code;
  code.write("ptxas.log", log_of("sm_80", 40, 0));
  code.append("budgets.toml", "registers = 32\n");
  code.check_fails(2, "has 40 registers by", {"--ptxas-log", "ptxas.log"});
}

TEST_CASE("mutants: logs of the assembler") {
  const Gate gate;
  gate.append("budgets.toml", "max_registers = 32\nmax_spill = 0\n");
  gate.check_fails(2, "no log tells max_registers");
  gate.write("ptxas.log", log_of("sm_80", 32, 0));
  REQUIRE(gate.run({"--update", "--ptxas-log", "ptxas.log"}).status == 0);
  gate.check_passes({"--ptxas-log", "ptxas.log"});
  const auto check = [&gate](const std::string& log, int status, const std::string& reason) {
    gate.write("ptxas.log", log);
    gate.check_fails(status, reason, {"--ptxas-log", "ptxas.log"});
  };
  check(log_of("sm_80", 33, 0), 1, "over");
  check(log_of("sm_80", 32, 0) + log_of("sm_80", 33, 0), 1, "over");  // the larger counts
  check(log_of("sm_80", 32, 8), 3, "spills registers: 16 bytes");
  check(log_of("sm_80", 32, 0) + log_of("sm_80", 32, 4), 3, "spills registers: 8 bytes");
  check(log_of("sm_86", 32, 0), 2, "it was compiled for sm_86");
  check("", 2, "the log names no kernel");
  check("ninja: no work to do.\n", 2, "the log names no kernel");
  check(log_of("sm_80", 32, 0).substr(0, 150), 2, "has no line");
  gate.write("good.log", log_of("sm_80", 32, 0));
  gate.write("ptxas.log", log_of("sm_80", 40, 0));
  gate.check_fails(1, "over", {"--ptxas-log", "good.log", "--ptxas-log", "ptxas.log"});
}

TEST_CASE("mutants: a bound for the most registers of several logs") {
  // The bound for 40 registers is below the one for 32.
  const Gate gate;
  gate.write("k.ptx", read_file(warpspan::test::source_dir() + "/samples/saxpy.ptx"));
  gate.write("budgets.toml",
             "[[budget]]\nkernel = \"saxpy\"\nfile = \"k.ptx\"\nmachine = \"ampere\"\nblock = 512\ngrid = 512\n"
             "args = { 3 = 100000 }\nmax = \"1 s\"\n");
  const auto log_with = [](int registers) {
    std::string log = log_of("sm_80", registers, 0);
    for (size_t at = log.find("spmv"); at != std::string::npos; at = log.find("spmv")) log.replace(at, 4, "saxpy");
    return log;
  };
  const auto bound_with = [&gate](const std::string& log) {
    gate.write("ptxas.log", log);
    const auto run = gate.run({"--ptxas-log", "ptxas.log", "--format", "json"});
    REQUIRE(run.status == 0);
    return nlohmann::json::parse(run.out).at("results")[0].at("limits")[0].at("value").get<int64_t>();
  };
  const int64_t few = bound_with(log_with(32)), many = bound_with(log_with(40));
  CHECK(many < few);
  CHECK(bound_with(log_with(32) + log_with(40)) >= few);
  gate.append("budgets.toml", "registers = 40\n");
  gate.check_fails(2, "has 32 to 40 registers by", {"--ptxas-log", "ptxas.log"});
}

TEST_CASE("mutants: spills count where the budget does not name them") {
  const Gate gate;
  gate.write("ptxas.log", log_of("sm_80", 32, 4));
  gate.check_fails(3, "spills registers: 8 bytes", {"--ptxas-log", "ptxas.log"});
  gate.append("budgets.toml", "assume = [\"no-spills\"]\n");
  gate.check_fails(3, "spills registers: 8 bytes", {"--ptxas-log", "ptxas.log"});
}

TEST_CASE("mutants: budgets files that are wrong") {
  const std::vector<WrongText> texts = {{"[[budget]]", "[budget]", "must be an array of tables"},
                                        {"[[budget]]", "[[budgets]]", "unknown key"},
                                        {"max = ", "maks = ", "unknown key"},
                                        {"max = ", "max = \"2 us\"\nmax = ", "not a TOML file"},
                                        {"max = ", "# max = ", "limits nothing"},
                                        {"max = \"", "max = \"0 cycles\" # ", "no kernel ends within"},
                                        {"max = \"", "max = \"0.000 us\" # ", "no kernel ends within"},
                                        {"max = \"", "max = \"nan us\" # ", "is no time"},
                                        {"max = \"", "max = \"inf us\" # ", "is no time"},
                                        {"max = \"", "max = \"-5 us\" # ", "is no time"},
                                        {"max = \"", "max = \"1e9 us\" # ", "is no time"},
                                        {"max = \"", "max = \"0x10 us\" # ", "is no time"},
                                        {"max = \"", "max = \"5 %\" # ", "is no time"},
                                        {"max = \"", "max = \"5 minutes\" # ", "is no time"},
                                        {"max = \"", "max = \"99999999999999999999 us\" # ", "is no time"},
                                        {"max = \"", "max = \"1.5 cycles\" # ", "is no whole number of cycles"},
                                        {"max = \"", "max = \"2000000\" # ", "has no unit"},
                                        {"max = \"", "max = 2000000 # ", "has no unit"},
                                        {"max = \"", "max = nan # ", "must be a text"},
                                        {"max = \"", "max = true # ", "must be a text"},
                                        {"max = \"", "max = \"\" # ", "is no time"},
                                        {"max = \"", "max = \"9000000000000000000 s\" # ", "exceeds 2^63 - 1 cycles"},
                                        {"max = \"", "max_registers = -1 # ", "must be between"},
                                        {"max = \"", "max_registers = 1.5 # ", "must be an integer"},
                                        {"max = \"", "launches = [] # ", "must be an array of tables"},
                                        {"max = \"", "model = \"string\" # ", "does not bound the time of a kernel"},
                                        {"\"ampere\"", "\"amper\"", "unknown machine"},
                                        {"\"ampere\"", "\"\"", "must not be empty"},
                                        {"\"spmv\"", "\"\"", "must not be empty"},
                                        {"kernel = ", "# ", "names no kernel"},
                                        {"block = 128", "block = 0", "with numbers from 1"},
                                        {"= 64", "= 0", "with a number from 1"},
                                        {"block = 128", "assume = \"luck\"\nblock = 128", "nothing is called"}};
  const Gate gate;
  const std::string right = gate.read("budgets.toml");
  const std::vector<std::string> formats = check_format_names();
  size_t next = 0;  // the reports are alike: each text has one of the formats in turn
  for (const WrongText& wrong : texts) {
    INFO(wrong.text);
    gate.write("budgets.toml", right);
    gate.replace("budgets.toml", wrong.old, wrong.text);
    gate.check_fails(2, wrong.reason, {}, {formats[next++ % formats.size()]});
  }
  for (const char* text : {"", "# nothing\n", "[defaults]\nmax = \"1 s\"\n", "budget = []\n"}) {
    gate.write("budgets.toml", text);
    gate.check_fails(2, "budget");
  }
}

TEST_CASE("mutants: a bound that fell where it is pinned") {
  const Gate gate;
  gate.replace("budgets.toml", "= 64", "= 63");
  gate.check_passes();
  gate.check_fails(1, "fell", {"--ratchet", "0.1%"});
}

TEST_CASE("mutants: reports that cannot be written") {
  const Gate gate;
  for (const std::string& format : check_format_names()) {
    INFO(format);
    gate.write("stamp", "all budgets hold\n");
    const ProgramRun full = gate.run({"--format", format, "--stamp", "stamp", "--output", "/dev/full"});
    CHECK(full.status == 2);
    CHECK(contains(full.err, "No space left on device"));
    CHECK_FALSE(std::filesystem::exists(gate.path("stamp")));
    CHECK(gate.run({"--format", format, "--stamp", "stamp"}, "/dev/full").status == 2);
    CHECK_FALSE(std::filesystem::exists(gate.path("stamp")));
    CHECK(gate.run({"--format", format, "--output", "no/folder"}).status == 2);
  }
  CHECK(gate.run({"--stamp", "no/folder/stamp"}).status == 2);
  CHECK(gate.run({"--stamp", "stamp", "--depfile", "no/folder/depfile"}).status == 2);
  CHECK_FALSE(std::filesystem::exists(gate.path("stamp")));
  CHECK(gate.run({"--update", "--stamp", "stamp"}).status == 0);
}

TEST_CASE("mutants: a run that the user ends reports nothing") {
  const TemporaryFolder folder;
  write_file(folder.file("stamp"), "");
  for (const std::string& format : check_format_names()) {
    const ProgramRun run = interrupt_warpspan({"check", "--budgets", "samples/budgets.toml", "--format", format,
                                               "--stamp", folder.file("stamp"), "--output", folder.file("report")});
    INFO(run.err);
    CHECK(run.status == 130);
    CHECK(run.out.empty());
    CHECK(folder.files() == 0);
  }
}

TEST_CASE("mutants: a run that is killed leaves no stamp and no half report") {
  if (warpspan::support::sanitized) return;
  const TemporaryFolder folder;
  const std::vector<std::string> words = {"check",
                                          "--budgets",
                                          "samples/budgets.toml",
                                          "--stamp",
                                          folder.file("stamp"),
                                          "--output",
                                          folder.file("report.json"),
                                          "--format",
                                          "json"};
  for (int round = 0; round < 10; ++round) {
    write_file(folder.file("stamp"), "");
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      become_program(words, {}, ::open("/dev/null", O_RDONLY), ::open("/dev/null", O_WRONLY),
                     ::open("/dev/null", O_WRONLY));
    }
    ::usleep(30'000 * static_cast<useconds_t>(round + 1));
    ::kill(child, SIGKILL);
    const int status = wait_for(child);
    INFO(round << ": " << status);
    const bool has_stamp = std::filesystem::exists(folder.file("stamp"));
    const bool is_new = has_stamp && !read_file(folder.file("stamp")).empty();
    const bool has_report = std::filesystem::exists(folder.file("report.json"));
    if (has_report) CHECK(nlohmann::json::parse(read_file(folder.file("report.json"))).at("status") == "done");
    if (is_new) CHECK(has_report);
    std::filesystem::remove(folder.file("report.json"));
  }
}
