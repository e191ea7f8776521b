// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with loops that floating-point numbers count or decide: sums and products in every rounding, numbers halved
// until nothing is left, remainders by subtraction, bisection, approximation; from and to any value, infinities,
// numbers that are none, negative zeros and numbers nearer to zero than normal ones among them.
//
// A product without a rounding may be fused with the sum that takes it: half of the kernels are executed so.
#include <bit>
#include <cmath>

#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/float_writer.hpp"
#include "tests/reference/generators/kernel_text.hpp"

namespace warpspan::reference {

void FloatWriter::loop(const Condition& stays, const std::function<void()>& turn) {
  const std::string head = body_.label(), out = body_.label();
  const bool is_double = is_double_;
  const auto all_of_turn = [&] {
    if (depth_ < 2 && random_.chance(10)) any_loop();
    is_double_ = is_double;
    if (random_.chance(30)) body_.line({"st.global.u32 [", pointer_, "], ", thread_});
    turn();
  };
  ++depth_;
  body_.loop(random_.pick({Body::Tests::last, Body::Tests::first, Body::Tests::both}), head, out, stays, all_of_turn);
  --depth_;
}

void FloatWriter::counted() {
  const std::string x = copy(random_.chance(50) ? literal(0) : value()), limit = value();
  const std::string by = random_.chance(80) ? literal(small_number()) : value();
  const bool rises = random_.chance(70), is_sum = random_.chance(85);
  const std::string how = (rises || random_.chance(10) ? "add" : "sub") + rounding() + flush();
  loop(
      [&] {
        return rises ? condition(x, limit, {"lt", "lt", "lt", "le", "ne"})
                     : condition(x, limit, {"gt", "gt", "ge", "ne"});
      },
      [&] {
        change(x, is_sum ? result(how, {x, by}) : computed(x, by));
      });
  known_[is_double_ ? 1 : 0].push_back(x);
}

void FloatWriter::halved() {
  const std::string x = copy(value());
  const std::string end = random_.chance(20)   ? literal(0)
                          : random_.chance(70) ? literal(small_number() / 1000)
                                               : value();
  const double by = random_.pick<double>({0.5, 0.5, 0.25, 0.1, 0.7});
  const bool divides = random_.chance(40);
  const std::string how = divides ? "div" + std::string(random_.pick({".rn", ".rz", ".rm"})) : "mul" + rounding();
  const std::string flushes = flush();
  loop(
      [&] {
        return condition(x, end, {"gt", "gt", "ge", "ne"});
      },
      [&] {
        change(x, result(how + flushes, {x, literal(divides ? 1 / by : by)}));
      });
}

void FloatWriter::grown() {
  const std::string x = copy(random_.chance(60) ? literal(small_number()) : value());
  const double by = random_.pick<double>({2, 2, 3, 1.5, 1.1, 10});
  const std::string limit = random_.chance(75) ? literal(random_.pick<double>({1e9, 1e30, 1e38, 1e5})) : value();
  loop(
      [&] {
        return condition(x, limit, {"lt", "lt", "le", "ne"});
      },
      [&] {
        change(x, random_.chance(50) ? result("mul" + rounding() + flush(), {x, literal(by)})
                                     : fused(x, literal(by), literal(small_number())));
      });
}

// The remainder, as a library finds it.
void FloatWriter::reduced() {
  const std::string x = copy(value()), y = copy(random_.chance(60) ? literal(small_number()) : value());
  const bool scales = random_.chance(50);
  if (scales) {
    loop([&] { return condition(result("add", {y, y}), x, {"le", "lt"}); }, [&] { change(y, result("add", {y, y})); });
  }
  const std::string least = copy(literal(small_number()));
  loop(
      [&] {
        return scales ? condition(y, least, {"ge", "gt"}) : condition(x, y, {"ge", "gt"});
      },
      [&] {
        const std::string less = result("sub" + rounding(), {x, y});
        change(x, scales ? picked(compared(x, y, {"ge"}), less, x) : less);
        if (scales) change(y, result("mul", {y, literal(0.5)}));
      });
}

void FloatWriter::bisected() {
  const std::string low = copy(random_.chance(70) ? literal(0) : value()), high = copy(value());
  const std::string apart = literal(random_.pick<double>({0, 1e-3, 1e-6, 0.125})), target = value();
  const bool selects = random_.chance(60);
  loop(
      [&] {
        return condition(result("sub" + rounding(), {high, low}), apart, {"gt", "ge"});
      },
      [&] {
        const std::string middle = random_.chance(50) ? result("mul", {result("add", {low, high}), literal(0.5)})
                                                      : fused(result("sub", {high, low}), literal(0.5), low);
        const std::string p = compared(result("mul.rn", {middle, middle}), target, {"lt", "le"});
        if (selects) {
          change(low, picked(p, middle, low));
          return change(high, picked(p, high, middle));
        }
        const std::string other = body_.label(), join = body_.label();
        body_.line({"@", p, " bra ", other});
        change(high, middle);
        body_.line({"bra ", join});
        body_.place(other);
        change(low, middle);
        body_.place(join);
      });
}

// A root, until it does not change, or little.
void FloatWriter::approximated() {
  const std::string a = value(), x = copy(random_.chance(50) ? a : literal(small_number())), before = copy(literal(0));
  const std::string apart = literal(random_.pick<double>({0, 1e-3, 1e-5}));
  loop(
      [&] {
        return condition(result("abs", {result("sub", {x, before})}), apart, {"gt", "ne"});
      },
      [&] {
        change(before, x);
        const std::string sum = result("add" + rounding(), {x, result("div.rn", {a, x})});
        change(x, result("mul" + rounding(), {sum, literal(0.5)}));
      });
}

// An integer that counts to what a number says.
void FloatWriter::converted_limit() {
  const std::string counter = body_.word(), limit = body_.word(), kind = random_.pick({"s32", "u32"});
  const std::string number = computed(value(), value());
  body_.line({"mov.u32 ", counter, ", 0"});
  body_.line({"cvt.", random_.pick({"rni", "rzi", "rmi", "rpi"}), flush(), random_.chance(15) ? ".sat" : "", ".", kind,
              ".", type(), " ", limit, ", ", number});
  loop(
      [&] {
        const std::string p = body_.predicate();
        body_.line({"setp.", random_.pick({"lt", "lt", "ne"}), ".", kind, " ", p, ", ", counter, ", ", limit});
        return p;
      },
      [&] {
        body_.line({"add.s32 ", counter, ", ", counter, ", ", random_.pick({"1", "1", "2", "3"})});
      });
}

// An integer that counts to the lowest bits of a number: the last one that a rounding decides.
void FloatWriter::bits_limit() {
  const bool is_tiny = !is_double_ && random_.chance(15);
  std::string x = copy(literal(std::ldexp(ragged_number(), is_tiny ? -126 : 0)));
  const std::string y = random_.chance(50) ? value() : copy(literal(ragged_number()));
  for (int64_t i = random_.between(1, 4); i > 0; --i) {
    const std::string other = random_.chance(70) ? y : value();
    if (is_tiny && random_.chance(60))
      x = result("mul" + rounding() + flush(), {x, literal(random_.pick<double>({0.5, 0.25, 1, 2}))});
    else
      x = random_.chance(50) ? fused(x, literal(ragged_number()), other) : computed(x, other);
  }
  const std::string low = body_.word(), counter = body_.word(), p = body_.predicate();
  if (is_double_) {
    const std::string rest = body_.wide();
    body_.line({"shr.u64 ", rest, ", ", x, ", ", random_.pick({"0", "0", "0", "50"})});
    body_.line({"cvt.u32.u64 ", low, ", ", rest});
  } else {
    body_.line({"shr.u32 ", low, ", ", x, ", ", random_.pick({"0", "0", "0", "21"})});
  }
  body_.line({"and.b32 ", low, ", ", low, ", ", random_.pick({"1", "7", "15"})});
  body_.line({"mov.u32 ", counter, ", 0"});
  const std::string head = body_.label();
  body_.place(head);
  body_.line({"add.u32 ", counter, ", ", counter, ", 1"});
  body_.line({"setp.le.u32 ", p, ", ", counter, ", ", low});
  body_.line({"@", p, " bra ", head});
}

void FloatWriter::mixed() {
  const std::string x = copy(value()), y = copy(value()), limit = value();
  loop(
      [&] {
        return condition(random_.chance(70) ? x : y, limit, {"lt", "gt", "ne", "le", "num"});
      },
      [&] {
        for (int64_t i = random_.between(1, 3); i > 0; --i) {
          const std::string& to = random_.chance(70) ? x : y;
          const std::string next = computed(to, random_.chance(50) ? y : literal(small_number()));
          change(to, random_.chance(80) ? next : picked(compared(x, y, {"lt", "gt"}), next, to));
        }
      });
}

void FloatWriter::any_loop() {
  using Form = void (FloatWriter::*)();
  constexpr Form forms[] = {&FloatWriter::counted,         &FloatWriter::counted,
                            &FloatWriter::counted,         &FloatWriter::counted,
                            &FloatWriter::halved,          &FloatWriter::halved,
                            &FloatWriter::grown,           &FloatWriter::reduced,
                            &FloatWriter::reduced,         &FloatWriter::bisected,
                            &FloatWriter::bisected,        &FloatWriter::approximated,
                            &FloatWriter::converted_limit, &FloatWriter::converted_limit,
                            &FloatWriter::bits_limit,      &FloatWriter::bits_limit,
                            &FloatWriter::bits_limit,      &FloatWriter::bits_limit,
                            &FloatWriter::bits_limit,      &FloatWriter::bits_limit,
                            &FloatWriter::bits_limit,      &FloatWriter::mixed};
  const bool is_double = is_double_;
  is_double_ = random_.chance(30);
  const Form form = random_.of(forms);
  for (int i = form == &FloatWriter::bits_limit ? 4 : 1; i > 0; --i) (this->*form)();
  is_double_ = is_double;
}

std::string FloatWriter::write() {
  pointer_ = body_.wide();
  thread_ = body_.word();
  few_ = body_.word();
  given_ = body_.word();
  body_.line({"ld.param.u64 ", pointer_, ", [p]"});
  body_.line({"mov.u32 ", thread_, ", ", random_.pick({"%tid.x", "%tid.x", "%ctaid.x"})});
  body_.line({"ld.param.u32 ", few_, ", [m]"});
  body_.line({"ld.param.f32 ", given_, ", [n]"});
  for (int64_t i = random_.chance(85) ? 1 : 2; i > 0; --i) any_loop();
  return body_.text();
}

Experiment float_experiment(uint64_t seed) {
  const auto body = [seed](bool fuses) {
    Random random(seed);
    return kernel_text("", FloatWriter(random, fuses).write());
  };
  Random random(seed + 1);
  Experiment experiment = experiment_of(body(false), random);
  if (random.chance(50)) experiment.bodies = body(true);
  if (experiment.bodies == experiment.text) experiment.bodies.clear();
  const auto number = static_cast<float>(static_cast<double>(random.between(-40, 400)) / 8);
  experiment.launch.arguments.push_back({"n", std::to_string(std::bit_cast<uint32_t>(number))});
  experiment.launch.grid = experiment.launch.grid.value_or(ir::Extent{2, 1, 1});
  experiment.most_steps = 20'000;
  return experiment;
}

}  // namespace warpspan::reference
