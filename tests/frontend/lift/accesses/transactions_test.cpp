// SPDX-License-Identifier: GPL-3.0-or-later
// Memory lines and bank-conflict ways of one warp's access.
#include <random>
#include <set>

#include "tests/frontend/lift/access_texts.hpp"
#include "tests/frontend/lift/find_facts.hpp"

using namespace warpspan;
using test::block_of;
using test::global;
using test::shared;
using test::start;
using test::transactions_of;
using test::with_grid;
using Counts = std::vector<int>;

TEST_CASE("lines of global accesses") {
  CHECK(transactions_of(global("mov.u32 %r9, %r5;")) == Counts{1});
  CHECK(transactions_of(global("mov.u32 %r9, %r1;")) == Counts{2});  // the pointer may lie between lines
  CHECK(transactions_of(global("shl.b32 %r9, %r1, 1;")) == Counts{3});
  CHECK(transactions_of(global("shl.b32 %r9, %r1, 5;")) == Counts{32});
  CHECK(transactions_of(global("sub.s32 %r9, 300, %r1;")) == Counts{2});
  CHECK(transactions_of(global("shr.u32 %r9, %r1, 2;")) == Counts{2});
  CHECK(transactions_of(global("shr.u32 %r9, %r1, 5;")) == Counts{1});
  CHECK(transactions_of(global("and.b32 %r9, %r1, 31;")) == Counts{2});
  CHECK(transactions_of(global("mov.u32 %r9, %r1;", "u64", 8)) == Counts{3});
  CHECK(transactions_of(global("mul.lo.s32 %r9, %r1, %r5;")) == Counts{32});
}

TEST_CASE("the usual index of a thread") {
  const std::string index = "mad.lo.s32 %r9, %r3, %r4, %r1;";
  CHECK(transactions_of(global(index, "u32", 4, "s32")) == Counts{2});
  CHECK(transactions_of(global(index, "u32", 4, "s32"), block_of(32)) == Counts{2});
  // Blocks that are no multiple of a warp may carry over the end of 32 bits inside a warp, unless there are few.
  CHECK(transactions_of(global(index, "u32", 4, "s32"), block_of(100)) == Counts{3});
  CHECK(transactions_of(global(index, "u32", 4, "s32"), with_grid(block_of(100), 1000)) == Counts{2});
}

// Whole warps have one digit of their number, and move alike where bits above the lane's are inverted.
TEST_CASE("digits of the usual index of a thread") {
  const std::string index = "mad.lo.s32 %r6, %r3, 256, %r1;\n";
  const auto lines = [&](const std::string& digit) { return transactions_of(global(index + digit), block_of(256)); };
  CHECK(lines("and.b32 %r9, %r6, 1023;") == Counts{2});
  CHECK(lines("and.b32 %r7, %r6, 1023;\nshl.b32 %r8, %r6, 1;\nsub.s32 %r9, %r8, %r7;") == Counts{2});
  CHECK(lines("xor.b32 %r9, %r6, 1024;") == Counts{2});
  CHECK(lines("xor.b32 %r9, %r6, 16;") == Counts{2});
  CHECK(lines("or.b32 %r9, %r6, 2048;") == Counts{2});
  CHECK(lines("shr.u32 %r9, %r6, 9;") == Counts{1});
  CHECK(lines("xor.b32 %r9, %r6, %r5;") == Counts{32});
}

TEST_CASE("rows and columns of threads") {
  const std::string row = "mad.lo.s32 %r9, %r2, 1024, %r1;";
  const std::string column = "mad.lo.s32 %r9, %r1, 1024, %r2;";
  CHECK(transactions_of(global(row), block_of(32, 8)) == Counts{2});
  CHECK(transactions_of(global(row), block_of(16, 16)) == Counts{4});
  CHECK(transactions_of(global(row), block_of(8, 8, 4)) == Counts{8});
  CHECK(transactions_of(global(column), block_of(32, 8)) == Counts{32});
  CHECK(transactions_of(global(column), block_of(4, 8)) == Counts{8});
  CHECK(transactions_of(global("mov.u32 %r9, %r2;"), block_of(32, 8)) == Counts{1});
}

