// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels side by side, results that are kept, and runs in shards: each is the one run without, byte for byte.
#include <array>
#include <functional>
#include <utility>

#include "app/reports/analyze/analyze_formats.hpp"
#include "tests/app/commands/check_gate.hpp"
#include "tests/random_numbers.hpp"

namespace {

using namespace warpspan::test;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

void check_same(const ProgramRun& run, const ProgramRun& whole) {
  CHECK(run.status == whole.status);
  CHECK(run.out == whole.out);
  CHECK(run.err == whole.err);
}

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// A folder with PTX that is bounded, refused, broken or without a kernel, with sources, facts, a machine, and budgets
// that pass, fail and name none.
class Works {
 public:
  Works() {
    const std::string samples = source_dir() + "/samples/";
    for (const char* folder : {"k", "code"}) fs::create_directories(folder_.file(folder));
    for (const char* name : {"spmv", "saxpy", "transpose", "divergent", "search", "matmul_tiled.nvcc-sm_80-lineinfo"}) {
      write("k/" + std::string(name) + ".ptx", read_file(samples + name + ".ptx"));
    }
    write("matmul_tiled.cu", read_file(samples + "matmul_tiled.cu"));
    write("k/broken.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry bad() { addd.u32; }\n");
    write("k/empty.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n");
    write("facts.toml", "[[kernel]]\nname = \"spmv\"\n[[kernel.loop]]\nat = \"$L__BB0_3\"\ntrip_count = 64\n");
    write("my.toml", "name = \"mine\"\nbased_on = \"ampere\"\ntargets = [\"sm_80\"]\ndescription = \"mine\"\n");
    write("ptxas.log",
          "ptxas info    : Compiling entry function 'saxpy' for 'sm_80'\n"
          "ptxas info    : Function properties for saxpy\n"
          "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
          "ptxas info    : Used 30 registers, used 0 barriers, 392 bytes cmem[0]\n");
    write("budgets.toml",
          "[defaults]\nmachine = \"ampere\"\nblock = 128\n"
          "[[budget]]\nkernel = \"spmv\"\nfacts = \"facts.toml\"\nmax = \"10 s\"\n"
          "[[budget]]\nkernel = \"saxpy\"\nmachine = \"my.toml\"\nlaunches = [ { grid = 4, args = { 3 = 1000 }, max = "
          "\"1 s\" },"
          " { grid = 8, args = { 3 = 1000 }, max = \"1 ns\" } ]\n"
          "[[budget]]\nkernel = \"matmul*\"\nblock = [16, 16]\nargs = { 3 = 64 }\nmax = \"1 ns\"\n"
          "[[budget]]\nkernel = \"search\"\nmax = \"1 s\"\n"
          "[[budget]]\nkernel = \"nowhere\"\nmax = \"1 s\"\n"
          "[[budget]]\nkernel = \"divergent\"\nfile = \"k/divergent.ptx\"\nargs = { 9 = 1 }\nmax = \"1 s\"\n");
  }

  void write(const std::string& name, const std::string& text) const { write_file(path(name), text); }
  std::string path(const std::string& name) const { return folder_.file(name); }
  std::string read(const std::string& name) const { return read_file(path(name)); }
  void replace(const std::string& name, const std::string& old, const std::string& text) const {
    std::string all = read(name);
    const size_t at = all.find(old);
    REQUIRE(at != std::string::npos);
    write(name, all.replace(at, old.size(), text));
  }
  ProgramRun run(const Words& words, const Words& environment = {}) const {
    return run_warpspan(words, {.input = "", .folder = folder_.path(), .environment = environment});
  }
  // The files of the cache.
  std::vector<fs::path> kept() const {
    std::vector<fs::path> all;
    if (!fs::exists(path("cache"))) return all;
    for (const auto& entry : fs::recursive_directory_iterator(path("cache"))) {
      if (entry.is_regular_file()) all.push_back(entry.path());
    }
    return all;
  }

