// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/isolated.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/memory_limit.hpp"

using namespace warpspan::support;

namespace {

// Deeper than any stack. Each call needs its frame, so no compiler makes a loop of it.
int deep(const volatile int* bottom, int depth) {
  volatile char frame[512] = {};
  if (depth == *bottom) return 0;
  return deep(bottom, depth + 1) + frame[depth % 512];
}

}  // namespace

TEST_CASE("isolated work gives its result") {
  int value = 0;
  CHECK_FALSE(run_isolated([&] { value = 7; }));
  CHECK(value == 7);
  const auto result = isolated({}, "in a test", [] { return Result<int>(8); });
  REQUIRE(result);
  CHECK(*result == 8);
}

TEST_CASE("what isolated work throws is thrown on") {
  CHECK_THROWS_AS(static_cast<void>(run_isolated([] { throw std::runtime_error("x"); })), std::runtime_error);
}

TEST_CASE("isolated work within isolated work is a part of it") {
  int value = 0;
  CHECK_FALSE(run_isolated([&] { CHECK_FALSE(run_isolated([&] { value = 9; })); }));
  CHECK(value == 9);
}

// The first of these tests: once some work was left behind, nobody knows whose a thread is.
TEST_CASE("work whose threads run out of memory is left behind") {
  CHECK(run_isolated([] { std::thread([] { out_of_memory(); }).join(); }) == Exhausted::memory);
}

TEST_CASE("work that runs out of memory is left behind, and the next goes on") {
  CHECK(run_isolated([] { out_of_memory(); }) == Exhausted::memory);
  int value = 0;
  CHECK_FALSE(run_isolated([&] { value = 1; }));
  CHECK(value == 1);
}

TEST_CASE("elsewhere no memory is an exception") { CHECK_THROWS_AS(out_of_memory(), std::bad_alloc); }

TEST_CASE("work that nests too deeply is left behind, and the next goes on") {
  if (sanitized) return;
  const volatile int within = 100'000;
  const volatile int beyond = 100'000'000;
  CHECK_FALSE(run_isolated([&] { deep(&within, 0); }));
  CHECK(run_isolated([&] { deep(&beyond, 0); }) == Exhausted::stack);
  const auto result = isolated({"k.ptx", 3, 1}, "in a test", [&] { return Result<int>(deep(&beyond, 0)); });
  REQUIRE_FALSE(result);
  CHECK(render(result.errors().front(), false) ==
        "k.ptx:3:1: error: out of stack in a test\n  help: it is nested too deeply\n");
}

TEST_CASE("of pieces that run side by side, each has its own end") {
  std::vector<int> values(20);
  std::vector<std::function<void()>> works;
  for (int i = 0; i < 20; ++i) {
    works.emplace_back([&values, i] {
      if (i % 7 == 3) out_of_memory();
      values[static_cast<size_t>(i)] = i;
    });
  }
  const auto exhausted = run_isolated(works);
  REQUIRE(exhausted.size() == 20);
  for (int i = 0; i < 20; ++i) {
    const auto at = static_cast<size_t>(i);
    CHECK(exhausted[at] == (i % 7 == 3 ? std::optional(Exhausted::memory) : std::nullopt));
    CHECK(values[at] == (i % 7 == 3 ? 0 : i));
  }
  CHECK(run_isolated(std::vector<std::function<void()>>{}).empty());
}

TEST_CASE("what the first of several pieces throws is thrown on when all have ended") {
  std::atomic<int> ended = 0;
  const auto fails = [&ended](const char* what) {
    return [&ended, what] {
      ++ended;
      throw std::runtime_error(what);
    };
  };
  CHECK_THROWS_WITH(run_isolated({[&ended] { ++ended; }, fails("second"), fails("third")}), "second");
  CHECK(ended == 3);
}

TEST_CASE("a stack of several that ends ends none of the others") {
  if (sanitized) return;
  const volatile int within = 100'000;
  const volatile int beyond = 100'000'000;
  const auto exhausted =
      run_isolated({[&] { deep(&beyond, 0); }, [&] { deep(&within, 0); }, [&] { deep(&beyond, 0); }});
  CHECK(exhausted == std::vector<std::optional<Exhausted>>{Exhausted::stack, std::nullopt, Exhausted::stack});
}

TEST_CASE("where there are cores, pieces of work run at the same time") {
  if (std::thread::hardware_concurrency() < 2) return;
  std::atomic<int> met = 0;
  const auto meet = [&met] {
    ++met;
    while (met < 2) std::this_thread::yield();
  };
  const auto exhausted = run_isolated({meet, meet});
  CHECK(exhausted == std::vector<std::optional<Exhausted>>(2));
}

TEST_CASE("a limit of the address space ends work that wants more, and only that") {
  if (sanitized) return;
  limit_further_memory((uint64_t{64} << 20) + isolated_stack);
  std::vector<std::vector<char>> held;
  const auto greedy = [&] {
    while (true) held.emplace_back(size_t{1} << 20, 'x');
  };
  CHECK(run_isolated(greedy) == Exhausted::memory);
  CHECK(held.size() < 80);
  CHECK_FALSE(run_isolated([] { std::vector<char>(size_t{1} << 20, 'y'); }));
}

// After the limit of the case before.
TEST_CASE("with less than two GiB of memory, pieces of work run one by one") {
  limit_further_memory((uint64_t{2} << 30) - 1);
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  const auto work = [&] {
    most = std::max<int>(most, ++running);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --running;
  };
  CHECK(run_isolated({work, work, work, work}) == std::vector<std::optional<Exhausted>>(4));
  CHECK(most == 1);
}
