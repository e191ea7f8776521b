// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of functions of which only the time is known: each keeps all others waiting, and no cache keeps anything.
#include "timing/costs/outside_calls.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "tests/timing/in_order.hpp"
#include "timing/analysis.hpp"
#include "timing/launch/register_pressure.hpp"
#include "timing/machine/model.hpp"

using namespace warpspan;

namespace {

const std::string head =
    ".version 7.0\n.target sm_80\n.address_size 64\n.extern .func (.param .b32 r) f(.param .b64 a);\n";
const std::string call = "{\n.param .b64 a;\n.param .b32 r;\nst.param.b64 [a], %d1;\ncall (r), f, (a);\n}\n";

std::string kernel(const std::string& body) {
  return head +
         ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %d<4>;\n"
         "ld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n" +
         body + "ret;\n}\n";
}

const std::string in_a_loop =
    "mov.u32 %r2, 0;\nL:\n" + call + "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 10;\n@%p1 bra L;\n";
const std::string by_one_thread = "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra E;\n" + call + "E:\n";
const std::string by_each_lane =
    "and.b32 %r3, %r1, 1;\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra E;\n" + call + "bra J;\nE:\n" + call + "J:\n";

support::Result<timing::Analysis> analysis_of(const std::string& body, int64_t cycles, int64_t warps = 1,
                                              std::optional<int64_t> blocks = std::nullopt,
                                              const timing::AssumptionSet& assumed = {}) {
  ir::Launch launch;
  launch.block = ir::Extent{32 * warps, 1, 1};
  if (blocks) launch.grid = ir::Extent{*blocks, 1, 1};
  launch.call_costs.push_back({"f", {cycles}, "", {}});
  const auto source = std::make_shared<const support::SourceFile>("t.ptx", kernel(body));
  const frontend::Reading reading = frontend::read_kernels(source, {}, launch);
  INFO((reading.errors.empty() ? "" : reading.errors.front().message));
  REQUIRE(reading.kernels.size() == 1);
  const frontend::AnalyzedKernel& k = reading.kernels.front();
  const auto machine = timing::load_machine("ampere");
  REQUIRE(machine.ok());
  return timing::analyze(k.kernel, k.flow, k.launch, *machine, test::in_order(assumed), timing::Limits{});
}

int64_t makespan(const support::Result<timing::Analysis>& analysis) {
  REQUIRE(analysis.ok());
  REQUIRE(analysis->bounds.size() == 1);  // no string
  return *analysis->bounds.front().bound.makespan;
}

}  // namespace

