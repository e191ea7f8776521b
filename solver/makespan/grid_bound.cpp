// SPDX-License-Identifier: GPL-3.0-or-later
// Lemma. Analyse a worker v. Call a cycle blocked if v could go on but does not, and let B(t) be the blocked cycles
// before time t. Then a step of v takes place at CP + B at the latest, where CP is its time on the critical path and B
// counts the blocked cycles before it.
//
// Proof. By induction. Let the step be ready at t' <= t, the latest of the times at which the steps it depends on took
// place plus their latencies; t' <= CP(step) + B(t'), shorter latencies only making it smaller (there are no timing
// anomalies), and the cycles from t' to t are all blocked, so t = t' + B(t) - B(t') <= CP(step) + B(t). QED.
//
// Theorem. Let B blocks of w workers be dealt to S sites of at least R slots, at most P, each the same for the whole
// run. For a resource r of a site with c copies let u = ceil(w / c), Q_r the demand and s_r the servers, E_r the demand
// elsewhere; let CP be the critical path with what the path terms have of each worker, l and i latency and interval of
// the dispatcher, O what the path terms have once. Let n = floor((B - 1) / S) = ceil(B / S) - 1 and m = min(P, B). The
// makespan is for some k between 0 and floor(n / R) at most
//
//   (k + 1) * (CP + l) + O + (B - 1 - k) * i
//     + sum over r of floor(W_r(k) * Q_r / s_r) + (V(k) - W_r(k)) * E_r, where V(k)
//
// counts all others of a site, and W_r(k) those of them that are, or may come to be, on the copy of the analysed one:
//
//   any site, if no workers wait for one another, with a = m u - 1:
//     V(0) = m w - 1, V(k) = n w - k + m w - 1;
//     W_r(0) = a, W_r(k) = a + min(n w - k, k (n u - 1), u (n - k + k (P - 1)) + k (u - 1));
//   any site, if they do in order: V as before, W_r(k) = (n - k) w + k (u - 1) + (m - 1) w + u - 1;
//   dealt round-robin, with N = n + 1 and e(k) = max(1, k), or k + 1 if R = 1:
//     V(k) = N w - e(k), and if no workers wait for one another
//     W_r(k) = min(V(k), (k + 1) (N u - 1), u (N - e(k) + k (P - 1)) + (k + 1) (u - 1));
//   dealt round-robin, if they do in order: W_r(0) = n w + u - 1, W_r(k) = (N - e(k)) w + e(k) (u - 1);
//   if they do in any order, (k + 1) w CP instead of (k + 1) CP, and V(k) = W_r(k) = N w dealt round-robin; else
//     V(0) = m w and V(k) = n w + m w.
//
// Of a resource of the device there is W_r(0) = B w - 1, W_r(k) = B w - (k - 1), and B w - e(k) if dealt round-robin;
// B w if workers wait in any order.
//
// Proof. To analyse a block means to analyse, from its last end back, the worker that ends last, from the latest sync
// point at which it waited for others back the worker that came last to this point, and so on. So in each cycle from
// the start of the block's workers to its end one worker v is analysed. The analysed intervals make up one program, so
// by the lemma v is blocked in all of these cycles but CP; in any part of the block's time, a fortiori, it is not
// blocked in at most CP cycles. In each interval w - 1 workers of the block are not analysed; their intervals make up
// w - 1 programs, each of which occupies r for at most Q_r server-cycles.
//
// Any site. Let t be the time of the last block's dispatch slot. Until t a block waits, so that in each cycle before t
// either all slots of all sites are taken, or the dispatcher hands out a block. One site A has had at most n blocks
// before t, for all sites have had B - 1, and one of its slots at most k = floor(n / R) of them, for A has R slots or
// more. Before t analyse the blocks of that slot, k of them, one after another; from t on analyse the block z that ends
// last of all. Round-robin: let A be the site of z, the block that ends last of all, and t the time of z's dispatch
// slot. A has at most n other blocks, and one of its slots has had at most k of them before t; analyse these before t,
// and z from t on. No worker is analysed
//  - while the slot is free: then another block than the k is handed out, which is neither the last one nor z: in
//    (B - 1 - k) * i cycles at most;
//  - from the dispatch of the analysed block until its worker has started: l cycles at most for each of the k + 1.
// In (k + 1) * CP cycles at most the analysed worker is not blocked. Every other cycle is charged to a resource r of
// which all s_r servers (of the copy that v uses) are occupied by workers that are not analysed then. How many can
// these be?
//
// Any site, before t: A has had n w workers at most, the k programs that were analysed until they ended or until t are
// not among those that occupy r. From t on nothing is dispatched any more, so besides z its site has at most m - 1
// blocks. Both sums are charged, as cycles before t and from t on are different cycles. If k = 0, t comes before any
// worker is analysed, and nothing is charged before it. Round-robin: the programs analysed before t, but for the last
// one, have ended by t, and z has not started before it, so these k - 1 and z occupy nothing against an analysed
// worker: V(k). If R = 1 the slot that z itself takes has had no more than n blocks, and all of them have ended by t:
// analyse these.
//
// Who is on the copy of v, if no worker waits for another? Then one worker of each analysed block is analysed, which
// stays with one copy.
//  - This copy has at most u workers of each block, the analysed one among them: n u - 1 for each of k (N u - 1 for
//    each of k + 1). From t on, any site: at most u of each of m blocks.
//  - Of the analysed block itself it has u - 1. Of the others, each that runs during the residency of an analysed block
//    either ends in it, which it does in one only, as these times are disjoint: these are n - k at most over all k of
//    them; or it is there when the analysed block ends, as one of the P: P - 1 for each. Round-robin, z leaves no block
//    that is there when it ends, so that is so for k of k + 1 blocks; and those that end in one of these times are all
//    but z and those that have ended as analysed ones: N - e(k).
// A worker may be on v's copy while one block is analysed and on another one while the next is: it counts as one that
// always is, as E_r <= Q_r / s_r.
// If workers wait for one another in order, v may change the copy with every interval, and workers of other blocks may
// occupy r on one copy after another: w for each of them. Of its own block at most u - 1 workers are with v on a copy
// in each interval, and their intervals make up u - 1 programs, those of the others w - u that are elsewhere. A block
// that is analysed until it ends is concurrent with no other analysed one but the last of k, which may run on while z
// is analysed: from then on it is among the m - 1 others of z. Round-robin it is one of the N - e(k) blocks that count
// w then; where R = 1 it has ended. If they wait in any order, let v be in each cycle any worker of the analysed block
// that does not wait for others, one of those that are left. A worker is blocked, waits for others, or goes on along
// its critical path, by the lemma in at most CP cycles; so v goes on in at most w CP cycles of each block. All that
// occupy r against it are workers of its site, or of the device, and nothing is assumed of who is none of them.
//
// Of the device: before t all B w workers occupy r, as from t on. All but the last of the k blocks have ended by t, so
// their analysed programs are never among those that occupy r against an analysed worker. The last of the k may run on
// after t without being analysed, and z may have run before t without being analysed. If k = 0, z is analysed from its
// start on. Round-robin as for a site.
//
// What path terms have of each worker is time on the paths as CP is; what they have once is added to whatever bound
// holds without it. QED.
//
// Theorem. Let some steps be taken by part of the workers of a block only, let all workers of a block occupy r with
// these steps for at most X_r server-cycles in all, and a worker with its other steps for at most U_r. Then
// floor(W_r(k) * Q_r / s_r) may be replaced by floor((W_r(k) * U_r + K_r(k) * X_r) / s_r), where K_r(k) is B of the
// device, n + 1 of a site if blocks are dealt round-robin, and else m for k = 0 and min(n + m, B) for k > 0.
//
// Proof. The cycles charged to r are those in which its s_r servers are occupied by some W_r(k) programs of workers, or
// intervals of programs, as above. With steps that all take each of them occupies r for at most U_r. The others are
// occupied by workers of blocks of the site or of the device, K_r(k) of them: before t the n of A, from t on the m of
// the site of z, and no more than there are. Each such occupancy is one step of one worker of a block, and whichever
// cycles of it are charged, those of a block are X_r at most. QED.
//
// Of a resource of the device it is enough that all blocks occupy r with these steps for at most B X_r, as K_r(k) is B.
// This is the smaller of the two where W_r(k) * (Q_r - U_r) > K_r(k) * X_r.
//
// Theorem. Let workers wait for one another in order, at p - 1 sync points at most, and let a worker occupy r for at
// most q_r server-cycles with the steps of one interval. Let g(x) = ceil(u x q_r / (Q_r - E_r)). Then W_r(k) may also
// be
//
//   any site: W_r(0) = m u - 1 + g((m - 1) (p - 1)), W_r(k) = n u - k + k g((m - 1) p) + W_r(0) by either formula;
//   dealt round-robin, with j = min(P, N) - 1: W_r(k) = N u - e(k) + g(j (p - 1)) + k g(j p).
//
// Proof. The analysed worker v stays with one copy in each interval, and is analysed in at most p intervals of each
// block that is analysed. Say that v changes where one interval follows another, of the same block or of the next one:
// k p - 1 times before t and p - 1 times from t on, round-robin (k + 1) p - 1 times. Let z be another block, one that
// is not analysed at all, or the last one of k from t on. An interval of z lasts from a sync point of z, or its start,
// to the next one, or its end, and in this time its workers occupy r with steps of this interval only, as whoever waits
// at a sync point occupies nothing. If v changes b times in it, then v is on 1 + b copies at most, and so no more than
// u (1 + b) workers of z are ever on the copy of v in this interval. Each of these is charged at most what it occupies
// r for in the interval, each other one what it occupies elsewhere, which is no more. Summed up over the intervals of
// z, the most that a worker occupies in an interval is at most Q_r, and elsewhere E_r, as a worker made of intervals
// occupies that. So all that z is charged is at most that of u workers on the copy and w - u elsewhere, and u q_r for
// each change of v in an interval of z. How many such blocks z are there at a change? As many as there are slots but
// one: up to the change one is that of the analysed block, or z takes it at t; and no more than there are blocks
// besides it. So before t all blocks z are charged u q_r another (m - 1) (k p - 1) times at most, from t on
// (m - 1) (p - 1) times, and round-robin j ((k + 1) p - 1) times. A worker that is counted on the copy instead of
// elsewhere adds Q_r - E_r, as s_r = 1 where E_r > 0, so g(x) of them cover u x q_r. Of each analysed block u - 1
// workers are on the copy of v, as before. Round-robin, the last of k counts as one that is not analysed: in its
// intervals before t it has u - 1 workers besides v, and t is a change in its interval. QED.
//
// It is not used of resources whose demand is partial: g would have to be that of U_r.
//
// What counts as k depends on the run, so the bound is the largest value over all k. From 1 on each W_r is the smallest
// of a few lines in k, and so is what r adds, without the floors, as K_r is the same for all k > 0: the bound is linear
// in k but where two of the lines cross, or W_r comes to be larger than K_r X_r / (Q_r - U_r). Between two such numbers
// the floors may lift it above both ends. Without floors it is linear there, so no more than at one of the ends; the
// floors take less than 1 for each resource where s_r does not divide Q_r, or U_r and X_r, and none for the others. So
// the largest value exceeds both ends by less than the number of these resources.
#include "solver/makespan/grid_bound.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "solver/makespan/assumptions.hpp"
#include "solver/makespan/part_sum.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

