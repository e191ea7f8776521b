// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of the grid problem, cycle by cycle: blocks of workers on sites, under a dispatcher and a policy of many kinds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "solver/makespan/problem.hpp"
#include "tests/random_numbers.hpp"

namespace warpspan::solver {

using test::below;
using test::Random;

inline int64_t between(Random& random, int64_t least, int64_t most) { return least + below(random, most - least + 1); }

struct Use {
  size_t resource = 0;
  int64_t cycles = 0;
};
// A step starts when a server of each resource that it uses is free, holds them, and lets the next one follow after
// `gap`. Its request to `stage`, if any, then waits for a server of that one; the result is there `latency` cycles
// after the request is served, or the step has started.
struct Step {
  std::vector<Use> uses;
  std::vector<Use> stage;  // one or none
  int64_t gap = 1;
  int64_t latency = 0;
  int needs = -1;  // an earlier step of the piece whose result it needs
  // So many workers of a block take it, in a row from one of them on; others pass it by. Nothing: all.
  std::optional<int64_t> takers = std::nullopt;
  int64_t first_taker = 0;
};
using Piece = std::vector<Step>;

// A worker does not begin a piece before another one of its block has ended a piece.
struct Wait {
  size_t worker = 0, piece = 0;  // which waits
  size_t other = 0, ended = 0;   // until this one has ended that piece
};

// Workers take one of the alternatives of each piece; between pieces the workers of a block meet, or wait for others as
// `waits` says, which are in an order in which they can be fulfilled.
struct Workload {
  GridProblem problem;
  std::vector<std::vector<Piece>> alternatives;  // by piece
  std::vector<Wait> waits;
};

enum class Deal { most_room, least_room, first_site, any_site, in_turn };
enum class Order { any, oldest, youngest, fixed, behind };

class GridSimulation {
 public:
  GridSimulation(const Workload& work, Deal deal, Order order, bool shorten, Random& random);
  int64_t run();  // the makespan

 private:
  struct Worker {
    size_t block = 0, copy = 0;
    int64_t may_step = 0;  // not before
    int64_t rank = 0;      // for a fixed order
    size_t piece = 0, step = 0, done = 0;
    std::vector<size_t> chosen;    // alternative of each piece
    std::vector<int64_t> results;  // of the steps of this piece; -1: not known yet
    int64_t quiet = 0;             // after which nothing of this piece is outstanding, but for requests that wait
    int64_t requests = 0;          // that wait
  };
  struct Block {
    size_t site = 0;
    bool waits = true, running = false;
    std::vector<Worker> workers;
  };
  struct Request {
    size_t block, worker, step;
  };
  // The servers of a resource in one place: until when each is held.
  struct Pool {
    std::vector<int64_t> held_until;
    std::deque<Request> queue;
  };

  int64_t shortened(int64_t cycles) { return shorten_ ? below(random_, cycles + 1) : cycles; }
  Pool& pool(size_t resource, const Worker& worker);
  const Piece& piece(const Worker& worker) const {
    return work_.alternatives[worker.piece][worker.chosen[worker.piece]];
  }
  bool hand_out();
  bool choose_site(size_t block, size_t& site);
  bool serve();
  bool takes(const Worker& worker, const Step& step) const;
  void pass_by(Worker& worker);
  void begin(Worker& worker, int64_t at);
  bool can_step(const Worker& worker);
  bool step_one();
  void step(Worker& worker);
  bool meet(Block& block);
  bool go_on(Block& block);
  bool has_ended_piece(const Worker& worker) const;
  bool may_begin_next(const Block& block, size_t worker) const;
  void begin_next(Worker& worker);
  void end(Block& block);
  int64_t* free_server(Pool& pool);

  const Workload& work_;
  Deal deal_;
  Order order_;
  bool shorten_;
  Random& random_;
  int64_t now_ = 0, dispatcher_free_ = 0, end_ = 0;
  size_t left_ = 0;
  std::vector<int64_t> places_;  // by site
  std::vector<int64_t> taken_;
  std::vector<Block> blocks_;
  std::vector<Pool> pools_;
};

// Cycles of a worker alone from the start of the piece until nothing of it is outstanding: its critical path, on which
// it also waits for servers that it holds itself.
int64_t alone(const Piece& piece, size_t resources);

// Fills in the critical path and the demands of the problem.
void weigh(Workload& work);

// A small problem with random steps. Pieces: 1 .. 3, with meetings between them.
Workload random_workload(Random& random);

// Lets only some workers of a block take some of the steps, and fills in the split demands.
void thin_out(Workload& work, Random& random);

// Lets the workers of a block wait for one another's pieces instead of meeting.
void wait_in_any_order(Workload& work, Random& random);

// The problem in which resources that are used from a step's start on count together: those of a site, the first
// `from_start` of the workload. The others stay as they are.
inline constexpr size_t from_start = 4;
GridProblem with_joint_resource(const Workload& work);

}  // namespace warpspan::solver
