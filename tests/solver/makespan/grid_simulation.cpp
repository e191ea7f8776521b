// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/solver/makespan/grid_simulation.hpp"

#include "solver/makespan/joint_occupancy.hpp"

namespace warpspan::solver {

GridSimulation::GridSimulation(const Workload& work, Deal deal, Order order, bool shorten, Random& random)
    : work_(work), deal_(deal), order_(order), shorten_(shorten), random_(random) {
  const GridProblem& problem = work.problem;
  const auto sites = static_cast<size_t>(problem.sites);
  for (size_t s = 0; s < sites; ++s) places_.push_back(between(random, problem.least_slots, problem.most_slots));
  taken_.assign(sites, 0);
  blocks_.resize(static_cast<size_t>(problem.dispatch.blocks));
  left_ = blocks_.size();
  const bool alike = below(random, 2) == 0;  // the workers of a block take the same way
  for (size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].site = b % sites;
    const int64_t first_copy = below(random, 8);
    for (int64_t w = 0; w < problem.workers; ++w) {
      Worker worker;
      worker.block = b;
      worker.copy = static_cast<size_t>(first_copy + w);
      worker.rank = below(random, 1000);
      for (const auto& ways : work.alternatives) {
        worker.chosen.push_back(static_cast<size_t>(below(random, static_cast<int64_t>(ways.size()))));
      }
      if (alike && w > 0) worker.chosen = blocks_[b].workers.front().chosen;
      blocks_[b].workers.push_back(std::move(worker));
    }
  }
  for (const GridResource& resource : problem.resources) {
    const Pool pool{std::vector<int64_t>(static_cast<size_t>(resource.servers), 0), {}};
    pools_.insert(pools_.end(), sites * 4, pool);
  }
}

GridSimulation::Pool& GridSimulation::pool(size_t resource, const Worker& worker) {
  const GridResource& r = work_.problem.resources[resource];
  const bool device = r.scope == GridResource::Scope::device;
  const size_t site = device ? 0 : blocks_[worker.block].site;
  return pools_[(resource * static_cast<size_t>(work_.problem.sites) + site) * 4 +
                worker.copy % static_cast<size_t>(r.copies)];
}

bool GridSimulation::choose_site(size_t block, size_t& site) {
  if (deal_ == Deal::in_turn) {
    site = blocks_[block].site;
    return taken_[site] < places_[site];
  }
  std::vector<size_t> open;
  for (size_t s = 0; s < places_.size(); ++s) {
    if (taken_[s] < places_[s]) open.push_back(s);
  }
  if (open.empty()) return false;
  const auto room = [this](size_t a, size_t b) { return places_[a] - taken_[a] < places_[b] - taken_[b]; };
  site = open.front();
  if (deal_ == Deal::most_room) site = *std::max_element(open.begin(), open.end(), room);
  if (deal_ == Deal::least_room) site = *std::min_element(open.begin(), open.end(), room);
  if (deal_ == Deal::any_site) site = open[static_cast<size_t>(below(random_, static_cast<int64_t>(open.size())))];
  return true;
}

bool GridSimulation::hand_out() {
  bool any = false;
  for (size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    size_t site = 0;
    if (!block.waits || dispatcher_free_ > now_ || !choose_site(b, site)) continue;
    block.site = site;
    block.waits = false;
    block.running = any = true;
    ++taken_[site];
    dispatcher_free_ = now_ + shortened(work_.problem.dispatch.interval);
    for (Worker& worker : block.workers) {
      worker.quiet = now_ + shortened(work_.problem.dispatch.latency);
      begin(worker, worker.quiet);
    }
  }
  return any;
}

int64_t* GridSimulation::free_server(Pool& pool) {
  for (int64_t& until : pool.held_until) {
    if (until <= now_) return &until;
  }
  return nullptr;
}

// One request that finds a free server; a worker's own are served in their order.
bool GridSimulation::serve() {
  for (Pool& pool : pools_) {
    int64_t* server = free_server(pool);
    if (server == nullptr || pool.queue.empty()) continue;
    const auto picked = static_cast<size_t>(below(random_, static_cast<int64_t>(pool.queue.size())));
    const auto same = [&](const Request& r) {
      return r.block == pool.queue[picked].block && r.worker == pool.queue[picked].worker;
    };
    const auto at = std::find_if(pool.queue.begin(), pool.queue.end(), same);
    const Request request = *at;
    pool.queue.erase(at);
    Worker& worker = blocks_[request.block].workers[request.worker];
    const Step& step = piece(worker)[request.step];
    *server = now_ + shortened(step.stage.front().cycles);
    const int64_t result = now_ + shortened(step.latency);
    worker.results[request.step] = result;
    worker.quiet = std::max({worker.quiet, *server, result});
    --worker.requests;
    return true;
  }
  return false;
}

