// SPDX-License-Identifier: GPL-3.0-or-later
// What a report of response times says, in words that its formats share.
#pragma once

#include <string>
#include <vector>

#include "app/reports/response_times/response_report.hpp"

namespace warpspan::app {

// "1.234 ms", rounded up; of times without unit "1,234".
std::string time_text(int64_t time, const ResponseReport& report);

// The same, exactly: "1.234567 ms". Never rounded.
std::string exact_time(int64_t time, const ResponseReport& report);

// Of the labels of an axis that ends at `most`.
struct TimeUnit {
  int64_t size = 1;
  const char* name = "";
};
TimeUnit time_unit(int64_t most, const ResponseReport& report);

// "1.25", exactly; time from 0.
std::string in_unit(int64_t time, const TimeUnit& unit);

// The text, printable, cut after so many bytes, between characters, with " ..." where it is longer.
std::string short_text(const std::string& text, size_t most);

// Of the report's timeline.
inline constexpr const char* most_times_title = "A run in which everything takes its most time";

// "12.3 %", rounded up to a tenth.
std::string share_text(int64_t millionths);

// "meets its deadline", "no bound: ...".
std::string verdict_text(const TaskResponse& task);

// "tx2, 2 multiprocessors of 32 blocks, ...".
std::string gpu_text(const ResponseReport& report);

// "copies of 'filter'".
std::string term_text(const solver::response_times::Term& term, const ResponseReport& report);

// "kernel saxpy", "kernel of 17 blocks", "copy to the device".
std::string operation_text(const ResponseReport& report, size_t task, size_t operation);

size_t engines_of(const ResponseReport& report);

// What tasks take of something in the long run.
struct Share {
  std::string of;          // "kernels", "copy engine 0"
  int64_t millionths = 0;  // of all tasks
  std::vector<int64_t> tasks;
};

// Of the GPU by kernels, and of each copy engine.
std::vector<Share> shares_of(const ResponseReport& report);

}  // namespace warpspan::app
