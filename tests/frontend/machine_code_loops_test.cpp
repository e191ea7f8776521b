// SPDX-License-Identifier: GPL-3.0-or-later
// How often loops of machine code run, known from the launch and its arguments.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <random>

#include "frontend/frontend.hpp"
#include "frontend/machine_code.hpp"
#include "ir/execution.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

ir::Launch launch_of(int64_t block, int64_t grid, const std::vector<int64_t>& values) {
  ir::Launch launch;
  launch.block = ir::Extent{block, 1, 1};
  launch.grid = ir::Extent{grid, 1, 1};
  for (size_t i = 0; i < values.size(); ++i)
    launch.arguments.push_back({std::to_string(i + 1), std::to_string(values[i])});
  return launch;
}

std::string content_of(const std::string& name) {
  auto source = support::read_source(warpspan::test::source_dir() + "/tests/samples/machine_code/" + name);
  REQUIRE(source.ok());
  return source->bytes();
}

frontend::Reading read(const std::string& bytes, const std::string& kernel, const ir::Launch& launch) {
  return frontend::read_machine_code({"loops.cubin", bytes}, {kernel}, launch);
}

// Of each loop, in the order of the code.
std::vector<int64_t> trips_of(const frontend::Reading& reading) {
  for (const support::Diagnostic& error : reading.errors) UNSCOPED_INFO(error.message);
  REQUIRE(reading.errors.empty());
  REQUIRE(reading.kernels.size() == 1);
  std::vector<int64_t> trips;
  for (const ir::Loop& loop : reading.kernels[0].flow.loops) trips.push_back(loop.trip_count.value());
  std::sort(trips.begin(), trips.end());
  return trips;
}

std::vector<int64_t> trips_of(const std::string& name, const std::string& kernel, const ir::Launch& launch) {
  INFO(name << " " << kernel);
  return trips_of(read(content_of(name), kernel, launch));
}

}  // namespace

TEST_CASE("machine code: a 64-bit count down to zero, whose halves are in registers apart") {
  CHECK(trips_of("down64.sm_80.cubin", "down", launch_of(64, 4, {1000})) == std::vector<int64_t>{1, 250});
  CHECK(trips_of("down64.sm_90.cubin", "down", launch_of(64, 4, {1000})) == std::vector<int64_t>{1, 250});
}