bool GridSimulation::takes(const Worker& worker, const Step& step) const {
  const std::vector<Worker>& workers = blocks_[worker.block].workers;
  const int64_t own = &worker - workers.data(), all = std::ssize(workers);
  return !step.takers || (own + step.first_taker) % all < *step.takers;
}

void GridSimulation::pass_by(Worker& worker) {
  while (worker.step < piece(worker).size() && !takes(worker, piece(worker)[worker.step])) {
    worker.results[worker.step++] = 0;
  }
}

void GridSimulation::begin(Worker& worker, int64_t at) {
  worker.step = 0;
  worker.may_step = at;
  worker.results.assign(piece(worker).size(), -1);
  pass_by(worker);
}

bool GridSimulation::can_step(const Worker& worker) {
  if (worker.step == piece(worker).size() || worker.may_step > now_) return false;
  const Step& step = piece(worker)[worker.step];
  if (step.needs >= 0) {
    const int64_t result = worker.results[static_cast<size_t>(step.needs)];
    if (result < 0 || result > now_) return false;
  }
  return std::all_of(step.uses.begin(), step.uses.end(),
                     [&](const Use& use) { return free_server(pool(use.resource, worker)) != nullptr; });
}

void GridSimulation::step(Worker& worker) {
  const size_t index = worker.step++;
  const Step& step = piece(worker)[index];
  ++worker.done;
  for (const Use& use : step.uses) {
    int64_t* server = free_server(pool(use.resource, worker));
    *server = now_ + shortened(use.cycles);
    worker.quiet = std::max(worker.quiet, *server);
  }
  worker.may_step = now_ + shortened(step.gap);
  worker.quiet = std::max(worker.quiet, worker.may_step);
  if (step.stage.empty()) {
    worker.results[index] = now_ + shortened(step.latency);
    worker.quiet = std::max(worker.quiet, worker.results[index]);
    return pass_by(worker);
  }
  const auto own = static_cast<size_t>(&worker - blocks_[worker.block].workers.data());
  pool(step.stage.front().resource, worker).queue.push_back({worker.block, own, index});
  ++worker.requests;
  pass_by(worker);
}

bool GridSimulation::step_one() {
  std::vector<Worker*> able;
  for (Block& block : blocks_) {
    if (!block.running) continue;
    for (Worker& worker : block.workers) {
      if (can_step(worker)) able.push_back(&worker);
    }
  }
  if (able.empty()) return false;
  const auto by = [&](const auto& key) {
    return *std::min_element(able.begin(), able.end(), [&](auto* a, auto* b) { return key(*a) < key(*b); });
  };
  switch (order_) {
    case Order::any: step(*able[static_cast<size_t>(below(random_, static_cast<int64_t>(able.size())))]); break;
    case Order::oldest: step(*able.front()); break;
    case Order::youngest: step(*able.back()); break;
    case Order::fixed: step(*by([](const Worker& w) { return w.rank; })); break;
    case Order::behind: step(*by([](const Worker& w) { return w.done; })); break;
  }
  return true;
}

bool GridSimulation::has_ended_piece(const Worker& worker) const {
  return worker.step == piece(worker).size() && worker.requests == 0 && worker.quiet <= now_;
}

void GridSimulation::begin_next(Worker& worker) {
  ++worker.piece;
  begin(worker, now_);
}

void GridSimulation::end(Block& block) {
  block.running = false;
  --taken_[block.site];
  --left_;
  end_ = now_;
}

// Lets the workers of a block that have all ended a piece go on to the next one, or the block end.
bool GridSimulation::meet(Block& block) {
  const auto ended = [this](const Worker& worker) { return has_ended_piece(worker); };
  if (!std::all_of(block.workers.begin(), block.workers.end(), ended)) return false;
  if (block.workers.front().piece + 1 == work_.alternatives.size()) {
    end(block);
  } else {
    for (Worker& worker : block.workers) begin_next(worker);
  }
  return true;
}

bool GridSimulation::may_begin_next(const Block& block, size_t worker) const {
  return std::all_of(work_.waits.begin(), work_.waits.end(), [&](const Wait& wait) {
    if (wait.worker != worker || wait.piece != block.workers[worker].piece + 1) return true;
    const Worker& other = block.workers[wait.other];
    return other.piece > wait.ended || (other.piece == wait.ended && has_ended_piece(other));
  });
}

