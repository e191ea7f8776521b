// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. If a set is covered by p intervals of n bytes, count copies of it at multiples of a stride are covered by
// p intervals of n + stride * (count - 1) bytes, and by p * count intervals of n bytes. An interval of n bytes touches
// at most 1 + ceil((n - 1) / 128) lines.
// Proof. An interval and its copies lie in the hull of the first and the last one; or are count intervals. The first
// byte touches one line, and of the n - 1 bytes behind it each 128th at the latest enters another. QED
// Which of the two is chosen changes nothing about that. Copies that leave no whole line free are made one interval;
// count and count' copies at multiples of one stride are count + count' - 1, as i * stride + j * stride is (i + j) *
// stride.
//
// Theorem (together). Let sets have the same strides s_r, set i c_i,r copies for each of an interval of n_i bytes that
// begins at b + the sum over r of q_i,r s_r + d_i, d_i and all q_i,r not negative. All of them are covered by the
// largest c_i,r + q_i,r copies for each r of the interval of the largest d_i + n_i bytes from b on. Proof. A byte of
// set i is the sum of b, of (j_r + q_i,r) s_r, 0 <= j_r < c_i,r, and of d_i + x, 0 <= x < n_i. QED
// A set that lacks a stride has one copy for it.
#include "frontend/lift/footprints/lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

#include "ir/sizes.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

LineCount lines_in_a_row(int64_t bytes) {
  const int64_t fewest = 1 + (bytes - 1) / ir::memory_line_bytes;
  return {fewest + ((bytes - 1) % ir::memory_line_bytes != 0 ? 1 : 0), fewest};
}

std::optional<Rows> rows_of(int64_t start, int64_t bytes, std::vector<Repetition> repetitions) {
  support::Integer first = start;
  for (Repetition& r : repetitions) {
    if (r.stride == INT64_MIN) return std::nullopt;
    if (r.stride < 0) first += support::Integer(r.stride) * (r.count - 1);
    r.stride = std::abs(r.stride);
  }
  std::sort(repetitions.begin(), repetitions.end(),
            [](const Repetition& a, const Repetition& b) { return a.stride < b.stride; });
  support::Integer row = bytes;
  Rows rows;
  for (const Repetition& r : repetitions) {
    const auto known = row.value();
    if (!known) return std::nullopt;
    if (r.stride - *known < ir::memory_line_bytes) {
      row += support::Integer(r.stride) * (r.count - 1);
    } else if (!rows.repetitions.empty() && rows.repetitions.back().stride == r.stride) {
      const auto count = (support::Integer(rows.repetitions.back().count) + (r.count - 1)).value();
      if (!count) return std::nullopt;
      rows.repetitions.back().count = *count;
    } else if (r.count > 1) {
      rows.repetitions.push_back(r);
    }
  }
  const auto known = row.value(), begin = first.value();
  if (!known || !begin) return std::nullopt;
  rows.start = *begin;
  rows.bytes = *known;
  return rows;
}

std::optional<LineCount> lines_of(const Rows& rows) {
  support::Integer all = 1;
  for (const Repetition& r : rows.repetitions) all *= r.count;
  const LineCount in_row = lines_in_a_row(rows.bytes);
  const auto most = (all * in_row.most).value();
  const auto fewest = (all * in_row.fewest).value();
  if (!most || !fewest) return std::nullopt;
  return LineCount{*most, *fewest};
}

std::optional<LineCount> lines_of(int64_t bytes, std::vector<Repetition> repetitions) {
  const auto rows = rows_of(0, bytes, std::move(repetitions));
  return rows ? lines_of(*rows) : std::nullopt;
}

namespace {

// Rows that cover both, by the theorem; nothing where a number does not fit 64 bits.
std::optional<Rows> hull_of(const Rows& a, const Rows& b) {
  std::map<int64_t, int64_t, std::greater<>> counts;
  for (const Rows* rows : {&a, &b}) {
    for (const Repetition& r : rows->repetitions) counts[r.stride] = 1;
  }
  const int64_t start = std::min(a.start, b.start);
  int64_t bytes = 0;
  for (const Rows* rows : {&a, &b}) {
    auto rest = (support::Integer(rows->start) - start).value();
    if (!rest) return std::nullopt;
    for (auto& [stride, count] : counts) {
      const auto own = std::find_if(rows->repetitions.begin(), rows->repetitions.end(),
                                    [&](const Repetition& r) { return r.stride == stride; });
      const int64_t copies = own == rows->repetitions.end() ? 1 : own->count;
      const auto all = (support::Integer(*rest / stride) + copies).value();
      if (!all) return std::nullopt;
      count = std::max(count, *all);
      *rest %= stride;
    }
    const auto length = (support::Integer(*rest) + rows->bytes).value();
    if (!length) return std::nullopt;
    bytes = std::max(bytes, *length);
  }
  std::vector<Repetition> repetitions;
  for (const auto& [stride, count] : counts) repetitions.push_back({stride, count});
  return rows_of(start, bytes, std::move(repetitions));
}

}  // namespace

std::optional<int64_t> most_lines_of(std::vector<Rows> sets) {
  std::sort(sets.begin(), sets.end(), [](const Rows& a, const Rows& b) { return a.start < b.start; });
  std::vector<std::pair<Rows, int64_t>> covers;  // with their lines
  for (const Rows& set : sets) {
    const auto own = lines_of(set);
    if (!own) return std::nullopt;
    bool is_covered = false;
    for (auto& [cover, lines] : covers) {
      const auto hull = hull_of(cover, set);
      const auto of_hull = hull ? lines_of(*hull) : std::nullopt;
      if (!of_hull || of_hull->most - own->most > lines) continue;
      cover = *hull;
      lines = of_hull->most;
      is_covered = true;
      break;
    }
    if (!is_covered) covers.emplace_back(set, own->most);
  }
  support::Integer all;
  for (const auto& [cover, lines] : covers) all += lines;
  return all.value();
}

}  // namespace warpspan::lift
