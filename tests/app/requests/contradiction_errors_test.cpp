// SPDX-License-Identifier: GPL-3.0-or-later
// Facts that are made wrong, against a run of the kernel that they are of.
#include "app/requests/contradiction_errors.hpp"

#include <catch2/catch.hpp>

#include "app/requests/kernels/kernel_files.hpp"
#include "tests/files.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

// A loop that runs as often as memory says: 5 times.
frontend::AnalyzedKernel search_kernel() {
  app::KernelRequest request;
  request.files = {test::source_dir() + "/tests/frontend/object/data/search.fatbin"};
  request.launch.block = ir::Extent{32, 1, 1};
  app::KernelFiles read = app::read_files(request, app::LoopsAre::as_found);
  REQUIRE(read.files.size() == 1);
  REQUIRE(read.files.front().kernels.size() == 1);
  return std::move(read.files.front().kernels.front());
}

support::Diagnostics errors_of(const frontend::AnalyzedKernel& analyzed) {
  ir::ExecutionOptions options;
  options.contents = {ir::Contents::Kind::bytes, 0, 0, std::make_shared<const std::string>("\5")};
  const auto execution = analyzed.execution(options);
  REQUIRE(execution);
  ir::ContradictionSearch search(analyzed.kernel, analyzed.flow, analyzed.launch, execution->arrays);
  search.hold((*execution)(0));
  return app::contradiction_errors(analyzed, search.found(), "warpspan simulate k.cubin");
}

}  // namespace

TEST_CASE("a loop whose number is not known is contradicted by no run") { CHECK(errors_of(search_kernel()).empty()); }

TEST_CASE("a wrong number that was proven is a defect of ours, and a report of it has all that it needs") {
  frontend::AnalyzedKernel wrong = search_kernel();
  REQUIRE(wrong.flow.loops.size() == 1);
  wrong.flow.loops[0].trip_count = 5;
  wrong.flow.loops[0].source = ir::TripCountSource::value_ranges;
  CHECK(errors_of(wrong).empty());
  wrong.flow.loops[0].trip_count = 3;
  const support::Diagnostics errors = errors_of(wrong);
  REQUIRE_FALSE(errors.empty());
  CHECK(errors[0].cause == support::Cause::internal);
  CHECK(test::contains(errors[0].message, "kernel 'search'"));
  CHECK(test::contains(errors[0].message, "runs at most 3 times"));
  CHECK(test::contains(errors[0].message, "and ran 5 times"));
  CHECK(test::contains(errors[0].message, "(search.cu:5)"));
  CHECK(test::contains(errors[0].help, "report the file and the command: warpspan simulate k.cubin"));
}

TEST_CASE("a wrong number that was stated is the statement's fault") {
  frontend::AnalyzedKernel wrong = search_kernel();
  wrong.flow.loops[0].trip_count = 3;
  wrong.flow.loops[0].source = ir::TripCountSource::user;
  wrong.flow.loops[0].given_by.giver = "--loop-bound";
  const support::Diagnostics errors = errors_of(wrong);
  REQUIRE(errors.size() == 1);  // nothing of what follows from it
  CHECK(errors[0].cause == support::Cause::usage);
  CHECK(errors[0].refutes);
  CHECK(test::contains(errors[0].message, "what is stated of the loop at"));
  CHECK(test::contains(errors[0].message, "(--loop-bound): it runs 5 times, not at most 3"));
}

TEST_CASE("other facts that are made wrong are found") {
  frontend::AnalyzedKernel wrong = search_kernel();
  const auto is_error = [&wrong](const std::string& part) {
    const support::Diagnostics errors = errors_of(wrong);
    return !errors.empty() && errors[0].cause == support::Cause::internal && test::contains(errors[0].message, part);
  };
  wrong.flow.blocks.back().warps = 0;
  CHECK(is_error("at most 0 warps of a block"));
  wrong = search_kernel();
  REQUIRE_FALSE(wrong.flow.accesses.empty());
  for (ir::Access& access : wrong.flow.accesses) access.warp_lines = 0;
  CHECK(is_error("a warp accesses at most 0 lines of memory"));
  wrong = search_kernel();
  for (uint32_t& transactions : wrong.flow.transactions) transactions = 0;
  CHECK(is_error("has at most 0 transactions, and 1 in a run"));
}
