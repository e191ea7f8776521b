// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that try a compare-and-swap until it succeeds: every iteration that fails costs a write of another thread.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;

namespace {

struct Retry {
  std::string swap = "atom.global.cas.b32 %r2, [%d1], %r1, %r3;\n";
  std::string before = {};     // the loop, in each iteration of one around it
  std::string iteration = {};  // at the end of each iteration
  std::string next = "mov.b32 %r1, %r2;\n";
  std::string test = "setp.ne.s32 %p1, %r1, %r2;\n";
  std::string after = {};
  int outer_iterations = 1;
  bool has_grid = true;
};

ir::Loop loop_of(const Retry& retry) {
  const std::string text =
      "ld.param.u64 %d1, [p];\nld.param.u64 %d2, [w];\nmov.u32 %r9, 0;\n$O: ld.global.u32 %r1, [%d1];\n" +
      retry.before + "$L: add.u32 %r3, %r1, 1;\n" + retry.swap + retry.test + retry.iteration + retry.next +
      "@%p1 bra $L;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p2, %r9, " + std::to_string(retry.outer_iterations) +
      ";\n@%p2 bra $O;\n" + retry.after + "ret;";
  const ir::Launch block = test::block_of(64);
  const ir::Flow facts = test::facts_of(text, retry.has_grid ? test::with_grid(block, 3) : block);
  const auto is_it = [](const ir::Loop& loop) { return loop.label == "$L"; };
  const auto loop = std::find_if(facts.loops.begin(), facts.loops.end(), is_it);
  REQUIRE(loop != facts.loops.end());
  if (loop->trip_count) CHECK(loop->source == ir::TripCountSource::compare_and_swap);
  return *loop;
}

std::optional<int64_t> trips(const Retry& retry) { return loop_of(retry).trip_count; }

constexpr int64_t block = 64, all = 3 * block;

}  // namespace

TEST_CASE("a compare-and-swap is retried as often as all threads that can reach the word write, and twice") {
  CHECK(trips({}) == all + 2);
  CHECK(trips({.has_grid = false}) == std::nullopt);
  CHECK(trips({.swap = "atom.shared.cas.b32 %r2, [%r8], %r1, %r3;\n"}) == block + 2);
  CHECK(trips({.swap = "atom.shared.cas.b32 %r2, [%r8], %r1, %r3;\n", .has_grid = false}) == block + 2);
  CHECK(trips({.swap = "atom.cas.b32 %r2, [%d1], %r1, %r3;\n"}) == all + 2);
  CHECK(trips({.outer_iterations = 5}) == 5 * all + 2);
  CHECK(trips({.test = "setp.eq.s32 %p1, %r1, %r2;\nnot.pred %p1, %p1;\n"}) == all + 2);
  CHECK(trips({.test = "setp.ne.s32 %p1, %r1, %r2;\nsetp.lt.s32 %p3, %r2, 7;\nand.pred %p1, %p1, %p3;\n"}) == all + 2);
  CHECK(loop_of({}).obstacle.empty());
}

TEST_CASE("whatever else may write to the word counts as often as it runs") {
  const auto more = [](const std::string& text) { return trips({.after = text}).value_or(0) - all - 2; };
  CHECK(more("st.global.u32 [%d2], 1;\n") == all);
  CHECK(more("st.global.v4.u32 [%d2], {%r1, %r1, %r1, %r1};\n") == 4 * all);
  CHECK(more("st.u64 [%d2], %d2;\n") == all);
  CHECK(more("st.shared.u32 [%r8], 1;\n") == 0);
  CHECK(more("st.local.u32 [%r8], 1;\n") == 0);
  CHECK(more("red.global.add.u32 [%d2], 1;\n") == 2 * all);
  CHECK(more("ld.global.u32 %r5, [%d2];\n") == 0);
  CHECK(trips({.before = "st.global.u32 [%d2], 1;\n", .outer_iterations = 5}) == 10 * all + 2);
  // A second one, of which each lane succeeds once.
  CHECK(more("$M: atom.global.cas.b32 %r2, [%d2], %r1, 5;\nsetp.ne.s32 %p1, %r1, %r2;\nmov.b32 %r1, %r2;\n@%p1 bra "
             "$M;\n") == all);
  // A loop without a bound.
  CHECK(trips({.after = "$M: st.global.u32 [%d2], 1;\nld.global.u32 %r5, [%d2];\nsetp.ne.s32 %p1, %r5, 0;\n@%p1 bra "
                        "$M;\n"}) == std::nullopt);
  const std::string shared = "atom.shared.cas.b32 %r2, [%r8], %r1, %r3;\n";
  CHECK(trips({.swap = shared, .after = "st.global.u32 [%d2], 1;\n"}) == block + 2);
  CHECK(trips({.swap = shared, .after = "st.u32 [%d2], 1;\n"}) == 2 * block + 2);
  CHECK(trips({.swap = shared, .after = "cp.async.ca.shared.global [%r8], [%d2], 4;\n"}) == std::nullopt);
  CHECK(trips({.after = "cp.async.ca.shared.global [%r8], [%d2], 4;\n"}) == all + 2);
  // What is discarded may be read as anything, each time.
  CHECK(trips({.after = "discard.global.L2 [%d2], 128;\n"}) == std::nullopt);
  CHECK(more("prefetch.global.L2 [%d2];\n") == 0);
}

