// SPDX-License-Identifier: GPL-3.0-or-later
// --assemble: machine code that an assembler of the user makes of PTX decides.
#include <catch2/catch.hpp>

#include "tests/app/fake_assembler.hpp"
#include "tests/app/kernel_json.hpp"
#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

using namespace warpspan::test;

namespace {

using Words = std::vector<std::string>;

const std::string ptx = "samples/saxpy.nvcc-sm_80.ptx";

std::string stored(const std::string& name) { return source_dir() + "/tests/machine_code/data/" + name; }

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words launch = {"--block", "256", "--grid", "4", "--arg", "3=4096"};

std::string keys(const std::string& assembler) {
  return "file = \"" + source_dir() + "/" + ptx +
         "\"\nkernel = \"saxpy\"\nblock = 256\ngrid = 4\nargs = { 3 = 4096 }\n" +
         (assembler.empty() ? "" : "assemble = \"" + assembler + "\"\n");
}

}  // namespace

TEST_CASE("what an assembler makes of PTX is bounded as the machine code is by itself") {
  const TemporaryFolder folder;
  const std::string assembler = copying_assembler(folder, "as", stored("saxpy.sm_80.O3.cubin"));
  const Json kernel = kernel_of(with({ptx, "--assemble", assembler + " -O3"}, launch));
  const Json code = kernel_of(with({stored("saxpy.sm_80.O3.cubin")}, launch));
  const Json text = kernel_of(with({ptx}, launch));
  CHECK(cycles_of(kernel) == cycles_of(code));
  CHECK(kernel.at("listing").size() == code.at("listing").size());
  CHECK(cycles_of(kernel.at("ptx").at("kernel")) == cycles_of(text));
  CHECK(read_file(folder.file("as.words")) == "-O3 -arch=sm_80 -o kernels.cubin kernels.ptx\n");
  const std::string assumptions = kernel.at("bounds").at(0).at("assumptions").dump();
  CHECK(contains(assumptions,
                 "is what '" + assembler + " -O3 -arch=sm_80' (fake assembler, release 1.0) makes of the PTX"));
  CHECK(kernel_of(with({ptx, "--assemble", assembler, "--machine-code"}, launch)).at("ptx").is_null());
}

TEST_CASE("parameters of assembled machine code have the names of the PTX") {
  const TemporaryFolder folder;
  std::string text = read_file(source_dir() + "/" + ptx);
  for (size_t at = text.find("saxpy_param_3"); at != std::string::npos; at = text.find("saxpy_param_3")) {
    text.replace(at, 13, "count");
  }
  write_file(folder.file("k.ptx"), text);
  const std::string assembler = copying_assembler(folder, "as", stored("saxpy.sm_80.O3.cubin"));
  const Json named = kernel_of(
      {folder.file("k.ptx"), "--assemble", assembler, "--block", "256", "--grid", "4", "--arg", "count=4096"});
  CHECK(cycles_of(named) == cycles_of(kernel_of(with({stored("saxpy.sm_80.O3.cubin")}, launch))));
}

TEST_CASE("an assembler makes code for the machine unless it names a target") {
  const TemporaryFolder folder;
  const auto words_of = [&folder](const Words& more) {
    std::filesystem::remove(folder.file("as.words"));
    fake_assembler(folder, "as", "exit 1");
    run_warpspan(with(with({"analyze", ptx}, more), launch));
    return read_file(folder.file("as.words"));
  };
  const std::string as = folder.file("as"), files = " -o kernels.cubin kernels.ptx\n";
  CHECK(words_of({"--assemble", as, "--machine", "orin"}) == "-arch=sm_87" + files);
  CHECK(words_of({"--assemble", as, "--machine", "turing"}) == "-arch=sm_80" + files);  // the PTX is for later devices
  CHECK(words_of({"--assemble", as + " -arch=sm_86"}) == "-arch=sm_86" + files);
  CHECK(words_of({"--assemble", as + " -arch sm_86 -O1"}) == "-arch sm_86 -O1" + files);
  CHECK(words_of({"--assemble", as + " --gpu-name=sm_89"}) == "--gpu-name=sm_89" + files);
  CHECK(words_of({"--assemble", as + " '-v w'", "--machine", "sm_86"}) == "-v w -arch=sm_86" + files);
}

