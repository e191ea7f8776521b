// SPDX-License-Identifier: GPL-3.0-or-later
// Paredes Zevallos' thesis: algorithm 2 on its examples, and its closed form for equal times.
#include <fmt/format.h>

#include "app/reports/response_times/timeline_lanes.hpp"
#include "app/requests/reproduce/sources.hpp"
#include "solver/response/finish_times.hpp"
#include "solver/response/simulation.hpp"

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;

constexpr int64_t slots = 8;
const std::vector<rt::Job> example = {{4, 2}, {6, 7}, {6, 2}, {5, 5}};  // (C, g) of K1 to K4

std::string number(int64_t value, int64_t scale) {
  return fmt::format("{}{}", value / scale, value % scale == 0 ? "" : fmt::format(".{}", 10 * (value % scale) / scale));
}

// Times of algorithm 2, in `scale`ths of the unit.
std::string finish_times(const std::vector<rt::Job>& jobs, int64_t scale = 1) {
  const auto times = rt::fifo_finish_times(jobs, slots);
  std::string out;
  for (const int64_t time : times ? *times : std::vector<int64_t>()) {
    out += (out.empty() ? "" : ", ") + number(time, scale);
  }
  return out;
}

// One kernel in each stream, all released at 0: the rules themselves (section 2.3), blocks placed first fit.
struct Simulated {
  rt::Workload workload;
  Timeline timeline;
};
Simulated run_of(const std::vector<rt::Job>& jobs) {
  Simulated all;
  rt::Workload& workload = all.workload;
  workload.gpu.capacity[0] = slots;
  for (size_t i = 0; i < jobs.size(); ++i) {
    rt::Task task;
    task.name = "K" + std::to_string(i + 1);
    task.stream = static_cast<int64_t>(i) + 1;
    task.operations = {rt::Kernel{jobs[i].pieces, jobs[i].cycles, {1, 0, 0, 0}}};
    workload.tasks.push_back(std::move(task));
    all.timeline.releases.push_back({i, 0});
  }
  rt::RunOptions options;
  options.keep_blocks = true;
  if (auto run = rt::simulate(workload, all.timeline.releases, options)) all.timeline.run = std::move(*run);
  return all;
}

std::string simulated(const std::vector<rt::Job>& jobs, int64_t scale = 1) {
  std::string out;
  for (const int64_t time : run_of(jobs).timeline.run.finish) out += (out.empty() ? "" : ", ") + number(time, scale);
  return out;
}

// A row for each slot, a column for each unit of time; the kernel's digit while one of its blocks has the slot.
Drawing timeline(const std::string& caption, const std::vector<rt::Job>& jobs) {
  std::vector<std::string> rows(static_cast<size_t>(slots));
  const Simulated all = run_of(jobs);
  const std::vector<Lane> lanes = lanes_of(all.workload, all.timeline);
  for (size_t i = 0; i < lanes.size(); ++i) {
    for (const size_t index : lanes[i].blocks) {
      const rt::BlockRun& block = all.timeline.run.blocks[index];
      rows.at(i).resize(static_cast<size_t>(block.start), ' ');
      rows.at(i).append(static_cast<size_t>(block.end - block.start), static_cast<char>('1' + block.piece.job));
    }
  }
  Drawing drawing{caption, {}};
  for (size_t i = 0; i < rows.size(); ++i) drawing.text += fmt::format("    slot {} |{}\n", i, rows[i]);
  return drawing;
}

std::vector<rt::Job> in_order(const std::vector<size_t>& order) {
  std::vector<rt::Job> jobs;
  for (const size_t i : order) jobs.push_back(example.at(i - 1));
  return jobs;
}

