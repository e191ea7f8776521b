// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/timing/kernels.hpp"

#include <algorithm>
#include <regex>

#include "tests/reference/footprints.hpp"
#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::machine_code {

namespace {

using reference::Random;

std::string text_of(int64_t number) { return std::to_string(number); }

// A kernel while it is written: numbered registers of each type, lines, parameters. Its pointer p is in %d0, p and four
// bytes for each thread before in %d1, the thread's number in %r0.
class Writer {
 public:
  Writer(Random& random, int64_t warps) : random_(random) {
    kernel_.kernel = "k";
    kernel_.block = {32 * warps, 1, 1};
    add_parameter("p", ".u64", 0x7f0000000000 + random.below(1 << 12) * 256, false);
    line("ld.param.u64 %d0, [p]");
    line("cvta.to.global.u64 %d0, %d0");
    line("mov.u32 %r0, %tid.x");
    words_ = 1;
    wides_ = 1;
    const std::string place = wide();
    line("mul.wide.u32 " + place + ", %r0, 4");
    line("add.u64 " + place + ", %d0, " + place);
    sum_ = word();
    line("mov.u32 " + sum_ + ", %r0");
  }

  Random& random() { return random_; }
  std::string word() { return "%r" + text_of(words_++); }
  std::string wide() { return "%d" + text_of(wides_++); }
  std::string real() { return "%f" + text_of(reals_++); }
  std::string long_real() { return "%g" + text_of(long_reals_++); }
  std::string predicate() { return "%p" + text_of(predicates_++); }
  std::string label() { return "L" + text_of(labels_++); }
  const std::string& sum() const { return sum_; }  // a word that is stored at the end
  void line(const std::string& text) { lines_ += text + ";\n"; }
  void raw(const std::string& text) { lines_ += text + "\n"; }
  void use(const std::string& word) {
    if (random_.chance(30)) return line("mad.lo.u32 " + sum_ + ", " + sum_ + ", " + word + ", " + word);
    line(random_.pick({"xor.b32 ", "add.u32 "}) + sum_ + ", " + sum_ + ", " + word);
  }

  void add_parameter(const std::string& name, const std::string& type, uint64_t value, bool told) {
    parameters_ += (parameters_.empty() ? "" : ", ") + (".param " + type) + " " + name;
    kernel_.parameters.push_back(name);
    kernel_.values.push_back(value);
    kernel_.told.push_back(told);
  }
  void share() { shared_ = true; }
  TimedKernel& kernel() { return kernel_; }

  // A loop of so many turns, a number that the parameter `n` gives if there is none yet, or a constant.
  template <typename Turn>
  void loop(int64_t turns, bool of_parameter, const Turn& turn) {
    const std::string counter = word(), limit = word(), again = predicate(), head = label();
    line("mov.u32 " + counter + ", 0");
    if (of_parameter && !has_limit_) {
      has_limit_ = true;
      add_parameter("n", ".u32", static_cast<uint64_t>(turns), true);
      line("ld.param.u32 " + limit + ", [n]");
    } else {
      line("mov.u32 " + limit + ", " + text_of(turns));
    }
    raw(head + ":");
    raw(".pragma \"nounroll\";");
    turn(counter);
    line("add.u32 " + counter + ", " + counter + ", 1");
    line("setp.lt.u32 " + again + ", " + counter + ", " + limit);
    line("@" + again + " bra " + head);
  }

