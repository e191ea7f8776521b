// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let f and c_1, ..., c_k be linear forms on a box and m_i >= 0. Where all c_i <= 0, f is at most the largest
// value of f - sum of m_i * c_i in the whole box.
// Proof. There, f <= f - sum of m_i * c_i, because each m_i * c_i <= 0. The right side is a form on the box. Its
// largest value is taken at a corner that each term chooses alone. So any multipliers give a bound; good ones cancel
// the terms of a condition. For the least value of f take -f.
#include "frontend/lift/footprints/linear_forms.hpp"

#include <algorithm>

#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

using support::Int128;
using support::WideInteger;

std::optional<int64_t> narrow(const WideInteger& wide) {
  const auto value = wide.value();
  if (!value || *value < INT64_MIN || *value > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(*value);
}

std::optional<int64_t> largest(const LinearForm& form, const Box& box) {
  WideInteger sum = form.constant;
  for (size_t v = 0; v < form.terms.size(); ++v) {
    if (form.terms[v] > 0) sum += WideInteger(form.terms[v]) * WideInteger(box.counts[v] - 1);
  }
  return narrow(sum);
}

std::optional<LinearForm> negated(const LinearForm& form) {
  return minus_multiple({0, std::vector<int64_t>(form.terms.size(), 0)}, 1, form);
}

// The best that one multiple of a condition makes of the largest value of a form.
bool improve(LinearForm& form, int64_t& most, const LinearForm& condition, const Box& box) {
  std::optional<LinearForm> best;
  for (size_t v = 0; v < form.terms.size(); ++v) {
    if (condition.terms[v] == 0 || box.counts[v] == 1) continue;
    const int64_t factor = form.terms[v] / condition.terms[v];
    if (factor <= 0) continue;
    const auto changed = minus_multiple(form, factor, condition);
    const auto bound = changed ? largest(*changed, box) : std::nullopt;
    if (!bound || *bound >= most) continue;
    most = *bound;
    best = changed;
  }
  if (best) form = *best;
  return best.has_value();
}

std::optional<int64_t> largest_under(LinearForm form, const Box& box, const std::vector<LinearForm>& conditions) {
  auto most = largest(form, box);
  if (!most) return std::nullopt;
  for (const LinearForm& condition : conditions) improve(form, *most, condition, box);
  return most;
}

}  // namespace

std::optional<LinearForm> minus_multiple(const LinearForm& a, int64_t factor, const LinearForm& b) {
  LinearForm result = a;
  const auto constant = narrow(WideInteger(a.constant) - WideInteger(factor) * WideInteger(b.constant));
  if (!constant) return std::nullopt;
  result.constant = *constant;
  for (size_t v = 0; v < a.terms.size(); ++v) {
    const auto term = narrow(WideInteger(a.terms[v]) - WideInteger(factor) * WideInteger(b.terms[v]));
    if (!term) return std::nullopt;
    result.terms[v] = *term;
  }
  return result;
}

std::optional<Interval> values_of(const LinearForm& form, const Box& box) { return values_under(form, box, {}); }

std::optional<Interval> values_under(const LinearForm& form, const Box& box,
                                     const std::vector<LinearForm>& conditions) {
  const auto opposite = negated(form);
  const auto most = largest_under(form, box, conditions);
  const auto least = opposite ? largest_under(*opposite, box, conditions) : std::nullopt;
  if (!most || !least || *least == INT64_MIN || -*least > *most) return std::nullopt;
  return Interval{-*least, *most};
}

}  // namespace warpspan::lift
