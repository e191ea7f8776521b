// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let S be instructions of the kernel. Let n(i) warps of a block of threads at most ever execute i of S, each
// at most E(i) times, and occupy a resource for h(i) each time. Then all warps of a block of threads occupy it with S
// for at most the sum of n(i) E(i) h(i), and one warp with the others for at most the largest total that counts 0 for
// S. Proof. Each execution of i is one of at most E(i) of one of at most n(i) warps. QED
// Where b(i) of B blocks ever execute i, all blocks occupy it with S for at most B times the sum of n(i) E(i) h(i) b(i)
// / B, each rounded up. So much counts of each block for resources of the device; which blocks a multiprocessor has is
// unknown.
//
// Which instructions. Where the PTX branches past an instruction, the assembler may let a guard decide, so that all
// warps issue it, or compute it ahead for all. Requests to global memory are made in neither form, for they may fail,
// or others would see them; reads of parameters and constants, and of a thread's own memory, may be. So S are accesses
// to global memory, and only what their requests occupy outside of the multiprocessor, or on the path there, the unit
// that makes bulk copies among it, counts apart. So are calls of functions without a body
// (timing/costs/outside_calls.hpp), which others would see as well, with what a call occupies while it lasts. Of
// machine code, which is what runs, so is the wait in a loop.
//
// Lanes one by one. Where a warp may fall into more groups than are told apart, ir::Walk counts what each of the 32
// lanes would need alone.
//
// Theorem. Let one execution of an instruction by k lanes occupy a resource for h(k) cycles, and h(k) <= k x. Then a
// warp occupies it there for at most 32 times the largest sum of x along a path of one lane. Proof. Each execution by k
// lanes is one step on the paths of k lanes, and no step of a lane is one of two executions. So the sum of h over all
// executions is at most that of x over all steps of all lanes. QED
//
// Which x. An access of one lane has m transactions at most (ir::transactions_of_lane). Of k lanes it has k times as
// many, the first of which takes f cycles and each further one g: h(k) <= f + (k m - 1) g <= k m max(f, g). What the
// whole warp's execution occupies at most is such an x too, of all else.
//
// Scattered requests. Theorem. Let R be instructions with requests as above. Then a warp occupies a resource for at
// most 32 times the largest sum of x, of R, along a path of one lane, and the largest total that counts 0 for R. Proof.
// The second is what it occupies it for with all else; the first holds as above, as one to 32 lanes make each request.
// QED So requests count once where lanes that have diverged come to the same code or to copies of it, or take different
// sides of a branch. R are those of which 32 lanes alone need little more than the whole warp does; the smaller of both
// totals counts.
#include "timing/warp/demand.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "ir/barrier_intervals.hpp"
#include "ir/execution.hpp"
#include "support/checked.hpp"
#include "timing/assumptions/errors.hpp"
#include "timing/costs/code_layout.hpp"
#include "timing/costs/outside_calls.hpp"
#include "timing/warp/waiting.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;
using support::Result;
using Partial = solver::ResourceDemand::Partial;

// Each block with instructions of the theorem's S is a measure of all paths.
constexpr size_t most_partial_blocks = 64;

// The flow of one lane, for which no branch is divergent.
ir::Flow flow_of_lane(const ir::Flow& flow) {
  ir::Flow of_lane = flow;
  for (ir::BlockFlow& block : of_lane.blocks) block.divergent = false;
  of_lane.lane_groups = nullptr;
  of_lane.lanes_part = false;
  return of_lane;
}

Result<std::vector<int64_t>> values_of(const ir::Kernel& kernel, const std::vector<Integer>& sums) {
  std::vector<int64_t> totals;
  for (const Integer& sum : sums) {
    const auto value = sum.value();
    if (!value) return exceeds_64_bits(kernel, "the instructions of one warp");
    totals.push_back(*value);
  }
  return totals;
}

// What is measured: occupancies by resource, then attempts by resource, then the joint occupancy by Interference.
class Measures {
 public:
  explicit Measures(const CostedKernel& costed)
      : kernel_(costed.kernel),
        flow_(costed.flow),
        costs_(costed.costs),
        machine_(costed.machine),
        joint_(machine_),
        resources_(machine_.resources.size()) {
    const auto divides = [](const ir::BlockFlow& block) { return block.divergent; };
    if (std::any_of(flow_.blocks.begin(), flow_.blocks.end(), divides)) of_lane_ = flow_of_lane(flow_);
    find_uses();
    find_waits();
  }