  TimedKernel end() {
    line("st.global.u32 [%d1+" + text_of(1 << 20) + "], " + sum_);
    line("ret");
    const auto registers = [](const char* type, const char* name, int count) {
      return std::string(".reg ") + type + " %" + name + "<" + text_of(count + 1) + ">;\n";
    };
    kernel_.text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(" + parameters_ + ")\n{\n" +
                   (shared_ ? ".shared .align 16 .b8 tile[16384];\n" : "") + registers(".pred", "p", predicates_) +
                   registers(".b32", "r", words_) + registers(".b64", "d", wides_) + registers(".f32", "f", reals_) +
                   registers(".f64", "g", long_reals_) + lines_ + "}\n";
    return std::move(kernel_);
  }

 private:
  Random& random_;
  TimedKernel kernel_;
  std::string parameters_, lines_, sum_;
  int words_ = 0, wides_ = 0, reals_ = 0, long_reals_ = 0, predicates_ = 0, labels_ = 0;
  bool has_limit_ = false, shared_ = false;
};

int64_t any_warps(Random& random) { return random.pick<int64_t>({1, 1, 1, 2, 4, 5, 8}); }

// Long loops of few warps, in which what happens once does not hide what happens in each turn.
int64_t any_turns(Random& random, const TimedKernel& kernel) {
  return kernel.block.x > 64 || random.chance(40) ? random.between(1, 12) : random.between(50, 150);
}

// Four sums, to each of which every fourth number is added after a product.
void add_products(Writer& w, const std::vector<std::string>& numbers) {
  std::vector<std::string> sums;
  for (int i = 0; i < 4; ++i) {
    sums.push_back(w.real());
    w.line("mov.f32 " + sums.back() + ", 0f3F800000");
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    const std::string& sum = sums[i % sums.size()];
    w.line("fma.rn.f32 " + sum + ", " + sum + ", " + numbers[i] + ", " + numbers[(i + 1) % numbers.size()]);
  }
  for (const std::string& sum : sums) {
    const std::string bits = w.word();
    w.line("mov.b32 " + bits + ", " + sum);
    w.use(bits);
  }
}

// `count` loads before the first of their uses, of `width` words each. All lanes of a warp load from one line, or from
// lines side by side, or each from its own.
void row(Writer& w, int64_t count, int width, const std::string& counter) {
  Random& random = w.random();
  const std::string base = w.wide();
  w.line("mul.wide.u32 " + base + ", " + counter + ", " + random.pick({"1024", "4096", "65536", "16"}));
  w.line("add.u64 " + base + ", %d0, " + base);
  if (random.chance(width == 4 ? 40 : 60)) {
    const std::string place = w.wide();
    w.line("mul.wide.u32 " + place + ", %r0, " + text_of(random.chance(85) ? 4 * width : 128));
    w.line("add.u64 " + base + ", " + base + ", " + place);
  }
  const int64_t stride = random.pick<int64_t>({16, 512, 4096, 65536});
  const std::string cache = random.chance(40) ? ".nc" : "";
  const bool sums = width == 4 && random.chance(60);  // of floating-point numbers, each with all that follow
  std::vector<std::string> loaded;
  for (int64_t i = 0; i < count; ++i) {
    std::string list;
    for (int k = 0; k < width; ++k) {
      loaded.push_back(sums ? w.real() : w.word());
      list += (k == 0 ? "" : ", ") + loaded.back();
    }
    const std::string vector = width == 1 ? "" : ".v" + text_of(width);
    w.line("ld.global" + cache + vector + (sums ? ".f32 " : ".u32 ") + (width == 1 ? list : "{" + list + "}") + ", [" +
           base + "+" + text_of(i * stride / 16 * 16) + "]");
  }
  if (random.chance(50)) std::reverse(loaded.begin(), loaded.end());
  if (sums) return add_products(w, loaded);
  for (const std::string& each : loaded) w.use(each);
}

TimedKernel rows(uint64_t seed) {
  Random random(seed);
  Writer w(random, any_warps(random));
  const int width = random.pick({1, 1, 2, 4});
  const int64_t most = width == 4 ? 40 : 64;
  const int64_t count = width < 4 && random.chance(50) ? random.between(1, 12) : random.between(1, most);
  w.loop(any_turns(random, w.kernel()), random.chance(70), [&](const std::string& counter) {
    row(w, count, width, counter);
    if (random.chance(30)) row(w, random.between(1, 8), 1, counter);
    if (random.chance(20)) w.line("st.global.u32 [%d1+" + text_of(1 << 22) + "], " + w.sum());
  });
  return w.end();
}

// One operation with numbers that its instruction cannot have in it.
void constant(Writer& w) {
  Random& random = w.random();
  const std::string number = text_of(static_cast<int64_t>(random.next() >> random.below(40) >> 1));
  switch (random.below(6)) {
    case 0: {
      const std::string a = w.wide(), b = w.word();
      w.line("mul.wide.u32 " + a + ", " + w.sum() + ", " + w.sum());
      w.line("mul.lo.u64 " + a + ", " + a + ", " + number);
      w.line("shr.u64 " + a + ", " + a + ", " + text_of(random.between(1, 40)));
      w.line("cvt.u32.u64 " + b + ", " + a);
      return w.use(b);
    }
    case 1: {
      const std::string a = w.wide(), b = w.word();
      w.line("cvt.u64.u32 " + a + ", " + w.sum());
      w.line("add.u64 " + a + ", " + a + ", " + number);
      w.line("mul.hi.u64 " + a + ", " + a + ", " + number);
      w.line("cvt.u32.u64 " + b + ", " + a);
      return w.use(b);
    }
    case 2: {
      const std::string a = w.word();
      w.line("dp4a.u32.u32 " + a + ", " + w.sum() + ", " + text_of(static_cast<int64_t>(random.next() >> 33)) + ", " +
             text_of(static_cast<int64_t>(random.next() >> 33)));
      return w.use(a);
    }
    case 3: {
      const std::string a = w.long_real(), b = w.word();
      w.line("cvt.rn.f64.u32 " + a + ", " + w.sum());
      w.line("fma.rn.f64 " + a + ", " + a + ", 0d3FF199999999999A, 0d3FB999999999999A");
      w.line("cvt.rzi.u32.f64 " + b + ", " + a);
      return w.use(b);
    }
    case 4: {
      const std::string a = w.real(), b = w.word();
      w.line("cvt.rn.f32.u32 " + a + ", " + w.sum());
      w.line("fma.rn.f32 " + a + ", " + a + ", 0f3F8CCCCD, 0f3DCCCCCD");
      w.line("mov.b32 " + b + ", " + a);
      return w.use(b);
    }
    default: {
      const std::string a = w.word();
      w.line("mad.lo.u32 " + a + ", " + w.sum() + ", " + text_of(static_cast<int64_t>(random.next() >> 33)) + ", " +
             text_of(static_cast<int64_t>(random.next() >> 33)));
      return w.use(a);
    }
  }
}

TimedKernel constants(uint64_t seed) {
  Random random(seed);
  Writer w(random, any_warps(random));
  const int64_t count = random.between(1, 20);
  w.loop(any_turns(random, w.kernel()), random.chance(70), [&](const std::string& counter) {
    for (int64_t i = 0; i < count; ++i) constant(w);
    if (random.chance(30)) row(w, random.between(1, 4), 1, counter);
  });
  return w.end();
}

std::vector<std::string> parameters_of(Writer& w, int64_t count) {
  std::vector<std::string> held;
  for (int64_t i = 0; i < count; ++i) {
    const std::string name = "q" + text_of(i);
    w.add_parameter(name, ".u32", w.random().next() & UINT32_MAX, false);
    held.push_back(w.word());
    w.line("ld.param.u32 " + held.back() + ", [" + name + "]");
    // Registers that are written again, and choices.
    if (w.random().chance(15)) {
      w.line("add.u32 " + held.back() + ", " + held.back() + ", " + text_of(w.random().between(1, 9)));
    } else if (i > 0 && w.random().chance(10)) {
      const std::string p = w.predicate();
      w.line("setp.lt.u32 " + p + ", " + (w.random().chance(50) ? w.sum() : held.back()) + ", 77");
      w.line("@" + p + " mov.u32 " + held.back() + ", " + w.random().of(held));
    }
  }
  return held;
}

void parameter(Writer& w, const std::vector<std::string>& held) {
  Random& random = w.random();
  const std::string a = w.word();
  const std::string& b = random.of(held);
  const std::string& c = random.of(held);
  switch (random.below(6)) {
    case 5: {
      const std::string loaded = w.word();
      w.line("ld.global.u32 " + loaded + ", [%d1+" + text_of(random.between(0, 64) * 4096) + "]");
      w.line("mad.lo.u32 " + a + ", " + loaded + ", " + b + ", " + c);
      break;
    }
    case 0: w.line("mad.lo.u32 " + a + ", " + w.sum() + ", " + b + ", " + c); break;
    case 1: w.line("mad.lo.u32 " + a + ", " + b + ", " + c + ", " + w.sum()); break;
    case 2:
      w.line("lop3.b32 " + a + ", " + w.sum() + ", " + b + ", " + c + ", " + text_of(random.between(0, 255)));
      break;
    case 3: {
      const std::string p = w.predicate();
      w.line("setp.lt.u32 " + p + ", " + w.sum() + ", " + b);
      w.line("selp.u32 " + a + ", " + b + ", " + c + ", " + p);
      break;
    }
    default: w.line("shf.l.wrap.b32 " + a + ", " + b + ", " + w.sum() + ", " + c);
  }
  w.use(a);
}

TimedKernel parameters(uint64_t seed) {
  Random random(seed);
  Writer w(random, any_warps(random));
  const std::vector<std::string> held = parameters_of(w, random.between(2, 40));
  const int64_t count = random.between(1, 30);
  w.loop(any_turns(random, w.kernel()), random.chance(70), [&](const std::string& counter) {
    for (int64_t i = 0; i < count; ++i) parameter(w, held);
    if (random.chance(30)) row(w, random.between(1, 4), 1, counter);
  });
  return w.end();
}

TimedKernel spills(uint64_t seed) {
  Random random(seed);
  Writer w(random, any_warps(random));
  const int64_t count = random.between(10, 40);
  w.kernel().registers = 8 * random.between(3, 5);
  w.kernel().flags = "-maxrregcount=" + text_of(w.kernel().registers);
  std::vector<std::string> kept;
  for (int64_t i = 0; i < count; ++i) {
    kept.push_back(w.word());
    w.line("ld.global.u32 " + kept.back() + ", [%d1+" + text_of(4096 * i) + "]");
  }
  w.loop(any_turns(random, w.kernel()), random.chance(70), [&](const std::string& counter) {
    if (random.chance(50)) row(w, random.between(1, 6), 1, counter);
    for (const std::string& each : kept)
      w.line("mad.lo.u32 " + each + ", " + each + ", " + each + ", " + (random.chance(50) ? w.sum() : counter));
    w.use(random.of(kept));
  });
  for (const std::string& each : kept) w.use(each);
  return w.end();
}

TimedKernel tiles(uint64_t seed) {
  Random random(seed);
  Writer w(random, any_warps(random));
  const int64_t high = random.between(1, 4), wide = random.between(1, 4);
  const bool from_shared = random.chance(40);
  if (from_shared) w.share();
  std::vector<std::string> sums;
  for (int64_t i = 0; i < 4 * high * wide; ++i) {
    sums.push_back(w.real());
    w.line("mov.f32 " + sums.back() + ", 0f00000000");
  }
  w.loop(any_turns(random, w.kernel()), random.chance(70), [&](const std::string& counter) {
    std::string base = w.wide();
    if (from_shared) {
      const std::string at = w.word(), place = w.word();
      w.line("mov.u32 " + at + ", tile");
      w.line("mul.lo.u32 " + place + ", %r0, 16");
      w.line("add.u32 " + at + ", " + at + ", " + place);
      const std::string value = w.word();
      w.line("ld.global.u32 " + value + ", [%d1]");
      if (random.chance(70)) w.line("bar.sync 0");
      w.line("st.shared.u32 [" + at + "], " + value);
      w.line("bar.sync 0");
      base = at;
    } else {
      w.line("mul.wide.u32 " + base + ", " + counter + ", 4096");
      w.line("add.u64 " + base + ", %d1, " + base);
    }
    const std::string space = from_shared ? "shared" : "global";
    const auto loads = [&](int64_t count) {
      std::vector<std::string> all;
      for (int64_t i = 0; i < count; ++i) {
        all.push_back(w.word());
        w.line("ld." + space + ".u32 " + all.back() + ", [" + base + "+" + text_of((from_shared ? 4 : 512) * i) + "]");
      }
      return all;
    };
    const std::vector<std::string> a = loads(4 * high), b = loads(2 * wide);
    for (int64_t i = 0; i < high; ++i) {
      for (int64_t j = 0; j < wide; ++j) {
        const auto at = [](const std::vector<std::string>& all, int64_t n) { return all[static_cast<size_t>(n)]; };
        const int64_t s = 4 * (i * wide + j);
        const std::string d =
            "{" + at(sums, s) + ", " + at(sums, s + 1) + ", " + at(sums, s + 2) + ", " + at(sums, s + 3) + "}";
        w.line("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + d + ", {" + at(a, 4 * i) + ", " +
               at(a, 4 * i + 1) + ", " + at(a, 4 * i + 2) + ", " + at(a, 4 * i + 3) + "}, {" + at(b, 2 * j) + ", " +
               at(b, 2 * j + 1) + "}, " + d);
      }
    }
  });
  for (size_t i = 0; i < sums.size(); ++i)
    w.line("st.global.f32 [%d1+" + text_of((1 << 21) + 512 * static_cast<int64_t>(i)) + "], " + sums[i]);
  return w.end();
}

void some_statement(Writer& w, const std::vector<std::string>& held, const std::string& counter, int depth) {
  Random& random = w.random();
  switch (random.below(depth > 0 ? 10 : 6)) {
    case 0: return row(w, random.between(1, 10), random.pick({1, 1, 2, 4}), counter);
    case 1:
    case 2: return constant(w);
    case 3: return parameter(w, held);
    case 4: {
      const std::string a = w.real(), b = w.word();
      w.line("cvt.rn.f32.u32 " + a + ", " + w.sum());
      w.line(random.pick({"sin.approx.f32 ", "ex2.approx.f32 ", "rcp.approx.f32 ", "sqrt.approx.f32 "}) + a + ", " + a);
      w.line("cvt.rzi.u32.f32 " + b + ", " + a);
      return w.use(b);
    }
    case 5: {
      w.share();
      const std::string at = w.word(), value = w.word();
      w.line("and.b32 " + at + ", " + (random.chance(50) ? w.sum() : std::string("%r0")) + ", 1023");
      w.line("shl.b32 " + at + ", " + at + ", " + random.pick({"2", "3"}));
      w.line("mov.u32 " + value + ", tile");
      w.line("add.u32 " + at + ", " + at + ", " + value);
      if (random.chance(50)) w.line("st.shared.u32 [" + at + "+4], " + w.sum());
      w.line("ld.shared.u32 " + value + ", [" + at + "]");
      return w.use(value);
    }
    case 6: {
      const std::string a = w.word();
      w.line("shfl.sync.bfly.b32 " + a + ", " + w.sum() + ", " + text_of(random.between(1, 16)) + ", 31, -1");
      return w.use(a);
    }
    case 7: {
      if (random.chance(50))
        return w.line("st.global.u32 [%d1+" + text_of(random.between(0, 64) * 4096) + "], " + w.sum());
      const std::string a = w.word();
      w.line("atom.global.add.u32 " + a + ", [%d1+" + text_of(random.between(0, 64) * 4096) + "], " + w.sum());
      return w.use(a);
    }
    case 8: {
      const std::string p = w.predicate(), skip = w.label();
      w.line("setp.lt.u32 " + p + ", " + (random.chance(50) ? std::string("%r0") : counter) + ", " +
             text_of(random.between(1, 40)));
      w.line("@" + p + " bra " + skip);
      for (int64_t i = random.between(1, 3); i > 0; --i) some_statement(w, held, counter, 0);
      return w.raw(skip + ":");
    }
    default: return depth > 1 ? w.line("bar.sync 0") : constant(w);
  }
}

TimedKernel mixtures(uint64_t seed) {
  Random random(seed);
  Writer w(random, any_warps(random));
  const std::vector<std::string> held = parameters_of(w, random.between(1, 12));
  w.loop(any_turns(random, w.kernel()), random.chance(70), [&](const std::string& counter) {
    for (int64_t i = random.between(2, 8); i > 0; --i) some_statement(w, held, counter, 2);
  });
  return w.end();
}

// What lanes tell each other, or a sleep.
void exchange(Writer& w, const std::string& counter) {
  Random& random = w.random();
  const std::string a = w.word();
  switch (random.below(5)) {
    case 0:
      w.line(std::string("redux.sync.") + random.pick({"add.u32 ", "min.s32 ", "xor.b32 "}) + a + ", " + w.sum() +
             ", -1");
      break;
    case 1: w.line("match.any.sync.b32 " + a + ", " + random.pick({w.sum(), std::string("%r0")}) + ", -1"); break;
    case 2: {
      const std::string p = w.predicate();
      w.line("match.all.sync.b32 " + a + "|" + p + ", " + random.pick({w.sum(), counter}) + ", -1");
      w.line("@" + p + " add.u32 " + a + ", " + a + ", 1");
      break;
    }
    case 3: {
      const std::string p = w.predicate();
      w.line("setp.lt.u32 " + p + ", " + w.sum() + ", " + counter);
      w.line("vote.sync.ballot.b32 " + a + ", " + p + ", -1");
      break;
    }
    default: {
      if (random.chance(60)) return w.line("nanosleep.u32 " + text_of(random.between(0, 1000)));
      w.line("and.b32 " + a + ", " + w.sum() + ", " + random.pick({"63", "1023"}));
      return w.line("nanosleep.u32 " + a);
    }
  }
  w.use(a);
}

// Shared memory into which lanes copy: a place for each thread, which it has 16 bytes of, in a ring of such places.
struct Ring {
  std::string place;   // of the thread in the first
  std::string source;  // in global memory
  int64_t length = 1, copies = 1, width = 16;
};

Ring make_ring(Writer& w) {
  Random& random = w.random();
  Ring ring;
  ring.length = random.between(1, 4);
  ring.copies = random.between(1, 4);
  ring.width = random.pick<int64_t>({4, 8, 16, 16});
  ring.place = w.word();
  ring.source = w.wide();
  const std::string tile = w.word();
  w.line("mul.lo.u32 " + ring.place + ", %r0, " + random.pick({"16", "16", "32", "128"}));
  w.line("and.b32 " + ring.place + ", " + ring.place + ", 4080");
  w.line("mov.u32 " + tile + ", tile");
  w.line("add.u32 " + ring.place + ", " + ring.place + ", " + tile);
  w.line("mul.wide.u32 " + ring.source + ", %r0, " + random.pick({"16", "16", "128"}));
  w.line("add.u64 " + ring.source + ", %d0, " + ring.source);
  return ring;
}

void copy_group(Writer& w, const Ring& ring, int64_t stage, const std::string& counter) {
  Random& random = w.random();
  for (int64_t i = 0; i < ring.copies; ++i) {
    const std::string cache = ring.width == 16 && random.chance(70) ? "cg" : "ca";
    std::string given;  // of its bytes, those that are read
    if (random.chance(15)) {
      given = w.word();
      w.line("and.b32 " + given + ", " + counter + ", " + text_of(ring.width - 1));
      given = ", " + given;
    }
    w.line("cp.async." + cache + ".shared.global [" + ring.place + "+" + text_of(4096 * stage) + "], [" + ring.source +
           "+" + text_of(4096 * random.between(0, 16)) + "], " + text_of(ring.width) + given);
  }
  w.line("cp.async.commit_group");
}

void read_ring(Writer& w, const Ring& ring, int64_t stage) {
  Random& random = w.random();
  const std::string at = "[" + ring.place + "+" + text_of(4096 * stage) + "]";
  std::vector<std::string> words;
  for (int64_t i = random.pick<int64_t>({1, 2, 4}); i > 0; --i) words.push_back(w.word());
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  if (random.chance(60)) {
    w.line("ldmatrix.sync.aligned.m8n8.x" + text_of(static_cast<int64_t>(words.size())) + random.pick({"", ".trans"}) +
           ".shared.b16 {" + list + "}, " + at);
  } else if (words.size() == 1) {
    w.line("ld.shared.u32 " + list + ", " + at);
  } else {
    w.line("ld.shared.v" + text_of(static_cast<int64_t>(words.size())) + ".u32 {" + list + "}, " + at);
  }
  for (const std::string& word : words) w.use(word);
}

TimedKernel copies(uint64_t seed) {
  Random random(seed);
  Writer w(random, any_warps(random));
  w.share();
  const Ring ring = make_ring(w);
  for (int64_t i = 0; i + 1 < ring.length; ++i) copy_group(w, ring, i, "%r0");
  const bool synchronizes = random.chance(60);
  w.loop(any_turns(random, w.kernel()), random.chance(70), [&](const std::string& counter) {
    copy_group(w, ring, ring.length - 1, counter);
    w.line("add.u64 " + ring.source + ", " + ring.source + ", 4096");
    if (random.chance(20)) row(w, random.between(1, 4), 1, counter);
    if (random.chance(30)) exchange(w, counter);
    if (random.chance(80))
      w.line("cp.async.wait_group " + text_of(random.between(0, ring.length - 1)));
    else
      w.line("cp.async.wait_all");
    if (synchronizes) w.line("bar.sync 0");
    for (int64_t i = random.between(1, 3); i > 0; --i) read_ring(w, ring, random.between(0, ring.length - 1));
    for (int64_t i = random.between(0, 2); i > 0; --i) exchange(w, counter);
    if (synchronizes && random.chance(70)) w.line("bar.sync 0");
  });
  if (random.chance(50)) w.line("cp.async.wait_all");
  return w.end();
}

// ptxas takes no special registers as factors.
std::string accepted_by_ptxas(const std::string& text) {
  static const std::regex factors(R"(mad\.lo\.u32 (\S+), (\S+), (\S+), (\S+);)");
  return std::regex_replace(text, factors,
                            "{ .reg .u32 y, z; mov.u32 y, $2; mov.u32 z, $3; mad.lo.u32 $1, y, z, $4; }");
}

TimedKernel of_experiment(const reference::Experiment& experiment, uint64_t seed) {
  Random random(seed + 77);
  TimedKernel kernel;
  kernel.text = accepted_by_ptxas(experiment.text);
  kernel.kernel = experiment.kernel;
  kernel.block = *experiment.launch.block;
  kernel.parameters = {"p", "n", "m"};
  kernel.values = {0x7f0000000000 + random.below(1 << 12) * 256, random.below(64), random.below(4)};
  kernel.told = {false, false, false};
  for (const ir::Argument& argument : experiment.launch.arguments) {
    const auto at = std::find(kernel.parameters.begin(), kernel.parameters.end(), argument.parameter);
    if (at == kernel.parameters.end()) continue;
    const auto index = static_cast<size_t>(at - kernel.parameters.begin());
    kernel.values[index] = std::stoull(argument.value);
    kernel.told[index] = true;
  }
  kernel.only_numbers = false;
  kernel.tells_grid = true;
  return kernel;
}

template <size_t Index>
TimedKernel of_family(uint64_t seed) {
  return of_experiment(reference::families()[Index].make(seed), seed);
}

TimedKernel footprints(uint64_t seed) { return of_experiment(reference::footprint_experiment(seed), seed); }

template <size_t... Index>
void add_families(std::vector<TimedFamily>& all, std::index_sequence<Index...>) {
  const auto& others = reference::families();
  const auto add = [&](size_t index, TimedKernel (*make)(uint64_t)) {
    const std::string_view name = others[index].name;
    if (name != "outside" && name != "swaps" && name != "recursion") all.push_back({others[index].name, make});
  };
  (add(Index, of_family<Index>), ...);
}

}  // namespace

TimedKernel timed_case(const Case& which) {
  TimedKernel kernel;
  kernel.kernel = which.kernel;
  kernel.block = which.block;
  kernel.only_numbers = false;
  kernel.tells_grid = true;
  for (size_t i = 0; i < which.arguments.size(); ++i) {
    kernel.parameters.push_back(which.kernel + "_param_" + std::to_string(i));
    kernel.values.push_back(value_of(which.arguments[i], i));
    kernel.told.push_back(!is_pointer(which.arguments[i].kind));
  }
  kernel.fill = [arguments = which.arguments](reference::Memory& memory) {
    for (size_t i = 0; i < arguments.size(); ++i) machine_code::fill(arguments[i], i, memory);
  };
  return kernel;
}

const std::vector<TimedFamily>& timed_families() {
  static const std::vector<TimedFamily> all = [] {
    std::vector<TimedFamily> made = {{"rows", rows},        {"constants", constants}, {"parameters", parameters},
                                     {"spills", spills},    {"tiles", tiles},         {"copies", copies},
                                     {"mixtures", mixtures}};
    add_families(made, std::make_index_sequence<12>());
    made.push_back({"footprints", footprints});
    return made;
  }();
  return all;
}

}  // namespace warpspan::machine_code
