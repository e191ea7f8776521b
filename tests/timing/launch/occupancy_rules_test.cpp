// SPDX-License-Identifier: GPL-3.0-or-later
// The number of resident blocks against the maker's rules: tests/vectors/occupancy.csv, published examples and what
// tests/independent/occupancy_rules.py makes of the published formulas.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/paths.hpp"
#include "tests/timing/machine/machine_files.hpp"
#include "timing/launch/residency.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

struct Row {
  std::string text, capability, machine;
  int64_t threads = 0, registers = 0, static_shared = 0, dynamic_shared = 0, barriers = 0, blocks = 0;
};

std::vector<Row> rows() {
  std::ifstream in(warpspan::test::source_dir() + "/tests/vectors/occupancy.csv");
  std::vector<Row> all;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#' || line.starts_with("capability,")) continue;
    std::istringstream fields(line);
    Row row;
    row.text = line;
    std::getline(fields, row.capability, ',');
    std::getline(fields, row.machine, ',');
    for (int64_t* number :
         {&row.threads, &row.registers, &row.static_shared, &row.dynamic_shared, &row.barriers, &row.blocks}) {
      std::string field;
      REQUIRE(std::getline(fields, field, ','));
      *number = std::stoll(field);
    }
    all.push_back(row);
  }
  return all;
}

// Of a block that is launched with all it takes known; {0, 0} where it is refused.
Span blocks_of(const Row& row, const Machine& machine) {
  ir::Kernel kernel;
  kernel.shared_bytes = row.static_shared;
  kernel.barriers = row.barriers;
  ir::Launch launch;
  launch.registers = row.registers;
  launch.dynamic_shared = row.dynamic_shared;
  auto needs = block_needs(kernel, launch, (row.threads + warp_size - 1) / warp_size, machine);
  if (!needs) return {0, 0};
  needs->barriers = {row.barriers, row.barriers};
  return residency(*needs, machine).blocks;
}

// What a span of a machine's limits leaves open: shared memory of 5.0 and 5.2, blocks of 12.0, named barriers before
// 9.0, registers of 2.0.
bool is_open(const Row& row, const Machine& machine) {
  const bool shared = row.static_shared + row.dynamic_shared > 0;
  return (machine.shared_bytes.least < machine.shared_bytes.most && shared) ||
         machine.max_blocks.least < machine.max_blocks.most ||
         (machine.barriers.least < machine.barriers.most && row.barriers > 1) ||
         machine.register_granularity.least < machine.register_granularity.most;
}

}  // namespace

TEST_CASE("as many blocks are resident as the maker's rules say", "[occupancy]") {
  std::map<std::string, Machine> machines;
  std::map<std::string, int> equal;
  std::set<std::string> capabilities;
  int cases = 0;
  for (const Row& row : rows()) {
    INFO(row.text);
    const Machine& machine = machines.try_emplace(row.machine, builtin(row.machine)).first->second;
    const Span blocks = blocks_of(row, machine);
    CHECK(blocks.least <= row.blocks);
    CHECK(row.blocks <= blocks.most);
    if (!is_open(row, machine)) CHECK(blocks == Span{row.blocks, row.blocks});
    if (blocks == Span{row.blocks, row.blocks}) ++equal[row.capability];
    capabilities.insert(row.capability);
    ++cases;
  }
  CHECK(cases >= 60);
  CHECK(capabilities.size() == 23);
  for (const std::string& capability : capabilities) CHECK(equal[capability] >= 4);
}
