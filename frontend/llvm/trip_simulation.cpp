#include "frontend/llvm/trip_simulation.hpp"

#include <llvm/IR/CFG.h>

#include <algorithm>
#include <array>

#include "frontend/llvm/evaluate.hpp"
#include "frontend/llvm/slice.hpp"

namespace warpspan::lift {

namespace {

constexpr int64_t most_evaluations_of_a_loop = 4'000'000;
constexpr int most_guards = 64;

// A condition in the slice and the value of it that matters.
struct Test {
  uint32_t node = 0;
  bool when = true;
};

// One loop of the nest that is simulated.
struct Level {
  unsigned depth = 0;
  std::optional<int64_t> known_count = std::nullopt;
  std::vector<Slice::Counter> counters = {};
  std::vector<uint32_t> nodes = {};  // that change with this loop and none inside it, in order
  std::vector<Test> guards = {};     // all must hold for the next loop to be entered
  std::vector<Test> exits = {};      // one of them ends the loop
};

const llvm::BranchInst* conditional_branch(const llvm::BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch != nullptr && branch->isConditional() ? branch : nullptr;
}

class Nest {
 public:
  Nest(const llvm::DominatorTree& dominators, const llvm::LoopInfo& loops, const llvm::Loop& loop)
      : dominators_(dominators), loop_(loop), slice_(loops, loop) {}

  // False if none of the loop's exits can be simulated, or a loop around it does not end.
  bool build(const TripSimulation::KnownCount& known);
  std::optional<int64_t> most_trips(const ir::Extent& block, int64_t& budget);

 private:
  std::vector<Test> exit_tests(const llvm::Loop& loop);
  bool uses_depth(unsigned depth) const;
  void make_levels(const TripSimulation::KnownCount& known);
  void add_guards();
  Level* level_of(unsigned depth);

  bool start_thread(const std::array<uint64_t, 4>& position);
  bool evaluate_nodes(const Level& level);
  bool holds(const Test& test) const { return (values_[test.node] != 0) == test.when; }
  bool advance(const Level& level);
  std::optional<int64_t> run(size_t level);
  std::optional<int64_t> run_around(size_t level);

