// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/timing/machine/machine_files.hpp"
#include "timing/machine/check.hpp"
#include "timing/machine/write.hpp"

using namespace warpspan;
using namespace warpspan::timing;

using ir::OperationKind;
using support::Rational;

namespace {

// `small` runs at 1 MHz with 3 multiprocessors; a microsecond is a cycle.
constexpr std::string_view tables = R"(
[lines.memory]
reach = 1000000

[lines.memory.same_bank]
ps = 61500000
standing = "measured"
source = "[BOOK] 7"

[lines.memory.spread]
megabytes_per_second = 100
standing = "assumed"
source = "a guess"

[lines.memory.stream]
multiprocessor_cycles = 2
standing = "assumed"
source = "a guess"

[data_cache.L1]
sharing = "multiprocessor"
bytes = 16384
line = 128
kept = "1/2"
hit = 30
standing = "measured"
source = "[BOOK] 8"

[data_cache.L2]
sharing = "device"
bytes = 65536
line = 128
kept = 1
hit = 200
standing = "assumed"
source = "a guess"
)";

std::string with(std::string_view before = "", std::string_view after = "") {
  std::string text(tables);
  const size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  text.replace(at, before.size(), after);
  return std::string(small) + text;
}

const LineTimes& memory_of(const Machine& machine) { return *machine.resources[2].lines; }

Rational same_bank(const std::string& line) {
  return memory_of(machine_of(with("ps = 61500000", line))).of(Guarantee::same_bank).cycles;
}

}  // namespace

TEST_CASE("rates of lines are exact fractions of cycles") {
  CHECK_FALSE(machine_of(std::string(small)).resources[2].lines);
  const Machine machine = machine_of(with());
  const LineTimes& memory = memory_of(machine);
  CHECK(memory.reach == 1'000'000);
  CHECK(memory.of(Guarantee::same_bank).cycles == Rational{123, 2});
  CHECK(memory.of(Guarantee::same_bank).provenance.source == "[BOOK] 7");
  CHECK(memory.of(Guarantee::spread).cycles == Rational{32, 25});  // 128 bytes in 1.28 us
  CHECK(memory.of(Guarantee::stream).cycles == Rational{2, 3});
  CHECK(same_bank("cycles = 62") == Rational{62, 1});
  CHECK(same_bank("cycles = \"21/10\"") == Rational{21, 10});
  CHECK(same_bank("multiprocessor_cycles = 8") == Rational{8, 3});
}

TEST_CASE("lines one after another take the sum of their times, rounded up once") {
  const LineTime time{{21, 10}, {}};
  CHECK(*time.cycles_for(0).value() == 0);
  CHECK(*time.cycles_for(1).value() == 3);
  CHECK(*time.cycles_for(10).value() == 21);
  CHECK(*time.cycles_for(11).value() == 24);
  CHECK(*LineTime{{1, 3}, {}}.cycles_for(INT64_MAX).value() == INT64_MAX / 3 + 1);
  CHECK(LineTime{{3, 1}, {}}.cycles_for(INT64_MAX).overflowed());
}

TEST_CASE("a guarantee that a file does not mention gives what the one before it gives") {
  const size_t spread = tables.find("[lines.memory.spread]"), cache = tables.find("[data_cache.L1]");
  const std::string text =
      std::string(small) + std::string(tables.substr(0, spread)) + std::string(tables.substr(cache));
  const Machine machine = machine_of(text);
  CHECK(memory_of(machine).of(Guarantee::stream) == memory_of(machine).of(Guarantee::same_bank));
}

TEST_CASE("what different lines take beyond the rate of random ones is known where a file states it") {
  CHECK(machine_of(with()).lines_once() == nullptr);
  const Machine machine = machine_of(with(
      "[lines.memory.stream]",
      "[lines.memory.once]\nps = 500000000\nstanding = \"assumed\"\nsource = \"[BOOK] 8\"\n[lines.memory.stream]"));
  REQUIRE(machine.lines_once() == &memory_of(machine));
  CHECK(memory_of(machine).once.at(lines_of_once).cycles == Rational{500, 1});
  CHECK(memory_of(machine).once.at(lines_of_once).provenance.source == "[BOOK] 8");
}

