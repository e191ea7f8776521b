// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/frontend/lift/random_nest.hpp"

#include <algorithm>
#include <array>

namespace warpspan::test {

namespace {

constexpr int64_t longest = 5'000;  // trips of one entry that are executed

constexpr std::array<const char*, 6> predicates = {"eq", "ne", "lt", "le", "gt", "ge"};

struct State {
  uint32_t thread = 0, outer = 0, inner = 0, loaded = 0;
};

uint32_t value_of(const Sum& sum, const State& state) {
  return sum.first + sum.thread * state.thread + sum.iteration * state.outer + sum.loaded * state.loaded;
}

uint32_t next_of(const CounterShape& shape, uint32_t counter, uint32_t by) {
  switch (shape.step) {
    case NestStep::add: return counter + by;
    case NestStep::shift_left: return by < 32 ? counter << by : 0;
    case NestStep::shift_right: return by < 32 ? counter >> by : 0;
    case NestStep::multiply_and_add: return counter * 3 + by;
  }
  return 0;
}

bool goes_on(const CounterShape& shape, uint32_t a, uint32_t b) {
  const bool less = shape.compares_signed ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  const std::array<bool, 6> results = {a == b, a != b, less, less || a == b, !less && a != b, !less};
  return results[shape.predicate];
}

// One entry of the inner loop.
struct Entry {
  int64_t trips = 0;  // 0: more than were executed
  bool leaves_both = false;
  uint32_t outer = 0;  // the outer counter afterwards
};

Entry run_inner(const NestShape& shape, State state) {
  const CounterShape& inner = shape.inner;
  state.inner = value_of(inner.start, state);
  const uint32_t limit = value_of(inner.limit, state);
  const uint32_t by = value_of(inner.by, state);
  for (int64_t trips = 1; trips <= longest; ++trips) {
    if (inner.test_at_head && !goes_on(inner, state.inner, limit)) return {trips, false, state.outer};
    state.inner = next_of(inner, state.inner, by);
    if (shape.inner_moves_outer) ++state.outer;
    if (shape.leaves_both && state.inner == state.outer) return {trips, true, state.outer};
    if (!inner.test_at_head && !goes_on(inner, state.inner, limit)) return {trips, false, state.outer};
  }
  return {0, false, state.outer};
}

// All that may happen to one thread. Where what is loaded changes the outer counter, one value is loaded in all
// iterations, which is some of what may happen.
class ThreadRun {
 public:
  ThreadRun(const NestShape& shape, uint32_t thread) : shape_(shape), thread_(thread) {}

  NestTrips run() {
    if (!shape_.inner_moves_outer) {
      run_iterations(0, shape_.loaded_values);
      return trips_;
    }
    for (uint32_t loaded = 0; loaded < shape_.loaded_values; ++loaded) run_iterations(loaded, loaded + 1);
    return trips_;
  }

 private:
  void run_iterations(uint32_t first, uint32_t end);
  bool run_iteration(State& state, uint32_t first, uint32_t end);

