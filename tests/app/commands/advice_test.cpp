// SPDX-License-Identifier: GPL-3.0-or-later
// Advice against what becomes of the bounds where it is followed.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"

namespace {

using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;
using Json = nlohmann::json;

const std::string head = ".version 7.0\n.target sm_90\n.address_size 64\n";

// Each lane reads a row of a tile, whose rows are so many bytes apart.
std::string rows_of_tile(const std::string& bytes) {
  return head + R"(.visible .entry rows(.param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 tile[5120];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, tile;
  mad.lo.u32 %r3, %r1, )" +
         bytes + R"(, %r2;
  mov.u32 %r4, 0;
  mov.u32 %r5, 0;
again:
  ld.shared.u32 %r6, [%r3];
  add.u32 %r5, %r5, %r6;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 64;
  @%p1 bra again;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r5;
  ret;
}
)";
}

// Reads what lies so many bytes apart by one register and 4 by the other, and writes in order.
std::string read_of_matrix(const std::string& row, const std::string& bytes, const std::string& column) {
  return head + R"(.visible .entry copy(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd3, )" +
         row + ", " + bytes + ";\n  mul.wide.u32 %rd4, " + column + R"(, 4;
  add.u64 %rd5, %rd3, %rd4;
  add.u64 %rd6, %rd1, %rd5;
  ld.global.u32 %r3, [%rd6];
  mul.wide.u32 %rd7, %r2, 128;
  mul.wide.u32 %rd8, %r1, 4;
  add.u64 %rd9, %rd7, %rd8;
  add.u64 %rd9, %rd2, %rd9;
  st.global.u32 [%rd9], %r3;
  ret;
}
)";
}

// The lanes of a warp read a column of 32 rows of 4,096 bytes, or 32 elements of a row of the same matrix.
const std::string transposed = read_of_matrix("%r1", "4096", "%r2");
const std::string in_order = read_of_matrix("%r2", "128", "%r1");

Json kernel_of(const std::string& text, std::vector<std::string> options) {
  options.insert(options.begin(), {"analyze", "-", "--machine", "hopper", "--explain", "--format", "json"});
  const ProgramRun run = run_warpspan(options, {.input = text});
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("kernels").at(0);
}

int64_t bound_of(const Json& kernel) { return kernel.at("ladder").at(0).at("makespan").get<int64_t>(); }
int64_t usual_of(const Json& kernel) { return kernel.at("headlines").at("usual").at("cycles").get<int64_t>(); }

