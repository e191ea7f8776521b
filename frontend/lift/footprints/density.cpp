// SPDX-License-Identifier: GPL-3.0-or-later
// The accesses are axes (axes.hpp): points add stride * u for each axis, all combinations occur once. Base address 0
// may lie anywhere, so let a be its offset in a line, 0..127. "Line" is an aligned block of 128 bytes.
//
// Theorem 1 (no gap). Take the axes by ascending strides, and let a set of bytes begin with one access. If at each axis
// the stride is at most 127 more than the length of the set, and the set is then repeated along that axis, no line
// between the first and the last byte of the whole is left out, wherever it lies.
// Proof. By induction, no 128 bytes in a row between the first and the last byte of the set are free of touched ones:
// neither inside a copy nor between two. A line is 128 bytes in a row. QED
//
// Requests. Lanes of a warp at which all axes but those of lanes agree are one request. Theorem 1 along axes of
// lanes, with 126 for 127, makes them a row of h bytes each line of which is touched: a request for each. Further axes
// of lanes whose strides leave at least 127 bytes free to all before them make rows of which no line is shared, so
// each is as a warp of its own. An axis partly of lanes is cut by its limits where a warp is; the rows that are cut
// there are at most two along it. So requests are those of rows of h bytes at p_0 + sum of stride * u over the axes
// that are not of lanes: counted with the cut rows as if they were whole there are no fewer for any line, and without
// them there are no more in all. The first count bounds the most requests of a line, the second an average one from
// below.
//
// Theorem 2 (the most). Let the rows be copies at multiples of `top`, the largest stride, of a set that reaches over r
// bytes. Then no line is met by more than k = 1 + floor((r + 126) / top) copies, and what the most requests of a line
// are does not change if all copies but k + 128 / gcd(top, 128) are left out.
// Proof. A copy that meets a line begins in the r + 127 bytes up to its end, and so do at most k. They follow each
// other. Moving them and the line back by a multiple of 128 / gcd(top, 128) copies, which is a number of whole lines,
// makes the first of them one of the first 128 / gcd(top, 128); then all of them are among those that are left. QED
//
// The lines of the rows that are left are then counted, for each a. How many requests there are in all follows from how
// many rows begin at each offset modulo 128.
#include "frontend/lift/footprints/density.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "frontend/lift/footprints/axes.hpp"
#include "frontend/lift/footprints/lines.hpp"
#include "ir/sizes.hpp"
#include "support/checked.hpp"
#include "support/floor_divide.hpp"

