// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of accesses whose index borders clamp or wrap, or that has quotients, remainders and choices in it, numbers of
// floating point, or what branches and loops have added.
#include <bit>
#include <cmath>
#include <iomanip>
#include <random>
#include <set>
#include <sstream>

#include "tests/frontend/lift/access_texts.hpp"
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::transactions_of;
using test::with_argument;
using test::with_grid;
using Counts = std::vector<int>;

namespace {

// Of the thread in its row: %r6.
const std::string place_in_row = "mad.lo.s32 %r6, %r3, %r4, %r1;\n";

std::string global(const std::string& index) { return test::global(place_in_row + index, "u32", 4, "s32"); }
std::string shared(const std::string& index) { return test::shared(place_in_row + index); }

const ir::Launch image = with_grid(block_of(256), 8);

}  // namespace

TEST_CASE("an index clamped to the borders of an image is a row of words") {
  const std::string clamped = "add.s32 %r7, %r6, -3;\nmax.s32 %r7, %r7, 0;\nmin.s32 %r9, %r7, 1919;";
  CHECK(transactions_of(global(clamped), image) == Counts{2});
  CHECK(transactions_of(shared(clamped), image) == Counts{1});
  // As comparisons with the neighbour of the border.
  CHECK(transactions_of(global("add.s32 %r7, %r6, -3;\nsetp.gt.s32 %p1, %r7, -1;\nselp.b32 %r7, %r7, 0, %p1;\n"
                               "setp.lt.s32 %p2, %r7, 1920;\nselp.b32 %r9, %r7, 1919, %p2;"),
                        image) == Counts{2});
  // Mirrored: 2 w - 1 - x behind the border, a step back.
  CHECK(transactions_of(global("sub.s32 %r7, 3839, %r6;\nmin.s32 %r9, %r6, %r7;"), image) == Counts{2});
}

TEST_CASE("an index that wraps around at a border is cut there") {
  CHECK(transactions_of(global("add.s32 %r7, %r6, 1917;\nrem.u32 %r9, %r7, 1920;"), image) == Counts{4});
  CHECK(transactions_of(global("add.s32 %r7, %r6, 5;\nsetp.ge.s32 %p1, %r7, 1920;\nadd.s32 %r8, %r7, -1920;\n"
                               "selp.b32 %r9, %r8, %r7, %p1;"),
                        image) == Counts{4});
}

TEST_CASE("a tile with halos is read row by row: remainder and quotient are cut at the same places") {
  // Thread t reads element (t / 20, t % 20) of a tile of 20 columns, of an image of 1,920.
  const std::string tile = "div.u32 %r7, %r1, 20;\nmul.lo.s32 %r8, %r7, 20;\nsub.s32 %r8, %r1, %r8;\n";
  const std::string place =
      "mad.lo.s32 %r11, %r3, 16, %r8;\nadd.s32 %r11, %r11, -2;\nmax.s32 %r11, %r11, 0;\n"
      "min.s32 %r11, %r11, 1919;\nmad.lo.s32 %r9, %r7, 1920, %r11;";
  CHECK(transactions_of(global(tile + place), with_grid(block_of(256), 120)).back() <= 6);
}

TEST_CASE("an image at half its size, and one doubled") {
  CHECK(transactions_of(global("mul.lo.s32 %r7, %r6, 2;\nmin.s32 %r9, %r7, 1919;"), image) == Counts{3});
  CHECK(transactions_of(global("shr.s32 %r7, %r6, 1;\nmin.s32 %r9, %r7, 1919;"), image) == Counts{2});
}

TEST_CASE("a quotient by nearly all numbers changes where it does by others") {
  // Of the largest number it is 1, of those of all other lanes 0.
  const std::string place =
      "ld.param.u64 %d5, [w];\nmul.wide.u32 %d6, %r1, 4;\nsub.s64 %d5, %d5, %d6;\n"
      "div.s64 %d7, %d5, 9223372036854775807;\nshl.b64 %d7, %d7, 7;\n"
      "add.s64 %d3, %d1, %d7;\nld.global.u32 %r10, [%d3];\nret;";
  const std::string last = "9223372036854775000..9223372036854775807";
  CHECK(transactions_of(test::start + place, with_argument(block_of(32), "w", last)) == Counts{2});
}

