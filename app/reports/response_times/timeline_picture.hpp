// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a picture: jobs of each task, and blocks and copies where they run.
#pragma once

#include <string>

#include "app/reports/response_times/response_report.hpp"

namespace warpspan::app {

struct TimelineView {
  std::string title;
  int64_t from = 0, to = 1;  // what is shown; from < to
  size_t most_tasks = 32;    // rows of jobs
  size_t most_lanes = 48;    // rows of blocks on multiprocessors
};

// All of a run, with the deadlines of its jobs where they make it no more than twice as long.
TimelineView whole_view(const ResponseReport& report, const Timeline& timeline, std::string title);

// An element <svg>, whose names mean what timeline_style says; the same input gives the same bytes. Places are computed
// in integers. Bars narrower than 4 pixels are joined with their neighbours, and rows beyond those of the view left
// out; the picture says so. With `document` it can stand by itself.
std::string timeline_svg(const ResponseReport& report, const Timeline& timeline, const TimelineView& view,
                         bool document = false);

// Of a task, "t3": the class of what has its colour.
std::string colour_class(size_t task);

// Rules of CSS for timelines and colours, on light and on dark ground.
const std::string& timeline_style();

}  // namespace warpspan::app