// The same where each worker waits for some others, or none.
bool GridSimulation::go_on(Block& block) {
  bool changed = false, all_ended = true;
  for (size_t w = 0; w < block.workers.size(); ++w) {
    Worker& worker = block.workers[w];
    const bool ended = has_ended_piece(worker), last = worker.piece + 1 == work_.alternatives.size();
    all_ended = all_ended && ended && last;
    if (!ended || last || !may_begin_next(block, w)) continue;
    begin_next(worker);
    changed = true;
  }
  if (all_ended) end(block);
  return changed || all_ended;
}

int64_t GridSimulation::run() {
  for (; left_ > 0; ++now_) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (Block& block : blocks_) {
        if (!block.running) continue;
        const bool in_any_order = work_.problem.sync.order == SyncOrder::in_any_order;
        changed = (in_any_order ? go_on(block) : meet(block)) || changed;
      }
      changed = hand_out() || changed;
      while (serve() || step_one()) changed = true;
    }
  }
  return end_;
}

int64_t alone(const Piece& piece, size_t resources) {
  std::vector<int64_t> free(resources, 0), results;
  int64_t next = 0, quiet = 0;
  for (const Step& step : piece) {
    int64_t at = next;
    if (step.needs >= 0) at = std::max(at, results[static_cast<size_t>(step.needs)]);
    for (const Use& use : step.uses) at = std::max(at, free[use.resource]);
    for (const Use& use : step.uses) quiet = std::max(quiet, free[use.resource] = at + use.cycles);
    next = at + step.gap;
    int64_t served = at;
    for (const Use& use : step.stage) {
      served = std::max(at, free[use.resource]);
      quiet = std::max(quiet, free[use.resource] = served + use.cycles);
    }
    results.push_back(served + step.latency);
    quiet = std::max({quiet, next, results.back()});
  }
  return quiet;
}

void weigh(Workload& work) {
  GridProblem& problem = work.problem;
  problem.critical_path = 0;
  problem.sync.points = std::ssize(work.alternatives) - 1;
  for (GridResource& resource : problem.resources) resource.demand.worker = resource.demand.interval.emplace(0);
  for (const std::vector<Piece>& ways : work.alternatives) {
    int64_t longest = 0;
    std::vector<int64_t> most(problem.resources.size(), 0);
    for (const Piece& piece : ways) {
      longest = std::max(longest, alone(piece, problem.resources.size()));
      std::vector<int64_t> held(problem.resources.size(), 0);
      for (const Step& step : piece) {
        for (const Use& use : step.uses) held[use.resource] += use.cycles;
        for (const Use& use : step.stage) held[use.resource] += use.cycles;
      }
      for (size_t r = 0; r < held.size(); ++r) most[r] = std::max(most[r], held[r]);
    }
    problem.critical_path += longest;
    for (size_t r = 0; r < most.size(); ++r) {
      GridResource& resource = problem.resources[r];
      resource.demand.worker += most[r];
      resource.demand.interval = std::max(*resource.demand.interval, most[r]);
    }
  }
}

Workload random_workload(Random& random) {
  using Scope = GridResource::Scope;
  Workload work;
  GridProblem& problem = work.problem;
  problem.workers = between(random, 1, 4);
  problem.sites = between(random, 1, 3);
  problem.least_slots = between(random, 1, 3);
  problem.most_slots = problem.least_slots + (below(random, 2) == 0 ? 0 : below(random, 3));
  problem.dispatch.blocks = between(random, 1, 4 + 3 * problem.sites);
  problem.dispatch.latency = below(random, 2) * below(random, 12);
  problem.dispatch.interval = below(random, 2) * below(random, 4);
  // The first five are used from a step's start on, the last two by requests that wait. Workers stay with a slot and
  // the unit beside it.
  const int64_t copies = between(random, 1, 4);
  problem.resources = {{"slot", Scope::site, copies, 1, 0},
                       {"own_unit", Scope::site, copies, between(random, 1, 2), 0},
                       {"unit", Scope::site, 1, between(random, 1, 2), 0},
                       {"other_unit", Scope::site, 1, 1, 0},
                       {"link", Scope::device, 1, 1, 0},
                       {"port", Scope::site, 1, 1, 0},
                       {"memory", Scope::device, 1, between(random, 1, 2), 0}};
  const int64_t pieces = between(random, 1, 3);
  problem.sync.order = pieces > 1 ? SyncOrder::in_order : SyncOrder::never;
  const int64_t busy = below(random, 5);  // a resource that steps like to use
  const int64_t slow = below(random, 3) == 0 ? 30 : 6;
  for (int64_t p = 0; p < pieces; ++p) {
    std::vector<Piece> ways(static_cast<size_t>(between(random, 1, 3)));
    for (Piece& way : ways) {
      for (int64_t i = between(random, 0, 4); i > 0; --i) {
        Step step;
        const auto cycles = [&] { return between(random, 1, 4); };
        if (below(random, 4) > 0) step.uses.push_back({0, cycles()});
        if (busy == 0 || below(random, 4) == 0) step.uses.push_back({1, cycles()});
        if (busy == 1 || below(random, 4) == 0) step.uses.push_back({2, cycles()});
        if (below(random, 6) == 0) step.uses.push_back({3, cycles()});
        if (busy == 2 || below(random, 8) == 0) step.uses.push_back({4, cycles()});
        if (busy == 3 || below(random, 6) == 0) step.stage = {{5, cycles()}};
        if (step.stage.empty() && (busy == 4 || below(random, 6) == 0)) step.stage = {{6, cycles()}};
        step.gap = between(random, 0, 2);
        step.latency = below(random, slow);
        step.needs = static_cast<int>(between(random, -1, std::ssize(way) - 1));
        way.push_back(std::move(step));
      }
    }
    work.alternatives.push_back(std::move(ways));
  }
  weigh(work);
  return work;
}