TEST_CASE("rows of threads: a jump between rows is a place") {
  const std::string index = "min.s32 %r7, %r6, 1919;\nmad.lo.s32 %r9, %r2, 1920, %r7;";
  CHECK(transactions_of(global(index), with_grid(block_of(16, 16), 120)) == Counts{4});
  CHECK(transactions_of(global(index), with_grid(block_of(32, 8), 60)) == Counts{2});
}

TEST_CASE("what lanes load, and products of what differs among them, have no steps") {
  CHECK(transactions_of(global("mul.lo.s32 %r7, %r6, %r6;\nmin.s32 %r9, %r7, 100000;"), image) == Counts{32});
  CHECK(transactions_of(global("mul.wide.s32 %d4, %r1, 4;\nadd.s64 %d4, %d1, %d4;\nld.global.u32 %r7, [%d4];\n"
                               "min.u32 %r9, %r7, 100000;"),
                        image) == Counts{2, 32});
}

TEST_CASE("a clamped address that steps along in a loop, and one behind a loop that lanes leave apart") {
  const auto loop = [](const std::string& limit) {
    return test::start + place_in_row +
           "min.s32 %r7, %r6, 1919;\nmul.wide.s32 %d2, %r7, 4;\nadd.s64 %d3, %d1, %d2;\nmov.u32 %r9, 0;\n$L:\n"
           "ld.global.u32 %r10, [%d3];\nadd.s64 %d3, %d3, 7680;\nadd.s32 %r9, %r9, 1;\nsetp.lt.s32 %p1, %r9, " +
           limit + ";\n@%p1 bra $L;\nld.global.u32 %r11, [%d3];\nret;";
  };
  CHECK(transactions_of(loop("10"), image) == Counts{2, 2});
  CHECK(transactions_of(loop("%r1"), image) == Counts{2, 32});
}

TEST_CASE("an index behind an unrolled loop, some lanes of which began with its rest") {
  // As min and max of a window at the borders: of 7 elements the first three in front of the loop.
  const std::string window =
      "add.s32 %r7, %r6, -3;\nmax.s32 %r7, %r7, 0;\nadd.s32 %r8, %r6, 4;\nmin.s32 %r8, %r8, 1920;\n"
      "sub.s32 %r11, %r8, %r7;\nand.b32 %r11, %r11, 3;\nmov.u32 %r9, %r7;\nsetp.eq.s32 %p1, %r11, 0;\n@%p1 bra $M;\n"
      "add.s32 %r9, %r7, 1;\nsetp.eq.s32 %p1, %r11, 1;\n@%p1 bra $M;\nadd.s32 %r9, %r7, 2;\nsetp.eq.s32 %p1, %r11, 2;\n"
      "@%p1 bra $M;\nadd.s32 %r9, %r7, 3;\n$M:\n";
  CHECK(transactions_of(global(window), image) == Counts{3});
  // With a loop in front: each lane iterates as often as it has to.
  const std::string loop =
      "and.b32 %r11, %r1, 3;\nmov.u32 %r9, %r6;\n$L:\nsetp.eq.s32 %p1, %r11, 0;\n@%p1 bra $M;\nadd.s32 %r9, %r9, 1;\n"
      "add.s32 %r11, %r11, -1;\nbra $L;\n$M:\n";
  CHECK(transactions_of(global(loop), image) == Counts{3});
}

