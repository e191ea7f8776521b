// SPDX-License-Identifier: GPL-3.0-or-later
// Model. Requests, one for each line of an instruction, pass parts 1, 2 ... m in this order: the queue of a scheduler,
// the load/store units, the port to the network, what the device has behind it. Each visits some of these, in any order
// among those of other warps. Part j works whenever requests of the multiprocessor wait at it: while some are there
// without a break, those that it finishes in tau cycles have occupied it for at least tau - H(j) in all. There is room
// behind it for what it has finished. In a multiprocessor H(j) is the longest time of a request. Of a part of the
// device a multiprocessor has its share of the time, whatever others ask for: M multiprocessors let a request occupy it
// M times as long, and H(j) is twice the longest such time, so that each of the others may have one before it
// besides. From one part to the next a request takes t(j) at most. Let g(q) be the longest for which request q occupies
// any of the parts.
//
// Theorem. On the longest path of a warp let each of its requests take, up to the last part that it visits, the sum of
// all H and t of these parts. Then the makespan is at most that of the path, the sum of g over all requests of the
// multiprocessor, those of the warp included, and what else it waits for.
//
// Proof. Go back from the end along what the warp waits for. Let its request q be at part j at time u(j+1). Let A(i, s)
// be the sum of g over all requests that have come to part i, or passed it without a visit, before s, and D(i, s) of
// those that have left or passed it. Let u(j) be the time since when requests have been at j without a break. Then
// D(j, u(j+1)) >= A(j, u(j)) + u(j+1) - u(j) - H(j), as g is no less than what occupies j, and A(j, u(j)) >= D(j-1,
// u(j) - t(j)). Go on at part j - 1 at the time u(j) - t(j), down to part 1; where no request is at a part, D is A
// there, and nothing is added but t. So the requests that were issued from u(1) on and have left j by u(j+1) have g of
// at least u(j+1) - u(1) less all H and t. And q was issued at u(1) or later: it came to j at u(j) or later, so it left
// the part before at u(j) - t(j) or later, and so on. Charge the time from u(1) on to these requests and to q's place
// on the path, and go on with what the warp did at u(1). What is charged next was issued before u(1), so none is
// charged twice. If the warp's block began after u(1), it is enough to go back to its begin: what was under way then is
// of blocks that were there with it. Cycles for which the warp waits at anything else are charged as without this
// theorem, and the times are different ones. QED
//
// Own requests that leave the multiprocessor need not count: none of a warp overtakes an earlier one, so those that are
// charged with q came before it, from the first that was issued at u(1) or later on, or are lines of its instruction.
// Let the longest path have each instruction occupy one resource for the g of all its requests, begin when that is free
// and take as much longer itself: then it has all of their g between the issue of the first and q's end, and u(1) was
// no later than that issue.
//
// Lines of code, and of constants that are read once, are no requests of instructions. While a part is occupied by one
// of the multiprocessor's, of the device's parts in its share, the clock of the model stands still; such cycles are
// charged where these lines are, of the device's parts for each of the M multiprocessors. So it does while a page is
// translated or the memory refreshes, where these are charged once: whoever's page it is. A warp that waits for such a
// line waits for the requests before it like for its own. What memory serves once for all multiprocessors may all be
// served for one: then memory is none of the parts, and counts for all requests of the device.
//
// The worst latency of a request contains all t up to where its answer comes from, but for waits for translations,
// which come behind the load/store units: where others wait for them, so does what waits there. A line
// that several multiprocessors wait for comes in the share of whichever gets it first, so each may count it in its own.
// Scheduler, multiprocessor and device are nested: of another scheduler's request the queue is not in between, so
// that it counts apart, for what it is occupied longer than all else. What a copy by threads has read comes back to the
// load/store units, as a request of its own that ends there; and so counts what queue and units have of an access that
// is guarded, for warps of which no lane makes it (demand.cpp).
#include "timing/costs/fair_share.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "support/floor_divide.hpp"
#include "timing/costs/access_classes.hpp"

