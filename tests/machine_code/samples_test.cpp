// SPDX-License-Identifier: GPL-3.0-or-later
// Checked-in machine code (scripts/make-machine-code) against the PTX that it was made of.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/machine_code/cases.hpp"
#include "tests/paths.hpp"
#include "tests/reference/command_options.hpp"

using namespace warpspan;
using machine_code::Comparison;

namespace {

const std::filesystem::path data = warpspan::test::source_dir() + "/tests/machine_code/data";

std::string ptx_of(const std::string& sample) {
  const std::filesystem::path own = data / (sample + ".ptx");
  if (std::filesystem::exists(own)) return test::content_of(own);
  return test::content_of(warpspan::test::source_dir() + "/samples/" + sample + ".ptx");
}

std::vector<test::SampleCase> cases_of(const std::string& sample) {
  std::vector<test::SampleCase> found;
  for (const auto& cases : {test::sample_cases(), test::kernel_cases(), test::frame_cases(), test::break_cases(),
                            test::window_cases(), test::opcode_cases()}) {
    for (const test::SampleCase& each : cases) {
      if (each.sample == sample) found.push_back(each);
    }
  }
  return found;
}

// A case of a checked-in cubin.
Comparison run(const std::string& cubin, const std::string& kernel,
               reference::Order order = reference::Order::taken_first) {
  const std::string sample = cubin.substr(0, cubin.find('.'));
  for (const test::SampleCase& each : cases_of(sample)) {
    if (each.kernel.kernel == kernel)
      return compare(ptx_of(sample), test::content_of(data / cubin), each.kernel, order);
  }
  FAIL("no such case");
  return {};
}

int64_t most(const std::vector<int64_t>& all) { return *std::max_element(all.begin(), all.end()); }

int64_t most_turns(const machine_code::Record& record) {
  int64_t turns = 0;
  for (const machine_code::Loop& loop : record.loops) turns = std::max(turns, loop.most_turns);
  return turns;
}

}  // namespace

TEST_CASE("machine code: leaves in memory what its PTX does, whichever lanes go first") {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    if (entry.path().extension() != ".cubin") continue;
    const std::string name = entry.path().filename().string();
    const std::string sample = name.substr(0, name.find('.'));
    for (const test::SampleCase& each : cases_of(sample)) {
      for (const reference::Order order : reference::all_orders) {
        const Comparison result = compare(ptx_of(sample), test::content_of(entry.path()), each.kernel, order);
        INFO(name << " " << each.kernel.kernel << ": " << result.reason);
        CHECK(result.verdict == Comparison::Verdict::agrees);
        CHECK(result.bytes > 0);
        ++compared;
      }
    }
  }
  CHECK(compared >= 200);
}

// saxpy is not unrolled at -O1, and each of its accesses is that of the PTX: 1,500 elements by 512 threads in two
// blocks.
TEST_CASE("machine code: executions, turns and pieces of a kernel that ptxas leaves as it is") {
  const Comparison result = run("saxpy.sm_80.O1.cubin", "saxpy");
  const reference::Record& ptx = result.of_ptx;
  REQUIRE(result.record.warps.size() == ptx.warps.size());
  CHECK(most_turns(result.record) == most(ptx.most_turns));
  CHECK(most_turns(result.record) == 3);
  CHECK(most(result.record.most_pieces) == most(ptx.most_pieces));
  for (size_t warp = 0; warp < ptx.warps.size(); ++warp) {
    CHECK(most(result.record.warps[warp].executed) == most(ptx.warps[warp].executed));
    CHECK(result.record.warps[warp].executed.front() == 1);
  }
}

// Lanes that leave the loop wait for the others at BSYNC: a warp executes its body as often as its slowest lane.
TEST_CASE("machine code: a warp turns in a loop as often as the lane that turns most") {
  for (const char* cubin :
       {"kernels.sm_75.O3.cubin", "kernels.sm_80.O3.cubin", "kernels.sm_90.O3.cubin", "kernels.sm_120.O3.cubin"}) {
    const Comparison result = run(cubin, "bisect");
    INFO(cubin);
    CHECK(most_turns(result.record) == most(result.of_ptx.most_turns));
    CHECK(std::find(result.record.parted.begin(), result.record.parted.end(), true) != result.record.parted.end());
    for (size_t warp = 0; warp < result.record.warps.size(); ++warp) {
      for (const machine_code::Loop& loop : result.record.loops)
        CHECK(result.record.warps[warp].executed[loop.header] <= loop.most_turns);
    }
  }
}
