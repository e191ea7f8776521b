#include "frontend/lift/flow_facts.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>

#include "frontend/lift/accesses/buffers.hpp"
#include "frontend/lift/accesses/execution_domains.hpp"
#include "frontend/lift/accesses/memory_accesses.hpp"
#include "frontend/lift/accesses/rivals.hpp"
#include "frontend/lift/accesses/shared_windows.hpp"
#include "frontend/lift/accesses/transactions.hpp"
#include "frontend/lift/dead_blocks.hpp"
#include "frontend/lift/loop_exits.hpp"
#include "frontend/lift/simplify.hpp"
#include "frontend/lift/translation/arguments.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/translation/lift.hpp"
#include "frontend/lift/trip_counts.hpp"
#include "frontend/lift/trip_simulation.hpp"
#include "frontend/lift/trips/arrays.hpp"
#include "frontend/lift/trips/bits.hpp"
#include "frontend/lift/trips/carried.hpp"
#include "frontend/lift/trips/clocks.hpp"
#include "frontend/lift/trips/distances.hpp"
#include "frontend/lift/trips/halving.hpp"
#include "frontend/lift/trips/ranges.hpp"
#include "frontend/lift/trips/swaps.hpp"
#include "frontend/lift/values/address_forms.hpp"
#include "frontend/lift/values/evaluate.hpp"
#include "frontend/lift/values/lane_values.hpp"
#include "frontend/lift/values/uniformity.hpp"
#include "support/isolated.hpp"
#include "support/shell_quote.hpp"

namespace warpspan::lift {

namespace {

// Of global or shared memory, for each lane by itself.
bool is_access_of_lane(ir::OperationKind kind) {
  using enum ir::OperationKind;
  switch (kind) {
    case load_global:
    case load_shared:
    case store_global:
    case store_shared:
    case atomic_global:
    case reduce_global:
    case atomic_shared: return true;
    default: return false;
  }
}

class Finder {
 public:
  Finder(const ir::Program& program, const ir::Body& body, const ir::Launch& launch, Lifted& lifted)
      : program_(program),
        body_(body),
        launch_(launch),
        kernel_(body.kernel),
        block_(*launch.block),
        lifted_(lifted),
        dead_(simplify(*lifted.function)),
        dominators_(*lifted.function),
        post_dominators_(*lifted.function),
        loops_(dominators_),
        counts_(*lifted.function, dominators_, loops_),
        simulation_(dominators_, post_dominators_, loops_, block_) {}

  // Of the control part: the blocks in their order, and loops.
  ir::Flow run(Part part) {
    find(part);
    flow_.unrounded_floats = has_evaluated_unrounded(*lifted_.module);
    return std::move(flow_);
  }

 private:
  void find(Part part) {
    flow_.blocks.resize(kernel_.blocks.size());
    flow_.trusted_variables = lifted_.trusted_variables;
    find_order();
    find_post_dominators();
    find_loops();
    if (part == Part::control) return;
    flow_.transactions.resize(kernel_.instructions.size());
    find_copies();
    find_amounts();
    find_lane_facts();
    find_partial_barriers();
  }

  void find_order();
  void find_post_dominators();
  void find_loops();
  void add_loops();
  void count_retries();
  void add_loop(const llvm::Loop& loop);
  void count_trips(const llvm::Loop& loop, ir::Loop& found);
  std::optional<int64_t> trips_of_ranges(const llvm::Loop& loop);
  std::optional<ir::SpecialValue> counter_read_by(const llvm::Instruction& instruction) const;
  std::optional<int64_t> bytes_of_every_thread(const llvm::Instruction& access) const;
  std::optional<int64_t> bytes_of_array(const llvm::Value& pointer) const;
  LoopForm form_of(const llvm::Loop& loop) const;
  std::vector<std::string> array_options(const llvm::Loop& loop);
  Joins find_joins() const;
  void find_lane_facts();
  void find_partial_barriers();
  void find_copies();
  void find_amounts();
  bool is_partial(ir::InstructionId barrier) const;
  bool is_passed_once(ir::InstructionId instruction) const;
  ValueSet find_accesses();
  void find_shared();
  void find_warps(ExecutionDomains& domains);
  void find_lanes_of_copies(ExecutionDomains& domains);
  void find_elected(ExecutionDomains& domains);
  bool is_divergent(const Uniformity& uniformity, const llvm::BasicBlock& block) const;

