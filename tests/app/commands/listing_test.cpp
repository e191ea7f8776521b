// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan listing as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string search = "tests/frontend/object/data/search.fatbin";
const Words saxpy = {"samples/saxpy.ptx", "--block", "256", "--grid", "4", "--arg", "3=100000"};

ProgramRun listing(Words words) {
  words.insert(words.begin(), "listing");
  return run_warpspan(words);
}

Json kernel_of(Words words) {
  words.insert(words.end(), {"--format", "json"});
  const ProgramRun run = listing(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  const Json kernels = Json::parse(run.out).at("kernels");
  REQUIRE(kernels.size() == 1);
  return kernels[0];
}

size_t longest_line(const std::string& text) {
  size_t longest = 0;
  for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    longest = std::max(longest, text.find('\n', begin) - begin);
  }
  return longest;
}

}  // namespace

TEST_CASE("machine code is listed with costs, executions, waits and lines") {
  const Json kernel = kernel_of({search, "--block", "128", "--loop-bound", "0xb0=20"});
  CHECK(kernel.at("code") == "machine code");
  CHECK(kernel.at("reasons").empty());
  int64_t cycles = 0;
  size_t in_loop = 0;
  for (const Json& line : kernel.at("lines")) {
    cycles += line.at("cycles").get<int64_t>();
    CHECK(line.at("cycles") == line.at("own").get<int64_t>() + line.at("others").get<int64_t>());
    if (line.at("executions") > 0) CHECK(line.at("issue") >= 1);
    CHECK(line.at("offset") == 16 * (&line - &kernel.at("lines")[0]));
    if (line.at("executions") == 20) ++in_loop;
  }
  CHECK(cycles <= kernel.at("bound").at("cycles"));
  CHECK(cycles >= kernel.at("bound").at("one_warp"));
  CHECK(in_loop == 9);
  const Json& load = kernel.at("lines")[4];
  CHECK(load.at("instruction") == "LDG.E R0, [R2.64]");
  CHECK(contains(load.at("control"), "sets scoreboard 2 until written"));
  CHECK(load.at("source_line") == 5);
  CHECK(load.at("ptx_line") == 32);
  CHECK(load.at("rests_on").size() == 2);
  const Json& blocks = kernel.at("blocks");
  const auto loop =
      std::find_if(blocks.begin(), blocks.end(), [](const Json& one) { return one.at("label") == "0xb0"; });
  REQUIRE(loop != blocks.end());
  CHECK(loop->at("loop") == 0);
  CHECK(loop->at("executions") == 20);
  CHECK(loop->at("next") == Json({"0x140", "0xb0"}));
  CHECK(kernel.at("worst_path") == "0x0 0x80 (0xb0)x20 0x140");
}

TEST_CASE("PTX is listed by its lines") {
  const Json kernel = kernel_of(saxpy);
  CHECK(kernel.at("code") == "PTX");
  const Json& lines = kernel.at("lines");
  CHECK(lines[0].at("line") == 24);
  CHECK(lines[0].at("instruction") == "ld.param.u32 \t%r5, [saxpy_param_3];");
  CHECK(lines[0].at("offset").is_null());
  CHECK(contains(kernel.at("worst_path"), "($L__BB0_2)x98"));
  const ProgramRun run = listing(saxpy);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "$L__BB0_2:  98 times, in loop $L__BB0_2"));
  CHECK(contains(run.out, "2 lines of saxpy_param_1, dense"));
  CHECK(longest_line(run.out) <= 100);
}

TEST_CASE("without a bound the code is listed, and why there is none") {
  const Json unbounded = kernel_of({search, "--block", "128"});
  CHECK(unbounded.at("bound").is_null());
  CHECK(contains(unbounded.at("reasons")[0].at("message"), "no bound for the loop '0xb0'"));
  CHECK(unbounded.at("loops")[0].at("trip_count").is_null());
  CHECK(unbounded.at("lines")[0].at("issue").is_null());
  const Json blockless = kernel_of({"samples/search.ptx"});
  CHECK(contains(blockless.at("reasons")[0].at("help"), "give --block"));
  CHECK(blockless.at("blocks").size() > 5);
  const ProgramRun run = listing({"samples/search.ptx"});
  CHECK(run.status == 0);
  CHECK(contains(run.out, "not bounded"));
  CHECK_FALSE(contains(run.out, "share"));
  CHECK(longest_line(run.out) <= 100);
}

TEST_CASE("what cannot be read is an error") {
  CHECK(listing({"nowhere.ptx"}).status == 2);
  const ProgramRun none = listing({"samples/saxpy.ptx", "--kernel", "nobody", "--block", "32"});
  CHECK(none.status == 2);
  CHECK(contains(none.err, "has no kernel 'nobody'"));
  CHECK(listing({}).status == 2);
}
