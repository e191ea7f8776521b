// SPDX-License-Identifier: GPL-3.0-or-later
// A point at which all conditions hold is moved through the box, one variable after the other, as far as they still
// hold: so it stays a point that makes an access, wherever it ends.
#include "frontend/lift/footprints/reach.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

using support::Integer;

using Point = std::vector<int64_t>;

std::optional<int64_t> value_at(const LinearForm& form, const Point& point) {
  Integer sum = form.constant;
  for (size_t v = 0; v < point.size(); ++v) sum += Integer(form.terms[v]) * Integer(point[v]);
  return sum.value();
}

bool holds_at(const std::vector<LinearForm>& conditions, const Point& point) {
  return std::all_of(conditions.begin(), conditions.end(), [&point](const LinearForm& condition) {
    const auto value = value_at(condition, point);
    return value && *value <= 0;
  });
}

// Where each variable has what makes the form least.
Point corner_of(const LinearForm& form, const Box& box) {
  Point point(box.counts.size(), 0);
  for (size_t v = 0; v < point.size(); ++v) {
    if (form.terms[v] < 0) point[v] = box.counts[v] - 1;
  }
  return point;
}

// One of the corners at which a condition is least, or nothing if the others hold at none of these.
std::optional<Point> some_point(const Accesses& accesses) {
  std::vector<LinearForm> forms = accesses.conditions;
  forms.push_back(accesses.address);
  for (const LinearForm& form : forms) {
    Point point = corner_of(form, accesses.box);
    if (holds_at(accesses.conditions, point)) return point;
  }
  return std::nullopt;
}

// How far a variable may go up (or down) until a condition no longer holds, or it leaves the box.
std::optional<int64_t> steps_left(const Accesses& accesses, const Point& point, size_t variable, bool up) {
  int64_t steps = up ? accesses.box.counts[variable] - 1 - point[variable] : point[variable];
  for (const LinearForm& condition : accesses.conditions) {
    const auto value = value_at(condition, point);
    if (!value || *value == INT64_MIN || condition.terms[variable] == INT64_MIN) return std::nullopt;
    const int64_t step = up ? condition.terms[variable] : -condition.terms[variable];
    if (step > 0) steps = std::min(steps, -*value / step);
  }
  return steps;
}

// The address of a point that was moved to where the address is large, or small.
std::optional<int64_t> reached(const Accesses& accesses, Point point, bool is_most) {
  const std::vector<int64_t>& terms = accesses.address.terms;
  std::vector<size_t> order(point.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto weight = [&terms](size_t v) { return terms[v] < 0 ? terms[v] : -terms[v]; };  // INT64_MIN has no opposite
  std::stable_sort(order.begin(), order.end(), [&weight](size_t a, size_t b) { return weight(a) < weight(b); });
  for (const size_t v : order) {
    if (terms[v] == 0) continue;
    const bool up = (terms[v] > 0) == is_most;
    const auto steps = steps_left(accesses, point, v, up);
    if (!steps) return std::nullopt;
    point[v] += up ? *steps : -*steps;
  }
  return value_at(accesses.address, point);
}

}  // namespace

std::optional<Interval> sure_reach(const Accesses& accesses) {
  const auto point = some_point(accesses);
  if (!point) return std::nullopt;
  const auto least = reached(accesses, *point, false);
  const auto most = reached(accesses, *point, true);
  const auto end = most ? (Integer(*most) + Integer(accesses.bytes)).value() : std::nullopt;
  if (!least || !end) return std::nullopt;
  return Interval{*least, *end};
}

}  // namespace warpspan::lift
