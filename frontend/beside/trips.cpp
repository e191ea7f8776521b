// SPDX-License-Identifier: GPL-3.0-or-later
// What is assumed: the assembler's line table tells which instruction of the PTX an instruction of machine code is of.
// A thread that executes a branch of the machine code at a line does what it does in the PTX at one of its executions
// of the branch at that line: each time at another one, in their order, and where the branch goes on in a loop, so does
// that of the PTX.
//
// Unrolling, rotating, peeling, unswitching and copying of code keep this: a branch may be left out of some iterations,
// where it is known how it goes, and each copy stands for executions of its own.
//
// Theorem. Let S be a loop of the machine code and e a block of its own (not of a loop inside it) which every iteration
// executes that goes back to the header, and which ends with a branch that may leave S. Let the branch be at line L,
// and the branch of the PTX at L be in a block of its own of the loop P, and may leave P. Let all branches in S be at
// lines of P. Then the header of S runs, each time S is entered, at most as often as that of P, and once more if an
// iteration of P that goes on at L may leave P behind it. Proof. S runs within one execution of P: what leads from one
// to the next leaves P and enters it again, by a branch of the loop around P if there is one, which is not in S. Say
// the header runs n times. The n - 1 iterations that go back execute e, go on there in S, and so stand for n - 1
// executions of the branch at L, each of another iteration of P, which go on in P. Where none of these iterations may
// leave P behind L, each is followed by another run of the header of P, which so runs n times at least; else all but
// the last are.
//
// Theorem, of unrolled loops. Let also u accesses to memory that every iteration executes which goes back be of one
// access of the PTX, in a block of P's own. Then the header of S runs at most t / u + 1 times, where that of P runs at
// most t times, and t / u times if no iteration leaves S before it has executed them all. Proof. The accesses stand for
// executions of that of the PTX, each for another one: u (n - 1) of them, or u n, of which each iteration of P has one.
//
// A line may be that of several copies in the PTX, where functions are expanded: the one with the largest bound counts.
// An assembler may put code together that is the same in two places of the PTX, and it has then the line of one of
// them. So a loop of the PTX of which no branch is left in the machine code may be any of those that are: its bound
// counts, too, unless it is in P or around it.
#include "frontend/beside/trips.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace warpspan::beside {

namespace {

// Whether the count is one of the loop alone.
bool is_count(const ir::Loop& loop) {
  using enum ir::TripCountSource;
  if (!loop.trip_count || loop.clock || loop.longest_wait) return false;
  switch (loop.source) {
    case none:
    case compare_and_swap:
    case clock: return false;
    default: return true;
  }
}

// Loads and stores of machine code each of which stands for executions of one of the PTX: its line has no other
// instruction, and all that are like it are still in the machine code. An atomic may be repeated until it succeeds.
class CountedAccesses {
 public:
  CountedAccesses(const Places& code, const Places& ptx) : code_(code), ptx_(ptx) {
    for (const ir::InstructionId i : vanished_accesses(code, ptx)) vanished_.insert(width_of(ptx.operation(i)));
  }

  // Calls visit(place in the PTX, line) for each of a block of the machine code.
  template <typename Visit>
  void for_each(ir::BlockId b, const Visit& visit) const {
    const ir::Block& block = code_.kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Operation& operation = code_.operation(i);
      if (code_.kernel.instructions[i].guarded || !is_compared(operation) || !is_load_or_store(operation)) continue;
      const auto at = ptx_.at(code_.line(i));
      if (at.size() != 1 || vanished_.contains(width_of(operation))) continue;
      const ir::InstructionId origin = at.front().instruction;
      if (are_alike(operation, ptx_.operation(origin)) && !ptx_.kernel.instructions[origin].guarded)
        visit(at.front(), code_.line(i));
    }
  }

 private:
  using Width = std::pair<ir::OperationKind, int>;

  static Width width_of(const ir::Operation& operation) { return {operation.kind, operation.bytes}; }
  static bool is_load_or_store(const ir::Operation& operation) {
    return ir::access_class(operation) == ir::AccessClass::load ||
           ir::access_class(operation) == ir::AccessClass::store;
  }

