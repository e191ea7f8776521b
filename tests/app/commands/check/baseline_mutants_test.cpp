// SPDX-License-Identifier: GPL-3.0-or-later
// The gate's contract with a baseline: whatever grew is told or fails, and a baseline that is not of this check is
// never taken for one.
#include "tests/app/commands/check_gate.hpp"

namespace {

using namespace warpspan::test;
using Json = nlohmann::json;

const std::vector<std::string> held = {"--baseline", "base.json", "--fail-on-growth", "0%"};

// With a limit far above the bound: only the baseline can fail it.
class KeptGate : public Gate {
 public:
  KeptGate() : KeptGate("k.ptx", "samples/spmv.ptx", "spmv", "block = 128\nloop_bounds = { \"$L__BB0_3\" = 64 }\n") {}

  KeptGate(const std::string& file, const std::string& stored, const std::string& kernel, const std::string& keys)
      : Gate(file, stored, kernel, keys) {
    replace("budgets.toml", "max = \"", "max = \"1 s\" # \"");
    const ProgramRun first = run({"--baseline", "base.json", "--update-baseline"});
    INFO(first.err);
    REQUIRE(first.status == 0);
  }

  // Another number in the baseline, and in its lines the rest of it, so that they still add up.
  void set(const std::string& figure, int64_t value) const {
    Json base = Json::parse(read("base.json"));
    Json& kernel = base.at("kernels")[0];
    if (figure == "bound" || figure == "expected") {
      Json line = {{"file", ""}, {"line", 0}, {"text", "no instruction"}, {"bound", 0}, {"expected", 0}};
      line[figure] = value;
      const std::string other = figure == "bound" ? "expected" : "bound";
      if (!kernel.at(other).is_null()) line[other] = kernel.at(other);
      kernel["lines"] = Json::array({line});
    }
    kernel[figure] = value;
    write("base.json", base.dump());
  }
  int64_t get(const std::string& figure) const {
    return Json::parse(read("base.json")).at("kernels")[0].at(figure).get<int64_t>();
  }
};

class KeptCode : public KeptGate {
 public:
  KeptCode()
      : KeptGate("k.cubin", "tests/machine_code/data/saxpy.sm_80.O3.cubin", "saxpy",
                 "block = 256\ngrid = 4\nargs = { 3 = 4096 }\n") {}
};

}  // namespace

TEST_CASE("mutants of a baseline: the gates that they are made of hold") {
  KeptGate().check_passes(held);
  KeptCode().check_passes(held);
}

TEST_CASE("mutants of a baseline: each figure that is one more than it was, and the edge of what is allowed") {
  const KeptCode gate;
  for (const char* figure : {"bound", "usual", "expected", "registers", "constant"}) {
    INFO(figure);
    const KeptCode own;
    const int64_t now = own.get(figure);
    REQUIRE(now > 1);
    own.set(figure, now - 1);
    own.check_fails(1, "grew", held, {"text", "markdown"});
    own.set(figure, now + 1);
    own.check_passes(held);
    // 2 n is n and 100 % more; one less is not.
    own.set(figure, now / 2 + now % 2);
    CHECK(own.run({"--baseline", "base.json", "--fail-on-growth", "100%"}).status == 0);
    own.set(figure, (now - 1) / 2);
    CHECK(own.run({"--baseline", "base.json", "--fail-on-growth", "100%"}).status == 1);
  }
  const KeptGate ptx;
  ptx.set("bound", ptx.get("bound") - 1);
  ptx.check_fails(1, "grew", held);
}

TEST_CASE("mutants of a baseline: a kernel that is slower, or has more registers") {
  const KeptCode code;
  std::string cubin = code.read("k.cubin");
  for (size_t word = 0; word < 22; ++word) {
    const size_t at = 1792 + word * 16 + 13;
    cubin[at] = static_cast<char>(static_cast<unsigned char>(cubin[at]) | 0x1eU);
  }
  code.write("k.cubin", cubin);
  code.check_fails(1, "Grew most: ", held, {"junit", "sarif", "github", "markdown"});
  const KeptGate loop;
  loop.replace("k.ptx", "\tret;", "\tmembar.gl;\n\tret;");
  loop.check_fails(1, "Grew most: ", held, {"junit", "sarif", "github", "markdown"});
  const KeptCode other;
  other.write("k.cubin", read_file(source_dir() + "/tests/machine_code/data/saxpy.sm_80.O1.cubin"));
  CHECK(other.run(held).status != 0);
}

