// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose runs were counted, instruction by instruction, by an interpreter with 32 lanes: no bound is below them.
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "ir/execution.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

struct Counts {
  int64_t instructions = 0;
  int64_t store_transactions = 0;  // to global memory
};

// Of one warp in a block of 32 threads.
Counts counts_of(const std::string& file, const std::string& name) {
  const std::string path = warpspan::test::source_dir() + "/tests/samples/divergence/" + file;
  auto source = support::read_source(path);
  REQUIRE(source.ok());
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  const auto reading =
      frontend::read_kernels(std::make_shared<const support::SourceFile>(std::move(*source)), {name}, launch);
  REQUIRE(reading.errors.empty());
  REQUIRE(reading.kernels.size() == 1);
  const ir::Kernel& kernel = reading.kernels.front().kernel;
  const ir::Flow& flow = reading.kernels.front().flow;
  const auto measure = [&](ir::InstructionId id) {
    const bool is_store = kernel.operation(kernel.instructions[id]).kind == ir::OperationKind::store_global;
    return std::vector<support::Integer>{1, is_store ? flow.transactions[id] : 0};
  };
  const auto totals = ir::largest_totals(kernel, flow, 2, measure);
  REQUIRE(totals);
  return {(*totals)[0].value().value(), (*totals)[1].value().value()};
}

}  // namespace

TEST_CASE("joins of ways with several blocks") {
  CHECK(counts_of("earlystop.ptx", "k").instructions == 18'024);  // executed: 18,024
  CHECK(counts_of("earlystop_tid.ptx", "k").instructions == 18'024);
  CHECK(counts_of("es_noasm.ptx", "k").instructions == 68'039);  // executed: 68,039
}

TEST_CASE("lanes that leave a loop by its header in different iterations") {
  for (const char* file : {"hdr2.ptx", "header_div.ptx"}) {
    const Counts counts = counts_of(file, "k");
    CHECK(counts.instructions >= 18'042);
    CHECK(counts.instructions <= 18'042 * 11 / 10);
    CHECK(counts.store_transactions >= 8'000);
  }
  const Counts ways = counts_of("la2.XciccO1.ptx", "ways");
  CHECK(ways.instructions >= 68'299);
  CHECK(ways.instructions <= 68'299 * 6 / 5);
}

TEST_CASE("lanes that a uniform break lets out of a loop in different iterations") {
  CHECK(counts_of("left_apart.ptx", "k").store_transactions >= 32);
}

// An unrolled loop whose lanes skip rounds or stop: at most 32 times what one lane executes.
TEST_CASE("unrolled rounds cost in proportion") {
  for (const char* name : {"stores", "ways", "search"}) {
    INFO(name);
    const int64_t twelve = counts_of("un12.ptx", name).instructions;
    const int64_t twenty_four = counts_of("un24.ptx", name).instructions;
    CHECK(twenty_four <= 2 * twelve);
  }
}