TEST_CASE("what different lines take beyond it is less of fewer lines, where a file states that") {
  const auto given = [](const std::string& more) {
    return with("[lines.memory.stream]",
                "[lines.memory.once]\ncycles = 500\nstanding = \"assumed\"\nsource = \"[BOOK] 8\"\n" + more +
                    "[lines.memory.stream]");
  };
  const auto of = [](const std::string& key, int cycles) {
    return "[lines.memory." + key + "]\ncycles = " + std::to_string(cycles) +
           "\nstanding = \"assumed\"\nsource = \"[BOOK] 8\"\n";
  };
  const Machine machine = machine_of(given(of("once_64", 100) + of("once_256", 300)));
  const LineTimes& memory = memory_of(machine);
  const std::map<int64_t, int64_t> besides = {{0, 0},     {1, 100},    {64, 100},   {65, 300},   {256, 300},
                                              {257, 500}, {1024, 500}, {1025, 600}, {2400, 1500}};
  for (const auto& [lines, cycles] : besides) {
    INFO(lines << " lines");
    CHECK(memory.once_for(lines, 1) == support::Integer(cycles));
  }
  CHECK(errors_of(given(of("once_64", 501))).find("fewer lines must not take longer: 'once_64' and 'once'") !=
        std::string::npos);
  CHECK(errors_of(with("[lines.memory.stream]", of("once_64", 5) + "[lines.memory.stream]"))
            .find("'once_64' needs 'once', which is of more lines") != std::string::npos);
}

TEST_CASE("rates of lines that cannot be are errors") {
  const auto error = [](std::string_view before, std::string_view after) { return errors_of(with(before, after)); };
  CHECK(error("ps = 61500000\n", "") ==
        "m.toml:83:1: error: no key states how long a line takes in [lines.memory.same_bank]\n"
        "  [lines.memory.same_bank]\n"
        "  ^\n"
        "  help: write ps, megabytes_per_second, cycles or multiprocessor_cycles\n");
  CHECK(error("ps = 61500000", "ps = 61500000\ncycles = 61").find("the time of a line is given twice") !=
        std::string::npos);
  CHECK(error("ps = 61500000", "cycles = 0").find("a line must take more than 0 cycles") != std::string::npos);
  CHECK(error("ps = 61500000", "cycles = \"-1/2\"").find("a line must take more than 0 cycles") != std::string::npos);
  CHECK(error("ps = 61500000", "cycles = \"fast\"").find("'cycles' must be an integer, not a text") !=
        std::string::npos);
  CHECK(error("ps = 61500000", "ps = -1").find("'ps' must be between 1 and 1000000000") != std::string::npos);
  CHECK(error("megabytes_per_second = 100", "megabytes_per_second = 1") ==
        "m.toml:88:1: error: a line must not take longer than without the guarantee: 128 and 123/2 cycles\n"
        "  [lines.memory.spread]\n"
        "  ^\n"
        "  help: times fall from same_bank to few to spread to stream\n");
  CHECK(error("multiprocessor_cycles = 2", "multiprocessor_cycles = 4")
            .find("a line must not take longer than without the guarantee: 4/3 and 32/25 cycles") != std::string::npos);
  CHECK(error("[lines.memory.same_bank]", "[lines.memory.samebank]").find("unknown key 'samebank' in [lines.memory]") !=
        std::string::npos);
  CHECK(error("[lines.memory]", "[lines.memry]\n[lines.memory]").find("resource 'memry' is not declared") !=
        std::string::npos);
  CHECK(error("[lines.memory]", "[lines.issue]\n[lines.memory]").find("resource 'issue' has no lines") !=
        std::string::npos);
  CHECK(error("source = \"[BOOK] 7\"", "source = \"[BOK] 7\"").find("source 'BOK' is not declared") !=
        std::string::npos);
}