  const ir::Program& program_;
  const ir::Body& body_;
  const ir::Launch& launch_;
  const ir::Kernel& kernel_;
  ir::Extent block_;
  Lifted& lifted_;
  BlockSet dead_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  llvm::LoopInfo loops_;
  TripCounts counts_;
  TripSimulation simulation_;
  const ValueRanges value_ranges_ = [this](llvm::Value& value) {
    return counts_.range(value, false).intersectWith(counts_.range(value, true), llvm::ConstantRange::Smallest);
  };
  const ArraySizes array_sizes_ = {
      [this](const llvm::Value& pointer) { return bytes_of_array(pointer); },
      [this](const llvm::Instruction& instruction) { return bytes_of_every_thread(instruction); }, is_parameter};
  const ClockReads clock_reads_ = [this](const llvm::Instruction& one) { return counter_read_by(one); };
  std::optional<llvm::DenseSet<const llvm::Value*>> pointers_;  // find_pointers, once asked for
  int64_t range_budget_ = 2'000'000;                            // evaluations, for all loops
  ir::Flow flow_;
  llvm::DenseMap<const llvm::Loop*, ir::LoopId> loop_ids_;
};

void Finder::find_order() {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(lifted_.function);
  for (const llvm::BasicBlock* block : order) {
    const ir::BlockId id = lifted_.graph.id(block);
    if (id != ir::no_block) flow_.order.push_back(id);
  }
  for (size_t b = 0; b < kernel_.blocks.size(); ++b) flow_.blocks[b].reachable = lifted_.graph.reachable[b];
}

// Where lanes that diverge reconverge: what the body says, or the next post-dominator that is a block of the kernel.
void Finder::find_post_dominators() {
  for (const ir::BlockId b : flow_.order) {
    if (!body_.joins.empty()) {
      flow_.blocks[b].post_dominator = body_.joins[b].block;
      continue;
    }
    const auto* node = post_dominators_.getNode(lifted_.graph.blocks[b]);
    for (node = node == nullptr ? nullptr : node->getIDom(); node != nullptr; node = node->getIDom()) {
      const ir::BlockId found = node->getBlock() == nullptr ? ir::no_block : lifted_.graph.id(node->getBlock());
      if (found == ir::no_block) continue;
      flow_.blocks[b].post_dominator = found;
      break;
    }
  }
}

void Finder::find_loops() {
  add_loops();
  for (const ir::BlockId b : flow_.order) {
    const llvm::Loop* loop = loops_.getLoopFor(lifted_.graph.blocks[b]);
    if (loop != nullptr) flow_.blocks[b].loop = loop_ids_[loop];
  }
  count_retries();
}

// Loops that retry a compare-and-swap, of those that nothing else bounds: by what others can write.
void Finder::count_retries() {
  if (program_.bodies.size() > 1) return;
  const auto is_swap = [this](const llvm::Instruction& instruction) {
    const auto from = call_kind(instruction) == CallKind::opaque ? origin(instruction) : std::nullopt;
    return from && ir::is_compare_and_swap(kernel_.operation(kernel_.instructions[*from])) &&
           llvm::cast<llvm::CallInst>(instruction).arg_size() == 2;
  };
  RetriedSwaps swaps;
  for (const auto& [loop, id] : loop_ids_) {
    if (flow_.loops[id].trip_count) continue;
    const llvm::Instruction* swap = retried_swap(*loop, loops_, dominators_, counts_.evolution(), is_swap);
    if (swap != nullptr) swaps.emplace(*origin(*swap), id);
  }
  for (const auto& [swap, id] : swaps) {
    const auto writes = most_writes(kernel_, flow_, launch_, swaps, swap);
    if (!writes || *writes > INT64_MAX - 2) continue;
    ir::Loop& loop = flow_.loops[id];
    loop.trip_count = *writes + 2;
    loop.source = ir::TripCountSource::compare_and_swap;
    loop.obstacle.clear();
    loop.remedies.clear();
    loop.array_remedies.clear();
  }
}

// Parents before their children, siblings in the order of their headers.
void Finder::add_loops() {
  const auto later = [this](const llvm::Loop* a, const llvm::Loop* b) {
    return lifted_.graph.id(a->getHeader()) > lifted_.graph.id(b->getHeader());
  };
  std::vector<const llvm::Loop*> work(loops_.begin(), loops_.end());
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

void Finder::add_loop(const llvm::Loop& loop) {
  ir::Loop found;
  found.header = lifted_.graph.id(loop.getHeader());
  if (const llvm::Loop* parent = loop.getParentLoop()) found.parent = loop_ids_[parent];
  const ir::Block& block = kernel_.blocks[found.header];
  found.label = block.label;
  if (block.count > 0) found.line = kernel_.instructions[block.first].line;
  count_trips(loop, found);
  if (!found.trip_count) {
    if (!pointers_) pointers_ = find_pointers(*lifted_.function);
    Obstacle obstacle = find_obstacle(loop, loops_, dead_, *pointers_, program_, body_, form_of(loop));
    found.obstacle = std::move(obstacle.text);
    found.remedies = std::move(obstacle.remedies);
    found.array_remedies = array_options(loop);
  }
  loop_ids_[&loop] = static_cast<ir::LoopId>(flow_.loops.size());
  flow_.loops.push_back(std::move(found));
}

LoopForm Finder::form_of(const llvm::Loop& loop) const {
  if (!waits_for_clock(loop, loops_, dominators_, clock_reads_)) return {};
  return {[this](const llvm::Instruction& instruction) { return clock_reads_(instruction).has_value(); },
          "the counter of cycles may go past what it waits for, and round, between two turns"};
}

// Options that give sizes of arrays which bound it.
std::vector<std::string> Finder::array_options(const llvm::Loop& loop) {
  if (program_.bodies.size() > 1) return {};
  std::vector<std::string> options;
  for (const llvm::Value* base : arrays_that_bound(loop, loops_, dominators_, counts_.evolution(), array_sizes_)) {
    const auto source = launch_source(*base);
    const ir::ParameterNames* names = program_.parameter_names();
    std::string name = names == nullptr ? "" : names->pointer_name(source->number, source->offset);
    if (name.empty()) name = object_name(program_.variables[source->number], source->offset);
    options.push_back("--buffer " + support::shell_quoted(name + "=BYTES"));
  }
  return options;
}

// Beyond this an exact count is most likely that of a counter which goes all the way round, of a loop that no thread
// enters.
constexpr int64_t unlikely_count = int64_t{1} << 24;

// The smallest of what scalar evolution, the simulation, arrays and distances find; nothing else is asked where the
// first is exact, and ranges only where the first two find nothing.
void Finder::count_trips(const llvm::Loop& loop, ir::Loop& found) {
  using enum ir::TripCountSource;
  const auto note = [&found](const TripBound& bound, ir::TripCountSource source) {
    found.fewest_trips = std::max(found.fewest_trips, bound.fewest);
    if (found.trip_count && *found.trip_count <= bound.most) return;
    found.trip_count = bound.most;
    found.source = source;
  };
  if (dead_.count(loop.getHeader()) > 0) return note({}, not_entered);
  if (const auto bound = counts_.bound(loop)) note(*bound, scalar_evolution);
  if (found.trip_count == found.fewest_trips && found.fewest_trips < unlikely_count) return;
  const auto known = [this](const llvm::Loop& outer) { return flow_.loops[loop_ids_[&outer]].trip_count; };
  const auto simulated = simulation_.count(loop, known);
  if (simulated && !simulated->is_entered) {
    found.fewest_trips = 1;
    note({}, not_entered);
    return mark_dead(*loop.getHeader(), dominators_, dead_, [this](llvm::PHINode& phi) { counts_.forget(phi); });
  }
  if (simulated) note(simulated->bound, simulation);
  const bool is_counted = found.trip_count.has_value();
  if (!launch_.buffers.empty()) {
    if (const auto trips = trips_by_arrays(loop, loops_, dominators_, counts_.evolution(), array_sizes_)) {
      note({*trips, 1}, array_size);
    }
  }
  if (const auto trips = trips_by_distances(loop, loops_, dominators_, value_ranges_)) note({*trips, 1}, value_ranges);
  if (const auto trips = trips_of_carried(loop, loops_, dominators_, counts_.evolution())) {
    note({*trips, 1}, value_ranges);
  }
  if (is_counted) return;
  found.clock = clock_limit(loop, loops_, dominators_, clock_reads_, value_ranges_);
  if (found.clock) return note({most_turns(*found.clock), 1}, clock);
  if (const auto trips = trips_of_ranges(loop)) note({*trips, 1}, value_ranges);
}

// Of a move: of other instructions it may be the result, of which nothing is known.
std::optional<ir::SpecialValue> Finder::counter_read_by(const llvm::Instruction& instruction) const {
  const auto from = call_kind(instruction) == CallKind::opaque ? origin(instruction) : std::nullopt;
  if (!from || body_.operation(*from).semantics.computation != ir::Computation::copy) return std::nullopt;
  const auto sources = body_.sources(*from), results = body_.results(*from);
  if (sources.size() != 1 || sources[0].kind != ir::Operand::Kind::special) return std::nullopt;
  if (results.size() != 1 || results[0].kind != ir::Operand::Kind::reg) return std::nullopt;
  const auto which = static_cast<ir::SpecialValue>(sources[0].index);
  const unsigned bits = which == ir::SpecialValue::cycles32 ? 32 : which == ir::SpecialValue::cycles64 ? 64 : 0;
  return instruction.getType()->isIntegerTy(bits) ? std::optional(which) : std::nullopt;
}

// What a guard may skip is not accessed by each thread.
std::optional<int64_t> Finder::bytes_of_every_thread(const llvm::Instruction& access) const {
  const auto from = call_kind(access) == CallKind::access ? origin(access) : std::nullopt;
  if (!from || kernel_.instructions[*from].guarded) return std::nullopt;
  const ir::Operation& operation = kernel_.operation(kernel_.instructions[*from]);
  const bool is_global = operation.space == ir::MemorySpace::global || operation.space == ir::MemorySpace::generic;
  const bool is_whole = operation.kind != ir::OperationKind::copy_async && operation.bytes > 0;
  return is_global && is_whole ? std::optional<int64_t>(operation.bytes) : std::nullopt;
}

std::optional<int64_t> Finder::bytes_of_array(const llvm::Value& pointer) const {
  if (program_.bodies.size() > 1 || !is_parameter(pointer)) return std::nullopt;
  const auto source = launch_source(pointer);
  return buffer_bytes(launch_, program_.variables[source->number], source->offset);
}

std::optional<int64_t> Finder::trips_of_ranges(const llvm::Loop& loop) {
  if (const auto trips = trips_by_bits(loop, dominators_, value_ranges_)) return trips;
  if (const auto trips = trips_by_halving(loop, dominators_, value_ranges_)) return trips;
  return trips_by_ranges(loop, loops_, dominators_, value_ranges_, range_budget_);
}

// A guarded indexed branch is two branches, of which the second is in a block of its own.
Joins Finder::find_joins() const {
  Joins joins;
  if (body_.joins.empty()) return joins;
  for (const ir::BlockId b : flow_.order) {
    Join join;
    if (body_.joins[b].block != ir::no_block) join.block = lifted_.graph.blocks[body_.joins[b].block];
    for (const ir::BlockId earlier : body_.joins[b].earlier) join.earlier.push_back(lifted_.graph.blocks[earlier]);
    joins[lifted_.graph.blocks[b]] = join;
    for (const llvm::BasicBlock* next : llvm::successors(lifted_.graph.blocks[b])) {
      const bool is_indexed =
          lifted_.graph.id(next) == ir::no_block && llvm::isa<llvm::SwitchInst>(next->getTerminator());
      if (is_indexed) joins[next] = join;
    }
  }
  return joins;
}

// Values that turn out to be the same in each warp make more branches uniform, and these more values.
void Finder::find_lane_facts() {
  OffsetTables tables(block_);
  const auto range = [this](llvm::Value& value, bool is_signed) { return counts_.range(value, is_signed); };
  const Joins joins = find_joins();
  Uniformity uniformity(*lifted_.function, loops_, {}, Uniformity::Scope::warp, joins);
  const ValueSet more = LaneValues(*lifted_.function, loops_, uniformity, tables, range).more_uniform();
  if (!more.empty()) uniformity = Uniformity(*lifted_.function, loops_, more, Uniformity::Scope::warp, joins);
  const LaneValues lanes(*lifted_.function, loops_, uniformity, tables, range);
  const Uniformity in_block(*lifted_.function, loops_, {}, Uniformity::Scope::block);
  for (const ir::BlockId b : flow_.order) {
    flow_.blocks[b].divergent = is_divergent(uniformity, *lifted_.graph.blocks[b]);
    flow_.blocks[b].warps_differ = is_divergent(in_block, *lifted_.graph.blocks[b]);
  }
  const auto count = [&](const LaneValues& values) {
    return Transactions(body_, values, tables, lifted_.has_local_pointers).count(*lifted_.function);
  };
  flow_.transactions = count(lanes);
  const ValueSet pointers = find_accesses();
  std::vector<uint32_t> aligned = flow_.transactions;
  if (!pointers.empty()) {
    aligned = count(LaneValues(*lifted_.function, loops_, uniformity, tables, range, pointers));
  }
  for (ir::Access& access : flow_.accesses) {
    access.aligned_transactions = std::min(flow_.transactions[access.instruction], aligned[access.instruction]);
    const int64_t bytes = ir::warp_lanes * kernel_.operation(kernel_.instructions[access.instruction]).bytes;
    access.covers_lines = access.covers_lines && access.aligned_transactions * ir::memory_line_bytes == bytes;
  }
}

// The values that parameters give addresses by. What shared bodies are passed is unknown.
ValueSet Finder::find_accesses() {
  if (program_.bodies.size() > 1) {
    flow_.accesses = unknown_accesses(body_, flow_);
    return {};
  }
  OffsetTables tables(block_);
  const auto trips = [this](const llvm::Loop& loop) { return flow_.loops[loop_ids_[&loop]].trip_count; };
  AddressForms forms(*lifted_.function, loops_, tables, launch_.grid ? &*launch_.grid : nullptr, trips);
  ExecutionDomains domains(body_, dominators_, post_dominators_, loops_, forms);
  MemoryAccesses accesses(program_, body_, launch_, dead_, forms, domains, flow_);
  accesses.find(*lifted_.function);
  find_shared();
  find_warps(domains);
  find_lanes_of_copies(domains);
  find_elected(domains);
  return accesses.pointers();
}

// Which of the accesses by generic addresses are none of global memory.
void Finder::find_shared() {
  const SharedWindows windows(program_, body_, launch_.dynamic_shared, counts_.evolution());
  for (const llvm::Instruction& instruction : llvm::instructions(*lifted_.function)) {
    const CallKind kind = call_kind(instruction);
    if (kind != CallKind::access && kind != CallKind::fragment) continue;
    if (!windows.holds(llvm::cast<llvm::CallInst>(instruction))) continue;
    ir::Access found;
    found.instruction = *origin(instruction);
    found.in_shared = true;
    const auto access =
        std::lower_bound(flow_.accesses.begin(), flow_.accesses.end(), found.instruction,
                         [](const ir::Access& one, ir::InstructionId i) { return one.instruction < i; });
    if (access != flow_.accesses.end() && access->instruction == found.instruction) *access = found;
  }
}

// Of one warp, and of blocks that no thread can avoid, there is nothing to ask.
void Finder::find_warps(ExecutionDomains& domains) {
  if (block_.x * block_.y * block_.z <= ir::warp_lanes) return;
  const llvm::BasicBlock& entry = lifted_.function->getEntryBlock();
  for (const ir::BlockId b : flow_.order) {
    const llvm::BasicBlock& block = *lifted_.graph.blocks[b];
    if (!post_dominators_.dominates(&block, &entry)) flow_.blocks[b].warps = domains.warps(domains.of(block));
  }
}

void Finder::find_lanes_of_copies(ExecutionDomains& domains) {
  for (const ir::BlockId b : flow_.order) {
    const ir::Block& block = kernel_.blocks[b];
    std::optional<int64_t> lanes;
    for (ir::BulkCopy& copy : flow_.copies) {
      if (copy.instruction < block.first || copy.instruction >= block.first + block.count) continue;
      if (!lanes) lanes = domains.lanes(domains.of(*lifted_.graph.blocks[b]));
      copy.lanes = *lanes;
    }
  }
}

// One thread's access to global memory is aligned and in one line; in shared memory it has a way for each word.
void Finder::find_elected(ExecutionDomains& domains) {
  const auto elects = [](const ir::Operation& operation) { return operation.key.opcode == "elect"; };
  if (std::none_of(kernel_.operations.begin(), kernel_.operations.end(), elects)) return;
  for (const ir::BlockId b : flow_.order) {
    if (!domains.of(*lifted_.graph.blocks[b]).is_elected) continue;
    const ir::Block& block = kernel_.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Operation& operation = kernel_.operation(kernel_.instructions[i]);
      const auto words = static_cast<uint32_t>((operation.bytes + ir::bank_bytes - 1) / ir::bank_bytes);
      uint32_t& pieces = flow_.transactions[i];
      if (is_access_of_lane(operation.kind)) {
        pieces = std::min(pieces, operation.space == ir::MemorySpace::shared ? std::max(1U, words) : 1U);
      }
    }
  }
}

void Finder::find_partial_barriers() {
  using enum ir::OperationKind;
  for (ir::InstructionId i = 0; i < kernel_.instructions.size(); ++i) {
    const ir::OperationKind kind = kernel_.operation(kernel_.instructions[i]).kind;
    const bool partial = kind == cluster_barrier ? !is_passed_once(i) : kind == barrier && is_partial(i);
    if (partial) flow_.partial_barriers.push_back(i);
  }
}

// Whether all threads of all blocks pass the instruction, each once: so they pass all of these in the same order.
bool Finder::is_passed_once(ir::InstructionId instruction) const {
  if (program_.bodies.size() > 1 || kernel_.instructions[instruction].guarded) return false;
  const llvm::BasicBlock& entry = lifted_.function->getEntryBlock();
  for (const ir::BlockId b : flow_.order) {
    const ir::Block& block = kernel_.blocks[b];
    if (instruction < block.first || instruction >= block.first + block.count) continue;
    const llvm::BasicBlock& own = *lifted_.graph.blocks[b];
    return loops_.getLoopFor(&own) == nullptr && post_dominators_.dominates(&own, &entry);
  }
  return true;  // nobody comes there
}

// PTX ISA, "bar, barrier": the barrier's number, then how many threads meet there, which is rounded up to whole warps,
// and of a reduction a predicate.
bool Finder::is_partial(ir::InstructionId barrier) const {
  if (kernel_.instructions[barrier].guarded) return true;
  const std::string& opcode = body_.operation(barrier).key.opcode;
  if (opcode.ends_with("arrive")) return true;
  const auto sources = body_.sources(barrier).first(body_.sources(barrier).size() - (opcode.ends_with("red") ? 1 : 0));
  if (sources.size() < 2) return false;
  const int64_t threads = block_.x * block_.y * block_.z;
  return sources[1].kind != ir::Operand::Kind::integer || sources[1].value < threads;
}

void Finder::find_copies() {
  for (const ir::BlockId b : flow_.order) {
    const ir::Block& block = kernel_.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      if (ir::is_bulk_copy(kernel_.operation(kernel_.instructions[i]))) flow_.copies.push_back({i, ir::warp_lanes, {}});
    }
  }
  std::sort(flow_.copies.begin(), flow_.copies.end(),
            [](const ir::BulkCopy& a, const ir::BulkCopy& b) { return a.instruction < b.instruction; });
}

// How long sleeps are, and copies large.
void Finder::find_amounts() {
  for (llvm::BasicBlock& block : *lifted_.function) {
    for (llvm::Instruction& instruction : block) {
      const auto from = origin(instruction);
      if (!from || call_kind(instruction) != CallKind::amount) continue;
      const llvm::APInt most = counts_.range(*instruction.getOperand(0), false).getUnsignedMax();
      if (most.isMaxValue()) continue;
      const auto amount = static_cast<int64_t>(most.getZExtValue());
      const auto copy = std::find_if(flow_.copies.begin(), flow_.copies.end(),
                                     [&](const ir::BulkCopy& one) { return one.instruction == *from; });
      if (copy == flow_.copies.end()) {
        flow_.sleeps.push_back({*from, amount});
      } else {
        copy->bytes = amount;
      }
    }
  }
  std::sort(flow_.sleeps.begin(), flow_.sleeps.end(),
            [](const ir::Sleep& a, const ir::Sleep& b) { return a.instruction < b.instruction; });
}

// A guarded indexed branch is two branches.
bool Finder::is_divergent(const Uniformity& uniformity, const llvm::BasicBlock& block) const {
  if (uniformity.is_divergent_branch(block)) return true;
  for (const llvm::BasicBlock* next : llvm::successors(&block)) {
    const bool is_indexed =
        lifted_.graph.id(next) == ir::no_block && llvm::isa<llvm::SwitchInst>(next->getTerminator());
    if (is_indexed && uniformity.is_divergent_branch(*next)) return true;
  }
  return false;
}

// By body.
support::Result<std::vector<Lifted>> lift_bodies(const ir::Program& program, const ir::Launch& launch,
                                                 const Bindings& bindings, Part part) {
  const VariableSet common = find_common_variables(program);
  std::vector<Lifted> all;
  support::Diagnostics errors;
  for (const ir::Body& body : program.bodies) {
    auto lifted = lift(program, body, launch, bindings, common, part);
    if (lifted) {
      all.push_back(std::move(*lifted));
    } else {
      errors.insert(errors.end(), lifted.errors().begin(), lifted.errors().end());
    }
  }
  // A pointer that one body makes may be used in any other.
  const bool any = std::any_of(all.begin(), all.end(), [](const Lifted& lifted) { return lifted.has_local_pointers; });
  for (Lifted& lifted : all) lifted.has_local_pointers = any;
  if (!errors.empty()) return errors;
  return all;
}

// The facts of a body, behind those of the bodies before it.
void append(ir::Flow body, ir::Flow& all) {
  const auto first_block = static_cast<ir::BlockId>(all.blocks.size());
  const auto first_loop = static_cast<ir::LoopId>(all.loops.size());
  for (ir::BlockFlow& block : body.blocks) {
    if (block.loop != ir::no_loop) block.loop += first_loop;
    if (block.post_dominator != ir::no_block) block.post_dominator += first_block;
    all.blocks.push_back(block);
  }
  for (ir::Loop& loop : body.loops) {
    loop.header += first_block;
    if (loop.parent != ir::no_loop) loop.parent += first_loop;
    all.loops.push_back(std::move(loop));
  }
  for (const ir::BlockId block : body.order) all.order.push_back(block + first_block);
  const auto first_instruction = static_cast<ir::InstructionId>(all.transactions.size());
  for (ir::Access& access : body.accesses) {
    access.instruction += first_instruction;
    access.dense_with += first_instruction;
    if (access.object != ir::no_object) access.object += static_cast<ir::ObjectId>(all.objects.size());
    all.accesses.push_back(std::move(access));
  }
  for (const ir::Sleep& sleep : body.sleeps)
    all.sleeps.push_back({sleep.instruction + first_instruction, sleep.nanoseconds});
  for (ir::BulkCopy& copy : body.copies) {
    copy.instruction += first_instruction;
    all.copies.push_back(copy);
  }
  for (const ir::InstructionId barrier : body.partial_barriers)
    all.partial_barriers.push_back(barrier + first_instruction);
  all.unrounded_floats = all.unrounded_floats || body.unrounded_floats;
  all.trusted_variables.insert(all.trusted_variables.end(), body.trusted_variables.begin(),
                               body.trusted_variables.end());
  all.objects.insert(all.objects.end(), body.objects.begin(), body.objects.end());
  all.transactions.insert(all.transactions.end(), body.transactions.begin(), body.transactions.end());
}

}  // namespace

