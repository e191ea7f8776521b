// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/methods/trip_simulation.hpp"

#include <llvm/IR/CFG.h>

#include <algorithm>
#include <array>
#include <vector>

#include "frontend/lift/trips/guards/exits.hpp"
#include "frontend/lift/trips/methods/slice.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"
#include "frontend/lift/values/evaluate.hpp"

namespace warpspan::lift {

namespace {

constexpr int64_t most_evaluations_of_a_loop = 4'000'000;
constexpr int most_guards = 64;
constexpr size_t thread_values = 4;  // x, y, z and lane

// A condition in the slice and the value of it that matters.
struct Test {
  uint32_t node = 0;
  bool when = true;
};

// A node that is computed from others.
struct Step {
  uint32_t node = 0;
  std::vector<uint32_t> operands;  // nodes
  Evaluation evaluation;
};

// One loop of the nest that is simulated.
struct Level {
  unsigned depth = 0;
  std::optional<int64_t> known_count = std::nullopt;
  std::vector<Slice::Counter> counters = {};
  std::vector<Step> steps = {};   // that change with this loop and none inside it, in order
  std::vector<Test> guards = {};  // all must hold for the next loop to be entered
  std::vector<Test> exits = {};   // one of them ends the loop
};

const llvm::BranchInst* conditional_branch(const llvm::BasicBlock& block) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch != nullptr && branch->isConditional() ? branch : nullptr;
}

// Whether an input may have another value in each iteration of the loop of that depth.
bool changes_inputs(const Slice& slice, unsigned depth) {
  const auto& inputs = slice.inputs();
  return std::any_of(inputs.begin(), inputs.end(), [&](const Slice::Input& input) { return input.depth >= depth; });
}

class Nest {
 public:
  Nest(const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& post_dominators,
       const llvm::LoopInfo& loops, const llvm::Loop& loop, bool takes_inputs)
      : dominators_(dominators), post_dominators_(post_dominators), loop_(loop), slice_(loops, loop, takes_inputs) {}

  // False if none of the loop's exits can be simulated, or a loop around it does not end.
  bool build(const TripSimulation::KnownCount& known);
  std::optional<Trips> count(const ir::Extent& block, int64_t& budget);
  bool has_inputs() const { return !slice_.inputs().empty(); }

 private:
  std::vector<Test> exit_tests(const llvm::Loop& loop);
  bool uses_depth(unsigned depth) const;
  void make_levels(const TripSimulation::KnownCount& known);
  void add_guards();
  bool add_guard(const llvm::BranchInst& branch);
  Level* level_of(unsigned depth);
  bool uses(ThreadValue value) const;
  int64_t fewest() const;