TEST_CASE("a loop that contenders make fail occupies no resource with service times of lines") {
  std::string text = with();
  text.insert(text.find("[operation.simple]"),
              "[operation.\"atomic.global\"]\nlatency = 900\nrounds = { memory = 8 }\nstanding = \"assumed\"\n"
              "source = \"a guess\"\n\n");
  CHECK(errors_of(text).find("that is occupied for cycles, and 'memory' is none") != std::string::npos);
}

TEST_CASE("a miss of code occupies a resource with service times of lines for no longer than it takes") {
  std::string text = with() +
                     "\n[fetch]\nline = 128\ninstructions = 8\nstanding = \"assumed\"\nsource = \"a guess\"\n"
                     "\n[code_cache.L2]\nsharing = \"device\"\nbytes = 4096\nmiss = 123\nholds = { memory = 2 }\n"
                     "standing = \"assumed\"\nsource = \"a guess\"\n";
  CHECK(errors_of(text) == "no errors");
  text.replace(text.find("miss = 123"), 10, "miss = 122");
  CHECK(errors_of(text).find("a miss must occupy 'memory' for at most its 122 cycles") != std::string::npos);
}

TEST_CASE("data caches are read, nearest first") {
  CHECK(machine_of(std::string(small)).data_caches.empty());
  const Machine machine = machine_of(with());
  REQUIRE(machine.data_caches.size() == 2);
  const DataCache& first = machine.data_caches[0];
  CHECK(first.name == "L1");
  CHECK(first.sharing == ResourceFigures::Sharing::multiprocessor);
  CHECK(first.bytes == 16384);
  CHECK(first.line == 128);
  CHECK(first.persistent == Rational{1, 2});
  CHECK(first.hit == 30);
  CHECK(first.provenance.source == "[BOOK] 8");
  CHECK(machine.data_caches[1].persistent == Rational{1, 1});
  CHECK(check_machine(machine).tables == std::array<int64_t, kinds_of_evidence>{2, 5, 2, 6});
  CHECK(check_machine(machine).remarks ==
        std::vector<std::string>{"no figures of instruction fetch: code is taken to be there in time"});
}

TEST_CASE("data caches that cannot be are errors") {
  const auto error = [](std::string_view before, std::string_view after) { return errors_of(with(before, after)); };
  CHECK(error("bytes = 16384", "bytes = 64").find("'bytes' must be at least the 128 of a line") != std::string::npos);
  CHECK(error("kept = 1\n", "kept = \"3/2\"\n").find("'kept' must be between 0 and 1") != std::string::npos);
  CHECK(error("kept = 1\n", "kept = \"-1/2\"\n").find("'kept' must be between 0 and 1") != std::string::npos);
  CHECK(error("kept = 1\n", "kept = 1\nkept_mostly = \"1/2\"\n").find("'kept_mostly' must be at least 'kept'") !=
        std::string::npos);
  CHECK(error("kept = 1\n", "").find("missing key 'kept' in [data_cache.L2]") != std::string::npos);
  CHECK(error("hit = 30\n", "").find("missing key 'hit' in [data_cache.L1]") != std::string::npos);
  CHECK(error("sharing = \"device\"", "sharing = \"scheduler\"")
            .find("data cache 'L2' is shared by fewer warps than 'L1', which is nearer") != std::string::npos);
  const std::string unshared =
      "[data_cache.L3]\nbytes = 65536\nline = 128\nkept = 1\nhit = 40\nstanding = \"assumed\"\n";
  CHECK(
      errors_of(with() + "\n" + unshared + "source = \"a guess\"\n").find("missing key 'sharing' in [data_cache.L3]") !=
      std::string::npos);
  CHECK(machine_of(with("[data_cache.L1]", "[data_cache.L1]\nabsent = true")).data_caches.size() == 1);
}

