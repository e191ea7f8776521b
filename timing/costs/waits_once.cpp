// SPDX-License-Identifier: GPL-3.0-or-later
// Pages. Assume that a multiprocessor waits for the translation of each page at most once, for t cycles from its first
// access to the page on, and that each access takes its latency without that wait, counted from when the translations
// are there that it waits for (assumption keeps-pages).
//
// Theorem (pages). Let the analysed warps run on q multiprocessors, one of them analysed at a time, and touch P pages.
// A bound is one whose latencies leave waits for translations out, and q P t more. Proof. By induction along the path
// of the analysed warps each instruction issues no later than by its latencies without these waits, plus the cycles so
// far in which an access that the path goes through waited for a translation. In such a cycle the translation of some
// page is on its way to the multiprocessor of the analysed warp, which is so in P t cycles of each at most. QED
// It does not matter who has asked for a page first, nor whether others are kept back behind an access that waits. Nor
// does it matter on which multiprocessors the warps are where one touches at most L pages: each then waits for L t.
//
// Refreshes. Let c be the cycles of a refresh and p those from the begin of one to that of the next, and assume that
// accesses of analysed warps wait for refreshes only in cycles that one periodic sequence of refreshes takes
// (assumption even-refresh).
//
// Theorem (refreshes). If T0 is a bound whose latencies leave waits for refreshes out, T0 + (k + 1) c is one, k the
// largest integer with k (p - c) <= T0.
// Proof. Let a run take T cycles. As above it takes at most T0 and the cycles in which an access of them waits for a
// refresh. Of n p + s cycles in a row, s < p, at most n c + min(c, s) are of refreshes, so n (p - c) + max(0, s - c) at
// least are of none: that never falls with T, and with one cycle more than T0 + (k + 1) c = k p + c + T0 - k (p - c) it
// is more than T0. QED
//
// Theorem (together). Where both are assumed, a bound is that of latencies without either wait and q P t more, made
// longer as the theorem of refreshes says. What memory takes for lines that it serves once (memory_model.cpp) may count
// in it as in any bound. Proof. A cycle of the path is one that latencies without these waits count, or one in which
// others' lines are served, or one in which a translation is on its way to the multiprocessor, or else an access waits
// for a refresh in it. Those but the last are T0 at most, the bound without either and q P t; the theorem of
// refreshes is for any T0. Lines that are served once take the same of memory whenever they are asked for. QED
#include "timing/costs/waits_once.hpp"

#include <algorithm>

namespace warpspan::timing {

Latency with_waits_once(Latency latency, const Service& service) {
  const int64_t less = (service.pages_once ? latency.translation : 0) + (service.refresh_by_time ? latency.refresh : 0);
  latency.worst = std::max<int64_t>(0, latency.worst - less);
  latency.average = std::min(latency.average, latency.worst);
  latency.best = std::min(latency.best, latency.worst);
  return latency;
}

support::Integer with_refreshes(support::Integer cycles, const RefreshFigures& refresh) {
  return cycles + (floor_divide(cycles, refresh.interval - refresh.cycles) + 1) * refresh.cycles;
}

}  // namespace warpspan::timing