// LLVM takes memory with malloc too, and aborts where there is none.
static void install_memory_handler() {
  static const bool installed = [] {
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { support::out_of_memory(); });
    return true;
  }();
  static_cast<void>(installed);
}

static support::Result<ir::Flow> facts_of(const ir::Program& program, const ir::Launch& launch,
                                          const Bindings& bindings, Part part) {
  auto lifted = lift_bodies(program, launch, bindings, part);
  if (!lifted) return lifted.errors();
  ir::Flow all;
  for (size_t i = 0; i < program.bodies.size(); ++i) {
    append(Finder(program, program.bodies[i], launch, (*lifted)[i]).run(part), all);
  }
  return all;
}

// Below, all facts are found about as soon as it is known whether loops are bounded.
constexpr size_t least_instructions = 4096;

// Whether it pays to look at the loops first: what goes back in the text may be one.
static bool has_loops_in_much_code(const ir::Program& program) {
  size_t instructions = 0;
  bool goes_back = false;
  for (const ir::Body& body : program.bodies) {
    instructions += body.instructions.size();
    for (ir::BlockId b = 0; b < body.kernel.blocks.size(); ++b) {
      const auto& next = body.kernel.blocks[b].successors;
      goes_back = goes_back || std::any_of(next.begin(), next.end(), [b](ir::BlockId to) { return to <= b; });
    }
  }
  return goes_back && instructions >= least_instructions;
}

support::Result<ir::Flow> find_facts(const ir::Program& program, const ir::Launch& launch, OfUnbounded of_unbounded) {
  install_memory_handler();
  const auto bindings = bind_arguments(program, launch);
  if (!bindings) return bindings.errors();
  if (auto errors = check_buffers(launch); !errors.empty()) return errors;
  if (of_unbounded == OfUnbounded::loops_only && has_loops_in_much_code(program)) {
    auto control = facts_of(program, launch, *bindings, Part::control);
    const auto is_unbounded = [](const ir::Loop& loop) { return !loop.trip_count; };
    if (!control || std::any_of(control->loops.begin(), control->loops.end(), is_unbounded)) return control;
  }
  auto all = facts_of(program, launch, *bindings, Part::all);
  if (!all) return all;
  if (auto errors = judge_buffers(program, launch, *all); !errors.empty()) return errors;
  return all;
}

}  // namespace warpspan::lift
