// SPDX-License-Identifier: GPL-3.0-or-later
// The path of the exact search: the states that it has expanded, and a longest schedule found back from them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/strings/schedules/deadline.hpp"
#include "solver/strings/schedules/schedule.hpp"
#include "solver/strings/search/flat_problem.hpp"
#include "solver/strings/search/metered_array.hpp"
#include "solver/strings/search/packed_state.hpp"

namespace warpspan::solver {

template <size_t words>
class StateArchive {
 public:
  using State = PackedState<words>;
  struct Kept {
    State state;
    uint32_t time;
  };

  // All must outlive it.
  StateArchive(const FlatProblem& problem, const StateLayout& layout, MemoryMeter& meter);
  StateArchive(const StateArchive&) = delete;
  StateArchive& operator=(const StateArchive&) = delete;
  ~StateArchive() { clear(); }

  // Room for the `states` > 0 states of a layer, to be filled in; layers come in ascending order of their progress.
  // Null, and everything is forgotten, if more than half of the memory would be in use.
  Kept* add_layer(int64_t progress, size_t states);

  void clear();

  // The schedule of a longest path to the end, which was reached after `makespan` > 0 cycles. Nothing if memory or time
  // does not allow it.
  std::optional<Schedule> schedule(int64_t makespan, int64_t longest_step, Deadline& deadline);

 private:
  struct Layer {
    int64_t progress;
    MeteredArray<Kept> states;
  };

  // The least state of the layer that was reached after `time` and is one step before; false if the time is up.
  bool find_before(const State& state, uint32_t time, const Layer& layer, Deadline& deadline,
                   std::optional<State>& before) const;

  // How many workers leave each position in the step from one state to another; false if there is no such step.
  bool find_step(const std::vector<int64_t>& before, const std::vector<int64_t>& after,
                 std::vector<int64_t>& leaving) const;

  std::optional<Schedule> along(MeteredList<State>& path) const;

  const FlatProblem& problem_;
  const StateLayout& layout_;
  MemoryMeter& meter_;
  std::vector<Layer> layers_;
};

}  // namespace warpspan::solver
