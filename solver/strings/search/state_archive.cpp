// SPDX-License-Identifier: GPL-3.0-or-later
// A state that was reached after t cycles has a predecessor that was reached after t - 1, in one of the layers that a
// step lies before its own. Whether a step leads from one state to another follows from the counts: who leaves the
// first position is the difference of its counts, who leaves the second is that plus the difference of its own, and so
// on; the step is one if no worker leaves a position where it does not stand and every class executes as many as it
// must. So nothing but states and times is stored. Going back from the end takes the least of the predecessors, which
// does not depend on the order in which they were found.
//
// Workers are identical; as a schedule needs names, those that come first to a position leave it first, and of those
// that reach it in the same cycle the one with the smallest number.
#include "solver/strings/search/state_archive.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace warpspan::solver {

template <size_t words>
StateArchive<words>::StateArchive(const FlatProblem& problem, const StateLayout& layout, MemoryMeter& meter)
    : problem_(problem), layout_(layout), meter_(meter) {}

template <size_t words>
typename StateArchive<words>::Kept* StateArchive<words>::add_layer(int64_t progress, size_t states) {
  const int64_t allowed = meter_.limit() / 2 - meter_.used();
  if (allowed > 0 && states <= static_cast<size_t>(allowed) / sizeof(Kept) && meter_.take(sizeof(Layer))) {
    layers_.push_back({progress, MeteredArray<Kept>::allocate(meter_, states)});
    if (layers_.back().states.size() > 0) return layers_.back().states.data();
  }
  clear();
  return nullptr;
}

template <size_t words>
void StateArchive<words>::clear() {
  meter_.give_back(static_cast<int64_t>(layers_.size() * sizeof(Layer)));
  layers_.clear();
}

template <size_t words>
std::optional<Schedule> StateArchive<words>::schedule(int64_t makespan, int64_t longest_step, Deadline& deadline) {
  MeteredList<State> path(meter_);
  if (!path.reserve(static_cast<size_t>(makespan) + 1)) return std::nullopt;
  path.resize_within_reserve(static_cast<size_t>(makespan) + 1);
  path[static_cast<size_t>(makespan)] = State{};
  auto time = static_cast<size_t>(makespan);
  int64_t progress = problem_.workers * static_cast<int64_t>(problem_.symbols.size());
  size_t layer = layers_.size();  // the first one with the progress or more
  for (; time > 0; --time) {
    std::optional<State> before;
    size_t at = layer;
    while (!before && at > 0 && layers_[at - 1].progress >= progress - longest_step) {
      --at;
      if (!find_before(path[time], static_cast<uint32_t>(time - 1), layers_[at], deadline, before)) {
        return std::nullopt;
      }
    }
    if (!before) return std::nullopt;
    path[time - 1] = *before;
    progress = layers_[at].progress;
    layer = at;
  }
  const auto symbols = static_cast<int64_t>(problem_.symbols.size() * sizeof(int64_t));
  const int64_t bytes = problem_.workers * (symbols + static_cast<int64_t>(sizeof(std::vector<int64_t>)));
  if (!meter_.take(bytes)) return std::nullopt;
  auto found = along(path);
  meter_.give_back(bytes);
  return found;
}

template <size_t words>
bool StateArchive<words>::find_before(const State& state, uint32_t time, const Layer& layer, Deadline& deadline,
                                      std::optional<State>& before) const {
  std::vector<int64_t> counts(problem_.symbols.size()), leaving(counts.size()), after(counts.size());
  layout_.unpack(state, after);
  for (size_t i = 0; i < layer.states.size(); ++i) {
    if (!deadline.go_on(1)) return false;
    const Kept& kept = layer.states[i];
    if (kept.time != time || (before && *before < kept.state)) continue;
    layout_.unpack(kept.state, counts);
    if (find_step(counts, after, leaving)) before = kept.state;
  }
  return true;
}

template <size_t words>
bool StateArchive<words>::find_step(const std::vector<int64_t>& before, const std::vector<int64_t>& after,
                                    std::vector<int64_t>& leaving) const {
  int64_t arriving = 0;
  for (size_t p = 0; p < before.size(); ++p) {
    leaving[p] = before[p] + arriving - after[p];
    if (leaving[p] < 0 || leaving[p] > before[p]) return false;
    arriving = leaving[p];
  }
  for (size_t k = 0; k < problem_.servers.size(); ++k) {
    int64_t ready = 0, executed = 0;
    for (size_t p = 0; p < before.size(); ++p) {
      if (static_cast<size_t>(problem_.symbols[p]) != k) continue;
      ready += before[p];
      executed += leaving[p];
    }
    if (executed != std::min(ready, problem_.servers[k])) return false;
  }
  return true;
}

template <size_t words>
std::optional<Schedule> StateArchive<words>::along(MeteredList<State>& path) const {
  const size_t positions = problem_.symbols.size();
  Schedule schedule;
  schedule.cycles.resize(static_cast<size_t>(problem_.workers));
  for (auto& cycles : schedule.cycles) cycles.reserve(positions);
  std::vector<std::deque<size_t>> standing(positions);
  for (size_t w = 0; w < schedule.cycles.size(); ++w) standing.front().push_back(w);
  std::vector<int64_t> before(positions), after(positions), leaving(positions);
  for (size_t time = 1; time < path.size(); ++time) {
    layout_.unpack(path[time - 1], before);
    layout_.unpack(path[time], after);
    if (!find_step(before, after, leaving)) return std::nullopt;
    for (size_t p = positions; p-- > 0;) {  // from behind, so that no worker moves twice
      for (int64_t i = 0; i < leaving[p]; ++i) {
        const size_t worker = standing[p].front();
        standing[p].pop_front();
        schedule.cycles[worker].push_back(static_cast<int64_t>(time));
        if (p + 1 < positions) standing[p + 1].push_back(worker);
      }
    }
  }
  return schedule;
}

template class StateArchive<1>;
template class StateArchive<2>;
template class StateArchive<4>;
template class StateArchive<8>;
template class StateArchive<16>;

}  // namespace warpspan::solver