  size_t count() const { return 2 * resources_ + interferences; }

  // Calls take(measure, amount, of_lane) for whatever one execution of the instruction uses, and one lane alone.
  template <typename Take>
  void for_each_use(ir::InstructionId id, const Take& take) const {
    for (const Use& use : uses_[kind_of_[id]]) take(use.measure, use.amount, use.of_lane);
    if (const auto wait = waits_.find(id); wait != waits_.end()) {
      const Integer share(wait->second.share);
      take(wait->second.resource, share, share);
    }
  }

  // The largest totals of the first so many measures, of uses at which counts(instruction, measure), and whose they are
  // if that is wanted. Nothing if the kernel never ends.
  struct Largest {
    std::vector<Integer> totals;
    std::vector<Shares> shares;  // by measure; may be missing
  };
  template <typename Counts>
  std::optional<Largest> largest(size_t measures, bool with_shares, const Counts& counts) const;

  // Of the first so many measures, at which counts(instruction, measure).
  template <typename Counts>
  std::vector<Integer> sums_of(ir::BlockId id, size_t measures, bool is_lane, const Counts& counts) const {
    std::vector<Integer> values(measures);
    const ir::Block& block = kernel_.blocks[id];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      for_each_use(i, [&](size_t measure, Integer amount, Integer of_lane) {
        if (measure < measures && counts(i, measure)) values[measure] += is_lane ? of_lane : amount;
      });
    }
    return values;
  }

  // Of the measures that the paths are of: of uses at which counts(instruction, measure).
  template <typename Counts>
  std::vector<Shares> shares_of(const ir::BlockPaths& paths, const Counts& counts) const;

  // Of one execution, in the way of warps of the scheduler.
  Integer joint(ir::InstructionId id) const {
    const Uses& uses = uses_[kind_of_[id]];
    return uses[uses.size() - interferences + static_cast<size_t>(Interference::same_scheduler)].amount;
  }

  // By resource, what counts apart for instructions that only part of the warps execute, with its occupants if they are
  // wanted. Empty if there are none, or the numbers exceed 64 bits.
  std::vector<Partial> partial_demand(Occupants* occupants) const;

  // What of the joint demand one interval between two barriers has, where that is known.
  void add_intervals(Demand& demand) const;

 private:
  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Costs& costs_;
  struct Use {
    size_t measure = 0;
    Integer amount = 0, of_lane = 0;
  };
  using Uses = std::vector<Use>;  // those by interference are the last
  Uses uses_of(ir::InstructionId id) const;
  void find_uses();
  void find_waits();
  bool is_of_device(const Occupancy& occupancy) const;
  bool occupies_device(ir::LoopId loop) const;
  bool asks_device_for_code() const;
  bool is_request(ir::InstructionId id, size_t measure) const;
  bool is_wait(ir::InstructionId id, size_t measure) const {
    const auto wait = waits_.find(id);
    return wait != waits_.end() && wait->second.resource == measure;
  }
  struct PartialUse {
    int64_t warps = 0;
    std::optional<ir::SomeBlocks> blocks;  // nothing: all
  };
  std::optional<PartialUse> partial_use(ir::BlockId block, ir::InstructionId id, size_t measure) const;
  bool is_scattered(ir::InstructionId id, size_t measure) const;
  template <typename Counts>
  std::optional<Largest> largest_of(const ir::Flow& flow, bool is_lane, size_t measures, bool with_shares,
                                    const Counts& counts) const;
  template <typename Counts>
  void count_scattered(Largest& largest, bool with_shares, const Counts& counts) const;
  std::vector<ir::BlockId> partial_blocks() const;

  const Machine& machine_;
  JointOccupancy joint_;
  size_t resources_;
  std::optional<ir::Flow> of_lane_;  // if lanes may diverge
  std::vector<Uses> uses_;           // of instructions of one operation with as many transactions
  std::vector<uint32_t> kind_of_;    // by instruction, which of these
  // What a loop that waits occupies at each run of its header (waiting.cpp), by the first instruction of that.
  struct Wait {
    size_t resource = 0;
    int64_t share = 0;
  };
  std::map<ir::InstructionId, Wait> waits_;
};

bool Measures::is_of_device(const Occupancy& occupancy) const {
  return machine_.resources[occupancy.resource].sharing == ResourceFigures::Sharing::device;
}