namespace warpspan::timing {

namespace {

using support::ceil_divide;
using support::Integer;
using Sharing = ResourceFigures::Sharing;

constexpr std::string_view queue_resource = "memory_port", units_resource = "load_store",
                           port_resource = "network_port";

int64_t of_further(const Occupancy& occupancy) { return occupancy.per_transaction ? occupancy.cycles : 0; }

Occupancy* occupancy_of(OperationFigures& figures, size_t resource) {
  const auto found = std::find_if(figures.occupancies.begin(), figures.occupancies.end(),
                                  [&](const Occupancy& occupancy) { return occupancy.resource == resource; });
  return found == figures.occupancies.end() ? nullptr : &*found;
}

// The parts of a multiprocessor.
struct NearParts {
  std::optional<size_t> queue;
  size_t units = 0, port = 0;
};

std::optional<NearParts> near_parts_of(const Machine& machine) {
  const NearParts near{machine.resource(queue_resource), machine.resource(units_resource).value_or(0),
                       machine.resource(port_resource).value_or(0)};
  const auto is_as_modelled = [&machine](size_t part, Sharing sharing) {
    return part > 0 && machine.resources[part].servers == 1 && machine.resources[part].sharing == sharing;
  };
  const bool fits = (!near.queue || is_as_modelled(*near.queue, Sharing::scheduler)) &&
                    is_as_modelled(near.units, Sharing::multiprocessor) &&
                    is_as_modelled(near.port, Sharing::multiprocessor);
  return fits ? std::optional(near) : std::nullopt;
}

// How often a line lets each part of the device be occupied, by resource.
std::vector<int64_t> times_of(const Machine& machine, Joined joined, int64_t multiprocessors) {
  std::vector<int64_t> times;
  for (const ResourceFigures& resource : machine.resources) {
    const bool counts =
        resource.name == memory_resource ? joined == Joined::with_memory : joined != Joined::of_multiprocessor;
    const bool is_shared = resource.sharing == Sharing::device && resource.servers == 1;
    times.push_back(counts && is_shared ? multiprocessors : 0);
  }
  return times;
}

// The parts that count as one.
class JoinedParts {
 public:
  JoinedParts(const Costs& costs, const NearParts& near, std::vector<int64_t> times)
      : ticks_(costs.ticks), near_(near), times_(std::move(times)), longest_(ticks_.size()) {}

  bool leaves(OperationFigures& figures) const { return occupancy_of(figures, near_.port) != nullptr; }
  bool enters(OperationFigures& figures) const {
    return leaves(figures) || occupancy_of(figures, near_.units) != nullptr;
  }

  // Looks for H.
  void note(OperationFigures& figures) {
    if (!enters(figures)) return;
    if (leaves(figures)) translation_ = std::max(translation_, figures.latency.translation);
    for (const Occupancy& occupancy : figures.occupancies) {
      const size_t r = occupancy.resource;
      const Integer longest = std::max(occupancy.first, of_further(occupancy));
      longest_[r] = max(longest_[r], ceil_divide(times_[r] > 0 ? longest * 2 * times_[r] : longest, ticks_[r]));
    }
  }
  Integer before_units() const { return longest_[near_.units] + (near_.queue ? longest_[*near_.queue] : Integer(0)); }
  Integer before_all() const {
    Integer sum = before_units() + longest_[near_.port];
    for (size_t r = 0; r < longest_.size(); ++r) {
      if (times_[r] > 0) sum += longest_[r];
    }
    return sum;
  }

  // That others may wait for behind the units, and this one does not.
  int64_t translation_before(const OperationFigures& figures) const {
    return translation_ - std::min(translation_, figures.latency.translation);
  }

  // Whether it is as the model has it: to what is behind the port through the port, from the queue into the units.
  bool is_as_modelled(OperationFigures& figures) const {
    const bool queues = near_.queue && occupancy_of(figures, *near_.queue) != nullptr;
    return (leaves(figures) ||
            std::none_of(figures.occupancies.begin(), figures.occupancies.end(),
                         [&](const Occupancy& occupancy) { return times_[occupancy.resource] > 0; })) &&
           (!queues || enters(figures));
  }

  // in_units: it occupies queue and load/store units besides.
  void charge(OperationFigures& figures, bool in_units) const {
    if (leaves(figures)) join(figures, in_units);
    if (in_units) return;
    const size_t counted = leaves(figures) ? near_.port : near_.units;
    Occupancy* queue = near_.queue ? occupancy_of(figures, *near_.queue) : nullptr;
    const Occupancy* slowest = occupancy_of(figures, counted);
    if (queue == nullptr || slowest == nullptr) return;
    const auto left = [&](int64_t of_queue, int64_t of_slowest) {
      return std::max<int64_t>(0, of_queue - of_slowest / ticks_[counted] * ticks_[*near_.queue]);
    };
    queue->first = left(queue->first, slowest->first);
    queue->cycles = queue->per_transaction ? left(queue->cycles, of_further(*slowest)) : queue->first;
  }

