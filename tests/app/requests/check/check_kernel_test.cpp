// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel and its budget, where files change between two looks at them.
#include "app/requests/check/check_kernel.hpp"

#include <catch2/catch.hpp>

#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

TEST_CASE("a kernel that is of another target by the time it is bounded is not held against the first one's clock") {
  const test::TemporaryFolder folder;
  test::write_file(folder.file("k.ptx"),
                   ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n");
  CheckRequest request;
  Budget budget;
  budget.kernel = "k";
  budget.launch.block = ir::Extent{32, 1, 1};
  budget.time = parse_time_limit("1 s").value();
  RunRecord run;
  MachineShelf machines;
  const KernelPlace same = {folder.file("k.ptx"), "k", "sm_80", {}};
  CHECK(check_kernel(request, budget, same, machines, run).verdict == Verdict::pass);
  const KernelPlace other = {folder.file("k.ptx"), "k", "sm_90", {}};
  const CheckResult result = check_kernel(request, budget, other, machines, run);
  CHECK(result.verdict == Verdict::unbounded);
  REQUIRE(result.errors.size() == 1);
  CHECK(result.errors.front().message == "the machine of kernel 'k' changed while it was checked");
}
