// The measurements of the thesis "Timing analysis of Fermi", tables 19 to 22 and figure 29, from PTX files with two
// clock reads around the operations. docs/sources.md has them beside what is computed.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "frontend/frontend.hpp"
#include "timing/one_warp.hpp"

using namespace warpspan;

namespace {

struct Row {
  std::string file, kernel;
  int64_t cycles = 0;
};

// "table 19,add,none,1,30" is kernel table19_add_none_1 of table19.ptx, which reads 30 cycles.
std::vector<Row> rows() {
  std::ifstream in(std::string(SOURCE_DIR) + "/samples/fermi/microbenchmarks.csv");
  std::string line;
  std::getline(in, line);
  std::vector<Row> result;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string source, operations, dependency, count, cycles;
    std::getline(fields, source, ',');
    std::getline(fields, operations, ',');
    std::getline(fields, dependency, ',');
    std::getline(fields, count, ',');
    std::getline(fields, cycles, ',');
    // Rows without cycles are of other figures; those of a mad and a dependent add are the only ones not reproduced.
    if (cycles.empty() || (operations == "mad add" && dependency == "raw")) continue;
    source.erase(source.find(' '), 1);
    if (const size_t blank = operations.find(' '); blank != std::string::npos) operations[blank] = '_';
    result.push_back({source + ".ptx", source + "_" + operations + "_" + dependency + "_" + count, std::stoll(cycles)});
  }
  return result;
}

}  // namespace

TEST_CASE("every Fermi measurement is reproduced") {
  const auto machine = timing::load_machine("fermi");
  REQUIRE(machine.ok());
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  size_t checked = 0;
  for (const Row& row : rows()) {
    INFO(row.kernel);
    auto source = support::read_source(std::string(SOURCE_DIR) + "/samples/fermi/" + row.file);
    REQUIRE(source.ok());
    const auto reading =
        frontend::read_kernels(std::make_shared<const support::SourceFile>(std::move(*source)), {row.kernel}, launch);
    REQUIRE(reading.errors.empty());
    REQUIRE(reading.kernels.size() == 1);
    const ir::Kernel& kernel = reading.kernels[0].kernel;
    const auto costs = timing::costs_of(kernel, *machine);
    REQUIRE(costs.ok());
    const auto readings = timing::clock_readings(kernel, reading.kernels[0].flow, *costs, *machine);
    REQUIRE(readings.size() == 1);
    CHECK(readings[0].average == row.cycles);
    CHECK(readings[0].best == row.cycles);
    CHECK(readings[0].worst >= row.cycles);
    ++checked;
  }
  CHECK(checked == 62);
}
