// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose addresses are sums of places of threads and blocks and of counters of loops: laid out side by side,
// with gaps or overlaps, behind guards, unrolled; and such that are no sums, or wrap.
#include "tests/reference/footprints.hpp"
#include "tests/reference/generators/body.hpp"
#include "tests/reference/generators/kernel_text.hpp"

namespace warpspan::reference {

namespace {

struct Dimension {
  std::string value;  // its register
  int64_t count = 1;
};

class Footprints {
 public:
  Footprints(Random& random, const ir::Launch& launch)
      : random_(random), body_("F"), launch_(launch), is_tidy_(random.chance(50)) {}

  std::string write();

 private:
  std::string number(int64_t n) { return std::to_string(n); }
  std::string compute(const std::string& opcode, const std::string& a, const std::string& b);
  std::string special(const std::string& name);
  std::string sum_of(std::vector<Dimension> dimensions, int64_t& end);
  std::string place_in_grid(const std::string& axis, int64_t threads, int64_t& count);
  void skip_unless(const std::string& opcode, const std::string& a, const std::string& b, const std::string& label);
  std::string address(const std::string& index, int bytes);
  void access(const std::string& address, int bytes, int64_t offset);
  void side_by_side(const std::vector<Dimension>& dimensions);
  void bordered();
  void wild(const std::vector<Dimension>& dimensions);
  void some_accesses(const std::vector<Dimension>& dimensions);
  void looped(std::vector<Dimension> dimensions, int depth);

