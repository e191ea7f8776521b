// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let variables v_0, ..., v_k with n_0, ..., n_k values have the terms t, t n_0, t n_0 n_1, ... in the
// address, and in every condition c, c n_0, c n_0 n_1, ... for a c of its own. Then u = v_0 + n_0 v_1 + n_0 n_1 v_2 +
// ... takes each value from 0 to n_0 ... n_k - 1 at exactly one point of their box, and address and conditions depend
// on u alone, with the terms t and c. Proof. u is written in mixed radix, v_i its digits. The rest is the distributive
// law. QED A tail guard compares such a u, the number of a thread in the grid or an index in a row, with a limit.
#include "frontend/lift/footprints/axes.hpp"

#include <algorithm>

#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

using support::Int128;

// An axis whose conditions are not yet applied; by condition, its term there.
struct Candidate {
  Axis axis;
  std::vector<int64_t> terms;
};

// One axis of several, given by ascending terms in the condition that joins them.
std::optional<Candidate> joined(const std::vector<Candidate>& parts) {
  Candidate all = parts.front();
  bool whole = all.axis.is_of_lanes();  // up to here
  for (size_t i = 1; i < parts.size(); ++i) {
    const Candidate& part = parts[i];
    const auto follows = [&](int64_t low, int64_t high) { return Int128(low) * all.axis.count == high; };
    if (!follows(all.axis.stride, part.axis.stride)) return std::nullopt;
    for (size_t c = 0; c < all.terms.size(); ++c) {
      if (!follows(all.terms[c], part.terms[c])) return std::nullopt;
    }
    if (part.axis.lanes > 1 && !whole) return std::nullopt;
    if (whole) all.axis.lanes *= part.axis.lanes;
    whole = whole && part.axis.is_of_lanes();
    if (__builtin_mul_overflow(all.axis.count, part.axis.count, &all.axis.count)) return std::nullopt;
  }
  return all;
}

// Makes the axes that a condition mentions one.
bool join(std::vector<Candidate>& candidates, size_t condition) {
  const auto magnitude = [&](const Candidate& c) {
    const Int128 term = c.terms[condition];
    return term < 0 ? -term : term;
  };
  std::vector<Candidate> mentioned;
  for (const Candidate& c : candidates) {
    if (c.terms[condition] != 0) mentioned.push_back(c);
  }
  if (mentioned.size() < 2) return true;
  std::sort(mentioned.begin(), mentioned.end(),
            [&](const Candidate& a, const Candidate& b) { return magnitude(a) < magnitude(b); });
  const auto one = joined(mentioned);
  if (!one) return false;
  std::erase_if(candidates, [&](const Candidate& c) { return c.terms[condition] != 0; });
  candidates.push_back(*one);
  return true;
}

// constant + term * u <= 0.
void restrict(Axis& axis, int64_t constant, int64_t term) {
  const Int128 wide = constant;
  const auto floor = [](Int128 a, Int128 b) { return a / b - (a % b < 0 ? 1 : 0); };
  if (term > 0) {
    const Int128 most = floor(-wide, term);
    axis.last = most < axis.first ? axis.first - 1 : static_cast<int64_t>(std::min<Int128>(axis.last, most));
  } else {
    const Int128 least = -floor(-wide, -Int128(term));
    axis.first = least > axis.last ? axis.last + 1 : static_cast<int64_t>(std::max<Int128>(axis.first, least));
  }
}

}  // namespace

std::optional<std::vector<Axis>> axes_of(const Accesses& accesses) {
  std::vector<LinearForm> conditions;  // those that do not hold everywhere
  for (const LinearForm& condition : accesses.conditions) {
    const auto values = values_of(condition, accesses.box);
    if (!values || values->least > 0) return std::nullopt;
    if (values->most > 0) conditions.push_back(condition);
  }
  std::vector<Candidate> candidates;
  for (size_t v = 0; v < accesses.box.counts.size(); ++v) {
    const int64_t count = accesses.box.counts[v];
    if (count == 1) continue;
    Candidate c;
    c.axis = {accesses.address.terms[v], count, v < accesses.lane_variables ? count : 1, 0, 0};
    for (const LinearForm& condition : conditions) c.terms.push_back(condition.terms[v]);
    candidates.push_back(std::move(c));
  }
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (!join(candidates, i)) return std::nullopt;
  }
  std::vector<Axis> axes;
  for (Candidate& c : candidates) {
    c.axis.last = c.axis.count - 1;
    for (size_t i = 0; i < conditions.size(); ++i) {
      if (c.terms[i] != 0) restrict(c.axis, conditions[i].constant, c.terms[i]);
    }
    if (c.axis.size() < 1) return std::nullopt;
    axes.push_back(c.axis);
  }
  return axes;
}

}  // namespace warpspan::lift
