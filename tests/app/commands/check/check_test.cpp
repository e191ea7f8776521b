// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan check as a build uses it: all samples on two machines, updates, logs, files for build systems.
#include "tests/app/commands/check_gate.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspan::test;
using Json = nlohmann::json;

const std::string samples_file = "samples/budgets.toml";

// The budgets of all samples in another folder, with the paths of the files made whole.
std::string samples_elsewhere() {
  std::string text = read_file(warpspan::test::source_dir() + "/" + samples_file);
  const std::string relative = "file = \"", absolute = relative + warpspan::test::source_dir() + "/samples/";
  for (size_t at = 0; (at = text.find(relative, at)) != std::string::npos; at += absolute.size()) {
    text.replace(at, relative.size(), absolute);
  }
  return text;
}

const std::string log_of_spmv =
    "ptxas info    : Compiling entry function 'spmv' for 'sm_80'\n"
    "ptxas info    : Function properties for spmv\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 20 registers, 392 bytes cmem[0]\n";

}  // namespace

TEST_CASE("the budgets of all samples on two machines hold, and are what an update writes") {
  const ProgramRun run = run_warpspan({"check", "--budgets", samples_file, "--format", "json"});
  INFO(run.err);
  CHECK(run.status == 0);
  const Json report = Json::parse(run.out);
  CHECK(report.at("results").size() >= 80);
  size_t on_board = 0;
  for (const Json& result : report.at("results")) {
    CHECK(result.at("status") == "pass");
    CHECK(result.at("bound").get<int64_t>() <= result.at("budget").get<int64_t>());
    if (result.at("machine") == "orin") ++on_board;
  }
  CHECK(on_board * 2 == report.at("results").size());

  const TemporaryFolder folder;
  const std::string own = samples_elsewhere();
  write_file(folder.file("budgets.toml"), own);
  const auto update = [&folder](const std::string& margin) {
    return run_warpspan({"check", "--budgets", folder.file("budgets.toml"), "--update", "--margin", margin}).status;
  };
  CHECK(update("0%") == 0);
  CHECK(read_file(folder.file("budgets.toml")) == own);
  CHECK(update("10%") == 0);
  const std::string wider = read_file(folder.file("budgets.toml"));
  CHECK(wider != own);
  CHECK(update("10%") == 0);
  CHECK(read_file(folder.file("budgets.toml")) == wider);
  CHECK(update("0%") == 0);
  CHECK(read_file(folder.file("budgets.toml")) == own);
}

TEST_CASE("an update keeps comments, order and units, and fills in what is missing") {
  const Gate gate;
  gate.write("budgets.toml", R"(# The gate.
[defaults]
machine = "ampere"   # A100
block = 128
loop_bounds = { "$L__BB0_3" = 64 }
file = "k.ptx"

[[budget]]           # tight
  kernel = 'spmv'
  max = '1 us'       # in microseconds
[[budget]]
kernel = "sp*"
launches = [
  { block = 64 },    # none yet
  { block = 256, max = "1 ms" },
]
max_registers = 8
)");
  gate.write("ptxas.log",
             "ptxas info    : Compiling entry function 'spmv' for 'sm_80'\n"
             "ptxas info    : Function properties for spmv\n"
             "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
             "ptxas info    : Used 20 registers, 392 bytes cmem[0]\n");
  REQUIRE(gate.run({"--update", "--ptxas-log", "ptxas.log"}).status == 0);
  const std::string text = gate.read("budgets.toml");
  const auto bound = [&gate](size_t index) {
    const ProgramRun run = gate.run({"--format", "json", "--ptxas-log", "ptxas.log"});
    CHECK(run.status == 0);
    return Json::parse(run.out).at("results").at(index).at("bound").get<int64_t>();
  };
  CHECK(contains(text, "[[budget]]           # tight\n  kernel = 'spmv'\n  max = \""));
  CHECK(contains(text, " us\"       # in microseconds\n"));
  CHECK(contains(text, "  { block = 64 },    # none yet\n"));  // it limits registers, which is a limit
  CHECK(contains(text, " ms\" },\n]\nmax_registers = 20\n"));
  CHECK(bound(0) > 1'000'000);
  CHECK(gate.run({"--ratchet", "0%", "--ptxas-log", "ptxas.log"}).status == 0);
}

