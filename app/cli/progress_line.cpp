#include "app/cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/reports/format.hpp"

namespace warpspan::app {

namespace {

constexpr auto before_first = std::chrono::seconds(1);
constexpr auto between = std::chrono::milliseconds(200);

}  // namespace

std::string progress_text(const solver::Progress& progress) {
  const solver::MethodRow& method = progress.method.row();
  std::string text(method.work.empty() ? method.name : method.work);
  if (progress.fraction) {
    text += fmt::format(" {} %", static_cast<int>(100 * std::clamp(*progress.fraction, 0.0, 1.0)));
  }
  if (progress.lower && progress.upper) {
    text += fmt::format(", {} <= T <= {}", thousands(*progress.lower), thousands(*progress.upper));
  } else if (progress.lower) {
    text += ", T >= " + thousands(*progress.lower);
  } else if (progress.upper) {
    text += ", T <= " + thousands(*progress.upper);
  }
  return text;
}

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

void ProgressLine::show(const std::string& prefix, const solver::Progress& progress) {
  const std::lock_guard lock(mutex_);
  text_ = prefix + progress_text(progress);
}

void ProgressLine::draw() {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return end_; };
  if (ended_.wait_for(lock, before_first, is_over)) return;
  do {
    std::fputs(("\r" + text_ + "\033[K").c_str(), stderr);
    std::fflush(stderr);
  } while (!ended_.wait_for(lock, between, is_over));
  std::fputs("\r\033[K", stderr);
}

}  // namespace warpspan::app