TEST_CASE("an image that is resized: the index is a rounded number") {
  const auto resized = [](const std::string& factor, const std::string& mode) {
    return "cvt.rn.f32.u32 %f1, %r6;\nadd.rn.f32 %f1, %f1, 0f3F000000;\nmul.rn.f32 %f1, %f1, " + factor +
           ";\nadd.rn.f32 %f1, %f1, 0fBF000000;\nmax.f32 %f1, %f1, 0f00000000;\ncvt." + mode +
           ".s32.f32 %r7, %f1;\nmin.s32 %r9, %r7, 5759;";
  };
  CHECK(transactions_of(global(resized("0f3F800000", "rmi")), image) == Counts{2});
  CHECK(transactions_of(global(resized("0f40400000", "rmi")), image) == Counts{4});  // by 3
  CHECK(transactions_of(global(resized("0f3F000000", "rzi")), image) == Counts{2});  // by 1/2
  CHECK(transactions_of(global(resized("0f3F000000", "rni")), image) == Counts{3});
  // By a number that the launch gives and nobody states.
  CHECK(transactions_of(global("cvt.rn.f32.u32 %f1, %r6;\nld.param.u64 %d5, [w];\ncvt.u32.u64 %r11, %d5;\n"
                               "mov.b32 %f2, %r11;\nmul.rn.f32 %f1, %f1, %f2;\n"
                               "cvt.rmi.s32.f32 %r7, %f1;\nmin.s32 %r9, %r7, 5759;"),
                        image) == Counts{32});
}

namespace {

struct Thread {
  uint32_t x = 0, y = 0, block = 0, n = 0;
};

// An index of random arithmetic on 32 bits, as PTX and as a function.
class RandomIndex {
 public:
  RandomIndex(std::mt19937& random, uint32_t width) : random_(random), width_(width) {
    const size_t steps = 2 + below(7);
    for (size_t i = 0; i < steps; ++i) add_step();
  }

  std::string text() const {
    std::string all = "mov.u32 %r11, %r6;\nmov.u32 %r12, %r5;\nmov.u32 %r13, %r1;\nmov.u32 %r14, %r2;\n";
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Step& s = steps_[i];
      const std::string to = "%r" + std::to_string(15 + i), a = name(s.a), b = s.by_value ? name(s.b) : number(s.b);
      const std::string type = s.is_signed ? ".s32 " : ".u32 ";
      if (s.operation == of_floats) {
        all += "cvt.rn.f32" + type + "%f1, " + a + ";\n" +
               (s.by_value ? "fma.rn.f32 %f1, %f1, " : "mul.rn.f32 %f1, %f1, ") + number_of(s.factor) +
               (s.by_value ? ", " + number_of(s.more) : "") + ";\n" +
               (s.by_value ? "" : "add.rn.f32 %f1, %f1, " + number_of(s.more) + ";\n") +
               (s.comparison < 2 ? "max.f32 %f1, %f1, 0f00000000;\n" : "") +
               (s.comparison % 2 == 0 ? "min.f32 %f1, %f1, 0f44800000;\n" : "") + "cvt." + modes[s.no % 4] +
               ".s32.f32 " + to + ", %f1;\n";
      } else if (s.operation == of_branch) {
        const std::string label = "$B" + std::to_string(i);
        all += "setp." + std::string(comparisons[s.comparison]) + type + "%p1, " + a + ", " + number(s.b) +
               ";\nmov.u32 " + to + ", " + name(s.yes) + ";\n@%p1 bra " + label + ";\nadd.s32 " + to + ", " +
               name(s.yes) + ", " + number(s.b) + ";\n" + label + ":\n";
      } else if (s.operation == of_loop) {
        const std::string label = "$L" + std::to_string(i), end = "$E" + std::to_string(i);
        all += "mov.u32 " + to + ", " + name(s.yes) + ";\nand.b32 %r30, " + a + ", 7;\n" + label +
               ":\nsetp.eq.u32 %p1, %r30, 0;\n@%p1 bra " + end + ";\nadd.s32 " + to + ", " + to + ", " + number(s.b) +
               ";\nadd.s32 %r30, %r30, -1;\nbra " + label + ";\n" + end + ":\n";
      } else if (s.operation < std::size(names)) {
        const bool low = s.operation == 2;
        const bool bits = s.operation > 7;
        all += std::string(names[s.operation]) + (low ? ".lo" : "") + (bits ? ".b32 " : type) + to + ", " + a + ", " +
               b + ";\n";
      } else {
        all += "setp." + std::string(comparisons[s.comparison]) + type + "%p1, " + a + ", " + b + ";\nselp.b32 " + to +
               ", " + name(s.yes) + ", " + (s.by_value ? name(s.no) : b) + ", %p1;\n";
      }
    }
    return all + "mov.u32 %r9, %r" + std::to_string(14 + steps_.size()) + ";";
  }

