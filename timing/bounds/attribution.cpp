// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let p be the parts of a bound, of c(p) cycles each, W(p) D(p) / s(p) rounded down or up, which add up to it.
// Let q(p, i) >= 0 be what instruction i has of D(p), and q(p, rest) what is left of it, so that these add up to D(p).
// Give each floor(W q / s) cycles of p, and one more to as many of them as it takes to make c(p), those with the
// largest remainders of W q / s first. Then all that was given makes the bound, and nobody has got less than floor(W q
// / s) or more than ceil(W q / s) cycles of a part.
//
// Proof. Let r(i) be the remainders of W q(i) by s. The quotients sum up to (W D - R) / s with R the sum of the
// remainders, an integer, so that R is W D modulo s and floor(R / s) cycles are missing, or one more if W D / s is no
// integer and rounded up. Each remainder is below s, so at least R / s of them, and more if that is above 0, are above
// 0: whoever gets a cycle more has one, and the quotient rounded up is its share. QED.
//
// What the shares are. parts.def has whom the cycles of a kind of part are charged to:
//  - waits: a part "path" counts the critical path of so many warps: W times what one of them waits for
//    (wait_record.hpp), and the q of instructions leave nothing.
//  - occupancy: a part "resource" counts the largest demand of a warp, a sum over the executions of its instructions on
//    one path. q is what those of i occupy, and, where they are attempts of a loop that others make longer, those that
//    fail for them (retries.cpp); what is left is for the lines of its code. With a part "blocks" of the same resource
//    it counts what a warp occupies with instructions that all warps may execute, and part "blocks" what those of a
//    block occupy with the others (demand.cpp): q is what they occupy with those of i. Where it is the joint occupancy
//    of several resources (joint_occupancy.hpp), it counts parts of cycles: the same part with W D k / k cycles, its
//    demand and servers k times as many.
//  - retries: part "failures" is the same attempts for the warps on the paths.
// No other part is of an instruction.
#include "timing/bounds/attribution.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "support/checked.hpp"

namespace warpspan::timing {

namespace {

using solver::Part;
using support::Integer;

// An instruction of the kernel, and whether it is reads of constants and parameters that stand before it.
using Claimant = std::pair<ir::InstructionId, bool>;
using Amounts = std::map<Claimant, Integer>;
using Claimed = std::map<Claimant, int64_t>;
constexpr size_t of_constants = SIZE_MAX;  // in place of a resource

// The part's cycles for each of the amounts. Nothing if they exceed the part's demand.
std::optional<Claimed> distribute(const Part& part, const Amounts& amounts) {
  struct Claim {
    Claimant claimant;
    int64_t cycles, remainder;
  };
  std::vector<Claim> claims;
  Integer left = part.demand, missing = part.cycles;
  const auto claim = [&](const Claimant& claimant, Integer amount) {
    const auto product = (amount * Integer(part.workers)).value();
    if (!product) return false;
    claims.push_back({claimant, *product / part.servers, *product % part.servers});
    missing += -claims.back().cycles;
    left = left - amount;
    return left.is_at_least(0);
  };
  for (const auto& [claimant, amount] : amounts) {
    if (!claim(claimant, amount)) return std::nullopt;
  }
  if (!claim({nobody, false}, left) || !missing.is_at_least(0)) return std::nullopt;
  std::stable_sort(claims.begin(), claims.end(),
                   [](const Claim& a, const Claim& b) { return a.remainder > b.remainder; });
  Claimed result;
  int64_t more = *missing.value();
  for (const Claim& c : claims) {
    const int64_t cycles = c.cycles + (more > 0 ? 1 : 0);
    if (more > 0) --more;
    if (cycles > 0 && c.claimant.first != nobody) result.emplace(c.claimant, cycles);
  }
  return result;
}

class Attributing {
 public:
  Attributing(const Machine& machine, const WarpShares& warp, const std::vector<Part>& parts)
      : machine_(machine), warp_(warp), parts_(parts) {}

  // False if the part's shares are not known.
  bool add(const Part& part) {
    switch (solver::row_of(part.kind).charged) {
      case Part::Charged::waits: return add_waits(part);
      case Part::Charged::occupancy: return add_occupants(part);
      case Part::Charged::retries: return add_retries(part);
      case Part::Charged::nothing: return true;
    }
    return false;
  }

  std::vector<InstructionCost> costs(const ir::Kernel& kernel) const;

 private:
  struct Cost {
    int64_t own = 0;
    std::map<size_t, int64_t> others;  // by resource, behind them by Interference, last of_constants
  };

  // Whether the shares are all of what the warp has at most.
  static bool complete(const Shares& shares, int64_t total) {
    Integer sum;
    for (const Share& share : shares) sum += share.cycles;
    return sum == Integer(total);
  }
  Claimant claimant(ir::InstructionId machine_instruction) const {
    return {warp_.origins[machine_instruction], warp_.reads_constants[machine_instruction]};
  }
  void add_to(Amounts& amounts, const Shares& shares, int64_t times) const {
    for (const Share& share : shares) amounts[claimant(share.instruction)] += Integer(share.cycles) * times;
  }

  bool add_waits(const Part& part);
  bool add_occupants(const Part& part);
  bool add_partial(const Part& part, size_t resource);
  bool add_joint(Part part, size_t interference);
  bool add_retries(const Part& part);
  bool add_others(const Part& part, size_t resource, const Amounts& amounts);

  std::string name_of(size_t resource) const {
    if (resource == of_constants) return constants_name;
    const size_t count = machine_.resources.size();
    return resource < count ? machine_.resources[resource].name : joint_names[resource - count];
  }

