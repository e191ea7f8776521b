// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan check --baseline: a miss says what grew, at lines of the project's own files.
#include "tests/app/commands/check_gate.hpp"

namespace {

using namespace warpspan::test;
using Json = nlohmann::json;

// A gate over a kernel with code that is inlined from a header of the project and from one of the toolkit.
class EdgeGate : public Gate {
 public:
  EdgeGate() : Gate("k.ptx", "tests/samples/gate/edge.ptx", "sobel", "block = 256\ngrid = 16\nargs = { 2 = 4096 }\n") {
    for (const char* file : {"edge.cu", "helper.cuh"})
      write(file, read_file(source_dir() + "/tests/samples/gate/" + file));
    std::string ptx = read("k.ptx");
    const std::string folder = std::filesystem::canonical(path(".")).string();
    for (size_t at = ptx.find("@ROOT@"); at != std::string::npos; at = ptx.find("@ROOT@")) ptx.replace(at, 6, folder);
    write("k.ptx", ptx);
    const ProgramRun first = run({"--update", "--baseline", "base.json"});
    INFO(first.err);
    REQUIRE(first.status == 0);
  }

  // Twice the atomics, on one line.
  void grow() const {
    replace("k.ptx", "atom.global.add.u32 \t%r16, [%rd4], %r15;",
            "atom.global.add.u32 \t%r16, [%rd4], %r15;\n\tatom.global.add.u32 \t%r16, [%rd4], %r15;");
  }

  Json json(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {"--baseline", "base.json", "--explain", "--format", "json"});
    return Json::parse(run(words).out);
  }
};

Json sarif_result(const EdgeGate& gate) {
  return Json::parse(gate.run({"--baseline", "base.json", "--format", "sarif"}).out).at("runs")[0].at("results")[0];
}

}  // namespace

TEST_CASE("a baseline is written by an update, the same each time, and changes nothing of a check that passes") {
  const EdgeGate gate;
  const std::string text = gate.read("base.json");
  CHECK(contains(text, "\n {\"file\":\"edge.cu\",\"line\":9,"));
  CHECK(contains(text, "\"file\":\"k.ptx\""));
  CHECK(contains(text, "\"options\":[\"block 256\",\"grid 16\",\"argument 2 = 4096\",\"target sm_80\"]"));
  CHECK_FALSE(contains(text, "device_atomic_functions"));
  gate.check_passes({"--baseline", "base.json"});
  REQUIRE(gate.run({"--update", "--baseline", "base.json"}).status == 0);
  CHECK(gate.read("base.json") == text);
  REQUIRE(gate.run({"--update-baseline", "--baseline", "base.json"}).status == 0);
  CHECK(gate.read("base.json") == text);
  const Json since = gate.json().at("results")[0].at("since");
  CHECK(since.at("unknown") == "");
  CHECK(since.at("figures")[0].at("before") == since.at("figures")[0].at("after"));
  CHECK(since.at("lines").empty());
}

TEST_CASE("a miss says what grew most, in each format, at the line that calls inlined code") {
  const EdgeGate gate;
  gate.grow();
  gate.check_fails(1, "edge.cu:10 +", {"--baseline", "base.json"}, {"text", "junit", "sarif", "github", "markdown"});
  const Json since = gate.json().at("results")[0].at("since");
  const Json grown = since.at("lines")[0];
  CHECK(grown.at("file") == "edge.cu");
  CHECK(grown.at("line_after") == 10);
  CHECK(grown.at("text") == "atomicAdd(out, v);");
  CHECK(grown.at("after") > grown.at("before"));
  const std::string github = gate.run({"--baseline", "base.json", "--format", "github"}).out;
  INFO(github);
  CHECK(contains(github, "::error file=edge.cu,line=10,title=sobel is "));
  CHECK(contains(github, " over its budget::"));
  CHECK(contains(github, "Grew most: edge.cu:10 +"));
  CHECK(contains(gate.run({"--baseline", "base.json"}).out, "since the baseline  "));
  CHECK(contains(gate.run({"--baseline", "base.json", "--format", "markdown"}).out, "### Since the baseline"));
}