  const NestShape& shape_;
  uint32_t thread_;
  NestTrips trips_;
};

void ThreadRun::run_iterations(uint32_t first, uint32_t end) {
  const CounterShape& outer = shape_.outer;
  State state{.thread = thread_};
  state.outer = value_of(outer.start, state);
  const uint32_t limit = value_of(outer.limit, state);
  const uint32_t by = value_of(outer.by, state);
  for (int64_t trips = 1;; ++trips) {
    if (trips > longest / 10) {
      trips_.is_cut = true;
      return;
    }
    trips_.outer = std::max(trips_.outer, trips);
    if (outer.test_at_head && !goes_on(outer, state.outer, limit)) return;
    if (!run_iteration(state, first, end)) return;
    state.outer = next_of(outer, state.outer, by);
    if (!outer.test_at_head && !goes_on(outer, state.outer, limit)) return;
  }
}

// False if no value that may be loaded leads on.
bool ThreadRun::run_iteration(State& state, uint32_t first, uint32_t end) {
  if (shape_.skips_inner && state.outer % 2 == 0) return true;
  bool goes_on = false;
  int64_t least = INT64_MAX;
  uint32_t outer = state.outer;
  for (uint32_t loaded = first; loaded < end; ++loaded) {
    state.loaded = loaded;
    const Entry entry = run_inner(shape_, state);
    if (entry.trips == 0) trips_.is_cut = true;
    trips_.inner = std::max(trips_.inner, entry.trips == 0 ? longest : entry.trips);
    least = std::min(least, entry.trips);
    if (entry.trips == 0 || entry.leaves_both) continue;
    goes_on = true;
    outer = entry.outer;
  }
  trips_.sure_inner = std::max(trips_.sure_inner, least);
  state.outer = outer;
  return goes_on;
}

uint32_t small(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0: return 0x80000000U - 10 + static_cast<uint32_t>(random() % 20);
    case 1: return 0U - 10 + static_cast<uint32_t>(random() % 20);
    case 2: return static_cast<uint32_t>(random() % 1000);
    default: return static_cast<uint32_t>(random() % 30);
  }
}

uint32_t factor(std::mt19937_64& random, unsigned one_in) {
  return random() % one_in == 0 ? static_cast<uint32_t>(random() % 5) - 1 : 0;
}

CounterShape random_counter(std::mt19937_64& random, bool is_inner) {
  CounterShape shape;
  for (Sum* sum : {&shape.start, &shape.limit}) {
    *sum = {small(random), factor(random, 3), is_inner ? factor(random, 2) : 0, is_inner ? factor(random, 3) : 0};
  }
  shape.step = static_cast<NestStep>(random() % 8 < 5 ? 0 : random() % 4);
  shape.by.first = static_cast<uint32_t>(random() % 12) - 3;
  if (shape.step != NestStep::add) shape.by.first = static_cast<uint32_t>(random() % 3);
  shape.by.thread = factor(random, 5);
  if (is_inner) shape.by.iteration = factor(random, 6);
  shape.predicate = static_cast<unsigned>(1 + random() % 5);
  shape.compares_signed = random() % 2 == 0;
  shape.test_at_head = random() % 3 == 0;
  return shape;
}

// %r30 = the sum.
std::string sum_text(const Sum& sum, const std::string& to) {
  const auto number = [](uint32_t n) { return std::to_string(static_cast<int32_t>(n)); };
  std::string text = "mov.u32 %r30, " + number(sum.first) + ";\n";
  if (sum.thread != 0) text += "mad.lo.s32 %r30, %r20, " + number(sum.thread) + ", %r30;\n";
  if (sum.iteration != 0) text += "mad.lo.s32 %r30, %r1, " + number(sum.iteration) + ", %r30;\n";
  if (sum.loaded != 0) text += "mad.lo.s32 %r30, %r21, " + number(sum.loaded) + ", %r30;\n";
  return text + "mov.u32 " + to + ", %r30;\n";
}

std::string step_text(const CounterShape& shape, const std::string& counter, const std::string& by) {
  switch (shape.step) {
    case NestStep::add: return "add.s32 " + counter + ", " + counter + ", " + by + ";\n";
    case NestStep::shift_left: return "shl.b32 " + counter + ", " + counter + ", " + by + ";\n";
    case NestStep::shift_right: return "shr.u32 " + counter + ", " + counter + ", " + by + ";\n";
    case NestStep::multiply_and_add: return "mad.lo.s32 " + counter + ", " + counter + ", 3, " + by + ";\n";
  }
  return "";
}

std::string test_text(const CounterShape& shape, const std::string& counter, const std::string& limit) {
  return "setp." + std::string(predicates[shape.predicate]) + (shape.compares_signed ? ".s32" : ".u32") + " %p1, " +
         counter + ", " + limit + ";\n";
}

// A loop at $name whose iteration is `body`, with labels of its own.
std::string loop_text(const CounterShape& shape, const std::string& name, int registers, const std::string& body,
                      const std::string& after) {
  const auto reg = [&](int i) { return "%r" + std::to_string(registers + i); };
  std::string text = sum_text(shape.limit, reg(1)) + sum_text(shape.by, reg(2));
  const std::string test = test_text(shape, reg(0), reg(1));
  const std::string step = step_text(shape, reg(0), reg(2)) + after;
  text += name + ":\n";
  if (shape.test_at_head) return text + test + "@!%p1 bra " + name + "_end;\n" + body + step + "bra " + name + ";\n";
  return text + body + step + test + "@%p1 bra " + name + ";\n";
}

}  // namespace

NestShape random_nest(std::mt19937_64& random) {
  NestShape shape;
  shape.outer = random_counter(random, false);
  shape.inner = random_counter(random, true);
  if (random() % 2 == 0) shape.loaded_values = 1U << (1 + random() % 4);
  shape.skips_inner = random() % 5 == 0;
  shape.leaves_both = random() % 6 == 0;
  shape.inner_moves_outer = random() % 8 == 0;
  return shape;
}

// The outer counter is %r1 with %r2 and %r3, the inner one %r4 with %r5 and %r6.
std::string ptx_of(const NestShape& shape) {
  std::string after = shape.inner_moves_outer ? "add.u32 %r1, %r1, 1;\n" : "";
  if (shape.leaves_both) after += "setp.eq.u32 %p2, %r4, %r1;\n@%p2 bra $end;\n";
  std::string iteration;
  if (shape.skips_inner) iteration += "and.b32 %r31, %r1, 1;\nsetp.eq.u32 %p3, %r31, 0;\n@%p3 bra $L_end;\n";
  iteration += "ld.volatile.global.u32 %r21, [%d20];\nand.b32 %r21, %r21, " + std::to_string(shape.loaded_values - 1) +
               ";\n" + sum_text(shape.inner.start, "%r4") + loop_text(shape.inner, "$L", 4, "", after) + "$L_end:\n";
  return "mov.u32 %r20, %tid.x;\nld.param.u64 %d20, [p];\n" + sum_text(shape.outer.start, "%r1") +
         loop_text(shape.outer, "$A", 1, iteration, "") + "$A_end:\n$end:\nret;";
}

NestTrips execute(const NestShape& shape, uint32_t threads) {
  NestTrips all;
  for (uint32_t thread = 0; thread < threads; ++thread) {
    const NestTrips trips = ThreadRun(shape, thread).run();
    all.is_cut = all.is_cut || trips.is_cut;
    all.outer = std::max(all.outer, trips.outer);
    all.inner = std::max(all.inner, trips.inner);
    all.sure_outer = std::max(all.sure_outer, trips.outer);
    all.sure_inner = std::max(all.sure_inner, trips.sure_inner);
  }
  if (shape.leaves_both || shape.inner_moves_outer) all.sure_outer = all.sure_inner = INT64_MAX;
  return all;
}

}  // namespace warpspan::test
