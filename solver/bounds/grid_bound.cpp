// Theorem. Let B blocks of w workers be dealt to S sites of at least R places, at most P, each the same for the whole
// run. Let n = floor((B - 1) / S), m = min(P, B), and for a resource r of a site with c copies u = ceil(w / c). With CP
// the critical path, Q_r the demand and s_r the servers, l and i latency and interval of the dispatcher, the makespan
// is for some k between 0 and floor(n / R) at most
//
//   (k + 1) * (CP + l) + (B - 1 - k) * i + sum over r of floor(W_r(k) * Q_r / s_r), where
//
//   W_r(k) = before(k) + after                           for a resource of a site,
//   before(0) = 0, before(k) = min(n w - k, k (n u - 1)), after = m u - 1;
//   before(k) = n w - k, after = (m - 1) w + u - 1       if the workers of a block may wait for one another,
//   W_r(0) = B w - 1, W_r(k) = B w - (k - 1)             for a resource of the device.
//
// Proof. To follow a block means to follow, from its last end back, the worker that ends last, from the latest meeting
// on which it waited for others back the worker that came last to this meeting, and so on. So in each cycle from the
// start of the block's workers to its end one worker v is followed. The followed pieces make up one program, so by the
// induction of pipeline_bound.cpp v is blocked in all of these cycles but CP; in any part of the block's time, a
// fortiori, it is not blocked in at most CP cycles. In each piece w - 1 workers of the block are not followed; their
// pieces make up w - 1 programs, each of which holds r for at most Q_r server-cycles.
//
// Let t be the time at which the last block has its turn. Until t a block waits, so that in each cycle before t either
// all places of all sites are taken, or the dispatcher hands out a block. One site A has had at most n blocks before t,
// for the sites together have had B - 1, and one of its places at most k = floor(n / R) of them, for A has R places or
// more. Before t follow the blocks of that place, k of them, one after another; from t on follow the block z that ends
// last of all. Nobody is followed
//  - while the place is free: then another block than the k is handed out, which is not the last one either: in
//    (B - 1 - k) * i cycles at most;
//  - while the followed block has had its turn and its worker has not started: l cycles at most for each of the k + 1.
// In (k + 1) * CP cycles at most the followed worker is not blocked. Every other cycle is charged to a resource r of
// which all s_r servers (of the copy that v uses) are held by workers that are not followed then. How many can these
// be?
//
// Before t, of a site: A has had n w workers at most, the k programs that were followed until they ended or until t are
// not among those that hold r. If no worker waits for another, k workers are followed, each of which stays with one
// copy, and this copy has at most u workers of each of the n blocks, the followed one among them: k (n u - 1) at most.
// From t on, of a site: nothing is dispatched any more, so beside z the site has at most m - 1 blocks. If no worker
// waits for another, v is one worker, and its copy has at most u of each block. If they do, v may change the copy with
// every piece, and workers of the other blocks may hold r on one copy after another; of its own block at most u - 1
// workers are with it on a copy in each piece, and their pieces make up u - 1 programs. Both sums together are charged,
// as cycles before t and from t on are different cycles. If k = 0, t comes before anybody is followed, and nothing is
// charged before it.
//
// Of the device: before t all B w workers hold r, as from t on. All but the last of the k blocks have ended by t, so
// their followed programs are never among those that hold r against a followed worker. The last of the k may run on
// after t without being followed, and z may have run before t without being followed. If k = 0, z is followed from its
// start on. QED.
//
// What counts as k depends on the run, so the bound is the largest value over all k. Without the floors it is linear in
// k but at 1 and where k (n u - 1) reaches n w - k, which is at k = w / u. Between two such places the floors may lift
// it above both ends, as in pipeline_bound.cpp, by less than the number of resources where s_r does not divide Q_r.
#include "solver/bounds/grid_bound.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "solver/assumptions.hpp"
#include "solver/bounds/parts.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

