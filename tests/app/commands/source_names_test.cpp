// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters by the names that the source has, where debug information tells them: nvcc -G and clang -g.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using Json = nlohmann::json;
using namespace warpspan::test;
using Words = std::vector<std::string>;

const std::string folder = "tests/samples/source_names/";
const Words samples = {folder + "names.nvcc-sm_80-G.ptx", folder + "names.clang-sm_70-g.ptx"};

ProgramRun analyze(const std::string& sample, const std::string& kernel, const Words& more) {
  Words words = {"analyze", sample, "--kernel", kernel, "--block", "32", "--grid", "1", "--time-limit", "0"};
  words.insert(words.end(), more.begin(), more.end());
  return run_warpspan(words);
}

Json kernel_of(const std::string& sample, const std::string& kernel, Words more) {
  more.insert(more.end(), {"--explain", "--format", "json"});
  const ProgramRun run = analyze(sample, kernel, more);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

std::vector<int64_t> trips(const Json& kernel) {
  std::vector<int64_t> result;
  for (const Json& loop : kernel.at("loops")) result.push_back(loop.at("trip_count").get<int64_t>());
  return result;
}

}  // namespace

TEST_CASE("source names mean the same as those of the code") {
  for (const std::string& sample : samples) {
    INFO(sample);
    const auto same = [&sample](const std::string& kernel, const Words& source, const Words& code) {
      INFO(kernel);
      Json one = kernel_of(sample, kernel, source);
      Json other = kernel_of(sample, kernel, code);
      CHECK(one.at("loops") == other.at("loops"));
      CHECK(one.at("bounds").at(0).at("makespan") == other.at("bounds").at(0).at("makespan"));
      return trips(one);
    };
    CHECK(same("plain", {"--arg", "K=12"}, {"--arg", "2=12"}) == std::vector<int64_t>{13});
    CHECK(same("members", {"--arg", "s.n=3", "--arg", "s.dims[1].y=7", "--arg", "s.derived.size=9"},
               {"--arg", "1+8=u32:3", "--arg", "1+24=u32:7", "--arg", "1+104=u64:9"}) ==
          std::vector<int64_t>{4, 8, 10});
    CHECK(same("referring", {"--arg", "pair.x=5"}, {"--arg", "referring_param_4+0=u32:5"}) == std::vector<int64_t>{6});
    CHECK(same("_Z9templatedIxLi2EEvPT_S0_", {"--arg", "limit=2..4"}, {"--arg", "1=2..4"}) == std::vector<int64_t>{5});
    // The same name in two places.
    CHECK(same("first", {"--arg", "rows=3", "--arg", "columns=5"}, {"--arg", "1=3", "--arg", "2=5"}) ==
          std::vector<int64_t>{4});
    CHECK(same("second", {"--arg", "rows=3", "--arg", "columns=5"}, {"--arg", "2=3", "--arg", "1=5"}) ==
          std::vector<int64_t>{4});
  }
}

TEST_CASE("what stands in messages can be given") {
  for (const std::string& sample : samples) {
    INFO(sample);
    const ProgramRun plain = analyze(sample, "plain", {});
    CHECK(plain.status == 3);
    CHECK(contains(plain.err, "its exit test depends on parameter 'K', whose value is not known"));
    CHECK(contains(plain.err, "(--arg K=VALUE)"));
    CHECK(contains(plain.err, "(--buffer in=BYTES: "));
    const ProgramRun members = analyze(sample, "members", {"--arg", "s.n=1", "--arg", "s.derived.size=1"});
    CHECK(contains(members.err, "parameter 's.dims[1].y', whose value is not known"));
    CHECK(contains(members.err, "(--arg 's.dims[1].y=VALUE')"));
    CHECK(contains(members.err, "(--buffer s.data=BYTES: "));
  }
}

TEST_CASE("assumptions have the names of the source") {
  const Json kernel =
      kernel_of(samples[0], "members",
                {"--arg", "s.n=1..3", "--arg", "s.dims[1].y=7", "--arg", "s.derived.size=9", "--buffer", "s.data=4K"});
  const std::string all = kernel.dump();
  CHECK(contains(all, "The parameter 's.n' is between 1 and 3 (--arg)."));
  CHECK(contains(all, "Parameter 's.data' points to 4096 bytes, and no access by it goes beyond (--buffer)."));
}

