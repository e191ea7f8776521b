// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/timeline.hpp"

#include <catch2/catch.hpp>

#include "tests/timing/simulate/made_traces.hpp"

using namespace warpspan;
using namespace warpspan::timing;
using namespace warpspan::test;

namespace {

double cycles_of(const Timeline& timeline, size_t activity) {
  double sum = 0;
  for (const Timeline::Row& row : timeline.rows) {
    for (const Timeline::Segment& segment : row.segments) sum += segment[activity];
  }
  return sum;
}

constexpr auto fixed = static_cast<size_t>(Stall::fixed);
constexpr auto memory = static_cast<size_t>(Stall::memory);

}  // namespace

TEST_CASE("a timeline has the waits and issues of a warp, one behind the other") {
  MadeCode code;
  const auto a = code.add(ir::ExecutionUnit::integer, {.stall = 4});
  const auto b = code.add(ir::ExecutionUnit::integer, {.stall = 6});
  const auto c = code.add(ir::ExecutionUnit::integer);
  ir::BlockTrace block;
  block.warps = {steps({a, b, c})};
  const MultiprocessorRun run = run_block(code, plain_machine(), block);
  REQUIRE(run.timeline.rows.size() == 1);
  const Timeline::Row& row = run.timeline.rows.front();
  REQUIRE(row.warps.size() == 1);
  CHECK(row.warps.front().begin == 0);
  CHECK(row.warps.front().end == 11);
  using Cells = std::array<double, 2>;
  std::vector<Cells> times;
  std::vector<size_t> did;
  std::vector<ir::InstructionId> ids;
  for (const Timeline::Span& one : row.spans) {
    times.push_back({one.begin, one.end});
    did.push_back(one.activity);
    ids.push_back(one.instruction);
  }
  CHECK(times == std::vector<Cells>{{0, 1}, {1, 4}, {4, 5}, {5, 10}, {10, 11}});
  CHECK(did == std::vector<size_t>{issuing, fixed, issuing, fixed, issuing});
  CHECK(ids == std::vector<ir::InstructionId>{a, b, b, c, c});
  for (size_t stall = 0; stall < stalls; ++stall) {
    double waited = 0;
    for (const InstructionStalls& one : run.stalls) waited += one.cycles[stall];
    CHECK(cycles_of(run.timeline, stall) == waited);
  }
  CHECK(cycles_of(run.timeline, issuing) == 3);
}

TEST_CASE("a timeline of many spans keeps what each segment of the time was filled with") {
  TimelineRecorder recorder(2);
  const size_t row = recorder.begin(0, 0, 0);
  for (int i = 0; i < 1000; ++i) {  // 7 cycles of memory and 3 of something fixed
    const double at = 10.0 * i;
    recorder.add(row, {at, at + 7, memory, 0});
    recorder.add(row, {at + 7, at + 10, fixed, 0});
  }
  recorder.end(row, 10000);
  const Timeline timeline = recorder.take();
  CHECK_FALSE(timeline.is_exact);
  CHECK(timeline.rows[row].spans.empty());
  CHECK(timeline.width == 64);  // 10,000 cycles in at most 192 segments
  CHECK(timeline.rows[row].segments.size() == 157);
  CHECK(cycles_of(timeline, memory) == 7000);
  CHECK(cycles_of(timeline, fixed) == 3000);
  for (size_t i = 0; i + 1 < 157; ++i) {
    const Timeline::Segment& segment = timeline.rows[row].segments[i];
    CHECK(segment[memory] + segment[fixed] == 64);
  }
}

TEST_CASE("few spans are kept, and one more than that are none") {
  for (const size_t count : {TimelineRecorder::most_spans, TimelineRecorder::most_spans + 1}) {
    TimelineRecorder recorder(1);
    recorder.begin(0, 0, 0);
    for (size_t i = 0; i < count; ++i) recorder.add(0, {static_cast<double>(i), static_cast<double>(i + 1), memory, 0});
    const Timeline timeline = recorder.take();
    CHECK(timeline.is_exact == (count == TimelineRecorder::most_spans));
    CHECK(timeline.rows.front().spans.size() == (timeline.is_exact ? count : 0));
  }
}

TEST_CASE("a warp takes the first row that is free, and those that have no row are counted") {
  TimelineRecorder recorder(2);
  CHECK(recorder.begin(0, 0, 0) == 0);
  CHECK(recorder.begin(0, 1, 0) == 1);
  const size_t third = recorder.begin(0, 2, 0);
  CHECK(third == TimelineRecorder::no_row);
  recorder.add(third, {0, 5, memory, 0});
  recorder.end(third, 5);
  recorder.end(1, 7);
  recorder.end(0, 9);
  CHECK(recorder.begin(1, 0, 10) == 0);
  CHECK(recorder.begin(1, 1, 10) == 1);
  CHECK(recorder.begin(1, 2, 10) == TimelineRecorder::no_row);
  const Timeline timeline = recorder.take();
  CHECK(timeline.left_out == 1);
  REQUIRE(timeline.rows.size() == 2);
  CHECK(timeline.rows[0].warps.size() == 2);
  CHECK(timeline.rows[0].warps[0].end == 9);
  CHECK(timeline.rows[1].warps[1].block == 1);
  CHECK(cycles_of(timeline, memory) == 0);
}
