// SPDX-License-Identifier: GPL-3.0-or-later
// Random loops in a row, each of which goes on with what those before it left: trip counts against what happens.
#include <array>
#include <iostream>
#include <random>

#include "tests/frontend/lift/find_facts.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;

namespace {

constexpr unsigned registers = 3;
constexpr int64_t longest = 20'000;

struct Test {
  unsigned predicate = 0;  // of `predicates`
  bool is_signed = true;
  unsigned counter = 0;
  uint32_t limit = 0;
};
constexpr std::array<const char*, 6> predicates = {"eq", "ne", "lt", "le", "gt", "ge"};

struct Step {
  unsigned counter = 0;
  bool shifts = false;
  uint32_t by = 1;
};

// if (guard) do { step; if (leaves) break; second step } while (goes on);
struct Stage {
  std::optional<Test> guard, leaves;
  bool breaks = false;  // on a condition that is not known, beside `leaves`
  Step first, second;
  Test goes_on;
};

using Values = std::array<uint32_t, registers>;

struct Row {
  Values start = {};
  unsigned threads = 1;
  bool has_thread = false;  // the first register begins with the thread's number besides
  std::vector<Stage> stages;
};

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  Row row() {
    Row row;
    for (uint32_t& value : row.start) value = number();
    row.has_thread = one_in(3);
    row.threads = 1 + below(40);
    for (unsigned i = 0; i < 2 + below(3); ++i) row.stages.push_back(stage());
    return row;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  bool one_in(unsigned n) { return below(n) == 0; }
  uint32_t number() {
    if (one_in(10)) return 0x80000000U - 10 + below(20);
    if (one_in(8)) return 0U - below(20);
    return one_in(5) ? below(3000) : below(40);
  }
  Test test() { return {below(6), !one_in(3), below(registers), one_in(3) ? 0 : number()}; }
  Step step() {
    Step step{below(registers), one_in(8), 1};
    step.by = step.shifts ? 1 + below(2) : one_in(2) ? 1 + below(8) : 0U - 1 - below(8);
    return step;
  }
  Stage stage() {
    Stage stage;
    if (!one_in(3)) stage.guard = test();
    if (one_in(4)) stage.leaves = test();
    stage.breaks = one_in(8);
    stage.first = step();
    stage.second = step();
    stage.goes_on = test();
    stage.goes_on.counter = stage.first.counter;
    const bool is_down = stage.first.shifts || stage.first.by > 0x80000000U;
    if (one_in(2)) stage.goes_on.predicate = is_down ? 4 : 2;
    if (one_in(3)) stage.goes_on = {1, true, stage.first.counter, 0};
    if (stage.goes_on.predicate == 1 && !stage.first.shifts && one_in(2)) stage.first.by = is_down ? 0U - 1 : 1;
    return stage;
  }

  std::mt19937_64 random_;
};

std::string name(unsigned counter) { return "%r" + std::to_string(counter + 1); }

// The predicate register of the test.
std::string text_of(const Test& test) {
  return std::string("setp.") + predicates[test.predicate] + (test.is_signed ? ".s32" : ".u32") + " %p1, " +
         name(test.counter) + ", " + std::to_string(static_cast<int32_t>(test.limit)) + ";\n@%p1 bra ";
}

std::string text_of(const Step& step) {
  return (step.shifts ? "shr.u32 " : "add.s32 ") + name(step.counter) + ", " + name(step.counter) + ", " +
         std::to_string(static_cast<int32_t>(step.by)) + ";\n";
}

std::string text_of(const Row& row) {
  std::string text = "ld.param.u64 %d1, [p];\n";
  for (unsigned i = 0; i < registers; ++i) {
    text += "mov.u32 " + name(i) + ", " + std::to_string(static_cast<int32_t>(row.start[i])) + ";\n";
  }
  if (row.has_thread) text += "mov.u32 %r10, %tid.x;\nadd.s32 %r1, %r1, %r10;\n";
  for (size_t i = 0; i < row.stages.size(); ++i) {
    const Stage& stage = row.stages[i];
    const std::string n = std::to_string(i);
    if (stage.guard) text += text_of(*stage.guard) + "$E" + n + ";\n";
    text += "$L" + n + ":\n" + text_of(stage.first);
    if (stage.leaves) text += text_of(*stage.leaves) + "$E" + n + ";\n";
    if (stage.breaks) text += "ld.volatile.global.u32 %r11, [%d1];\nsetp.eq.u32 %p2, %r11, 0;\n@%p2 bra $E" + n + ";\n";
    text += text_of(stage.second) + text_of(stage.goes_on) + "$L" + n + ";\n$E" + n + ":\n";
  }
  return text + "ret;";
}

bool holds(const Test& test, const Values& values) {
  const uint32_t a = values[test.counter];
  const bool less = test.is_signed ? static_cast<int32_t>(a) < static_cast<int32_t>(test.limit) : a < test.limit;
  const bool equal = a == test.limit;
  const std::array<bool, 6> results = {equal, !equal, less, less || equal, !less && !equal, !less};
  return results[test.predicate];
}

void take(const Step& step, Values& values) {
  uint32_t& value = values[step.counter];
  value = step.shifts ? value >> step.by : value + step.by;
}

// The trips of a stage by one decision of what is not known; 0 if it is not entered, nothing if it does not end
// soon.
std::optional<int64_t> execute(const Stage& stage, Values& values, std::mt19937_64& random) {
  if (stage.guard && holds(*stage.guard, values)) return 0;
  for (int64_t trips = 1; trips <= longest; ++trips) {
    take(stage.first, values);
    if (stage.leaves && holds(*stage.leaves, values)) return trips;
    if (stage.breaks && random() % 8 == 0) return trips;
    take(stage.second, values);
    if (!holds(stage.goes_on, values)) return trips;
  }
  return std::nullopt;
}

struct Tally {
  int64_t loops = 0, bounded = 0, exact = 0, not_entered = 0;
};

void check_thread(const Row& row, const Values& start, const ir::Flow& facts, std::mt19937_64& random,
                  std::vector<int64_t>& most) {
  Values values = start;
  for (size_t i = 0; i < row.stages.size(); ++i) {
    const auto trips = execute(row.stages[i], values, random);
    const ir::Loop& loop = facts.loops.at(i);
    most[i] = std::max(most[i], trips.value_or(longest));
    if (trips == 0) continue;
    CHECK(loop.source != ir::TripCountSource::not_entered);
    if (loop.trip_count) CHECK(*loop.trip_count >= trips.value_or(longest));
    if (!trips) return;
  }
}

void check(uint64_t seed, Tally& tally) {
  const Row row = Maker(seed).row();
  const std::string body = text_of(row);
  const ir::Flow facts = test::facts_of(body, test::block_of(row.threads));
  INFO("seed " << seed << ", " << row.threads << " threads\n" << body);
  REQUIRE(facts.loops.size() == row.stages.size());
  std::mt19937_64 random(seed);
  std::vector<int64_t> most(row.stages.size(), 0);
  for (unsigned run = 0; run < 8; ++run) {
    for (uint32_t thread = 0; thread < (row.has_thread ? row.threads : 1); ++thread) {
      Values start = row.start;
      if (row.has_thread) start[0] += thread;
      check_thread(row, start, facts, random, most);
    }
  }
  for (size_t i = 0; i < most.size(); ++i) {
    const ir::Loop& loop = facts.loops[i];
    ++tally.loops;
    tally.bounded += loop.trip_count ? 1 : 0;
    tally.exact += loop.trip_count && *loop.trip_count == std::max<int64_t>(most[i], 1) ? 1 : 0;
    tally.not_entered += loop.source == ir::TripCountSource::not_entered ? 1 : 0;
  }
}

Tally check_range(uint64_t first, int count) {
  Tally tally;
  for (int i = 0; i < count; ++i) check(first + static_cast<uint64_t>(i), tally);
  return tally;
}

}  // namespace

TEST_CASE("trip counts are never below what loops in a row do") {
  const Tally tally = check_range(test::first_seed(1, 600), test::thinned_seeds(600));
  CHECK(tally.bounded * 3 > warpspan::test::or_half(tally.loops));  // so that the test is one
  CHECK(tally.exact * 2 > warpspan::test::or_half(tally.bounded));
}

TEST_CASE("trip counts are never below what 100000 rows of loops do", "[.][slow]") {
  const Tally tally = check_range(1'000'000, 100'000);
  std::cout << tally.loops << " loops, " << tally.bounded << " bounded, " << tally.exact << " of these exactly, "
            << tally.not_entered << " not entered\n";
}