TEST_CASE("a partial warp has fewer lanes") {
  CHECK(transactions_of(global("shl.b32 %r9, %r1, 5;"), block_of(5)) == Counts{5});
  CHECK(transactions_of(global("shl.b32 %r9, %r1, 5;"), block_of(37)) == Counts{32});
}

TEST_CASE("addresses that step along in a loop") {
  const std::string loop = start +
                           "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nmov.u32 %r9, 0;\n$L:\n"
                           "ld.global.u32 %r10, [%d3];\nadd.s64 %d3, %d3, %step;\nadd.s32 %r9, %r9, 1;\n"
                           "setp.lt.s32 %p1, %r9, 10;\n@%p1 bra $L;\nld.global.u32 %r11, [%d3];\nret;";
  const auto with_step = [&](const std::string& step) {
    std::string text = loop;
    return text.replace(text.find("%step"), 5, step);
  };
  CHECK(transactions_of(with_step("1024")) == Counts{2, 2});
  CHECK(transactions_of(with_step("%d2")) == Counts{32, 32});  // each lane at its own pace
}

TEST_CASE("after a loop that lanes leave at different iterations, addresses are anywhere that it leads to") {
  const std::string body = start +
                           "mov.u64 %d3, %d1;\nmov.u32 %r9, 0;\n$L:\nld.global.u32 %r10, [%d3];\nadd.s64 %d3, %d3, 4;\n"
                           "add.s32 %r9, %r9, 1;\nsetp.lt.s32 %p1, %r9, %r1;\n@%p1 bra $L;\n"
                           "ld.global.u32 %r11, [%d3];\nret;";
  CHECK(transactions_of(body) == Counts{1, 9});
}

TEST_CASE("an inner loop that lanes leave at different iterations carries addresses apart") {
  const std::string body = start +
                           "mov.u64 %d3, %d1;\nmov.u32 %r9, 0;\n$A:\nld.global.u32 %r10, [%d3];\nmov.u64 %d5, 0;\n"
                           "cvt.u64.u32 %d6, %r1;\n$B:\nadd.s64 %d4, %d3, %d5;\nadd.s64 %d5, %d5, 4;\n"
                           "setp.lt.s64 %p1, %d5, %d6;\n@%p1 bra $B;\nmov.u64 %d3, %d4;\nadd.s32 %r9, %r9, 1;\n"
                           "setp.lt.s32 %p1, %r9, 10;\n@%p1 bra $A;\nret;";
  CHECK(transactions_of(body) == Counts{19});
}

TEST_CASE("an inner loop that all lanes leave together steps along for the outer one") {
  // p + 4 lane, 512 further in each inner iteration but the last.
  const auto nested = [](const std::string& last) {
    return start +
           "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nmov.u32 %r9, 0;\n$A:\nmov.u32 %r8, 0;\n$B:\n"
           "ld.global.u32 %r10, [%d3];\nadd.s64 %d4, %d3, 512;\nsetp.lt.u32 %p1, %r8, " +
           last +
           ";\nselp.b64 %d3, %d4, %d3, %p1;\nadd.s32 %r8, %r8, 4;\nsetp.lt.u32 %p2, %r8, 16;\n@%p2 bra $B;\n"
           "ld.global.u32 %r10, [%d3];\nadd.s32 %r9, %r9, 1;\nsetp.lt.s32 %p2, %r9, %r5;\n@%p2 bra $A;\nret;";
  };
  CHECK(transactions_of(nested("12")) == Counts{2, 2});
  CHECK(transactions_of(nested("%r1")) == Counts{32, 32});  // each lane chooses
}