bool Measures::occupies_device(ir::LoopId loop) const {
  return ir::any_instruction(kernel_, flow_, loop, [this](ir::InstructionId id) {
    const std::vector<Occupancy>& occupancies = costs_.of(kernel_.instructions[id]).occupancies;
    return std::any_of(occupancies.begin(), occupancies.end(),
                       [this](const Occupancy& occupancy) { return is_of_device(occupancy); });
  });
}

// Whether code that runs again may be fetched again, through what all multiprocessors share (fetch.cpp).
bool Measures::asks_device_for_code() const {
  if (!machine_.fetch) return false;
  if (kernel_.calls_outside()) return true;  // functions without a body may push all of it out
  const Integer lines = lines_of(machine_instructions(kernel_, costs_), machine_.fetch->instructions);
  return std::any_of(machine_.fetch->caches.begin(), machine_.fetch->caches.end(), [&](const CodeCache& cache) {
    const bool fits = Integer(cache.bytes / machine_.fetch->line).is_at_least(lines.value().value_or(INT64_MAX));
    return !fits && std::any_of(cache.occupancies.begin(), cache.occupancies.end(),
                                [this](const Occupancy& occupancy) { return is_of_device(occupancy); });
  });
}

Measures::Uses Measures::uses_of(ir::InstructionId id) const {
  const OperationFigures& cost = costs_.of(kernel_.instructions[id]);
  const int64_t transactions = flow_.transactions[id];
  Uses uses;
  const auto of_lane = ir::transactions_of_lane(kernel_.operation(kernel_.instructions[id]));
  for (const Occupancy& occupancy : cost.occupancies) {
    const Integer all = occupied_cycles(occupancy, transactions);
    const bool by_lane = of_lane && occupancy.per_transaction;
    uses.push_back({occupancy.resource, all,
                    by_lane ? min(all, Integer(*of_lane) * std::max(occupancy.first, occupancy.cycles)) : all});
  }
  for (const Retries& rounds : cost.retries) {
    uses.push_back({resources_ + rounds.resource, rounds.cycles, rounds.cycles});
  }
  for (size_t n = 0; n < interferences; ++n) {
    const Integer all = joint_.cycles(cost, transactions, static_cast<Interference>(n));
    uses.push_back({2 * resources_ + n, all, all});
  }
  return uses;
}

void Measures::find_uses() {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> kinds;  // by operation and transactions
  for (ir::InstructionId id = 0; id < kernel_.instructions.size(); ++id) {
    const auto [kind, is_new] = kinds.try_emplace({kernel_.instructions[id].operation, flow_.transactions[id]},
                                                  static_cast<uint32_t>(uses_.size()));
    if (is_new) uses_.push_back(uses_of(id));
    kind_of_.push_back(kind->second);
  }
}

void Measures::find_waits() {
  for (const auto& [block, wait] : block_waits(flow_)) {
    const std::string_view name =
        occupies_device(wait.loop) || asks_device_for_code() ? device_waits_resource : waits_resource;
    waits_[kernel_.blocks[block].first] = {*machine_.resource(name), wait.cycles};
  }
}

template <typename Counts>
std::vector<Shares> Measures::shares_of(const ir::BlockPaths& paths, const Counts& counts) const {
  std::vector<Shares> shares(paths.totals.size());
  if (paths.executions.empty()) return shares;
  for (ir::BlockId b = 0; b < kernel_.blocks.size(); ++b) {
    const ir::Block& block = kernel_.blocks[b];
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::InstructionId id = block.first + i;
      for_each_use(id, [&](size_t measure, Integer amount, Integer of_lane) {
        if (measure >= shares.size() || paths.executions[measure].empty() || !counts(id, measure)) return;
        const Integer all = amount * paths.executions[measure][b] + of_lane * paths.of_lanes[measure][b];
        const int64_t share = all.value().value_or(0);
        if (share > 0) shares[measure].push_back({id, share});
      });
    }
  }
  return shares;
}

// Whether the measure is a resource that an instruction of the theorem's S occupies with its requests.
bool Measures::is_request(ir::InstructionId id, size_t measure) const {
  const ir::Operation& operation = kernel_.operation(kernel_.instructions[id]);
  if (operation.call_time) return measure < resources_ && machine_.resources[measure].name == calls_resource;
  const ir::MemorySpace space = operation.space;
  if (space != ir::MemorySpace::global && space != ir::MemorySpace::generic) return false;
  if (measure >= resources_) return false;
  const ResourceFigures& resource = machine_.resources[measure];
  return resource.lines || resource.name == copies_resource || resource.sharing == ResourceFigures::Sharing::device;
}

