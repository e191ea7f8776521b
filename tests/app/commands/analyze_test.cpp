// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of the program on real kernels: every key of the contract, with its type.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/app/run_program.hpp"

namespace {

using Json = nlohmann::json;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;

struct Sample {
  std::string file;
  std::vector<std::string> arguments;
};

const std::vector<Sample> samples = {
    {"samples/saxpy.ptx", {"--block", "256", "--grid", "4", "--arg", "3=4096"}},
    {"samples/matmul_tiled.ptx", {"--block", "16,16", "--arg", "3=64"}},
    {"samples/shuffle_sum.nvcc-sm_80.ptx", {"--block", "64", "--arg", "2=100"}},
    {"samples/fermi/table19.ptx", {"--block", "32"}},
};

ProgramRun analyze(const Sample& sample, const std::vector<std::string>& more, const char* time_limit = "0.1") {
  std::vector<std::string> arguments = {"analyze", sample.file, "--model", "all", "--time-limit", time_limit};
  arguments.insert(arguments.end(), sample.arguments.begin(), sample.arguments.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_warpspan(arguments);
}

bool is_count(const Json& value) { return value.is_number_unsigned() || (value.is_number_integer() && value >= 0); }

void check_extent(const Json& extent) {
  REQUIRE(extent.is_array());
  REQUIRE(extent.size() == 3);
  for (const Json& value : extent) CHECK((is_count(value) && value >= 1));
}

void check_bound(const Json& bound) {
  INFO(bound.dump());
  CHECK(std::set<std::string>{"string", "pipeline"}.count(bound.at("model")) == 1);
  CHECK(bound.at("method").is_string());
  CHECK((bound.at("makespan").is_null() || is_count(bound.at("makespan"))));
  CHECK(std::set<std::string>{"exact", "upper", "lower", "published"}.count(bound.at("kind")) == 1);
  REQUIRE(bound.at("safe").is_boolean());
  CHECK_FALSE((bound.at("makespan").is_null() && bound.at("safe")));
  CHECK_FALSE((bound.at("kind") == "lower" && bound.at("safe")));
  for (const Json& assumption : bound.at("assumptions")) CHECK(assumption.is_string());
  CHECK(bound.at("seconds").is_number());
  CHECK(std::set<std::string>{"optimal", "time-limit", "too-large", "overflow", "not-applicable"}.count(
            bound.at("status")) == 1);
  CHECK(bound.at("remark").is_string());
  int64_t sum = 0;
  for (const Json& part : bound.at("parts")) {
    CHECK(std::set<std::string>{"path", "code", "start", "resource", "dispatch", "rounding"}.count(part.at("kind")) ==
          1);
    const int64_t cycles = part.at("cycles");
    CHECK(cycles ==
          part.at("count").get<int64_t>() * part.at("demand").get<int64_t>() / part.at("servers").get<int64_t>());
    sum += cycles;
  }
  CHECK((bound.at("model") == "pipeline" ? sum == bound.at("makespan") : bound.at("parts").empty()));
}

void check_kernel(const Json& kernel, const Sample& sample) {
  CHECK(kernel.at("file") == sample.file);
  CHECK_FALSE(kernel.at("name").get<std::string>().empty());
  CHECK_FALSE(kernel.at("machine").get<std::string>().empty());
  check_extent(kernel.at("launch").at("block"));
  if (!kernel.at("launch").at("grid").is_null()) check_extent(kernel.at("launch").at("grid"));
  CHECK(kernel.at("launch").at("warps") >= 1);
  for (const char* unit : {"L", "C", "S"}) CHECK(is_count(kernel.at("instructions").at(unit)));
  CHECK_FALSE(kernel.at("string").get<std::string>().empty());
  CHECK(is_count(kernel.at("raw_edges")));
  for (const Json& loop : kernel.at("loops")) {
    CHECK(loop.at("label").is_string());
    CHECK(loop.at("line") >= 1);
    CHECK(loop.at("trip_count") >= 1);
    CHECK(loop.at("origin").is_string());
  }
  const Json& alone = kernel.at("single_warp");
  CHECK(alone.at("best") <= alone.at("average"));
  CHECK(alone.at("average") <= alone.at("worst"));
  REQUIRE_FALSE(kernel.at("bounds").empty());
  for (const Json& bound : kernel.at("bounds")) check_bound(bound);
  const Json& pipeline = kernel.at("bounds").at(0);
  CHECK(pipeline.at("model") == "pipeline");
  CHECK(pipeline.at("safe") == true);
  CHECK(pipeline.at("makespan") >= alone.at("worst"));
  const Json& witness = kernel.at("witness");
  CHECK((witness.is_null() || is_count(witness)));
  for (const Json& bound : kernel.at("bounds")) {
    if (witness.is_null() || bound.at("model") != "string" || bound.at("safe") == false) continue;
    CHECK(bound.at("makespan") >= witness);
  }
}

// The document with all seconds 0.
Json without_seconds(const std::string& text) {
  Json document = Json::parse(text);
  for (Json& kernel : document.at("kernels")) {
    for (Json& bound : kernel.at("bounds")) bound.at("seconds") = 0;
  }
  return document;
}

}  // namespace

TEST_CASE("the JSON of samples keeps the contract") {
  for (const Sample& sample : samples) {
    const ProgramRun run = analyze(sample, {"--explain", "--format", "json"});
    INFO(sample.file << "\n" << run.err);
    REQUIRE(run.status == 0);
    CHECK(run.err.empty());
    const Json document = Json::parse(run.out);
    CHECK(document.at("schema") == "warpspan.analyze/2");
    CHECK(document.at("errors") == Json::array());
    REQUIRE_FALSE(document.at("kernels").empty());
    for (const Json& kernel : document.at("kernels")) check_kernel(kernel, sample);
  }
}

TEST_CASE("errors are in the JSON and on standard error") {
  const ProgramRun run = run_warpspan({"analyze", "tests/samples/bad/unknown_opcode.ptx", "missing.ptx",
                                       "samples/fermi/table19.ptx", "--block", "32", "--explain", "--format", "json"});
  CHECK(run.status == 3);
  CHECK(warpspan::test::contains(run.err, "unknown_opcode.ptx:14:2: error: unknown opcode 'frobnicate'\n"));
  const Json document = Json::parse(run.out);
  CHECK_FALSE(document.at("kernels").empty());
  const Json& errors = document.at("errors");
  REQUIRE(errors.size() == 4);
  CHECK(errors[0].at("file") == "tests/samples/bad/unknown_opcode.ptx");
  CHECK(errors[0].at("line") == 14);
  CHECK(errors[0].at("column") == 2);
  CHECK(errors[0].at("message") == "unknown opcode 'frobnicate'");
  CHECK(errors[0].at("help").is_string());
  CHECK(errors[0].at("cause") == "input");
  CHECK(errors[3].at("file") == "missing.ptx");
  CHECK(errors[3].at("line") == 0);
  CHECK(errors[3].at("message") == "cannot read 'missing.ptx': No such file or directory");
  CHECK(errors[3].at("cause") == "usage");
}

TEST_CASE("an unknown machine is in the JSON too") {
  const ProgramRun run =
      run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "32", "--machine", "riva", "--format", "json"});
  CHECK(run.status == 2);
  const Json document = Json::parse(run.out);
  CHECK(document.at("kernels").empty());
  CHECK(document.at("errors").at(0).at("message") == "unknown machine 'riva'");
}