TEST_CASE("halves of an address that comparisons of the same values select are selected together") {
  const auto selected = [](const std::string& second) {
    return start + "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nadd.s64 %d4, %d3, 4096;\n" +
           "mov.b64 {%r6, %r7}, %d3;\nmov.b64 {%r8, %r9}, %d4;\nsetp.lt.u32 %p1, %r5, 12;\nsetp.lt.u32 %p2, %r5, " +
           second +
           ";\nselp.b32 %r6, %r8, %r6, %p1;\nselp.b32 %r7, %r9, %r7, %p2;\nmov.b64 %d5, {%r6, %r7};\n"
           "ld.global.u32 %r10, [%d5];\nret;";
  };
  CHECK(transactions_of(selected("12")) == Counts{2});
  CHECK(transactions_of(selected("13")) == Counts{32});
}

TEST_CASE("halves of an address that a loop moves on are selected together") {
  const auto moved = [](const std::string& second) {
    return start +
           "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nmov.b64 {%r6, %r7}, %d3;\nmov.u32 %r8, 0;\n$L:\n" +
           "ld.global.u32 %r10, [%d3];\nadd.s64 %d4, %d3, 4096;\nmov.b64 {%r3, %r4}, %d4;\nsetp.lt.u32 %p1, %r8, 12;\n"
           "setp.lt.u32 %p2, %r8, " +
           second +
           ";\nselp.b32 %r6, %r3, %r6, %p1;\nselp.b32 %r7, %r4, %r7, %p2;\nmov.b64 %d3, {%r6, %r7};\n"
           "add.s32 %r8, %r8, 1;\nsetp.lt.u32 %p1, %r8, 16;\n@%p1 bra $L;\nret;";
  };
  CHECK(transactions_of(moved("12")) == Counts{2});
  CHECK(transactions_of(moved("%r1")) == Counts{32});
}

TEST_CASE("where paths join, addresses differ among the lanes as on the one that all of them took") {
  const auto joined = [](const std::string& chosen_by, const std::string& step) {
    return start + "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r7, [%d1];\nsetp.eq.u32 %p1, " +
           chosen_by + ", 7;\n@%p1 bra $A;\nst.global.u32 [%d1], %r5;\nadd.s64 %d3, %d3, " + step +
           ";\nbra $B;\n$A:\nadd.s64 %d3, %d3, 4096;\n$B:\nld.global.u32 %r10, [%d3];\nret;";
  };
  CHECK(transactions_of(joined("%r7", "512")) == Counts{1, 1, 2});
  CHECK(transactions_of(joined("%r7", "%d2")) == Counts{1, 1, 32});  // another distance on one of them
  CHECK(transactions_of(joined("%r1", "512")).back() > 2);           // both may come together
}

TEST_CASE("a pointer keeps its lanes side by side where it steps along by the only path that is taken") {
  const auto stepping = [](const std::string& known) {
    return start + known +
           "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nmov.u32 %r7, 0;\n$L:\n"
           "ld.global.u32 %r10, [%d3];\nsetp.lt.s32 %p2, %r6, 3;\n@%p2 bra $B;\nadd.s64 %d3, %d3, 512;\n$B:\n"
           "add.s32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r7, 10;\n@%p1 bra $L;\nret;";
  };
  CHECK(transactions_of(stepping("mov.u32 %r6, 3;\n")) == Counts{2});
  CHECK(transactions_of(stepping("mov.u32 %r6, %r1;\n")) == Counts{32});  // some lanes step
}

TEST_CASE("indices that may carry over the end of 32 bits inside a warp") {
  // Once cut: a line more.
  CHECK(transactions_of(global("add.s32 %r9, %r5, %r1;")) == Counts{3});
  // Moved on by another offset of the lane, the parts still lie one behind the other, or no longer.
  const auto moved = [](const std::string& offset) {
    return start + offset + "add.s32 %r9, %r5, %r1;\nmul.wide.u32 %d2, %r9, 4;\nmul.wide.u32 %d4, %r6, 4;\n" +
           "add.s64 %d3, %d1, %d2;\nadd.s64 %d3, %d3, %d4;\nld.global.u32 %r10, [%d3];\nret;";
  };
  CHECK(transactions_of(moved("mov.u32 %r6, %r1;\n")) == Counts{4});
  CHECK(transactions_of(moved("xor.b32 %r6, %r1, 6;\n")) == Counts{6});
}