TEST_CASE("machine code: a 64-bit loop by the number of threads, whose count is a quotient") {
  for (const char* name : {"stride64.sm_75.cubin", "stride64.sm_80.cubin", "stride64.sm_120.cubin"}) {
    ir::Launch launch = launch_of(64, 4, {0, 100'000});
    launch.arguments.erase(launch.arguments.begin());
    CHECK(trips_of(name, "fill", launch) == std::vector<int64_t>{3, 98});
  }
}

TEST_CASE("a count that is a 64-bit quotient, and one more where a rest is left") {
  const ir::Launch launch = launch_of(64, 4, {100'000});
  const std::vector<int64_t> most = {3, 98};  // 391 iterations, the remainder of them first
  CHECK(trips_of("count_div.sm_80.cubin", "ranged", launch) == most);
  CHECK(trips_of("count_div.sm_120.cubin", "ranged", launch) == most);
  support::SourceFile ptx("count_div.ptx", content_of("count_div.ptx"));
  CHECK(trips_of(frontend::read_kernels(std::make_shared<const support::SourceFile>(std::move(ptx)), {}, launch)) ==
        most);
}

TEST_CASE("machine code: quotients as limits") {
  for (const char* name : {"quotient_limits.sm_80.cubin", "quotient_limits.sm_120.cubin"}) {
    // a = 142, b = 137, c = 194, by 64 threads.
    CHECK(trips_of(name, "plan", launch_of(64, 1, {1000, 7, 100})) == std::vector<int64_t>{4});
  }
}

TEST_CASE("machine code: quotients and remainders are those of the numbers") {
  struct Row {
    const char* kernel;
    int64_t (*limit)(uint32_t, uint32_t);
  };
  const auto as_signed = [](uint32_t value) { return static_cast<int64_t>(static_cast<int32_t>(value)); };
  static const auto to_signed = as_signed;
  const Row rows[] = {{"quotient_u32", [](uint32_t n, uint32_t b) -> int64_t { return n / b; }},
                      {"rest_u32", [](uint32_t n, uint32_t b) -> int64_t { return n % b; }},
                      {"quotient_s32", [](uint32_t n, uint32_t b) { return to_signed(n) / to_signed(b); }},
                      {"rest_s32", [](uint32_t n, uint32_t b) { return to_signed(n) % to_signed(b); }}};
  std::mt19937 random(1);
  std::vector<std::pair<uint32_t, uint32_t>> pairs = {
      {30'000, 17},    {UINT32_MAX, 1}, {UINT32_MAX, UINT32_MAX - 1}, {7, 8}, {0x80000000, 0x80000000},
      {1, 0x80000000}, {4096, 64},      {0x7fffffff, 0xffffffff},     {0, 5}};
  while (pairs.size() < 24) pairs.emplace_back(random(), random() >> random() % 32);
  for (const char* name : {"quotients.sm_80.O3.cubin", "quotients.sm_80.O0.cubin", "quotients.sm_120.O3.cubin"}) {
    const std::string bytes = content_of(name);
    for (const Row& row : rows) {
      for (const auto& [n, b] : pairs) {
        // Two steps of a constant divisor of 2^31 or more are seen to be one, which is no longer recognised.
        if (b == 0 || b == 0x80000000 || (b > INT32_MAX && std::string(row.kernel).ends_with("u32"))) continue;
        const int64_t limit = std::max<int64_t>(1, row.limit(n, b));
        ir::Launch launch = launch_of(1, 1, {to_signed(n), to_signed(b)});
        INFO(name << " " << row.kernel << " of " << n << " and " << b);
        const frontend::Reading reading = read(bytes, row.kernel, launch);
        CHECK(trips_of(reading) == std::vector<int64_t>{limit});
      }
    }
  }
}

TEST_CASE("machine code: loops that retry a compare-and-swap run once for each write of others, and twice") {
  for (const std::string target : {"75", "80", "120"}) {
    const std::string name = "retries.sm_" + target + ".cubin";
    ir::Launch launch = launch_of(64, 4, {0, 256});
    launch.arguments.erase(launch.arguments.begin());
    CHECK(trips_of(name, "_Z6lowestPKfPii", launch).back() == 4 * 64 + 2);
    CHECK(trips_of(name, "_Z3sumPKdPy", launch_of(64, 4, {})).back() == 4 * 64 + 2);
    // Of one block, each thread of which may store once, too.
    CHECK(trips_of(name, "_Z7largestPKfPi", launch_of(64, 4, {})).back() == 2 * 64 + 2);
    const frontend::Reading lock = read(content_of(name), "_Z4lockPi", launch_of(64, 4, {}));
    REQUIRE(lock.errors.size() == 1);
    CHECK(lock.errors[0].message.find("depends on the result of 'ATOMG.CAS'") != std::string::npos);
  }
}

TEST_CASE("machine code: loops that wait for the counter of cycles, in uniform registers too") {
  for (const char* name : {"clocks.sm_80.cubin", "clocks.sm_90.cubin", "clocks.sm_120.cubin"}) {
    CHECK(trips_of(name, "wait64", launch_of(32, 1, {1000})) == std::vector<int64_t>{1000});
    CHECK(trips_of(name, "wait32", launch_of(32, 1, {1000})) == std::vector<int64_t>{1000});
  }
}

TEST_CASE("machine code: loops over doubles, down by minima, searches, and limits in constant memory") {
  for (const char* name : {"counts.sm_80.cubin", "counts.sm_120.cubin"}) {
    const ir::Launch alone = launch_of(32, 1, {});
    const auto bits = [](double number) { return static_cast<int64_t>(std::bit_cast<uint64_t>(number)); };
    CHECK(trips_of(name, "integrate", launch_of(32, 1, {bits(0), bits(1), bits(0.0625)})) == std::vector<int64_t>{16});
    CHECK(trips_of(name, "rests", alone) == std::vector<int64_t>{23});
    CHECK(trips_of(name, "search", alone) == std::vector<int64_t>{10});
    ir::Launch filter = alone;
    filter.globals.push_back({"taps", "64"});
    const auto trips = trips_of(name, "filter", filter);
    CHECK(trips == std::vector<int64_t>{5});  // of 22 iterations, unrolled by four
    filter.globals.front().parameter = "tap";
    const frontend::Reading wrong = read(content_of(name), "filter", filter);
    REQUIRE(wrong.errors.size() == 1);
    CHECK(wrong.errors.front().message.find("no variable in constant memory is called so") != std::string::npos);
  }
}

// Some of the lanes that have diverged end before the others are together again: what these compute then, they compute
// together.
TEST_CASE("machine code: lanes are in one iteration of a loop behind the place where some of them reconverge") {
  for (const char* name : {"runs.sm_80.cubin", "runs.sm_90.cubin"}) {
    ir::Launch launch = launch_of(256, 16, {});
    launch.arguments.push_back({"2", "4096"});
    const frontend::Reading reading = read(content_of(name), "run_lengths", launch);
    REQUIRE(reading.errors.empty());
    const frontend::AnalyzedKernel& kernel = reading.kernels.front();
    uint32_t most = 0;
    for (const ir::Access& access : kernel.flow.accesses)
      most = std::max(most, kernel.flow.transactions[access.instruction]);
    CHECK(most == 2);
  }
}

// A BREAK takes lanes out of what the last BSSY of its register put there, and of no other.
TEST_CASE("machine code: lanes reconverge at a barrier register that is used again where lanes are taken out of it") {
  auto source = support::read_source(warpspan::test::source_dir() + "/tests/machine_code/data/breaks.sm_90.O3.cubin");
  REQUIRE(source.ok());
  ir::Launch launch = launch_of(96, 64, {});
  launch.arguments = {{"2", "200"}, {"3", "60"}};
  const frontend::Reading reading = read(source->bytes(), "weigh", launch);
  REQUIRE(reading.errors.empty());
  const frontend::AnalyzedKernel& kernel = reading.kernels.front();
  const auto once = [](ir::InstructionId) { return std::vector<support::Integer>{1}; };
  const auto executed = ir::largest_totals(kernel.kernel, kernel.flow, 1, once);
  REQUIRE(executed);
  CHECK(executed->front().value().value() < 4000);  // some 12 instructions for each of 3 * 60 and 200 products
}

// 240 elements by 256 threads: each reads one at most, and the guarded read before the loop is of those beyond them.
// What reads four and two at once is never executed.
TEST_CASE("machine code: blocks that are unrolled for more iterations than there are are not executed") {
  for (const char* name : {"strided_sum.sm_80.cubin", "strided_sum.sm_120.cubin"}) {
    INFO(name);
    const auto flow_of = [&](int64_t elements) {
      ir::Launch launch = launch_of(256, 1, {0, elements});
      launch.arguments.erase(launch.arguments.begin());
      const frontend::Reading reading = read(content_of(name), "strided_sum", launch);
      REQUIRE(reading.kernels.size() == 1);
      return reading.kernels[0].flow;
    };
    const auto left_out = [](const ir::Flow& flow) {
      return std::count_if(flow.blocks.begin(), flow.blocks.end(), [](const ir::BlockFlow& b) { return !b.executed; });
    };
    const ir::Flow few = flow_of(240), many = flow_of(2000);
    CHECK(left_out(few) >= 2);
    CHECK(few.accesses.size() == 3);  // two reads and what is written
    CHECK(left_out(many) == 0);
    CHECK(many.accesses.size() == 9);
  }
}

TEST_CASE("machine code: loops that serve lanes one after another run at most once for each, and once more") {
  for (const std::string target : {"90", "120"}) {
    CHECK(trips_of("elections.sm_" + target + ".cubin", "prefetch", launch_of(64, 4, {})) == std::vector<int64_t>{33});
  }
}

// Five lanes of each warp ask, of a warp of three threads all.
TEST_CASE("machine code: loops that elect lanes run once for each that asks") {
  for (const std::string target : {"90", "120"}) {
    for (const auto& [threads, trips] : {std::pair(64, 5), {36, 5}, {3, 3}, {1, 1}}) {
      CHECK(trips_of("elected.sm_" + target + ".cubin", "add_same", launch_of(threads, 4, {})) ==
            std::vector<int64_t>{trips});
    }
  }
}

TEST_CASE("machine code: what votes decide is executed by warps with a lane that finds that") {
  const std::pair<const char*, std::optional<int64_t>> kernels[] = {
      {"if_any", 1}, {"unless_all", 1}, {"unless_any", 31}, {"if_any_of_each", std::nullopt}};
  for (const std::string target : {"90", "100"}) {
    for (const auto& [kernel, warps] : kernels) {
      INFO(target << " " << kernel);
      const frontend::Reading reading =
          read(content_of("voted.sm_" + target + ".cubin"), kernel, launch_of(1024, 4, {}));
      REQUIRE(reading.kernels.size() == 1);
      const ir::Kernel& made = reading.kernels[0].kernel;
      int stores = 0;
      for (ir::BlockId b = 0; b < made.blocks.size(); ++b) {
        for (ir::InstructionId id = made.blocks[b].first; id < made.blocks[b].first + made.blocks[b].count; ++id) {
          if (made.operation(made.instructions[id]).kind != ir::OperationKind::store_global) continue;
          CHECK(ir::warps_that_execute(reading.kernels[0].flow, b, id) == warps);
          ++stores;
        }
      }
      CHECK(stores == 1);
    }
  }
}

// By the vote of its lanes.
TEST_CASE("machine code: a copy that one thread of a block asks for is made by one warp") {
  for (const std::string target : {"90", "100"}) {
    for (const auto& [kernel, warps] : {std::pair("by_block", std::optional<int64_t>(1)), {"by_warp", std::nullopt}}) {
      INFO(target << " " << kernel);
      const frontend::Reading reading =
          read(content_of("voted.sm_" + target + ".cubin"), kernel, launch_of(1024, 4, {1, 8}));
      REQUIRE(reading.kernels.size() == 1);
      const ir::Kernel& made = reading.kernels[0].kernel;
      const ir::Flow& flow = reading.kernels[0].flow;
      int copies = 0;
      for (ir::BlockId b = 0; b < made.blocks.size(); ++b) {
        for (ir::InstructionId id = made.blocks[b].first; id < made.blocks[b].first + made.blocks[b].count; ++id) {
          if (!flow.blocks[b].executed || !ir::is_bulk_copy(made.operation(made.instructions[id]))) continue;
          CHECK(ir::warps_that_execute(flow, b, id) == warps);
          ++copies;
        }
      }
      CHECK(copies == 4);
    }
  }
}

// What takes P0 from lanes that have it gives it to others, too, without its guard.
TEST_CASE("machine code: a loop that takes no lane's predicate has no trip count") {
  std::string bytes = content_of("elections.sm_90.cubin");
  const auto is_taking = [&](size_t at) {
    const auto low = static_cast<uint16_t>(static_cast<uint8_t>(bytes[at]) | static_cast<uint8_t>(bytes[at + 1]) << 8);
    return (low & 0xfff) == 0x81c && (low >> 12 & 0xf) != 7;
  };
  int changed = 0;
  for (size_t at = 0; at + 16 <= bytes.size(); at += 16) {
    if (!is_taking(at)) continue;
    bytes[at + 1] = static_cast<char>((static_cast<uint8_t>(bytes[at + 1]) & 0x0f) | 0x70);  // no guard
    ++changed;
  }
  REQUIRE(changed == 1);
  CHECK_FALSE(read(bytes, "prefetch", launch_of(64, 4, {})).errors.empty());
}
