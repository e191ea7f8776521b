// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous copies of threads: what a warp waits for, and the bound against runs in which what they have read is
// written to shared memory whenever it suits the adversary.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/thinned.hpp"
#include "tests/timing/in_order.hpp"
#include "tests/timing/simulated_issue.hpp"
#include "tests/timing/toy_machine.hpp"
#include "timing/analysis.hpp"
#include "timing/costs/constant_reads.hpp"
#include "timing/warp/one_warp.hpp"

using namespace warpspan;
using test::below;
using test::Random;

namespace {

constexpr int64_t request_cycles = 3, write_cycles = 4, copy_latency = 100;

// The toy machine with copies, closing a group of them (10 cycles), and waiting for them (10 cycles).
timing::Machine machine_with_copies() {
  timing::Machine machine = test::toy_machine();
  using ir::OperationKind;
  const auto figures = [](int64_t latency, std::vector<timing::Occupancy> holds) {
    timing::OperationFigures result;
    result.latency = {latency, latency, latency};
    result.occupancies = std::move(holds);
    result.occupancies.insert(result.occupancies.begin(), timing::Occupancy{0, 1, false, 1});
    return result;
  };
  constexpr int64_t held = request_cycles + write_cycles;
  const auto copy = static_cast<size_t>(OperationKind::copy_async);
  machine.operations[copy] = machine.otherwise[copy] = figures(copy_latency, {timing::Occupancy{1, held, true, held}});
  for (const char* opcode : {"cp.async.commit_group", "cp.async.wait_group"}) {
    machine.form_figures.push_back({OperationKind::copy_async, {{}, {opcode}, {}, {}, false}, figures(10, {})});
  }
  return machine;
}

// Of L, C and A: a copy; G: closes a group; W: waits for all.
test::TestKernel kernel_of(const std::string& before, const std::string& body, const std::string& after,
                           int64_t trips) {
  std::vector<test::BlockSpec> blocks;
  const auto plain = [](std::string text) {
    for (char& c : text) c = std::string("AGW").find(c) == std::string::npos ? c : 'C';
    return text;
  };
  blocks.push_back({plain(before), {1}, false, 1});
  blocks.push_back({plain(body), {1, 2}, false, 2, 0});
  blocks.push_back({plain(after), {}});
  test::TestKernel k = test::build_kernel(blocks, {test::loop(1, trips)});
  const auto first = static_cast<uint32_t>(k.kernel.operations.size());
  ir::Operation copy, commit, wait;
  for (ir::Operation* operation : {&copy, &commit, &wait}) operation->kind = ir::OperationKind::copy_async;
  copy.facts.copy.kind = ir::Copy::Kind::by_lanes;
  copy.key.opcode = "cp.async";
  commit.facts.synchronisation = ir::Synchronisation::commit;
  commit.key.opcode = "cp.async.commit_group";
  wait.key.opcode = "cp.async.wait_group";
  for (ir::Operation* operation : {&copy, &commit, &wait}) {
    operation->text = operation->key.opcode;
    k.kernel.operations.push_back(*operation);
  }
  const std::string all = before + body + after;
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t which = std::string("AGW").find(all[i]);
    if (which != std::string::npos) k.kernel.instructions[i].operation = first + static_cast<uint32_t>(which);
  }
  return k;
}

int64_t time_of(const std::string& text) {
  const test::TestKernel k = kernel_of(text, "C", "C", 1);
  const timing::Machine machine = machine_with_copies();
  const auto costs = costs_of(k.kernel, machine);
  REQUIRE(costs.ok());
  const auto time = one_warp_time({k.kernel, k.flow, *costs, machine}, timing::Case::worst);
  REQUIRE(time.ok());
  return *time;
}

std::string random_text(Random& random, int64_t longest) {
  std::string text;
  for (int64_t i = 1 + below(random, longest); i > 0; --i) text += "LCAAAGW"[below(random, 7)];
  return text;
}

// One multiprocessor, cycle by cycle. The load/store unit takes a request from its issue on, and what a copy has read
// at some time after it.
class Simulation {
 public:
  Simulation(const test::TestKernel& k, const timing::Machine& machine, int64_t warps, Random& random)
      : kernel_(k.kernel), flow_(k.flow), machine_(machine), random_(random), warps_(static_cast<size_t>(warps)) {
    policy_ = below(random, 3);
    for (const ir::BlockId block : {0U, 1U, 2U}) {
      const int64_t times = block == 1 ? *k.flow.loops[0].trip_count : 1;
      for (int64_t t = 0; t < times; ++t) {
        for (uint32_t i = 0; i < kernel_.blocks[block].count; ++i) trace_.push_back(kernel_.blocks[block].first + i);
      }
    }
    issue_free_.assign(static_cast<size_t>(machine.schedulers), 0);
  }

