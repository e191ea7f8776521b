// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan simulate as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string sample = "tests/frontend/object/data/kernels.sm_90.cubin";

ProgramRun simulate(Words words) {
  words.insert(words.begin(), {"simulate", sample, "--kernel", "shared_sum", "--block", "128"});
  return run_warpspan(words);
}

Json kernel_of(Words words) {
  words.insert(words.end(), {"--format", "json"});
  const ProgramRun run = simulate(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

}  // namespace

TEST_CASE("simulate says in its first line what is expected, and that it is no bound") {
  const ProgramRun run = simulate({"--grid", "8"});
  CHECK(run.err.empty());
  REQUIRE(run.status == 0);
  const std::string first = run.out.substr(0, run.out.find('\n'));
  CHECK(first.starts_with("expected "));
  CHECK(contains(first, " on hopper (estimate, not safe: within 1."));
  CHECK(contains(run.out, "occupancy"));
  CHECK(contains(run.out, "waiting for"));
}

TEST_CASE("the cycles of a simulation are below the bound of the same launch") {
  const Json kernel = kernel_of({"--grid", "8"});
  const ProgramRun bound =
      run_warpspan({"analyze", sample, "--kernel", "shared_sum", "--block", "128", "--grid", "8", "--format", "json"});
  REQUIRE(bound.status == 0);
  const Json bounded = Json::parse(bound.out).at("kernels").at(0);
  const auto cycles = kernel.at("expected").at("cycles").get<int64_t>();
  CHECK(cycles > 100);
  CHECK(cycles < bounded.at("bounds").at(0).at("makespan").get<int64_t>());
}

TEST_CASE("what warps waited and issued is all of their time") {
  const Json kernel = kernel_of({"--grid", "1000"});
  int64_t issued = 0;
  for (const Json& line : kernel.at("instructions")) {
    issued += line.at("issued").get<int64_t>();
    int64_t sum = line.at("issued").get<int64_t>();
    for (const auto& [name, cycles] : line.at("stalls").items()) sum += cycles.get<int64_t>();
    CHECK(std::abs(sum - line.at("cycles").get<int64_t>()) <= 14);  // each is rounded
  }
  CHECK(issued == kernel.at("simulated").at("instructions").get<int64_t>());
  CHECK(kernel.at("simulated").at("multiprocessors") == 132);
  CHECK(kernel.at("simulated").at("of") == 8);
  CHECK(kernel.at("measured") == true);
}

TEST_CASE("the scheduler of a simulation can be chosen, and the same run gives the same report") {
  CHECK(kernel_of({"--grid", "1000"}) == kernel_of({"--grid", "1000", "--scheduler", "greedy-then-youngest"}));
  CHECK(kernel_of({"--scheduler", "round-robin"}).at("scheduler") == "round-robin");
  const ProgramRun wrong = simulate({"--scheduler", "oldest"});
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.err, "greedy-then-oldest"));
}

namespace {

// A loop that ends where memory says.
const std::string search = "tests/frontend/object/data/search.fatbin";

double iterations_with(Words contents) {
  contents.insert(contents.begin(), {"simulate", search, "--block", "32", "--format", "json"});
  const ProgramRun run = run_warpspan(contents);
  INFO(run.err);
  REQUIRE(run.status == 0);
  const Json report = Json::parse(run.out);
  for (const Json& line : report.at("kernels").at(0).at("instructions")) {
    if (line.at("text").get<std::string>().starts_with("LDG.E R2")) return line.at("issued").get<double>();
  }
  return 0;
}

}  // namespace

TEST_CASE("contents are those of all arrays, or of the one that is named") {
  const warpspan::test::TemporaryFolder folder;
  warpspan::test::write_file(folder.file("limit=5"), std::string("\5\0\0\0", 4));
  const std::string from_file = "@" + folder.file("limit=5");
  CHECK(iterations_with({}) == 0);
  CHECK(iterations_with({"--contents=" + from_file}) == 5);  // a word of its own would stand for the file's words
  CHECK(iterations_with({"--contents", "1=" + from_file}) == 5);
  CHECK(iterations_with({"--contents", "search_param_1=" + from_file, "--contents", "zeros"}) == 5);
  CHECK(iterations_with({"--contents", "1=zeros", "--contents=" + from_file}) == 0);
  CHECK(iterations_with({"--contents", "0=" + from_file}) == 0);
  // The first numbers that are drawn with these seeds: by the formula of docs/simulate.md.
  CHECK(iterations_with({"--contents", "1=integers<50"}) == 32);
  CHECK(iterations_with({"--contents", "1=integers<50:1"}) == 1);
}

TEST_CASE("contents that are wrong are errors with what is meant") {
  const std::pair<Words, std::string> cases[] = {
      {{"--contents", "rmp"}, "did you mean 'ramp'?"},
      {{"--contents", "ramp:3"}, "expected zeros, ramp, integers[<N][:SEED]"},
      {{"--contents", "0="}, "expected zeros, ramp,"},
      {{"--contents", "=ramp"}, "expected the name or index of a parameter before '='"},
      {{"--contents", "integers<0"}, "expected a number from 1 to 2^32-1 behind '<'"},
      {{"--contents", "integers<4294967296"}, "expected a number from 1 to 2^32-1 behind '<'"},
      {{"--contents", "reals<4"}, "expected zeros, ramp,"},
      {{"--contents", "reals:-1"}, "expected a seed from 0 to 2^64-1 behind ':'"},
      {{"--contents", "0=@no/such/file"}, "--contents: cannot read 'no/such/file'"},
      {{"--contents", "0=ramp", "--contents", "0=zeros"}, "--contents 0: given twice"},
      {{"--contents", "ramp", "--contents", "zeros"}, "--contents: given twice"},
      {{"--contents", "0=ramp", "--contents", "shared_sum_param_0=zeros"}, "is given contents twice"},
      {{"--contents", "x=ramp"}, "has no parameter 'x'"},
      {{"--contents", "0=@" + sample, "--buffer", "0=4"}, "of kernel 'shared_sum' points to 4"},
  };
  for (const auto& [words, message] : cases) {
    const ProgramRun run = simulate(words);
    INFO(words.back() << ": " << run.err);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, message));
  }
}