TEST_CASE("what keeps an assembler from its work is an error of its own") {
  const TemporaryFolder folder;
  const auto fails = [&folder](const std::string& work, int status, const std::string& message,
                               const std::string& version = "fake assembler, release 1.0") {
    const std::string as = fake_assembler(folder, "as", work, version);
    for (const Words& words : {Words{"analyze"}, Words{"facts"}, Words{"string"}, Words{"occupancy"}}) {
      INFO(words[0] << ": " << work);
      const Words own = words[0] == "occupancy" ? Words{"--block", "256"} : launch;
      const ProgramRun run = run_warpspan(with(with(words, {ptx, "--assemble", as}), own));
      INFO(run.err);
      CHECK(run.status == status);
      CHECK(contains(run.err, message));
    }
  };
  fails("echo \"ptxas $in, line 7; error : no\" >&2; exit 255", 3,
        "ptxas samples/saxpy.nvcc-sm_80.ptx, line 7; error : no");
  fails("exit 3", 3, "failed with exit status 3");
  fails("kill -9 $$", 3, "was ended by signal 9");
  fails("true", 3, "wrote no machine code");
  fails(": > \"$out\"", 3, "wrote no machine code");
  fails("cp \"$in\" \"$out\"", 3, "error");
  fails("head -c 1000 '" + stored("saxpy.sm_80.O3.cubin") + "' > \"$out\"", 3, "error");
  fails("cp '" + stored("matmul_tiled.sm_80.O3.cubin") + "' \"$out\"", 2, "the machine code has no kernel 'saxpy'");
  fails("cp '" + stored("saxpy.sm_90.O3.cubin") + "' \"$out\"", 3, "wrote machine code for sm_90, not for sm_80");
  fails("true", 3, "does not tell the assembler's version", "");
  const ProgramRun missing = run_warpspan(with({"analyze", ptx, "--assemble", "no-such-assembler -O3"}, launch));
  CHECK(missing.status == 2);
  CHECK(contains(missing.err, "cannot run 'no-such-assembler': No such file or directory"));
  CHECK(run_warpspan(with({"analyze", ptx, "--assemble", ""}, launch)).status == 2);
  CHECK(run_warpspan(with({"analyze", ptx, "--assemble", "x", "--ptx"}, launch)).status == 0);  // PTX is asked for
}

TEST_CASE("machine code that a file has is not assembled again, nor files without a chosen kernel") {
  const TemporaryFolder folder;
  const std::string as = fake_assembler(folder, "as", "exit 1");
  CHECK(run_warpspan({"analyze", "tests/frontend/object/data/saxpy.o", "--block", "64", "--assemble", as}).status == 0);
  CHECK(run_warpspan(with({"analyze", ptx, "samples/sfu.ptx", "--kernel", "none", "--assemble", as}, launch)).status ==
        2);
  CHECK_FALSE(std::filesystem::exists(folder.file("as.words")));
}

TEST_CASE("budgets and tasks are held against what is assembled, once for all that are alike") {
  const TemporaryFolder folder;
  const std::string as = copying_assembler(folder, "as", stored("saxpy.sm_80.O3.cubin"));
  const int64_t cycles = cycles_of(kernel_of(with({stored("saxpy.sm_80.O3.cubin")}, launch)));
  const auto check = [&](const std::string& budgets, const Words& more = {}) {
    write_file(folder.file("budgets.toml"), budgets);
    const ProgramRun run =
        run_warpspan(with({"check", "--budgets", folder.file("budgets.toml"), "--format", "json"}, more));
    INFO(run.err);
    CHECK(run.status == 0);
    return Json::parse(run.out).at("results").at(0).at("limits").at(0).at("value").get<int64_t>();
  };
  const std::string budget = "max = \"1 s\"\n";
  CHECK(check("[[budget]]\n" + keys(as) + budget) == cycles);
  CHECK(check("[defaults]\nassemble = \"" + as + "\"\n[[budget]]\n" + keys("") + budget) == cycles);
  CHECK(check("[[budget]]\n" + keys("") + budget, {"--assemble", as}) == cycles);
  CHECK(check("[[budget]]\n" + keys("") + budget) == cycles_of(kernel_of(with({ptx}, launch))));
  std::filesystem::remove(folder.file("as.words"));
  CHECK(check("[[budget]]\n" + keys(as) + budget + "max_registers = 14\n[[budget]]\n" + keys(as) + budget) == cycles);
  CHECK(read_file(folder.file("as.words")) == "-arch=sm_80 -o kernels.cubin kernels.ptx\n");
  const auto tasks = [&](const std::string& assembler, const Words& more) {
    std::string work = keys(assembler);
    for (char& c : work) c = c == '\n' ? ',' : c;
    write_file(folder.file("tasks.toml"),
               "[gpu]\nmachine = \"ampere\"\n[[task]]\nname = \"t\"\nstream = 1\nwork = [{ " +
                   work.substr(0, work.size() - 1) + " }]\n");
    const ProgramRun run =
        run_warpspan(with({"rta", folder.file("tasks.toml"), "--runs", "0", "--format", "json"}, more));
    INFO(run.err);
    CHECK(run.status == 0);
    CHECK(contains(run.out, std::to_string(cycles)));
  };
  tasks(as, {});
  tasks("", {"--assemble", as});
}

