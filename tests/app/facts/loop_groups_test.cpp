// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/loop_groups.hpp"

#include <catch2/catch.hpp>

#include "app/facts/facts_file.hpp"
#include "app/reports/facts/facts_formats.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

ir::Loop loop(const std::string& label, const std::string& file, uint32_t line) {
  ir::Loop result;
  result.label = label;
  result.line = 100;
  result.source_file = file;
  result.source_line = line;
  return result;
}

ir::Loop found(ir::Loop result, int64_t trips) {
  result.trip_count = trips;
  result.source = ir::TripCountSource::simulation;
  return result;
}

ir::Loop given(ir::Loop result, int64_t iterations, int64_t trips) {
  result.given = iterations;
  result.trip_count = trips;
  result.source = ir::TripCountSource::user;
  return result;
}

// "place given: labels" of each group, one per line.
std::string text_of(const std::vector<ir::Loop>& loops) {
  std::string text;
  for (const LoopGroup& group : loop_groups(loops)) {
    text += group.place + " " + std::to_string(group.given) + (group.has_bounds ? " bounded:" : ":");
    for (const ir::Loop* each : group.loops) text += " " + each->label;
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("loops of one source line have one entry") {
  CHECK(text_of({loop("A", "/a/k.cu", 3), loop("B", "/a/k.cu", 4), found(loop("C", "/a/k.cu", 3), 7),
                 found(loop("D", "/a/k.cu", 9), 7), loop("E", "", 0), loop("", "", 0), loop("E", "", 0)}) ==
        "k.cu:3 0: A C\nk.cu:4 0: B\nk.cu:9 0 bounded: D\nE 0: E E\nline:100 0: \n");
}

TEST_CASE("files of one name have their paths") {
  CHECK(text_of({loop("A", "/a/k.cu", 3), loop("B", "/b/k.cu", 3), loop("C", "/b/j.cu", 3)}) ==
        "/a/k.cu:3 0: A\n/b/k.cu:3 0: B\nj.cu:3 0: C\n");
}

TEST_CASE("bounds that were given are written so that they say no less than before") {
  // Of a source line a number counts iterations, of a label how often the header runs.
  CHECK(text_of({given(loop("A", "k.cu", 3), 16, 17), given(loop("B", "k.cu", 3), 16, 16)}) == "k.cu:3 16: A B\n");
  CHECK(text_of({given(loop("A", "k.cu", 3), 16, 17), loop("B", "k.cu", 3)}) == "A 17: A\nB 0: B\n");
  CHECK(text_of({given(loop("A", "k.cu", 3), 16, 17), given(loop("B", "k.cu", 3), 9, 9),
                 found(loop("C", "k.cu", 3), 1)}) == "A 17: A\nB 9: B\nC 0 bounded: C\n");
}

TEST_CASE("what is written reads back, whatever names hold") {
  KernelFactsReport kernel;
  kernel.file = "a\nb.ptx";
  kernel.code.name = "k$1";
  kernel.code.sha256 = std::string(64, '0');
  kernel.code.parameters = {{"k$1_param_0", "u64", 8, true}, {"s", "b8[12]", 12, false}};
  kernel.code.loops = {loop("$L\"1", "a\"b\\c.cu", 3), found(loop("L2", "x\ny.cu", 4), 3)};
  FactsReport report;
  report.kernels = {kernel};
  report.given.arguments.push_back({"s", "0xff", ir::ByteRange{8, 4}});
  report.given.globals.push_back({"_Z1n", "1..8"});
  report.given.buffers.push_back({"k$1_param_0", 64});
  const std::string text = to_toml(report);
  INFO(text);
  std::string full = text;
  const size_t zero = full.find("trip_count = 0");
  REQUIRE(zero != std::string::npos);
  full.replace(zero, 14, "trip_count = 8");
  const auto facts = parse_facts("f.toml", full);
  for (const support::Diagnostic& error : facts ? support::Diagnostics{} : facts.errors()) UNSCOPED_INFO(error.message);
  REQUIRE(facts);
  CHECK(facts->front().kernel == "k$1");
  CHECK(facts->front().launch.loop_bounds.at(0).file == "a\"b\\c.cu");
  CHECK(facts->front().launch.arguments.at(0).value == "0xff");
  CHECK(facts->front().launch.globals.at(0).value == "1..8");
  CHECK(facts->front().launch.buffers.at(0).bytes == 64);
}
