// One line on a terminal that tells how far a long search is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "solver/solve.hpp"

namespace warpspan::app {

// "exact search 43 %, 12 <= T <= 14".
std::string progress_text(const solver::Progress& progress);

// Draws on standard error if that is a terminal, from one second after its making on and a few times a second, and
// wipes the line when it ends.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // prefix: before the text, such as "12 warps: ".
  void show(const std::string& prefix, const solver::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point next_;
};

}  // namespace warpspan::app