TEST_CASE("other machines have figures that were not measured, and old ones none") {
  const ProgramRun ampere = simulate({"--machine", "ampere"});
  REQUIRE(ampere.status == 0);
  CHECK(contains(ampere.out, "on ampere (estimate, not safe: nobody has measured"));
  CHECK(contains(ampere.out, "not all of its typical"));
  const ProgramRun fermi = simulate({"--machine", "fermi"});
  CHECK(fermi.status == 2);
  CHECK(contains(fermi.err, "has no typical figures to simulate with"));
}

TEST_CASE("PTX is not simulated, and the error says how it can be") {
  const ProgramRun run = run_warpspan({"simulate", "samples/saxpy.ptx", "--block", "256"});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "is PTX, of which no time is simulated"));
  CHECK(contains(run.err, "--assemble 'ptxas -O3'"));
}

TEST_CASE("a simulation needs a block") {
  const ProgramRun run = run_warpspan({"simulate", sample, "--kernel", "empty"});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "give --block X[,Y[,Z]]"));
}

TEST_CASE("an array is saved as all blocks leave it") {
  const warpspan::test::TemporaryFolder folder;
  const std::string file = folder.file("found.bin"), limit = folder.file("limit.bin");
  warpspan::test::write_file(limit, std::string("\4\0\0\0", 4));
  const Words words = {"simulate",    search,       "--block", "32",       "--grid", "2",      "--contents",
                       "1=@" + limit, "--contents", "0=ramp",  "--buffer", "2=128",  "--save", "2=" + file};
  const ProgramRun run = run_warpspan(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  std::string expected;  // 0 + 1 + 2 + 3
  for (int i = 0; i < 32; ++i) expected += std::string("\6\0\0\0", 4);
  CHECK(warpspan::test::read_file(file) == expected);
  const ProgramRun unknown = run_warpspan({"simulate", search, "--block", "32", "--save", "2=" + file});
  CHECK(unknown.status == 2);
  CHECK(contains(unknown.err, "give --buffer 2=BYTES"));
  const ProgramRun wrong = run_warpspan({"simulate", search, "--block", "32", "--save", "found"});
  CHECK(wrong.status == 2);
  CHECK(contains(wrong.err, "--save: expected NAME=FILE"));
}

TEST_CASE("what is stated of a loop or an array is wrong where a run does more") {
  const warpspan::test::TemporaryFolder folder;
  const std::string limit = folder.file("limit.bin");
  warpspan::test::write_file(limit, std::string("\144\0\0\0", 4));  // 100
  const auto with = [&](const Words& more) {
    Words words = {"simulate", search, "--block", "32", "--contents", "1=@" + limit};
    words.insert(words.end(), more.begin(), more.end());
    return run_warpspan(words);
  };
  CHECK(with({"--loop-bound", "search.cu:5=100"}).status == 0);
  const ProgramRun loop = with({"--loop-bound", "search.cu:5=99"});
  CHECK(loop.status == 2);
  CHECK(contains(loop.err, "(--loop-bound): it runs 100 times, not at most 99"));
  CHECK(contains(loop.err, "give --loop-bound"));
  CHECK(with({"--buffer", "0=400"}).status == 0);
  const ProgramRun array = with({"--buffer", "0=384"});
  CHECK(array.status == 2);
  CHECK(contains(array.err, "the size of array 'search_param_0' is wrong (--buffer): of its 384 bytes"));
}

TEST_CASE("the slowest run is between the expected time and the bound, and there is none without a bound") {
  const Json kernel = kernel_of({"--grid", "1000", "--figures", "worst"});
  const Json& slowest = kernel.at("slowest");
  const auto cycles = slowest.at("cycles").get<int64_t>();
  CHECK(cycles > kernel.at("expected").at("cycles").get<int64_t>());
  CHECK(cycles <= slowest.at("bound").get<int64_t>());
  CHECK(cycles >= slowest.at("usual").get<int64_t>());
  CHECK(slowest.at("orders").size() == 7);
  const Json granted = kernel_of({"--grid", "1000", "--figures", "worst", "--assume", "stream"}).at("slowest");
  CHECK(granted.at("cycles").get<int64_t>() < cycles);
  CHECK(granted.at("cycles").get<int64_t>() <= granted.at("bound").get<int64_t>());
  CHECK(granted.at("assumed").get<Words>().back() == "stream");
  const ProgramRun text = simulate({"--grid", "1000", "--figures", "worst"});
  CHECK(contains(text.out, "bound over slowest run (analysis)"));
  const ProgramRun unbounded = run_warpspan({"simulate", search, "--block", "32", "--figures", "worst"});
  CHECK(unbounded.status == 3);
  CHECK(contains(unbounded.err, "--loop-bound"));
}
