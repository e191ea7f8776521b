// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/response_times/timeline_lanes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace warpspan::app {

namespace rt = solver::response_times;

size_t task_of(const Timeline& timeline, const rt::BlockRun& block) { return timeline.releases[block.piece.job].task; }

std::vector<Lane> lanes_of(const rt::Workload& workload, const Timeline& timeline) {
  const std::vector<rt::BlockRun>& blocks = timeline.run.blocks;
  std::map<std::pair<bool, int64_t>, std::vector<Lane>> places;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const rt::Task& task = workload.tasks[task_of(timeline, blocks[i])];
    const bool copies = std::holds_alternative<rt::Copy>(task.operations[blocks[i].piece.operation]);
    auto& lanes = places[{copies, blocks[i].multiprocessor}];
    const auto is_free = [&](const Lane& lane) { return blocks[lane.blocks.back()].end <= blocks[i].start; };
    auto lane = std::find_if(lanes.begin(), lanes.end(), is_free);
    if (lane == lanes.end()) {
      lane = lanes.insert(lanes.end(), Lane{copies, blocks[i].multiprocessor, lanes.empty(), {}});
    }
    lane->blocks.push_back(i);
  }
  std::vector<Lane> all;
  for (auto& [place, lanes] : places) std::move(lanes.begin(), lanes.end(), std::back_inserter(all));
  return all;
}

}  // namespace warpspan::app
