// SPDX-License-Identifier: GPL-3.0-or-later
// What the PTX in a cubin tells of its machine code, and what wrong line tables and damaged PTX do.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "frontend/machine_code.hpp"
#include "tests/paths.hpp"

using namespace warpspan;

namespace {

// Of PTX in tests/samples/machine_code, with line tables.
std::string cubin(const std::string& name = "beside") {
  auto source =
      support::read_source(warpspan::test::source_dir() + "/tests/samples/machine_code/" + name + ".sm_90.cubin");
  REQUIRE(source.ok());
  return source->bytes();
}

frontend::Reading read(const std::string& bytes, const std::string& kernel, frontend::Inquiry inquiry = {},
                       const std::vector<ir::LoopBound>& bounds = {}) {
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  launch.grid = ir::Extent{2, 1, 1};
  launch.loop_bounds = bounds;
  return frontend::read_machine_code({"beside.cubin", bytes}, {kernel}, launch, inquiry);
}

// The one place of a text in the bytes.
size_t place_of(const std::string& bytes, const std::string& text) {
  const size_t found = bytes.find(text);
  REQUIRE(found != std::string::npos);
  REQUIRE(bytes.find(text, found + 1) == std::string::npos);
  return found;
}

std::string with(std::string bytes, const std::string& text, const std::string& other) {
  REQUIRE(text.size() == other.size());
  return bytes.replace(place_of(bytes, text), text.size(), other);
}

// The PTX with two lines less before all kernels, so that the lines of the tables are those of other instructions.
std::string shifted() {
  const std::string before = ".address_size 64";
  return with(cubin(), before + std::string(4, '\0'), before + '\0' + "  " + '\0');
}

bool has(const std::vector<std::string>& sentences, const std::string& part) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return sentence.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("machine code: a loop of whole doubles has the trip count of its PTX, and the result says so") {
  const frontend::Reading reading = read(cubin(), "float_counter");
  REQUIRE(reading.kernels.size() == 1);
  const frontend::AnalyzedKernel& kernel = reading.kernels.front();
  REQUIRE(kernel.flow.loops.size() == 1);
  CHECK(kernel.flow.loops.front().trip_count == 8);
  CHECK(kernel.flow.loops.front().source == ir::TripCountSource::simulation);
  CHECK(kernel.flow.loops.front().obstacle.empty());
  CHECK(has(kernel.assumptions, "at most 8 times"));
  CHECK(has(kernel.assumptions, "--machine-code leaves the PTX out"));
}

TEST_CASE("machine code: by itself it has no trip count of its PTX") {
  frontend::Inquiry alone;
  alone.code_alone = true;
  const frontend::Reading reading = read(cubin(), "float_counter", alone);
  CHECK(reading.kernels.empty());
  REQUIRE(reading.errors.size() == 1);
  CHECK(reading.errors.front().message.find("no bound for the loop '0x70'") == 0);
}

TEST_CASE("machine code: the bound of a loop of the PTX, by its label, is one of the loops that are made of it") {
  std::string unknown =
      with(cubin(), "setp.lt.f64 %p, %x, 0d4020000000000000;", "setp.ne.f64 %p, %x, %h;                ");
  const frontend::Reading without = read(unknown, "float_counter");
  CHECK(without.kernels.empty());
  REQUIRE(without.codes.size() == 1);
  CHECK(without.codes.front().loops->front().ptx_label == "LOOP");
  REQUIRE(without.errors.size() == 1);
  CHECK(without.errors.front().help.find("{loop_bound} LOOP=N") != std::string::npos);
  ir::LoopBound bound;
  bound.label = "LOOP";
  bound.trip_count = 30;
  bound.origin = {"--loop-bound", {}, {}};
  const frontend::Reading reading = read(unknown, "float_counter", {}, {bound});
  REQUIRE(reading.kernels.size() == 1);
  const ir::Loop& loop = reading.kernels.front().flow.loops.front();
  CHECK(loop.trip_count == 30);
  CHECK(loop.source == ir::TripCountSource::user);
  CHECK(loop.given == 30);
  REQUIRE(reading.uses.size() == 1);
  CHECK(reading.uses.front().bound == 0);
  CHECK(reading.uses.front().label == "LOOP");
}

TEST_CASE(
    "machine code: a trip count of the PTX below what the machine code does is not used, and the result says so") {
  const std::string wrong = with(cubin(), "setp.lt.u32 %p, %i, 1000;", "setp.lt.u32 %p, %i, 0010;");
  const frontend::Reading reading = read(wrong, "exact");
  REQUIRE(reading.kernels.size() == 1);
  CHECK(reading.kernels.front().flow.loops.front().trip_count == 1000);
  CHECK(has(reading.kernels.front().assumptions, "runs at least 1000 times"));
  CHECK(has(reading.kernels.front().assumptions, "that is not used"));
}

TEST_CASE("machine code: nothing is taken from PTX at whose lines the machine code does something else") {
  const frontend::Reading reading = read(shifted(), "float_counter");
  CHECK(reading.kernels.empty());
  const frontend::Reading counted = read(shifted(), "exact");
  REQUIRE(counted.kernels.size() == 1);
  CHECK(counted.kernels.front().flow.loops.front().trip_count == 1000);
  CHECK_FALSE(has(counted.kernels.front().assumptions, "line table"));
}

// The PTX of the kernel stores once: 98 is not below 3. The machine code goes on while it is above, four stores at
// once: at 100, 92 and so on, until 12 is no more than 3 + 6, and those of 4 that are left.
TEST_CASE("machine code: nothing is taken from PTX with a loop that counts away from its limit") {
  ir::Launch launch;
  launch.block = ir::Extent{64, 1, 1};
  launch.arguments = {{"1", "100"}, {"2", "3"}};
  const frontend::Reading reading =
      frontend::read_machine_code({"counts_away.cubin", cubin("counts_away")}, {"counts_away"}, launch, {});
  REQUIRE(reading.kernels.size() == 1);
  const ir::Flow& flow = reading.kernels.front().flow;
  REQUIRE_FALSE(flow.loops.empty());
  CHECK(flow.loops.front().trip_count == 12);
  CHECK(flow.blocks[flow.loops.front().header].executed);
  CHECK_FALSE(has(reading.kernels.front().assumptions, "line table"));
}

// Lanes that go on at MEET have come there on two paths, and reconverge in the machine code only: two lines.
TEST_CASE("machine code: its accesses have the transactions of lanes that reconverge where those of the PTX do not") {
  const frontend::Reading reading = read(cubin(), "meeting");
  REQUIRE(reading.kernels.size() == 1);
  const frontend::AnalyzedKernel& kernel = reading.kernels.front();
  uint32_t last = 0;
  for (const ir::Access& access : kernel.flow.accesses) {
    if (kernel.kernel.operation(kernel.kernel.instructions[access.instruction]).kind ==
        ir::OperationKind::store_global) {
      last = kernel.flow.transactions[access.instruction];
    }
  }
  CHECK(last >= 2);
}

TEST_CASE("machine code: damaged PTX or line tables are no errors") {
  const std::string whole = cubin();
  const size_t begin = whole.find(".visible .entry float_counter");
  REQUIRE(begin != std::string::npos);
  const size_t end = whole.find("ret;", whole.find(".visible .entry meeting"));
  REQUIRE(end != std::string::npos);
  frontend::Inquiry alone;
  alone.code_alone = true;
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = whole;
    for (int k = 0; k < 1 + i % 8; ++k) {
      const size_t place = begin + random() % (end - begin);
      damaged[place] = static_cast<char>(random() % 4 == 0 ? 0 : 32 + random() % 95);
    }
    for (const char* kernel : {"exact", "meeting"}) {
      CHECK(read(damaged, kernel).kernels.size() == 1);
    }
    CHECK(read(damaged, "float_counter", alone).kernels.empty());
  }
}
