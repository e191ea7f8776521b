// SPDX-License-Identifier: GPL-3.0-or-later
// The run in which everything takes its most time, as a picture: docs/response-times.md.
#include "app/reports/response_times/response_formats.hpp"
#include "app/reports/response_times/response_words.hpp"
#include "app/reports/response_times/timeline_picture.hpp"

namespace warpspan::app {

std::string to_svg(const ResponseReport& report, const TextStyle&) {
  if (!report.timeline) return {};
  const Timeline& timeline = *report.timeline;
  return timeline_svg(report, timeline, whole_view(report, timeline, most_times_title), true);
}

}  // namespace warpspan::app