  Random& random_;
  Body body_;
  const ir::Launch& launch_;
  bool is_tidy_;  // all is laid out side by side
  std::string pointer_;
  std::vector<Dimension> places_;
};

std::string Footprints::compute(const std::string& opcode, const std::string& a, const std::string& b) {
  const std::string r = body_.word();
  body_.line({opcode, " ", r, ", ", a, ", ", b});
  return r;
}

std::string Footprints::special(const std::string& name) {
  const std::string r = body_.word();
  body_.line({"mov.u32 ", r, ", ", name});
  return r;
}

// Dimensions in any order, each one mostly where the one before it ends.
std::string Footprints::sum_of(std::vector<Dimension> dimensions, int64_t& end) {
  std::string sum = special("0");
  end = 1;
  while (!dimensions.empty()) {
    const size_t i = random_.chance(70) ? 0 : random_.below(dimensions.size());
    const Dimension d = dimensions[i];
    dimensions.erase(dimensions.begin() + static_cast<std::ptrdiff_t>(i));
    if (random_.chance(8)) continue;
    int64_t stride = end;
    if (!is_tidy_) {
      stride *= random_.pick<int64_t>({1, 1, 1, 1, 1, 1, 2, 3, 33, -1});
      stride += random_.pick<int64_t>({0, 0, 0, 0, 0, 0, 0, 1, 5, -1});
    }
    const std::string r = body_.word();
    body_.line({"mad.lo.s32 ", r, ", ", d.value, ", ", number(stride), ", ", sum});
    sum = r;
    end = std::max<int64_t>(end, std::abs(stride) * d.count);
  }
  return sum;
}

void Footprints::skip_unless(const std::string& opcode, const std::string& a, const std::string& b,
                             const std::string& label) {
  const std::string p = body_.predicate();
  body_.line({"setp.", opcode, " ", p, ", ", a, ", ", b});
  body_.line({"@!", p, " bra ", label});
}

std::string Footprints::address(const std::string& index, int bytes) {
  const std::string d = body_.wide();
  const std::string sum = body_.wide();
  body_.line({"mul.wide.", random_.pick({"s32 ", "s32 ", "u32 "}), d, ", ", index, ", ", number(bytes)});
  body_.line({"add.s64 ", sum, ", ", pointer_, ", ", d});
  return sum;
}

void Footprints::access(const std::string& address, int bytes, int64_t offset) {
  const std::string w = body_.word();
  const std::string place = "[" + address + "+" + number(offset) + "]";
  if (bytes == 4 && random_.chance(10)) return body_.line({"red.global.add.u32 ", place, ", ", w});
  const std::string type = bytes == 16 ? ".v4.u32 " : bytes == 8 ? ".v2.u32 " : bytes == 4 ? ".u32 " : ".u8 ";
  std::string value = w;
  if (bytes == 8) value = "{" + w + ", " + body_.word() + "}";
  if (bytes == 16) value = "{" + w + ", " + body_.word() + ", " + body_.word() + ", " + body_.word() + "}";
  if (random_.chance(60)) {
    body_.line({"ld.global", type, value, ", ", place});
  } else {
    body_.line({"st.global", type, place, ", ", value});
  }
}

// One access, or several at once as of an unrolled loop, with a tail guard now and then.
void Footprints::side_by_side(const std::vector<Dimension>& dimensions) {
  int64_t end = 1;
  std::string index = sum_of(dimensions, end);
  const int bytes = random_.pick({4, 4, 8, 16, 16, 1});
  const std::string label = body_.label();
  const bool is_guarded = random_.chance(40);
  if (is_guarded) {
    skip_unless(random_.pick({"lt.s32", "lt.u32", "le.s32", "ne.s32"}), index,
                number(end - random_.between(0, end / 8 + 1)), label);
  }
  if (random_.chance(25)) index = compute("add.s32", index, number(random_.between(-4, 40)));
  const std::string at = address(index, bytes);
  const int64_t copies = random_.pick<int64_t>({1, 1, 2, 4});
  const int64_t distance = random_.chance(70) ? end * bytes : random_.between(1, 64) * bytes;
  for (int64_t i = 0; i < copies; ++i) access(at, bytes, i * distance);
  body_.place(label);
}

std::string Footprints::place_in_grid(const std::string& axis, int64_t threads, int64_t& count) {
  const std::string r = body_.word();
  body_.line({"mad.lo.s32 ", r, ", ", special("%ctaid." + axis), ", ", number(threads), ", ", special("%tid." + axis)});
  count = threads * (axis == "x" ? launch_.grid->x : launch_.grid->y);
  return r;
}

// Rows with borders, as of a stencil.
void Footprints::bordered() {
  int64_t width = 1;
  int64_t height = 1;
  const std::string x = place_in_grid("x", launch_.block->x, width);
  const std::string y = place_in_grid("y", launch_.block->y, height);
  const std::string label = body_.label();
  const int64_t border = random_.between(0, 2);
  const int64_t pitch = width + random_.pick<int64_t>({0, 0, 0, 3, 40});
  skip_unless("ge.s32", x, number(border), label);
  skip_unless("lt.s32", x, number(width - random_.between(0, 3)), label);
  if (random_.chance(70)) skip_unless("gt.s32", y, number(border - 1), label);
  if (random_.chance(70)) skip_unless("lt.s32", y, number(height - 1), label);
  const std::string index = body_.word();
  body_.line({"mad.lo.s32 ", index, ", ", y, ", ", number(pitch), ", ", x});
  const int bytes = random_.pick({4, 8, 16});
  const std::string at = address(index, bytes);
  for (int64_t i = random_.between(1, 3); i > 0; --i) access(at, bytes, random_.between(-1, 1) * bytes);
  body_.place(label);
}

// Through operations that sums do not pass, or pass only if nothing wraps.
void Footprints::wild(const std::vector<Dimension>& dimensions) {
  int64_t end = 1;
  std::string x = random_.chance(50) ? random_.of(dimensions).value : sum_of(dimensions, end);
  for (int64_t i = random_.between(1, 3); i > 0; --i) {
    const std::string small = number(random_.between(1, 6));
    switch (random_.below(9)) {
      case 0: x = compute("and.b32", x, random_.pick({"1", "7", "31", "-4", "-32", "96"})); break;
      case 1: x = compute("shr.u32", x, small); break;
      case 2: x = compute("shr.s32", x, small); break;
      case 3: x = compute("rem.u32", x, random_.pick({"2", "8", "12", "33"})); break;
      case 4: x = compute("div.u32", x, random_.pick({"2", "8", "12"})); break;
      case 5: x = compute("add.u32", x, random_.pick({"-1", "3", "0x7ffffff0", "0xfffffff8"})); break;
      case 6: x = compute("mul.lo.u32", x, random_.pick({"2", "5", "-1", "100", "0x1000001"})); break;
      case 7: x = compute("or.b32", compute("shl.b32", x, "5"), random_.pick({"1", "31", "32"})); break;
      default: x = compute("add.s32", x, random_.of(dimensions).value); break;
    }
  }
  const int bytes = random_.pick({1, 4, 16});
  access(address(x, bytes), bytes, 0);
}

void Footprints::some_accesses(const std::vector<Dimension>& dimensions) {
  for (int64_t i = random_.between(1, 2); i > 0; --i) {
    if (random_.chance(25)) {
      wild(dimensions);
    } else {
      side_by_side(dimensions);
    }
  }
}

// A loop from any number on, with its test before or behind its turn.
void Footprints::looped(std::vector<Dimension> dimensions, int depth) {
  const std::string counter = body_.word();
  const std::string p = body_.predicate();
  const std::string top = body_.label();
  const std::string end = body_.label();
  const int64_t step = random_.pick<int64_t>({1, 1, 2, 32, launch_.block->x});
  const bool is_strided = random_.chance(30);
  const int64_t turns = random_.between(1, 6);
  const int64_t limit = step * turns - random_.between(0, step - 1);
  body_.line({"mov.u32 ", counter, ", ", is_strided ? places_.front().value : "0"});
  const bool tests_first = random_.chance(50);
  if (tests_first) {
    body_.place(top);
    skip_unless("lt.s32", counter, number(limit), end);
  } else {
    if (random_.chance(60)) skip_unless("lt.s32", counter, number(limit), end);
    body_.place(top);
  }
  dimensions.insert(dimensions.begin() + static_cast<std::ptrdiff_t>(random_.below(dimensions.size() + 1)),
                    {counter, limit});
  some_accesses(dimensions);
  if (depth > 1 && random_.chance(40)) looped(dimensions, depth - 1);
  body_.line({"add.s32 ", counter, ", ", counter, ", ", number(step)});
  if (tests_first) {
    body_.line({"bra ", top});
  } else {
    body_.line({"setp.lt.s32 ", p, ", ", counter, ", ", number(limit)});
    body_.line({"@", p, " bra ", top});
  }
  body_.place(end);
}

std::string Footprints::write() {
  pointer_ = body_.wide();
  body_.line({"ld.param.u64 ", pointer_, ", [p]"});
  const auto add = [&](const std::string& name, int64_t count) { places_.push_back({special(name), count}); };
  add("%tid.x", launch_.block->x);
  if (launch_.block->y > 1) add("%tid.y", launch_.block->y);
  add("%ctaid.x", launch_.grid->x);
  if (launch_.grid->y > 1) add("%ctaid.y", launch_.grid->y);
  for (int64_t i = random_.between(1, 2); i > 0; --i) {
    if (random_.chance(25)) {
      bordered();
    } else if (random_.chance(40)) {
      looped(places_, 2);
    } else {
      some_accesses(places_);
    }
  }
  return body_.text();
}

}  // namespace

Experiment footprint_experiment(uint64_t seed) {
  Random random(seed);
  Experiment experiment;
  experiment.kernel = "k";
  experiment.launch.block = random.pick<ir::Extent>({{32, 1, 1},
                                                     {64, 1, 1},
                                                     {128, 1, 1},
                                                     {32, 4, 1},
                                                     {16, 8, 1},
                                                     {8, 8, 1},
                                                     {96, 1, 1},
                                                     {48, 1, 1},
                                                     {20, 3, 1},
                                                     {256, 1, 1}});
  experiment.launch.grid =
      ir::Extent{random.between(1, random.pick<int64_t>({24, 96})), random.pick<int64_t>({1, 1, 2, 3}), 1};
  experiment.text = kernel_text("", Footprints(random, experiment.launch).write());
  experiment.most_steps = 1'000'000;
  return experiment;
}

}  // namespace warpspan::reference
