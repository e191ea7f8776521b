// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fleet/process_pool.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include "support/file_reads.hpp"

using namespace warpspan::app;
using namespace warpspan::support;

namespace {

bool has_child() { return waitpid(-1, nullptr, WNOHANG) >= 0; }

std::map<size_t, std::string> done_by(size_t count, size_t processes, const std::function<std::string(size_t)>& work) {
  std::map<size_t, std::string> done;
  run_in_processes(count, {processes, int64_t{1} << 30}, work,
                   [&](size_t i, std::string bytes) { CHECK(done.emplace(i, std::move(bytes)).second); });
  CHECK_FALSE(has_child());
  return done;
}

}  // namespace

TEST_CASE("all works are done once, in other processes, and large results come whole") {
  for (const size_t processes : {1, 2, 5}) {
    const auto done = done_by(40, processes, [](size_t i) {
      return std::to_string(getpid()) + std::string(i * 10'000, static_cast<char>('a' + i % 26));
    });
    REQUIRE(done.size() == 40);
    std::set<std::string> workers;
    for (const auto& [i, bytes] : done) {
      const size_t digits = bytes.find_first_not_of("0123456789");
      const std::string process = bytes.substr(0, digits);
      workers.insert(process);
      CHECK(bytes.size() == process.size() + i * 10'000);
      CHECK(process != std::to_string(getpid()));
    }
    CHECK(workers.size() <= processes);
  }
  CHECK(done_by(0, 3, [](size_t) { return "x"; }).empty());
}

TEST_CASE("works whose process ends, throws or was disturbed are left out, and no others") {
  const auto done = done_by(12, 3, [](size_t i) -> std::string {
    if (i == 2) std::abort();
    if (i == 5) throw 1;
    if (i == 7) report_disturbance();
    return "fine";
  });
  for (const size_t i : {2, 5, 7}) CHECK(done.count(i) == 0);
  for (const auto& [i, bytes] : done) CHECK(bytes == "fine");
  CHECK(done.size() <= 9);  // nobody may be left for the last ones
  CHECK(done_by(6, 2, [](size_t i) { return i == 1 ? throw 1 : std::to_string(i); }).size() == 5);
}

TEST_CASE("a worker that lacks memory ends alone") {
  const auto done =
      done_by(4, 2, [](size_t i) -> std::string { return std::string(i == 0 ? size_t{1} << 40 : 3, 'x'); });
  CHECK(done.count(0) == 0);
  CHECK(done.size() == 3);
}

TEST_CASE("an interrupt is not for the workers, and what is cancelled ends") {
  std::atomic<bool> cancel{false};
  size_t done = 0;
  run_in_processes(
      100, {2, int64_t{1} << 30, &cancel},
      [](size_t i) -> std::string {
        raise(SIGINT);
        while (i > 1) std::this_thread::sleep_for(std::chrono::seconds(1));
        return "x";
      },
      [&](size_t, const std::string&) {
        ++done;
        cancel = done == 2;
      });
  CHECK(done == 2);
  CHECK_FALSE(has_child());
}
