// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/loop_facts.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <map>

#include "frontend/lift/accesses/contenders.hpp"
#include "frontend/lift/rewrites/dead_blocks.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/trips/methods/arrays.hpp"
#include "frontend/lift/trips/methods/cas_retry.hpp"
#include "frontend/lift/trips/methods/clock_wait.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"
#include "frontend/lift/trips/methods/trip_simulation.hpp"

namespace warpspan::lift {

namespace {

// What the methods of a stage have found of a loop.
enum class Answer : uint8_t { nothing, bound, not_entered };

class LoopFacts {
 public:
  LoopFacts(LiftedBody& of, ir::Flow& flow)
      : of_(of), flow_(flow), simulation_(of.dominators, of.post_dominators, of.loops, of.block) {}

  LoopIds find() {
    leave_out_contradictions();
    add_loops();
    leave_out_contradictions();
    for (const ir::BlockId b : flow_.order) {
      const llvm::Loop* loop = of_.loops.getLoopFor(of_.lifted.graph.blocks[b]);
      if (loop != nullptr) flow_.blocks[b].loop = ids_[loop];
    }
    count_retries();
    return std::move(ids_);
  }

 private:
  TripContext context_of(const llvm::Loop& loop) {
    return {{loop, of_.loops, of_.dominators, of_.counts.evolution(), ranges_},
            of_.program,
            of_.body,
            of_.launch,
            flow_,
            ids_,
            of_.counts,
            simulation_,
            counter_ranges_,
            range_budget_,
            retried_};
  }
  void leave_out(llvm::BasicBlock& block);
  void leave_out_contradictions();
  void add_loops();
  void add_loop(const llvm::Loop& loop);
  void count_trips(const TripContext& context, ir::Loop& found);
  Answer ask(TripStage stage, const TripContext& context, ir::Loop& found);
  void leave_out(const llvm::Loop& loop, ir::Loop& found);
  void count_retries();

