// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/access_section.hpp"

#include <catch2/catch.hpp>

#include "tests/app/reports/example_report.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

KernelReport example() { return test::with_accesses(test::example_kernel()); }

// Of the dense access, changed.
template <typename Change>
std::string touched_by(const Change& change) {
  KernelReport kernel = example();
  change(kernel.accesses[0]);
  return touched(kernel.accesses[0], kernel);
}

}  // namespace

TEST_CASE("the costliest accesses, and how many are dense") {
  CHECK(access_table(example(), 6, 100) ==
        R"(  1 of 3 accesses to global memory covers a dense range: --assume stream helps no other
    fir.ptx:50  ld.global.f32  table  gather, 2 MiB (--buffer)
    fir.cu:12   ld.global.f32  in     dense, 4 KiB, each line once if aligned
    fir.ptx:60  st.f32         -      unknown
)");
  const std::string cut = access_table(example(), 1, 100);
  CHECK(cut.find("fir.ptx:50") != std::string::npos);
  CHECK(cut.find("fir.cu:12") == std::string::npos);
  CHECK(cut.find("    ... and 2 more; the JSON report has all\n") != std::string::npos);
}

TEST_CASE("the first line says which accesses are dense") {
  KernelReport kernel = example();
  kernel.accesses.resize(1);
  CHECK(access_table(kernel, 6, 100).rfind("  the access to global memory covers a dense range\n", 0) == 0);
  kernel.accesses.push_back(kernel.accesses[0]);
  CHECK(access_table(kernel, 6, 100).rfind("  all 2 accesses to global memory cover dense ranges\n", 0) == 0);
  kernel.accesses.push_back(example().accesses[1]);
  CHECK(access_table(kernel, 6, 100)
            .rfind("  2 of 3 accesses to global memory cover dense ranges: --assume stream helps no other\n", 0) == 0);
  kernel.accesses = {example().accesses[1]};
  CHECK(access_table(kernel, 6, 100)
            .rfind("  the access to global memory covers no dense range: --assume stream does not help it\n", 0) == 0);
  kernel.accesses.push_back(kernel.accesses[0]);
  CHECK(access_table(kernel, 6, 100)
            .rfind("  none of 2 accesses to global memory covers a dense range: --assume stream helps none\n", 0) == 0);
  kernel.launch.grid.reset();
  CHECK(access_table(kernel, 6, 100).rfind("  2 accesses to global memory, of one block\n", 0) == 0);
  kernel.accesses.clear();
  CHECK(access_table(kernel, 6, 100).empty());
}

TEST_CASE("what an access touches") {
  CHECK(touched_by([](MemoryAccess&) {}) == "dense, 4 KiB, each line once if aligned");
  CHECK(touched_by([](MemoryAccess& a) { a.where.aligned_transactions = 0; }) == "dense, 4 KiB, each line 1.9 times");
  CHECK(touched_by([](MemoryAccess& a) { a.where.aligned_transactions = 2; }) == "dense, 4 KiB, each line 1.9 times");
  CHECK(touched_by([](MemoryAccess& a) { a.executions = 64; }) == "dense, 4 KiB, each line 62 times if aligned");
  CHECK(touched_by([](MemoryAccess& a) { a.executions.reset(); }) == "dense, 4 KiB");
  CHECK(touched_by([](MemoryAccess& a) { a.executions = INT64_MAX; }) == "dense, 4 KiB");
  CHECK(touched_by([](MemoryAccess& a) { a.where.dense = false; }) == "within 4 KiB, each line once if aligned");
  CHECK(touched_by([](MemoryAccess& a) {
          a.where.dense = false;
          a.where.grid_lines = 16;
        }) == "within 4 KiB, 16 lines of it, each line 2 times if aligned");
  CHECK(touched_by([](MemoryAccess& a) {
          a.where.dense = false;
          a.where.span.reset();
          a.where.grid_lines.reset();
        }) == "2 lines a warp, 9 lines a block");
}

TEST_CASE("a gather has the size of its array, or none is known") {
  const auto gather = [](MemoryAccess& a) {
    a.where = {};
    a.where.span = ir::ByteSpan{0, 512};
  };
  CHECK(touched_by(gather) == "gather, 512 bytes");  // of a variable: nobody had to say it
  CHECK(touched_by([](MemoryAccess& a) { a.where = {}; }) == "gather of unknown size");
  CHECK(touched_by([](MemoryAccess& a) {
          a.where = {};
          a.object.clear();
        }) == "unknown");
}

TEST_CASE("arrays of unknown size are named once, as --buffer takes them") {
  KernelReport kernel = example();
  MemoryAccess gather = kernel.accesses[1];
  gather.where.span.reset();
  gather.object = "fir_param_2";
  MemoryAccess other = gather;
  other.object = "fir_param_1";
  kernel.accesses = {gather, gather, other};
  CHECK(access_table(kernel, 6, 100) ==
        R"(  none of 3 accesses to global memory covers a dense range: --assume stream helps none
    fir.ptx:50  ld.global.f32 x2  param_2  gather of unknown size
    fir.ptx:50  ld.global.f32     param_1  gather of unknown size
    --buffer NAME=BYTES gives a gather its size; NAME: fir_param_2, fir_param_1
)");
  // One block: what depends on its number is not known, which says nothing of a gather.
  kernel.launch.grid.reset();
  CHECK(access_table(kernel, 6, 100) == R"(  3 accesses to global memory, of one block
    fir.ptx:50  ld.global.f32 x2  param_2  unknown without --grid
    fir.ptx:50  ld.global.f32     param_1  unknown without --grid
)");
}
