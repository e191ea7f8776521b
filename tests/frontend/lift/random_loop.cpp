// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/frontend/lift/random_loop.hpp"

#include <algorithm>
#include <array>

namespace warpspan::test {

namespace {

constexpr int64_t longest = 70'000;  // longer than any loop of a counter of 16 bits that ends

constexpr std::array<const char*, 6> predicates = {"eq", "ne", "lt", "le", "gt", "ge"};

uint64_t mask(unsigned bits) { return bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }

int64_t as_signed(uint64_t value, unsigned bits) { return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits); }

uint64_t extend(uint64_t value, unsigned from, unsigned to, bool is_signed) {
  return (is_signed ? static_cast<uint64_t>(as_signed(value, from)) : value) & mask(to);
}

bool compare(unsigned predicate, bool is_signed, uint64_t a, uint64_t b, unsigned bits) {
  const bool less = is_signed ? as_signed(a, bits) < as_signed(b, bits) : a < b;
  const std::array<bool, 6> results = {a == b, a != b, less, less || a == b, !less && a != b, !less};
  return results[predicate];
}

uint32_t value_of(const Linear& linear, uint32_t thread, uint32_t unknown, uint32_t iteration) {
  return linear.first + linear.by_thread * thread + linear.by_unknown * unknown + linear.by_iteration * iteration;
}

uint64_t next_of(const LoopShape& shape, uint64_t counter) {
  switch (shape.step) {
    case Step::add: counter += shape.by; break;
    case Step::shift_left: counter <<= shape.by; break;
    case Step::shift_right: counter >>= shape.by; break;
    case Step::multiply: counter *= shape.by; break;
  }
  return counter & mask(shape.bits);
}

// The trips of one entry, where no unknown condition ends it.
std::optional<int64_t> trips_of_entry(const LoopShape& shape, uint64_t counter, uint64_t limit) {
  const auto goes_on = [&] {
    return compare(shape.predicate, shape.compares_signed,
                   extend(counter, shape.bits, shape.test_bits, shape.extends_sign), limit, shape.test_bits);
  };
  uint32_t second = 0;
  for (int64_t trips = 1; trips <= longest; ++trips) {
    if (shape.test_at_head && !goes_on()) return trips;
    counter = next_of(shape, counter);
    if (shape.second_limit != 0 && ++second == shape.second_limit) return trips;
    if (shape.two_back_edges && (counter & 1) != 0) continue;
    if (!shape.test_at_head && !goes_on()) return trips;
  }
  return std::nullopt;
}

uint32_t interesting(std::mt19937_64& random) {
  const auto small = static_cast<uint32_t>(random() % 40);
  switch (random() % 8) {
    case 0: return 0x80000000U - 20 + small;
    case 1: return 0U - 20 + small;
    case 2: return 0x10000U - 20 + small;
    case 3: return 0x8000U - 20 + small;
    case 4: return static_cast<uint32_t>(random() % 3000);
    default: return small;
  }
}

Linear random_linear(std::mt19937_64& random, bool has_unknown) {
  Linear linear;
  linear.first = interesting(random);
  if (random() % 3 == 0) linear.by_thread = static_cast<uint32_t>(random() % 5) - 1;
  if (has_unknown && random() % 2 == 0) linear.by_unknown = static_cast<uint32_t>(random() % 7) - 2;
  if (random() % 4 == 0) linear.by_iteration = static_cast<uint32_t>(random() % 5) - 1;
  return linear;
}

std::string reg(unsigned bits, int index) {
  return (bits == 16 ? "%h" : bits == 32 ? "%r" : "%d") + std::to_string(index);
}

// reg(bits, index) = the linear value, through %r30.
std::string linear_text(const Linear& linear, unsigned bits, int index, bool is_signed) {
  const auto number = [](uint32_t n) { return std::to_string(static_cast<int32_t>(n)); };
  std::string text = "mov.u32 %r30, " + number(linear.first) + ";\n";
  if (linear.by_thread != 0) text += "mad.lo.s32 %r30, %r20, " + number(linear.by_thread) + ", %r30;\n";
  if (linear.by_unknown != 0) text += "mad.lo.s32 %r30, %r21, " + number(linear.by_unknown) + ", %r30;\n";
  if (linear.by_iteration != 0) text += "mad.lo.s32 %r30, %r22, " + number(linear.by_iteration) + ", %r30;\n";
  if (bits == 32) return text + "mov.u32 " + reg(32, index) + ", %r30;\n";
  return text + "cvt.u" + std::to_string(bits) + (is_signed ? ".s32 " : ".u32 ") + reg(bits, index) + ", %r30;\n";
}

std::string step_text(const LoopShape& shape) {
  const std::string bits = std::to_string(shape.bits);
  const std::string counter = reg(shape.bits, 1);
  const std::string by = std::to_string(as_signed(shape.by, shape.bits));
  const std::array<std::string, 4> names = {"add.s", "shl.b", "shr.u", "mul.lo.u"};
  return names[static_cast<size_t>(shape.step)] + bits + " " + counter + ", " + counter + ", " + by + ";\n";
}

// %p1: whether the loop goes on.
std::string test_text(const LoopShape& shape) {
  const std::string to = std::to_string(shape.test_bits);
  std::string text;
  std::string counter = reg(shape.bits, 1);
  if (shape.test_bits != shape.bits) {
    const std::string from = std::to_string(shape.bits);
    text = shape.extends_sign ? "cvt.s" + to + ".s" + from : "cvt.u" + to + ".u" + from;
    text += " " + reg(shape.test_bits, 3) + ", " + counter + ";\n";
    counter = reg(shape.test_bits, 3);
  }
  return text + "setp." + predicates[shape.predicate] + (shape.compares_signed ? ".s" : ".u") + to + " %p1, " +
         counter + ", " + reg(shape.test_bits, 2) + ";\n";
}

std::string unknown_condition(const char* predicate) {
  return "ld.volatile.global.u32 %r31, [%d20];\nsetp.eq.u32 " + std::string(predicate) + ", %r31, 0;\n@" + predicate;
}

}  // namespace

