// SPDX-License-Identifier: GPL-3.0-or-later
// What each change is:
//  - coalesce: the lanes of a warp access elements side by side. B bytes of a warp, elements of a bytes at a multiple
//  of a, lie in at
//    most (B - a) / 128 + 2 lines wherever they begin (rounded down), and in B / 128 where it is a multiple of 128. A
//    line is asked for by as many fewer warps as there are fewer requests for the same lines.
//  - conflicts: as many ways as the bytes of a warp need, 128 at a time.
//  - registers: half of them where they are known, else the fewest of a few numbers that nothing spills with.
//  - serial: without the instruction; what it costs is a part of the bound (attribution.hpp).
//  - buffers: arrays of unknown size share what is left of the reach of `spread`.
#include "timing/bounds/advice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "ir/sizes.hpp"
#include "support/checked.hpp"
#include "support/digits.hpp"
#include "support/nearest.hpp"
#include "timing/bounds/pipeline_run.hpp"
#include "timing/costs/access_classes.hpp"
#include "timing/costs/footprint.hpp"
#include "timing/launch/register_pressure.hpp"

namespace warpspan::timing {

namespace {

using support::Int128;
using support::thousands;

constexpr size_t most_tried = 8;     // groups of accesses, the costliest first
constexpr int64_t least_share = 50;  // of the bound that a group has: one of so many parts
constexpr int64_t least_gain = 50;   // the same of what is gained
constexpr int64_t guessed_registers[] = {32, 64, 96, 128};
constexpr int64_t register_step = 8;

constexpr const char* kinds[] = {"coalesce", "bank-conflicts", "registers", "serial", "buffers"};

// Accesses that are changed together: those of one line.
struct Group {
  std::vector<ir::InstructionId> instructions;
  int64_t cycles = 0;
};

bool is_of_shared(ir::OperationKind kind) {
  return kind == ir::OperationKind::load_shared || kind == ir::OperationKind::store_shared;
}

// An access by a warp.
struct Ideal {
  int64_t bytes = 0;
  uint32_t transactions = 0, aligned = 0;  // of any array, and of one that begins at a multiple of 256 bytes
};

std::optional<Ideal> ideal_of(const ir::Operation& operation) {
  if (operation.bytes <= 0) return std::nullopt;
  const int64_t bytes = int64_t{operation.bytes} * warp_size;
  const auto whole = static_cast<uint32_t>((bytes + ir::memory_line_bytes - 1) / ir::memory_line_bytes);
  if (is_of_shared(operation.kind)) return Ideal{bytes, whole, whole};
  if (!is_load(operation.kind) && !is_store(operation.kind)) return std::nullopt;
  const auto anywhere = static_cast<uint32_t>((bytes - operation.bytes) / ir::memory_line_bytes + 2);
  return Ideal{bytes, anywhere, whole};
}

class Adviser {
 public:
  explicit Adviser(const BoundedLaunch& launch) : launch_(launch) {}

  std::vector<Advice> run() {
    if (!launch_.bound.makespan) return {};
    improve_accesses();
    take_fewer_registers();
    leave_out_serial_steps();
    state_buffers();
    std::stable_sort(found_.begin(), found_.end(),
                     [this](const Advice& a, const Advice& b) { return permille(a) < permille(b); });
    if (found_.size() > most_advice) found_.resize(most_advice);
    return std::move(found_);
  }

 private:
  const ir::Operation& operation(ir::InstructionId id) const {
    return launch_.kernel.operation(launch_.kernel.instructions[id]);
  }

  // What is left of the larger gain, in parts of 1000.
  int64_t permille(const Advice& advice) const {
    int64_t least = 1000;
    const auto count = [&least](std::optional<int64_t> before, std::optional<int64_t> after) {
      if (before && after && *before > 0)
        least = std::min(least, static_cast<int64_t>(Int128{*after} * 1000 / *before));
    };
    count(launch_.bound.makespan, advice.makespan);
    count(launch_.usual, advice.usual);
    return least;
  }

  void add(Advice advice) {
    if (permille(advice) <= 1000 - 1000 / least_gain) found_.push_back(std::move(advice));
  }