// Empty if the problem is within its ranges.
std::string fault(const GridProblem& problem) {
  if (problem.critical_path < 0) return "the critical path is negative";
  if (problem.has_negative_term()) return "a term of the path is negative";
  if (problem.workers < 1) return "a block has no worker";
  if (problem.sites < 1) return "there is no site";
  if (problem.least_slots < 1) return "a site may have no slot";
  if (problem.most_slots < problem.least_slots) return "a site has at most fewer slots than at least";
  if (problem.dispatch.blocks < 1) return "there is no block";
  if (problem.sync.points && *problem.sync.points < 0) return "the number of sync points is negative";
  if (problem.dispatch.latency < 0 || problem.dispatch.interval < 0) return "a time of the dispatcher is negative";
  for (const GridResource& resource : problem.resources) {
    const std::string name = "resource '" + resource.name + "'";
    if (resource.copies < 1) return name + " has no copy";
    if (resource.copies > 1 && resource.scope == GridResource::Scope::device) return name + " of the device has copies";
    if (resource.servers < 1) return name + " has no server";
    const ResourceDemand& demand = resource.demand;
    if (demand.worker < 0) return "the demand for " + name + " is negative";
    if (resource.demand_elsewhere < 0 || resource.demand_elsewhere > demand.worker) {
      return "the demand for " + name + " elsewhere is negative or more than that on its copy";
    }
    if (resource.demand_elsewhere > 0 && resource.servers > 1) return name + " of two demands has several servers";
    if (demand.interval && *demand.interval < 0) return "the demand of an interval for " + name + " is negative";
    if (demand.partial && resource.demand_elsewhere > 0) return name + " of two demands has a partial one";
    if (!demand.has_valid_partial()) {
      return "the partial demand for " + name + " is negative or more than all of it";
    }
  }
  return {};
}

