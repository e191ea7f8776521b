// SPDX-License-Identifier: GPL-3.0-or-later
// States with the same hash of 64 bits are taken for the same. Where they are not, which will hardly ever happen, what
// is found may be no schedule; whoever uses it checks that.
#include "solver/strings/witness/beam_layer.hpp"

#include <algorithm>
#include <bit>

namespace warpspan::solver {

namespace {

constexpr size_t slack = 64;         // candidates beyond four times the width before the worst are left out
constexpr size_t fewest_slots = 64;  // at first

bool is_better(const BeamLayer::Candidate& a, const BeamLayer::Candidate& b) {
  if (a.value != b.value) return a.value > b.value;
  if (a.disorder != b.disorder) return a.disorder < b.disorder;
  return a.hash < b.hash;
}

}  // namespace

BeamLayer::Candidate* BeamLayer::find(uint64_t hash) {
  if (slots_.empty()) return nullptr;
  const uint32_t found = slots_[slot(hash)];
  return found == 0 ? nullptr : &candidates_[found - 1];
}

void BeamLayer::add(Candidate candidate, std::span<const Standing> state, std::span<const Standing> step) {
  if (candidates_.size() >= 4 * width_ + slack) cut();
  candidate.state = store(state);
  candidate.state_size = static_cast<uint32_t>(state.size());
  replace_step(candidate, step);
  candidates_.push_back(candidate);
  if (2 * candidates_.size() > slots_.size()) return index(std::max(fewest_slots, 4 * candidates_.size()));
  slots_[slot(candidate.hash)] = static_cast<uint32_t>(candidates_.size());
}

void BeamLayer::replace_step(Candidate& candidate, std::span<const Standing> step) {
  candidate.step = store(step);
  candidate.step_size = static_cast<uint32_t>(step.size());
}

std::span<const BeamLayer::Candidate> BeamLayer::best() {
  cut();
  std::sort(candidates_.begin(), candidates_.end(), is_better);
  slots_.clear();
  return candidates_;
}

uint32_t BeamLayer::store(std::span<const Standing> standings) {
  const auto place = static_cast<uint32_t>(standings_.size());
  standings_.insert(standings_.end(), standings.begin(), standings.end());
  return place;
}

// Leaves out all but the best ones.
void BeamLayer::cut() {
  if (candidates_.size() <= width_) return;
  const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(width_);
  std::nth_element(candidates_.begin(), end, candidates_.end(), is_better);
  candidates_.erase(end, candidates_.end());
  has_left_out_any_ = true;
  Standings old;
  std::swap(old, standings_);
  for (Candidate& kept : candidates_) {
    kept.state = store({old.data() + kept.state, kept.state_size});
    kept.step = store({old.data() + kept.step, kept.step_size});
  }
  index(slots_.size());
}

void BeamLayer::index(size_t slots) {
  slots_.assign(std::bit_ceil(slots), 0);
  for (size_t i = 0; i < candidates_.size(); ++i) slots_[slot(candidates_[i].hash)] = static_cast<uint32_t>(i + 1);
}

// Where the hash is, or else where it belongs.
size_t BeamLayer::slot(uint64_t hash) const {
  const size_t last = slots_.size() - 1;
  size_t i = static_cast<size_t>((hash * 0x9e3779b97f4a7c15u) >> 32) & last;
  while (slots_[i] != 0 && candidates_[slots_[i] - 1].hash != hash) i = (i + 1) & last;
  return i;
}

}  // namespace warpspan::solver
