// The bound for workers that share resources, whatever the latencies and whatever the policy.
#pragma once

#include "solver/problem.hpp"
#include "solver/result.hpp"

namespace warpspan::solver {

// The largest, over every q from shortest_chain to chain, of
//   q * critical_path + sum over resources r of floor((W_r - q) * demand_r / servers_r), in cycles, and with a
// dispatcher q * latency + (blocks - q) * interval, with these parts;
// above it by less than the number of resources where the largest lies between the two ends. Method "pipeline", kind
// upper, safe. A problem outside of the ranges of problem.hpp: not_applicable, the remark says which. Overflow: no
// value.
Bound pipeline_bound(const PipelineProblem& problem);

}  // namespace warpspan::solver
