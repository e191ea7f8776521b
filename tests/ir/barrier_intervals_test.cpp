// SPDX-License-Identifier: GPL-3.0-or-later
// The largest barrier intervals, against executions of random programs.
#include "ir/barrier_intervals.hpp"

#include <catch2/catch.hpp>

#include "tests/ir/build_kernel.hpp"
#include "tests/random_numbers.hpp"

using namespace warpspan;
using ir::no_block;
using ir::no_loop;
using test::BlockSpec;
using test::build_kernel;
using test::loop;
using test::TestKernel;

namespace {

// Synchronisations, then the most of an interval: loads, special functions, all instructions. Empty: not known.
std::vector<int64_t> intervals_of(const TestKernel& k) {
  const auto intervals = ir::largest_intervals(k.kernel, k.flow, 3, [&](ir::InstructionId id) {
    const uint32_t symbol = k.kernel.instructions[id].operation;
    return std::vector<support::Integer>{symbol == 0 ? 1 : 0, symbol == 2 ? 1 : 0, 1};
  });
  if (!intervals) return {};
  std::vector<int64_t> result = {intervals->sync_points.value().value()};
  for (const support::Integer most : intervals->largest) result.push_back(most.value().value());
  return result;
}

// What an execution that passes these symbols has of the same.
std::vector<int64_t> intervals_of(const std::string& symbols) {
  std::vector<int64_t> result(4), interval(3);
  for (const char symbol : symbols) {
    const std::vector<int64_t> one = {symbol == 'L' ? 1 : 0, symbol == 'S' ? 1 : 0, 1};
    for (size_t m = 0; m < 3; ++m) result[m + 1] = std::max(result[m + 1], interval[m] += one[m]);
    if (symbol == 'B') ++result[0];
    if (symbol == 'B') interval = one;
  }
  return result;
}

using test::below;
using test::Random;

// Symbols, a choice between two ways, two ways in an unknown order, or a loop.
struct Node {
  enum class Kind { symbols, either, both, loop } kind = Kind::symbols;
  std::string symbols;
  int64_t trips = 1;
  std::vector<Node> first, second;
};
using Program = std::vector<Node>;

Program random_program(Random& random, int depth, bool synchronises) {
  Program program;
  for (int64_t i = 1 + below(random, 3); i > 0; --i) {
    Node node;
    node.kind = depth > 0 ? static_cast<Node::Kind>(below(random, 4)) : Node::Kind::symbols;
    if (node.kind == Node::Kind::symbols) {
      for (int64_t n = below(random, 4); n > 0; --n) node.symbols += "LCS"[below(random, 3)];
      if (synchronises && below(random, 3) == 0) node.symbols = "B";
    } else {
      node.trips = 1 + below(random, 4);
      node.first = random_program(random, depth - 1, synchronises);
      node.second = random_program(random, depth - 1, synchronises && node.kind != Node::Kind::both);
      if (below(random, 2) == 0) std::swap(node.first, node.second);
    }
    program.push_back(std::move(node));
  }
  return program;
}

class Builder {
 public:
  TestKernel build(const Program& program) {
    blocks_.push_back({"", {}});
    append(program);
    return build_kernel(blocks_, loops_);
  }

 private:
  ir::BlockId last() const { return static_cast<ir::BlockId>(blocks_.size() - 1); }
  // Behind the last block.
  void open() {
    const ir::BlockId before = last();
    blocks_.push_back({"", {}, false, no_block, loop_});
    blocks_[before].successors.push_back(last());
    blocks_[before].post_dominator = last();
  }
  void append(const Program& program) {
    for (const Node& node : program) {
      if (node.kind == Node::Kind::symbols) append_symbols(node.symbols);
      if (node.kind == Node::Kind::loop) append_loop(node);
      if (node.kind == Node::Kind::either || node.kind == Node::Kind::both) append_ways(node);
    }
  }
  void append_symbols(const std::string& symbols) {
    if (symbols == "B") open();
    blocks_.back().symbols += symbols;
    if (symbols == "B") open();
  }
  void append_loop(const Node& node) {
    const ir::LoopId outer = loop_;
    loop_ = static_cast<ir::LoopId>(loops_.size());
    loops_.push_back(loop(last() + 1, node.trips, outer));
    open();
    const ir::BlockId header = last();
    append(node.first);
    blocks_.back().successors.push_back(header);
    loop_ = outer;
    open();
  }
  void append_ways(const Node& node) {
    const ir::BlockId branch = last();
    blocks_[branch].divergent = node.kind == Node::Kind::both;
    open();
    append(node.first);
    const ir::BlockId end = last();
    blocks_.push_back({"", {}, false, no_block, loop_});
    blocks_[branch].successors.push_back(last());
    append(node.second);
    open();
    blocks_[end].successors.push_back(last());
    blocks_[end].post_dominator = blocks_[branch].post_dominator = last();
  }