 private:
  // The port is occupied as long as the slowest of all but the queue.
  void join(OperationFigures& figures, bool in_units) const {
    Occupancy& port = *occupancy_of(figures, near_.port);
    int64_t further = of_further(port);
    for (const Occupancy& occupancy : figures.occupancies) {
      const size_t r = occupancy.resource;
      if (r != near_.units && times_[r] == 0) continue;
      const int64_t times = ticks_[near_.port] * std::max<int64_t>(1, times_[r]);
      port.first = std::max(port.first, ceil_divide(occupancy.first * times, ticks_[r]));
      further = std::max(further, ceil_divide(of_further(occupancy) * times, ticks_[r]));
    }
    port.per_transaction = further > 0;
    port.cycles = further > 0 ? further : port.first;
    figures.latency.worst += ceil_divide(port.first, ticks_[near_.port]);
    figures.per_transaction = std::max(figures.per_transaction, ceil_divide(further, ticks_[near_.port]));
    std::erase_if(figures.occupancies, [&](const Occupancy& occupancy) {
      return times_[occupancy.resource] > 0 || (occupancy.resource == near_.units && !in_units);
    });
  }

  const std::vector<int64_t>& ticks_;
  const NearParts near_;
  const std::vector<int64_t> times_;
  std::vector<Integer> longest_;  // by resource, in cycles
  int64_t translation_ = 0;       // the longest wait for one that is in a latency
};

// By operation: what the load/store units have of it counts besides what goes on from there.
std::vector<bool> that_occupy_units(const ir::Kernel& kernel, const ir::Flow& flow) {
  std::vector<bool> result;
  for (const ir::Operation& operation : kernel.operations) result.push_back(is_copy(operation));
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::Block& block = kernel.blocks[b];
    for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
      if (ir::warps_that_execute(flow, b, id)) result[kernel.instructions[id].operation] = true;
    }
  }
  return result;
}

}  // namespace

bool may_share_fairly(const ir::Kernel& kernel, const Load& load, const Machine& machine) {
  const bool is_simple = kernel.is_machine_code() && load.cluster == 1 && !load.interference && !kernel.calls_outside();
  return is_simple && near_parts_of(machine).has_value() &&
         std::none_of(kernel.operations.begin(), kernel.operations.end(),
                      [](const ir::Operation& operation) { return ir::is_bulk_copy(operation); });
}

void charge_slowest_part(Costs& costs, const ir::Kernel& kernel, const ir::Flow& flow, const Machine& machine,
                         Joined joined, int64_t multiprocessors) {
  const auto near = near_parts_of(machine);
  const bool retries = std::any_of(costs.operations.begin(), costs.operations.end(),
                                   [](const OperationFigures& figures) { return !figures.retries.empty(); });
  if (!near || retries || joined == Joined::none) return;
  std::vector<int64_t> times = times_of(machine, joined, multiprocessors);
  JoinedParts parts(costs, *near, times);
  for (const ir::Instruction& instruction : kernel.instructions) {
    OperationFigures& figures = costs.operations[instruction.operation];
    if (!parts.is_as_modelled(figures)) return;
    parts.note(figures);
  }
  const auto before_units = parts.before_units().value(), before_all = parts.before_all().value();
  if (!before_units || !before_all) return;
  const auto all = (Integer(*before_all) + parts.translation_before({})).value();
  if (!all) return;
  costs.shares = FairShares{near->port, near->units, std::move(times), *all};
  const std::vector<bool> in_units = that_occupy_units(kernel, flow);
  for (size_t i = 0; i < kernel.operations.size(); ++i) {
    OperationFigures& figures = costs.operations[i];
    if (!parts.enters(figures)) continue;
    figures.latency.worst += parts.leaves(figures) ? *before_all + parts.translation_before(figures) : *before_units;
    parts.charge(figures, in_units[i]);
  }
}

Integer own_requests(const std::vector<Integer>& occupied, const Costs& costs, const Machine& machine) {
  const auto near = near_parts_of(machine);
  if (!near) return {};
  const auto cycles = [&](size_t part) { return ceil_divide(occupied[part], costs.ticks[part]); };
  return cycles(near->units) + (near->queue ? cycles(*near->queue) : Integer(0));
}

}  // namespace warpspan::timing