  uint32_t at(const Thread& thread) const {
    std::vector<uint32_t> values{thread.block * width_ + thread.x, thread.n, thread.x, thread.y};
    for (const Step& s : steps_) {
      const uint32_t a = values[s.a];
      if (s.operation >= of_floats) {
        values.push_back(s.operation == of_floats   ? rounded(s, a)
                         : s.operation == of_branch ? values[s.yes] + (compares(s, a, s.b) ? 0 : s.b)
                                                    : values[s.yes] + (a & 7) * s.b);
        continue;
      }
      const uint32_t b = s.by_value ? values[s.b] : s.b;
      values.push_back(s.operation < std::size(names)
                           ? computed(s, a, b)
                           : (compares(s, a, b) ? values[s.yes] : (s.by_value ? values[s.no] : b)));
    }
    return values.back();
  }

 private:
  static constexpr const char* names[] = {"add", "sub", "mul", "min", "max", "div", "rem", "shr", "shl", "and"};
  static constexpr const char* comparisons[] = {"lt", "le", "gt", "ge", "eq", "ne"};
  static constexpr const char* modes[] = {"rmi", "rpi", "rzi", "rni"};
  static constexpr uint32_t of_floats = 14, of_branch = 16, of_loop = 17;  // and 15
  struct Step {
    uint32_t operation, comparison, a, b, yes, no;
    bool by_value, is_signed;
    float factor = 1, more = 0;
  };

  static std::string name(uint32_t value) { return "%r" + std::to_string(11 + value); }
  static std::string number(uint32_t value) { return std::to_string(static_cast<int32_t>(value)); }
  static int32_t of(uint32_t value) { return static_cast<int32_t>(value); }

  static std::string number_of(float value) {
    std::ostringstream text;
    text << "0f" << std::hex << std::setw(8) << std::setfill('0') << std::bit_cast<uint32_t>(value);
    return text.str();
  }

  // Saturated where the type does not hold it, as GPUs do.
  static uint32_t rounded(const Step& s, uint32_t a) {
    float x = s.is_signed ? static_cast<float>(of(a)) : static_cast<float>(a);
    volatile float product = x * s.factor;  // rounded
    x = s.by_value ? std::fma(x, s.factor, s.more) : product + s.more;
    if (s.comparison < 2) x = std::max(x, 0.0F);
    if (s.comparison % 2 == 0) x = std::min(x, 1024.0F);
    const uint32_t mode = s.no % 4;
    x = mode == 0 ? std::floor(x) : mode == 1 ? std::ceil(x) : mode == 2 ? std::trunc(x) : std::nearbyint(x);
    if (x >= 2147483648.0F) return 0x7fffffff;
    return x < -2147483648.0F ? 0x80000000 : static_cast<uint32_t>(static_cast<int32_t>(x));
  }

