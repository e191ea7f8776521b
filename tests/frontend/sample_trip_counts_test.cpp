// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of tests/samples/trip_counts, against what they do for every input.
#include <algorithm>
#include <catch2/catch.hpp>

#include "frontend/frontend.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

frontend::Reading read(const std::string& name, const ir::Launch& launch) {
  auto source = support::read_source(warpspan::test::source_dir() + "/tests/samples/trip_counts/" + name);
  REQUIRE(source.ok());
  return frontend::read_kernels(std::make_shared<const support::SourceFile>(std::move(*source)), {}, launch);
}

ir::Launch launch_of(int64_t block, int64_t grid) {
  ir::Launch launch;
  launch.block = ir::Extent{block, 1, 1};
  launch.grid = ir::Extent{grid, 1, 1};
  return launch;
}

ir::Loop only_loop(const frontend::Reading& reading) {
  REQUIRE(reading.errors.empty());
  REQUIRE(reading.kernels.size() == 1);
  REQUIRE(reading.kernels[0].flow.loops.size() == 1);
  return reading.kernels[0].flow.loops[0];
}

}  // namespace

TEST_CASE("a 64-bit limit of a counter that the block's number starts") {
  const auto trips_of = [](uint32_t block, uint32_t grid, uint64_t n) {
    int64_t most = 0;
    for (uint32_t start = 0; start < block * grid; ++start) {
      int64_t trips = 0;
      uint32_t counter = start / block * 256 + start % block;
      do {
        ++trips;
        counter += 16384;
      } while (static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(counter))) < n);
      most = std::max(most, trips);
    }
    return most;
  };
  for (const auto& [grid, n] : std::vector<std::pair<uint32_t, uint64_t>>{
           {64, 100'000}, {64, 16'383}, {1, 1'000'000}, {1000, 1'000'000}, {64, 2'147'400'000}}) {
    ir::Launch launch = launch_of(256, grid);
    launch.arguments.push_back({"n", std::to_string(n)});
    const ir::Loop loop = only_loop(read("sizet_ctaid.ptx", launch));
    INFO("grid " << grid << ", n " << n);
    CHECK(loop.trip_count == trips_of(256, grid, n));
  }
  ir::Launch launch = launch_of(256, 64);
  launch.arguments.push_back({"n", "100000"});
  CHECK(only_loop(read("sizet_ctaid.ptx", launch)).trip_count == 7);
  // Below this limit is what is not negative: the loop ends where the counter wraps, which is refused, not guessed.
  launch.arguments.back().value = "0x8000000000000000";
  const frontend::Reading wraps = read("sizet_ctaid.ptx", launch);
  REQUIRE(wraps.errors.size() == 1);
  CHECK(wraps.errors[0].message ==
        "no bound for the loop 'L' of kernel 'k': its exit test is not a count towards a limit that is known");
}

TEST_CASE("the range of a type is no bound, even where a limit has few values") {
  // 40 less a signed byte, as an unsigned limit: from a byte of 41 on nearly 2^32 trips.
  int64_t most = 0;
  for (int byte = -128; byte < 128; ++byte) most = std::max<int64_t>(most, static_cast<uint32_t>(40 - byte));
  REQUIRE(most == int64_t{UINT32_MAX});
  const frontend::Reading reading = read("s8.ptx", launch_of(32, 1));
  REQUIRE(reading.errors.size() == 1);
  CHECK(reading.errors[0].message ==
        "no bound for the loop 'L' of kernel 'k': its exit test depends on an element of the array "
        "of parameter 'p', loaded in line 4");
}

TEST_CASE("a limit in a struct is a value that can be given") {
  const frontend::Reading unknown = read("struct.ptx", launch_of(32, 1));
  REQUIRE(unknown.errors.size() == 1);
  CHECK(unknown.errors[0].help.rfind("bind what it depends on ({argument} s+8:4=VALUE), ", 0) == 0);
  for (const int64_t n : {0, 1, 2, 100, 1 << 20}) {
    ir::Launch launch = launch_of(32, 1);
    launch.arguments.push_back({"s", std::to_string(n), ir::ByteRange{8, 4}});
    CHECK(only_loop(read("struct.ptx", launch)).trip_count == std::max<int64_t>(1, n));
  }
}

TEST_CASE("the slow path of a sine in double precision") {
  // The loop multiplies by the words of 2/pi that an argument of this exponent needs: what the instructions of
  // __internal_trig_reduction_slowpathd do with the argument's upper word.
  int64_t most = 0;
  for (uint32_t upper = 0; upper < 1U << 12; ++upper) {
    const uint32_t exponent = upper & 2047;
    if (exponent == 2047) continue;
    const auto word = static_cast<int32_t>((exponent - 1024U) >> 6U);
    const int32_t end = 16 - word > 14 ? 18 : 19 - word;
    if (16 - word > end) continue;
    int64_t trips = 0;
    int32_t i = 15 - word;
    do ++trips;
    while (++i < end);
    most = std::max(most, trips);
  }
  REQUIRE(most == 4);
  const ir::Loop loop = only_loop(read("sin.ptx", launch_of(32, 1)));
  CHECK(loop.trip_count == most);
  CHECK(loop.source == ir::TripCountSource::scalar_evolution);
}
