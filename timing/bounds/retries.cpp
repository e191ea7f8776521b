// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let A warps be able to change the same words by loops of attempts. An attempt takes a warp alone at most p
// cycles, and all that it occupies, each resource's cycles divided by its servers, makes at most p cycles too, less one
// for each resource with several servers. Let one execution of the loop have at most n successes (one of each lane),
// let an attempt fail if no lane succeeds in it, and let each success of a warp make at most one attempt of each other
// of the A warps fail, and nothing else make one fail. Then solver/makespan/grid_bound.hpp holds if each execution
// counts A n p cycles on the critical path, of which n p are its own, and A n p cycles of a resource that has one
// server and is shared at least by the A warps.
//
// Proof. Charge each failed attempt to the success that made it fail, each other one to a success of its own. So a
// success is charged with at most A attempts, no two of one warp. Analyse a warp v as in the proofs of these bounds.
// Its attempts are steps of its program, the failed ones too, and what it needs for them where nothing blocks it is p
// cycles each. A cycle in which an attempt of another warp blocks it is one for which this attempt occupies something.
// Sort both by successes.
//  - A success of v while it is analysed: one attempt at most of v, and one of each other warp, A p cycles. They are
//    charged to the path of v. Where intervals of several warps are analysed, each pays for its own successes.
//  - A success of another warp, or of v while it is not analysed: one attempt at most of v, p cycles of its path, and
//    one of each other warp, p cycles for which it blocks v. They are charged to the resource, as part of what the warp
//    that succeeds occupies. It has one server, so that no charge is divided.
// An attempt is part of one instruction, and a warp that waits for others of its block is in none, so no attempt lasts
// from one analysed interval to the next. What else an execution occupies is counted once, as before. QED.
//
// Compare-and-swap: a success makes at most one attempt of another warp fail. Take an execution of a warp w, the lane
// that succeeds last, and its word X. Every attempt serves this lane; let L be those lanes of w for X that are left. A
// lane is right if it expects what X contains. Let r be a failed attempt, and r' the failed attempt before it or, if
// there is none, the first reading of X. Suppose no other warp changes X from the first service of r' until the first
// service of r. Then r' leaves one value in all of L: all are right. In each attempt after it the lane of L that is
// served first succeeds, and those behind it read what it wrote, so those that are left are right again. Hence the lane
// of L that r serves first is right, and r does not fail. So a success of another warp lies between the first services
// of r' and r. These times are disjoint for different r. QED.
//
// Some machines try only a part of the words of an attempt's lanes, such as one word of each bank of shared memory, and
// which is not known. Then let a failed attempt r serve a word Y, let L be those lanes of w for Y that are left, and
// let r' be the last attempt before r that serves Y or, if there is none, the first reading of Y. The same argument for
// Y shows a success of another warp that changes Y between the services of Y by r' and r: if r' fails, all of L are
// right behind it, and if a lane succeeds in r', those behind it read what it wrote. A lane that reads Y once more in
// between, as code does that loads the word before each attempt, is right in r unless Y is changed after that. Times
// of different r for one word are disjoint, and a success changes one word, so it makes one attempt of w fail at most.
// An attempt that does not fail has a success of its own, of which one execution has one for each lane at most.
//
// A store, or an atomic that is no loop, may change X too: that none does is assumed. So it is of locks that a warp
// fails once for each time that another warp takes the lock: one that tried more often while the other has it would
// need more.
#include "timing/bounds/retries.hpp"

#include "support/checked.hpp"
#include "timing/assumptions/errors.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;
using support::Result;

constexpr const char* one_attempt_for_each_success =
    "Where the machine code of an atomic is a loop, a round of it fails only because the loop of another warp has "
    "succeeded, one round of each warp for each success; no store and no other atomic changes the word "
    "meanwhile.";

// Shared memory is that of a block, which all of its cluster may change.
int64_t contenders(const ResourceFigures& resource, const Load& load) {
  const bool is_of_device = resource.sharing == ResourceFigures::Sharing::device;
  return is_of_device ? load.device_warps : load.warps_per_block * load.cluster;
}

}  // namespace

Result<Demand> add_retries(const ir::Kernel& kernel, Demand demand, const Load& load, const Machine& machine) {
  Integer failed;
  std::vector<int64_t> repeated;
  for (size_t r = 0; r < demand.attempts.size(); ++r) {
    demand.contenders.push_back(contenders(machine.resources[r], load) - 1);
    const Integer more = Integer(demand.contenders[r]) * demand.attempts[r];
    if (!demand.add(r, more)) return exceeds_64_bits(kernel, "the rounds of its loops");
    if (demand.attempts[r] != 0) demand.resources[r].partial.reset();
    failed += more;
    repeated.push_back(*more.value());
    if (repeated[r] > 0) demand.assumptions = {one_attempt_for_each_success};
  }
  if (!demand.add_joint(repeated, machine)) return exceeds_64_bits(kernel, "what its instructions hold");
  const auto each = failed.value();
  if (!each || !demand.add_term({solver::Part::Kind::failures, *each, 0})) {
    return exceeds_64_bits(kernel, "the rounds of its loops");
  }
  return demand;
}

}  // namespace warpspan::timing