TEST_CASE("an update that cannot know everything writes nothing") {
  const Gate gate;
  gate.append("budgets.toml", "[[budget]]\nkernel = \"spmv\"\nfile = \"k.ptx\"\nblock = 128\nmax = \"1 us\"\n");
  const std::string before = gate.read("budgets.toml");
  const ProgramRun unbounded = gate.run({"--update"});
  CHECK(unbounded.status == 3);
  CHECK(contains(unbounded.err, "the budgets file is left as it is"));
  CHECK(gate.read("budgets.toml") == before);
  gate.replace("budgets.toml", "block = 128\nmax = \"1 us\"", "max_spill = 0");
  const std::string counts = gate.read("budgets.toml");
  CHECK(gate.run({"--update"}).status == 2);
  CHECK(gate.read("budgets.toml") == counts);
}

TEST_CASE("budgets are of the files of the command line where they name none") {
  const Gate gate;
  gate.replace("budgets.toml", "file = \"k.ptx\"\n", "");
  CHECK(gate.run({"k.ptx"}).status == 0);
  CHECK(gate.run({"."}).status == 0);
  CHECK(gate.run({"*.ptx"}).status == 0);
  gate.write("other.ptx", gate.read("k.ptx"));
  const ProgramRun both = gate.run({"--format", "json", "."});
  CHECK(both.status == 0);
  CHECK(Json::parse(both.out).at("results").size() == 2);
  CHECK(gate.run({"k.ptx", "none.ptx"}).status == 2);
  CHECK(gate.run({}).status == 2);
}

TEST_CASE("a budget's sizes of arrays and what it grants are in its result") {
  const Gate gate;
  gate.append("budgets.toml", "assume = [\"warm-code\"]\nbuffers = { 0 = \"4K\" }\n");
  const ProgramRun run = gate.run({"--format", "json", "--explain"});
  INFO(run.err);
  CHECK(run.status == 0);
  const Json result = Json::parse(run.out).at("results").at(0);
  CHECK(result.at("granted") == Json{"warm-code"});
  CHECK(contains(run.out, "points to 4096 bytes, and no access by it goes beyond (budgets.toml:9)."));
  gate.replace("budgets.toml", "0 = \"4K\"", "nothing = 1");
  const ProgramRun unused = gate.run({});
  CHECK(unused.status == 2);
  CHECK(contains(unused.err, "budgets.toml:9:23: error: kernel 'spmv' has no parameter 'nothing'"));
}

TEST_CASE("a log gives the bound its registers, and takes the doubt about spills") {
  const Gate gate;
  gate.write("spills.ptx", read_file(warpspan::test::source_dir() + "/tests/samples/registers/spills.ptx"));
  gate.write("budgets.toml", "[[budget]]\nkernel = \"*\"\nfile = \"spills.ptx\"\nargs = { 2 = 10 }\nmax = \"1 s\"\n");
  CHECK(gate.run({}).status == 3);
  const std::string log =
      "ptxas info    : Compiling entry function 'spills' for 'sm_80'\n"
      "ptxas info    : Function properties for spills\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 32 registers, 376 bytes cmem[0]\n";
  gate.write("ptxas.log", log);
  const ProgramRun run = gate.run({"--ptxas-log", "ptxas.log", "--format", "json", "--explain"});
  INFO(run.err);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "ptxas.log tells (--ptxas-log)"));
  CHECK_FALSE(contains(run.out, "(--assume no-spills)"));  // it is no assumption any more
}

TEST_CASE("a stamp is written behind all reports, with the files that were read") {
  const Gate gate;
  gate.write("my machine.toml", "name = \"my\"\ndescription = \"mine\"\nbased_on = \"ampere\"\n");
  gate.replace("budgets.toml", "\"ampere\"", "\"my machine.toml\"");
  gate.write("facts.toml", "[[kernel]]\nname = \"spmv\"\n[[kernel.loop]]\nat = \"$L__BB0_3\"\ntrip_count = 64\n");
  gate.replace("budgets.toml", "loop_bounds = { \"$L__BB0_3\" = 64 }", "facts = \"facts.toml\"");
  const ProgramRun run = gate.run({"--stamp", "out/stamp", "--depfile", "out/stamp.d"});
  CHECK(run.status == 2);  // no such folder
  const ProgramRun whole = gate.run({"--stamp", "stamp", "--depfile", "stamp.d"});
  INFO(whole.err);
  CHECK(whole.status == 0);
  CHECK(whole.err.empty());
  CHECK(gate.read("stamp") == "all budgets hold\n");
  CHECK(gate.read("stamp.d") == "stamp: \\\n  budgets.toml \\\n  facts.toml \\\n  k.ptx \\\n  my\\ machine.toml\n");
}

