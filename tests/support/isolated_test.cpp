#include "support/isolated.hpp"

#include <catch2/catch.hpp>
#include <new>
#include <stdexcept>
#include <thread>

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