TEST_CASE("quotients of neighbours differ by one at most: addresses that depend on them are cut once") {
  const auto of = [](int last, int step) {
    const std::string by = std::to_string(step);
    return global("mad.lo.s32 %r6, %r3, %r4, %r1;\nsub.s32 %r7, " + std::to_string(last) +
                      ", %r6;\ndiv.u32 %r8, %r7, " + by + ";\nand.b32 %r8, %r8, 3;\nmad.lo.s32 %r9, %r8, " + by +
                      ", %r6;",
                  "u32", 4, "s32");
  };
  const ir::Launch launch = with_grid(block_of(256), 32);
  CHECK(transactions_of(of(999999, 8192), launch) == Counts{2});  // no warp has both
  CHECK(transactions_of(of(1000000, 8192), launch) == Counts{3});
  CHECK(transactions_of(of(1000000, 8191), launch) == Counts{4});  // moved by part of a line
  CHECK(transactions_of(of(1000000, 96 * 32), with_grid(block_of(96), 32)) == Counts{3});
  CHECK(transactions_of(of(1000000, 24), launch) == Counts{5});  // as a row with slack (step_values.cpp)
  // The quotient itself, times 33 elements.
  const std::string apart = start + "mad.lo.s32 %r6, %r3, %r4, %r1;\nsub.s32 %r7, 1000000, %r6;\n" +
                            "div.u32 %r8, %r7, 8192;\nmul.wide.u32 %d2, %r8, 132;\nmul.wide.u32 %d3, %r6, 4;\n" +
                            "add.s64 %d2, %d2, %d3;\nadd.s64 %d2, %d2, %d1;\nld.global.u32 %r9, [%d2];\nret;";
  CHECK(transactions_of(apart, launch) == Counts{3});
}

namespace {

struct Sample {
  uint32_t n = 0, block = 0, thread = 0;
};

// An index of random arithmetic, as PTX and as a function.
class RandomIndex {
 public:
  RandomIndex(std::mt19937& random, uint32_t threads) : random_(random), threads_(threads) {
    if (below(2) == 0) add_quotient();
    const size_t steps = steps_.empty() ? 2 + below(6) : below(2);
    for (size_t i = 0; i < steps; ++i) add_step();
  }

  std::string text() const {
    std::string all = "mad.lo.s32 %r10, %r3, %r4, %r1;\nmov.u32 %r11, %r5;\nmov.u32 %r12, %r1;\n";
    for (const Step& step : steps_) {
      const std::string to = "%r" + std::to_string(10 + step.to), a = "%r" + std::to_string(10 + step.a);
      const std::string b = step.by_value ? "%r" + std::to_string(10 + step.b) : std::to_string(step.b);
      all += std::string(names[step.operation]) + " " + to + ", " + a + (step.operation == 3 ? "" : ", " + b) + ";\n";
    }
    return all + "mov.u32 %r9, %r" + std::to_string(9 + 3 + steps_.size()) + ";";
  }

  uint32_t at(const Sample& sample) const {
    std::vector<uint32_t> values{sample.block * threads_ + sample.thread, sample.n, sample.thread};
    for (const Step& step : steps_) {
      const uint32_t a = values[step.a], b = step.by_value ? values[step.b] : step.b;
      const uint32_t results[] = {a + b,         a - b,         a * b, ~a, a & b, b == 0 ? 0 : a / b,
                                  a >> (b & 31), a << (b & 31), a ^ b};
      values.push_back(results[step.operation]);
    }
    return values.back();
  }