  std::vector<uint64_t> extents(const ir::Extent& block) const;
  bool start(const std::vector<uint64_t>& position);
  bool evaluate_nodes(const Level& level);
  bool holds(const Test& test) const { return (values_[test.node] != 0) == test.when; }
  bool advance(const Level& level);
  bool run(size_t level);
  bool run_around(size_t level);

  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& post_dominators_;
  const llvm::Loop& loop_;
  Slice slice_;
  std::vector<Level> levels_;  // from no loop to the loop itself; loops in between that do not matter are left out
  bool all_exits_ = false;     // every exit of the loop is simulated
  bool all_guards_ = false;    // every branch that decides whether a thread comes to the loop is simulated
  std::vector<uint64_t> values_;
  std::vector<uint64_t> next_;
  int64_t budget_ = 0;
  int64_t most_ = 0;  // of the entries simulated so far; 0: of none
  int64_t least_ = INT64_MAX;
};

// A test that cannot be simulated is left out: then the loop may only run longer.
std::vector<Test> Nest::exit_tests(const llvm::Loop& loop) {
  std::vector<Test> tests;
  for (const Exit& exit : exits_of_every_iteration(loop, dominators_)) {
    Slice attempt = slice_;
    const auto node = attempt.add(*exit.condition);
    if (!node || attempt.nodes()[*node].depth > loop.getLoopDepth()) continue;
    if (changes_inputs(attempt, loop.getLoopDepth())) continue;
    slice_ = std::move(attempt);
    tests.push_back({*node, !exit.stays});
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
  std::vector<Test> exits = exit_tests(loop_);
  if (exits.empty()) return false;
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop_.getExitingBlocks(exiting);
  all_exits_ = exits.size() == exiting.size();
  make_levels(known);
  levels_.back().exits = std::move(exits);
  for (size_t i = 1; i + 1 < levels_.size(); ++i) {
    if (levels_[i].exits.empty() && !levels_[i].known_count) return false;  // it would run for ever
    if (changes_inputs(slice_, levels_[i].depth)) return false;
  }
  add_guards();
  for (uint32_t id = 0; id < slice_.nodes().size(); ++id) {
    if (slice_.nodes()[id].instruction == nullptr) continue;
    // A loop that was left out has no counters, so no node is of its depth.
    const Slice::Node& node = slice_.nodes()[id];
    if (Level* level = level_of(node.depth)) level->steps.push_back({id, node.operands, Evaluation(*node.instruction)});
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
    levels_.push_back({.depth = outer->getLoopDepth(), .known_count = known(*outer)});
    levels_.back().exits = exit_tests(*outer);
  }
  levels_.push_back({.depth = 0});
  std::reverse(levels_.begin(), levels_.end());
}

// Branches that every path to the loop takes to the same side, as far as they depend on no other loops' counters; the
// nearest. Without a guard the loop may only run longer.
void Nest::add_guards() {
  all_guards_ = true;
  int tried = 0;
  const llvm::BasicBlock* next = loop_.getHeader();
  for (const auto* node = dominators_.getNode(next)->getIDom(); node != nullptr; node = node->getIDom()) {
    const llvm::BasicBlock* block = node->getBlock();
    const llvm::BranchInst* branch = conditional_branch(*block);
    if (branch != nullptr && ++tried > most_guards) {
      all_guards_ = false;
      return;
    }
    const bool is_guard = branch != nullptr && add_guard(*branch);
    if (!is_guard && !post_dominators_.dominates(next, block)) all_guards_ = false;
    next = block;
  }
}

bool Nest::add_guard(const llvm::BranchInst& branch) {
  if (branch.getSuccessor(0) == branch.getSuccessor(1)) return false;
  for (const unsigned side : {0U, 1U}) {
    const llvm::BasicBlockEdge edge(branch.getParent(), branch.getSuccessor(side));
    if (!dominators_.dominates(edge, loop_.getHeader())) continue;
    Slice attempt = slice_;
    const auto condition = attempt.add(*branch.getCondition());
    if (!condition || attempt.counters().size() != slice_.counters().size()) return false;
    if (attempt.inputs().size() != slice_.inputs().size()) return false;
    Level* level = level_of(attempt.nodes()[*condition].depth);
    if (level == nullptr || level == &levels_.back()) return false;
    slice_ = std::move(attempt);
    level->guards.push_back({*condition, side == 0});
    return true;
  }
  return false;
}

bool Nest::evaluate_nodes(const Level& level) {
  std::array<uint64_t, 4> operands{};
  for (const Step& step : level.steps) {
    if (--budget_ < 0 || step.operands.size() > operands.size()) return false;
    for (size_t i = 0; i < step.operands.size(); ++i) operands[i] = values_[step.operands[i]];
    const auto value = step.evaluation(operands.data());
    if (!value) return false;
    values_[step.node] = *value;
  }
  return true;
}

// A position is a thread's (x, y, z, lane) and how far each input is beyond its first value.
bool Nest::start(const std::vector<uint64_t>& position) {
  values_.resize(slice_.nodes().size());
  budget_ -= static_cast<int64_t>(values_.size());
  for (size_t id = 0; id < values_.size(); ++id) {
    const Slice::Node& node = slice_.nodes()[id];
    values_[id] = node.thread ? position[static_cast<size_t>(*node.thread)] : node.constant;
  }
  for (size_t i = 0; i < slice_.inputs().size(); ++i) {
    values_[slice_.inputs()[i].node] = slice_.inputs()[i].first + position[thread_values + i];
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

// Runs the loop at `index` and notes how often the innermost one runs at each entry; false if that cannot be found.
bool Nest::run(size_t index) {
  const Level& level = levels_[index];
  for (const Slice::Counter& counter : level.counters) values_[counter.node] = values_[counter.start];
  const bool is_innermost = index + 1 == levels_.size();
  for (int64_t trips = 1;; ++trips) {
    if (--budget_ < 0 || !evaluate_nodes(level)) return false;
    if (!is_innermost && !run_around(index)) return false;
    if (std::any_of(level.exits.begin(), level.exits.end(), [this](const Test& t) { return holds(t); })) {
      if (!is_innermost) return true;
      most_ = std::max(most_, trips);
      least_ = std::min(least_, trips);
      return true;
    }
    if (!is_innermost && level.known_count && trips >= *level.known_count) return true;
    if (!advance(level)) return !is_innermost;
  }
}

// One iteration of the loop at `index`.
bool Nest::run_around(size_t index) {
  const auto& guards = levels_[index].guards;
  if (!std::all_of(guards.begin(), guards.end(), [this](const Test& t) { return holds(t); })) return true;
  return run(index + 1);
}

bool Nest::uses(ThreadValue value) const {
  const auto& nodes = slice_.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const Slice::Node& node) { return node.thread == value; });
}

// The entries of a launch are among those that were simulated, so that none has fewer trips than the least of these.
// They are the same where all that decides about them is simulated: in no other loop, and for threads that exist (lanes
// are simulated beside threads, not as what follows from them) and values that occur.
int64_t Nest::fewest() const {
  if (!all_exits_ || most_ == 0) return 1;
  const bool all_occur = !uses(ThreadValue::lane) && slice_.inputs().empty();
  return all_guards_ && levels_.size() == 2 && all_occur ? most_ : least_;
}

std::vector<uint64_t> Nest::extents(const ir::Extent& block) const {
  std::vector<uint64_t> result;
  for (const int64_t extent : {block.x, block.y, block.z, int64_t{32}}) {
    const bool matters = uses(static_cast<ThreadValue>(result.size()));
    result.push_back(matters ? static_cast<uint64_t>(extent) : 1);
  }
  for (const Slice::Input& input : slice_.inputs()) result.push_back(input.last - input.first + 1);
  return result;
}

std::optional<Trips> Nest::count(const ir::Extent& block, int64_t& budget) {
  const std::vector<uint64_t> ends = extents(block);
  budget_ = std::min(budget, most_evaluations_of_a_loop);
  const int64_t allotted = budget_;
  std::vector<uint64_t> position(ends.size(), 0);
  bool is_done = false;
  bool is_known = true;
  while (!is_done && is_known) {
    is_known = start(position) && run_around(0);
    size_t axis = 0;
    while (axis < position.size() && ++position[axis] >= ends[axis]) position[axis++] = 0;
    is_done = axis == position.size();
  }
  budget -= allotted - std::max<int64_t>(budget_, 0);
  if (!is_known) return std::nullopt;
  return Trips{{std::max<int64_t>(most_, 1), fewest()}, most_ > 0};
}

}  // namespace

std::optional<Trips> TripSimulation::count(const llvm::Loop& loop, const KnownCount& known, bool takes_inputs) {
  Nest nest(dominators_, post_dominators_, loops_, loop, takes_inputs);
  if (!nest.build(known) || nest.has_inputs() != takes_inputs) return std::nullopt;
  return nest.count(block_, budget_);
}

// Inputs make exits known, but take time. What is found without them stands, too.
std::optional<Trips> TripSimulation::count(const llvm::Loop& loop, const KnownCount& known) {
  const auto without = count(loop, known, false);
  const auto with = count(loop, known, true);
  if (!without || !with) return without ? without : with;
  if (!without->is_entered || !with->is_entered) return Trips{.is_entered = false};
  return Trips{{std::min(without->bound.most, with->bound.most), std::max(without->bound.fewest, with->bound.fewest)}};
}

std::optional<Trips> trips_by_simulation(const TripContext& context) {
  return context.simulation.count(context.loop, [&context](const llvm::Loop& outer) {
    return context.flow.loops[context.ids.lookup(&outer)].trip_count;
  });
}

}  // namespace warpspan::lift
