// The two scheduling problems, as plain mathematics. No GPU word is needed to read them.
#pragma once

#include <cstdint>
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

// The string problem: `workers` identical workers each execute the symbols of `string` in order, at most one a cycle;
// in a cycle in which n workers have a symbol of class k next, exactly min(n, servers[k]) of them execute it. Which
// ones is unknown. All start together. Asked for is the largest makespan over all such schedules, in cycles.
struct StringProblem {
  String string;                 // not empty
  int64_t workers = 1;           // at least 1
  std::vector<int64_t> servers;  // one entry per class, at least 1 each
};

// The pipeline problem: workers share resources. A worker alone needs critical_path cycles at most, to its end, after
// which it holds nothing. Resource r has `servers` servers and is shared by `workers` workers, each of which holds
// servers of it for at most `demand` server-cycles in all. Whenever a worker could go on but does not, all servers of
// some resource are held by other workers.
struct Resource {
  std::string name;
  int64_t servers = 1;  // at least 1
  // Workers that share the resource, at least 1. Every worker of the chain is one of them: where they may be bound to
  // different copies of a resource, describe the copies as one resource with the workers of all.
  int64_t workers = 1;
  int64_t demand = 0;  // server-cycles of one worker, at least 0
};
struct PipelineProblem {
  int64_t critical_path = 0;  // cycles, at least 0
  // Workers that the followed chain runs through one after another: 1 if all start together, more if later workers
  // start only when earlier ones have ended. The most it can be, at least 1, at most the workers of each resource.
  int64_t chain = 1;
  std::vector<Resource> resources;
  // The fewest workers that the chain can have, 1 .. chain: `chain` if workers run in waves, 1 if nothing is known.
  int64_t shortest_chain = 1;
};

}  // namespace warpspan::solver
