// SPDX-License-Identifier: GPL-3.0-or-later
// When a search has to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace warpspan::solver {

// Why a search has ended before it was done.
inline const char* end_of_time(const std::atomic<bool>* cancel) {
  return cancel != nullptr && cancel->load() ? "cancelled" : "out of time";
}

class Deadline {
 public:
  // The clock starts now. `cancel` may be null.
  Deadline(double seconds, const std::atomic<bool>* cancel)
      : seconds_(seconds), cancel_(cancel), begin_(std::chrono::steady_clock::now()) {}

  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  // False once the time is up or the search is cancelled. Looks at both only after some number of steps.
  bool go_on(size_t steps) {
    work_ += steps;
    if (work_ < steps_between_looks) return true;
    work_ = 0;
    return look();
  }
  bool look() const {
    return elapsed() < seconds_ && (cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed));
  }

 private:
  static constexpr size_t steps_between_looks = 1 << 16;
  double seconds_;
  const std::atomic<bool>* cancel_;
  std::chrono::steady_clock::time_point begin_;
  size_t work_ = 0;
};

}  // namespace warpspan::solver
