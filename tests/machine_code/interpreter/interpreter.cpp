// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/interpreter/interpreter.hpp"

#include <algorithm>
#include <bit>

#include "tests/machine_code/interpreter/warp.hpp"

namespace warpspan::machine_code {

namespace {

constexpr uint64_t stack_top = 0x10000;  // of local memory

std::map<uint32_t, Bank> constants_of(const Program& program, const Launch& launch) {
  std::map<uint32_t, Bank> constants = program.constants;
  for (const auto& [bank, bytes] : launch.constants) constants[bank].put(0, bytes);
  const BankLayout& layout = program.layout;
  Bank& first = constants[0];
  const auto put_extent = [&](uint32_t at, const ir::Extent& extent) {
    first.put(at, static_cast<uint64_t>(extent.x), 4);
    first.put(at + 4, static_cast<uint64_t>(extent.y), 4);
    first.put(at + 8, static_cast<uint64_t>(extent.z), 4);
  };
  put_extent(layout.block, launch.block);
  put_extent(layout.grid, launch.grid);
  first.put(layout.stack, stack_top, 4);
  if (layout.descriptor != 0) first.put(layout.descriptor, 0, 8);
  first.put(layout.local, reference::local_window, 8);
  if (layout.shared != 0) first.put(layout.shared, reference::shared_window, 8);
  first.put(layout.parameters, launch.parameters);
  return constants;
}

class BlockRun {
 public:
  BlockRun(const Surroundings& around, Record& record, reference::Random& random)
      : around_(around), record_(record), random_(random) {
    const ir::Extent& block = around.launch.block;
    threads_ = static_cast<unsigned>(block.x * block.y * block.z);
    const unsigned count = (threads_ + lanes_of_warp - 1) / lanes_of_warp;
    warps_.reserve(count);
    for (uint32_t i = 0; i < count; ++i) warps_.emplace_back(around, record, i);
  }

  // Why it could not be executed to its end; empty if it was.
  std::string run() {
    std::string error;
    do {
      error = run_to_barrier();
    } while (error.empty() && release_barriers());
    for (const Warp& warp : warps_) {
      if (error.empty() && !warp.lanes().done()) error = "lanes wait for ever";
      record_.warps.push_back(warp.record());
      record_.ways.push_back(warp.ways());
      if (around_.launch.notes_steps) record_.traces.push_back(warp.trace());
    }
    return error;
  }

 private:
  // Until no group of any warp can move.
  std::string run_to_barrier() {
    std::vector<size_t> open;
    for (size_t i = 0; i < warps_.size(); ++i) open.push_back(i);
    const reference::Order order = around_.launch.order;
    const bool any = order == reference::Order::any_at_split || order == reference::Order::any_at_step;
    while (!open.empty()) {
      const size_t at = any ? random_.below(open.size()) : 0;
      const int64_t turn = any ? random_.between(1, 40) : around_.launch.most_steps;
      bool goes_on = true;
      for (int64_t i = 0; i < turn && goes_on; ++i) {
        if (record_.steps >= around_.launch.most_steps) return "more steps than allowed";
        std::string error;
        goes_on = warps_[open[at]].step(random_, error);
        if (!error.empty()) return error;
      }
      if (!goes_on) open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return "";
  }

  // A barrier is complete when so many threads wait at it as were said, or all that have not ended.
  bool release_barriers() {
    bool released = false;
    for (unsigned barrier = 0; barrier < barriers; ++barrier) {
      unsigned waiting = 0, expected = 0, alive = 0;
      for (const Warp& warp : warps_) {
        waiting += warp.lanes().waiting(barrier);
        alive += static_cast<unsigned>(std::popcount(warp.lanes().alive()));
        if (warp.lanes().waiting(barrier) > 0) expected = std::max(expected, warp.expected(barrier));
      }
      if (waiting == 0 || waiting < (expected == 0 ? alive : std::min(expected, alive))) continue;
      for (Warp& warp : warps_) {
        if (warp.lanes().waiting(barrier) > 0) warp.note_wait(openings_);
        warp.release(barrier);
      }
      ++openings_;
      released = true;
    }
    return released;
  }

  static constexpr unsigned barriers = 16;

  const Surroundings& around_;
  Record& record_;
  reference::Random& random_;
  unsigned threads_ = 0;
  uint32_t openings_ = 0;  // of barriers
  std::vector<Warp> warps_;
};

}  // namespace

Record run(const Program& program, const Launch& launch, reference::Memory& global) {
  Record record;
  record.most_pieces.assign(program.instructions.size(), 0);
  record.parted.assign(program.instructions.size(), false);
  for (const reference::NaturalLoop& loop : program.graph.loops) record.loops.push_back({loop.header, 0});
  reference::Random random(launch.seed + 2);
  const std::map<uint32_t, Bank> constants = constants_of(program, launch);
  uint32_t blocks = 0;
  for (const ir::Extent& number : launch.blocks) {
    Memory shared(random.next());
    if (launch.clears_own_memory) shared = Memory::zeros();
    const Surroundings around{program, launch, constants, global, shared, number, blocks++};
    record.stopped = BlockRun(around, record, random).run();
    if (!record.stopped.empty()) break;
  }
  return record;
}

support::Result<Record> execute(const Program& program, const Launch& launch, reference::Memory& global) {
  Record record = run(program, launch, global);
  if (record.stopped.empty()) return record;
  support::Diagnostic diagnostic;
  diagnostic.message = record.stopped;
  return diagnostic;
}

}  // namespace warpspan::machine_code
