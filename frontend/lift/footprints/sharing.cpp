// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that one line touches begin in `bytes` + 127 consecutive offsets, so no two are more than w = bytes + 126
// apart.
//
// Theorem. Let copies begin at sums of s_i * u_i with 0 < s_1 <= s_2 <= ... and 0 <= u_i < n_i, and r_k be the sum of
// s_i * (n_i - 1) up to k. Let p_0 = 1, and p_k the lesser of p_(k-1) * min(n_k, 1 + floor((w + r_(k-1)) / s_k)) and,
// where d_k, the least of s_i - r_(i-1) up to k, is positive, 1 + floor(w / d_k). No more than p_k combinations of the
// first k numbers have sums of which no two are more than w apart.
// Proof. By induction. The values of u_k among them differ by at most (w + r_(k-1)) / s_k, and for each of them the
// sums of the others are within w of each other. Two combinations that differ, last in u_i, have sums that differ by
// s_i - r_(i-1) at least; so in a stretch of w there are at most 1 + floor(w / d_k). QED
// A stride of 0 repeats all of them. Strides change their sign if their numbers are counted from the other end. Numbers
// that continue each other (s_(k+1) = n_k * s_k) are one.
#include "frontend/lift/footprints/sharing.hpp"

#include <algorithm>

#include "ir/sizes.hpp"
#include "support/checked.hpp"
#include "support/floor_divide.hpp"

namespace warpspan::lift {

namespace {

using support::Integer;

std::vector<Repetition> merged(const std::vector<Repetition>& sorted) {
  std::vector<Repetition> result;
  for (const Repetition& r : sorted) {
    const bool continues = !result.empty() && (Integer(result.back().stride) * result.back().count).value() == r.stride;
    const auto count = continues ? (Integer(result.back().count) * r.count).value() : std::nullopt;
    if (count) {
      result.back().count = *count;
    } else {
      result.push_back(r);
    }
  }
  return result;
}

// Of copies that begin no further apart than `width`.
int64_t most_within(Integer width, std::vector<Repetition> repetitions) {
  Integer repeated = 1;
  for (Repetition& r : repetitions) {
    if (r.stride == INT64_MIN) return INT64_MAX;
    r.stride = std::abs(r.stride);
    if (r.stride == 0) repeated *= r.count;
  }
  std::erase_if(repetitions, [](const Repetition& r) { return r.stride == 0 || r.count == 1; });
  std::sort(repetitions.begin(), repetitions.end(),
            [](const Repetition& a, const Repetition& b) { return a.stride < b.stride; });
  Integer most = 1, reach = 0, apart = INT64_MAX;
  for (const Repetition& r : merged(repetitions)) {
    most *= min(Integer(r.count), floor_divide(width + reach, r.stride) + 1);
    apart = min(apart, Integer(r.stride) - reach);
    const auto least = apart.value();
    if (!least) return INT64_MAX;
    if (*least > 0) most = min(most, floor_divide(width, *least) + 1);
    reach += Integer(r.stride) * (r.count - 1);
  }
  return (most * repeated).value().value_or(INT64_MAX);
}

}  // namespace

int64_t most_at_a_line(int64_t bytes, std::vector<Repetition> repetitions) {
  return most_within(Integer(bytes) + (ir::memory_line_bytes - 2), std::move(repetitions));
}

// Where all strides are multiples of lines, all copies begin as far behind a line's beginning as that one.
int64_t most_at_a_line_from(int64_t first, int64_t bytes, const std::vector<Repetition>& repetitions) {
  const bool begin_alike = std::all_of(repetitions.begin(), repetitions.end(), [](const Repetition& r) {
    return r.count == 1 || r.stride % ir::memory_line_bytes == 0;
  });
  if (!begin_alike) return most_at_a_line(bytes, repetitions);
  const int64_t behind = first - support::floor_divide(first, ir::memory_line_bytes) * ir::memory_line_bytes;
  const Integer further = floor_divide(Integer(behind) + (bytes - 1), ir::memory_line_bytes);
  return most_within(further * ir::memory_line_bytes, repetitions);
}

}  // namespace warpspan::lift
