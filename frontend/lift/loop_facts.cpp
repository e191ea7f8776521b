#include "frontend/lift/loop_facts.hpp"

#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "frontend/lift/accesses/buffers.hpp"
#include "frontend/lift/accesses/rivals.hpp"
#include "frontend/lift/rewrites/dead_blocks.hpp"
#include "frontend/lift/translation/arguments.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/trips/methods/arrays.hpp"
#include "frontend/lift/trips/methods/binary_search.hpp"
#include "frontend/lift/trips/methods/cas_retry.hpp"
#include "frontend/lift/trips/methods/clear_lowest_bit.hpp"
#include "frontend/lift/trips/methods/clock_wait.hpp"
#include "frontend/lift/trips/methods/gcd.hpp"
#include "frontend/lift/trips/methods/persistent_counter.hpp"
#include "frontend/lift/trips/methods/several_counters.hpp"
#include "frontend/lift/trips/methods/trip_simulation.hpp"
#include "frontend/lift/trips/methods/value_ranges.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::lift {

namespace {

bool is_of(const llvm::Value& value, LaunchSource::Kind kind) {
  const auto source = launch_source(value);
  return source && source->kind == kind;
}

class LoopFacts {
 public:
  LoopFacts(LiftedBody& of, ir::Flow& flow)
      : of_(of), flow_(flow), simulation_(of.dominators, of.post_dominators, of.loops, of.block) {}

  LoopIds find() {
    add_loops();
    for (const ir::BlockId b : flow_.order) {
      const llvm::Loop* loop = of_.loops.getLoopFor(of_.lifted.graph.blocks[b]);
      if (loop != nullptr) flow_.blocks[b].loop = ids_[loop];
    }
    count_retries();
    return std::move(ids_);
  }

 private:
  void add_loops();
  void count_retries();
  void add_loop(const llvm::Loop& loop);
  void count_trips(const llvm::Loop& loop, ir::Loop& found);
  std::optional<int64_t> trips_of_ranges(const llvm::Loop& loop);
  std::optional<ir::SpecialValue> counter_read_by(const llvm::Instruction& instruction) const;
  std::optional<int64_t> bytes_of_every_thread(const llvm::Instruction& access, bool of_variable) const;
  std::optional<int64_t> bytes_of_array(const llvm::Value& pointer) const;
  std::optional<int64_t> bytes_of_variable(const llvm::Value& address) const;
  LoopForm form_of(const llvm::Loop& loop) const;
  std::vector<std::string> array_options(const llvm::Loop& loop);