 private:
  static constexpr const char* names[] = {"add.s32", "sub.s32", "mul.lo.s32", "not.b32", "and.b32",
                                          "div.u32", "shr.u32", "shl.b32",    "xor.b32"};
  struct Step {
    uint32_t operation, to, a, b;
    bool by_value;
  };

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  // ((n - i) / 96 & 3) * 32 + i, and the like.
  void add_quotient() {
    constexpr uint32_t divisors[] = {16, 32, 33, 96, 100, 256, 8192};
    steps_.push_back({1, 3, 1, 2 * below(2), true});
    steps_.push_back({5, 4, 3, divisors[below(std::size(divisors))], false});
    steps_.push_back({below(2) == 0 ? 4U : 0U, 5, 4, 3, false});
    steps_.push_back({2, 6, 5, divisors[below(std::size(divisors))], false});
    steps_.push_back({below(2), 7, 6, 2 * below(2), true});
  }

  void add_step() {
    constexpr uint32_t numbers[] = {1, 3, 4, 31, 32, 64, 96, 100, 255, 256, 1024, 8192, 999999, 0xffffff00, 0xffffffff};
    const auto known = static_cast<uint32_t>(3 + steps_.size());
    Step step{below(9), known, below(2) == 0 ? known - 1 : below(known), 0, false};
    step.by_value = step.operation < 2 && below(2) == 0;
    const bool shifts = step.operation == 6 || step.operation == 7;
    step.b = step.by_value ? below(known) : shifts ? below(12) : numbers[below(std::size(numbers))];
    steps_.push_back(step);
  }

  std::mt19937& random_;
  uint32_t threads_;
  std::vector<Step> steps_;
};

}  // namespace

TEST_CASE("no warp touches more lines than are counted, whatever its index is made of") {
  std::mt19937 random(20240607);
  size_t told_apart = 0;
  for (int round = 0; round < 4000; ++round) {
    const uint32_t threads = std::vector<uint32_t>{32, 96, 100, 256}[random() % 4];
    const auto blocks = static_cast<uint32_t>(1 + random() % 40);
    const RandomIndex index(random, threads);
    const bool is_signed = random() % 2 == 0;
    const int bytes = random() % 2 == 0 ? 4 : 8;
    const std::string body = global(index.text(), bytes == 4 ? "u32" : "u64", bytes, is_signed ? "s32" : "u32");
    const int counted = transactions_of(body, with_grid(block_of(threads), blocks)).back();
    told_apart += counted > 1 && counted < 20 ? 1 : 0;
    for (const uint32_t n :
         {static_cast<uint32_t>(random() % threads), 1000U, static_cast<uint32_t>(random()),
          0x7fffffffU - static_cast<uint32_t>(random() % 300), 0U - static_cast<uint32_t>(random() % 300)}) {
      for (uint32_t block = 0; block < blocks; block += static_cast<uint32_t>(1 + random() % 8)) {
        const uint32_t first = static_cast<uint32_t>(random() % threads) / 32 * 32;
        const uint64_t p = (uint64_t{1} << 40) + random() % 32 * static_cast<uint32_t>(bytes);
        std::set<uint64_t> lines;
        for (uint32_t thread = first; thread < std::min(first + 32, threads); ++thread) {
          const uint32_t i = index.at({n, block, thread});
          const uint64_t wide = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(i))) : i;
          lines.insert((p + wide * static_cast<uint64_t>(bytes)) / 128);
        }
        INFO(body << "\nthreads " << threads << " blocks " << blocks << " block " << block << " n " << n);
        REQUIRE(lines.size() <= static_cast<size_t>(counted));
      }
    }
  }
  CHECK(told_apart > 1000);
}

