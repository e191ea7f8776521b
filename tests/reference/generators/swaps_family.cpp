// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose threads retry compare-and-swaps until one succeeds, and others that wait for the cycle counter.
#include "tests/reference/generators/body.hpp"
#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/kernel_text.hpp"

namespace warpspan::reference {

namespace {

class Swaps {
 public:
  explicit Swaps(Random& random) : random_(random), body_("S") {}
  std::string write();

 private:
  std::string number(int64_t first, int64_t last) { return std::to_string(random_.between(first, last)); }
  void write_elsewhere();
  void retry();
  void wait();

  Random& random_;
  Body body_;
  std::string pointer_, thread_;
  bool is_shared_ = false;
};

// To the same word, or one beside it.
void Swaps::write_elsewhere() {
  const std::string place = is_shared_ ? "[tile" : "[" + pointer_;
  const std::string space = is_shared_ ? "shared" : random_.pick({"global", "global", "generic"});
  const std::string in = space == "generic" ? "" : "." + space;
  const std::string at = place + random_.pick({"], ", "], ", "+8], "});
  switch (random_.below(4)) {
    case 0: body_.line({"st", in, ".u32 ", at, thread_}); break;
    case 1: body_.line({"red", in, ".add.u32 ", at, number(1, 3)}); break;
    case 2: body_.line({"atom", in, ".exch.b32 ", body_.word(), ", ", at, thread_}); break;
    default: body_.line({"st", in, ".u8 ", at, thread_}); break;
  }
}

void Swaps::retry() {
  const std::string expected = body_.word(), found = body_.word(), next = body_.word(), p = body_.predicate();
  const std::string head = body_.label(), out = body_.label();
  const std::string in = is_shared_ ? ".shared" : random_.pick({".global", ".global", ""});
  const std::string place = is_shared_ ? "[tile]" : "[" + pointer_ + "]";
  const bool is_guess = random_.chance(25), finds_before = random_.chance(30), ends_early = random_.chance(20);
  if (is_guess)
    body_.line({"mov.u32 ", expected, ", ", number(0, 3)});
  else
    body_.line({"ld", in, ".u32 ", expected, ", ", place});
  body_.place(head);
  body_.line({random_.pick({"add.u32 ", "add.u32 ", "max.u32 ", "xor.b32 "}), next, ", ", expected, ", ",
              random_.chance(70) ? number(1, 3) : thread_});
  body_.line({"atom", in, ".cas.b32 ", found, ", ", place, ", ", expected, ", ", next});
  body_.line({"setp.ne.s32 ", p, ", ", found, ", ", expected});
  if (finds_before) body_.line({"st.local.u32 [frame], ", found});
  if (ends_early) {
    const std::string q = body_.predicate();
    body_.line({"setp.gt.u32 ", q, ", ", found, ", ", number(4, 40)});
    body_.line({"@", q, " bra ", out});
  }
  body_.line({"mov.b32 ", expected, ", ", found});
  body_.line({"@", p, " bra ", head});
  body_.place(out);
}

// Until so many cycles have passed since a read before the loop.
void Swaps::wait() {
  const bool is_wide = random_.chance(50), tests_before = random_.chance(30);
  const std::string bits = is_wide ? "64" : "32", clock = is_wide ? ", %clock64" : ", %clock";
  const auto fresh = [&] { return is_wide ? body_.wide() : body_.word(); };
  const std::string start = fresh(), now = fresh(), passed = fresh(), p = body_.predicate();
  const std::string head = body_.label(), out = body_.label();
  body_.line({"mov.u", bits, " ", start, clock});
  if (tests_before) body_.line({"mov.u", bits, " ", passed, ", 0"});
  body_.place(head);
  const auto test = [&] {
    body_.line({"setp.", random_.pick({"lt", "le"}), random_.pick({".s", ".u"}), bits, " ", p, ", ", passed, ", ",
                number(0, 60)});
  };
  if (tests_before) {
    test();
    body_.line({"@!", p, " bra ", out});
  }
  body_.line({"mov.u", bits, " ", now, clock});
  body_.line({"sub.s", bits, " ", passed, ", ", now, ", ", start});
  if (!tests_before) test();
  body_.line({tests_before ? "" : "@" + p + " ", "bra ", head});
  body_.place(out);
}

std::string Swaps::write() {
  pointer_ = body_.wide();
  thread_ = body_.word();
  body_.line({"ld.param.u64 ", pointer_, ", [p]"});
  body_.line({"mov.u32 ", thread_, ", %tid.x"});
  if (random_.chance(30)) {
    for (int64_t i = random_.between(1, 2); i > 0; --i) wait();
    return body_.text();
  }
  is_shared_ = random_.chance(40);
  const bool repeats = random_.chance(40);
  const std::string turn = body_.word(), p = body_.predicate(), head = body_.label();
  if (random_.chance(40)) write_elsewhere();
  if (repeats) {
    body_.line({"mov.u32 ", turn, ", 0"});
    body_.place(head);
  }
  retry();
  if (random_.chance(30)) write_elsewhere();
  if (random_.chance(20)) retry();
  if (repeats) {
    body_.line({"add.u32 ", turn, ", ", turn, ", 1"});
    body_.line({"setp.lt.u32 ", p, ", ", turn, ", ", number(1, 4)});
    body_.line({"@", p, " bra ", head});
  }
  return body_.text();
}

}  // namespace

Experiment swap_experiment(uint64_t seed) {
  Random random(seed);
  Experiment experiment = experiment_of(kernel_text("", Swaps(random).write()), random);
  // Few threads, each of which can be overtaken by all others.
  experiment.launch.block = random.pick<ir::Extent>({{1, 1, 1}, {1, 1, 1}, {2, 1, 1}, {40, 1, 1}, {33, 2, 1}});
  const int64_t blocks = random.between(1, 6);
  experiment.launch.grid = ir::Extent{blocks, 1, 1};
  experiment.blocks.clear();
  for (int64_t i = 0; i < blocks; ++i) experiment.blocks.push_back({i, 0, 0});
  experiment.blocks_at_once = true;
  experiment.most_steps = 50'000;
  return experiment;
}

}  // namespace warpspan::reference