 private:
  TemporaryFolder folder_;
};

const Words check_all = {"check", "k", "--budgets", "budgets.toml", "--fail-on-unused", "--format", "json"};
const Words analyze_all = {"analyze", "k", "--block", "128", "--format", "json"};
const Words compare_all = {"compare", "k", "k", "--block", "128", "--format", "json"};
const Words kept_there = {"--cache", "cache"};

void write_shards(const Works& works, const Words& words, size_t of) {
  for (size_t index = 1; index <= of; ++index) {
    const std::string number = std::to_string(index);
    const ProgramRun shard = works.run(
        joined(words, {"--shard", number + "/" + std::to_string(of), "--output", "shard" + number, "--jobs", number}));
    INFO(shard.err);
    REQUIRE(shard.status == 0);
    CHECK(shard.out.empty());
    CHECK(shard.err.empty());
  }
}

Words shard_names(size_t of) {
  Words names;
  for (size_t index = of; index >= 1; --index) names.push_back("shard" + std::to_string(index));
  return names;
}

void check_has_no_page(const ProgramRun& merged) {
  CHECK(merged.status == 2);
  CHECK(merged.out.empty());
  CHECK(contains(merged.err, "the shards have not all that a page shows"));
}

}  // namespace

TEST_CASE("any number of jobs makes the same report") {
  const Works works;
  for (const Words& words : {check_all, analyze_all, compare_all}) {
    const ProgramRun one = works.run(joined(words, {"--jobs", "1"}));
    CHECK(one.out.size() > 1000);
    for (const char* jobs : {"2", "3", "16"}) {
      INFO(words.front() << " --jobs " << jobs);
      check_same(works.run(joined(words, {"--jobs", jobs})), one);
    }
    check_same(works.run(words), one);
  }
  const ProgramRun wrong = works.run(joined(check_all, {"--jobs", "0"}));
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.err, "--jobs: expected a number from 1 to 1024, got '0'"));
}

TEST_CASE("an output that is one of the inputs is refused, whichever process has read them") {
  const Works works;
  for (const Words& more : {Words{"--jobs", "1"}, Words{"--jobs", "4"}, kept_there, kept_there}) {
    const std::string before = works.read("k/saxpy.ptx");
    const ProgramRun run = works.run(joined(joined(analyze_all, {"--output", "k/saxpy.ptx"}), more));
    CHECK(run.status == 2);
    CHECK(contains(run.err, "'k/saxpy.ptx' is one of the files that were read"));
    CHECK(works.read("k/saxpy.ptx") == before);
  }
}

TEST_CASE("what is kept makes the same report, for one process and for several") {
  const Works works;
  for (const Words& words : {check_all, analyze_all, compare_all}) {
    const ProgramRun whole = works.run(words);
    check_same(works.run(joined(joined(words, kept_there), {"--jobs", "1"})), whole);
    const size_t kept = works.kept().size();
    CHECK(kept > 4);
    for (const char* jobs : {"1", "4"}) {
      check_same(works.run(joined(joined(words, kept_there), {"--jobs", jobs})), whole);
      CHECK(works.kept().size() == kept);
    }
  }
  const size_t kept = works.kept().size();
  check_same(works.run(check_all, {"WARPSPAN_CACHE=other"}), works.run(check_all));
  CHECK(fs::exists(works.path("other")));
  CHECK(works.kept().size() == kept);
}

TEST_CASE("a result that is kept is never used where an input or an option differs") {
  const Works works;
  using Change = std::function<void()>;
  const auto in = [&](const char* name, const char* old, const char* text) -> Change {
    return [&works, name, old, text] { works.replace(name, old, text); };
  };
  // One after the other: each run finds what those before have kept.
  const std::vector<std::pair<Change, Words>> changes = {
      {{}, {}},
      {in("facts.toml", "64", "65"), {}},
      {in("my.toml", "sm_80\"]", "sm_80\"]\nmultiprocessors = 7"), {}},
      {in("matmul_tiled.cu", "for", "/**/ for"), {}},
      {in("k/saxpy.ptx", "ld.global", "ld.volatile.global"), {}},
      {in("k/spmv.ptx", "$L__BB0_3", "$L__BB0_33"), {}},
      {in("k/empty.ptx", "64", "64\n.visible .entry f() { ret; }"), {}},
      {in("k/broken.ptx", "addd.u32;", "ret;"), {}},
      {in("budgets.toml", "128", "96"), {}},
      {in("budgets.toml", "3 = 1000", "3 = 1001"), {}},
      {in("budgets.toml", "grid = 8", "grid = 9"), {}},
      {in("budgets.toml", "3 = 64", "3 = 48"), {}},
      {in("budgets.toml", "max = \"1 s\"", "max_registers = 9\nmax = \"1 s\""), {}},
      {in("budgets.toml", "[defaults]", "\n\n[defaults]"), {}},
      {[&] { fs::remove(works.path("k/divergent.ptx")); }, {}},
      {[&] { fs::remove(works.path("matmul_tiled.cu")); }, {}},
      {[&] { fs::create_directory(works.path("matmul_tiled.cu")); }, {}},
      {{}, {"--assume", "usual"}},
      {{}, {"--assume", "all"}},
      {{}, {"--assume", "in-order"}},
      {{}, {"--ptxas-log", "ptxas.log"}},
      {in("ptxas.log", "30", "31"), {"--ptxas-log", "ptxas.log"}},
      {{}, {"--ratchet", "3%"}},
      {{}, {"--simulate", "never"}},
      {{}, {"--explain"}},
      {{}, {"--format", "html"}},
      {{}, {"--format", "text"}},
      {{}, {"k/saxpy.ptx"}},
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    INFO("change " << i);
    const auto& [change, words] = changes[i];
    if (change) change();
    const ProgramRun whole = works.run(joined(check_all, words));
    check_same(works.run(joined(joined(check_all, words), kept_there)), whole);
    check_same(works.run(joined(joined(check_all, words), kept_there)), whole);
  }
}