  // With both bounds of the changed launch.
  void add_bounded(Advice advice, const ir::Flow& flow, const Load& load) {
    PipelineRuns runs(launch_.kernel, flow, load, launch_.machine);
    const auto with_assumed = runs.smallest_bound(launch_.assumed);
    if (!with_assumed) return;
    advice.makespan = with_assumed->model.bound.makespan;
    const AssumptionSet usual = launch_.machine.usual_assumptions();
    if (launch_.usual && usual == launch_.assumed) {
      advice.usual = advice.makespan;
    } else if (launch_.usual) {
      if (const auto with_usual = runs.smallest_bound(usual)) advice.usual = with_usual->model.bound.makespan;
    }
    add(std::move(advice));
  }

  std::vector<Group> costly_groups() const;
  void improve_accesses();
  void take_fewer_registers();
  void leave_out_serial_steps();
  void state_buffers();

  const BoundedLaunch& launch_;
  std::vector<Advice> found_;
};

// Of accesses with more transactions than they need.
std::vector<Group> Adviser::costly_groups() const {
  std::set<ir::InstructionId> in_shared;  // by generic addresses
  for (const ir::Access& access : launch_.flow.accesses) {
    if (access.in_shared) in_shared.insert(access.instruction);
  }
  std::map<std::tuple<bool, uint16_t, uint32_t, uint32_t>, Group> groups;
  for (const InstructionCost& cost : launch_.costs) {
    const ir::InstructionId id = cost.instruction;
    const auto ideal = ideal_of(operation(id));
    if (!ideal || launch_.flow.transactions[id] <= ideal->transactions) continue;
    if (in_shared.contains(id)) continue;
    const ir::Instruction& instruction = launch_.kernel.instructions[id];
    const bool has_source = instruction.source_line > 0;
    Group& group = groups[{is_of_shared(operation(id).kind), has_source ? instruction.source_file : uint16_t{0},
                           instruction.source_line, has_source ? 0 : instruction.line}];
    group.instructions.push_back(id);
    group.cycles += cost.cycles();
  }
  std::vector<Group> all;
  for (auto& [place, group] : groups) {
    if (group.cycles >= *launch_.bound.makespan / least_share) all.push_back(std::move(group));
  }
  std::stable_sort(all.begin(), all.end(), [](const Group& a, const Group& b) { return a.cycles > b.cycles; });
  if (all.size() > most_tried) all.resize(most_tried);
  return all;
}

void Adviser::improve_accesses() {
  for (const Group& group : costly_groups()) {
    ir::Flow flow = launch_.flow;
    Advice advice;
    uint32_t most = 0;
    for (const ir::InstructionId id : group.instructions) {
      const Ideal ideal = *ideal_of(operation(id));
      const uint32_t before = flow.transactions[id];
      flow.transactions[id] = ideal.transactions;
      if (before > most) {
        const bool shared = is_of_shared(operation(id).kind);
        most = before;
        advice.kind = shared ? Advice::Kind::conflicts : Advice::Kind::coalesce;
        advice.instruction = id;
        advice.what = shared ? thousands(before) + "-way bank conflict, without it " + thousands(ideal.transactions)
                             : thousands(before) + " lines for " + thousands(ideal.bytes) + " bytes, coalesced " +
                                   thousands(ideal.transactions);
      }
      ir::Access* access = ir::access_of(flow, id);
      if (access == nullptr) continue;
      access->aligned_transactions = ideal.aligned;
      if (access->warp_lines) access->warp_lines = std::min<int64_t>(*access->warp_lines, ideal.transactions);
      if (access->sharing_warps) {
        const int64_t fewer = (*access->sharing_warps * ideal.transactions + before - 1) / before;
        access->sharing_warps = std::max<int64_t>(std::min<int64_t>(*access->sharing_warps, 2), fewer);
      }
      access->covers_lines = access->dense;
    }
    add_bounded(std::move(advice), flow, launch_.load);
  }
}

void Adviser::take_fewer_registers() {
  const Load& now = launch_.load;
  if (now.residency.least_limit != std::string("registers") || now.blocks <= now.residency.blocks.least) return;
  const ir::Kernel& kernel = launch_.kernel;
  const Span& registers = now.needs.registers;
  const bool is_known = registers.least == registers.most;
  std::vector<int64_t> candidates(std::begin(guessed_registers), std::end(guessed_registers));
  if (is_known) candidates = {(registers.most / 2 + register_step - 1) / register_step * register_step};
  for (const int64_t candidate : candidates) {
    if (candidate >= registers.most) return;
    ir::Launch launch = launch_.launch;
    launch.registers = candidate;
    const bool may_spill = !kernel.is_machine_code() && !spill_assumption(kernel, launch, launch_.machine,
                                                                          launch_.assumed.has(Assumption::no_spills));
    if (may_spill) continue;
    const auto load = load_of(kernel, launch, launch_.machine);
    if (!load) continue;
    Advice advice;
    advice.kind = Advice::Kind::registers;
    advice.what = (kernel.is_machine_code() ? "compiled with -maxrregcount=" : "with {registers} ") +
                  thousands(candidate) + (is_known ? "" : ", if that is what it has") + ": " +
                  thousands(load->waves()) + (load->waves() == 1 ? " wave, not " : " waves, not ") +
                  thousands(now.waves());
    return add_bounded(std::move(advice), launch_.flow, *load);
  }
}

void Adviser::leave_out_serial_steps() {
  for (const SerialStep& step : launch_.serial) {
    const auto cost = std::find_if(launch_.costs.begin(), launch_.costs.end(),
                                   [&step](const InstructionCost& one) { return one.instruction == step.instruction; });
    if (cost == launch_.costs.end() || step.blocks < 2) continue;
    Advice advice;
    advice.kind = Advice::Kind::serial;
    advice.instruction = step.instruction;
    advice.what = (cost->executions == 1 ? "one " : thousands(cost->executions) + " ") +
                  operation(step.instruction).text +
                  " of a warp in each block, one block after another: " + thousands(step.blocks) + " x " +
                  thousands(step.cycles) + " cycles";
    advice.makespan = *launch_.bound.makespan - cost->cycles();
    add(std::move(advice));
  }
}

// Without sizes it is not known that all that is touched is within reach of `spread`.
void Adviser::state_buffers() {
  const ir::Kernel& kernel = launch_.kernel;
  const int64_t reach = launch_.machine.reach();
  ir::Flow flow = launch_.flow;
  const Footprint now = footprint(kernel, flow, launch_.load, launch_.machine);
  if (reach == 0 || now.bytes) return;
  support::Integer known;
  std::vector<ir::ObjectId> unknown;
  for (ir::ObjectId o = 0; o < flow.objects.size(); ++o) {
    if (now.objects[o]) known += support::Integer(now.objects[o]->lines) * ir::memory_line_bytes;
    if (!now.objects[o]) unknown.push_back(o);
  }
  const auto left = known.value();
  if (!left || unknown.empty() || *left >= reach) return;
  // Two lines for where an array begins and ends.
  const int64_t each = (reach - *left) / static_cast<int64_t>(unknown.size()) - 2 * ir::memory_line_bytes;
  if (each < 1) return;
  std::vector<std::string> names;
  for (const ir::ObjectId o : unknown) {
    flow.objects[o].bytes = each;
    names.push_back("{buffer} " + flow.objects[o].name + "=");
  }
  if (!footprint(kernel, flow, launch_.load, launch_.machine).bytes) return;
  Advice advice;
  advice.kind = Advice::Kind::buffers;
  advice.what = support::enumeration(names) + (names.size() == 1 ? " is" : " are") +
                " missing for spread, which holds up to " + thousands(reach >> 20) + " MiB in all";
  add_bounded(std::move(advice), flow, launch_.load);
}

}  // namespace

std::string_view to_string(Advice::Kind kind) { return kinds[static_cast<size_t>(kind)]; }

std::vector<Advice> advise(const BoundedLaunch& launch) { return Adviser(launch).run(); }

}  // namespace warpspan::timing