// How many warps of a block of threads, and how many blocks, take a use of the theorem's S; nothing: it is none of
// those, or all do. Who is guarded from the first request in a loop waits there all the same: of a wait only those
// count that come to its block.
std::optional<Measures::PartialUse> Measures::partial_use(ir::BlockId block, ir::InstructionId id,
                                                          size_t measure) const {
  if (is_wait(id, measure)) {
    const ir::BlockFlow& facts = flow_.blocks[block];
    const bool counts = facts.warps && (kernel_.is_machine_code() || is_request(id, measure));
    return counts ? std::optional(PartialUse{*facts.warps, facts.blocks}) : std::nullopt;
  }
  const auto warps = is_request(id, measure) ? ir::warps_that_execute(flow_, block, id) : std::nullopt;
  return warps ? std::optional(PartialUse{*warps, ir::blocks_that_execute(flow_, block, id)}) : std::nullopt;
}

// Whether it is in the R of scattered requests, as far as this measure goes.
bool Measures::is_scattered(ir::InstructionId id, size_t measure) const {
  if (!is_request(id, measure)) return false;
  Integer all, nearly_all_lanes;
  for (const Use& use : uses_[kind_of_[id]]) {
    if (use.measure != measure) continue;
    all += use.amount;
    nearly_all_lanes += use.of_lane * Integer(ir::warp_lanes - 1);
  }
  return !(all == Integer(0)) && max(all, nearly_all_lanes) == all;
}

template <typename Counts>
std::optional<Measures::Largest> Measures::largest_of(const ir::Flow& flow, bool is_lane, size_t measures,
                                                      bool with_shares, const Counts& counts) const {
  const auto of_warp = [&](ir::BlockId b) { return sums_of(b, measures, is_lane, counts); };
  const auto of_lane = [&](ir::BlockId b) { return sums_of(b, measures, true, counts); };
  if (!with_shares) {
    auto totals = ir::largest_block_totals(kernel_, flow, measures, of_warp, of_lane);
    if (!totals) return std::nullopt;
    return Largest{std::move(*totals), {}};
  }
  auto paths = ir::largest_block_paths(kernel_, flow, measures, of_warp, of_lane);
  if (!paths) return std::nullopt;
  if (is_lane) paths->of_lanes.swap(paths->executions);
  std::vector<Shares> shares = shares_of(*paths, counts);
  return Largest{std::move(paths->totals), std::move(shares)};
}

template <typename Counts>
std::optional<Measures::Largest> Measures::largest(size_t measures, bool with_shares, const Counts& counts) const {
  std::optional<Largest> all = largest_of(flow_, false, measures, with_shares, counts);
  if (all && of_lane_) count_scattered(*all, with_shares, counts);
  return all;
}

// By the theorem of scattered requests, where that is less.
template <typename Counts>
void Measures::count_scattered(Largest& largest, bool with_shares, const Counts& counts) const {
  const size_t measures = std::min(resources_, largest.totals.size());
  const auto scattered = [&](ir::InstructionId id, size_t measure) {
    return counts(id, measure) && is_scattered(id, measure);
  };
  const auto others = [&](ir::InstructionId id, size_t measure) {
    return counts(id, measure) && !is_scattered(id, measure);
  };
  const auto lane = largest_of(*of_lane_, true, measures, with_shares, scattered);
  const auto rest = largest_of(flow_, false, measures, with_shares, others);
  if (!lane || !rest) return;
  for (size_t m = 0; m < measures; ++m) {
    const Integer total = rest->totals[m] + lane->totals[m] * Integer(ir::warp_lanes);
    if (max(total, largest.totals[m]) == total) continue;
    largest.totals[m] = total;
    if (!with_shares) continue;
    std::map<ir::InstructionId, Integer> sums;
    for (const Share& share : rest->shares[m]) sums[share.instruction] += share.cycles;
    for (const Share& share : lane->shares[m])
      sums[share.instruction] += Integer(share.cycles) * Integer(ir::warp_lanes);
    Shares& shares = largest.shares[m];
    shares.clear();
    for (const auto& [id, sum] : sums) shares.push_back({id, sum.value().value_or(0)});
  }
}