TEST_CASE("mutants of a baseline: one of another machine, launch, version or check is never silent") {
  struct Change {
    std::string file, old, text, reason;
  };
  const std::vector<Change> changes = {
      {"budgets.toml", "\"ampere\"", "\"turing\"", "on machine 'ampere'"},
      {"budgets.toml", "block = 128", "block = 256", "block 128"},
      {"budgets.toml", "= 64", "= 65", "loop bound 64 then, loop bound 65 now"},
      {"budgets.toml", "block = 128", "block = 128\nassume = \"warm-code\"", "warm-code now"},
      {"budgets.toml", "block = 128", "block = 128\ngrid = 2", "grid 2 now"},
      {"budgets.toml", "block = 128", "block = 128\ninterference = 0.1", "interference 0.1 now"},
      {"base.json", "\"machine_sha256\":\"", "\"machine_sha256\":\"0", "the figures of machine 'ampere'"},
      {"base.json", "\"version\": \"", "\"version\": \"0.0.", "the baseline is of warpspan 0.0."},
      {"base.json", "\"kernel\":\"spmv\"", "\"kernel\":\"other\"", "it is not in the baseline"},
  };
  for (const Change& change : changes) {
    INFO(change.reason);
    const KeptGate gate;
    gate.replace(change.file, change.old, change.text);
    gate.check_fails(2, change.reason, held, {"json", "github"});  // no line is wrapped
    const ProgramRun told = gate.run({"--baseline", "base.json"});
    INFO(told.err);
    CHECK(told.status == 0);
    CHECK(contains(told.err, change.reason));
  }
  const KeptGate other;
  other.write("base.json", KeptCode().read("base.json"));
  other.check_fails(2, "it is not in the baseline", held, {"text"});
  const ProgramRun told = other.run({"--baseline", "base.json"});
  CHECK(contains(told.err, "'saxpy' of k.cubin"));
}

TEST_CASE("mutants of a baseline: text that is damaged decides nothing") {
  const KeptGate gate;
  const std::string text = gate.read("base.json");
  for (size_t length = 0; length < text.size() - 3; length += text.size() / 20) {
    INFO(length);
    gate.write("base.json", text.substr(0, length));
    CHECK(gate.run(held).status == 2);
    CHECK(gate.run({"--baseline", "base.json"}).status == 2);
  }
  gate.write("base.json", text);
  gate.replace("base.json", "\"bound\":1", "\"bound\":2");
  gate.check_fails(2, "do not add up", {"--baseline", "base.json"});
  gate.write("base.json", text);
  gate.replace("base.json", "]}\n", "=======\n]}\n");
  gate.check_fails(2, "not a JSON file", {"--baseline", "base.json"});
  gate.remove("base.json");
  gate.check_fails(2, "No such file or directory", {"--baseline", "base.json"});
  gate.write("base.json", "{\"schema\": \"warpspan.check/2\"}");
  gate.check_fails(2, "expected a baseline", {"--baseline", "base.json"});
}

TEST_CASE("mutants of a baseline: nothing but a baseline is written over") {
  const KeptGate gate;
  const std::string ptx = gate.read("k.ptx"), budgets = gate.read("budgets.toml");
  for (const char* option : {"--update", "--update-baseline"}) {
    CHECK(gate.run({"--baseline", "k.ptx", option}).status == 2);
    CHECK(gate.run({"--baseline", "budgets.toml", option}).status == 2);
    CHECK(gate.run({"--baseline", "no/folder/base.json", "--update-baseline"}).status == 2);
    CHECK(gate.run({"--baseline", "new.json", "--output", "new.json", option}).status == 2);
  }
  CHECK(gate.read("k.ptx") == ptx);
  CHECK(gate.read("budgets.toml") == budgets);
}

TEST_CASE("mutants of a baseline: files and kernels that moved") {
  const KeptGate renamed;
  std::filesystem::rename(renamed.path("k.ptx"), renamed.path("moved.ptx"));
  renamed.replace("budgets.toml", "k.ptx", "moved.ptx");
  renamed.check_passes(held);
  renamed.replace("moved.ptx", "\tret;", "\tmembar.gl;\n\tret;");
  renamed.check_fails(1, "grew", held);
  // A second file with the kernel is another kernel, not the one that moved.
  const KeptGate second;
  second.write("l.ptx", second.read("k.ptx"));
  second.replace("budgets.toml", "file = \"k.ptx\"", "file = [\"k.ptx\", \"l.ptx\"]");
  second.check_fails(2, "it is not in the baseline", held, {"text", "json"});
  // One that is gone is told.
  const KeptGate gone;
  gone.append("k.ptx", "\n.visible .entry more() { ret; }\n");
  gone.append("budgets.toml",
              "[[budget]]\nkernel = \"mor*\"\nfile = \"k.ptx\"\nmachine = \"ampere\"\nblock = 32\nmax = \"1 s\"\n");
  gone.check_fails(2, "it is not in the baseline", held, {"text"});
  REQUIRE(gone.run({"--baseline", "base.json", "--update-baseline"}).status == 0);
  gone.replace("budgets.toml", "\"mor*\"", "\"spm*\"");
  const ProgramRun told = gone.run({"--baseline", "base.json"});
  CHECK(contains(told.err, "nothing was checked of: 'more'"));
}

TEST_CASE("mutants of a baseline: a figure that is no longer known") {
  const KeptCode expected;
  expected.check_fails(2, "not known", {"--baseline", "base.json", "--fail-on-growth", "0%", "--simulate", "never"},
                       {"text"});
  const KeptGate log;
  log.write("ptxas.log",
            "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'spmv' for 'sm_80'\nptxas info    "
            ": Function properties for spmv\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas "
            "info    : Used 32 registers, used 0 barriers, 392 bytes cmem[0]\n");
  REQUIRE(log.run({"--baseline", "base.json", "--update-baseline", "--ptxas-log", "ptxas.log"}).status == 0);
  log.check_fails(2, "not known", held, {"text"});
}