  const Machine& machine_;
  const WarpShares& warp_;
  const std::vector<Part>& parts_;
  std::map<ir::InstructionId, Cost> costs_;
};

bool Attributing::add_waits(const Part& part) {
  Amounts amounts;
  Integer sum;
  for (ir::InstructionId i = 0; i < warp_.origins.size(); ++i) {
    if (warp_.waits.cycles[i] == 0) continue;
    amounts[claimant(i)] += warp_.waits.cycles[i];
    sum += warp_.waits.cycles[i];
  }
  const auto shares = distribute(part, amounts);
  if (!shares || !(sum == Integer(part.demand))) return false;
  for (const auto& [claimant, cycles] : *shares) costs_[claimant.first].own += cycles;
  return true;
}

bool Attributing::add_occupants(const Part& part) {
  const auto joint = std::find(joint_names.begin(), joint_names.end(), part.name);
  if (joint != joint_names.end()) return add_joint(part, static_cast<size_t>(joint - joint_names.begin()));
  const auto found = machine_.resource(part.name);
  if (!found) return false;
  const size_t r = *found;
  const auto is_of_blocks = [&part](const Part& p) { return p.kind == Part::Kind::blocks && p.name == part.name; };
  if (std::any_of(parts_.begin(), parts_.end(), is_of_blocks)) return add_partial(part, r);
  const Demand& alone = warp_.alone;
  const Occupants& occupants = warp_.occupants;
  if (!complete(occupants.resources[r], alone.resources[r].worker)) return false;
  if (!complete(occupants.attempts[r], alone.attempts[r])) return false;
  Amounts amounts;
  add_to(amounts, occupants.resources[r], 1);
  add_to(amounts, occupants.attempts[r], warp_.contenders[r]);
  return add_others(part, r, amounts);
}

bool Attributing::add_partial(const Part& part, size_t resource) {
  const auto& partial = warp_.alone.resources[resource].partial;
  if (!partial) return false;
  const bool of_blocks = part.kind == Part::Kind::blocks;
  const std::vector<Shares>& all = of_blocks ? warp_.occupants.partial_block : warp_.occupants.partial_each;
  if (all.empty()) return false;
  const Shares& occupants = all[resource];
  if (!complete(occupants, of_blocks ? partial->block : partial->each)) return false;
  Amounts amounts;
  add_to(amounts, occupants, 1);
  return add_others(part, resource, amounts);
}

bool Attributing::add_joint(Part part, size_t interference) {
  const Demand& alone = warp_.alone;
  const Occupants& occupants = warp_.occupants;
  if (!complete(occupants.joint[interference], alone.joint[interference].worker)) return false;
  const JointOccupancy counted(machine_);
  Amounts amounts;
  add_to(amounts, occupants.joint[interference], 1);
  for (size_t r = 0; r < machine_.resources.size(); ++r) {
    const auto each = counted.cycles(r, warp_.contenders[r], static_cast<Interference>(interference)).value();
    if (!each || !complete(occupants.attempts[r], alone.attempts[r])) return false;
    add_to(amounts, occupants.attempts[r], *each);
  }
  const auto unit = counted.unit().value();
  const auto scaled = unit ? (Integer(part.demand) * *unit).value() : std::nullopt;
  if (!scaled) return false;
  part.demand = *scaled;
  part.servers = *unit;
  return add_others(part, machine_.resources.size() + interference, amounts);
}

bool Attributing::add_retries(const Part& part) {
  // One server: each resource's share is whole.
  const std::vector<Shares>& attempts = warp_.occupants.attempts;
  Part rest = part;
  for (size_t r = 0; r < attempts.size(); ++r) {
    Amounts amounts;
    add_to(amounts, attempts[r], warp_.contenders[r]);
    if (!complete(attempts[r], warp_.alone.attempts[r])) return false;
    const Integer demand = Integer(warp_.contenders[r]) * warp_.alone.attempts[r];
    const auto cycles = (demand * Integer(part.workers)).value();
    if (!cycles) return false;
    rest.demand = *demand.value();
    rest.cycles = *cycles;
    if (!add_others(rest, r, amounts)) return false;
  }
  return true;
}

bool Attributing::add_others(const Part& part, size_t resource, const Amounts& amounts) {
  const auto shares = distribute(part, amounts);
  if (!shares) return false;
  for (const auto& [claimant, cycles] : *shares) {
    costs_[claimant.first].others[claimant.second ? of_constants : resource] += cycles;
  }
  return true;
}

std::vector<InstructionCost> Attributing::costs(const ir::Kernel& kernel) const {
  std::vector<int64_t> executions(kernel.instructions.size());
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::Block& block = kernel.blocks[b];
    std::fill_n(executions.begin() + block.first, block.count, warp_.waits.executions[b]);
  }
  std::vector<InstructionCost> result;
  for (const auto& [instruction, cost] : costs_) {
    InstructionCost entry{instruction, executions[instruction], cost.own, 0, {}};
    int64_t most = 0;
    for (const auto& [resource, cycles] : cost.others) {
      entry.others += cycles;
      if (cycles > most) entry.resource = name_of(resource);
      most = std::max(most, cycles);
    }
    result.push_back(std::move(entry));
  }
  return result;
}

}  // namespace

Attribution attribute(const ir::Kernel& kernel, const Machine& machine, const WarpShares& warp,
                      const solver::Bound& bound) {
  Attribution nothing{{}, bound.makespan.value_or(0)};
  if (!bound.makespan) return nothing;
  Attributing attributing(machine, warp, bound.parts);
  for (const Part& part : bound.parts) {
    if (!attributing.add(part)) return nothing;
  }
  Attribution result{attributing.costs(kernel), *bound.makespan};
  for (const InstructionCost& cost : result.costs) result.rest -= cost.cycles();
  return result.rest >= 0 ? result : nothing;
}

}  // namespace warpspan::timing