TEST_CASE("ways of shared accesses") {
  CHECK(transactions_of(shared("mov.u32 %r9, %r1;")) == Counts{1});
  CHECK(transactions_of(shared("mov.u32 %r9, %r5;")) == Counts{1});
  CHECK(transactions_of(shared("shl.b32 %r9, %r1, 1;")) == Counts{2});
  CHECK(transactions_of(shared("shl.b32 %r9, %r1, 5;")) == Counts{32});
  CHECK(transactions_of(shared("mul.lo.s32 %r9, %r1, 33;")) == Counts{1});
  CHECK(transactions_of(shared("mul.lo.s32 %r9, %r1, 12;")) == Counts{4});
  CHECK(transactions_of(shared("shr.u32 %r9, %r1, 1;")) == Counts{1});
  CHECK(transactions_of(shared("mad.lo.s32 %r9, %r2, 16, %r1;"), block_of(16, 16)) == Counts{1});
  CHECK(transactions_of(shared("mad.lo.s32 %r9, %r1, 16, %r2;"), block_of(16, 16)) == Counts{8});
  // Swizzled: x ^ (y & 7) in rows of 32 words.
  CHECK(transactions_of(shared("shr.u32 %r6, %r1, 3;\nxor.b32 %r7, %r6, %r1;\nand.b32 %r9, %r7, 31;")) == Counts{1});
}

TEST_CASE("wide shared accesses take a phase for each word of a lane") {
  const std::string address = start + "shl.b32 %r9, %r1, 4;\nmov.u32 %r8, tile;\nadd.s32 %r8, %r8, %r9;\n";
  CHECK(transactions_of(address + "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r8];\nret;") == Counts{4});
  CHECK(transactions_of(start + "shl.b32 %r9, %r1, 3;\nld.shared.u64 %d2, [%r9];\nret;") == Counts{2});
  CHECK(transactions_of(address + "st.shared.u8 [%r8], %h1;\nret;") == Counts{4});
  CHECK(transactions_of(start + "shr.u32 %r9, %r1, 1;\nshl.b32 %r9, %r9, 4;\n"
                                "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r9];\nret;") == Counts{4});
}

TEST_CASE("other spaces") {
  const std::string lane = start + "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\n";
  CHECK(transactions_of(lane + "ld.const.u32 %r9, [%d1];\nld.const.u32 %r9, [%d3];\nret;") == Counts{1, 32});
  CHECK(transactions_of(lane + "shr.u32 %r9, %r1, 3;\nmul.wide.u32 %d4, %r9, 4;\nld.const.u32 %r9, [%d4];\nret;") ==
        Counts{4});
  // Generic addresses in a kernel without pointers into local memory: lines or ways, whichever are more.
  CHECK(transactions_of(lane + "ld.u32 %r9, [%d1];\nld.u32 %r9, [%d3];\nret;") == Counts{1, 2});
  // Local memory: a line for each word of a lane, if all lanes use the same offset.
  CHECK(transactions_of(lane + "ld.local.u32 %r9, [frame];\nld.local.u64 %d4, [frame+8];\nret;") == Counts{1, 2});
  CHECK(transactions_of(lane + "mov.u64 %d4, frame;\nadd.s64 %d4, %d4, %d2;\nld.local.u32 %r9, [%d4];\n"
                               "ld.local.u64 %d5, [%d4];\nld.u32 %r9, [%d1];\nld.u32 %r9, [%d3];\nret;") ==
        Counts{32, 64, 1, 32});
  CHECK(transactions_of(lane + "atom.global.add.u32 %r9, [%d1], 1;\nred.shared.add.u32 [tile], 1;\nret;") ==
        Counts{32, 32});
}

TEST_CASE("parameters are read at once") {
  const auto analyzed =
      test::analyze(test::kernel_k("ld.param.u64 %d1, [p];\nld.param.u32 %r1, [n];\nret;"), block_of(64));
  REQUIRE(analyzed.facts.ok());
  CHECK(analyzed.facts->transactions == std::vector<uint32_t>{1, 1, 0});
}

TEST_CASE("blocks beyond what a GPU runs get the worst") {
  CHECK(transactions_of(global("mov.u32 %r9, %r1;"), block_of(5000)) == Counts{32});
}