TEST_CASE("the same input gives the same bytes apart from the seconds") {
  for (const Sample& sample : samples) {
    INFO(sample.file);
    const ProgramRun text = analyze(sample, {}, "0");
    REQUIRE(text.status == 0);
    CHECK(text.out == analyze(sample, {}, "0").out);
    const ProgramRun json = analyze(sample, {"--explain", "--format", "json"}, "0");
    REQUIRE(json.status == 0);
    CHECK(without_seconds(json.out).dump() ==
          without_seconds(analyze(sample, {"--explain", "--format", "json"}, "0").out).dump());
  }
}

TEST_CASE("the JSON in a file is the JSON on standard output") {
  const TemporaryFolder folder;
  const ProgramRun printed = analyze(samples[0], {"--explain", "--format", "json"}, "0");
  const ProgramRun run =
      analyze(samples[0], {"--explain", "--format", "json", "--output", folder.file("report.json")}, "0");
  CHECK(run.status == 0);
  CHECK(run.out.empty());
  CHECK(without_seconds(warpspan::test::read_file(folder.file("report.json"))) == without_seconds(printed.out));
}

TEST_CASE("a wider launch or loop never lowers the bound") {
  const auto makespan = [](const char* grid, const char* elements) {
    const ProgramRun run = run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", grid, "--arg",
                                         elements, "--time-limit", "0", "--explain", "--format", "json"});
    INFO(run.err);
    REQUIRE(run.status == 0);
    return Json::parse(run.out).at("kernels").at(0).at("bounds").at(0).at("makespan").get<int64_t>();
  };
  CHECK(makespan("4", "3=4096") < makespan("4", "3=8192"));
  CHECK(makespan("64", "3=65536") < makespan("64", "3=1048576"));
}

