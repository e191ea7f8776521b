// States and layers are those of the exact search (exact_search.cpp): how many workers stand before each position, in
// order of progress, and all steps from a state lead to one later layer. A state whose time and bound say that nothing
// longer than the schedule already known can come of it is dropped. If nothing else was ever left out, no schedule is
// longer than that one or the one found.
#include "solver/beam.hpp"

#include <utility>

namespace warpspan::solver {

namespace {

constexpr size_t no_node = SIZE_MAX;

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
  Candidate start;
  start.state = {{0, problem_.workers}};
  start.hash = mark_[0] * static_cast<uint64_t>(problem_.workers);
  start.parent = no_node;
  layers.emplace(0, BeamLayer(width_)).first->second.add(std::move(start));
  while (!layers.empty()) {
    const int64_t progress = layers.begin()->first;
    BeamLayer layer = std::move(layers.begin()->second);
    layers.erase(layers.begin());
    const std::vector<Candidate> best = layer.take_best();
    has_left_out_any_ = has_left_out_any_ || layer.has_left_out_any();
    for (const Candidate& candidate : best) {
      if (!deadline.go_on(candidate.state.size())) return End::out_of_time;
      if (effort <= 0) return End::out_of_effort;
      nodes_.push_back({candidate.parent, candidate.step});
      if (candidate.state.empty()) {
        makespan_ = candidate.time;
        last_node_ = nodes_.size() - 1;
      } else {
        expand(candidate, progress, longer_than, layers, effort);
      }
    }
  }
  return End::all_done;
}

// The candidate is the last node.
void Beam::expand(const Candidate& from, int64_t progress, int64_t longer_than, Layers& layers, int64_t& effort) {
  for (const Standing& here : from.state) counts_[here.position] = here.workers;
  choices_.set_state(from.state);
  BeamLayer& layer = layers.try_emplace(progress + choices_.executed(), width_).first->second;
  int64_t steps = 0;
  evaluated_ = 0;
  for (; choices_.next(step_); ++steps) consider(from, nodes_.size() - 1, step_, longer_than, layer);
  effort -= steps * 16 + (evaluated_ + 1) * static_cast<int64_t>(counts_.size() + 32);
  for (const Standing& here : from.state) counts_[here.position] = 0;
}

void Beam::consider(const Candidate& from, size_t node, Standings& step, int64_t longer_than, BeamLayer& layer) {
  const int64_t time = from.time + 1;
  uint64_t hash = from.hash;
  for (const Standing& here : step) {
    hash += (mark_[here.position + 1] - mark_[here.position]) * static_cast<uint64_t>(here.workers);
  }
  if (Candidate* known = layer.find(hash)) {
    if (known->time >= time) return;
    known->value += time - known->time;
    known->time = time;
    known->parent = node;
    known->step = step;
    return;
  }
  move(step, 1);
  ++evaluated_;
  const int64_t most = time + bound_.cycles_from(counts_);
  if (most > longer_than) {
    Candidate candidate;
    candidate.value = ranking_ == Ranking::time_and_convoy ? time : most;
    candidate.hash = hash;
    candidate.time = time;
    candidate.parent = node;
    candidate.state = occupied(from.state);
    candidate.step = step;
    candidate.disorder = disorder(candidate);
    layer.add(std::move(candidate));
  }
  move(step, -1);
}

void Beam::move(const Standings& step, int64_t sign) {
  for (const Standing& here : step) {
    counts_[here.position] -= sign * here.workers;
    if (here.position + 1 < counts_.size()) counts_[here.position + 1] += sign * here.workers;
  }
}

// What counts_ says after a step from the state `before`: workers stand where some stood, or one further.
Standings Beam::occupied(const Standings& before) const {
  Standings found;
  found.reserve(before.size() + 1);
  size_t next = 0;  // the first position not looked at
  for (const Standing& here : before) {
    for (size_t p = std::max(next, here.position); p <= here.position + 1 && p < counts_.size(); ++p) {
      if (counts_[p] > 0) found.push_back({p, counts_[p]});
      next = p + 1;
    }
  }
  return found;
}

int64_t Beam::disorder(const Candidate& candidate) const {
  if (ranking_ == Ranking::bound_and_compact) return static_cast<int64_t>(candidate.state.size());
  uint64_t squares = 0;  // may wrap: only an order of preference
  const uint64_t end = counts_.size();
  int64_t under_way = 0;
  for (const Standing& here : candidate.state) {
    squares += static_cast<uint64_t>(here.workers) * here.position * here.position;
    under_way += here.workers;
  }
  squares += static_cast<uint64_t>(problem_.workers - under_way) * end * end;
  return static_cast<int64_t>(squares >> 1);
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
    for (const Standing& here : nodes_[*node].step) {
      for (int64_t i = 0; i < here.workers; ++i) schedule.cycles[next[here.position]++][here.position] = cycle;
    }
  }
  return schedule;
}

}  // namespace warpspan::solver