TEST_CASE("an unknown index into a small table") {
  // Each lane loads a number first: 2 lines.
  const auto looked_up = [](const std::string& index, const std::string& access) {
    const std::string number = "mul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\nld.global.u32 %r6, [%d3];\n";
    return transactions_of(start + number + index + access + "\nret;").back();
  };
  const std::string global_access = "mul.wide.u32 %d4, %r9, 4;\nadd.s64 %d5, %d1, %d4;\nld.global.u32 %r10, [%d5];";
  const std::string shared_access =
      "shl.b32 %r9, %r9, 2;\nmov.u32 %r8, tile;\nadd.s32 %r8, %r8, %r9;\nld.shared.u32 %r10, [%r8];";
  CHECK(looked_up("and.b32 %r9, %r6, 3;\n", global_access) == 2);  // 16 bytes, perhaps between two lines
  CHECK(looked_up("and.b32 %r9, %r6, 31;\n", global_access) == 2);
  CHECK(looked_up("and.b32 %r9, %r6, 63;\n", global_access) == 3);
  CHECK(looked_up("and.b32 %r9, %r6, 1023;\n", global_access) == 32);
  CHECK(looked_up("min.u32 %r9, %r6, 40;\n", global_access) == 3);
  CHECK(looked_up("mov.u32 %r9, %r6;\n", global_access) == 32);
  CHECK(looked_up("and.b32 %r9, %r6, 3;\n", shared_access) == 1);
  CHECK(looked_up("and.b32 %r9, %r6, 32;\n", shared_access) == 2);
  CHECK(looked_up("and.b32 %r9, %r6, 255;\n", shared_access) == 8);
  // Beside a row of the table that all lanes share.
  CHECK(looked_up("and.b32 %r9, %r6, 15;\nmad.lo.s32 %r9, %r5, 16, %r9;\n", shared_access) <= 2);
  // The row differs from lane to lane.
  CHECK(looked_up("and.b32 %r9, %r6, 15;\nmad.lo.s32 %r9, %r1, 1024, %r9;\n", global_access) == 32);
}

TEST_CASE("rows of matrices in shared memory: each matrix is eight rows of 16 bytes") {
  const auto rows = [](const std::string& index, const std::string& count, const std::string& results) {
    return start + index + "\nmov.u32 %r8, tile;\nadd.s32 %r8, %r8, %r9;\nldmatrix.sync.aligned.m8n8." + count +
           ".shared.b16 {" + results + "}, [%r8];\nret;";
  };
  const std::string four = "%r10, %r11, %r12, %r13";
  const auto all = [&](const std::string& index) { return transactions_of(rows(index, "x4", four)); };
  CHECK(all("shl.b32 %r9, %r1, 4;") == Counts{4});      // 128 bytes in a row for each matrix
  CHECK(all("mul.lo.s32 %r9, %r1, 80;") == Counts{4});  // padded rows, no conflicts
  CHECK(all("mul.lo.s32 %r9, %r1, 32;") == Counts{8});
  CHECK(all("mul.lo.s32 %r9, %r1, 128;") == Counts{32});  // all rows in the same banks
  CHECK(all("mov.u32 %r9, 0;") == Counts{4});             // one row, eight times for each matrix
  CHECK(all("mul.lo.s32 %r9, %r1, %r5;") == Counts{32});  // unknown
  // What the lanes beyond the last matrix hold is no address, and counts only as far as rows can be.
  CHECK(transactions_of(rows("mul.lo.s32 %r9, %r1, %r5;", "x1", "%r10")) == Counts{8});
  CHECK(transactions_of(rows("mul.lo.s32 %r9, %r1, %r5;", "x2", "%r10, %r11")) == Counts{16});
  CHECK(transactions_of(rows("mul.lo.s32 %r9, %r1, 128;", "x1", "%r10")) == Counts{8});
}

TEST_CASE("which lane has which element of a fragment is unknown: a line or a way for each") {
  const auto load = [](const std::string& space, const std::string& address) {
    return start + "mov.u32 %r8, tile;\nwmma.load.c.sync.aligned.row.m16n16k16" + space +
           ".f16 {%r10, %r11, %r12, %r13}, [" + address + "], %r5;\nret;";
  };
  CHECK(transactions_of(load(".shared", "%r8")) == Counts{32});
  CHECK(transactions_of(load(".global", "%d1")) == Counts{32});
  CHECK(transactions_of(load("", "%d1")) == Counts{32});
}

