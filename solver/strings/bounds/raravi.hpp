// SPDX-License-Identifier: GPL-3.0-or-later
// The finishing time of Raravi and Andersson (2010) for one program shape, as they print it.
#pragma once

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"

namespace warpspan::solver {

// Which class plays which part in the template C (LLC)^r L.
struct TemplateRoles {
  int l = 0;  // one server
  int c = 1;  // two servers
};

// 3n + 2 + 2n(r - 1) cycles for n workers and r sub-blocks, r >= 1. Method "raravi", kind published, never safe: the
// paper conjectures it for schedules that are fair to sub-blocks. The remark states what is known about it. The string
// may be written in any form that denotes the template. A problem that validate() refuses, another shape, other
// servers: not_applicable, and the remark states what differs. Overflow: no value.
Bound raravi_bound(const StringProblem& problem, TemplateRoles roles);

}  // namespace warpspan::solver