  static uint32_t computed(const Step& s, uint32_t a, uint32_t b) {
    switch (s.operation) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return a * b;
      case 3: return s.is_signed ? static_cast<uint32_t>(std::min(of(a), of(b))) : std::min(a, b);
      case 4: return s.is_signed ? static_cast<uint32_t>(std::max(of(a), of(b))) : std::max(a, b);
      case 5: return s.is_signed ? static_cast<uint32_t>(of(a) / of(b)) : a / b;
      case 6: return s.is_signed ? static_cast<uint32_t>(of(a) % of(b)) : a % b;
      case 7: return s.is_signed ? static_cast<uint32_t>(of(a) >> b) : a >> b;
      case 8: return a << b;
      default: return a & b;
    }
  }

  static bool compares(const Step& s, uint32_t a, uint32_t b) {
    const auto order = s.is_signed ? of(a) <=> of(b) : a <=> b;
    switch (s.comparison) {
      case 0: return order < 0;
      case 1: return order <= 0;
      case 2: return order > 0;
      case 3: return order >= 0;
      case 4: return order == 0;
      default: return order != 0;
    }
  }

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  void add_step() {
    constexpr uint32_t numbers[] = {0, 1, 2, 3, 5, 20, 31, 33, 64, 100, 255, 1000, 0xffffffff, 0xfffffff0, 0x7fffff00};
    constexpr uint32_t divisors[] = {2, 3, 5, 16, 20, 32, 33, 96, 100, 256, 1000};
    constexpr uint32_t masks[] = {1, 7, 15, 31, 63, 255, 1023};
    const auto known = static_cast<uint32_t>(4 + steps_.size());
    const auto recent = [&] { return below(3) > 0 ? known - 1 : below(known); };
    Step s{below(18), below(6), recent(), 0, recent(), below(known), false, below(3) > 0};
    if (s.operation == 15) s.operation = of_floats;
    if (s.operation >= of_floats) {
      constexpr float factors[] = {0.1F, 0.25F, 0.5F, 0.75F, 1, 1.5F, 2, 3, 2.7182817F, -1, -0.3F, 1e-6F, 100};
      constexpr float added[] = {0, 0.5F, -0.5F, 0.1F, 3, -1000, 123456, 1e9F};
      s.by_value = below(2) == 0;
      s.factor = factors[below(std::size(factors))];
      s.more = added[below(std::size(added))];
      s.b = numbers[below(std::size(numbers))];
      steps_.push_back(s);
      return;
    }
    const bool picks = s.operation >= std::size(names);
    s.by_value = (s.operation < 2 || s.operation == 3 || s.operation == 4 || picks) && below(2) == 0;
    if (picks && !s.by_value && below(2) == 0) s.yes = s.a;  // a clamp, or nearly one
    s.b = s.by_value ? below(known) : numbers[below(std::size(numbers))];
    if (s.operation == 5 || s.operation == 6) s.b = divisors[below(std::size(divisors))];
    if (s.operation == 7 || s.operation == 8) s.b = below(8);
    if (s.operation == 9) s.b = masks[below(std::size(masks))];
    steps_.push_back(s);
  }

  std::mt19937& random_;
  uint32_t width_;
  std::vector<Step> steps_;
};

}  // namespace

TEST_CASE("no warp touches more lines or words of a bank than are counted, whatever computes its index") {
  std::mt19937 random(20261127);
  size_t told_apart = 0;
  const std::pair<uint32_t, uint32_t> shapes[] = {{32, 1}, {96, 2}, {100, 1}, {16, 16},
                                                  {24, 8}, {8, 12}, {256, 1}, {5, 7}};
  for (int round = 0; round < 6000; ++round) {
    const auto [width, height] = shapes[random() % std::size(shapes)];
    const uint32_t threads = width * height;
    const auto blocks = static_cast<uint32_t>(1 + random() % 40);
    const RandomIndex index(random, width);
    const bool in_shared = random() % 4 == 0;
    const std::string body = in_shared ? shared(index.text()) : global(index.text());
    const int counted = transactions_of(body, with_grid(block_of(width, height), blocks)).back();
    told_apart += counted > 1 && counted < 20 ? 1 : 0;
    for (const uint32_t n :
         {static_cast<uint32_t>(random() % threads), 1000U, static_cast<uint32_t>(random()),
          0x7fffffffU - static_cast<uint32_t>(random() % 300), 0U - static_cast<uint32_t>(random() % 300)}) {
      for (uint32_t block = 0; block < blocks; block += static_cast<uint32_t>(1 + random() % 8)) {
        const uint32_t first = static_cast<uint32_t>(random() % threads) / 32 * 32;
        const uint64_t p = (uint64_t{1} << 40) + random() % 32 * 4;
        std::set<uint64_t> lines, words;
        for (uint32_t thread = first; thread < std::min(first + 32, threads); ++thread) {
          const uint32_t i = index.at({thread % width, thread / width, block, n});
          lines.insert((p + static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(i))) * 4) / 128);
          words.insert(i & 0x3fffffff);
        }
        size_t found = lines.size();
        if (in_shared) {
          std::vector<size_t> of_bank(32);
          for (const uint64_t word : words) ++of_bank[word % 32];
          found = *std::max_element(of_bank.begin(), of_bank.end());
        }
        INFO(body << "\nblock " << width << "x" << height << " blocks " << blocks << " block " << block << " n " << n);
        REQUIRE(found <= static_cast<size_t>(counted));
      }
    }
  }
  CHECK(told_apart > 1500);
}
