// SPDX-License-Identifier: GPL-3.0-or-later
// One run of the guided search: the states of a schedule in order of progress, of each layer only the best ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "solver/strings/search/remaining_bound.hpp"
#include "solver/strings/witness/beam_layer.hpp"
#include "solver/strings/witness/guided_search.hpp"
#include "solver/strings/witness/step_choices.hpp"

namespace warpspan::solver {

enum class Ranking : uint8_t {
  bound_and_compact,  // time + bound of what is left; where equal, workers at few positions
  bound_and_convoy,   // time + bound of what is left; where equal, none far ahead of the others
  time_and_convoy,    // time; where equal, none far ahead of the others
};

class Beam {
 public:
  Beam(const GuidedProblem& problem, RemainingBound& bound, Ranking ranking, size_t width);

  enum class End : uint8_t { all_done, out_of_effort, out_of_time };

  // Looks for the longest schedule of those longer than `longer_than`; takes what it costs from `effort`.
  End run(int64_t longer_than, int64_t& effort, Deadline& deadline);

  // The schedule found, and its makespan; nothing and 0 if there is none.
  std::optional<Schedule> schedule() const;
  int64_t makespan() const { return makespan_; }

  // Some state or step was left out although it might have led to a longer schedule.
  bool has_left_out_any() const { return has_left_out_any_ || choices_.has_left_out_any(); }

 private:
  using Candidate = BeamLayer::Candidate;
  // How a state that was stored came about.
  struct Node {
    size_t parent;
    size_t step;  // its first part in steps_; its last stands before the next node's first
  };
  using Layers = std::map<int64_t, BeamLayer>;  // by progress

  // A state to go on from: what was stored of it as the last node.
  struct From {
    int64_t progress;
    int64_t time;
    uint64_t hash;
    std::span<const Standing> state;
  };

  void keep(const Candidate& candidate, std::span<const Standing> step);
  // The effort it took.
  int64_t expand(const From& from, int64_t longer_than, Layers& layers);
  void consider(const From& from, int64_t longer_than, BeamLayer& layer);
  void move(int64_t sign);
  void collect_occupied(std::span<const Standing> before);
  uint64_t disorder() const;

  const GuidedProblem& problem_;
  RemainingBound& bound_;
  Ranking ranking_;
  size_t width_;
  StepChoices choices_;
  std::vector<uint64_t> mark_;   // of each position and behind the end; a state's hash is the sum over its workers
  std::vector<int64_t> counts_;  // of the state that is being looked at; all 0 between states
  std::vector<Node> nodes_;
  Standings steps_;  // of the nodes
  Standings step_;   // that is being looked at
  Standings state_;  // after it
  int64_t evaluated_ = 0;
  int64_t makespan_ = 0;
  size_t last_node_ = 0;
  bool has_left_out_any_ = false;
};

}  // namespace warpspan::solver
