// SPDX-License-Identifier: GPL-3.0-or-later
// How warps of a simulated multiprocessor issue: which can, which does, and what that holds. Tests say what comes next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "tests/ir/build_kernel.hpp"
#include "tests/random_numbers.hpp"
#include "timing/costs/cost.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::test {

// 1 to `longest` of L, C and S.
inline std::string random_symbols(Random& random, int64_t longest) {
  std::string text;
  for (int64_t i = below(random, longest) + 1; i > 0; --i) text += "LCS"[below(random, 3)];
  return text;
}

class SimulatedIssue {
 public:
  SimulatedIssue(const TestKernel& k, const timing::Machine& machine, Random& random)
      : kernel_(k.kernel), flow_(k.flow), machine_(machine), random_(random), costs_(*costs_of(k.kernel, machine)) {
    free_at_.assign(machine.resources.size() * static_cast<size_t>(machine.schedulers), 0);
  }

  int policy = 0;        // random, oldest first, youngest first, or the warp that has come the least far
  bool shorten = false;  // whether latencies and holds turn out shorter, at random

 protected:
  struct Issuing {
    int64_t may_issue = 0;
    std::vector<int64_t> ready = std::vector<int64_t>(16, 0);  // by register
  };

  bool can_issue(const Issuing& warp, size_t w, ir::InstructionId id, int64_t now) const {
    if (warp.may_issue > now) return false;
    const ir::Instruction& instruction = kernel_.instructions[id];
    const ir::RegisterId* used = kernel_.reads(instruction);
    bool can = std::all_of(used, used + instruction.reads + instruction.writes,
                           [&](ir::RegisterId reg) { return warp.ready[reg] <= now; });
    for (const timing::Occupancy& hold : costs_.of(instruction).occupancies)
      can = can && free_at_[server(hold, w)] <= now;
    return can;
  }

  // progress(w): how far a warp has come.
  template <typename Progress>
  size_t pick(const std::vector<size_t>& able, const Progress& progress) {
    if (policy == 0) return able[static_cast<size_t>(below(random_, static_cast<int64_t>(able.size())))];
    if (policy == 1) return able.front();
    if (policy == 2) return able.back();
    return *std::min_element(able.begin(), able.end(), [&](size_t a, size_t b) { return progress(a) < progress(b); });
  }

  // When all that the instruction begins is over.
  int64_t issue(Issuing& warp, size_t w, ir::InstructionId id, int64_t now) {
    const ir::Instruction& instruction = kernel_.instructions[id];
    const int64_t transactions = flow_.transactions[id];
    const timing::OperationFigures& figures = costs_.of(instruction);
    int64_t finished = now;
    for (const timing::Occupancy& hold : figures.occupancies) {
      const int64_t held = *occupied_cycles(hold, transactions).value();
      const int64_t until = now + (shorten ? below(random_, held + 1) : held);
      free_at_[server(hold, w)] = until;
      finished = std::max(finished, until);
    }
    const int64_t longest = timing::worst_latency(figures, transactions);
    const int64_t result = now + (shorten ? below(random_, longest + 1) : longest);
    for (int i = 0; i < instruction.writes; ++i) warp.ready[kernel_.writes(instruction)[i]] = result;
    warp.may_issue = now + machine_.issue_gap;
    return std::max(finished, result);
  }

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;

 private:
  size_t server(const timing::Occupancy& hold, size_t warp) const {
    const auto schedulers = static_cast<size_t>(machine_.schedulers);
    const bool own = machine_.resources[hold.resource].sharing == timing::ResourceFigures::Sharing::scheduler;
    return hold.resource * schedulers + (own ? warp % schedulers : 0);
  }

  const timing::Machine& machine_;
  Random& random_;
  timing::Costs costs_;
  std::vector<int64_t> free_at_;
};

}  // namespace warpspan::test
