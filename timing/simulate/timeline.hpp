// SPDX-License-Identifier: GPL-3.0-or-later
// What warps of a multiprocessor did over time, for pictures: every span of few, and of many what filled each segment
// of the time. As an account of waiting it is an estimate.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ir/kernel.hpp"
#include "timing/simulate/stalls.hpp"

namespace warpspan::timing {

inline constexpr size_t activities = stalls + 1;  // each Stall, then issuing
inline constexpr size_t issuing = activities - 1;

struct Timeline {
  // A warp that a row has, one after another.
  struct Warp {
    int64_t block = 0;  // among those that were simulated
    size_t number = 0;  // in its block
    double begin = 0, end = 0;
  };
  // A warp waits for something until it issues an instruction, or issues it.
  struct Span {
    double begin = 0, end = 0;
    size_t activity = 0;
    ir::InstructionId instruction = 0;
  };
  using Segment = std::array<double, activities>;  // cycles
  // Room for a warp, which another one takes when it has ended.
  struct Row {
    std::vector<Warp> warps;
    std::vector<Span> spans;        // ascending; none where there were too many of all rows
    std::vector<Segment> segments;  // of the time, each `width` long, up to the last in which something was done
  };
  std::vector<Row> rows;
  double width = 1;      // cycles, a power of two
  int64_t left_out = 0;  // rows that there were beside these
  bool is_exact = true;  // rows have spans
};

// Follows warps while they run.
class TimelineRecorder {
 public:
  static constexpr size_t no_row = SIZE_MAX;
  static constexpr size_t most_spans = 600, most_segments = 192;  // of all rows, and of each

  // rows: as many are followed; 0: none.
  explicit TimelineRecorder(size_t rows) : most_rows_(rows) {}

  // The row that the warp has until it ends; no_row: it is not followed.
  size_t begin(int64_t block, size_t number, double from);
  void end(size_t row, double at);
  // begin, end: not falling for each row.
  void add(size_t row, const Timeline::Span& span) {
    if (row != no_row) record(row, span);
  }

  Timeline take() { return std::move(timeline_); }

 private:
  void record(size_t row, const Timeline::Span& span);
  void widen();

  Timeline timeline_;
  std::vector<size_t> free_;  // rows without a warp, of those that are followed
  size_t most_rows_ = 0, spans_ = 0;
  int64_t beyond_ = 0;  // warps that run and are not followed
};

}  // namespace warpspan::timing