// Those with instructions of the theorem's S.
std::vector<ir::BlockId> Measures::partial_blocks() const {
  std::vector<ir::BlockId> blocks;
  for (ir::BlockId b = 0; b < kernel_.blocks.size() && blocks.size() < most_partial_blocks; ++b) {
    const ir::Block& block = kernel_.blocks[b];
    bool any = false;
    for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
      for_each_use(id, [&](size_t measure, Integer, Integer) { any = any || partial_use(b, id, measure); });
    }
    if (any) blocks.push_back(b);
  }
  return blocks;
}

std::vector<Partial> Measures::partial_demand(Occupants* occupants) const {
  const std::vector<ir::BlockId> blocks = partial_blocks();
  if (blocks.empty()) return {};
  const auto index = [&](ir::BlockId id) {
    return static_cast<size_t>(std::find(blocks.begin(), blocks.end(), id) - blocks.begin());
  };
  // All executions, and those that do not count as of one lane, and those that do, each at most.
  const size_t count = blocks.size();
  const auto executed = [&](ir::BlockId id, bool is_lane) {
    std::vector<Integer> values(3 * count);
    if (index(id) < count) values[index(id)] = values[index(id) + (is_lane ? 2 : 1) * count] = 1;
    return values;
  };
  const auto executions = ir::largest_block_totals(
      kernel_, flow_, 3 * count, [&](ir::BlockId id) { return executed(id, false); },
      [&](ir::BlockId id) { return executed(id, true); });
  if (!executions) return {};
  const auto of_one_lane = ir::largest_block_totals(kernel_, of_lane_ ? *of_lane_ : flow_, count, [&](ir::BlockId id) {
    std::vector<Integer> values(count);
    if (index(id) < count) values[index(id)] = 1;
    return values;
  });
  if (!of_one_lane) return {};
  if (occupants != nullptr) occupants->partial_block.resize(resources_);
  std::vector<Integer> of_block(resources_);
  std::vector<ir::BlockId> block_of(kernel_.instructions.size(), ir::no_block);  // of those in the blocks above
  for (size_t k = 0; k < blocks.size(); ++k) {
    const ir::Block& block = kernel_.blocks[blocks[k]];
    const Integer times = (*executions)[k], as_warp = (*executions)[count + k], as_lane = (*executions)[2 * count + k];
    for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
      block_of[id] = blocks[k];
      for_each_use(id, [&](size_t measure, Integer amount, Integer of_lane) {
        const auto part = partial_use(blocks[k], id, measure);
        if (!part) return;
        const auto& [warps, some] = *part;
        const Integer by_lanes = of_lane * (*of_one_lane)[k] * Integer(ir::warp_lanes);
        Integer all = Integer(warps) * min(by_lanes, min(amount * times, amount * as_warp + of_lane * as_lane));
        const bool of_device = machine_.resources[measure].sharing == ResourceFigures::Sharing::device;
        if (some && of_device) all = ceil_divide(all * some->some, some->all);
        of_block[measure] += all;
        const int64_t share = all.value().value_or(0);
        if (share > 0 && occupants != nullptr) occupants->partial_block[measure].push_back({id, share});
      });
    }
  }
  const auto of_each = [&](ir::InstructionId id, size_t measure) {
    return block_of[id] == ir::no_block || !partial_use(block_of[id], id, measure);
  };
  auto others = largest(resources_, occupants != nullptr, of_each);
  if (!others) return {};
  if (occupants != nullptr) occupants->partial_each = std::move(others->shares);
  std::vector<Partial> partial;
  for (size_t r = 0; r < resources_; ++r) {
    const auto each = others->totals[r].value(), all = of_block[r].value();
    if (!each || !all) return {};
    partial.push_back({*each, *all});
  }
  return partial;
}

void Measures::add_intervals(Demand& demand) const {
  const auto intervals = ir::largest_intervals(
      kernel_, flow_, 1, [this](ir::InstructionId id) { return std::vector<Integer>{joint(id)}; });
  if (!intervals) return;
  const auto points = intervals->sync_points.value(), most = intervals->largest.front().value();
  if (!points || !most) return;
  demand.sync.points = points;
  demand.joint[static_cast<size_t>(Interference::same_scheduler)].interval = most;
}

// Takes as many values as it has elements.
template <typename From, typename To>
From take(From from, To& to) {
  const From end = from + static_cast<ptrdiff_t>(to.size());
  std::move(from, end, to.begin());
  return end;
}

}  // namespace