TEST_CASE("a stamp takes no other file's place") {
  const Gate gate;
  for (const char* file : {"budgets.toml", "k.ptx", "."}) {
    const ProgramRun run = gate.run({"--stamp", file});
    CHECK(run.status == 2);
    CHECK(contains(run.err, "is no stamp of an earlier run"));
  }
  gate.write("stamp", "");
  CHECK(gate.run({"--stamp", "stamp"}).status == 0);
  CHECK(gate.run({"--stamp", "stamp"}).status == 0);
}

TEST_CASE("no stamp stays where the options are wrong") {
  const Gate gate;
  for (const char* wrong : {"--bogus", "@none", "--ratchet"}) {
    gate.write("stamp", "all budgets hold\n");
    CHECK(gate.run({"--stamp", "stamp", wrong}).status == 2);
    CHECK_FALSE(std::filesystem::exists(gate.path("stamp")));
  }
}

TEST_CASE("nothing is written over what is read, or over one another") {
  const Gate gate;
  gate.write("ptxas.log", "");
  for (const char* file : {"budgets.toml", "k.ptx", "./k.ptx"}) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--output", file},
                                                  {"--report", "junit=" + std::string(file)},
                                                  {"--stamp", "stamp", "--depfile", file},
                                                  {"--update", "--output", file},
                                                  {"--format", "json", "--output", file}}) {
      const std::string before = gate.read(file);
      const ProgramRun run = gate.run(words);
      INFO(words.front() << " " << file);
      CHECK(run.status == 2);
      CHECK(contains(run.err, "is one of the files that were read"));
      CHECK(gate.read(file) == before);
      CHECK_FALSE(std::filesystem::exists(gate.path("stamp")));
    }
  }
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--output", "s"}, {"--report", "junit=s"}, {"--depfile", "./s"}}) {
    std::vector<std::string> all = {"--stamp", "s"};
    all.insert(all.end(), words.begin(), words.end());
    CHECK(gate.run(all).status == 2);
    CHECK_FALSE(std::filesystem::exists(gate.path("s")));
  }
}

TEST_CASE("what tells results of a kernel apart is their label") {
  const Gate gate;
  const std::string one = gate.read("budgets.toml");
  gate.append("budgets.toml", one);
  const auto labels = [&gate] {
    std::vector<std::string> all;
    const ProgramRun run = gate.run({"--format", "json"});
    const Json report = Json::parse(run.out);
    for (const Json& result : report.at("results")) all.push_back(result.at("label"));
    return all;
  };
  CHECK(labels() == std::vector<std::string>{"line 1", "line 8"});
  gate.write("budgets.toml", one);
  gate.append("budgets.toml",
              "launches = [{}, { machine = \"orin\", max = \"1 s\" }, { block = 64, max = \"1 s\" },\n"
              "  { label = \"large\", grid = 4, max = \"1 s\" }]\n");
  CHECK(labels() == std::vector<std::string>{"ampere, block 128", "orin, block 128", "ampere, block 64", "large"});
}

// What an entry may say of its kernels, and is true of none: the key, and the error at its value.
const std::vector<std::pair<std::string, std::string>> empty_claims = {
    {"args = { width = 1920 }", "has no parameter 'width'"},
    {"args = { 6 = 1920 }", "has no parameter '6'"},
    {"args = { \"spmv_param_9\" = \"1..4\" }", "has no parameter 'spmv_param_9'"},
    {"args = { \"s+8\" = \"u32:1024\" }", "has no parameter 's'"},
    {"args = { \"s.n\" = 4 }", "has no parameter 's.n'"},
    {"buffers = { image = 4096 }", "has no parameter 'image'"},
    {"buffers = { \"s+8\" = 4096 }", "has no parameter 's+8'"},
    {"calls = { vprintf = \"20 us\" }", "no kernel calls a function 'vprintf' that has no body"},
    {"recursion = { fibonacci = 12 }", "no kernel calls a function 'fibonacci' recursively"},
    {"waits = { \"$L__BB0_9\" = \"2us\" }", "'$L__BB0_9' names no loop"},
    {"waits = { \"spmv.cu:12\" = \"2us\" }", "'spmv.cu:12' names no loop"},
    {"globals = { N = 4 }", "no variable is called 'N'"},
};