TEST_CASE("an analysis that is kept is never used where an option differs") {
  const Works works;
  const std::vector<Words> options = {{},
                                      {"--block", "64"},
                                      {"--grid", "7"},
                                      {"--registers", "32"},
                                      {"--shared", "4096"},
                                      {"--interference", "0.25"},
                                      {"--trust-initialisers"},
                                      {"--machine", "orin"},
                                      {"--machine", "my.toml"},
                                      {"--assume", "usual"},
                                      {"--model", "all", "--time-limit", "0"},
                                      {"--arch", "sm_80"},
                                      {"--ptx"},
                                      {"--machine-code"},
                                      {"--unknown-opcodes", "worst"},
                                      {"--kernel", "saxpy"},
                                      {"--arg", "3=100"},
                                      {"--buffer", "0=4096"},
                                      {"--loop-bound", "$L__BB0_3=5"},
                                      {"--facts", "facts.toml"},
                                      {"--simulate", "full"},
                                      {"--ptxas-log", "ptxas.log"},
                                      {"--format", "text"},
                                      {"--format", "text", "--explain"},
                                      {"--explain"},
                                      {"--format", "html"}};
  for (const char* files : {"k", "k/spmv.ptx"}) {
    for (const Words& option : options) {
      const Words words = joined({"analyze", files, "--block", "128", "--format", "json"}, option);
      INFO(files << (option.empty() ? "" : " " + option.front()));
      const auto bounds_of = [&](const Words& more) {
        ProgramRun run = works.run(joined(words, more));
        // How long a search took is no result.
        for (size_t at = 0; (at = run.out.find("\"seconds\": ", at)) != std::string::npos; ++at) {
          run.out.erase(at + 11, run.out.find('\n', at) - at - 11);
        }
        return run;
      };
      const ProgramRun whole = bounds_of({});
      check_same(bounds_of(kept_there), whole);
      check_same(bounds_of(kept_there), whole);
    }
  }
}

TEST_CASE("a result that is kept is never used where a word means other files by now") {
  const Works works;
  fs::create_directory(works.path("one"));
  works.write("one/a.ptx", works.read("k/saxpy.ptx"));
  const std::vector<Words> all = {{"analyze", "one", "--block", "128"},
                                  {"analyze", "one", "--block", "128", "--arg", "3=1000"},
                                  {"analyze", "one/*.ptx", "--block", "128", "--kernel", "saxpy"}};
  const auto check_all_same = [&] {
    for (const Words& words : all) {
      const ProgramRun whole = works.run(words);
      check_same(works.run(joined(words, kept_there)), whole);
      check_same(works.run(joined(words, kept_there)), whole);
    }
  };
  check_all_same();
  works.write("one/b.ptx", works.read("k/spmv.ptx"));
  check_all_same();
  fs::remove(works.path("one/a.ptx"));
  check_all_same();
}

TEST_CASE("what is broken in the folder is made anew, and a note says so") {
  const Works works;
  const ProgramRun whole = works.run(check_all);
  static_cast<void>(works.run(joined(check_all, kept_there)));
  Random random(1);
  for (const fs::path& entry : works.kept()) {
    std::string bytes = read_file(entry);
    const size_t at = static_cast<size_t>(below(random, static_cast<int64_t>(bytes.size())));
    if (below(random, 2) == 0) {
      bytes.resize(at);
    } else {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8)));
    }
    write_file(entry, bytes);
  }
  const ProgramRun again = works.run(joined(joined(check_all, kept_there), {"--jobs", "1"}));
  CHECK(again.status == whole.status);
  CHECK(again.out == whole.out);
  CHECK(again.err.starts_with(whole.err));
  CHECK(contains(again.err, "entries were broken and were made anew"));
  check_same(works.run(joined(check_all, kept_there)), whole);
}

