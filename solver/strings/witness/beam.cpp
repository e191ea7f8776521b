// SPDX-License-Identifier: GPL-3.0-or-later
// States and layers are those of the exact search (exact_search.cpp): how many workers stand before each position, in
// order of progress, and all steps from a state lead to one later layer. A state whose time and bound show that nothing
// longer than the schedule already known can come of it is dropped. If nothing else was ever left out, no schedule is
// longer than that one or the one found.
#include "solver/strings/witness/beam.hpp"

#include <algorithm>

namespace warpspan::solver {

namespace {

constexpr size_t no_node = SIZE_MAX;

// Of effort: looking a step up, and a state that is new, beside an entry for each position.
constexpr int64_t cost_of_step = 30;
constexpr int64_t cost_of_state = 150;

uint64_t mixed(uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

}  // namespace

Beam::Beam(const GuidedProblem& problem, RemainingBound& bound, Ranking ranking, size_t width)
    : problem_(problem),
      bound_(bound),
      ranking_(ranking),
      width_(width),
      choices_(problem.symbols, problem.servers),
      mark_(problem.symbols.size() + 1),
      counts_(problem.symbols.size()) {
  for (size_t p = 0; p < counts_.size(); ++p) mark_[p] = mixed(p);
}

Beam::End Beam::run(int64_t longer_than, int64_t& effort, Deadline& deadline) {
  Layers layers;
  const Standing all{0, static_cast<uint32_t>(problem_.workers)};
  Candidate start;
  start.hash = mark_[0] * all.workers;
  start.parent = no_node;
  layers.try_emplace(0, width_).first->second.add(start, {&all, 1}, {});
  while (!layers.empty()) {
    auto layer = layers.extract(layers.begin());
    for (const Candidate& candidate : layer.mapped().best()) {
      const auto state = layer.mapped().state(candidate);
      keep(candidate, layer.mapped().step(candidate));
      if (state.empty()) continue;
      const int64_t cost = expand({layer.key(), candidate.time, candidate.hash, state}, longer_than, layers);
      effort -= cost;
      if (!deadline.go_on(static_cast<size_t>(cost))) return End::out_of_time;
      if (effort <= 0) return End::out_of_effort;
    }
    has_left_out_any_ = has_left_out_any_ || layer.mapped().has_left_out_any();
  }
  return End::all_done;
}

void Beam::keep(const Candidate& candidate, std::span<const Standing> step) {
  nodes_.push_back({candidate.parent, steps_.size()});
  steps_.insert(steps_.end(), step.begin(), step.end());
  if (candidate.state_size > 0) return;
  makespan_ = candidate.time;
  last_node_ = nodes_.size() - 1;
}

int64_t Beam::expand(const From& from, int64_t longer_than, Layers& layers) {
  for (const Standing& here : from.state) counts_[here.position] = here.workers;
  choices_.set_state(from.state);
  BeamLayer& layer = layers.try_emplace(from.progress + choices_.executed(), width_).first->second;
  int64_t steps = 0;
  evaluated_ = 0;
  for (; choices_.next(step_); ++steps) consider(from, longer_than, layer);
  for (const Standing& here : from.state) counts_[here.position] = 0;
  return cost_of_step * steps + (cost_of_state + static_cast<int64_t>(counts_.size())) * (evaluated_ + 1);
}

// What comes of step_.
void Beam::consider(const From& from, int64_t longer_than, BeamLayer& layer) {
  Candidate candidate;
  candidate.time = from.time + 1;
  candidate.parent = nodes_.size() - 1;
  candidate.hash = from.hash;
  for (const Standing& here : step_) {
    candidate.hash += (mark_[here.position + 1] - mark_[here.position]) * here.workers;
  }
  if (Candidate* known = layer.find(candidate.hash)) {
    if (known->time >= candidate.time) return;
    known->value += candidate.time - known->time;
    known->time = candidate.time;
    known->parent = candidate.parent;
    return layer.replace_step(*known, step_);
  }
  move(1);
  ++evaluated_;
  const int64_t most = candidate.time + bound_.cycles_from(counts_);
  if (most > longer_than) {
    collect_occupied(from.state);
    candidate.value = ranking_ == Ranking::time_and_convoy ? candidate.time : most;
    candidate.disorder = disorder();
    layer.add(candidate, state_, step_);
  }
  move(-1);
}

// Takes step_, or takes it back.
void Beam::move(int64_t sign) {
  for (const Standing& here : step_) {
    counts_[here.position] -= sign * here.workers;
    if (here.position + 1 < counts_.size()) counts_[here.position + 1] += sign * here.workers;
  }
}

// Puts counts_ after a step into state_: workers stand where some stood before it, or one further.
void Beam::collect_occupied(std::span<const Standing> before) {
  state_.clear();
  uint32_t next = 0;  // the first position not looked at
  for (const Standing& here : before) {
    for (uint32_t p = std::max(next, here.position); p <= here.position + 1 && p < counts_.size(); ++p) {
      if (counts_[p] > 0) state_.push_back({p, static_cast<uint32_t>(counts_[p])});
      next = p + 1;
    }
  }
}

// Of state_.
uint64_t Beam::disorder() const {
  if (ranking_ == Ranking::bound_and_compact) return state_.size();
  // Where as much is executed, the sum of squares is least if all workers are side by side. It may wrap: this is only
  // an order of preference.
  const uint64_t end = counts_.size();
  uint64_t squares = static_cast<uint64_t>(problem_.workers) * end * end;
  for (const Standing& here : state_) squares -= here.workers * (end * end - uint64_t{here.position} * here.position);
  return squares;
}

// Workers are interchangeable: at each position they execute in the same order, that of their numbers.
std::optional<Schedule> Beam::schedule() const {
  if (makespan_ == 0) return std::nullopt;
  std::vector<size_t> path;
  for (size_t node = last_node_; nodes_[node].parent != no_node; node = nodes_[node].parent) path.push_back(node);
  Schedule schedule;
  schedule.cycles.assign(static_cast<size_t>(problem_.workers), std::vector<int64_t>(counts_.size()));
  std::vector<size_t> next(counts_.size());
  int64_t cycle = 0;
  for (auto node = path.rbegin(); node != path.rend(); ++node) {
    ++cycle;
    const size_t end = *node + 1 < nodes_.size() ? nodes_[*node + 1].step : steps_.size();
    for (size_t i = nodes_[*node].step; i < end; ++i) {
      for (uint32_t n = 0; n < steps_[i].workers; ++n) {
        schedule.cycles[next[steps_[i].position]++][steps_[i].position] = cycle;
      }
    }
  }
  return schedule;
}

}  // namespace warpspan::solver