TEST_CASE("what an entry says of its kernels and is true of none of them is an error where it stands") {
  for (const auto& [claim, error] : empty_claims) {
    for (const char* kernel : {"spmv", "*"}) {
      const Gate gate;
      gate.append("k.ptx", ".visible .entry more(.param .u64 p) { ret; }\n");
      gate.replace("budgets.toml", "\"spmv\"", "\"" + std::string(kernel) + "\"");
      gate.append("budgets.toml", claim + "\n");
      const ProgramRun run = gate.run({});
      INFO(kernel << ", " << claim << "\n" << run.err);
      CHECK(run.status == 2);
      CHECK(contains(run.err, "budgets.toml:8:"));
      CHECK((contains(run.err, error) || contains(run.err, error.substr(error.find("has no ") + 4))));
      const std::string before = gate.read("budgets.toml");
      CHECK(gate.run({"--update"}).status == 2);
      CHECK(gate.read("budgets.toml") == before);
    }
  }
  const Gate gate;
  gate.append("budgets.toml", "args = { width = 1920 }\n");
  gate.check_fails(2, "kernel 'spmv' has no parameter 'width'");
  // Nothing rests on what is said where no time is limited.
  gate.write("ptxas.log", log_of_spmv);
  gate.replace("budgets.toml", "max = ", "max_registers = 40 #");
  CHECK(gate.run({"--ptxas-log", "ptxas.log"}).status == 0);
}

TEST_CASE("what one kernel of an entry has no use for is no error where another one has") {
  const Gate gate;
  gate.append("k.ptx", ".visible .entry more(.param .u64 p, .param .u32 n) { ret; }\n");
  gate.replace("budgets.toml", "\"spmv\"", "\"*\"");
  gate.append("budgets.toml", "args = { more_n = 3 }\nbuffers = { p = 4096 }\n");
  gate.replace("k.ptx", ".param .u32 n)", ".param .u32 more_n)");
  const ProgramRun run = gate.run({});
  INFO(run.err);
  CHECK(run.status == 0);
  CHECK(run.err.empty());
  gate.replace("budgets.toml", "{ \"$L__BB0_3\" = 64", "{ \"$L__BB0_9\" = 64, \"$L__BB0_3\" = 64");
  const ProgramRun unused = gate.run({});
  CHECK(unused.status == 2);
  CHECK(contains(unused.err, "budgets.toml:6:31: error: '$L__BB0_9' names no loop"));
}

TEST_CASE("what [defaults] say must be true of a kernel of some entry that takes it") {
  const std::string two =
      "[[budget]]\nkernel = \"spmv\"\nloop_bounds = { \"$L__BB0_3\" = 64 }\nmax = \"1 s\"\n"
      "[[budget]]\nkernel = \"more\"\nmax = \"1 s\"\n";
  const auto check = [&two](const std::string& defaults, const std::string& more, int status,
                            const std::string& error) {
    const Gate gate;
    gate.append("k.ptx", ".visible .entry more(.param .u32 n) { ret; }\n");
    gate.write("budgets.toml", "[defaults]\nfile = \"k.ptx\"\nblock = 128\n" + defaults + "\n" + two + more);
    const ProgramRun run = gate.run({});
    INFO(defaults << more << run.err);
    CHECK(run.status == status);
    CHECK((error.empty() ? run.err.empty() : contains(run.err, error)));
  };
  check("args = { n = 4 }", "", 0, "");
  check("args = { n = 4, width = 5 }", "", 2,
        "budgets.toml:4:25: error: kernel 'more' has no parameter 'width', nor has any other kernel that this is for");
  check("args = { n = 4 }", "args = {}\n", 2, "budgets.toml:4:14: error: kernel 'spmv' has no parameter 'n'");
  check("", "args = { n = 4 }\n", 0, "");
  check("", "launches = [{ args = { n = 4 } }, { args = { width = 5 } }]\n", 2, "has no parameter 'width'");
  check("args = { n = 4 }", "launches = [{ block = 32 }, { args = { 0 = 5 } }]\n", 0, "");
}

TEST_CASE("a number of registers that a kernel does not fit is an error, and a log decides") {
  const Gate gate;
  gate.write("m.ptx", read_file(warpspan::test::source_dir() + "/tests/samples/spills/mix_48_floats.ptx"));
  gate.write("budgets.toml",
             "[[budget]]\nkernel = \"mix\"\nfile = \"m.ptx\"\nblock = 32\nmax = \"1 s\"\nregisters = 1\n");
  gate.check_fails(3, "may spill registers");
  gate.replace("budgets.toml", "registers = 1", "registers = 48");
  gate.check_fails(3, "a thread may use 48 (--registers)", {}, {"json"});
  gate.replace("budgets.toml", "registers = 48", "registers = 80");
  gate.check_passes();
}