// With 108 multiprocessors: registers that are known let more blocks be resident, so fewer follow one another.
TEST_CASE("registers and shared memory of the launch bound how many blocks are resident") {
  const auto launch = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "analyze",   "samples/saxpy.ptx", "--machine", "ampere",    "--block",  "256", "--arg",
        "3=1000000", "--time-limit",      "0",         "--explain", "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = run_warpspan(arguments);
    INFO(run.err);
    REQUIRE(run.status == 0);
    return Json::parse(run.out).at("kernels").at(0);
  };
  const auto blocks = [](const Json& kernel) {
    const Json& residency = kernel.at("launch").at("residency");
    return std::pair<int64_t, int64_t>(residency.at("least"), residency.at("most"));
  };
  const Json unknown = launch({"--grid", "4096"}), few = launch({"--grid", "4096", "--registers", "16"}),
             full = launch({"--grid", "4096", "--shared", "100000"});
  CHECK(blocks(unknown) == std::pair<int64_t, int64_t>(1, 8));
  CHECK(blocks(few) == std::pair<int64_t, int64_t>(8, 8));
  CHECK(blocks(full) == std::pair<int64_t, int64_t>(1, 1));
  CHECK(full.at("launch").at("residency").at("most_limit") == "shared memory");
  const auto mentions = [](const Json& kernel, const char* text) {
    return kernel.at("bounds").at(0).at("assumptions").dump().find(text) != std::string::npos;
  };
  CHECK(mentions(few, "room for at least 8 blocks with 16 registers per thread (--registers)"));
  // The smaller bound is the one for round-robin dispatch unless each block has a multiprocessor for itself, and only
  // then it does not say so.
  for (const Json* kernel : {&unknown, &few}) {
    CHECK(mentions(*kernel, "Blocks are dealt round-robin"));
    CHECK(kernel->at("any_dispatcher") > kernel->at("bounds").at(0).at("makespan"));
  }
  const Json apart = launch({"--grid", "64", "--shared", "100000"});
  CHECK_FALSE(mentions(apart, "Blocks are dealt round-robin"));
  CHECK(mentions(apart, "greedy"));
  CHECK(apart.at("any_dispatcher").is_null());
  CHECK(few.at("bounds").at(0).at("makespan") < unknown.at("bounds").at(0).at("makespan"));
}

TEST_CASE("a block that does not fit on a multiprocessor is an error") {
  const auto error_with = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"analyze", "samples/saxpy.ptx", "--machine", "ampere", "--grid", "4", "--arg",
                                          "3=1000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = run_warpspan(arguments);
    CHECK(run.status != 0);
    return run.err;
  };
  using warpspan::test::contains;
  CHECK(contains(error_with({"--block", "256", "--registers", "256"}),
                 "--registers: a thread of machine 'ampere' has at most 255 registers"));
  CHECK(
      contains(error_with({"--block", "1024", "--registers", "128"}),
               "a block of kernel 'saxpy' with 32 warps takes 131072 registers, and a block on machine 'ampere' has at "
               "most 65536"));
  CHECK(
      contains(error_with({"--block", "256", "--shared", "166913"}),
               "a block of kernel 'saxpy' takes 166913 bytes of shared memory, and a block on machine 'ampere' has at "
               "most 166912"));
}

TEST_CASE("a block from .maxntid is an assumption, one from .reqntid is not") {
  const auto assumed = [](const std::string& bounds) {
    warpspan::test::Surroundings surroundings;
    surroundings.input =
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n" + bounds + "\n{ ret; }\n";
    const ProgramRun run = run_warpspan({"analyze", "-", "--explain", "--format", "json"}, surroundings);
    INFO(run.err);
    REQUIRE(run.status == 0);
    const Json assumptions = Json::parse(run.out).at("kernels").at(0).at("bounds").at(0).at("assumptions");
    return std::find(assumptions.begin(), assumptions.end(),
                     "Every block has as many threads as .maxntid allows: with fewer, loops may run more often.") !=
           assumptions.end();
  };
  CHECK(assumed(".maxntid 128, 1, 1"));
  CHECK_FALSE(assumed(".reqntid 128, 1, 1"));
}

