// SPDX-License-Identifier: GPL-3.0-or-later
// The states of one layer of the guided search: as many as the beam is wide are stored, the best ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpspan::solver {

// Workers before a position; or, in a step, workers that execute there.
struct Standing {
  uint32_t position;
  uint32_t workers;
};
using Standings = std::vector<Standing>;  // of a state: ascending, without zeros

class BeamLayer {
 public:
  struct Candidate {
    int64_t value = 0;      // larger is better
    uint64_t disorder = 0;  // smaller is better where values are equal
    uint64_t hash = 0;      // of the state
    int64_t time = 0;
    size_t parent = 0;  // what the step to it started from
    // Where its state and that step lie; the layer knows them.
    uint32_t state = 0;
    uint32_t state_size = 0;
    uint32_t step = 0;
    uint32_t step_size = 0;
  };

  explicit BeamLayer(size_t width) : width_(width) {}

  // The candidate whose state has this hash, or null.
  Candidate* find(uint64_t hash);

  // Needs a hash that is new.
  void add(Candidate candidate, std::span<const Standing> state, std::span<const Standing> step);

  void replace_step(Candidate& candidate, std::span<const Standing> step);

  // The best ones, best first.
  std::span<const Candidate> best();

  std::span<const Standing> state(const Candidate& c) const { return {standings_.data() + c.state, c.state_size}; }
  std::span<const Standing> step(const Candidate& c) const { return {standings_.data() + c.step, c.step_size}; }

  bool has_left_out_any() const { return has_left_out_any_; }

 private:
  uint32_t store(std::span<const Standing> standings);
  void cut();
  void index(size_t slots);
  size_t slot(uint64_t hash) const;

  size_t width_;
  std::vector<Candidate> candidates_;
  Standings standings_;
  std::vector<uint32_t> slots_;  // a hash table: index in candidates_ + 1, or 0
  bool has_left_out_any_ = false;
};

}  // namespace warpspan::solver