  std::vector<BlockSpec> blocks_;
  std::vector<ir::Loop> loops_;
  ir::LoopId loop_ = no_loop;
};

std::string executed(const Program& program, Random& random) {
  std::string symbols;
  for (const Node& node : program) {
    const auto one = [&](bool first) { return executed(first ? node.first : node.second, random); };
    const bool first = below(random, 2) == 0;
    const bool all_trips = below(random, 2) == 0;
    switch (node.kind) {
      case Node::Kind::symbols: symbols += node.symbols; break;
      case Node::Kind::either: symbols += one(first); break;
      case Node::Kind::both: symbols += one(first) + one(!first); break;
      case Node::Kind::loop:
        for (int64_t i = all_trips ? node.trips : 1 + below(random, node.trips); i > 0; --i) symbols += one(true);
        break;
    }
  }
  return symbols;
}

}  // namespace

TEST_CASE("a way out of a loop lies in any interval of it") {
  // Synchronisations in each of 100 iterations, and lanes that leave behind them.
  const TestKernel k = build_kernel(
      {{"", {1}, false, 1}, {"B", {2, 3}, true, 4, 0}, {"L", {1, 4}, false, 4, 0}, {"SS", {4}, false, 4}, {"", {}}},
      {loop(1, 100)});
  CHECK(intervals_of(k) == std::vector<int64_t>{100, 1, 2, 5});
}

TEST_CASE("intervals of straight code and of loops") {
  const TestKernel straight = build_kernel(
      {{"LL", {1}, false, 1}, {"B", {2}, false, 2}, {"LSS", {3}, false, 3}, {"B", {4}, false, 4}, {"C", {}}});
  CHECK(intervals_of(straight) == std::vector<int64_t>{2, 2, 2, 5});
  // Of one block, computations may be on either side of its barriers.
  CHECK(intervals_of(build_kernel({{"LLBLSSBC", {}}})) == std::vector<int64_t>{2, 3, 2, 8});
  // An interval ends and another one begins in each iteration.
  const TestKernel turns =
      build_kernel({{"C", {1}, false, 1}, {"LLLBS", {1, 2}, false, 2, 0}, {"LB", {}}}, {loop(1, 64)});
  CHECK(intervals_of(turns) == std::vector<int64_t>{65, 6, 2, 10});
  // A loop without synchronisations is in one interval.
  const TestKernel inner =
      build_kernel({{"BC", {1}, false, 1}, {"LLS", {1, 2}, false, 2, 0}, {"LB", {}}}, {loop(1, 64)});
  CHECK(intervals_of(inner) == std::vector<int64_t>{2, 129, 64, 196});
}

TEST_CASE("paths that lanes take one after another count before the synchronisations of one and behind them") {
  const auto parted = [](const std::string& one, const std::string& other) {
    return build_kernel({{"", {1, 2}, true, 3}, {one, {3}, false, 3}, {other, {3}, false, 3}, {"", {}}});
  };
  CHECK(intervals_of(parted("LBSS", "LLLL")) == std::vector<int64_t>{1, 5, 2, 8});
  CHECK(intervals_of(parted("LLLL", "LBSS")) == std::vector<int64_t>{1, 5, 2, 8});
  CHECK(intervals_of(parted("LB", "BL")).empty());
}

TEST_CASE("no interval of a random program's executions is larger than the bound") {
  Random random(1);
  int64_t programs = 0, reached = 0;
  for (int i = 0; i < 4000; ++i) {
    const Program program = random_program(random, 3, true);
    const TestKernel k = Builder().build(program);
    const std::vector<int64_t> most = intervals_of(k);
    if (most.empty()) continue;
    std::vector<int64_t> seen(4);
    for (int run = 0; run < 50; ++run) {
      const std::vector<int64_t> intervals = intervals_of(executed(program, random));
      for (size_t m = 0; m < 4; ++m) seen[m] = std::max(seen[m], intervals[m]);
    }
    for (size_t m = 0; m < 4; ++m) REQUIRE(seen[m] <= most[m]);
    ++programs;
    reached += seen == most ? 1 : 0;
  }
  CHECK(programs > 3500);
  CHECK(reached > programs / 4);
}