  int64_t run() {
    for (now_ = 0; busy(); ++now_) {
      while (act()) {
      }
    }
    return end_;
  }

 private:
  struct Copy {
    size_t warp = 0;
    int64_t there = 0, cycles = 0;  // when it has been read, and how long it takes to be written
  };
  struct Warp {
    size_t next = 0;
    int64_t may_issue = 0, copied = 0;
    int copies = 0;  // under way
    std::vector<int64_t> ready = std::vector<int64_t>(16, 0);
  };

  bool busy() const {
    return !copies_.empty() ||
           std::any_of(warps_.begin(), warps_.end(), [this](const Warp& warp) { return warp.next < trace_.size(); });
  }
  const ir::Operation& operation(ir::InstructionId id) const { return kernel_.operation(kernel_.instructions[id]); }
  int64_t pieces(ir::InstructionId id) const { return std::max<int64_t>(1, flow_.transactions[id]); }
  int64_t any(int64_t most) { return below(random_, 3) == 0 ? below(random_, most + 1) : most; }
  size_t scheduler(size_t warp) const { return warp % issue_free_.size(); }

  bool can_issue(size_t w) const {
    const Warp& warp = warps_[w];
    if (warp.next == trace_.size() || warp.may_issue > now_ || issue_free_[scheduler(w)] > now_) return false;
    const ir::InstructionId id = trace_[warp.next];
    const ir::Operation& o = operation(id);
    const bool uses_unit = o.kind == ir::OperationKind::load_global || ir::is_async_copy(o);
    if (uses_unit && unit_free_ > now_) return false;
    if (o.key.opcode == "cp.async.wait_group" && (warp.copies > 0 || warp.copied > now_)) return false;
    const ir::Instruction& instruction = kernel_.instructions[id];
    const ir::RegisterId* used = kernel_.reads(instruction);
    return std::all_of(used, used + instruction.reads + instruction.writes,
                       [&](ir::RegisterId reg) { return warp.ready[reg] <= now_; });
  }

  // One issue or one write that can happen now, as the policy likes: writes last, first, or at random.
  bool act() {
    std::vector<size_t> able, written;
    for (size_t w = 0; w < warps_.size(); ++w) {
      if (can_issue(w)) able.push_back(w);
    }
    for (size_t c = 0; c < copies_.size(); ++c) {
      if (copies_[c].there <= now_ && unit_free_ <= now_) written.push_back(c);
    }
    if (able.empty() && written.empty()) return false;
    const bool writes =
        able.empty() || (!written.empty() && (policy_ == 1 || (policy_ == 2 && below(random_, 2) == 0)));
    if (writes) {
      write(written[static_cast<size_t>(below(random_, static_cast<int64_t>(written.size())))]);
    } else {
      issue(able[static_cast<size_t>(below(random_, static_cast<int64_t>(able.size())))]);
    }
    return true;
  }

  void write(size_t c) {
    const Copy copy = copies_[c];
    copies_.erase(copies_.begin() + static_cast<ptrdiff_t>(c));
    unit_free_ = now_ + copy.cycles;
    --warps_[copy.warp].copies;
    warps_[copy.warp].copied = std::max(warps_[copy.warp].copied, unit_free_);
    end_ = std::max(end_, unit_free_);
  }

  void issue(size_t w) {
    Warp& warp = warps_[w];
    const ir::InstructionId id = trace_[warp.next++];
    const ir::Operation& o = operation(id);
    issue_free_[scheduler(w)] = now_ + 1;
    warp.may_issue = now_ + machine_.issue_gap;
    int64_t latency = 10;
    if (o.kind == ir::OperationKind::load_global) {
      latency = 100;
      unit_free_ = now_ + 5 * pieces(id);
      end_ = std::max(end_, unit_free_);
    } else if (ir::is_async_copy(o)) {
      unit_free_ = now_ + request_cycles * pieces(id);
      const int64_t cycles = write_cycles * pieces(id);
      copies_.push_back({w, now_ + any(copy_latency - cycles), cycles});
      ++warp.copies;
      return;
    } else if (o.kind == ir::OperationKind::int_add) {
      latency = 20;
    } else if (o.kind == ir::OperationKind::load_param) {
      latency = 0;
    }
    const int64_t ready = now_ + any(latency);
    const ir::Instruction& instruction = kernel_.instructions[id];
    for (int i = 0; i < instruction.writes; ++i) warp.ready[kernel_.writes(instruction)[i]] = ready;
    end_ = std::max(end_, ready);
  }

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const timing::Machine& machine_;
  Random& random_;
  int64_t policy_ = 0;
  std::vector<ir::InstructionId> trace_;
  std::vector<Warp> warps_;
  std::vector<Copy> copies_;
  std::vector<int64_t> issue_free_;
  int64_t unit_free_ = 0, now_ = 0, end_ = 0;
};