  const Places& code_;
  const Places& ptx_;
  std::set<Width> vanished_;
};

class TripMatcher {
 public:
  TripMatcher(const Places& code, const Places& ptx) : code_(code), ptx_(ptx), counted_(code, ptx) {
    for (ir::LoopId l = 0; l < ptx.flow.loops.size(); ++l) {
      if (has_vanished(l)) vanished_.push_back(l);
    }
  }

  // By loop of the machine code.
  LoopMatches run() const {
    LoopMatches matches;
    for (ir::LoopId l = 0; l < code_.flow.loops.size(); ++l) matches.push_back(match(l));
    const LoopMatches all = matches;
    for (ir::LoopId l = 0; l < all.size(); ++l) {
      for (ir::LoopId outer = code_.flow.loops[l].parent; all[l] && outer != ir::no_loop;
           outer = code_.flow.loops[outer].parent) {
        if (!all[outer]) continue;
        const bool are_nested = all[l]->ptx != all[outer]->ptx && ptx_.is_inside(all[l]->ptx, all[outer]->ptx);
        if (!are_nested) matches[l] = matches[outer] = std::nullopt;
      }
    }
    return matches;
  }

 private:
  // No branch that leaves it is left in the machine code.
  bool has_vanished(ir::LoopId loop) const {
    if (ptx_.flow.loops[loop].source == ir::TripCountSource::not_entered) return false;
    bool is_left = false;
    for (const ir::BlockId b : ptx_.blocks_of(loop)) {
      if (!decides(ptx_.kernel.blocks[b]) || !ptx_.leaves(b, loop)) continue;
      is_left = true;
      if (code_.decides_at(ptx_.line_of_end(b))) return false;
    }
    return is_left;
  }

  // Whether each iteration that goes back executes the block, of which it is.
  bool is_on_every_path_back(ir::BlockId block, ir::LoopId loop) const {
    const ir::BlockId header = code_.flow.loops[loop].header;
    return block == header || !reaches(
                                  code_, header, loop, [&](ir::BlockId b) { return b == block; },
                                  [&](ir::BlockId b) { return b == header; });
  }

  // Whether an iteration may come from a block to one that is wanted, without any that stops it. The block itself and
  // the header are only wanted where it comes to them.
  template <typename Stops, typename Wanted>
  static bool reaches(const Places& in, ir::BlockId from, ir::LoopId loop, const Stops& stops, const Wanted& wanted) {
    std::vector<bool> seen(in.kernel.blocks.size());
    std::vector<ir::BlockId> work = {from};
    while (!work.empty()) {
      const ir::BlockId block = work.back();
      work.pop_back();
      for (const ir::BlockId next : in.kernel.blocks[block].successors) {
        if (seen[next] || !in.is_in(next, loop) || stops(next)) continue;
        if (wanted(next)) return true;
        seen[next] = true;
        if (next != in.flow.loops[loop].header) work.push_back(next);
      }
    }
    return false;
  }

  // Whether all branches of the machine code's loop are at lines of the PTX's.
  bool is_within(ir::LoopId loop, ir::LoopId ptx) const {
    const auto& blocks = code_.blocks_of(loop);
    return std::all_of(blocks.begin(), blocks.end(), [&](ir::BlockId b) {
      if (!decides(code_.kernel.blocks[b])) return true;
      const auto at = ptx_.at(code_.line_of_end(b));
      return std::any_of(at.begin(), at.end(), [&](const Place& place) { return ptx_.is_in(place.block, ptx); });
    });
  }

  bool is_open(ir::LoopId ptx) const {
    using enum ir::TripCountSource;
    const ir::Loop& loop = ptx_.flow.loops[ptx];
    return (loop.source == none || loop.source == user) && !loop.clock && !loop.longest_wait;
  }

  // Nothing if it is not known.
  std::optional<int64_t> trips_of(ir::LoopId ptx, bool once_more) const {
    const ir::Loop& loop = ptx_.flow.loops[ptx];
    if (!is_count(loop) || *loop.trip_count == INT64_MAX) return std::nullopt;
    return *loop.trip_count + (once_more ? 1 : 0);
  }