// A number of workers that is linear in k.
struct Line {
  Integer at_zero, slope;

  Integer at(int64_t k) const { return at_zero + slope * k; }
};

// Which k is the last one before the lines cross; nothing if they do not cross behind 0.
std::optional<int64_t> crossing(const Line& a, const Line& b) {
  const auto distance = (a.at_zero - b.at_zero).value(), closing = (b.slope - a.slope).value();
  if (!distance || !closing || *closing == 0) return std::nullopt;
  const int64_t k = *distance / *closing;
  return k > 0 ? std::optional(k) : std::nullopt;
}

// One that overflows only if both do.
Integer smaller_known(Integer a, Integer b) {
  if (a.overflowed() || b.overflowed()) return a.overflowed() ? b : a;
  return min(a, b);
}

// The theorems' formula.
class Theorem {
 public:
  explicit Theorem(const GridProblem& problem)
      : problem_(problem),
        round_robin_(problem.dealing == Dealing::round_robin),
        earlier_((problem.dispatch.blocks - 1) / problem.sites),
        concurrent_(std::min(problem.most_slots, problem.dispatch.blocks)) {}

  int64_t longest() const { return earlier_ / problem_.least_slots; }

  PartSum value(int64_t k) const {
    const Dispatch& dispatch = problem_.dispatch;
    PartSum sum;
    sum.add_paths(problem_, (Integer(k) + 1) * analysed_of_block());
    sum.add(Part::Kind::start, {}, Integer(k) + 1, dispatch.latency, 1);
    for (const GridResource& resource : problem_.resources) {
      const Integer here = others(resource, k);
      const ResourceDemand& demand = resource.demand;
      if (partial_is_less(resource, here, k)) {
        sum.add_partial(resource.name, here, blocks_of(resource, k), *demand.partial, resource.servers);
        continue;
      }
      sum.add(Part::Kind::resource, resource.name, here, demand.worker, resource.servers);
      if (resource.demand_elsewhere == 0) continue;
      sum.add(Part::Kind::resource, resource.name_elsewhere, others_of_site(k) - here, resource.demand_elsewhere, 1);
    }
    sum.add(Part::Kind::dispatch, {}, dispatch.blocks - 1 - k, dispatch.interval, 1);
    return sum;
  }