Json advice_of(const Json& kernel, const std::string& kind) {
  for (const Json& one : kernel.at("advice")) {
    if (one.at("kind") == kind) return one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("padding away bank conflicts of 32 ways moves both headlines to what the advice said") {
  const Json before = kernel_of(rows_of_tile("128"), {"--block", "32"});
  const Json after = kernel_of(rows_of_tile("132"), {"--block", "32"});
  const Json advice = advice_of(before, "bank-conflicts");
  INFO(before.at("advice").dump());
  REQUIRE_FALSE(advice.is_null());
  CHECK(advice.at("what") == "32-way bank conflict, without it 1");
  CHECK(advice.at("line") == 17);
  CHECK(bound_of(after) < bound_of(before));
  CHECK(advice.at("cycles") == bound_of(after));
  CHECK(advice.at("usual_cycles") == usual_of(after));
  CHECK(advice_of(after, "bank-conflicts").is_null());
}

TEST_CASE("coalescing a transposed read moves both headlines to what the advice said") {
  const std::vector<std::string> launch = {"--block", "32", "--grid", "1024"};
  const Json before = kernel_of(transposed, launch);
  const Json after = kernel_of(in_order, launch);
  const Json advice = advice_of(before, "coalesce");
  INFO(before.at("advice").dump());
  REQUIRE_FALSE(advice.is_null());
  CHECK(advice.at("what") == "32 lines for 128 bytes, coalesced 2");
  CHECK(bound_of(after) < bound_of(before));
  CHECK(advice.at("cycles") == bound_of(after));
  // Which lines warps share, and so which of them caches keep, is only known of the new addresses.
  CHECK(std::abs(advice.at("usual_cycles").get<int64_t>() - usual_of(after)) <= usual_of(after) / 1000);
  CHECK(advice_of(after, "coalesce").is_null());
}

TEST_CASE("halving registers moves both headlines to what the advice said") {
  const std::string kernel = in_order;
  std::vector<std::string> launch = {"--block", "256", "--grid", "8448", "--registers"};
  const auto with = [&](const char* registers) {
    launch.resize(5);
    launch.emplace_back(registers);
    return kernel_of(kernel, launch);
  };
  const Json before = with("64"), after = with("32");
  const Json advice = advice_of(before, "registers");
  INFO(before.at("advice").dump());
  REQUIRE_FALSE(advice.is_null());
  CHECK(advice.at("what") == "with --registers 32: 8 waves, not 16");
  CHECK(advice.at("line") == 0);
  CHECK(advice.at("cycles") == bound_of(after));
  CHECK(advice.at("usual_cycles") == usual_of(after));
}

TEST_CASE("advice is at most five changes, the largest gain first, and is left out where there is none") {
  const Json kernel = kernel_of(transposed, {"--block", "32", "--grid", "1024"});
  CHECK(kernel.at("advice").size() <= 5);
  const Json good = kernel_of(rows_of_tile("4"), {"--block", "32"});
  CHECK(good.at("advice").empty());
  const ProgramRun text =
      run_warpspan({"analyze", "-", "--machine", "hopper", "--block", "32"}, {.input = rows_of_tile("128")});
  CHECK(text.out.find("  advice") != std::string::npos);
  CHECK(text.out.find("32-way bank conflict, without it 1: ") != std::string::npos);
}

TEST_CASE("a report begins with what holds if the device does as usual, and with what holds whatever it does") {
  const std::string kernel = rows_of_tile("4");
  const auto lines = [&kernel](std::vector<std::string> options) {
    options.insert(options.begin(), {"analyze", "-", "--block", "32", "--explain"});
    const ProgramRun run = run_warpspan(options, {.input = kernel});
    INFO(run.err);
    REQUIRE(run.status == 0);
    std::vector<std::string> found;
    for (size_t at = run.out.find("\n  at most "); at != std::string::npos; at = run.out.find("\n  at most ", at + 1)) {
      const std::string line = run.out.substr(at + 1, run.out.find('\n', at + 1) - at - 1);
      found.push_back(line.substr(line.find("cycles")));
    }
    return found;
  };
  const std::string usual = "cycles if the GPU does what usual says", nothing = "cycles whatever it does";
  CHECK(lines({"--machine", "hopper"}) == std::vector<std::string>{usual, nothing});
  CHECK(lines({"--machine", "hopper", "--assume", "usual"}) == std::vector<std::string>{usual, nothing});
  CHECK(lines({"--machine", "hopper", "--assume", "warm-code"}) ==
        std::vector<std::string>{"cycles with --assume warm-code", usual, nothing});
  CHECK(lines({"--machine", "orin"}) == std::vector<std::string>{nothing});
}

TEST_CASE("what is granted decides, whatever the headlines are") {
  const std::string kernel = rows_of_tile("4");
  const auto bound = [&kernel](const std::string& assume) {
    const ProgramRun run =
        run_warpspan({"analyze", "-", "--machine", "hopper", "--block", "32", "--format", "json", "--assume", assume},
                     {.input = kernel});
    return Json::parse(run.out);
  };
  const Json none = bound("none"), usual = bound("usual"), all = bound("all");
  const Json& headlines = none.at("kernels").at(0).at("headlines");
  CHECK(none.at("bound").at("cycles") == headlines.at("nothing").at("cycles"));
  CHECK(usual.at("bound").at("cycles") == headlines.at("usual").at("cycles"));
  CHECK(usual.at("bound").at("picoseconds") == headlines.at("usual").at("picoseconds"));
  CHECK(all.at("bound").at("cycles") < usual.at("bound").at("cycles"));
  for (const Json* report : {&usual, &all}) CHECK(report->at("kernels").at(0).at("headlines") == headlines);
  CHECK(headlines.at("usual").at("assume").dump().find("keeps-constants") != std::string::npos);
  CHECK(usual.at("kernels").at(0).at("granted") == headlines.at("usual").at("assume"));
}