TEST_CASE("rates, caches and what is occupied from issue on are written and read back") {
  std::string text = with();
  text.replace(text.find("sharing = \"multiprocessor\""), 0, "at_issue = true\n");
  const Machine machine = machine_of(text);
  CHECK(machine.resources[0].at_issue);
  CHECK(machine.resources[1].at_issue);
  CHECK_FALSE(machine.resources[2].at_issue);
  CHECK(machine_of(to_toml(machine)) == machine);
}

TEST_CASE("holds of lines become cycles under each guarantee, and further ones delay at least as long") {
  std::string text = with();
  text.replace(text.find("memory = 61, issue = 1"), 22, "memory = 2, issue = 1");
  text.replace(text.find("{ latency = 61, issue = 3, memory = 70 }"), 40, "{ latency = 3, issue = 3, memory = 2 }");
  const Machine machine = machine_of(text);
  const OperationFigures& stated = *machine.otherwise[static_cast<size_t>(OperationKind::load_global)];
  const auto figures = [&](Guarantee guarantee) { return in_cycles(stated, machine, guarantee); };
  const OperationFigures worst = figures(Guarantee::same_bank);
  CHECK(worst.occupancies ==
        std::vector<Occupancy>{{0, 3, true, 3}, {1, 2, false, 2}, {2, 124, true, 124}});  // 61.5 each
  CHECK(worst.per_transaction == 124);
  CHECK(worst.latency.worst == stated.latency.worst + 62);  // for waiting that begins behind a line
  CHECK(figures(Guarantee::spread).occupancies[2] == Occupancy{2, 4, true, 4});  // 1.28 each
  CHECK(figures(Guarantee::spread).per_transaction == 4);
  CHECK(figures(Guarantee::stream).occupancies[2] == Occupancy{2, 2, true, 2});  // 0.67 each
  CHECK(figures(Guarantee::stream).per_transaction == 3);                        // of the issue slots
}

TEST_CASE("in thousandths of a cycle, lines are rounded up less") {
  std::string text = with();
  text.replace(text.find("memory = 61, issue = 1"), 22, "memory = 2, issue = 1");
  text.replace(text.find("{ latency = 61, issue = 3, memory = 70 }"), 40, "{ latency = 3, issue = 3, memory = 2 }");
  const Machine machine = machine_of(text);
  const OperationFigures& stated = *machine.otherwise[static_cast<size_t>(OperationKind::load_global)];
  const auto figures = [&](Guarantee guarantee) {
    return in_ticks(stated, 0, Service{.memory = guarantee, .hit = {}}, machine, {1, 1, fine_ticks});
  };
  CHECK(figures(Guarantee::same_bank).occupancies[2] == Occupancy{2, 123'000, true, 123'000});
  CHECK(figures(Guarantee::same_bank).per_transaction == 123);
  CHECK(figures(Guarantee::spread).occupancies[2] == Occupancy{2, 2'560, true, 2'560});
  CHECK(figures(Guarantee::stream).occupancies[2] == Occupancy{2, 1'334, true, 1'334});
  CHECK(figures(Guarantee::stream).latency.worst == stated.latency.worst + 1);  // latencies are whole cycles
}

TEST_CASE("every built-in machine has rates of its memory and network, and caches that keep data") {
  for (const std::string& name : builtin_machines()) {
    INFO(name);
    const Machine machine = builtin(name);
    for (const char* resource : {"network_port", "network", "memory"}) {
      const auto at = std::find_if(machine.resources.begin(), machine.resources.end(),
                                   [&](const ResourceFigures& one) { return one.name == resource; });
      REQUIRE(at != machine.resources.end());
      CHECK(at->lines);
    }
    REQUIRE(machine.data_caches.size() >= 2);
    CHECK(machine.data_caches.front().name == "constant");
    CHECK(machine.data_caches.back().name == "L2");
    const int64_t load = machine.figures(OperationKind::load_global)->latency.worst;
    for (const DataCache& cache : machine.data_caches) CHECK(cache.hit <= load);
  }
}
