// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/worker_process.hpp"

#include <sys/wait.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace warpspan::support;
using End = WorkerReport::End;

namespace {

bool has_child() { return waitpid(-1, nullptr, WNOHANG) >= 0; }

[[noreturn]] void sleep_forever() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

}  // namespace

TEST_CASE("a worker's end, whatever it is, leaves what it reported") {
  const auto ends_after_report = [](auto end) {
    return run_in_worker(
        [end](int output) {
          report(output, "abc", 3);
          end();
        },
        {});
  };
  const WorkerReport finished = ends_after_report([] {});
  CHECK(finished.end == End::finished);
  CHECK(finished.output == "abc");
  const WorkerReport aborted = ends_after_report([] { std::abort(); });
  CHECK(aborted.end == End::crashed);
  CHECK(aborted.output == "abc");
  CHECK(ends_after_report([] { raise(SIGKILL); }).end == End::crashed);
  CHECK(ends_after_report([] { throw 1; }).end == End::crashed);
  CHECK(ends_after_report([] { std::_Exit(3); }).end == End::crashed);
  // An interrupt from the terminal reaches the worker too, and is not for it.
  CHECK(ends_after_report([] { raise(SIGINT); }).end == End::finished);
  CHECK_FALSE(has_child());
}

TEST_CASE("a worker may report more than a pipe holds, and what it prints is not seen") {
  const std::string much(1 << 20, 'x');
  const WorkerReport worker = run_in_worker(
      [&](int output) {
        std::puts("noise");
        std::fflush(stdout);
        report(output, much.data(), much.size());
      },
      {});
  CHECK(worker.end == End::finished);
  CHECK(worker.output == much);
}

TEST_CASE("a worker that never ends is ended by its time limit, and what it reported is kept") {
  WorkerLimits limits;
  limits.seconds = 0.2;
  const WorkerReport late = run_in_worker(
      [](int output) {
        report(output, "abc", 3);
        sleep_forever();
      },
      limits);
  CHECK(late.end == End::time_limit);
  CHECK(late.output == "abc");
  CHECK_FALSE(has_child());
}

TEST_CASE("a worker that never ends is ended when it is cancelled") {
  std::atomic<bool> cancel = false;
  WorkerLimits limits;
  limits.cancel = &cancel;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancel = true;
  });
  const WorkerReport cancelled = run_in_worker([](int) { sleep_forever(); }, limits);
  canceller.join();
  CHECK(cancelled.end == End::cancelled);
  CHECK_FALSE(has_child());
}

TEST_CASE("the end of a worker is noticed while another one runs on") {
  std::atomic<bool> cancel = false;
  WorkerLimits limits;
  limits.cancel = &cancel;
  WorkerReport first, second;
  std::thread starter([&] {
    first = run_in_worker([](int) { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }, {});
    cancel = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  second = run_in_worker([](int) { sleep_forever(); }, limits);
  starter.join();
  CHECK(first.end == End::finished);
  CHECK(second.end == End::cancelled);
  CHECK_FALSE(has_child());
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a worker gets no more memory than allowed") {
  constexpr size_t bytes = size_t{64} << 20;
  const auto allocate = [](int) { std::vector<char>(bytes).back() = 1; };
  WorkerLimits limits;
  limits.memory = bytes / 2;
  CHECK(run_in_worker(allocate, limits).end == End::crashed);
  limits.memory = bytes * 2;
  CHECK(run_in_worker(allocate, limits).end == End::finished);
}
#endif
