// SPDX-License-Identifier: GPL-3.0-or-later
// Raravi and Andersson: figures 3 to 5, the finishing time FT, and where it is too small.
#include <fmt/format.h>

#include "app/requests/reproduce/sources.hpp"
#include "app/requests/reproduce/string_problems.hpp"
#include "solver/strings/bounds/raravi.hpp"

namespace warpspan::app {

namespace {

// C (LLC)^r L on one load/store unit and two times the cores of a warp of 16 threads.
std::string program(int64_t sub_blocks) {
  std::string letters = "C";
  for (int64_t i = 0; i < sub_blocks; ++i) letters += "LLC";
  return letters + "L";
}

solver::StringProblem instance(int64_t sub_blocks, int64_t warps) {
  return string_problem(program(sub_blocks), warps, {1, 2});
}

std::string formula(int64_t sub_blocks, int64_t warps) {
  const auto bound = solver::raravi_bound(instance(sub_blocks, warps), {0, 1});
  return bound.makespan ? std::to_string(*bound.makespan) : bound.remark;
}

std::string exact(int64_t sub_blocks, int64_t warps) {
  return std::to_string(exact_makespan(instance(sub_blocks, warps)));
}

ReproducedPart schedules() {
  ReproducedPart part{"Schedules of four warps (figures 3 to 5)"};
  const std::string what = "the schedule is work-conserving; its makespan, r = ";
  part.figures = {
      {"figure 4", what + "2", "22 cycles",
       checked_schedule({"CLLC.....LLCS", "C..LLC.....L.LCS", ".C...LLC......L.LCS", ".C.....LLC.......L.LCS"},
                        instance(2, 4))},
      {"figure 5", what + "3", "30 cycles",
       checked_schedule({"CLLC.....LLC.....LLCS", "C..LLC.....LLC.....L.LCS", ".C...LLC.....LLC......L.LCS",
                         ".C.....LLC.....LLC.......L.LCS"},
                        instance(3, 4))},
      {"figure 3", "longest of its two schedules, r = 1; here of all", "14", exact(1, 4)},
  };
  part.left_out = {"The rows of figure 3 are not in the report's text, only their makespans, 14 and 13."};
  return part;
}

ReproducedPart formula_values() {
  ReproducedPart part{"The finishing time FT = 3n + 2 + 2n(r - 1) of n warps"};
  for (const auto& [r, printed] : {std::pair<int64_t, const char*>{1, "14"}, {2, "22"}, {3, "30"}}) {
    part.figures.push_back({"section III", fmt::format("FT, n = 4, r = {}", r), printed, formula(r, 4)});
  }
  part.figures.push_back({"section III", "threads of the schedules of figures 4 and 5", "48", "64",
                          "the text has 48, the figures have four warps of 16"});
  part.figures.push_back({"section III", "FT as an upper bound, n = 1, r = 2", formula(2, 1), exact(2, 1),
                          "one warp has 8 instructions, a cycle each"});
  for (const int64_t r : {2, 3}) {
    part.figures.push_back(
        {"section III", fmt::format("FT as an upper bound, n = 4, r = {}", r), formula(r, 4), exact(r, 4),
         "FT rests on fairness to sub-blocks, which real schedulers do not have, as the paper states; "
         "without it the worst case is (2r + 1)n + r + 1"});
  }
  part.drawings = {worst_schedule("A work-conserving schedule of four warps that takes longer than FT = 22, r = 2",
                                  program(2), instance(2, 4)),
                   worst_schedule("One warp, r = 2, FT = 7", program(2), instance(2, 1))};
  part.left_out = {
      "That FT is the worst case of all schedules fair to sub-blocks, for 2 to 4 warps and 1 to 3 sub-blocks, is tried "
      "by "
      "brute force in tests/solver/strings/bounds/raravi_test.cpp."};
  return part;
}

}  // namespace

ReproducedSource finishing_time(const Effort&) {
  return {
      "",
      "G. Raravi, B. Andersson, Calculating an upper bound on the finishing time of a group of threads executing on "
      "a GPU: a preliminary case study, CISTER HURRAY-TR-100701, 2010",
      {schedules(), formula_values()}};
}

}  // namespace warpspan::app