TEST_CASE("what loops are counted by that no instruction says is an assumption of the result") {
  const auto assumptions_of = [](const std::string& body) {
    warpspan::test::Surroundings surroundings;
    surroundings.input =
        ".version 7.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b8 tile[400];\n"
        ".visible .entry k(.param .u64 p)\n.reqntid 32\n{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n" +
        body + "ret;\n}\n";
    const ProgramRun run = run_warpspan({"analyze", "-", "--explain", "--format", "json"}, surroundings);
    INFO(run.err);
    REQUIRE(run.status == 0);
    return Json::parse(run.out).at("kernels").at(0).at("bounds").at(0).at("assumptions");
  };
  const std::string load = "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1];\nld.global.u32 %r2, [%d1+4];\n";
  const std::string least =
      "The least number of a signed type, divided by -1, gives that number again and leaves nothing, as in arithmetic "
      "that wraps: the PTX ISA does not say.";
  const auto euclid = [&load](const std::string& type) {
    return load + "$L: setp.eq.s32 %p1, %r2, 0;\n@%p1 bra $E;\nrem." + type +
           " %r3, %r1, %r2;\nmov.u32 %r1, %r2;\nmov.u32 %r2, %r3;\nbra.uni $L;\n$E:\n";
  };
  Json assumptions = assumptions_of(euclid("s32"));
  CHECK(std::count(assumptions.begin(), assumptions.end(), least) == 1);
  assumptions = assumptions_of(euclid("u32"));
  CHECK(std::count(assumptions.begin(), assumptions.end(), least) == 0);
  const std::string stays =
      "No access by an address that is counted from variable 'tile' leaves it: loops that go through it end before its "
      "end.";
  assumptions = assumptions_of(load +
                               "mov.u32 %r3, tile;\nmov.u32 %r4, 0;\n$L: st.shared.u32 [%r3], %r4;\n"
                               "add.s32 %r3, %r3, 4;\nld.volatile.global.u32 %r5, [%d1];\n"
                               "setp.ne.s32 %p1, %r5, 0;\n@%p1 bra $L;\n");
  CHECK(std::count(assumptions.begin(), assumptions.end(), stays) == 1);
}

TEST_CASE("what is granted and how large arrays are stand in the report, and in what rerun repeats") {
  const ProgramRun run =
      run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", "4", "--arg", "3=4096", "--buffer",
                    "1=16K", "--assume", "warm-code", "--explain", "--format", "json"});
  INFO(run.err);
  REQUIRE(run.status == 0);
  const Json document = Json::parse(run.out);
  const Json& kernel = document.at("kernels").at(0);
  CHECK(kernel.at("granted") == Json{"warm-code"});
  CHECK(kernel.at("ladder").is_array());
  CHECK(kernel.at("accesses").is_array());
  const Json& assumptions = kernel.at("bounds").at(0).at("assumptions");
  CHECK(std::count(assumptions.begin(), assumptions.end(),
                   "Parameter 'saxpy_param_1' points to 16384 bytes, and no access by it goes beyond (--buffer).") ==
        1);
  const Json& words = document.at("run").at("arguments");
  CHECK(std::count(words.begin(), words.end(), "--buffer=1=16K") == 1);
}

TEST_CASE("the JSON of strings") {
  const ProgramRun run = run_warpspan({"string", "samples/saxpy.ptx", "tests/samples/bad/empty.ptx", "--block", "256",
                                       "--grid", "4", "--arg", "3=4096", "--format", "json"});
  CHECK(run.status == 3);
  const Json document = Json::parse(run.out);
  CHECK(document.at("schema") == "warpspan.string/1");
  REQUIRE(document.at("kernels").size() == 1);
  const Json& kernel = document.at("kernels").at(0);
  CHECK(kernel.at("file") == "samples/saxpy.ptx");
  CHECK(kernel.at("name") == "saxpy");
  CHECK(kernel.at("string").get<std::string>().find(")^") != std::string::npos);
  for (const char* unit : {"L", "C", "S"}) CHECK(is_count(kernel.at("instructions").at(unit)));
  CHECK(kernel.at("only_one_string").is_boolean());
  CHECK(document.at("errors").size() == 1);
}
