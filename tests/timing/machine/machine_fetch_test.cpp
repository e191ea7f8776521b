// SPDX-License-Identifier: GPL-3.0-or-later
#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"
#include "timing/machine/check.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

constexpr std::string_view tables = R"(
[resource.fetch]
servers = 1
sharing = "multiprocessor"
standing = "assumed"
source = "a guess"

[fetch]
line = 128
instructions = 12
standing = "official"
source = "[BOOK] 7"

[code_cache.L0]
sharing = "scheduler"
bytes = 4096
miss = 40
holds = { fetch = 35 }
standing = "measured"
source = "[BOOK] 8"

[code_cache.L2]
sharing = "device"
bytes = 65536
miss = 600
holds = { fetch = 600, memory = 61 }
standing = "assumed"
source = "a guess"
)";

// `small` with the tables above, a part of which is changed.
std::string with_fetch(std::string_view before = "", std::string_view after = "") {
  std::string text = std::string(tables);
  const size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  text.replace(at, before.size(), after);
  return std::string(small) + text;
}

}  // namespace

TEST_CASE("figures of instruction fetch are read") {
  CHECK_FALSE(machine_of(std::string(small)).fetch);
  const Machine machine = machine_of(with_fetch());
  REQUIRE(machine.fetch);
  CHECK(machine.fetch->line == 128);
  CHECK(machine.fetch->instructions == 12);
  CHECK(machine.fetch->provenance.evidence == Evidence::official);
  REQUIRE(machine.fetch->caches.size() == 2);
  const CodeCache& nearest = machine.fetch->caches[0];
  CHECK(nearest.name == "L0");
  CHECK(nearest.sharing == ResourceFigures::Sharing::scheduler);
  CHECK(nearest.bytes == 4096);
  CHECK(nearest.miss == 40);
  REQUIRE(nearest.occupancies.size() == 1);
  CHECK(machine.resources[nearest.occupancies[0].resource].name == "fetch");
  CHECK(nearest.occupancies[0].cycles == 35);
  CHECK(nearest.source == "[BOOK] 8");
  const CodeCache& last = machine.fetch->caches[1];
  CHECK(last.sharing == ResourceFigures::Sharing::device);
  REQUIRE(last.occupancies.size() == 2);
}

TEST_CASE("a report on a machine counts the tables of instruction fetch") {
  const MachineReport report = check_machine(machine_of(with_fetch()));
  const std::vector<std::string> of_data = {
      "no resource has service times of lines: accesses occupy the same wherever their addresses lie",
      "no figures of data caches: every access is taken to miss them"};
  CHECK(report.remarks == of_data);
  CHECK(report.tables == std::array<int64_t, kinds_of_evidence>{3, 4, 2, 5});
  const MachineReport odd = check_machine(machine_of(with_fetch("bytes = 65536", "bytes = 2048")));
  CHECK(odd.remarks == std::vector<std::string>{"code cache L2 is smaller than L0", of_data[0], of_data[1]});
}

TEST_CASE("instruction fetch that cannot be is an error") {
  CHECK(errors_of(with_fetch("bytes = 4096", "bytes = 100")) ==
        "m.toml:94:9: error: 'bytes' must be at least the 128 of a line\n"
        "  bytes = 100\n"
        "          ^\n");
  CHECK(errors_of(with_fetch("fetch = 35", "fetch = 41")) ==
        "m.toml:96:9: error: a miss must occupy 'fetch' for at most its 40 cycles\n"
        "  holds = { fetch = 41 }\n"
        "          ^\n"
        "  help: make 'miss' the time until the line is there and all that it occupies is free again\n");
  CHECK(errors_of(with_fetch("fetch = 35", "latency = 35")) ==
        "m.toml:96:11: error: resource 'latency' is not declared\n"
        "  holds = { latency = 35 }\n"
        "            ^\n"
        "  help: add a table [resource.latency]\n");
  CHECK(errors_of(with_fetch("sharing = \"device\"", "sharing = \"multiprocessor\"")) ==
        "m.toml:92:1: error: the last code cache must be shared by the device\n"
        "  [code_cache.L0]\n"
        "  ^\n"
        "  help: add the L2 cache, whose misses go to memory\n");
  CHECK(errors_of(with_fetch("sharing = \"scheduler\"", "sharing = \"device\"")) == "no errors");
  CHECK(errors_of(with_fetch("line = 128\n", "")) ==
        "m.toml:86:1: error: missing key 'line' in [fetch]\n"
        "  [fetch]\n"
        "  ^\n"
        "  help: docs/machines.md describes all keys\n");
}