void thin_out(Workload& work, Random& random) {
  GridProblem& problem = work.problem;
  for (GridResource& resource : problem.resources) resource.demand.partial = ResourceDemand::Partial{};
  for (std::vector<Piece>& ways : work.alternatives) {
    std::vector<int64_t> most(problem.resources.size(), 0);
    for (Piece& piece : ways) {
      std::vector<int64_t> held(problem.resources.size(), 0);
      for (Step& step : piece) {
        if (below(random, 2) == 0) {
          step.takers = below(random, problem.workers);
          step.first_taker = below(random, problem.workers);
        }
        const auto note = [&](const Use& use) {
          if (!step.takers) held[use.resource] += use.cycles;
          if (step.takers) problem.resources[use.resource].demand.partial->block += *step.takers * use.cycles;
        };
        for (const Use& use : step.uses) note(use);
        for (const Use& use : step.stage) note(use);
      }
      for (size_t r = 0; r < held.size(); ++r) most[r] = std::max(most[r], held[r]);
    }
    for (size_t r = 0; r < most.size(); ++r) problem.resources[r].demand.partial->each += most[r];
  }
}

// All pieces of all workers in some order, in which each may wait for any before it.
void wait_in_any_order(Workload& work, Random& random) {
  work.problem.sync.order = SyncOrder::in_any_order;
  std::vector<size_t> next(static_cast<size_t>(work.problem.workers), 0);
  std::vector<std::pair<size_t, size_t>> before;
  const size_t pieces = work.alternatives.size();
  for (size_t left = next.size() * pieces; left > 0; --left) {
    size_t worker = 0;
    do {
      worker = static_cast<size_t>(below(random, std::ssize(next)));
    } while (next[worker] == pieces);
    for (int64_t tries = below(random, 3); next[worker] > 0 && tries > 0; --tries) {
      const auto [other, ended] =
          below(random, 2) == 0 ? before.back() : before[static_cast<size_t>(below(random, std::ssize(before)))];
      if (other != worker) work.waits.push_back({worker, next[worker], other, ended});
    }
    before.emplace_back(worker, next[worker]++);
  }
}

GridProblem with_joint_resource(const Workload& work) {
  GridProblem problem = work.problem;
  constexpr int64_t unit = 2;  // servers are 1 or 2
  int64_t here = 0, elsewhere = 0, of_piece = 0;
  for (const auto& ways : work.alternatives) {
    int64_t most_here = 0, most_elsewhere = 0;
    for (const Piece& piece : ways) {
      int64_t all = 0, of_site = 0;
      for (const Step& step : piece) {
        std::vector<Occupancy> own, of_all_copies;
        for (const Use& use : step.uses) {
          if (use.resource >= from_start) continue;
          const GridResource& resource = problem.resources[use.resource];
          own.push_back({use.cycles, resource.servers});
          if (resource.copies == 1) of_all_copies.push_back(own.back());
        }
        all += joint_occupancy(own, unit).value().value();
        of_site += joint_occupancy(of_all_copies, unit).value().value();
      }
      most_here = std::max(most_here, all);
      most_elsewhere = std::max(most_elsewhere, of_site);
    }
    here += most_here;
    elsewhere += most_elsewhere;
    of_piece = std::max(of_piece, most_here);
  }
  const int64_t copies = problem.resources[0].copies;
  GridResource joint = {"joint", GridResource::Scope::site, copies};
  joint.demand.worker = (here + unit - 1) / unit;
  joint.demand.interval = (of_piece + unit - 1) / unit;
  joint.demand_elsewhere = (elsewhere + unit - 1) / unit;
  joint.name_elsewhere = "elsewhere";
  problem.resources.erase(problem.resources.begin(), problem.resources.begin() + from_start);
  problem.resources.push_back(std::move(joint));
  return problem;
}

}  // namespace warpspan::solver
