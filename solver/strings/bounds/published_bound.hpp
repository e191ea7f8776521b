// SPDX-License-Identifier: GPL-3.0-or-later
// The pessimistic bound of Berezovskyi, Bletsas and Andersson (2012), as they print it.
#pragma once

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"

namespace warpspan::solver {

// Their equations 5-7: sum over classes k of ceil(W / servers_k) * I_k, in cycles. Method "published", kind published;
// safe only if every class that occurs has one server. A problem that validate() refuses: not_applicable. Overflow: no
// value.
Bound published_bound(const StringProblem& problem);

}  // namespace warpspan::solver