TEST_CASE("times of calls are rounded up to cycles") {
  CHECK(timing::cycles_of({20'000'000, false}, 1'410'000) == 28'200);
  CHECK(timing::cycles_of({1, false}, 1'410'000) == 1);
  CHECK(timing::cycles_of({709'220, false}, 1'410'000) == 1001);
  CHECK(timing::cycles_of({5000, true}, 1'410'000) == 5000);
  CHECK(timing::cycles_of({timing::longest_call, true}, 1) == timing::longest_call);
  CHECK_FALSE(timing::cycles_of({timing::longest_call + 1, true}, 1));
  CHECK_FALSE(timing::cycles_of({INT64_MAX, false}, INT64_MAX));
}

TEST_CASE("every call of every warp of the device counts, one after another") {
  constexpr int64_t few = 1'000, many = 1'001'000, more = many - few;
  struct Row {
    std::string body;
    int64_t calls;
  };
  for (const auto& [body, calls] : {Row{call, 1}, Row{call + call, 2}, Row{in_a_loop, 10}, Row{by_each_lane, 2}}) {
    for (const int64_t warps : {1, 2, 5, 8}) {
      INFO(body << warps << " warps");
      CHECK(makespan(analysis_of(body, many, warps)) - makespan(analysis_of(body, few, warps)) == more * calls * warps);
    }
    for (const int64_t blocks : {1, 3, 300, 10'000}) {
      INFO(body << blocks << " blocks");
      CHECK(makespan(analysis_of(body, many, 4, blocks)) - makespan(analysis_of(body, few, 4, blocks)) >=
            more * calls * 4 * blocks);
    }
  }
}

TEST_CASE("a call that one warp of each block makes counts once for each block") {
  constexpr int64_t few = 1'000, many = 1'001'000, more = many - few;
  const int64_t one = makespan(analysis_of(by_one_thread, many, 8)) - makespan(analysis_of(by_one_thread, few, 8));
  CHECK(one >= more);
  CHECK(one <= 2 * more);  // of the followed warp and of one that may be another
  const int64_t grid =
      makespan(analysis_of(by_one_thread, many, 8, 500)) - makespan(analysis_of(by_one_thread, few, 8, 500));
  CHECK(grid >= 500 * more);
  CHECK(grid < 600 * more);
}

TEST_CASE("one warp alone takes the time of its calls in every case") {
  const auto analysis = analysis_of(in_a_loop, 50'000);
  REQUIRE(analysis.ok());
  CHECK(analysis->best >= 500'000);
  CHECK(analysis->best <= analysis->average);
  CHECK(analysis->average <= analysis->worst);
}

TEST_CASE("no cache keeps anything over a call") {
  timing::AssumptionSet all;
  for (size_t i = 0; i < timing::assumptions; ++i) all.assume(static_cast<timing::Assumption>(i));
  const auto analysis = analysis_of(in_a_loop, 1000, 4, 3, all);
  REQUIRE(analysis.ok());
  for (const timing::Rung& rung : analysis->ladder) {
    CHECK(rung.assumption != timing::Assumption::keeps);
    CHECK(rung.assumption != timing::Assumption::keeps_constants);
    CHECK(rung.assumption != timing::Assumption::warm_code);
  }
  // Each of the ten turns may find all of the loop's lines gone.
  REQUIRE(analysis->fetch);
  for (const timing::FetchLevel& level : analysis->fetch->levels) {
    CHECK_FALSE(level.fits);
    CHECK(level.once == 0);
    CHECK(level.each >= 10);
  }
}

TEST_CASE("a call that is longer than any is refused") {
  const auto analysis = analysis_of(call, timing::longest_call + 1);
  REQUIRE(!analysis.ok());
  CHECK(analysis.errors().front().message ==
        "the time that is given for 'call f' is more than 1099511627776 cycles of machine 'ampere'");
}

// ptxas 13.0 for sm_75 spills from so many values on that are live over a call, with so many registers; sm_80 later.
TEST_CASE("values that are live over a call need twice their registers") {
  struct Row {
    int64_t registers, values;
  };
  for (const auto& [registers, values] :
       {Row{40, 19}, Row{64, 30}, Row{96, 46}, Row{128, 62}, Row{168, 83}, Row{255, 125}}) {
    std::string body, stores;
    for (int64_t i = 0; i < values; ++i) {
      const std::string reg = "%v" + std::to_string(i);
      body += "ld.volatile.global.u32 " + reg + ", [%d1+" + std::to_string(4 * i) + "];\n";
      stores += "st.volatile.global.u32 [%d1+" + std::to_string(4 * i) + "], " + reg + ";\n";
    }
    ir::Launch launch;
    launch.block = ir::Extent{32, 1, 1};
    launch.call_costs.push_back({"f", {1000}, "", {}});
    const auto needed = [&](const std::string& between) {
      const auto source = std::make_shared<const support::SourceFile>(
          "t.ptx", kernel(".reg .b32 %v<" + std::to_string(values) + ">;\n" + body + between + stores));
      const frontend::Reading reading = frontend::read_kernels(source, {}, launch);
      REQUIRE(reading.kernels.size() == 1);
      return timing::register_need(reading.kernels.front().kernel, {}).registers;
    };
    CHECK(needed(call) > registers);
    CHECK(needed("") < needed(call));
  }
}