TEST_CASE("what the PTX shows to be false is an error where its machine code is bounded, too") {
  const TemporaryFolder folder;
  const std::string as = copying_assembler(folder, "as", stored("saxpy.sm_80.O3.cubin"));
  const Words small = {"--buffer", "1=16"};
  for (const Words& how : {Words{}, Words{"--assemble", as}}) {
    const ProgramRun run = run_warpspan(with(with(with({"analyze", ptx}, launch), small), how));
    INFO(run.out << run.err);
    CHECK(run.status == 3);
    CHECK(contains(run.err, "which is given 16 bytes"));
  }
  write_file(folder.file("budgets.toml"), "[[budget]]\n" + keys(as) + "max = \"1 s\"\nbuffers = { 1 = 16 }\n");
  CHECK(run_warpspan({"check", "--budgets", folder.file("budgets.toml")}).status != 0);
}

TEST_CASE("budgets say in words what an assembler is, or it is an error") {
  const TemporaryFolder folder;
  for (const char* value : {"\"\"", "1", "[\"ptxas\", \"-O3\"]", "\"'ptxas\""}) {
    INFO(value);
    write_file(folder.file("budgets.toml"), "[[budget]]\n" + keys("") + "max = \"1 s\"\nassemble = " + value + "\n");
    CHECK(run_warpspan({"check", "--budgets", folder.file("budgets.toml")}).status == 2);
  }
}

TEST_CASE("a run with an assembler is made again, and says if that has another version") {
  const TemporaryFolder folder;
  const std::string copies = "cp '" + stored("saxpy.sm_80.O3.cubin") + "' \"$out\"";
  const std::string as = fake_assembler(folder, "as", copies);
  write_file(folder.file("budgets.toml"), "[[budget]]\n" + keys(as) + "max = \"1 s\"\n");
  const std::vector<Words> runs = {with({"analyze", ptx, "--assemble", as}, launch),
                                   {"check", "--budgets", folder.file("budgets.toml")}};
  for (const Words& words : runs) {
    INFO(words[0]);
    fake_assembler(folder, "as", copies);
    const ProgramRun made = run_warpspan(with(words, {"--format", "json"}));
    REQUIRE(made.status == 0);
    const Json assemblers = Json::parse(made.out).at("run").at("assemblers");
    REQUIRE(assemblers.size() == 1);
    CHECK(assemblers[0].at("command") == as + " -arch=sm_80");
    CHECK(assemblers[0].at("version") == "fake assembler, release 1.0");
    write_file(folder.file("report.json"), made.out);
    const ProgramRun again = run_warpspan({"rerun", folder.file("report.json")});
    INFO(again.err);
    CHECK(again.status == 0);
    CHECK(again.out == made.out);
    fake_assembler(folder, "as", copies, "fake assembler, release 1.1");
    const ProgramRun other = run_warpspan({"rerun", folder.file("report.json")});
    CHECK(other.status == 2);
    CHECK(contains(other.err, "has another version than when the report was made"));
    fake_assembler(folder, "as", "cp '" + stored("saxpy.sm_80.O1.cubin") + "' \"$out\"");
    CHECK(run_warpspan({"rerun", folder.file("report.json")}).status == 2);  // of that version, but other code
  }
}

TEST_CASE("who reads a bound of PTX on a terminal is told of an assembler that is at hand") {
  const TemporaryFolder folder;
  fake_assembler(folder, "ptxas", "exit 1");
  const Surroundings around = {{}, source_dir(), {"PATH=" + folder.path() + ":/usr/bin:/bin"}, {}};
  const std::string offer = "with --assemble 'ptxas -O3'";
  const Words words = with({"analyze", ptx}, launch);
  CHECK(contains(run_on_terminal(words, around).out, offer));
  CHECK_FALSE(contains(run_warpspan(words, around).out, offer));
  const Surroundings without = {{}, source_dir(), {"PATH=/nowhere"}, {}};
  CHECK_FALSE(contains(run_on_terminal(words, without).out, offer));
  const Words code = with({"analyze", stored("saxpy.sm_80.O3.cubin")}, launch);
  CHECK_FALSE(contains(run_on_terminal(code, around).out, offer));
  CHECK_FALSE(std::filesystem::exists(folder.file("ptxas.words")));
}