// Empty if the problem is within its ranges.
std::string fault(const GridProblem& problem) {
  if (problem.critical_path < 0) return "the critical path is negative";
  if (problem.workers < 1) return "a block has no worker";
  if (problem.sites < 1) return "there is no site";
  if (problem.least_places < 1) return "a site may have no place";
  if (problem.most_places < problem.least_places) return "a site has at most fewer places than at least";
  if (problem.dispatch.blocks < 1) return "there is no block";
  if (problem.dispatch.latency < 0 || problem.dispatch.interval < 0) return "a time of the dispatcher is negative";
  for (const GridResource& resource : problem.resources) {
    const std::string name = "resource '" + resource.name + "'";
    if (resource.copies < 1) return name + " has no copy";
    if (resource.copies > 1 && resource.scope == GridResource::Scope::device) return name + " of the device has copies";
    if (resource.servers < 1) return name + " has no server";
    if (resource.demand < 0) return "the demand for " + name + " is negative";
  }
  return {};
}

// The theorem's formula.
class Theorem {
 public:
  explicit Theorem(const GridProblem& problem)
      : problem_(problem),
        earlier_((problem.dispatch.blocks - 1) / problem.sites),
        beside_(std::min(problem.most_places, problem.dispatch.blocks)) {}

  int64_t longest() const { return earlier_ / problem_.least_places; }

  PartSum value(int64_t k) const {
    const Dispatch& dispatch = problem_.dispatch;
    PartSum sum;
    sum.add(Part::Kind::path, {}, Integer(k) + 1, problem_.critical_path, 1);
    sum.add(Part::Kind::start, {}, Integer(k) + 1, dispatch.latency, 1);
    for (const GridResource& resource : problem_.resources) {
      sum.add(Part::Kind::resource, resource.name, others(resource, k), resource.demand, resource.servers);
    }
    sum.add(Part::Kind::dispatch, {}, dispatch.blocks - 1 - k, dispatch.interval, 1);
    return sum;
  }

  // Numbers of blocks, in ascending order, between which the value is linear but for its floors.
  std::vector<int64_t> corners() const {
    std::vector<int64_t> corners = {0, 1, longest()};
    for (const GridResource& resource : problem_.resources) {
      const int64_t meeting = problem_.workers / on_one_copy(resource);
      corners.insert(corners.end(), {meeting, meeting + 1});
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    corners.erase(std::upper_bound(corners.begin(), corners.end(), longest()), corners.end());
    return corners;
  }

  // By how much a value strictly between two corners may exceed both.
  int64_t bulge() const {
    const auto rounded = std::count_if(problem_.resources.begin(), problem_.resources.end(),
                                       [](const GridResource& r) { return r.demand % r.servers != 0; });
    return std::max<int64_t>(0, rounded - 1);
  }

 private:
  int64_t on_one_copy(const GridResource& resource) const {
    return problem_.workers / resource.copies + (problem_.workers % resource.copies == 0 ? 0 : 1);
  }

  Integer others(const GridResource& resource, int64_t k) const {
    if (resource.scope == GridResource::Scope::site) return before(resource, k) + after(resource);
    const Integer all = Integer(problem_.dispatch.blocks) * problem_.workers;
    return k == 0 ? all - 1 : all - (Integer(k) - 1);
  }

  Integer before(const GridResource& resource, int64_t k) const {
    if (k == 0) return 0;
    const int64_t u = on_one_copy(resource);
    const bool few = !problem_.meet && k < problem_.workers / u + (problem_.workers % u == 0 ? 0 : 1);
    return few ? Integer(k) * (Integer(earlier_) * u - 1) : Integer(earlier_) * problem_.workers - k;
  }

  Integer after(const GridResource& resource) const {
    const int64_t u = on_one_copy(resource);
    if (!problem_.meet) return Integer(beside_) * u - 1;
    return Integer(beside_ - 1) * problem_.workers + u - 1;
  }

  const GridProblem& problem_;
  int64_t earlier_;  // n: blocks that a site has had before the last one has its turn
  int64_t beside_;   // m: blocks that a site has after that
};

}  // namespace

Bound grid_bound(const GridProblem& problem) {
  Bound bound;
  bound.method = "grid";
  bound.kind = Kind::upper;
  bound.safe = true;
  bound.assumptions = {held_by_others, greedy_dispatch};
  if (std::string reason = fault(problem); !reason.empty()) {
    return without_value(std::move(bound), Status::not_applicable, std::move(reason));
  }
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
  return std::move(sum).finish(std::move(bound));
}

}  // namespace warpspan::solver
