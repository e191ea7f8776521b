// SPDX-License-Identifier: GPL-3.0-or-later
// A report with round numbers, for the tests of both its forms.
#pragma once

#include "app/reports/analyze/analyze_report.hpp"

namespace warpspan::test {

inline solver::Bound bound(const char* method, int64_t makespan, solver::Kind kind, bool safe,
                           std::vector<std::string> assumptions, std::string remark = {}) {
  solver::Bound result;
  result.method = method;
  result.makespan = makespan;
  result.kind = kind;
  result.safe = safe;
  result.assumptions = std::move(assumptions);
  result.remark = std::move(remark);
  result.seconds = 0.25;
  return result;
}

// One block of 8 warps: 4,000 cycles alone, and 7 others that hold 3 resources.
inline app::KernelReport example_kernel() {
  app::KernelReport kernel;
  kernel.file = "fir.ptx";
  kernel.name = "fir";
  kernel.machine = {"toy", "a machine with round numbers", 1'000'000, 1, 32};
  kernel.launch.block = ir::Extent{16, 16, 1};
  ir::Loop loop;
  loop.label = "$L__BB0_2";
  loop.line = 34;
  loop.trip_count = 1000;
  loop.source = ir::TripCountSource::scalar_evolution;
  kernel.loops = {loop};

  timing::Analysis& analysis = kernel.analysis;
  analysis.load.warps_per_block = analysis.load.warps = analysis.load.device_warps = 8;
  analysis.load.needs = {8, {1, 255}, "no more on the machine", {0, 48}, false};
  analysis.load.residency = {{1, 4}, "registers", "warps", false};
  analysis.load.residency.limits = {{{"warps", {4, 4}},
                                     {"blocks", {8, 8}},
                                     {"registers", {1, 64}},
                                     {"shared memory", {1000, INT64_MAX}},
                                     {"barriers", {8, 128}}}};
  analysis.instructions = {2001, 1001, 0};
  analysis.string.append(ir::UnitClass::core);
  ir::InstructionString group;
  group.append(ir::UnitClass::load_store, 2);
  group.append(ir::UnitClass::core);
  analysis.string.append_repeated(group, 1000);
  analysis.string.append(ir::UnitClass::load_store);
  analysis.transformed = analysis.string;
  analysis.servers = {1, 2, 1};
  analysis.only_one_string = false;
  analysis.raw_edges = 12;
  analysis.best = 1000;
  analysis.average = 2000;
  analysis.worst = 4000;
  analysis.clock_readings = {{10, 20, 36, 40, 48}};
  analysis.resources = {{"issue", 2, 8, 1001}, {"load_store", 1, 8, 100}, {"memory", 1, 8, 0}};
  solver::Bound none = bound("exact", 0, solver::Kind::exact, true, {"Never shown."});
  analysis.bounds = {
      {"pipeline",
       bound("pipeline", 8203, solver::Kind::upper, true, {"Latencies are at most as listed.", "One block."})},
      {"string", bound("list", 20000, solver::Kind::upper, true, {"One cycle an instruction.", "One block."})},
      {"string", solver::without_value(none, solver::Status::time_limit, "the time limit of 10 s has been reached")},
      {"string",
       bound("published", 9000, solver::Kind::published, false, {"One cycle an instruction."}, "not safe here")}};
  using Kind = solver::Part::Kind;
  analysis.bounds[0].bound.parts = {{Kind::path, "", 4000, 1, 4000, 1},
                                    {Kind::resource, "issue", 3503, 7, 1001, 2},
                                    {Kind::resource, "load_store", 700, 7, 100, 1}};
  analysis.witness = 15'000;
  analysis.assumed_figures = {"int.div", "fp64"};
  return kernel;
}

// The kernel with the cost of fetching its code: 1,200 cycles.
inline app::KernelReport with_fetch(app::KernelReport kernel) {
  timing::FetchCost fetch;
  fetch.bytes = 1000;
  fetch.lines = 9;
  fetch.levels = {{"L0", false, 0, 30}, {"L1", true, 9, 0}};
  fetch.each = 300;
  fetch.once = 900;
  kernel.analysis.fetch = fetch;
  solver::Bound& bound = kernel.analysis.bounds[0].bound;
  *bound.makespan += 1200;
  bound.parts.insert(bound.parts.begin() + 1, {solver::Part::Kind::code, "", 1200, 1, 1200, 1});
  return kernel;
}

// The kernel with rungs below its bound: 8,203 cycles where nothing is granted.
inline app::KernelReport with_ladder(app::KernelReport kernel) {
  kernel.analysis.ladder = {
      {std::nullopt, 8203, "nothing is known of addresses and caches"},
      {timing::Assumption::keeps_constants, 6000, "12 reads of parameters hit"},
      {timing::Assumption::warm_code, 480, "no line of code is fetched"},
  };
  return kernel;
}

// The kernel under a grid of 4 blocks with an access of each sort.
inline app::KernelReport with_accesses(app::KernelReport kernel) {
  kernel.launch.grid = ir::Extent{4, 1, 1};
  kernel.launch.buffers = {{"table", 2 << 20}};
  kernel.analysis.load.device_warps = 32;
  app::MemoryAccess dense;
  dense.line = 40;
  dense.source_file = "src/fir.cu";
  dense.source_line = 12;
  dense.instruction = "ld.global.f32";
  dense.object = "in";
  dense.where.instruction = 3;
  dense.where.object = 0;
  dense.where.form = "4 * threadIdx.x + 1024 * blockIdx.x";
  dense.where.span = ir::ByteSpan{0, 4096};
  dense.where.warp_lines = 2;
  dense.where.block_lines = 9;
  dense.where.grid_lines = 33;
  dense.where.dense = true;
  dense.dense_with_line = 36;
  dense.where.aligned_transactions = 1;
  dense.pieces = 2;
  dense.executions = 1;
  dense.cycles = 100;
  app::MemoryAccess gather = dense;
  gather.line = 50;
  gather.source_line = 0;
  gather.source_file.clear();
  gather.object = "table";
  gather.object_bytes = 2 << 20;
  gather.where = {};
  gather.where.span = ir::ByteSpan{0, 2 << 20};
  gather.where.grid_lines = 16385;
  gather.pieces = 32;
  gather.cycles = 3000;
  app::MemoryAccess unknown;
  unknown.line = 60;
  unknown.instruction = "st.f32";
  unknown.pieces = 32;
  kernel.accesses = {dense, gather, unknown};
  return kernel;
}

}  // namespace warpspan::test