TEST_CASE("options of check that do not go together are wrong use") {
  const auto check = [](const std::vector<std::string>& words, const std::string& message) {
    std::vector<std::string> arguments = {"check"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const ProgramRun run = run_warpspan(arguments);
    CHECK(run.status == 2);
    INFO(run.err);
    CHECK(contains(run.err, message));
  };
  check({}, "--budgets is not given");
  check({"-", "--budgets", "b.toml"}, "FILE: standard input can be read once only");
  check({"--budgets", "b.toml", "--margin", "10%"}, "--margin goes with --update");
  check({"--budgets", "b.toml", "--update", "--ratchet", "2%"}, "--ratchet and --update exclude each other");
  check({"--budgets", "-", "--update"}, "--update: standard input cannot be written");
  check({"--budgets", "b.toml", "--depfile", "d"}, "--depfile goes with --stamp");
  check({"--budgets", "b.toml", "--ratchet", "2"}, "--ratchet: expected a percentage");
}

TEST_CASE("findings name source files from the folder of the run, wherever the line table has them") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("src"));
  const std::string project = warpspan::test::source_dir() + "/samples/cmake-gate/";
  std::string ptx = read_file(project + "blur.ptx");
  const std::string name = "\"blur.cu\"";
  REQUIRE(ptx.find(name) != std::string::npos);
  ptx.replace(ptx.find(name), name.size(), "\"" + folder.file("src/blur.cu") + "\"");
  write_file(folder.file("blur.ptx"), ptx);
  write_file(folder.file("src/blur.cu"), read_file(project + "blur.cu"));
  write_file(folder.file("strided.toml"), read_file(project + "strided.toml"));
  const auto report = [&folder](const char* format) {
    return run_warpspan({"check", "blur.ptx", "--budgets", "strided.toml", "--format", format},
                        {.folder = folder.path()})
        .out;
  };
  CHECK(report("github").find("::error file=src/blur.cu,line=20,") != std::string::npos);
  CHECK(report("sarif").find("\"uri\": \"src/blur.cu\"") != std::string::npos);
}

TEST_CASE("--assume stands for entries that assume nothing, and an update writes it") {
  const Gate gate;
  gate.write("budgets.toml", R"([[budget]]
kernel = "spmv"
file = "k.ptx"
machine = "ampere"
block = 128
loop_bounds = { "$L__BB0_3" = 64 }
max = "9 s"

[[budget]]
kernel = "spmv"
file = "k.ptx"
machine = "ampere"
block = 128
loop_bounds = { "$L__BB0_3" = 64 }
assume = "none"
launches = [{}]
)");
  const auto bounds = [&gate](std::vector<std::string> words) {
    words.insert(words.end(), {"--format", "json", "--output", "report.json"});
    gate.run(words);
    std::vector<int64_t> found;
    const Json report = Json::parse(gate.read("report.json"));
    for (const Json& result : report.at("results")) {
      found.push_back(result.at("bound").get<int64_t>());
    }
    return found;
  };
  REQUIRE(gate.run({"--update"}).status == 0);
  CHECK_FALSE(contains(gate.read("budgets.toml"), "usual"));
  const std::vector<int64_t> before = bounds({}), usual = bounds({"--assume", "usual"});
  REQUIRE(before.size() == 2);
  CHECK(usual[0] < before[0]);
  CHECK(usual[1] == before[1]);  // the entry says what it assumes
  REQUIRE(gate.run({"--update", "--assume", "usual"}).status == 0);
  CHECK(contains(gate.read("budgets.toml"), "kernel = \"spmv\"\nassume = \"usual\"\nfile = \"k.ptx\"\n"));
  CHECK(bounds({}) == usual);
  CHECK(gate.run({}).status == 0);
}

TEST_CASE("of a bound over its budget it is told what usual would make of it") {
  const Gate gate;
  gate.replace("budgets.toml", "max = \"", "max = \"1 cycles\" # \"");
  const ProgramRun run = gate.run({});
  CHECK(run.status == 1);
  CHECK(contains(run.out, "assume = \"usual\" would make it"));
  CHECK(contains(run.out, " times the budget"));
  CHECK_FALSE(contains(run.out, "-1"));
}