test::TestKernel random_kernel(Random& random) {
  const std::string before = random_text(random, 3), body = random_text(random, 6), after = random_text(random, 3);
  test::TestKernel k = kernel_of(before, body, after, 1 + below(random, 4));
  constexpr uint32_t registers = 5;
  k.kernel.registers = registers;
  for (size_t id = 0; id < k.kernel.instructions.size(); ++id) {
    const ir::Operation& operation = k.kernel.operation(k.kernel.instructions[id]);
    const auto any = [&] { return static_cast<ir::RegisterId>(below(random, registers)); };
    const bool is_plain = operation.kind != ir::OperationKind::copy_async;
    if (is_plain) test::connect(k, id, {any()}, {any()});
    if (operation.kind == ir::OperationKind::load_global || ir::is_async_copy(operation)) {
      k.flow.transactions[id] = static_cast<uint32_t>(1 + below(random, 4));
    }
  }
  return k;
}

}  // namespace

TEST_CASE("copies run beside the threads that ask for them") {
  // Issues 10 apart, 7 more for what each copy writes; the wait ends 10 after the last copy, three additions follow.
  CHECK(time_of("AGW") == 7 + 100 + 10 + 10 + 20);
  CHECK(time_of("AAGW") == 7 + 10 + 7 + 100 + 10 + 10 + 20);
  CHECK(time_of("AAAAGW") == 3 * 17 + 7 + 100 + 10 + 10 + 20);
  CHECK(time_of("AGCCCCCW") == time_of("AGW"));
  CHECK(time_of("ACCCC") == 7 + 100);  // over at the end at the latest
}

TEST_CASE("no simulated run with copies exceeds the bound") {
  Random random(warpspan::test::first_seed(20311, 3000));
  int64_t runs = 0, above = 0;
  double nearest = 0;
  for (int round = 0; round < warpspan::test::thinned_seeds(3000); ++round) {
    timing::Machine machine = machine_with_copies();
    machine.schedulers = 1 + below(random, 2);
    machine.issue_gap = 1 + below(random, 10);
    const test::TestKernel k = random_kernel(random);
    const int64_t warps = 1 + below(random, 5);
    ir::Launch launch;
    launch.block = ir::Extent{32 * warps, 1, 1};
    const auto analysis = analyze(k.kernel, k.flow, launch, machine, test::in_order(), std::nullopt);
    REQUIRE(analysis.ok());
    const solver::Bound& bound = analysis->bounds.front().bound;
    const timing::ConstantReads reads = timing::with_constant_reads(k.kernel, k.flow, false);
    const test::TestKernel machine_code = {reads.kernel, reads.flow};
    for (int run = 0; run < 4; ++run) {
      const int64_t makespan = Simulation(machine_code, machine, warps, random).run();
      ++runs;
      if (makespan > *bound.makespan) ++above;
      if (warps == 1 && makespan > bound.parts.front().demand) ++above;
      nearest = std::max(nearest, static_cast<double>(makespan) / static_cast<double>(*bound.makespan));
    }
  }
  CHECK(runs == 4 * warpspan::test::thinned_seeds(3000));
  CHECK(above == 0);
  CHECK(nearest > warpspan::test::or_half(0.9));
}

TEST_CASE("a copy asks for a line, for two where the L2 fetches 256 bytes; groups and waits ask for none") {
  for (const char* name : {"sm_80", "sm_87", "sm_90", "sm_100", "sm_120"}) {
    const auto machine = timing::load_machine(name);
    REQUIRE(machine.ok());
    const auto lines = [&](const std::string& opcode, const std::vector<std::string>& modifiers) {
      ir::Operation operation;
      operation.kind = ir::OperationKind::copy_async;
      operation.text = operation.key.opcode = opcode;
      operation.key.modifiers = modifiers;
      const auto figures = machine->figures(operation);
      REQUIRE(figures);
      for (const timing::Occupancy& hold : figures->occupancies) {
        if (machine->resources[hold.resource].name == timing::memory_resource) return hold.cycles;
      }
      return int64_t{0};
    };
    INFO(name);
    CHECK(lines("cp.async", {"ca", "global", "shared"}) == 1);
    CHECK(lines("cp.async", {"L2::128B", "cg", "global", "shared"}) == 1);
    CHECK(lines("cp.async", {"L2::256B", "cg", "global", "shared"}) == 2);
    CHECK(lines("cp.async.commit_group", {}) == 0);
    CHECK(lines("cp.async.wait_group", {}) == 0);
    CHECK(lines("cp.async.wait_all", {}) == 0);
  }
}
