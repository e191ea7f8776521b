// An operation is one machine instruction or several, each of which is a step of solver/makespan/held_together.cpp:
// what it holds from its issue on counts there once, its longest stay. What is known of them:
//  - one machine instruction: its holds. If it holds the issue slot for longer than one issue takes it is issued again
//    later (replays), and so it is for each further transaction: what it holds then counts besides.
//  - several of which the machine file tells the sum of what they hold. Machine::sequence tells what one holds at most
//    of the resources that all machine instructions use (docs/machines.md), so n of them are in the way for n times the
//    longest stay m of these at most, and for no more than the sums. If the sums say more than n times that of a
//    resource, what is more counts besides, and so does what they hold of other resources.
//  - groups of these, where the table of expansions tells them apart: the sum.
#include "timing/warp/together.hpp"

#include <numeric>
#include <vector>

#include "solver/makespan/held_together.hpp"

namespace warpspan::timing {

using support::Integer;
using Sharing = ResourceFigures::Sharing;

bool held_together(const ResourceFigures& resource) { return resource.at_issue && resource.sharing != Sharing::device; }

bool shared_with(const ResourceFigures& resource, Neighbour neighbour) {
  return neighbour == Neighbour::scheduler || resource.sharing == Sharing::multiprocessor;
}

Together::Together(const Machine& machine) : machine_(machine) {
  for (const ResourceFigures& resource : machine.resources) {
    if (!held_together(resource) || unit_.overflowed()) continue;
    unit_ *= resource.servers / std::gcd(*unit_.value(), resource.servers);
  }
}

bool Together::counts(size_t resource, Neighbour neighbour) const {
  return held_together(machine_.resources[resource]) && shared_with(machine_.resources[resource], neighbour);
}

Integer Together::cycles(size_t resource, Integer held, Neighbour neighbour) const {
  return counts(resource, neighbour) ? held * worth(resource) : Integer(0);
}

// What one machine instruction holds at most of what all of them use; 0 of other resources.
int64_t Together::plain_hold(size_t resource) const {
  if (resource == 0) return machine_.issue_hold;
  if (!machine_.sequence) return 0;
  for (const Hold& hold : machine_.sequence->holds) {
    if (hold.resource == resource) return hold.first;
  }
  return 0;
}

// With the first transaction.
Integer Together::once(const std::vector<Hold>& holds, int64_t instructions, Neighbour neighbour) const {
  std::vector<solver::Stay> stays;
  Integer sum, besides;
  for (const Hold& hold : holds) {
    if (!counts(hold.resource, neighbour)) continue;
    const int64_t servers = machine_.resources[hold.resource].servers;
    const int64_t each = plain_hold(hold.resource);
    const bool alone = instructions == 1 && hold.resource != 0;
    stays.push_back({alone ? hold.first : std::min(each, hold.first), servers});
    sum += Integer(hold.first) * worth(hold.resource);
    const Integer more = max(Integer(0), Integer(hold.first) - Integer(instructions) * each);
    if (!alone) besides += more * worth(hold.resource);
  }
  const Integer together = solver::held_together(std::move(stays), unit_.value().value_or(1)) * instructions;
  return min(sum, together + besides);
}

// With all transactions but the first.
Integer Together::again(const std::vector<Hold>& holds, int64_t transactions, Neighbour neighbour) const {
  Integer sum;
  for (const Hold& hold : holds) {
    if (!counts(hold.resource, neighbour)) continue;
    sum += (cycles_held(hold, transactions) - hold.first) * worth(hold.resource);
  }
  return sum;
}

Integer Together::cycles(const OperationFigures& cost, int64_t transactions, Neighbour neighbour) const {
  if (cost.sequence.empty()) {
    return once(cost.holds, cost.instructions, neighbour) + again(cost.holds, transactions, neighbour);
  }
  Integer sum;
  for (const MachineInstructions& group : cost.sequence) {
    sum +=
        (once(group.holds, group.instructions, neighbour) + again(group.holds, transactions, neighbour)) * group.times;
  }
  return sum;
}

}  // namespace warpspan::timing