TEST_CASE("the caches of code are listed nearest first") {
  const std::string text = with_fetch("[code_cache.L2]\nsharing = \"device\"", "[code_cache.L1]\nsharing = \"device\"");
  const std::string third =
      "\n[code_cache.L2]\nsharing = \"multiprocessor\"\nbytes = 65536\nmiss = 600\nstanding = \"assumed\"\nsource = "
      "\"a "
      "guess\"\n";
  CHECK(errors_of(text + third) ==
        "m.toml:92:1: error: the last code cache must be shared by the device\n"
        "  [code_cache.L0]\n"
        "  ^\n"
        "  help: add the L2 cache, whose misses go to memory\n"
        "m.toml:109:11: error: code cache 'L2' is shared by fewer warps than 'L1', which is nearer\n"
        "  sharing = \"multiprocessor\"\n"
        "            ^\n"
        "  help: list the caches nearest first\n");
  std::string unshared = third;
  unshared.erase(unshared.find("sharing"), unshared.find("bytes") - unshared.find("sharing"));
  CHECK(errors_of(text + unshared).find("missing key 'sharing' in [code_cache.L2]") != std::string::npos);
}

TEST_CASE("a file has a line and caches, or neither") {
  const std::string text(tables);
  const size_t line = text.find("[fetch]");
  const size_t caches = text.find("[code_cache.L0]");
  const std::string resource = text.substr(0, line);
  CHECK(errors_of(std::string(small) + resource + text.substr(caches)) ==
        "m.toml:1:1: error: missing key 'fetch' in the file\n"
        "  name = \"small\"\n"
        "  ^\n"
        "  help: docs/machines.md describes all keys\n");
  CHECK(errors_of(std::string(small) + text.substr(0, caches)) ==
        "m.toml:1:1: error: missing key 'code_cache' in the file\n"
        "  name = \"small\"\n"
        "  ^\n"
        "  help: docs/machines.md describes all keys\n");
}

TEST_CASE("every built-in machine has figures of instruction fetch, up to the worst load from memory") {
  for (const std::string& name : builtin_machines()) {
    INFO(name);
    const Machine machine = builtin(name);
    REQUIRE(machine.fetch);
    CHECK(machine.fetch->line == 128);
    int64_t from_memory = 0;
    for (const CodeCache& cache : machine.fetch->caches) {
      if (cache.sharing != ResourceFigures::Sharing::scheduler) from_memory += cache.miss;
    }
    const OperationFigures& load = *machine.otherwise[static_cast<size_t>(ir::OperationKind::load_global)];
    CHECK(from_memory >= load.latency.worst);
    const auto cycles_of = [&](const CodeCache& cache, const char* resource) {
      for (const Occupancy& occupancy : cache.occupancies) {
        if (machine.resources[occupancy.resource].name == resource) return occupancy.cycles;
      }
      return int64_t{0};
    };
    const auto& caches = machine.fetch->caches;
    CHECK(cycles_of(caches[caches.size() - 2], "network") > 0);
    CHECK(cycles_of(caches.back(), "memory") > 0);
    for (const CodeCache& cache : caches) CHECK(cycles_of(cache, "fetch") > 0);
  }
}
