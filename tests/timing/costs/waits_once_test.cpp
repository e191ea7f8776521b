// SPDX-License-Identifier: GPL-3.0-or-later
// Waits for translations and refreshes: what figures tell of them, and what counting them once makes of latencies.
#include "timing/costs/waits_once.hpp"

#include <catch2/catch.hpp>

#include "tests/timing/machine/machine_files.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

std::string based_on_hopper(const std::string& more) {
  return "name = \"m\"\ndescription = \"m\"\nbased_on = \"hopper\"\n" + more;
}

Latency latency_of_loads(const std::string& more) {
  const auto machine = parse_machine("m.toml", based_on_hopper(more));
  REQUIRE(machine.ok());
  return machine->otherwise[static_cast<size_t>(ir::OperationKind::load_global)]->latency;
}

}  // namespace

TEST_CASE("the names in a sum tell what of a latency is a wait, numbers that are sums among them") {
  const Latency given = latency_of_loads("");
  CHECK(given.worst == 2358);
  CHECK(given.translation == 654);
  CHECK(given.refresh == 891);
  const Latency faster = latency_of_loads("[times]\ntranslation = 600\n");
  CHECK(faster.worst == 2304);
  CHECK(faster.translation == 600);
}

TEST_CASE("a plain number tells nothing of its waits") {
  const Latency plain = latency_of_loads("[times]\nload = 1467\n");
  CHECK(plain.worst == 2358);
  CHECK(plain.translation == 0);
  CHECK(plain.refresh == 891);
  const auto machine = parse_machine(
      "m.toml", based_on_hopper("[data_cache.L2]\nhit = 1323\n[operation.global_load]\nlatency = [32, 656, 2358]\n"));
  REQUIRE(machine.ok());
  CHECK(machine->data_cache("L2")->hit_translation == 0);
  CHECK(machine->otherwise[static_cast<size_t>(ir::OperationKind::load_global)]->latency.translation == 0);
}

TEST_CASE("a line of code from memory takes as long as the worst load, and has the same waits") {
  const auto machine = parse_machine("m.toml", based_on_hopper(""));
  REQUIRE(machine.ok());
  const Latency load = latency_of_loads("");
  const CodeCache& near = machine->fetch->caches[1];
  const CodeCache& last = machine->fetch->caches[2];
  CHECK(near.miss == machine->data_cache("L2")->hit);
  CHECK(near.miss + last.miss == load.worst);
  CHECK(near.translation == load.translation);
  CHECK(last.refresh == load.refresh);
  CHECK(near.refresh == 0);
  CHECK(last.translation == 0);
}

TEST_CASE("latencies have no wait that is counted otherwise") {
  const Latency latency = {10, 700, 1000, 300, 200};
  Service service;
  CHECK(with_waits_once(latency, service).worst == 1000);
  service.pages_once = true;
  CHECK(with_waits_once(latency, service).worst == 700);
  service.refresh_by_time = true;
  CHECK(with_waits_once(latency, service).worst == 500);
  CHECK(with_waits_once(latency, service).average == 500);
  service.pages_once = false;
  CHECK(with_waits_once(latency, service).worst == 800);
}

// Whenever the sequence begins: no time is longer than the bound, and one is as long, unless the last refresh of the
// bound begins when all is done.
TEST_CASE("a time with refreshes is at most what it is without and the share that they take, and one more") {
  for (const int64_t cycles : {0, 1, 89, 90, 91, 180, 1000}) {
    const RefreshFigures refresh = {10, 100, {}};
    const int64_t bound = *with_refreshes(support::Integer(cycles), refresh).value();
    int64_t longest = 0;
    for (int64_t phase = 0; phase < refresh.interval; ++phase) {
      int64_t time = 0;
      for (int64_t done = 0; done < cycles; ++time) {
        if ((time + phase) % refresh.interval >= refresh.cycles) ++done;
      }
      longest = std::max(longest, time);
    }
    CHECK(longest <= bound);
    const bool ends_between = cycles % (refresh.interval - refresh.cycles) == 0;
    CHECK(bound == longest + (ends_between ? refresh.cycles : 0));
  }
}