Result<SymbolTotals> symbol_totals(const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine) {
  constexpr size_t classes = ir::unit_classes;
  const auto sums = ir::largest_block_totals(kernel, flow, classes + 1, [&](ir::BlockId id) {
    std::vector<Integer> values(classes + 1);
    const ir::Block& block = kernel.blocks[id];
    for (uint32_t i = 0; i < block.count; ++i) {
      const ir::Operation& operation = kernel.operation(kernel.instructions[block.first + i]);
      const auto unit = static_cast<size_t>(ir::unit_class(operation.kind));
      values[unit] += machine.unit_width[unit].denominator;
      values[classes] += machine.unit_width[unit].denominator;
    }
    return values;
  });
  if (!sums) return exceeds_64_bits(kernel, "its regions");
  const auto values = values_of(kernel, *sums);
  if (!values) return values.errors();
  SymbolTotals totals;
  for (size_t k = 0; k < classes; ++k) totals.symbols[k] = (*values)[k];
  totals.length = (*values)[classes];
  return totals;
}

solver::ResourceDemand Demand::joint_cycles(Interference interference) const {
  solver::ResourceDemand cycles = joint[static_cast<size_t>(interference)];
  const auto in_cycles = [this](int64_t parts) { return *ceil_divide(Integer(parts), unit).value(); };
  cycles.worker = in_cycles(cycles.worker);
  if (cycles.interval) cycles.interval = in_cycles(*cycles.interval);
  return cycles;
}

bool Demand::add_term(const solver::PathTerm& term) {
  const auto behind = [](const solver::PathTerm& a, const solver::PathTerm& b) { return a.kind < b.kind; };
  path_terms.insert(std::upper_bound(path_terms.begin(), path_terms.end(), term, behind), term);
  Integer path = critical_path;
  for (const solver::PathTerm& each : path_terms) path += each.each;
  return !path.overflowed();
}

bool Demand::add(size_t resource, Integer more) { return resources[resource].add(more); }

bool Demand::add_joint(const std::vector<int64_t>& occupied, const Machine& machine) {
  const JointOccupancy counted(machine);
  for (size_t n = 0; n < interferences; ++n) {
    Integer more;
    for (size_t r = 0; r < occupied.size(); ++r) {
      more += counted.cycles(r, occupied[r], static_cast<Interference>(n));
    }
    if (!joint[n].add(more) || !joint[n].round_up(unit)) return false;
  }
  return true;
}

Result<Demand> warp_demand(const CostedKernel& costed, int64_t path, solver::SyncOrder sync) {
  const auto& [kernel, flow, costs, machine] = costed;
  const Measures measures(costed);
  const auto sums = measures.largest(measures.count(), false, [](ir::InstructionId, size_t) { return true; });
  if (!sums) return exceeds_64_bits(kernel, "its regions");
  const auto totals = values_of(kernel, sums->totals);
  if (!totals) return totals.errors();
  const auto unit = JointOccupancy(machine).unit().value();
  if (!unit) return exceeds_64_bits(kernel, "what its instructions hold");
  const size_t resources = machine.resources.size();
  Demand demand;
  demand.critical_path = path;
  demand.ticks = costs.ticks;
  demand.unit = *unit;
  demand.sync.order = sync;
  demand.resources.resize(resources);
  demand.attempts.assign(totals->begin() + static_cast<ptrdiff_t>(resources), totals->end() - interferences);
  for (size_t r = 0; r < resources; ++r) demand.resources[r].worker = (*totals)[r];
  for (size_t n = 0; n < interferences; ++n) demand.joint[n].worker = (*totals)[2 * resources + n];
  const std::vector<Partial> partial = measures.partial_demand(nullptr);
  for (size_t r = 0; r < partial.size(); ++r) demand.resources[r].partial = partial[r];
  if (sync == solver::SyncOrder::in_order) measures.add_intervals(demand);
  return demand;
}

Occupants find_occupants(const CostedKernel& costed) {
  const Measures measures(costed);
  Occupants occupants;
  occupants.resources.resize(costed.machine.resources.size());
  occupants.attempts.resize(costed.machine.resources.size());
  auto largest = measures.largest(measures.count(), true, [](ir::InstructionId, size_t) { return true; });
  if (!largest) return occupants;
  std::vector<Shares>& shares = largest->shares;
  take(take(take(shares.begin(), occupants.resources), occupants.attempts), occupants.joint);
  measures.partial_demand(&occupants);
  return occupants;
}

}  // namespace warpspan::timing