TEST_CASE("places are of the project's files, from its root, wherever the check runs") {
  const EdgeGate gate;
  gate.grow();
  const Json result = sarif_result(gate);
  const auto uri = [](const Json& place) {
    return place.at("physicalLocation").at("artifactLocation").at("uri").get<std::string>();
  };
  CHECK(uri(result.at("locations")[0]) == "edge.cu");
  CHECK(result.at("locations")[0].at("physicalLocation").at("region").at("startLine") == 10);
  std::vector<std::string> related;
  for (const Json& one : result.at("relatedLocations")) related.push_back(uri(one));
  CHECK(related.front() == "k.ptx");
  CHECK(related.back() == "budgets.toml");
  // From the folder above, with the checkout's top as the root.
  std::filesystem::create_directories(gate.path("sub/.."));
  Surroundings elsewhere;
  elsewhere.folder = gate.path("sub");
  const ProgramRun run = run_warpspan(
      {"check", "--budgets", "../budgets.toml", "--baseline", "../base.json", "--format", "github"}, elsewhere);
  INFO(run.out + run.err);
  CHECK(contains(run.out, "::error file=edge.cu,line=10,"));
  // A root that has none of the sources: the line of the kernel itself that calls, in its own path.
  std::filesystem::create_directories(gate.path("other"));
  const Json lines = Json::parse(gate.run({"--explain", "--format", "json", "--source-root", "other"}).out)
                         .at("results")[0]
                         .at("lines");
  for (const Json& line : lines) {
    INFO(line.dump());
    CHECK(line.at("file").get<std::string>().ends_with("/edge.cu"));
  }
}

TEST_CASE("analyze tells code that is inlined from the toolkit at the line that calls it, wherever it runs") {
  const EdgeGate gate;
  for (const std::string& folder : {gate.path("."), source_dir()}) {
    Surroundings there;
    there.folder = folder;
    const ProgramRun run = run_warpspan({"analyze", gate.path("k.ptx"), "--block", "256", "--grid", "16", "--arg",
                                         "2=4096", "--explain", "--format", "json"},
                                        there);
    INFO(folder << run.err);
    const Json kernel = Json::parse(run.out).at("kernels")[0];
    std::set<std::string> files;
    for (const Json& line : kernel.at("lines"))
      files.insert(std::filesystem::path(line.at("file").get<std::string>()).filename());
    CHECK(files == std::set<std::string>{"edge.cu", "helper.cuh"});
    REQUIRE_FALSE(kernel.at("accesses").empty());
    for (const Json& access : kernel.at("accesses")) CHECK_FALSE(contains(access.dump(), "device_atomic_functions"));
  }
}

TEST_CASE("inlined code of the project's own headers is told where it stands, also of machine code") {
  const EdgeGate gate;
  const Json lines = gate.json().at("results")[0].at("lines");
  bool has_helper = false;
  for (const Json& line : lines) has_helper |= line.at("file").get<std::string>().ends_with("helper.cuh");
  CHECK(has_helper);
  const Gate code("k.cubin", "tests/frontend/object/data/inlined.sm_80.cubin", "inlined", "block = 64\n");
  code.update();
  const auto files = [&code](const std::vector<std::string>& words) {
    std::set<std::string> all;
    std::vector<std::string> with_format = {"--explain", "--format", "json"};
    with_format.insert(with_format.end(), words.begin(), words.end());
    const Json report = Json::parse(code.run(with_format).out);
    for (const Json& line : report.at("results")[0].at("lines")) all.insert(line.at("file").get<std::string>());
    return all;
  };
  std::filesystem::create_directories(code.path("other"));
  CHECK(files({}) == std::set<std::string>{"inlined.cu", "inlined.cuh"});
  CHECK(files({"--source-root", "other"}) == std::set<std::string>{"inlined.cu"});
}

TEST_CASE("what grew by more than allowed fails, within its budget too") {
  const EdgeGate gate;
  gate.replace("budgets.toml", "max = \"", "max = \"1 s\" # \"");
  gate.check_passes({"--baseline", "base.json", "--fail-on-growth", "0%"});
  gate.grow();
  gate.check_passes({"--baseline", "base.json"});
  gate.check_fails(1, "grew", {"--baseline", "base.json", "--fail-on-growth", "0.1%"});
  gate.check_passes({"--baseline", "base.json", "--fail-on-growth", "100%"});
  const Json limit = gate.json({"--fail-on-growth", "0.1%"}).at("results")[0].at("limits")[1];
  CHECK(limit.at("since_baseline") == true);
  CHECK(limit.at("status") == "grew");
  // Without a limit in the budgets, growth alone is one.
  gate.replace("budgets.toml", "max = ", "# max = ");
  gate.check_fails(2, "limits nothing", {"--baseline", "base.json"});
  gate.check_fails(1, "grew", {"--baseline", "base.json", "--fail-on-growth", "0.1%"});
}

TEST_CASE("the baseline is written anew on its own only where the check passes") {
  const EdgeGate gate;
  const std::string budgets = gate.read("budgets.toml"), before = gate.read("base.json");
  gate.grow();
  CHECK(gate.run({"--baseline", "base.json", "--update-baseline"}).status == 1);
  CHECK(gate.read("base.json") == before);
  const ProgramRun failed = gate.run({"--baseline", "base.json", "--update-baseline", "--format", "json"});
  CHECK(Json::parse(failed.out).at("run").is_null());  // there is nothing to repeat
  gate.replace("budgets.toml", "max = \"", "max = \"1 s\" # \"");
  const ProgramRun written = gate.run({"--baseline", "base.json", "--update-baseline", "--format", "json"});
  CHECK(written.status == 0);
  CHECK(gate.read("base.json") != before);
  gate.write("report.json", written.out);
  Surroundings around;
  around.folder = gate.path(".");
  const ProgramRun again = run_warpspan({"rerun", "report.json"}, around);
  INFO(again.out + again.err);
  CHECK(again.status == 0);
  CHECK(gate.read("budgets.toml") != budgets);
  gate.check_passes({"--baseline", "base.json", "--fail-on-growth", "0%"});
}

