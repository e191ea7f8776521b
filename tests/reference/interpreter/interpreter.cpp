// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/interpreter/interpreter.hpp"

#include <memory>

#include "tests/reference/interpreter/warp.hpp"

namespace warpspan::reference {

namespace {

// Numbers for what the situation leaves open: pointers that are aligned as allocations are, others of any size.
uint64_t any_argument(int64_t bytes, Random& random) {
  if (bytes == 8) return 0x7f0000000000 + random.below(1 << 20) * 256;
  return random.chance(50) ? random.below(64) : random.next();
}

void write_arguments(const Subject& subject, const Situation& situation, Memory& parameters) {
  Random random(situation.seed + 1);
  for (uint32_t i = 0; i < subject.entry.parameters.size(); ++i) {
    const uint32_t index = subject.entry.parameters[i].variable;
    if (index == ptx::none) continue;
    const ptx::Variable& variable = subject.module.variables[index];
    if (variable.bytes > 8) continue;
    const uint64_t any = any_argument(variable.bytes, random);
    const auto bound = situation.arguments.find(i);
    parameters.store(subject.places[index], static_cast<int>(variable.bytes),
                     bound == situation.arguments.end() ? any : bound->second);
  }
}

// Where clocks begin: often near where one of 32 bits goes round.
uint64_t random_start(uint64_t seed) {
  Random random(seed + 6);
  return random.chance(50) ? random.next() : UINT64_MAX - random.below(100'000);
}

struct BlockRun {
  BlockRun(const Surroundings& surroundings, uint64_t seed) : shared(seed), around(surroundings) {}

  Memory shared;
  Surroundings around;
  std::vector<Warp> warps = {};
  size_t open = 0;  // warps of which some group can move

  bool release_barrier() {
    bool released = false;
    for (Warp& warp : warps) released |= warp.release_barrier();
    return released;
  }
};

// Blocks that run at the same time.
class Wave {
 public:
  Wave(const Situation& situation, Record& record, Random& random)
      : situation_(situation), record_(record), random_(random) {}

  void add(const Surroundings& around, uint32_t warps) {
    blocks_.push_back(std::make_unique<BlockRun>(around, random_.next()));
    BlockRun& block = *blocks_.back();
    block.around.shared = &block.shared;
    block.around.warps_of_block = warps;
    for (uint32_t i = 0; i < warps; ++i) block.warps.emplace_back(block.around, record_, i);
    open(block);
  }

  // False if the run must stop. Either way what the warps executed is noted.
  bool run() {
    if (situation_.order == Order::starved) starved_ = random_.of(open_).second;
    const bool goes_on = run_all();
    for (const auto& block : blocks_) {
      for (const Warp& warp : block->warps) record_.warps.push_back(warp.record());
    }
    return goes_on;
  }

 private:
  using Open = std::pair<BlockRun*, Warp*>;

  void open(BlockRun& block) {
    for (Warp& warp : block.warps) open_.emplace_back(&block, &warp);
    block.open = block.warps.size();
  }

  bool run_all() {
    while (!open_.empty()) {
      const auto [at, steps] = choose();
      const auto [block, warp] = open_[at];
      const auto still_open = run_warp(*warp, steps);
      if (!still_open) return false;
      if (*still_open) continue;
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
      if (--block->open == 0 && block->release_barrier()) open(*block);
    }
    return true;
  }

  // A warp, and how many steps it makes.
  std::pair<size_t, int64_t> choose() {
    const Order order = situation_.order;
    if (order == Order::starved) return choose_starving();
    const bool any = order == Order::any_at_split || order == Order::any_at_step;
    const size_t at = any ? random_.below(open_.size()) : 0;
    return {at, any ? random_.between(1, 40) : situation_.most_steps};
  }

  // Others that wait for the starved one themselves would wait for ever.
  std::pair<size_t, int64_t> choose_starving() {
    constexpr int64_t most_waiting = 1000;
    waiting_ = starved_->is_ahead() ? waiting_ + 1 : 0;
    const bool may_move = waiting_ == 0 || waiting_ > most_waiting;
    std::vector<size_t> others;
    for (size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].second != starved_)
        others.push_back(i);
      else if (may_move)
        return {i, 1};
    }
    return {others.empty() ? 0 : random_.of(others), 1};
  }

  // At most so many steps of a warp. Whether it can move on; nothing if the run must stop.
  std::optional<bool> run_warp(Warp& warp, int64_t steps) {
    std::optional<uint32_t> group;
    for (int64_t i = 0; i < steps; ++i) {
      group = warp.choose(random_, group);
      if (!group) return false;
      if (record_.steps >= situation_.most_steps) {
        record_.outcome = Record::Outcome::too_long;
        return std::nullopt;
      }
      if (!warp.execute(*group)) {
        record_.outcome = Record::Outcome::faulted;
        return std::nullopt;
      }
    }
    return true;
  }

  const Situation& situation_;
  Record& record_;
  Random& random_;
  std::vector<std::unique_ptr<BlockRun>> blocks_;
  std::vector<Open> open_;
  const Warp* starved_ = nullptr;
  int64_t waiting_ = 0;  // steps of others since the starved one could not move
};

}  // namespace

Record execute(const Subject& subject, const Situation& situation) {
  Memory global(situation.seed + 3);
  return execute(subject, situation, global);
}

Record execute(const Subject& subject, const Situation& situation, Memory& global) {
  Record record;
  record.most_pieces.assign(subject.program.steps.size(), 0);
  record.parted.assign(subject.program.steps.size(), false);
  record.most_turns.assign(subject.graph.loops.size(), 0);
  Random random(situation.seed + 2);
  Memory parameters(situation.seed + 4);
  write_arguments(subject, situation, parameters);
  record.cycles = random_start(situation.seed);
  const ir::Extent& block = situation.block;
  const auto warps = static_cast<uint32_t>((block.x * block.y * block.z + lanes_of_warp - 1) / lanes_of_warp);
  const size_t at_once = situation.blocks_at_once ? situation.blocks.size() : 1;
  for (size_t first = 0; first < situation.blocks.size(); first += at_once) {
    Wave wave(situation, record, random);
    for (size_t i = first; i < first + at_once; ++i) {
      wave.add({subject, situation, global, parameters, nullptr, situation.blocks[i], static_cast<uint32_t>(i)}, warps);
    }
    if (!wave.run()) break;
  }
  return record;
}

}  // namespace warpspan::reference
