// SPDX-License-Identifier: GPL-3.0-or-later
// The work-conserving steps from a state, or a choice of them where they are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/strings/witness/beam_layer.hpp"

namespace warpspan::solver {

class StepChoices {
 public:
  // Of workers that execute `symbols`; both must outlive this.
  StepChoices(const std::vector<int>& symbols, const std::vector<int64_t>& servers)
      : symbols_(symbols), servers_(servers), class_of_(servers.size(), none) {}

  // Finds the steps from the state.
  void set_state(std::span<const Standing> state);

  // How many symbols each of the steps executes.
  int64_t executed() const { return executed_; }

  // The next step, in `step`; false if there is none. The first one follows set_state().
  bool next(Standings& step);

  // Some step of some state has been left out.
  bool has_left_out_any() const { return has_left_out_any_; }

 private:
  // What one class may do.
  struct Class {
    size_t k = 0;
    int64_t ready_workers = 0;
    Standings ready;
    std::vector<Standings> choices;
    size_t chosen = 0;
  };
  static constexpr size_t none = SIZE_MAX;

  void collect(std::span<const Standing> state);
  void choose(Class& of_class, size_t most);
  bool spread(Class& of_class, size_t first, int64_t executing, int64_t standing, size_t most);
  void sample(Class& of_class, int64_t executing, size_t most) const;

  const std::vector<int>& symbols_;
  const std::vector<int64_t>& servers_;
  std::vector<size_t> class_of_;  // index of each class among classes_, or none
  std::vector<Class> classes_;    // the first present_ are those with ready workers
  size_t present_ = 0;
  int64_t executed_ = 0;
  bool at_end_ = true;
  Standings choice_;
  bool has_left_out_any_ = false;
};

}  // namespace warpspan::solver
