#include "tests/reference/interpreter.hpp"

#include "tests/reference/warp.hpp"

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

class BlockRun {
 public:
  BlockRun(const Surroundings& around, Record& record, Random& random)
      : around_(around), record_(record), random_(random) {
    const ir::Extent& block = around.situation.block;
    const auto count = static_cast<uint32_t>((block.x * block.y * block.z + lanes_of_warp - 1) / lanes_of_warp);
    for (uint32_t i = 0; i < count; ++i) warps_.emplace_back(around, record, i);
  }

  // False if the run must stop. Either way what its warps executed is noted.
  bool run() {
    bool goes_on = run_to_barrier();
    while (goes_on && release_barrier()) goes_on = run_to_barrier();
    for (const Warp& warp : warps_) record_.warps.push_back(warp.record());
    return goes_on;
  }

 private:
  // Until no group of any warp can move.
  bool run_to_barrier() {
    std::vector<size_t> open;
    for (size_t i = 0; i < warps_.size(); ++i) open.push_back(i);
    while (!open.empty()) {
      const bool any = around_.situation.order == Order::any_at_split || around_.situation.order == Order::any_at_step;
      const size_t at = any ? random_.below(open.size()) : 0;
      const int64_t turn = any ? random_.between(1, 40) : around_.situation.most_steps;
      const auto still_open = run_warp(warps_[open[at]], turn);
      if (!still_open) return false;
      if (!*still_open) open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return true;
  }

  // At most so many steps of a warp. Whether it can move on; nothing if the run must stop.
  std::optional<bool> run_warp(Warp& warp, int64_t steps) {
    std::optional<uint32_t> group;
    for (int64_t i = 0; i < steps; ++i) {
      group = warp.choose(random_, group);
      if (!group) return false;
      if (record_.steps >= around_.situation.most_steps) {
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

  bool release_barrier() {
    bool released = false;
    for (Warp& warp : warps_) released |= warp.release_barrier();
    return released;
  }

  const Surroundings& around_;
  Record& record_;
  Random& random_;
  std::vector<Warp> warps_;
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
  uint32_t blocks = 0;
  for (const ir::Extent& number : situation.blocks) {
    Memory shared(random.next());
    const Surroundings around{subject, situation, global, parameters, shared, number, blocks++};
    if (!BlockRun(around, record, random).run()) break;
  }
  return record;
}

}  // namespace warpspan::reference