ReproducedPart examples() {
  ReproducedPart part{"Algorithm 2 on the thesis' examples (sections 3.2 to 4.3)"};
  part.figures = {
      {"eq. 3.6", "g_max: blocks of 512 threads on 4096", "8", std::to_string(4096 / 512)},
      {"section 3.5", "K1 K2 K3 K4 end at", "4, 10, 12, 11", finish_times(in_order({1, 2, 3, 4}))},
      {"figure 4.1", "K2 K3 K4 K1 end at (measured)", "6, 12, 11, 10", finish_times(in_order({2, 3, 4, 1}))},
      {"figure 4.3", "K2 K4 K1 K3 end at (measured)", "6, 11, 10, 12", finish_times(in_order({2, 4, 1, 3}))},
      {"figure 4.5", "K2 K1 K3 K4 end at (measured)", "6, 8, 12, 11", finish_times(in_order({2, 1, 3, 4}))},
      {"section 2.3", "K1 K2 K3 K4 by the rules G1 to R3", "4, 10, 12, 11", simulated(in_order({1, 2, 3, 4}))},
  };
  const std::vector<rt::Job> five = {{2, 4}, {1, 7}, {4, 10}, {11, 1}, {6, 3}};
  const std::vector<rt::Job> halves = {{3, 5}, {3, 4}, {3, 7}, {8, 1}, {5, 8}};  // in halves of the unit
  part.figures.push_back({"figure 4.8", "five kernels, first set, end at", "", finish_times(five)});
  part.figures.push_back({"figure 4.8", "the same by the rules", finish_times(five), simulated(five)});
  part.figures.push_back({"figure 4.10", "five kernels, second set, end at", "", finish_times(halves, 2)});
  part.figures.push_back({"figure 4.10", "the same by the rules", finish_times(halves, 2), simulated(halves, 2)});
  part.drawings = {timeline("K1 K2 K3 K4 (figure 3.9)", example),
                   timeline("K2 K3 K4 K1 as 1 2 3 4 (figures 4.1 and 4.2)", in_order({2, 3, 4, 1}))};
  part.left_out = {
      "Section 4.3 prints no times, only that measured and computed ones are equal. Its sets stand there as {T, g, C, "
      "b} in "
      "the second and, as its words state, in the first, elsewhere as {T, C, g, b}; they are taken so.",
      "Figures 2.5 and 2.6 are of another paper, whose kernels are not printed; figures 3.11 to 3.13 are times of "
      "Octave.",
      "Times, rather than bounds: a block that takes less than C may make others end later (docs/response-times.md)."};
  return part;
}

std::string closed_form(const std::vector<rt::Job>& jobs) {
  const auto times = rt::published_finish_times(jobs, slots);
  std::string out;
  for (const auto& time : times ? *times : std::vector<support::Rational>()) {
    out += (out.empty() ? "" : ", ") + to_string(time);
  }
  return out;
}

std::string corrected(const std::vector<rt::Job>& jobs) {
  const auto times = rt::corrected_finish_times(jobs, slots);
  std::string out;
  for (const int64_t time : times ? *times : std::vector<int64_t>()) {
    out += (out.empty() ? "" : ", ") + std::to_string(time);
  }
  return out;
}

ReproducedPart special_case() {
  ReproducedPart part{"The closed form for equal times (eq. 3.12 to 3.15)"};
  struct Case {
    std::vector<int64_t> blocks;
    const char* reason;
  };
  const std::vector<Case> cases = {
      {{2, 7, 2}, ""},
      {{3, 9, 5}, ""},
      {{2, 6, 2},
       "the second kernel just fills what is free: the signum function gives 0 there, alpha 1/2 instead of 0"},
      {{16},
       "8 blocks more than free slots: the last batch of blocks is counted twice, K has to be rounded up and alpha "
       "left out"},
      {{4, 12, 1}, "the same after a kernel that leaves 4 slots free"},
  };
  for (const Case& c : cases) {
    std::vector<rt::Job> jobs;
    std::string blocks;
    for (const int64_t g : c.blocks) {
      jobs.push_back({4, g});
      blocks += (blocks.empty() ? "" : ", ") + std::to_string(g);
    }
    const std::string what = "C = 4, blocks " + blocks + ": ";
    part.figures.push_back(
        {"eq. 3.12-3.15", what + "closed form, and algorithm 2", closed_form(jobs), finish_times(jobs), c.reason});
    part.figures.push_back({"eq. 3.12-3.15", what + "corrected, and algorithm 2", corrected(jobs), finish_times(jobs)});
  }
  part.drawings = {timeline("C = 4, blocks 2, 6, 2: the third kernel cannot begin at 2", {{4, 2}, {4, 6}, {4, 2}}),
                   timeline("C = 4, 16 blocks: the kernel ends at 8, not at 12", {{4, 16}})};
  part.left_out = {
      "Corrected: if g_i > g_f, K is (g_i - g_f) / g_max rounded up, t_a grows by K C, and g_f becomes K g_max - (g_i "
      "- "
      "g_f); else g_f falls by g_i. It agrees with algorithm 2 on random sets, too (tests/solver/response)."};
  return part;
}

}  // namespace

ReproducedSource response_times_on_tx2(const Effort&) {
  return {"",
          "D. L. Paredes Zevallos, AMALTHEA-based GPU response time analysis for NVidia's Jetson TX2, master thesis, "
          "Fachhochschule Dortmund, 2019",
          {examples(), special_case()}};
}

}  // namespace warpspan::app