TEST_CASE("runs that are killed, and runs side by side, leave what others can use") {
  const Works works;
  const ProgramRun whole = works.run(check_all);
  Random random(2);
  works.write("report", whole.out);
  for (int round = 0; round < 50; ++round) {
    if (round % 3 == 0) fs::remove_all(works.path("cache"));  // there is something to keep
    std::array<pid_t, 2> runs{};
    for (pid_t& run : runs) {
      run = ::fork();
      REQUIRE(run >= 0);
      if (run == 0) {
        const int nowhere = ::open("/dev/null", O_RDWR);
        become_program(joined(joined(check_all, kept_there), {"--output", "report"}),
                       {.input = "", .folder = works.path("")}, nowhere, nowhere, nowhere);
      }
    }
    ::usleep(static_cast<useconds_t>(below(random, 300'000)));
    ::kill(runs[0], SIGKILL);
    if (round % 2 == 0) ::kill(runs[1], SIGKILL);
    for (const pid_t run : runs) static_cast<void>(wait_for(run));
    INFO("round " << round);
    CHECK(works.read("report") == whole.out);
    check_same(works.run(joined(check_all, kept_there)), whole);
  }
}

TEST_CASE("a folder that cannot be written is an error") {
  const Works works;
  for (const Words& words : {check_all, analyze_all, compare_all}) {
    const ProgramRun run = works.run(joined(words, {"--cache", "facts.toml"}));
    CHECK(run.status == 2);
    CHECK(contains(run.err, "--cache: cannot write the folder 'facts.toml'"));
  }
}

namespace {

// Of so many shards and in short as in full, in every format; but for pages, which need what only full shards have.
void check_merged(const Works& works, const Words& command, size_t shards, const std::vector<std::string>& formats) {
  for (const Words& more : {Words{}, Words{"--explain"}}) {
    const Words whole = joined(command, more);
    write_shards(works, whole, shards);
    for (const std::string& format : formats) {
      INFO(shards << " " << format);
      const Words shown = {"--format", format};
      const ProgramRun merged = works.run(joined(joined({"merge"}, shard_names(shards)), shown));
      if (format == "html" && more.empty()) {
        check_has_no_page(merged);
      } else {
        check_same(merged, works.run(joined(whole, shown)));
      }
    }
  }
}

}  // namespace

TEST_CASE("shards of a check make the report of one run, in every format") {
  const Works works;
  const Words gate = {"check", "k", "--budgets", "budgets.toml", "--fail-on-unused"};
  for (const size_t of : {1, 2, 5}) check_merged(works, gate, of, check_format_names());
}

TEST_CASE("shards of an analysis make the report of one run") {
  const Works works;
  const auto formats = warpspan::app::names_of(warpspan::app::forms_of(warpspan::app::analyze_formats));
  for (const size_t of : {1, 3}) check_merged(works, {"analyze", "k", "--block", "128"}, of, formats);
  CHECK(works.run({"merge", "shard1", "shard2", "shard3", "--output", "all.html"}).err ==
        works.run({"analyze", "k", "--block", "128", "--explain", "--output", "whole.html"}).err);
  CHECK(works.read("all.html") == works.read("whole.html"));
  const ProgramRun facts = works.run({"analyze", "k", "--block", "128", "--arg", "3=5", "--shard", "1/2"});
  CHECK(facts.status == 2);
  CHECK(contains(facts.err, "--shard: --kernel, facts and --model string are about all files together"));
}

TEST_CASE("a gate of shards passes where that of one run does, and only there") {
  const Works works;
  const Words gate = {"check", "--budgets", "budgets.toml"};
  works.write("budgets.toml",
              "[[budget]]\nkernel = \"saxpy\"\nfile = \"k/saxpy.ptx\"\nblock = 128\ngrid = 4\nargs = { 3 = 1000 }\nmax "
              "= \"1 s\"\n"
              "[[budget]]\nkernel = \"transpose*\"\nfile = \"k/transpose.ptx\"\nblock = [32, 8]\nmax = \"1 s\"\n");
  write_shards(works, gate, 2);
  CHECK(works.run({"merge", "shard1", "shard2"}).status == 0);
  works.replace("budgets.toml", "[32, 8]\nmax = \"1 s\"", "[32, 8]\nmax = \"1 ns\"");
  write_shards(works, gate, 2);
  CHECK(works.run({"merge", "shard1", "shard2"}).status == 1);
}

TEST_CASE("mutants: whatever a gate limits fails it in each way of a run, also where a pass was kept") {
  const Works works;
  const std::string data = source_dir() + "/tests/machine_code/data/saxpy.sm_80.O3.cubin";
  works.write("code/a.cubin", read_file(data));
  works.write("code/b.cubin", read_file(data));
  const auto entry = [](const std::string& file) {
    return "[[budget]]\nkernel = \"saxpy\"\nfile = \"code/" + file +
           ".cubin\"\nblock = 256\ngrid = 4\nargs = { 3 = 4096 }\n";
  };
  const std::string holds = "max = \"1 s\"\nexpect = \"1 s\"\nmax_registers = 255\n";
  Words gate = {"check", "--budgets", "budgets.toml", "--format", "json"};
  const auto check_each_way = [&](int status, const std::string& verdict) {
    const Words whole = joined(gate, {"--jobs", "1"});
    for (const Words& way : {Words{}, Words{"--jobs", "3"}, kept_there, joined(kept_there, {"--jobs", "3"})}) {
      const ProgramRun run = works.run(joined(gate, way));
      INFO(run.err);
      CHECK(run.status == status);
      CHECK(contains(run.out, "\"status\": \"" + verdict + "\""));
      check_same(run, works.run(whole));
    }
    write_shards(works, gate, 2);
    const ProgramRun merged = works.run({"merge", "shard2", "shard1", "--format", "json"});
    CHECK(merged.status == status);
    CHECK(contains(merged.out, "\"status\": \"" + verdict + "\""));
  };
  works.write("budgets.toml", entry("a") + holds + entry("b") + holds);
  check_each_way(0, "pass");
  for (const auto& [limit, broken, verdict] : {std::array{"max = \"1 s\"", "max = \"1 ns\"", "over"},
                                               {"expect = \"1 s\"", "expect = \"1 ns\"", "slower"},
                                               {"max_registers = 255", "max_registers = 1", "over"}}) {
    INFO(broken);
    std::string wrong = holds;
    wrong.replace(wrong.find(limit), std::string(limit).size(), broken);
    works.write("budgets.toml", entry("a") + holds + entry("b") + wrong);
    check_each_way(1, verdict);
  }
  works.write("budgets.toml", entry("a") + holds + entry("b") + holds);
  REQUIRE(works.run(joined(gate, {"--baseline", "base.json", "--update-baseline"})).status == 0);
  gate = joined(gate, {"--baseline", "base.json", "--fail-on-growth", "0%"});
  check_each_way(0, "pass");
  auto base = nlohmann::json::parse(works.read("base.json"));
  auto& registers = base.at("kernels")[1].at("registers");
  registers = registers.get<int64_t>() - 1;
  works.write("base.json", base.dump());
  check_each_way(1, "grew");
}

TEST_CASE("shards that do not make one run are refused") {
  const Works works;
  const Words gate = {"check", "k", "--budgets", "budgets.toml"};
  const auto refused = [&](const Words& shards, const std::string& reason) {
    const ProgramRun run = works.run(joined({"merge"}, shards));
    INFO(run.err);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, reason));
  };
  write_shards(works, gate, 3);
  refused({}, "no shard is given");
  refused({"shard1", "shard3"}, "shard 2 of 3 is missing");
  refused({"shard1", "shard2", "shard3", "shard2"}, "shard 2 is there twice");
  refused({"shard1", "shard2", "none"}, "cannot read 'none'");
  refused({"shard1", "shard2", "budgets.toml"}, "this is no shard of a run");
  fs::rename(works.path("shard2"), works.path("before"));
  // Another budget, option or file.
  works.replace("budgets.toml", "1 ns", "2 ns");
  write_shards(works, gate, 3);
  refused({"shard1", "before", "shard3"}, "is of another run than");
  write_shards(works, joined(gate, {"--ratchet", "3%"}), 3);
  fs::rename(works.path("shard2"), works.path("before"));
  write_shards(works, gate, 3);
  refused({"shard1", "before", "shard3"}, "is of another run than");
  fs::rename(works.path("shard2"), works.path("before"));
  works.write("k/new.ptx", works.read("k/saxpy.ptx"));
  write_shards(works, gate, 3);
  refused({"shard1", "before", "shard3"}, "is of another run than");
  for (const char* option : {"--update", "--stamp=s", "--format=text", "--report=json=r"}) {
    const ProgramRun run = works.run(joined(gate, {"--shard", "1/2", option}));
    CHECK(run.status == 2);
    CHECK(contains(run.err, "--shard and --"));
  }
}