LoopShape random_shape(std::mt19937_64& random) {
  LoopShape shape;
  const auto one_in = [&random](unsigned n) { return random() % n == 0; };
  shape.bits = std::array<unsigned, 3>{16, 32, 64}[random() % 3];
  shape.test_bits = shape.bits;
  if (one_in(3)) shape.test_bits = std::min(64U, shape.bits * 2);
  shape.extends_sign = one_in(2);
  shape.compares_signed = one_in(2);
  shape.predicate = static_cast<unsigned>(random() % 6);
  shape.step = one_in(3) ? static_cast<Step>(random() % 4) : Step::add;
  shape.by = shape.step == Step::add ? interesting(random) : 1 + random() % 3;
  if (shape.step == Step::add && one_in(2)) shape.by = 0 - (random() % 20);
  if (shape.step == Step::add && one_in(3)) shape.by = 1 + random() % 10;
  shape.by &= mask(shape.bits);
  if (one_in(3)) shape.unknowns = 1U << (1 + random() % 5);
  shape.is_loaded = one_in(2);
  shape.start = random_linear(random, shape.unknowns > 1);
  shape.limit = random_linear(random, shape.unknowns > 1);
  shape.limit.by_iteration = 0;
  shape.limit_is_signed = one_in(2);
  shape.test_at_head = one_in(3);
  shape.breaks = one_in(8);
  shape.is_guarded = one_in(6);
  shape.threads_in = static_cast<uint32_t>(random() % 12);
  shape.guard_unknown = one_in(8);
  shape.two_back_edges = one_in(8);
  if (one_in(6)) shape.second_limit = 1 + static_cast<uint32_t>(random() % 40);
  if (one_in(4)) shape.iterations = 1 + static_cast<uint32_t>(random() % 4);
  return shape;
}