TEST_CASE("names that cannot be given a value are refused") {
  const auto error = [](const Words& words) {
    const ProgramRun run = analyze(samples[0], "members", words);
    CHECK(run.status == 2);
    return run.err;
  };
  const std::string unknown = error({"--arg", "s.m=3"});
  CHECK(contains(unknown, "kernel 'members' has no parameter 's.m'"));
  CHECK(contains(unknown, "its parameters are 0: out (u64), 1: s (b8[112]); members are s.data, s.n, s.dims[0].x"));
  for (const char* word : {"s.narrow=3", "s.wide=1", "s.shared=1", "s.derived.hidden=1", "s.dims[2].x=1", "s.dims=1",
                           "members_param_1.n=1", ".n=1", "n=1"}) {
    INFO(word);
    CHECK(contains(error({"--arg", word}), "has no parameter "));
  }
  CHECK(contains(error({"--arg", "s=3"}), "parameter 's' of kernel 'members' is no number"));
  CHECK(contains(error({"--arg", "s.scale=3"}), "give all of its bits, as --arg s.scale=b64:VALUE"));
  CHECK(contains(error({"--arg", "s.n+2=u32:3"}), "parameter 's.n' of kernel 'members' has 4 bytes"));
  CHECK(contains(error({"--arg", "s.n=3", "--arg", "1+8=u32:4"}), " given a value twice"));
  CHECK(contains(error({"--arg", "s.n=3", "--arg", "s+8=u32:4"}), " given a value twice"));
  CHECK(contains(error({"--arg", "s.is_dense=256"}), "s.is_dense"));
  CHECK(
      contains(error({"--arg", "s.n=1", "--arg", "s.dims[1].y=7", "--arg", "s.derived.size=9", "--buffer", "s.no=64"}),
               "kernel 'members' has no pointer 's.no'\n  help: its pointers are out and s.data"));
}

TEST_CASE("without debug information there are the names of the code") {
  const ProgramRun run = run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "32", "--arg", "n=3"});
  CHECK(run.status == 2);
  CHECK(contains(run.err, "its parameters are 0: f32, 1: u64, 2: u64, 3: u32;"));
  CHECK(contains(run.err,
                 "compilers drop their names, unless for a debugger (nvcc -G, clang -g): give one by its "
                 "number, as --arg "));
}

TEST_CASE("a kernel without its own parameters in the debug information has no names") {
  const std::string text = read_file(warpspan::test::source_dir() + "/" + samples[0]);
  const auto changed = [&text](const std::string& part, const std::string& instead) {
    std::string copy = text;
    REQUIRE(contains(copy, part));
    copy.replace(copy.find(part), part.size(), instead);
    const TemporaryFolder place;
    write_file(place.file("k.ptx"), copy);
    return run_warpspan({"analyze", place.file("k.ptx"), "--kernel", "plain", "--block", "32", "--arg", "Z=1"}).err;
  };
  CHECK(contains(changed("plain_param_2", "plain_param_2"), "0: out (u64), 1: in (u64), 2: K (u32)"));
  CHECK(contains(changed(".param .u32 plain_param_2", ".param .u64 plain_param_2"), "2: u64"));
  CHECK(contains(changed(".param .u32 plain_param_2", ".param .u32 plain_param_2, .param .u32 more"), "2: u32"));
  CHECK(contains(changed(".section\t.debug_abbrev", ".section\t.other"), "2: u32"));
}

TEST_CASE("files of facts have the names of the source") {
  const TemporaryFolder place;
  const std::string file = place.file("names.facts.toml");
  for (const std::string& sample : samples) {
    INFO(sample);
    const ProgramRun facts = run_warpspan({"facts", sample, "--kernel", "members", "--block", "32"});
    REQUIRE(facts.status == 0);
    CHECK(contains(facts.out, "# \"s.n\" = 0  # parameter 1, b8[112]; loops depend on it\n"));
    CHECK(contains(facts.out, "# \"s.dims[1].y\" = 0  # parameter 1, b8[112]; loops depend on it\n"));
    CHECK(contains(facts.out, "# \"s.data\" = 0\n"));
    CHECK_FALSE(contains(facts.out, "+0:4"));
    std::string filled = facts.out;
    for (const char* name : {"\"s.n\"", "\"s.dims[1].y\"", "\"s.derived.size\"", "\"s.data\""}) {
      const std::string line = std::string("# ") + name + " = 0";
      REQUIRE(contains(filled, line));
      filled.replace(filled.find(line), line.size(), std::string(name) + " = 5");
    }
    filled.replace(filled.find("\"s.data\" = 5"), 12, "\"s.data\" = 20");  // 5 floats are read
    write_file(file, filled);
    CHECK(trips(kernel_of(sample, "members", {"--facts", file})) == std::vector<int64_t>{6, 6, 6});
  }
  const ProgramRun json =
      run_warpspan({"facts", samples[0], "--kernel", "members", "--block", "32", "--arg", "s.n=4", "--format", "json"});
  const Json kernel = Json::parse(json.out).at("kernels").at(0);
  CHECK(kernel.at("parameters").at(1).at("source_name") == "s");
  CHECK(kernel.at("arguments").at(0).at("place") == "s.n");
}