  std::optional<LoopMatch> match_at(ir::LoopId loop, ir::BlockId exit) const {
    const uint32_t line = code_.line_of_end(exit);
    std::optional<LoopMatch> found;
    bool are_several = false;
    for (const Place& place : ptx_.at(line)) {
      const ir::Block& block = ptx_.kernel.blocks[place.block];
      if (!decides(block) || place.instruction + 1 != block.first + block.count) return std::nullopt;
      const ir::LoopId ptx = ptx_.flow.blocks[place.block].loop;
      if (ptx == ir::no_loop || !ptx_.leaves(place.block, ptx)) return std::nullopt;
      if (!is_within(loop, ptx)) continue;
      const bool may_leave_behind = reaches(
          ptx_, place.block, ptx, [](ir::BlockId) { return false; },
          [&](ir::BlockId b) { return b != ptx_.flow.loops[ptx].header && ptx_.leaves(b, ptx); });
      const auto trips = with_vanished(ptx, trips_of(ptx, may_leave_behind));
      if (found && found->ptx != ptx) are_several = true;
      if (!found || !trips || (found->trips && *trips > *found->trips)) found = LoopMatch{loop, ptx, line, trips};
    }
    if (found) found->is_open = !are_several && is_open(found->ptx) && with_vanished(found->ptx, 1);
    if (found && found->trips && !are_several) *found->trips = std::min(*found->trips, unrolled_trips(*found));
    return found;
  }

  // How often the loop runs at most, by what its iterations access.
  int64_t unrolled_trips(const LoopMatch& match) const {
    const auto trips = with_vanished(match.ptx, trips_of(match.ptx, false));
    if (!trips) return INT64_MAX;
    int64_t least = INT64_MAX;
    std::map<uint32_t, std::pair<int64_t, bool>>
        counts;  // by line: how many, and whether they are on every way out too
    for (const ir::BlockId b : code_.blocks_of(match.loop)) {
      if (code_.flow.blocks[b].loop != match.loop || !is_on_every_path_back(b, match.loop)) continue;
      const bool is_on_every_path = is_before_all_exits(b, match.loop);
      counted_.for_each(b, [&](const Place& origin, uint32_t line) {
        if (ptx_.flow.blocks[origin.block].loop != match.ptx) return;
        auto& count = counts.try_emplace(line, 0, true).first->second;
        ++count.first;
        count.second = count.second && is_on_every_path;
      });
    }
    for (const auto& [line, count] : counts) {
      const int64_t runs = *trips / count.first;
      least = std::min(least, std::max<int64_t>(count.second ? runs : runs + 1, 1));
    }
    return least;
  }

  // Whether each iteration executes the block before it may leave the loop.
  bool is_before_all_exits(ir::BlockId block, ir::LoopId loop) const {
    const ir::BlockId header = code_.flow.loops[loop].header;
    if (block == header) return true;
    if (code_.leaves(header, loop)) return false;
    return !reaches(
        code_, header, loop, [&](ir::BlockId b) { return b == block; },
        [&](ir::BlockId b) { return code_.leaves(b, loop); });
  }

  std::optional<int64_t> with_vanished(ir::LoopId ptx, std::optional<int64_t> trips) const {
    for (const ir::LoopId other : vanished_) {
      if (!trips || ptx_.is_inside(ptx, other) || ptx_.is_inside(other, ptx)) continue;
      const auto own = trips_of(other, true);
      trips = own ? std::optional(std::max(*trips, *own)) : std::nullopt;
    }
    return trips;
  }

  std::optional<LoopMatch> match(ir::LoopId loop) const {
    std::optional<LoopMatch> best;
    for (const ir::BlockId b : code_.blocks_of(loop)) {
      const bool is_own = code_.flow.blocks[b].loop == loop;
      if (!is_own || !decides(code_.kernel.blocks[b]) || !code_.leaves(b, loop)) continue;
      if (code_.line_of_end(b) == 0 || !is_on_every_path_back(b, loop)) continue;
      const auto found = match_at(loop, b);
      if (found && (!best || (found->trips && (!best->trips || *found->trips < *best->trips)))) best = found;
    }
    return best;
  }

