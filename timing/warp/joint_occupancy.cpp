// SPDX-License-Identifier: GPL-3.0-or-later
// An operation is one machine instruction or several, each of which is a step of solver/makespan/joint_occupancy.cpp:
// what it occupies from its issue on counts there once, for the longest time. What is known of them:
//  - one machine instruction: its own figures. If it occupies the issue slot for longer than one issue takes it is
//    issued again later (replays), and so it is for each further transaction: what it occupies then counts besides.
//  - several of which the machine file has the sum of what they occupy. Machine::sequence has what one occupies at most
//    of the resources that all machine instructions use (docs/machines.md), so n of them are in the way for n times the
//    longest time m of these at most, and for no more than the sums. If the sums have more than n times that of a
//    resource, what is more counts besides, and so does what they occupy of other resources.
//  - groups of these, where the table of expansions has them: the sum.
#include "timing/warp/joint_occupancy.hpp"

#include <numeric>
#include <vector>

#include "solver/makespan/joint_occupancy.hpp"

namespace warpspan::timing {

using support::Integer;
using Sharing = ResourceFigures::Sharing;

bool counts_jointly(const ResourceFigures& resource) {
  return resource.at_issue && resource.sharing != Sharing::device;
}

bool shared_with(const ResourceFigures& resource, Interference interference) {
  return interference == Interference::same_scheduler || resource.sharing == Sharing::multiprocessor;
}

JointOccupancy::JointOccupancy(const Machine& machine) : machine_(machine) {
  for (const ResourceFigures& resource : machine.resources) {
    if (!counts_jointly(resource) || unit_.overflowed()) continue;
    unit_ *= resource.servers / std::gcd(*unit_.value(), resource.servers);
  }
}

bool JointOccupancy::counts(size_t resource, Interference interference) const {
  return counts_jointly(machine_.resources[resource]) && shared_with(machine_.resources[resource], interference);
}

Integer JointOccupancy::cycles(size_t resource, Integer occupied, Interference interference) const {
  return counts(resource, interference) ? occupied * worth(resource) : Integer(0);
}

// For how long one machine instruction occupies what all of them use, at most; 0 of other resources.
int64_t JointOccupancy::longest_of_plain(size_t resource) const {
  if (resource == 0) return machine_.issue_occupancy;
  if (!machine_.sequence) return 0;
  for (const Occupancy& occupancy : machine_.sequence->occupancies) {
    if (occupancy.resource == resource) return occupancy.first;
  }
  return 0;
}

// With the first transaction.
Integer JointOccupancy::first(const std::vector<Occupancy>& occupancies, int64_t instructions,
                              Interference interference) const {
  std::vector<solver::Occupancy> step;
  Integer sum, besides;
  for (const Occupancy& occupancy : occupancies) {
    if (!counts(occupancy.resource, interference)) continue;
    const int64_t servers = machine_.resources[occupancy.resource].servers;
    const int64_t each = longest_of_plain(occupancy.resource);
    const bool alone = instructions == 1 && occupancy.resource != 0;
    step.push_back({alone ? occupancy.first : std::min(each, occupancy.first), servers});
    sum += Integer(occupancy.first) * worth(occupancy.resource);
    const Integer more = max(Integer(0), Integer(occupancy.first) - Integer(instructions) * each);
    if (!alone) besides += more * worth(occupancy.resource);
  }
  const Integer jointly = solver::joint_occupancy(std::move(step), unit_.value().value_or(1)) * instructions;
  return min(sum, jointly + besides);
}

// With all transactions but the first.
Integer JointOccupancy::further(const std::vector<Occupancy>& occupancies, int64_t transactions,
                                Interference interference) const {
  Integer sum;
  for (const Occupancy& occupancy : occupancies) {
    if (!counts(occupancy.resource, interference)) continue;
    sum += (occupied_cycles(occupancy, transactions) - occupancy.first) * worth(occupancy.resource);
  }
  return sum;
}

Integer JointOccupancy::cycles(const OperationFigures& cost, int64_t transactions, Interference interference) const {
  if (cost.sequence.empty()) {
    return first(cost.occupancies, cost.instructions, interference) +
           further(cost.occupancies, transactions, interference);
  }
  Integer sum;
  for (const MachineInstructions& group : cost.sequence) {
    sum += (first(group.occupancies, group.instructions, interference) +
            further(group.occupancies, transactions, interference)) *
           group.times;
  }
  return sum;
}

}  // namespace warpspan::timing
