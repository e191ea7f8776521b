// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace warpspan::app {

namespace {

constexpr auto before_first = std::chrono::seconds(1);
constexpr auto between = std::chrono::milliseconds(200);

}  // namespace

ProgressLine::ProgressLine() {
  if (::isatty(STDERR_FILENO) == 1) drawer_ = std::thread([this] { draw(); });
}

ProgressLine::~ProgressLine() {
  if (!drawer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  drawer_.join();
}

void ProgressLine::show(std::string text) {
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

void ProgressLine::draw() {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return end_; };
  if (ended_.wait_for(lock, before_first, is_over)) return;
  bool has_drawn = false;
  do {
    if (text_.empty()) continue;
    std::fputs(("\r" + text_ + "\033[K").c_str(), stderr);
    std::fflush(stderr);
    has_drawn = true;
  } while (!ended_.wait_for(lock, between, is_over));
  if (has_drawn) std::fputs("\r\033[K", stderr);
}

}  // namespace warpspan::app
