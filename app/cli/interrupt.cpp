// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.hpp"

namespace warpspan::app {

namespace {

// A handler can reach nothing that is not static.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

Interrupt::Interrupt() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler != SIG_IGN) ::sigaction(SIGINT, &action, nullptr);
}

Interrupt::~Interrupt() { ::sigaction(SIGINT, &before_, nullptr); }

const std::atomic<bool>& Interrupt::flag() const { return interrupted; }

}  // namespace warpspan::app