namespace warpspan::lift {

namespace {

using support::floor_divide;
using support::Int128;
using support::WideInteger;

constexpr int64_t line = ir::memory_line_bytes;
constexpr int64_t farthest = int64_t{1} << 60;    // of an address from that of the object
constexpr int64_t most_rows = int64_t{1} << 22;   // that are counted one by one, over all a
constexpr int64_t most_lines = int64_t{1} << 22;  // in which they are counted

int64_t offset_in_line(int64_t address) { return address - line * floor_divide(address, line); }

bool by_stride(const Repetition& a, const Repetition& b) { return a.stride < b.stride; }

// Repetitions by ascending strides, those that change nothing left out.
std::vector<Repetition> sorted(std::vector<Repetition> repetitions) {
  std::erase_if(repetitions, [](const Repetition& r) { return r.stride == 0 || r.count == 1; });
  std::sort(repetitions.begin(), repetitions.end(), by_stride);
  return repetitions;
}

// Rows of requests, before and after those that are cut are left out.
struct RequestRows {
  int64_t bytes = 1;
  std::vector<Repetition> all, whole;  // also such that change nothing
  int64_t first = 0, first_whole = 0;  // where the first one begins
};

int64_t least_address(const Axis& axis) { return axis.stride * (axis.stride > 0 ? axis.first : axis.last); }

// By Theorem 1: the bytes from the first to the last one touched; nothing if a line between may be left out.
std::optional<int64_t> length_without_gap(const std::vector<Axis>& axes, int64_t bytes) {
  std::vector<Repetition> repetitions;
  for (const Axis& axis : axes) repetitions.push_back({std::abs(axis.stride), axis.size()});
  int64_t length = bytes;
  for (const Repetition& r : sorted(repetitions)) {
    if (r.stride - length >= line) return std::nullopt;
    length += r.stride * (r.count - 1);
  }
  return length;
}

// Adds what the lanes of a warp touch: one row, or several that are then repetitions of one.
bool add_lanes(const std::vector<Repetition>& lanes, RequestRows& rows) {
  int64_t reach = rows.bytes;
  for (const Repetition& r : sorted(lanes)) {
    const int64_t gap = r.stride - reach;
    const bool is_one_row = reach == rows.bytes && gap <= line - 2;
    if (!is_one_row && gap < line - 1) return false;
    reach += r.stride * (r.count - 1);
    if (is_one_row) {
      rows.bytes = reach;
    } else {
      rows.all.push_back(r);
      rows.whole.push_back(r);
    }
  }
  return true;
}

// Nothing if lanes and warps cannot be separated, or no row is whole.
std::optional<RequestRows> rows_of(const std::vector<Axis>& axes, const Accesses& accesses) {
  RequestRows rows;
  rows.bytes = accesses.bytes;
  int64_t origin = accesses.address.constant;
  std::vector<Repetition> lanes;
  for (const Axis& axis : axes) {
    const int64_t stride = std::abs(axis.stride);
    if (axis.lanes == 1 || axis.is_of_lanes()) {
      origin += least_address(axis);
      if (axis.lanes == 1) rows.all.push_back({stride, axis.size()});
      if (axis.lanes == 1) rows.whole.push_back({stride, axis.size()});
      if (axis.lanes > 1) lanes.push_back({stride, axis.size()});
      continue;
    }
    if (axis.stride < 0) return std::nullopt;
    const int64_t first = axis.first / axis.lanes;
    const int64_t first_whole = (axis.first + axis.lanes - 1) / axis.lanes;
    const int64_t end_whole = (axis.last + 1) / axis.lanes;
    if (first_whole >= end_whole) return std::nullopt;
    lanes.push_back({stride, axis.lanes});
    rows.all.push_back({stride * axis.lanes, axis.last / axis.lanes - first + 1});
    rows.whole.push_back({stride * axis.lanes, end_whole - first_whole});
    rows.first += stride * axis.lanes * first;
    rows.first_whole += stride * axis.lanes * first_whole;
  }
  rows.first += origin;
  rows.first_whole += origin;
  return add_lanes(lanes, rows) ? std::optional(rows) : std::nullopt;
}

// Those that follow each other without a break, as one.
std::vector<Repetition> merged(const std::vector<Repetition>& repetitions) {
  std::vector<Repetition> result;
  for (const Repetition& r : sorted(repetitions)) {
    const bool follows = !result.empty() && Int128(result.back().stride) * result.back().count == r.stride;
    if (follows) {
      result.back().count *= r.count;
    } else {
      result.push_back(r);
    }
  }
  return result;
}

// Where rows begin, those left out that Theorem 2 lets leave out; nothing if there are too many.
std::optional<std::vector<int64_t>> few_rows(const RequestRows& rows, int64_t most) {
  std::vector<Repetition> repetitions = merged(rows.all);
  if (!repetitions.empty()) {
    Repetition& top = repetitions.back();
    int64_t reach = rows.bytes;
    for (const Repetition& r : repetitions) reach += &r == &top ? 0 : r.stride * (r.count - 1);
    const int64_t enough = 1 + (reach + line - 2) / top.stride + line / std::gcd(top.stride, line);
    top.count = std::min(top.count, enough);
  }
  std::vector<int64_t> begins = {0};
  for (const Repetition& r : repetitions) {
    const auto before = static_cast<int64_t>(begins.size());
    if (before > most / r.count) return std::nullopt;
    for (int64_t i = 1; i < r.count; ++i) {
      for (int64_t j = 0; j < before; ++j) begins.push_back(begins[static_cast<size_t>(j)] + i * r.stride);
    }
  }
  return begins;
}

// The most rows that touch one line, if address 0 of `begins` lies at byte `offset` of a line.
int64_t most_of_a_line(const std::vector<int64_t>& begins, int64_t bytes, int64_t offset,
                       std::vector<int64_t>& changes) {
  std::fill(changes.begin(), changes.end(), 0);
  for (const int64_t begin : begins) {
    ++changes[static_cast<size_t>((begin + offset) / line)];
    --changes[static_cast<size_t>((begin + offset + bytes - 1) / line + 1)];
  }
  int64_t most = 0;
  int64_t now = 0;
  for (const int64_t change : changes) most = std::max(most, now += change);
  return most;
}

// How many rows begin at each offset modulo 128, counted from the first.
std::array<WideInteger, line> offsets_of(const std::vector<Repetition>& repetitions) {
  std::array<WideInteger, line> rows;
  rows[0] = 1;
  for (const Repetition& r : repetitions) {
    const int64_t period = line / std::gcd(r.stride, line);
    std::array<WideInteger, line> next;
    for (int64_t i = 0; i < std::min(period, r.count); ++i) {
      const int64_t times = (r.count - i - 1) / period + 1;  // numbers i, i + period, ... below the count
      const int64_t shift = (r.stride % line) * i % line;
      for (int64_t p = 0; p < line; ++p) {
        next[static_cast<size_t>((p + shift) % line)] += rows[static_cast<size_t>(p)] * WideInteger(times);
      }
    }
    rows = next;
  }
  return rows;
}

// Requests of whole rows in all, if address 0 lies at byte `offset` of a line.
WideInteger requests(const std::array<WideInteger, line>& offsets, const RequestRows& rows, int64_t offset) {
  const int64_t origin = offset_in_line(rows.first_whole + offset);
  WideInteger sum;
  for (int64_t p = 0; p < line; ++p) {
    const int64_t lines = ((p + origin) % line + rows.bytes - 1) / line + 1;
    sum += offsets[static_cast<size_t>(p)] * WideInteger(lines);
  }
  return sum;
}

// Requests that fall on the same line because strides are 0, which `merged` leaves out.
WideInteger repeated(const std::vector<Repetition>& repetitions) {
  WideInteger times = 1;
  for (const Repetition& r : repetitions) times *= WideInteger(r.stride == 0 ? r.count : 1);
  return times;
}

bool is_even(const RequestRows& rows, const Interval& range, int64_t alignment) {
  const auto begins = few_rows(rows, most_rows / (line / alignment));
  if (!begins) return false;
  const int64_t reach = *std::max_element(begins->begin(), begins->end()) + rows.bytes;
  if (reach / line + 3 > most_lines) return false;
  std::vector<int64_t> changes(static_cast<size_t>(reach / line + 3));
  const auto offsets = offsets_of(rows.whole);
  for (int64_t offset = 0; offset < line; ++offset) {
    if ((range.least + offset) % alignment != 0) continue;
    const int64_t most = most_of_a_line(*begins, rows.bytes, offset_in_line(rows.first + offset), changes);
    const int64_t lines = floor_divide(range.most - 1 + offset, line) - floor_divide(range.least + offset, line) + 1;
    const auto highest = (WideInteger(most) * repeated(rows.all) * WideInteger(lines)).value();
    const auto average = (requests(offsets, rows, offset) * WideInteger(2)).value();
    if (!highest || !average || *highest > *average) return false;
  }
  return true;
}

}  // namespace

bool covers_lines(const Accesses& accesses) {
  const auto axes = axes_of(accesses);
  if (!axes) return false;
  const auto moves = [](const Axis& axis) { return axis.stride != 0 && axis.size() > 1; };
  const auto moving = std::count_if(axes->begin(), axes->end(), moves);
  std::vector<Repetition> lanes;
  int64_t together = 1;
  for (const Axis& axis : *axes) {
    if (axis.lanes == 1) continue;
    const bool is_cut = axis.first % axis.lanes != 0 || (axis.last + 1) % axis.lanes != 0;
    if (is_cut && (axis.is_of_lanes() || moving > 1)) return false;
    lanes.push_back({std::abs(axis.stride), axis.lanes});
    together *= axis.lanes;
  }
  int64_t length = accesses.bytes;
  for (const Repetition& r : sorted(lanes)) {
    if (r.stride != length) return false;
    length *= r.count;
  }
  return together == ir::warp_lanes && length == together * accesses.bytes && length % line == 0;
}

std::optional<Interval> dense_range(const Accesses& accesses) {
  const auto values = values_of(accesses.address, accesses.box);
  if (!values || values->least < -farthest || values->most > farthest) return std::nullopt;
  const auto axes = axes_of(accesses);
  if (!axes) return std::nullopt;
  const auto length = length_without_gap(*axes, accesses.bytes);
  const auto rows = rows_of(*axes, accesses);
  if (!length || !rows || *length < least_dense_bytes) return std::nullopt;
  Interval range{accesses.address.constant, 0};
  for (const Axis& axis : *axes) range.least += least_address(axis);
  range.most = range.least + *length;
  const auto alignment = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(accesses.bytes)));
  return is_even(*rows, range, std::min(alignment, line)) ? std::optional(range) : std::nullopt;
}

}  // namespace warpspan::lift