  LiftedBody& of_;
  ir::Flow& flow_;
  LoopIds ids_;
  TripSimulation simulation_;
  const ValueRanges ranges_ = [this](llvm::Value& value) {
    const auto range = of_.counts.range(value);
    const auto counter = counter_ranges_.find(&value);
    return counter == counter_ranges_.end() ? range : range.intersectWith(counter->second);
  };
  CounterRanges counter_ranges_;
  CasRetries retried_;
  std::optional<llvm::DenseSet<const llvm::Value*>> pointers_;  // find_pointers, once asked for
  int64_t range_budget_ = 2'000'000;
};

// Parents before their children, siblings in the order of their headers.
void LoopFacts::add_loops() {
  const auto later = [this](const llvm::Loop* a, const llvm::Loop* b) {
    return of_.lifted.graph.id(a->getHeader()) > of_.lifted.graph.id(b->getHeader());
  };
  std::vector<const llvm::Loop*> work(of_.loops.begin(), of_.loops.end());
  std::sort(work.begin(), work.end(), later);
  while (!work.empty()) {
    const llvm::Loop* loop = work.back();
    work.pop_back();
    add_loop(*loop);
    std::vector<const llvm::Loop*> inner(loop->begin(), loop->end());
    std::sort(inner.begin(), inner.end(), later);
    work.insert(work.end(), inner.begin(), inner.end());
  }
}

void LoopFacts::add_loop(const llvm::Loop& loop) {
  ir::Loop found;
  found.header = of_.lifted.graph.id(loop.getHeader());
  if (const llvm::Loop* parent = loop.getParentLoop()) found.parent = ids_[parent];
  const ir::Block& block = of_.kernel.blocks[found.header];
  found.label = block.label;
  if (block.count > 0) found.line = of_.kernel.instructions[block.first].line;
  const TripContext context = context_of(loop);
  found.counts_away = of_.away.contains(loop.getHeader());
  count_trips(context, found);
  ir::close_gap(found);
  if (!found.trip_count) {
    if (!pointers_) pointers_ = find_pointers(*of_.lifted.function);
    Obstacle obstacle = find_obstacle(context, of_.dead, *pointers_, of_.program, of_.body, clock_form(context));
    found.obstacle = std::move(obstacle.text);
    found.remedies = std::move(obstacle.remedies);
    found.array_remedies = array_options(context);
  }
  ids_[&loop] = static_cast<ir::LoopId>(flow_.loops.size());
  flow_.loops.push_back(std::move(found));
}

// Beyond this an exact count is most likely that of a counter which wraps around its type, of a loop that no thread
// enters.
constexpr int64_t unlikely_count = int64_t{1} << 24;

bool is_exact(const ir::Loop& loop) {
  return loop.trip_count == loop.fewest_trips && loop.fewest_trips < unlikely_count;
}

// Whether each iteration shifts a phi of the header right by a constant: scalar evolution counts one bit an iteration,
// until none is left.
bool is_shifted(const llvm::Loop& loop) {
  namespace match = llvm::PatternMatch;
  if (loop.getLoopLatch() == nullptr) return false;
  return llvm::any_of(loop.getHeader()->phis(), [&](llvm::PHINode& phi) {
    const llvm::APInt* by = nullptr;
    return match::match(phi.getIncomingValueForBlock(loop.getLoopLatch()),
                        match::m_Shr(match::m_Specific(&phi), match::m_APInt(by))) &&
           !by->isZero();
  });
}

void note(const TripBound& bound, ir::TripCountSource source, ir::Loop& found) {
  found.fewest_trips = std::max(found.fewest_trips, bound.fewest);
  if (found.trip_count && *found.trip_count <= bound.most) return;
  found.trip_count = bound.most;
  found.source = source;
}

void LoopFacts::leave_out(const llvm::Loop& loop, ir::Loop& found) {
  found.fewest_trips = 1;
  note({}, ir::TripCountSource::not_entered, found);
  leave_out(*loop.getHeader());
}

void LoopFacts::leave_out(llvm::BasicBlock& block) {
  mark_dead(block, of_.dominators, of_.dead, [this](llvm::PHINode& phi) { of_.counts.forget(phi); });
}

// Of larger kernels it would take long.
constexpr size_t most_branches = 4096;

// Blocks behind branches that contradict those before, as what the assembler has unrolled for more iterations than
// there are.
void LoopFacts::leave_out_contradictions() {
  if (!of_.body.is_machine_code || flow_.order.size() > most_branches) return;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(of_.lifted.function)) {
    if (!of_.dead.contains(block) && of_.counts.is_never_executed(*block)) leave_out(*block);
  }
}

Answer LoopFacts::ask(TripStage stage, const TripContext& context, ir::Loop& found) {
  const bool is_first_enough = stage == TripStage::waiting || stage == TripStage::following || stage == TripStage::last;
  Answer answer = Answer::nothing;
  for (const TripMethod& method : trip_methods()) {
    const auto trips = method.stage == stage ? method.count(context) : std::nullopt;
    if (!trips) continue;
    if (!trips->is_entered) {
      leave_out(context.loop, found);
      return Answer::not_entered;
    }
    if (trips->gap) {
      found.gap = trips->gap;
      continue;
    }
    answer = Answer::bound;
    note(trips->bound, method.source, found);
    if (trips->clock) found.clock = trips->clock;
    flow_.divides_least = flow_.divides_least || trips->divides_least;
    // That accesses stay in an array of the user is part of stating its size.
    const auto array = trips->array == nullptr ? std::nullopt : launch_source(*trips->array);
    if (array && array->kind == LaunchSource::Kind::variable) {
      flow_.bounding_variables.push_back(of_.program.variables[array->number].name);
    }
    if (is_first_enough) break;
  }
  return answer;
}

// When which stage is asked: TripStage.
void LoopFacts::count_trips(const TripContext& context, ir::Loop& found) {
  if (of_.dead.count(context.loop.getHeader()) > 0) return note({}, ir::TripCountSource::not_entered, found);
  if (ask(TripStage::closed_form, context, found) == Answer::not_entered || is_exact(found)) return;
  if (ask(TripStage::simulated, context, found) == Answer::not_entered) return;
  const bool is_counted = found.trip_count.has_value();
  ask(TripStage::bounding, context, found);
  if (!is_counted && ask(TripStage::waiting, context, found) == Answer::bound) return;
  if (is_counted && !is_shifted(context.loop)) return;
  if (ask(TripStage::following, context, found) == Answer::bound) return;
  if (!found.trip_count) ask(TripStage::last, context, found);
}

void LoopFacts::count_retries() {
  if (of_.program.bodies.size() > 1) return;
  std::map<ir::InstructionId, const llvm::Loop*> loops;
  for (const auto& [loop, id] : ids_) {
    if (flow_.loops[id].trip_count) continue;
    const llvm::Instruction* swap = retried_swap(context_of(*loop));
    if (swap == nullptr || !retried_.emplace(*origin(*swap), id).second) continue;
    loops.emplace(*origin(*swap), loop);
  }
  for (const auto& [swap, loop] : loops) {
    ir::Loop& found = flow_.loops[ids_[loop]];
    if (ask(TripStage::retrying, context_of(*loop), found) == Answer::nothing) continue;
    found.obstacle.clear();
    found.remedies.clear();
    found.array_remedies.clear();
  }
}

}  // namespace

LoopIds find_loops(LiftedBody& of, ir::Flow& flow) { return LoopFacts(of, flow).find(); }

}  // namespace warpspan::lift