  const Places& code_;
  const Places& ptx_;
  const CountedAccesses counted_;
  std::vector<ir::LoopId> vanished_;
};

void take(const ir::Loop& ptx, int64_t trips, ir::Loop& loop) {
  loop.trip_count = trips;
  loop.source = ptx.source;
  if (ptx.source == ir::TripCountSource::user) {
    loop.given = ptx.given;
    loop.given_by = ptx.given_by;
  }
  loop.obstacle.clear();
  loop.remedies.clear();
  loop.array_remedies.clear();
  ir::close_gap(loop);
}

}  // namespace

LoopMatches match_loops(const Places& code, const Places& ptx) { return TripMatcher(code, ptx).run(); }

CarriedTrips carry_trips(const LoopMatches& matches, const ir::Flow& ptx, ir::Flow& flow) {
  CarriedTrips result;
  for (const auto& match : matches) {
    if (!match || !match->trips) continue;
    ir::Loop& loop = flow.loops[match->loop];
    if (loop.clock || loop.source == ir::TripCountSource::compare_and_swap) continue;
    if (*match->trips < loop.fewest_trips) {
      result.contradicted.push_back(*match);
    } else if (!loop.trip_count || *match->trips < *loop.trip_count) {
      take(ptx.loops[match->ptx], *match->trips, loop);
      result.carried.push_back(*match);
    }
  }
  return result;
}

// Each execution of a block is within one execution of the loop of the PTX that the innermost loop around the block
// matches, or, where it is in none, of the kernel. There an access of the PTX has no more executions than the product
// of the trip counts of the loops around it, up to that one; and each of the block's accesses at its line is another
// one.
size_t carry_unreached(const Places& code, const Places& ptx, const LoopMatches& matches, ir::Flow& flow) {
  if (!ptx.kernel.functions.empty()) return 0;
  const CountedAccesses counted(code, ptx);
  const auto executions = [&](ir::BlockId block, ir::LoopId within) -> std::optional<int64_t> {
    support::Integer product = 1;
    ir::LoopId l = ptx.flow.blocks[block].loop;
    for (; l != ir::no_loop; l = ptx.flow.loops[l].parent) {
      if (!is_count(ptx.flow.loops[l])) return std::nullopt;
      product = product * *ptx.flow.loops[l].trip_count;
      if (l == within) break;
    }
    return l == within ? product.value() : std::nullopt;
  };
  std::vector<bool> unreached(code.kernel.blocks.size());
  for (ir::BlockId b = 0; b < code.kernel.blocks.size(); ++b) {
    const ir::LoopId loop = code.flow.blocks[b].loop;
    if (loop != ir::no_loop && !matches[loop]) continue;
    const ir::LoopId within = loop == ir::no_loop ? ir::no_loop : matches[loop]->ptx;
    std::map<uint32_t, int64_t> counts;
    bool is_reached = true;
    counted.for_each(b, [&](const Place& origin, uint32_t line) {
      const auto most = executions(origin.block, within);
      if (most && ++counts[line] > *most) is_reached = false;
    });
    if (!is_reached) unreached[b] = true;
  }
  // What only leads there is not executed either. That nothing is executed would contradict the machine code.
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (ir::BlockId b = 0; b < code.kernel.blocks.size(); ++b) {
      const ir::Block& block = code.kernel.blocks[b];
      if (unreached[b] || block.may_end || block.successors.empty()) continue;
      unreached[b] = is_new = std::all_of(block.successors.begin(), block.successors.end(),
                                          [&](ir::BlockId next) { return unreached[next]; });
      if (is_new) break;
    }
  }
  if (unreached.front()) return 0;
  std::vector<bool> is_left(code.kernel.instructions.size(), true);
  for (ir::BlockId b = 0; b < unreached.size(); ++b) {
    if (!unreached[b]) continue;
    flow.blocks[b].executed = false;
    const ir::Block& block = code.kernel.blocks[b];
    std::fill_n(is_left.begin() + block.first, block.count, false);
  }
  std::erase_if(flow.accesses, [&](const ir::Access& access) { return !is_left[access.instruction]; });
  return static_cast<size_t>(std::count(unreached.begin(), unreached.end(), true));
}

}  // namespace warpspan::beside
