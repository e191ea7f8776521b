// The two scheduling problems, as plain mathematics. No GPU word is needed to read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

// What workers of the pipeline model share: a worker holds servers of it for at most `demand` server-cycles in all.
struct Resource {
  std::string name;
  int64_t servers = 1;  // at least 1
  int64_t workers = 1;  // that share it, at least 1
  int64_t demand = 0;   // server-cycles of one worker, at least 0
};
// Workers come in blocks, which a dispatcher hands out one after another.
struct Dispatch {
  int64_t blocks = 1;    // in all
  int64_t latency = 0;   // the most cycles from a block's turn to the start of each of its workers, at least 0
  int64_t interval = 0;  // the most cycles from a block's turn until the dispatcher is free for another, at least 0
};

// The grid problem: blocks of workers wait in a queue; there are `sites` sites, and each has places for blocks, as many
// during the whole run. A dispatcher takes one block after another out of the queue and puts it into a free place. It
// is greedy: while a block waits, no place that it may have is free, but for the time in which another block is handed
// out. A place is free again when all workers of its block have ended.
//
// A worker alone needs critical_path cycles at most, to its end, after which it holds nothing. It uses the resources of
// its site and those of the device. Of a resource of a site there may be copies; then the workers of a block are dealt
// to the copies in turn, from any copy on, and a worker stays with its copy. Whenever a worker could go on but does
// not, all servers of some resource that it needs are held by other workers.
struct GridResource {
  enum class Scope : uint8_t { site, device };
  std::string name;
  Scope scope = Scope::site;
  int64_t copies = 1;   // of a site, at least 1; 1 for a resource of the device
  int64_t servers = 1;  // of a copy, at least 1
  int64_t demand = 0;   // server-cycles of one worker at most, at least 0
  // Of a resource with one server that stands for several (makespan/held_together.hpp), some of them of the whole site:
  // how long a worker of another copy is in the way at most, 0 .. demand, and what that is called.
  int64_t demand_elsewhere = 0;
  std::string name_elsewhere = {};
  // Where there are steps that only some workers of a block take: what a worker holds without these steps at most,
  // 0 .. demand, and what all workers of a block together hold with them. None if demand_elsewhere is above 0.
  struct Split {
    int64_t each = 0;   // server-cycles of one worker
    int64_t block = 0;  // server-cycles of one block, at least 0
  };
  std::optional<Split> split = std::nullopt;
  // Of workers that meet in order: what one holds with the steps of one piece at most, server-cycles, at least 0.
  // Nothing: it is not known.
  std::optional<int64_t> of_piece = std::nullopt;
};
// Which places a block may have: any, or those of one site, the blocks being dealt to the sites in turn beforehand.
enum class Dealing : uint8_t { any_site, in_turn };
// Whether workers of a block wait for one another.
//  - in_order: at points that all of them pass in the same order. These cut each worker's steps into pieces, and
//    critical_path, demand and Split::each hold for every worker that one could make of a first piece of one, a second
//    piece of another and so on. A worker that waits there holds nothing.
//  - in_any_order: whenever, and for whichever others they like; but never do all that are left in a block wait.
enum class Meeting : uint8_t { never, in_order, in_any_order };
struct GridProblem {
  int64_t critical_path = 0;                  // of a worker, cycles, at least 0
  int64_t workers = 1;                        // of a block, at least 1
  int64_t sites = 1;                          // at least 1
  int64_t least_places = 1, most_places = 1;  // of a site: 1 <= least <= most
  Dispatch dispatch;
  Dealing dealing = Dealing::any_site;
  Meeting meeting = Meeting::never;
  std::optional<int64_t> meetings = std::nullopt;  // in order: how many at most, at least 0; nothing: it is not known
  std::vector<GridResource> resources;
};

}  // namespace warpspan::solver