  // Numbers of blocks, in ascending order, between which the value is linear but for its floors.
  std::vector<int64_t> corners() const {
    std::vector<int64_t> corners = {0, 1, longest()};
    for (const GridResource& resource : problem_.resources) {
      std::vector<Line> lines = lines_of(resource);
      if (const auto most = most_by_worker(resource, 1)) lines.insert(lines.end(), {{*most, 0}, {*most + 1, 0}});
      for (size_t i = 0; i < lines.size(); ++i) {
        for (size_t j = 0; j < i; ++j) {
          const auto k = crossing(lines[i], lines[j]);
          if (k && *k < longest()) corners.insert(corners.end(), {*k, *k + 1});
        }
      }
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    corners.erase(std::upper_bound(corners.begin(), corners.end(), longest()), corners.end());
    return corners;
  }

  // By how much a value strictly between two corners may exceed both.
  int64_t bulge() const {
    const auto rounded = std::count_if(problem_.resources.begin(), problem_.resources.end(), [](const GridResource& r) {
      const auto is_rounded = [&r](int64_t demand) { return demand % r.servers != 0; };
      const auto& partial = r.demand.partial;
      return is_rounded(r.demand.worker) || (partial && (is_rounded(partial->each) || is_rounded(partial->block)));
    });
    return std::max<int64_t>(0, rounded - 1);
  }

 private:
  bool waits_in_any_order() const { return problem_.sync.order == SyncOrder::in_any_order; }

  int64_t analysed_of_block() const { return waits_in_any_order() ? problem_.workers : 1; }

  Integer on_one_copy(const GridResource& resource) const {
    return ceil_divide(Integer(problem_.workers), resource.copies);
  }

  // The theorem's e: analysed workers that are never among those that occupy something against one.
  int64_t excluded(int64_t k) const { return problem_.least_slots == 1 ? k + 1 : std::max<int64_t>(1, k); }

  // K
  Integer blocks_of(const GridResource& resource, int64_t k) const {
    const Integer all = problem_.dispatch.blocks;
    if (resource.scope == GridResource::Scope::device) return all;
    if (round_robin_) return Integer(earlier_) + 1;
    return k == 0 ? Integer(concurrent_) : min(all, Integer(earlier_) + concurrent_);
  }

  // The largest W for which the whole demand of each is no more than the partial one; nothing if that is so of any W.
  std::optional<Integer> most_by_worker(const GridResource& resource, int64_t k) const {
    const ResourceDemand& demand = resource.demand;
    if (!demand.partial || demand.partial->each == demand.worker) return std::nullopt;
    const Integer of_blocks = blocks_of(resource, k) * demand.partial->block;
    if (of_blocks.overflowed()) return std::nullopt;
    return floor_divide(of_blocks, demand.worker - demand.partial->each);
  }

  bool partial_is_less(const GridResource& resource, Integer others, int64_t k) const {
    const auto most = most_by_worker(resource, k);
    return most && !others.overflowed() && *others.value() > *most->value();
  }

  // V
  Integer others_of_site(int64_t k) const {
    const Integer w = problem_.workers;
    const Integer blocks = round_robin_ ? Integer(earlier_) + 1 : Integer(k == 0 ? 0 : earlier_) + concurrent_;
    if (waits_in_any_order()) return blocks * w;
    if (round_robin_) return blocks * w - excluded(k);
    return blocks * w - k - 1;
  }

  // W
  Integer others(const GridResource& resource, int64_t k) const {
    if (resource.scope == GridResource::Scope::device) return others_of_device(k);
    if (waits_in_any_order()) return others_of_site(k);
    if (k == 0) return at_once(resource);
    // All rise above 0, so that one that overflows is none of the smallest.
    const std::vector<Line> lines = lines_of(resource);
    Integer least = lines.front().at(k);
    for (const Line& line : lines) least = smaller_known(least, line.at(k));
    return least;
  }

  Integer others_of_device(int64_t k) const {
    const Integer all = Integer(problem_.dispatch.blocks) * problem_.workers;
    if (waits_in_any_order()) return all;
    return round_robin_ ? all - excluded(k) : k == 0 ? all - 1 : all - (Integer(k) - 1);
  }

  // W(0)
  Integer at_once(const GridResource& resource) const {
    const Integer u = on_one_copy(resource), blocks = round_robin_ ? Integer(earlier_) + 1 : Integer(concurrent_);
    if (problem_.sync.order != SyncOrder::in_order) return blocks * u - 1;
    const Integer by_block = (blocks - 1) * problem_.workers + u - 1;
    const auto more = in_other_intervals(resource, 0);
    return more ? smaller_known(by_block, blocks * u - 1 + *more) : by_block;
  }

  // g of the blocks concurrent with one, times the changes from interval to interval in it and the number of those to
  // it; nothing if nothing is known of intervals.
  std::optional<Integer> in_other_intervals(const GridResource& resource, int64_t changes_to_it) const {
    const ResourceDemand& demand = resource.demand;
    if (!problem_.sync.points || !demand.interval) return std::nullopt;
    if (demand.partial && demand.partial->each < demand.worker) return std::nullopt;
    const int64_t more = demand.worker - resource.demand_elsewhere;  // of a worker that is on the copy
    if (more == 0) return std::nullopt;
    const Integer others = (round_robin_ ? min(problem_.most_slots, Integer(earlier_) + 1) : Integer(concurrent_)) - 1;
    const Integer crossings = others * (Integer(*problem_.sync.points) + changes_to_it);
    return ceil_divide(on_one_copy(resource) * crossings * *demand.interval, more);
  }

  // The lines from k = 1 on of which W is the smallest.
  std::vector<Line> lines_of(const GridResource& resource) const {
    if (waits_in_any_order()) return {};
    if (resource.scope == GridResource::Scope::device) return {{others_of_device(1) + 1, -1}};
    const Integer w = problem_.workers, u = on_one_copy(resource), n = earlier_;
    const Integer concurrent_one = u * (Integer(problem_.most_slots) - 1) - 1;
    const Integer in_order_each = Integer(0) - w + u - 1;  // an analysed block, instead of another one
    const bool in_order = problem_.sync.order == SyncOrder::in_order;
    const auto more_each = in_order ? in_other_intervals(resource, 1) : std::nullopt;
    if (round_robin_) {
      const int64_t apart = excluded(1) - 1;  // as a line from 1 on
      const Line by_block = {(n + 1) * w + in_order_each * apart, in_order_each};
      if (more_each) {
        return {by_block, {(n + 1) * u - apart + *in_other_intervals(resource, 0), *more_each - 1}};
      }
      if (in_order) return {by_block};
      return {
          {(n + 1) * w - apart, -1}, {(n + 1) * u - 1, (n + 1) * u - 1}, {(n + 2) * u - 1 - u * apart, concurrent_one}};
    }
    const Integer after = at_once(resource);
    if (more_each) return {{n * w + after, in_order_each}, {n * u + after, *more_each - 1}};
    if (in_order) return {{n * w + after, in_order_each}};
    return {{n * w + after, -1}, {after, n * u - 1}, {n * u + after, concurrent_one}};
  }

  const GridProblem& problem_;
  bool round_robin_;
  int64_t earlier_;     // n: blocks that a site has had before the last one of those that are analysed
  int64_t concurrent_;  // m: blocks that a site has after that
};

bool starts_at_once(const Dispatch& dispatch) {
  return dispatch.blocks == 1 && dispatch.latency == 0 && dispatch.interval == 0;
}

// The largest value over all k.
PartSum over_all_chains(const GridProblem& problem) {
  const Theorem theorem(problem);
  const std::vector<int64_t> corners = theorem.corners();
  std::vector<PartSum> values;
  bool gap = false;
  for (size_t i = 0; i < corners.size(); ++i) {
    values.push_back(theorem.value(corners[i]));
    gap = gap || (i > 0 && corners[i] - corners[i - 1] > 1);
  }
  PartSum sum = largest(std::move(values));
  if (gap) sum.add(Part::Kind::rounding, {}, 1, theorem.bulge(), 1);
  return sum;
}

}  // namespace

Bound grid_bound(const GridProblem& problem) {
  const bool round_robin = problem.dealing == Dealing::round_robin;
  Bound bound;
  bound.method = round_robin ? "pipeline" : "grid";
  bound.kind = Kind::upper;
  bound.safe = true;
  bound.assumptions = {occupied_by_others, !round_robin                       ? greedy_dispatch
                                           : starts_at_once(problem.dispatch) ? start_at_once
                                                                              : start_in_dispatch_order};
  if (std::string reason = fault(problem); !reason.empty()) {
    return without_value(std::move(bound), Status::not_applicable, std::move(reason));
  }
  PartSum sum = over_all_chains(problem);
  if (round_robin && problem.least_slots > 1) {  // a site of R slots has one, too, of which the theorem may say more
    GridProblem one_slot = problem;
    one_slot.least_slots = 1;
    sum = smaller(std::move(sum), over_all_chains(one_slot));
  }
  return std::move(sum).finish(std::move(bound));
}

}  // namespace warpspan::solver
