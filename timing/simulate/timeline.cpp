// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/timeline.hpp"

#include <algorithm>

namespace warpspan::timing {

size_t TimelineRecorder::begin(int64_t block, size_t number, double from) {
  size_t row = timeline_.rows.size();
  if (!free_.empty()) {
    const auto first = std::min_element(free_.begin(), free_.end());
    row = *first;
    free_.erase(first);
  } else if (row < most_rows_) {
    timeline_.rows.emplace_back();
  } else {
    timeline_.left_out = std::max(timeline_.left_out, ++beyond_);
    return no_row;
  }
  timeline_.rows[row].warps.push_back({block, number, from, from});
  return row;
}

void TimelineRecorder::end(size_t row, double at) {
  if (row == no_row) {
    --beyond_;
    return;
  }
  timeline_.rows[row].warps.back().end = at;
  free_.push_back(row);
}

void TimelineRecorder::record(size_t row, const Timeline::Span& span) {
  if (!(span.end > span.begin)) return;
  Timeline::Row& to = timeline_.rows[row];
  if (timeline_.is_exact && ++spans_ > most_spans) {
    timeline_.is_exact = false;
    for (Timeline::Row& one : timeline_.rows) one.spans.clear();
  }
  if (timeline_.is_exact) to.spans.push_back(span);
  while (span.end > timeline_.width * most_segments) widen();
  const double width = timeline_.width;
  for (auto segment = static_cast<size_t>(span.begin / width); static_cast<double>(segment) * width < span.end;
       ++segment) {
    if (to.segments.size() <= segment) to.segments.resize(segment + 1);
    const double from = std::max(span.begin, static_cast<double>(segment) * width);
    to.segments[segment][span.activity] += std::min(span.end, static_cast<double>(segment + 1) * width) - from;
  }
}

// Two segments become one.
void TimelineRecorder::widen() {
  timeline_.width *= 2;
  for (Timeline::Row& row : timeline_.rows) {
    std::vector<Timeline::Segment> wide((row.segments.size() + 1) / 2);
    for (size_t i = 0; i < row.segments.size(); ++i) {
      for (size_t activity = 0; activity < activities; ++activity) wide[i / 2][activity] += row.segments[i][activity];
    }
    row.segments = std::move(wide);
  }
}

}  // namespace warpspan::timing
