// SPDX-License-Identifier: GPL-3.0-or-later
// The two scheduling problems, as plain mathematics. No GPU word is needed to read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/makespan/part.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

// A string over the classes 0 .. classes-1 with repetitions kept: a term is one symbol or a group, repeated.
struct Term {
  int symbol = -1;         // class, or -1: the group in body
  int64_t repeat = 1;      // at least 1
  std::vector<Term> body;  // of a group; not empty. Empty for a symbol
};
using String = std::vector<Term>;

// The string problem: `workers` identical workers each execute the symbols of `string` in order, at most one per cycle;
// in a cycle in which n workers have a symbol of class k next, exactly min(n, servers[k]) of them execute it. Which
// ones is unknown. All start together. Asked for is the largest makespan over all such schedules, in cycles.
struct StringProblem {
  String string;                 // not empty
  int64_t workers = 1;           // at least 1
  std::vector<int64_t> servers;  // one entry per class, at least 1 each
};

// What workers of the pipeline model share: a worker occupies servers of it for at most `demand` server-cycles in all.
struct Resource {
  std::string name;
  int64_t servers = 1;  // at least 1
  int64_t workers = 1;  // that share it, at least 1
  int64_t demand = 0;   // server-cycles of one worker, at least 0
};
// Workers come in blocks, which a dispatcher hands out one after another.
struct Dispatch {
  int64_t blocks = 1;    // in all
  int64_t latency = 0;   // the most cycles from a block's dispatch slot to the start of each of its workers, at least 0
  int64_t interval = 0;  // the most cycles from a block's dispatch slot until the dispatcher is free, at least 0
};

// For how long workers occupy one resource, at most, in server-cycles.
struct ResourceDemand {
  // Where there are steps that only part of the workers of a block take.
  struct Partial {
    int64_t each = 0;  // of one worker, without these steps: 0 .. ResourceDemand::worker
    // Of all workers of a block, with these steps; at least 0. Of a resource of the device: on average over all blocks.
    int64_t block = 0;
  };
  int64_t worker = 0;  // of one worker, at least 0
  std::optional<Partial> partial = std::nullopt;
  // Of workers that synchronise in order: of one worker with the steps of one interval, at least 0. Nothing: unknown.
  std::optional<int64_t> interval = std::nullopt;

  // Whether the partial demand, if there is one, is at least 0 and no more than all of it.
  bool has_valid_partial() const;
  // Adds what any worker may occupy, in any interval. False if it exceeds 64 bits.
  bool add(support::Integer more);
  // Rounds up to multiples. False if they exceed 64 bits.
  bool round_up(int64_t unit);
};

// Whether workers of a block wait for one another.
//  - in_order: at sync points that all of them pass in the same order. These cut each worker's steps into intervals.
//    The critical path, ResourceDemand::worker and Partial::each hold for every worker that one could make of a first
//    interval of one, a second interval of another and so on. A worker that waits there occupies nothing.
//  - in_any_order: whenever, and for whichever others they like; but never do all that are left in a block wait.
enum class SyncOrder : uint8_t { never, in_order, in_any_order };
struct Synchronisation {
  SyncOrder order = SyncOrder::never;
  std::optional<int64_t> points = std::nullopt;  // in order: how many a worker passes at most; nothing: unknown
};

// The grid problem: blocks of workers wait in a queue; there are `sites` sites, and each has slots for blocks, as many
// during the whole run. A dispatcher takes one block after another out of the queue and puts it into a free slot. It
// is greedy: while a block waits, no slot that it may have is free, but for the time in which another block is handed
// out. A slot is free again when all workers of its block have ended.
//
// A worker alone needs critical_path cycles at most, to its end, after which it occupies nothing, and what the path
// terms say more. It uses the resources of its site and those of the device. Of a resource of a site there may be
// copies; then the workers of a block are dealt to the copies round-robin, from any copy on, and a worker stays with
// its copy. Whenever a worker could go on but does not, all servers of some resource that it needs are occupied by
// other workers.
struct GridResource {
  enum class Scope : uint8_t { site, device };
  std::string name;
  Scope scope = Scope::site;
  int64_t copies = 1;   // of a site, at least 1; 1 for a resource of the device
  int64_t servers = 1;  // of a copy, at least 1
  ResourceDemand demand = {};
  // Of a resource with one server that stands for several (makespan/joint_occupancy.hpp), some of them of the whole
  // site: how long a worker of another copy is in the way at most, 0 .. demand.worker, and what that is called. If it
  // is above 0, the demand has no partial one.
  int64_t demand_elsewhere = 0;
  std::string name_elsewhere = {};
};
// Which slots a block may have: any, or those of one site, the blocks being dealt to the sites round-robin beforehand.
enum class Dealing : uint8_t { any_site, round_robin };
struct GridProblem {
  int64_t critical_path = 0;                // of a worker, cycles, at least 0
  std::vector<PathTerm> path_terms = {};    // of a worker; no kind twice, in the order of a breakdown
  int64_t workers = 1;                      // of a block, at least 1
  int64_t sites = 1;                        // at least 1
  int64_t least_slots = 1, most_slots = 1;  // of a site: 1 <= least <= most
  Dispatch dispatch;
  Dealing dealing = Dealing::any_site;
  Synchronisation sync;
  std::vector<GridResource> resources;

  bool has_negative_term() const;
};

}  // namespace warpspan::solver