TEST_CASE("options of a baseline that contradict each other are refused") {
  const EdgeGate gate;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--fail-on-growth", "1%"},
                                             {"--update-baseline"},
                                             {"--baseline", "base.json", "--fail-on-growth", "1%", "--update"},
                                             {"--baseline", "base.json", "--fail-on-growth", "1%", "--update-baseline"},
                                             {"--baseline", "base.json", "--fail-on-growth", "-1%"},
                                             {"--baseline", "base.json", "--stamp", "base.json"},
                                             {"--resources"},
                                             {"--source-root", "nowhere"}}) {
    INFO(words.front() << " " << words.back());
    CHECK(gate.run(words).status == 2);
  }
}

TEST_CASE("rows of kernels that are called alike say in what they differ") {
  const EdgeGate gate;
  std::string other = gate.read("k.ptx");
  other.replace(other.find("sm_80"), 5, "sm_86");
  gate.write("l.ptx", other);
  gate.replace("budgets.toml", "file = \"k.ptx\"\nmachine = \"ampere\"", "file = [\"k.ptx\", \"l.ptx\"]");
  gate.replace("budgets.toml", "max = \"", "max = \"1 cycles\" # \"");
  for (const char* format : {"text", "junit", "sarif", "github", "markdown"}) {
    const std::string report = gate.run({"--format", format}).out;
    INFO(report);
    for (const char* word : {"k.ptx", "l.ptx", "sm_80", "sm_86"}) CHECK(contains(report, word));
  }
}

TEST_CASE("limits on registers and the like are written from machine code alone, and checked without a bound") {
  const Gate gate("k.cubin", "tests/frontend/object/data/kernels.sm_80.cubin", "*", "");
  gate.write("budgets.toml", "[[budget]]\nkernel = \"*\"\nfile = \"k.cubin\"\n");
  const ProgramRun first = gate.run({"--update", "--each", "--resources", "--baseline", "base.json"});
  INFO(first.err);
  REQUIRE(first.status == 0);
  const std::string budgets = gate.read("budgets.toml");
  INFO(budgets);
  CHECK(contains(budgets, "max_registers = "));
  CHECK(contains(budgets, "max_stack = 0"));
  CHECK(contains(budgets, "max_shared = "));
  CHECK(contains(budgets, "max_constant = 408"));  // sections .nv.constant0 and .nv.constant2 of 'chosen'
  CHECK_FALSE(contains(budgets, "max = "));
  gate.check_passes({"--baseline", "base.json", "--fail-on-growth", "0%", "--fail-on-unused"});
  const Json results = Json::parse(gate.run({"--format", "json"}).out).at("results");
  CHECK(results.size() == 3);
  for (const Json& one : results) CHECK(one.at("bound").is_null());
  // One entry for all kernels: what is not known of one of them, as spills where there is a stack, is not limited.
  gate.write("budgets.toml", "[[budget]]\nkernel = \"*\"\nfile = \"k.cubin\"\n");
  REQUIRE(gate.run({"--update", "--resources"}).status == 0);
  INFO(gate.read("budgets.toml"));
  CHECK_FALSE(contains(gate.read("budgets.toml"), "max_spill"));
  CHECK(contains(gate.read("budgets.toml"), "max_stack = 32"));
  gate.replace("budgets.toml", "max_registers = ", "max_registers = 1 # ");
  gate.check_fails(1, "registers");
}

TEST_CASE("a table of base against change for what grew") {
  const Gate gate("k.cubin", "tests/frontend/object/data/kernels.sm_80.cubin", "shared_sum", "");
  gate.write("budgets.toml", "[[budget]]\nkernel = \"shared_sum\"\nfile = \"k.cubin\"\nmax_registers = 255\n");
  REQUIRE(gate.run({"--update-baseline", "--baseline", "base.json"}).status == 0);
  gate.replace("base.json", "\"registers\":", "\"registers\":8,\"label\":\"\",\"x\":");
  std::string base = gate.read("base.json");
  base.erase(base.find(",\"label\":\"\",\"x\":"), base.find(",\"spill\"") - base.find(",\"label\":\"\",\"x\":"));
  gate.write("base.json", base);
  const std::string markdown = gate.run({"--baseline", "base.json", "--format", "markdown"}).out;
  INFO(markdown);
  CHECK(contains(markdown, "| <code>shared_sum</code> | registers | 8 | "));
  gate.check_fails(1, "registers", {"--baseline", "base.json", "--fail-on-growth", "10%"});
}
