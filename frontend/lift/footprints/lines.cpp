// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. If a set is covered by p intervals of n bytes, count copies of it at multiples of a stride are covered by
// p intervals of n + stride * (count - 1) bytes, and by p * count intervals of n bytes. An interval of n bytes touches
// at most 1 + ceil((n - 1) / 128) lines.
// Proof. An interval and its copies lie in the hull of the first and the last one; or are count intervals. The first
// byte touches one line, and of the n - 1 bytes behind it each 128th at the latest enters another. QED
// Which of the two is chosen changes nothing about that. Copies that leave no whole line free are made one interval.
#include "frontend/lift/footprints/lines.hpp"

#include <algorithm>
#include <cstdlib>

#include "ir/sizes.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

LineCount lines_in_a_row(int64_t bytes) {
  const int64_t fewest = 1 + (bytes - 1) / ir::memory_line_bytes;
  return {fewest + ((bytes - 1) % ir::memory_line_bytes != 0 ? 1 : 0), fewest};
}

std::optional<LineCount> lines_of(int64_t bytes, std::vector<Repetition> repetitions) {
  for (Repetition& r : repetitions) {
    if (r.stride == INT64_MIN) return std::nullopt;
    r.stride = std::abs(r.stride);
  }
  std::sort(repetitions.begin(), repetitions.end(),
            [](const Repetition& a, const Repetition& b) { return a.stride < b.stride; });
  support::Integer row = bytes;
  support::Integer rows = 1;
  for (const Repetition& r : repetitions) {
    const auto known = row.value();
    if (!known) return std::nullopt;
    if (r.stride - *known < ir::memory_line_bytes) {
      row += support::Integer(r.stride) * support::Integer(r.count - 1);
    } else {
      rows *= r.count;
    }
  }
  const auto known = row.value();
  if (!known) return std::nullopt;
  const LineCount in_row = lines_in_a_row(*known);
  const auto most = (rows * support::Integer(in_row.most)).value();
  const auto fewest = (rows * support::Integer(in_row.fewest)).value();
  if (!most || !fewest) return std::nullopt;
  return LineCount{*most, *fewest};
}

}  // namespace warpspan::lift