  LiftedBody& of_;
  ir::Flow& flow_;
  LoopIds ids_;
  TripSimulation simulation_;
  const ValueRanges value_ranges_ = [this](llvm::Value& value) {
    const auto range =
        of_.counts.range(value, false).intersectWith(of_.counts.range(value, true), llvm::ConstantRange::Smallest);
    const auto counter = counter_ranges_.find(&value);
    return counter == counter_ranges_.end() ? range : range.intersectWith(counter->second);
  };
  const ArraySizes array_sizes_ = {
      [this](const llvm::Value& pointer) { return bytes_of_array(pointer); },
      [this](const llvm::Instruction& instruction) { return bytes_of_every_thread(instruction, false); }, is_parameter};
  const ArraySizes variable_sizes_ = {
      [this](const llvm::Value& address) { return bytes_of_variable(address); },
      [this](const llvm::Instruction& instruction) { return bytes_of_every_thread(instruction, true); },
      [](const llvm::Value& value) { return is_of(value, LaunchSource::Kind::variable); },
      [](const llvm::Value& value) { return is_of(value, LaunchSource::Kind::window); }, true};
  const ClockReads clock_reads_ = [this](const llvm::Instruction& one) { return counter_read_by(one); };
  llvm::DenseMap<const llvm::Value*, llvm::ConstantRange> counter_ranges_;  // of loops so far
  std::optional<llvm::DenseSet<const llvm::Value*>> pointers_;              // find_pointers, once asked for
  int64_t range_budget_ = 2'000'000;                                        // evaluations, for all loops
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
  count_trips(loop, found);
  if (!found.trip_count) {
    if (!pointers_) pointers_ = find_pointers(*of_.lifted.function);
    Obstacle obstacle = find_obstacle(loop, of_.loops, of_.dead, *pointers_, of_.program, of_.body, form_of(loop));
    found.obstacle = std::move(obstacle.text);
    found.remedies = std::move(obstacle.remedies);
    found.array_remedies = array_options(loop);
  }
  ids_[&loop] = static_cast<ir::LoopId>(flow_.loops.size());
  flow_.loops.push_back(std::move(found));
}

LoopForm LoopFacts::form_of(const llvm::Loop& loop) const {
  if (!waits_for_clock(loop, of_.loops, of_.dominators, clock_reads_)) return {};
  return {[this](const llvm::Instruction& instruction) { return clock_reads_(instruction).has_value(); },
          "the counter of cycles may go past what it waits for, and round, between two turns"};
}

// Options that give sizes of arrays which bound it.
std::vector<std::string> LoopFacts::array_options(const llvm::Loop& loop) {
  if (of_.program.bodies.size() > 1) return {};
  std::vector<std::string> options;
  for (const llvm::Value* base :
       arrays_that_bound(loop, of_.loops, of_.dominators, of_.counts.evolution(), array_sizes_)) {
    const auto source = launch_source(*base);
    const ir::ParameterNames* names = of_.program.parameter_names();
    std::string name = names == nullptr ? "" : names->pointer_name(source->number, source->offset);
    if (name.empty()) name = object_name(of_.program.variables[source->number], source->offset);
    options.push_back("--buffer " + support::shell_quoted(name + "=BYTES"));
  }
  return options;
}

// Beyond this an exact count is most likely that of a counter which goes all the way round, of a loop that no thread
// enters.
constexpr int64_t unlikely_count = int64_t{1} << 24;

// Whether each turn shifts a phi of the header right by a constant: scalar evolution counts one bit a turn, until none
// is left.
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

// The smallest of what scalar evolution, the simulation, arrays and distances find; nothing else is asked where the
// first is exact, and ranges only where the first two find nothing.
void LoopFacts::count_trips(const llvm::Loop& loop, ir::Loop& found) {
  using enum ir::TripCountSource;
  const auto note = [&found](const TripBound& bound, ir::TripCountSource source) {
    found.fewest_trips = std::max(found.fewest_trips, bound.fewest);
    if (found.trip_count && *found.trip_count <= bound.most) return;
    found.trip_count = bound.most;
    found.source = source;
  };
  if (of_.dead.count(loop.getHeader()) > 0) return note({}, not_entered);
  const auto leave_out = [&] {
    note({}, not_entered);
    mark_dead(*loop.getHeader(), of_.dominators, of_.dead, [this](llvm::PHINode& phi) { of_.counts.forget(phi); });
  };
  if (of_.counts.is_never_entered(loop)) return leave_out();
  if (const auto bound = of_.counts.bound(loop)) note(*bound, scalar_evolution);
  if (found.trip_count == found.fewest_trips && found.fewest_trips < unlikely_count) return;
  const auto known = [this](const llvm::Loop& outer) { return flow_.loops[ids_[&outer]].trip_count; };
  const auto simulated = simulation_.count(loop, known);
  if (simulated && !simulated->is_entered) {
    found.fewest_trips = 1;
    return leave_out();
  }
  if (simulated) note(simulated->bound, simulation);
  const bool is_counted = found.trip_count.has_value();
  if (!of_.launch.buffers.empty()) {
    if (const auto trips = trips_by_arrays(loop, of_.loops, of_.dominators, of_.counts.evolution(), array_sizes_)) {
      note({trips->most, 1}, array_size);
    }
  }
  if (const auto trips = trips_by_distances(loop, of_.loops, of_.dominators, value_ranges_))
    note({*trips, 1}, value_ranges);
  for (const auto& [counter, range] : ranges_of_counters(loop, of_.loops, of_.dominators, value_ranges_)) {
    const auto [entry, is_new] = counter_ranges_.try_emplace(counter, range);
    if (!is_new) entry->second = entry->second.intersectWith(range);
  }
  if (const auto trips = trips_of_carried(loop, of_.loops, of_.dominators, of_.counts.evolution())) {
    note({*trips, 1}, value_ranges);
  }
  if (is_counted) {
    if (is_shifted(loop)) {
      if (const auto trips = trips_of_ranges(loop)) note({*trips, 1}, value_ranges);
    }
    return;
  }
  found.clock = clock_limit(loop, of_.loops, of_.dominators, clock_reads_, value_ranges_);
  if (found.clock) return note({most_turns(*found.clock), 1}, clock);
  if (const auto trips = trips_of_ranges(loop)) return note({*trips, 1}, value_ranges);
  if (found.trip_count) return;
  if (const auto trips = trips_by_arrays(loop, of_.loops, of_.dominators, of_.counts.evolution(), variable_sizes_)) {
    note({trips->most, 1}, array_size);
    flow_.bounding_variables.push_back(of_.program.variables[launch_source(*trips->array)->number].name);
  }
}

// Of a move: of other instructions it may be the result, of which nothing is known.
std::optional<ir::SpecialValue> LoopFacts::counter_read_by(const llvm::Instruction& instruction) const {
  const auto from = call_kind(instruction) == CallKind::opaque ? origin(instruction) : std::nullopt;
  if (!from || of_.body.operation(*from).semantics.computation != ir::Computation::copy) return std::nullopt;
  const auto sources = of_.body.sources(*from), results = of_.body.results(*from);
  if (sources.size() != 1 || sources[0].kind != ir::Operand::Kind::special) return std::nullopt;
  if (results.size() != 1 || results[0].kind != ir::Operand::Kind::reg) return std::nullopt;
  const auto which = static_cast<ir::SpecialValue>(sources[0].index);
  const unsigned bits = which == ir::SpecialValue::cycles32 ? 32 : which == ir::SpecialValue::cycles64 ? 64 : 0;
  return instruction.getType()->isIntegerTy(bits) ? std::optional(which) : std::nullopt;
}

// What a guard may skip is not accessed by each thread.
std::optional<int64_t> LoopFacts::bytes_of_every_thread(const llvm::Instruction& access, bool of_variable) const {
  const auto from = call_kind(access) == CallKind::access ? origin(access) : std::nullopt;
  if (!from || of_.kernel.instructions[*from].guarded) return std::nullopt;
  const ir::Operation& operation = of_.kernel.operation(of_.kernel.instructions[*from]);
  using enum ir::MemorySpace;
  const bool is_global = operation.space == global || operation.space == generic;
  const bool is_own = operation.space == shared || operation.space == constant || operation.space == local;
  const bool is_whole = operation.kind != ir::OperationKind::copy_async && operation.bytes > 0;
  return (is_global || (of_variable && is_own)) && is_whole ? std::optional<int64_t>(operation.bytes) : std::nullopt;
}

// Of arrays without a size the launch says how many bytes they have in shared memory.
std::optional<int64_t> LoopFacts::bytes_of_variable(const llvm::Value& address) const {
  const ir::Variable& variable = of_.program.variables[launch_source(address)->number];
  using enum ir::MemorySpace;
  const bool is_memory = variable.space == shared || variable.space == constant || variable.space == local ||
                         (variable.space == global && !ir::is_kernel_parameter(variable));
  if (!is_memory) return std::nullopt;
  if (variable.bytes > 0) return variable.bytes;
  return variable.space == shared ? of_.launch.dynamic_shared : std::nullopt;
}

std::optional<int64_t> LoopFacts::bytes_of_array(const llvm::Value& pointer) const {
  if (of_.program.bodies.size() > 1 || !is_parameter(pointer)) return std::nullopt;
  const auto source = launch_source(pointer);
  return buffer_bytes(of_.launch, of_.program.variables[source->number], source->offset);
}

std::optional<int64_t> LoopFacts::trips_of_ranges(const llvm::Loop& loop) {
  if (const auto trips = trips_by_bits(loop, of_.dominators, value_ranges_)) return trips;
  if (const auto trips = trips_by_halving(loop, of_.dominators, value_ranges_)) return trips;
  if (const auto trips = trips_by_remainders(loop, of_.dominators, value_ranges_)) {
    flow_.divides_least = flow_.divides_least || trips->divides_least;
    return trips->most;
  }
  return trips_by_ranges(loop, of_.loops, of_.dominators, value_ranges_, range_budget_);
}

// Loops that retry a compare-and-swap, of those that nothing else bounds: by what others can write.
void LoopFacts::count_retries() {
  if (of_.program.bodies.size() > 1) return;
  const auto is_swap = [this](const llvm::Instruction& instruction) {
    const auto from = call_kind(instruction) == CallKind::opaque ? origin(instruction) : std::nullopt;
    return from && ir::is_compare_and_swap(of_.kernel.operation(of_.kernel.instructions[*from])) &&
           llvm::cast<llvm::CallInst>(instruction).arg_size() == 2;
  };
  RetriedSwaps swaps;
  for (const auto& [loop, id] : ids_) {
    if (flow_.loops[id].trip_count) continue;
    const llvm::Instruction* swap = retried_swap(*loop, of_.loops, of_.dominators, of_.counts.evolution(), is_swap);
    if (swap != nullptr) swaps.emplace(*origin(*swap), id);
  }
  for (const auto& [swap, id] : swaps) {
    const auto writes = most_writes(of_.kernel, flow_, of_.launch, swaps, swap);
    if (!writes || *writes > INT64_MAX - 2) continue;
    ir::Loop& loop = flow_.loops[id];
    loop.trip_count = *writes + 2;
    loop.source = ir::TripCountSource::compare_and_swap;
    loop.obstacle.clear();
    loop.remedies.clear();
    loop.array_remedies.clear();
  }
}

}  // namespace

LoopIds find_loops(LiftedBody& of, ir::Flow& flow) { return LoopFacts(of, flow).find(); }

}  // namespace warpspan::lift