std::string ptx_of(const LoopShape& shape) {
  std::string text = "mov.u32 %r20, %tid.x;\nld.param.u64 %d20, [p];\nmov.u32 %r22, 0;\n";
  text += shape.is_loaded ? "ld.global.u8 %h10, [%d20+4];\n" : "ld.param.u16 %h10, [h];\n";
  text += "cvt.u32.u16 %r21, %h10;\nand.b32 %r21, %r21, " + std::to_string(shape.unknowns - 1) + ";\n";
  text += linear_text(shape.limit, shape.test_bits, 2, shape.limit_is_signed);
  if (shape.iterations > 1) text += "$A:\n";
  if (shape.guard_unknown) text += unknown_condition("%p5") + " bra $end;\n";
  if (shape.is_guarded) {
    text += "setp.ge.u32 %p4, %r20, " + std::to_string(shape.threads_in) + ";\n@%p4 bra $end;\n";
  }
  text += linear_text(shape.start, shape.bits, 1, false) + "mov.u32 %r4, 0;\n$L:\n";
  if (shape.test_at_head) text += test_text(shape) + "@!%p1 bra $out;\n";
  if (shape.breaks) text += unknown_condition("%p2") + " bra $out;\n";
  text += step_text(shape);
  if (shape.second_limit != 0) {
    text += "add.u32 %r4, %r4, 1;\nsetp.eq.u32 %p3, %r4, " + std::to_string(shape.second_limit) + ";\n@%p3 bra $out;\n";
  }
  if (shape.two_back_edges) {
    const std::string bits = std::to_string(shape.bits);
    text += "and.b" + bits + " " + reg(shape.bits, 5) + ", " + reg(shape.bits, 1) + ", 1;\nsetp.ne.u" + bits +
            " %p6, " + reg(shape.bits, 5) + ", 0;\n@%p6 bra $L;\n";
  }
  text += shape.test_at_head ? "bra $L;\n" : test_text(shape) + "@%p1 bra $L;\n";
  text += "$out:\n";
  if (shape.iterations > 1) {
    text += "add.u32 %r22, %r22, 1;\nsetp.lt.u32 %p7, %r22, " + std::to_string(shape.iterations) + ";\n@%p7 bra $A;\n";
  }
  return text + "$end:\nret;";
}

// The entries of one thread, for one unknown value.
Trips execute_thread(const LoopShape& shape, uint32_t thread, uint32_t unknown) {
  Trips trips;
  if (shape.is_guarded && thread >= shape.threads_in) return trips;
  trips.is_entered = true;
  trips.fewest = INT64_MAX;
  for (uint32_t iteration = 0; iteration < shape.iterations && !trips.is_endless; ++iteration) {
    const uint64_t start = value_of(shape.start, thread, unknown, iteration) & mask(shape.bits);
    const uint64_t limit = extend(value_of(shape.limit, thread, unknown, 0), 32, 64, shape.limit_is_signed);
    const auto found = trips_of_entry(shape, start, limit & mask(shape.test_bits));
    trips.is_endless = !found;
    trips.most = std::max(trips.most, found.value_or(longest));
    trips.fewest = std::min(trips.fewest, found.value_or(longest));
  }
  return trips;
}

// Of every thread, the entry with most trips happens, unless a condition may keep the thread from it. Where threads
// load a value they may have different ones, so that the worst launch is the worst for each thread; else it is one
// value for all.
Trips execute(const LoopShape& shape, uint32_t threads) {
  Trips all;
  int64_t least = INT64_MAX;
  std::vector<int64_t> of_thread(threads, INT64_MAX);  // the least, of its largest
  std::vector<int64_t> of_launch(shape.unknowns, 0);   // the largest
  for (uint32_t unknown = 0; unknown < shape.unknowns; ++unknown) {
    for (uint32_t thread = 0; thread < threads; ++thread) {
      const Trips trips = execute_thread(shape, thread, unknown);
      if (!trips.is_entered) {
        of_thread[thread] = 0;
        continue;
      }
      all.is_entered = true;
      all.is_endless = all.is_endless || trips.is_endless;
      all.most = std::max(all.most, trips.most);
      least = std::min(least, trips.fewest);
      of_thread[thread] = std::min(of_thread[thread], trips.most);
      of_launch[unknown] = std::max(of_launch[unknown], trips.most);
    }
  }
  all.is_surely_endless = all.is_endless && shape.bits == 16;
  all.fewest = shape.is_loaded ? *std::max_element(of_thread.begin(), of_thread.end())
                               : *std::min_element(of_launch.begin(), of_launch.end());
  if (shape.guard_unknown) all.fewest = least;
  if (shape.breaks) all.fewest = 1;
  return all;
}

}  // namespace warpspan::test