  const llvm::DominatorTree& dominators_;
  const llvm::Loop& loop_;
  Slice slice_;
  std::vector<Level> levels_;  // from no loop to the loop itself; loops in between that do not matter are left out
  std::vector<uint64_t> values_;
  std::vector<uint64_t> next_;
  int64_t budget_ = 0;
};

// Tests that every iteration makes. A test that cannot be simulated is left out: then the loop may only run longer.
std::vector<Test> Nest::exit_tests(const llvm::Loop& loop) {
  std::vector<Test> tests;
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop.getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting) {
    const llvm::BranchInst* branch = conditional_branch(*block);
    if (branch == nullptr || !dominators_.dominates(block, loop.getLoopLatch())) continue;
    Slice attempt = slice_;
    const auto node = attempt.add(*branch->getCondition());
    if (!node || attempt.nodes()[*node].depth > loop.getLoopDepth()) continue;
    slice_ = std::move(attempt);
    tests.push_back({*node, !loop.contains(branch->getSuccessor(0))});
  }
  return tests;
}

bool Nest::uses_depth(unsigned depth) const {
  const auto& counters = slice_.counters();
  return std::any_of(counters.begin(), counters.end(), [&](const auto& c) { return c.depth == depth; });
}

Level* Nest::level_of(unsigned depth) {
  const auto found = std::find_if(levels_.begin(), levels_.end(), [&](const Level& l) { return l.depth == depth; });
  return found == levels_.end() ? nullptr : &*found;
}

bool Nest::build(const TripSimulation::KnownCount& known) {
  if (loop_.getLoopLatch() == nullptr) return false;
  std::vector<Test> exits = exit_tests(loop_);
  if (exits.empty()) return false;
  make_levels(known);
  levels_.back().exits = std::move(exits);
  for (size_t i = 1; i + 1 < levels_.size(); ++i) {
    if (levels_[i].exits.empty() && !levels_[i].known_count) return false;  // it would run for ever
  }
  add_guards();
  for (uint32_t id = 0; id < slice_.nodes().size(); ++id) {
    if (slice_.nodes()[id].instruction == nullptr) continue;
    // A loop that was left out has no counters, so no node is of its depth.
    if (Level* level = level_of(slice_.nodes()[id].depth)) level->nodes.push_back(id);
  }
  for (const Slice::Counter& counter : slice_.counters()) {
    if (Level* level = level_of(counter.depth)) level->counters.push_back(counter);
  }
  return true;
}

// The exit tests of outer loops may bring in counters of loops further out, so they are taken from the inside.
void Nest::make_levels(const TripSimulation::KnownCount& known) {
  levels_.push_back({.depth = loop_.getLoopDepth()});
  for (const llvm::Loop* outer = loop_.getParentLoop(); outer != nullptr; outer = outer->getParentLoop()) {
    if (!uses_depth(outer->getLoopDepth())) continue;
    Level level{.depth = outer->getLoopDepth(), .known_count = known(*outer)};
    if (outer->getLoopLatch() != nullptr) level.exits = exit_tests(*outer);
    levels_.push_back(std::move(level));
  }
  levels_.push_back({.depth = 0});
  std::reverse(levels_.begin(), levels_.end());
}

// Branches that every way to the loop takes in one direction, as far as they depend on no other loops' counters; the
// nearest. Without a guard the loop may only run longer.
void Nest::add_guards() {
  const llvm::BasicBlock* header = loop_.getHeader();
  const auto* node = dominators_.getNode(header);
  int guards = 0;
  for (node = node->getIDom(); node != nullptr && guards < most_guards; node = node->getIDom()) {
    const llvm::BranchInst* branch = conditional_branch(*node->getBlock());
    if (branch == nullptr || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    ++guards;
    for (const unsigned way : {0U, 1U}) {
      const llvm::BasicBlockEdge edge(node->getBlock(), branch->getSuccessor(way));
      if (!dominators_.dominates(edge, header)) continue;
      Slice attempt = slice_;
      const auto condition = attempt.add(*branch->getCondition());
      if (!condition || attempt.counters().size() != slice_.counters().size()) continue;
      Level* level = level_of(attempt.nodes()[*condition].depth);
      if (level == nullptr || level == &levels_.back()) continue;
      slice_ = std::move(attempt);
      level->guards.push_back({*condition, way == 0});
    }
  }
}

bool Nest::evaluate_nodes(const Level& level) {
  std::array<uint64_t, 3> operands{};
  for (const uint32_t id : level.nodes) {
    const Slice::Node& node = slice_.nodes()[id];
    if (--budget_ < 0 || node.operands.size() > operands.size()) return false;
    for (size_t i = 0; i < node.operands.size(); ++i) operands[i] = values_[node.operands[i]];
    const auto value = evaluate(*node.instruction, operands.data());
    if (!value) return false;
    values_[id] = *value;
  }
  return true;
}

bool Nest::start_thread(const std::array<uint64_t, 4>& position) {
  values_.resize(slice_.nodes().size());
  budget_ -= static_cast<int64_t>(values_.size());
  for (size_t id = 0; id < values_.size(); ++id) {
    const Slice::Node& node = slice_.nodes()[id];
    values_[id] = node.thread ? position[static_cast<size_t>(*node.thread)] : node.constant;
  }
  return evaluate_nodes(levels_.front());
}

// To the next iteration; false if nothing changes any more, so that the loop would never end.
bool Nest::advance(const Level& level) {
  next_.clear();
  bool changes = false;
  for (const Slice::Counter& counter : level.counters) {
    next_.push_back(values_[counter.next]);
    changes = changes || values_[counter.next] != values_[counter.node];
  }
  for (size_t i = 0; i < next_.size(); ++i) values_[level.counters[i].node] = next_[i];
  return changes;
}

// The most trips of the innermost loop while the loop at `index` runs; 0 if it is never entered.
std::optional<int64_t> Nest::run(size_t index) {
  const Level& level = levels_[index];
  for (const Slice::Counter& counter : level.counters) values_[counter.node] = values_[counter.start];
  const bool is_innermost = index + 1 == levels_.size();
  int64_t best = 0;
  for (int64_t trips = 1;; ++trips) {
    if (--budget_ < 0 || !evaluate_nodes(level)) return std::nullopt;
    if (!is_innermost) {
      const auto inner = run_around(index);
      if (!inner) return std::nullopt;
      best = std::max(best, *inner);
    }
    if (std::any_of(level.exits.begin(), level.exits.end(), [this](const Test& t) { return holds(t); })) {
      return is_innermost ? trips : best;
    }
    if (!is_innermost && level.known_count && trips >= *level.known_count) return best;
    if (!advance(level)) return is_innermost ? std::nullopt : std::optional(best);
  }
}

// The most trips of the innermost loop in one iteration of the loop at `index`.
std::optional<int64_t> Nest::run_around(size_t index) {
  const auto& guards = levels_[index].guards;
  if (!std::all_of(guards.begin(), guards.end(), [this](const Test& t) { return holds(t); })) return 0;
  return run(index + 1);
}

std::optional<int64_t> Nest::most_trips(const ir::Extent& block, int64_t& budget) {
  std::array<int64_t, 4> extents = {block.x, block.y, block.z, 32};
  std::array<bool, 4> used{};
  for (const Slice::Node& node : slice_.nodes()) {
    if (node.thread) used[static_cast<size_t>(*node.thread)] = true;
  }
  for (size_t i = 0; i < extents.size(); ++i) {
    if (!used[i]) extents[i] = 1;
  }
  budget_ = std::min(budget, most_evaluations_of_a_loop);
  const int64_t granted = budget_;
  std::optional<int64_t> best = 1;
  std::array<uint64_t, 4> position{};
  while (best) {
    const auto trips = start_thread(position) ? run_around(0) : std::nullopt;
    best = trips ? std::optional(std::max(*best, *trips)) : std::nullopt;
    size_t axis = 0;
    while (axis < position.size() && ++position[axis] >= static_cast<uint64_t>(extents[axis])) position[axis++] = 0;
    if (axis == position.size()) break;
  }
  budget -= granted - std::max<int64_t>(budget_, 0);
  return best;
}

}  // namespace

std::optional<int64_t> TripSimulation::count(const llvm::Loop& loop, const KnownCount& known) {
  Nest nest(dominators_, loops_, loop);
  if (!nest.build(known)) return std::nullopt;
  return nest.most_trips(block_, budget_);
}

}  // namespace warpspan::lift
