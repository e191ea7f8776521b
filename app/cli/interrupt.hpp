// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C as a flag, while a command that can end early runs.
#pragma once

#include <atomic>
#include <csignal>

namespace warpspan::app {

// While it lives, the first SIGINT sets the flag and the second ends the program, as the first one did before. One at a
// time. Where SIGINT was ignored, as in a background job of a script, it stays ignored.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& flag() const;

 private:
  struct sigaction before_ {};
};

}  // namespace warpspan::app
