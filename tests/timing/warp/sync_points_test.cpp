// SPDX-License-Identifier: GPL-3.0-or-later
// Warps of a block that wait for one another on ways of their own: a bound has to follow all of them.
#include <algorithm>
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "tests/timing/in_order.hpp"
#include "timing/bounds/pipeline_run.hpp"
#include "timing/launch/launch.hpp"
#include "timing/machine/model.hpp"

using namespace warpspan;

namespace {

// A loop of 1,000 roots, each of which waits for the one before.
std::string roots(const std::string& label) {
  return label + ":\nsqrt.approx.f32 %f1, %f1;\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p2, %r2, 1000;\n@%p2 bra " + label +
         ";\n";
}

// Warps that take the one way come to `here` behind their loop, the others to `there` before theirs.
std::string ways(const std::string& decision, const std::string& here, const std::string& there) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .f32 %f<4>;\n.reg .b64 %d<4>;\n"
         "ld.param.u64 %d1, [p];\nmov.u32 %r2, 0;\nmov.f32 %f1, 0f40000000;\n" +
         decision + "\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra OTHER;\n" + roots("L1") + here + "\nbra.uni JOIN;\nOTHER:\n" +
         there + "\n" + roots("L2") + "JOIN:\nst.global.f32 [%d1+8], %f1;\nret;\n}\n";
}

struct Found {
  int64_t makespan = 0, worst = 0, followed = 0;
  bool says_so = false;
};

Found found(const std::string& text, int64_t warps) {
  ir::Launch launch;
  launch.block = ir::Extent{32 * warps, 1, 1};
  auto reading = frontend::read_kernels(std::make_shared<const support::SourceFile>("t.ptx", text), {}, launch);
  REQUIRE(reading.kernels.size() == 1);
  const frontend::AnalyzedKernel& k = reading.kernels.front();
  const auto machine = timing::load_machine("ampere");
  REQUIRE(machine.ok());
  const auto load = timing::load_of(k.kernel, k.launch, *machine);
  const auto run = timing::PipelineRuns(k.kernel, k.flow, *load, *machine).smallest_bound(test::in_order());
  REQUIRE(run.ok());
  const solver::Bound& bound = run->model.bound;
  const auto says_so = [](const std::string& line) {
    return line.find("wait for one another in any order") != line.npos;
  };
  return {*bound.makespan, run->needs->warp->worst, bound.parts.front().workers,
          std::any_of(bound.assumptions.begin(), bound.assumptions.end(), says_so)};
}

const std::string by_warp = "mov.u32 %r3, %tid.x;\nshr.u32 %r1, %r3, 5;";
const std::string by_memory = "ld.volatile.global.u32 %r1, [%d1];";
const std::string by_argument = "cvt.u32.u64 %r1, %d1;";

}  // namespace

// One warp has all of its loop behind it when the other begins.
TEST_CASE("warps that meet at different barriers are followed one after another") {
  for (const std::string& decision : {by_warp, by_memory}) {
    const Found two = found(ways(decision, "bar.sync 0;", "bar.sync 0;"), 2);
    CHECK(two.followed == 2);
    CHECK(two.says_so);
    CHECK(two.makespan > 2 * two.worst);
    CHECK(found(ways(decision, "bar.sync 0;", "bar.sync 0;"), 5).followed == 5);
  }
  const Found same = found(ways(by_argument, "bar.sync 0;", "bar.sync 0;"), 2);
  CHECK(same.followed == 1);
  CHECK_FALSE(same.says_so);
}

TEST_CASE("warps of which some only arrive are followed one after another") {
  const Found found_apart = found(ways(by_warp, "bar.arrive 1, 64;", "bar.sync 1, 64;"), 2);
  CHECK(found_apart.followed == 2);
  CHECK(found_apart.says_so);
}

TEST_CASE("warps that end early are counted beside those that go on") {
  const std::string early = ways(by_warp, "ret;", "bar.sync 0;");
  const std::string together = ways(by_argument, "ret;", "bar.sync 0;");
  CHECK(found(early, 2).followed == 1);
  CHECK(found(together, 2).followed == 1);
  CHECK(found(early, 2).worst > 2 * found(together, 2).worst * 9 / 10);  // both loops
}