TEST_CASE("loops that may fail for another reason are not bounded") {
  CHECK(trips({.next = "ld.global.u32 %r1, [%d1];\n"}) == std::nullopt);                // it may be an old value
  CHECK(trips({.next = ""}) == std::nullopt);                                           // a lock
  CHECK(trips({.next = "mov.b32 %r1, %r2;\nadd.u32 %r1, %r1, 1;\n"}) == std::nullopt);  // never what was found
  CHECK(trips({.iteration = "add.s64 %d1, %d1, 4;\n"}) == std::nullopt);                // another word
  CHECK(trips({.iteration = "st.global.u32 [%d1], 7;\n"}) == std::nullopt);             // its own write
  CHECK(trips({.test = "setp.ne.s32 %p1, %r2, 7;\n"}) == std::nullopt);
  CHECK(trips({.test = "setp.ne.s32 %p1, %r1, %r2;\nsetp.lt.s32 %p3, %r2, 7;\nor.pred %p1, %p1, %p3;\n"}) ==
        std::nullopt);
  CHECK(trips({.swap = "setp.lt.s32 %p3, %r1, 9;\n@%p3 atom.global.cas.b32 %r2, [%d1], %r1, %r3;\n"}) == std::nullopt);
  CHECK(trips({.swap = "atom.global.cas.b16 %h1, [%d1], %h2, %h3;\ncvt.u32.u16 %r2, %h1;\n"}) == std::nullopt);
  CHECK(trips({.swap = "atom.cta.global.cas.b32 %r2, [%d1], %r1, %r3;\n"}) == std::nullopt);
  CHECK(trips({.swap = "atom.cta.shared.cas.b32 %r2, [%r8], %r1, %r3;\n"}) == block + 2);
}

namespace {

// Threads that retry compare-and-swaps of one word, in any order. Each write gives the word a value that it never had.
struct Thread {
  int expects = -1;  // the number of a write; -1: what no write left
  int entries = 0;   // that are left, this one included
  friend auto operator<=>(const Thread&, const Thread&) = default;
};
struct State {
  int writes = 0;
  int stores = 0;  // of others, that are left
  std::vector<Thread> threads;
  friend auto operator<=>(const State&, const State&) = default;
};

// The most iterations that the first thread makes, from here to the end of its entry.
int most_iterations(const State& state, std::map<State, int>& known) {
  const auto [entry, is_new] = known.emplace(state, 0);
  if (!is_new) return entry->second;
  int most = 0;
  for (size_t t = 0; t < state.threads.size(); ++t) {
    State next = state;
    Thread& thread = next.threads[t];
    if (thread.entries == 0) continue;
    const bool succeeds = thread.expects == state.writes;
    if (succeeds) {
      ++next.writes;
      --thread.entries;
    }
    thread.expects = succeeds ? -1 : state.writes;
    const int own = t == 0 ? 1 : 0;
    most = std::max(most, own + (succeeds && t == 0 ? 0 : most_iterations(next, known)));
  }
  if (state.stores > 0) {
    State next = state;
    --next.stores;
    ++next.writes;
    most = std::max(most, most_iterations(next, known));
  }
  return known[state] = most;
}

}  // namespace

TEST_CASE("in every order of iterations a thread fails once, and once more for each write of the others, at most") {
  for (int threads = 1; threads <= 4; ++threads) {
    for (int entries = 1; entries <= 3; ++entries) {
      for (int stores = 0; stores <= 3; ++stores) {
        State state{0, stores, std::vector<Thread>(static_cast<size_t>(threads), Thread{-1, entries})};
        std::map<State, int> known;
        CHECK(most_iterations(state, known) == (threads - 1) * entries + stores + 2);
      }
    }
  }
}