TEST_CASE("what one elected thread accesses is one line, or a way for each of its words") {
  const auto elected = [](const std::string& access, const std::string& mask = "0xffffffff") {
    return transactions_of(start + "activemask.b32 %r9;\nelect.sync _|%p1, " + mask +
                           ";\nmul.lo.u32 %r8, %r1, 4096;\nmul.wide.u32 %d2, %r8, 4;\nadd.s64 %d3, %d1, %d2;\n"
                           "@!%p1 bra E;\n" +
                           access + "\nE:\nret;");
  };
  for (const char* access : {"ld.global.u32 %r10, [%d3];", "st.global.u64 [%d3], %d1;", "st.shared.u32 [%r8], %r1;",
                             "red.global.add.u32 [%d3], 1;", "atom.shared.add.u32 %r10, [%r8], 1;"}) {
    INFO(access);
    CHECK(elected(access) == Counts{1});
    CHECK(elected(access, "%r9") == Counts{32});
  }
  CHECK(elected("st.shared.v4.u32 [%r8], {%r1, %r1, %r1, %r1};") == Counts{4});
}

TEST_CASE("copies of a few bytes by each lane: the lines they read, or the ways in which they are written") {
  // Element x of that many bytes goes to element `where` of the same size.
  const auto copy = [](int bytes, const std::string& where = "mov.u32 %r9, %r1;") {
    const std::string size = std::to_string(bytes);
    return start + where + "\nmul.wide.u32 %d2, %r1, " + size + ";\nadd.s64 %d3, %d1, %d2;\nmul.lo.u32 %r9, %r9, " +
           size + ";\nmov.u32 %r8, tile;\nadd.s32 %r8, %r8, %r9;\ncp.async.ca.shared.global [%r8], [%d3], " + size +
           ", " + size + ";\nret;";
  };
  CHECK(transactions_of(copy(4)) == Counts{2});
  CHECK(transactions_of(copy(8)) == Counts{3});
  CHECK(transactions_of(copy(16)) == Counts{5});
  CHECK(transactions_of(copy(16), block_of(16, 16)) == Counts{4});
  CHECK(transactions_of(copy(4, "shl.b32 %r9, %r1, 1;")) == Counts{2});
  CHECK(transactions_of(copy(4, "shl.b32 %r9, %r1, 4;")) == Counts{16});
  CHECK(transactions_of(copy(4, "mul.lo.s32 %r9, %r1, 33;")) == Counts{2});
  CHECK(transactions_of(copy(4, "ld.global.u32 %r9, [%d1];")) == Counts{1, 2});  // one place for the warp
  CHECK(transactions_of(copy(4, "mul.lo.s32 %r9, %r1, %r5;")) == Counts{32});    // the ways are unknown
  CHECK(transactions_of(copy(5)) == Counts{32});                                 // no size that there is
}

TEST_CASE("lanes that reconverge where only one path is ever taken may bring values of different groups along") {
  // The back edge from $A is never taken, but makes the header, and not $J, the place where lanes of the first branch
  // meet: 3 for some of them, 7 for the others.
  const std::string body =
      "setp.lt.u32 %p1, %r1, 7;\nmov.u32 %r9, 3;\nmov.u32 %r8, 0;\n$H: sub.u32 %r9, %r9, 1;\n"
      "setp.gt.s32 %p2, %r9, 0;\n@!%p2 bra $end;\nmad.wide.u32 %d2, %r8, 128, %d1;\nld.global.u32 %r10, [%d2];\n"
      "mov.u32 %r8, 7;\n@%p1 bra $A;\nbra $J;\n$A: setp.ge.s32 %p3, %r8, 4;\n@%p3 bra $B;\n@!%p1 bra $H;\n"
      "$B: mov.u32 %r8, 3;\n$J: bra $H;\n$end: ret;";
  CHECK(transactions_of(start + body).at(0) >= 2);
}
