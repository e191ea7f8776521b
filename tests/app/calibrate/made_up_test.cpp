// SPDX-License-Identifier: GPL-3.0-or-later
// Machine files that a calibration prints of results that are made up.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "app/calibrate/calibration_program.hpp"
#include "tests/app/calibrate/made_up_program.hpp"
#include "timing/machine/model.hpp"

using namespace warpspan;
using test::contains;
using test::MadeUpProgram;
using test::MadeUpResults;
using test::ProgramRun;

namespace {

using ir::OperationKind;
using timing::Guarantee;
using timing::Machine;

// What warpspan reads of the printed file; the printed file must be one.
Machine machine_of(const MadeUpResults& results) {
  const ProgramRun run = MadeUpProgram::get().run(results);
  INFO(run.err);
  REQUIRE(run.status == 0);
  const auto machine = timing::parse_machine("calibrated.toml", run.out);
  for (const auto& error : machine ? support::Diagnostics{} : machine.errors()) INFO(support::render(error, false));
  INFO(run.out);
  REQUIRE(machine);
  return *machine;
}

const Machine& base() {
  static const Machine machine = *timing::load_machine("ampere");
  return machine;
}

int64_t worst(const Machine& machine, OperationKind kind) {
  return machine.otherwise[static_cast<size_t>(kind)]->latency.worst;
}

const timing::LineTimes& lines(const Machine& machine, std::string_view name) {
  for (const auto& resource : machine.resources) {
    if (resource.name == name) return *resource.lines;
  }
  throw std::runtime_error("no such resource");
}

bool no_longer(const timing::LineTime& a, const timing::LineTime& b) {
  return support::Int128(a.cycles.numerator) * b.cycles.denominator <=
         support::Int128(b.cycles.numerator) * a.cycles.denominator;
}

// Nothing that only may be raised is less than the base's.
void check_nothing_fell(const Machine& machine) {
  for (int k = 0; k < ir::operation_kinds; ++k) {
    const auto kind = static_cast<OperationKind>(k);
    if (!base().figures(kind)) continue;
    CHECK(machine.figures(kind)->latency.worst >= base().figures(kind)->latency.worst);
    CHECK(machine.figures(kind)->gap >= base().figures(kind)->gap);
    const auto& occupancies = machine.figures(kind)->occupancies;
    const auto& base_occupancies = base().figures(kind)->occupancies;
    REQUIRE(occupancies.size() == base_occupancies.size());
    for (size_t h = 0; h < occupancies.size(); ++h) CHECK(occupancies[h].cycles >= base_occupancies[h].cycles);
  }
  REQUIRE(machine.fetch->caches.size() == base().fetch->caches.size());
  int64_t all = 0, base_all = 0;  // of a line that comes through all caches up to here
  for (size_t c = 0; c < base().fetch->caches.size(); ++c) {
    CHECK((all += machine.fetch->caches[c].miss) >= (base_all += base().fetch->caches[c].miss));
    CHECK(machine.fetch->caches[c].bytes <= base().fetch->caches[c].bytes);
  }
  for (const timing::DataCache& cache : base().data_caches) {
    CHECK(machine.data_cache(cache.name)->hit >= cache.hit);
    CHECK(machine.data_cache(cache.name)->bytes <= cache.bytes);
  }
  CHECK(machine.sequence->latency >= base().sequence->latency);
}

}  // namespace

TEST_CASE("a calibrated machine has the figures that were measured") {
  const Machine machine = machine_of({});
  CHECK(machine.multiprocessors == 108);
  CHECK(machine.clock_khz == 1409000);
  CHECK(machine.board.evidence == timing::Evidence::measured);
  REQUIRE(machine.dispatch);
  CHECK(machine.dispatch->latency == 410);
  CHECK(machine.dispatch->interval == 3);  // 1600 ps
  const timing::LineTimes& memory = lines(machine, "memory");
  CHECK(memory.reach == 34359738368);
  // 85 % of 1,000,000 MB/s, and 1,350,000.
  CHECK(memory.of(Guarantee::spread).cycles == *support::make_rational(1409000 * 128, int64_t{850000} * 1000));
  CHECK(memory.of(Guarantee::stream).cycles == *support::make_rational(1409000 * 128, int64_t{1350000} * 1000));
  CHECK(lines(machine, "network").of(Guarantee::spread).cycles == *support::make_rational(128000, 2125000));
  bool cited = false;
  for (const timing::Reference& reference : machine.references) {
    if (reference.key != "CALIBRATION") continue;
    cited = contains(reference.text, "NVIDIA A100-SXM4-40GB") && contains(reference.text, "driver 12040") &&
            contains(reference.text, "50 repetitions") && contains(reference.text, "warpspan ");
  }
  CHECK(cited);
}

TEST_CASE("what measuring cannot show safe stays the base's where that is larger, and a comment says so") {
  const ProgramRun run = MadeUpProgram::get().run({});
  CHECK(contains(run.out, "fp32 in a chain"));
  CHECK(contains(run.out, "the base's stands"));
  CHECK_FALSE(contains(run.out, "RAISED"));
  CHECK_FALSE(contains(run.out, "[operation"));
  const Machine machine = machine_of({});
  check_nothing_fell(machine);
  CHECK(worst(machine, OperationKind::fp32) == 12);
  CHECK(worst(machine, OperationKind::load_global) == worst(base(), OperationKind::load_global));
  const timing::LineTime& bank = lines(machine, "memory").of(Guarantee::same_bank);
  CHECK(bank.cycles == *support::make_rational(int64_t{67000} * 1409000, 1'000'000'000));
  CHECK(bank.provenance == lines(base(), "memory").of(Guarantee::same_bank).provenance);
}

TEST_CASE("a measurement above the base raises it, and is visible") {
  const struct {
    const char* chain;
    int64_t links, each;
    OperationKind kind;
    int64_t wanted;
  } rows[] = {
      {"chain.fp32", 64, 40, OperationKind::fp32, 40},
      {"chain.shift", 64, 13, OperationKind::int_add, 13},
      {"chain.fp16", 64, 30, OperationKind::fp16, 30},
      {"chain.fp64", 64, 99, OperationKind::fp64, 99},
      {"chain.special", 64, 100, OperationKind::special, 100},
      {"chain.convert", 64, 100, OperationKind::convert, 100},
      {"chain.shuffle", 64, 60, OperationKind::shuffle, 60},
      {"chain.vote", 32, 50, OperationKind::vote, 50 - 14},
      {"chain.barrier", 64, 80, OperationKind::barrier, 80},
      {"chain.fence_system", 64, 5000, OperationKind::fence, 5000},
      {"chain.load_shared_ways_1", 64, 70, OperationKind::load_shared, 70 + 18},
      {"chain.atomic_shared", 64, 300, OperationKind::atomic_shared, 300 + 18},
      {"chain.atomic_global", 64, 4000, OperationKind::atomic_global, 4000 + 18},
  };
  for (const auto& row : rows) {
    INFO(row.chain);
    MadeUpResults results;
    results.with_chain(row.chain, row.links * row.each);
    if (row.chain == std::string("chain.load_shared_ways_1")) {
      for (const int ways : {2, 4, 8, 16, 32})
        results.with_chain("chain.load_shared_ways_" + std::to_string(ways), 4480);
    }
    CHECK(contains(MadeUpProgram::get().run(results).out, "RAISED"));
    const Machine machine = machine_of(results);
    CHECK(worst(machine, row.kind) == row.wanted);
    CHECK(machine.otherwise[static_cast<size_t>(row.kind)]->evidence == timing::Evidence::measured);
    check_nothing_fell(machine);
  }
}

TEST_CASE("times, caches, code and lines are raised") {
  const auto of = [](const std::string& name, const std::string& values) {
    return machine_of(MadeUpResults().with(name, values));
  };
  // 2000 cycles less 24 of the clocks, 18 for what stands before the load; the base has 1712 with its refresh.
  const Machine load = of("memory.load", "480 2000");
  CHECK(worst(load, OperationKind::load_global) == 2000 - 24 + 18);
  check_nothing_fell(load);
  const Machine l2 = machine_of(MadeUpResults().with_chain("chain.load_l2", 64 * 500));
  CHECK(l2.fetch->caches[1].miss == base().fetch->caches[1].miss + 105);
  CHECK(l2.fetch->caches[2].miss == base().fetch->caches[2].miss);
  CHECK(l2.data_cache("L2")->hit == base().data_cache("L2")->hit + 105);
  // An L2 that is slower than memory was thought to be makes memory slower.
  const Machine slow = machine_of(MadeUpResults().with_chain("chain.load_l2", 64 * 3000));
  CHECK(slow.fetch->caches[1].miss == base().fetch->caches[1].miss + 3000 - 395);
  CHECK(worst(slow, OperationKind::load_global) >= 3000);
  CHECK(machine_of(MadeUpResults().with_chain("chain.load_l1", 64 * 90)).data_cache("L1")->hit == 108);
  CHECK(machine_of(MadeUpResults().with_chain("chain.load_constant", 64 * 90)).data_cache("constant")->hit == 108);
  // 256 lines of code of 128 bytes, 100 cycles each beyond the 1060 of every 512 instructions; the base has 79.
  const Machine code = of("code.2048.again", std::to_string(4 * 1060 + 256 * 100));
  CHECK(code.fetch->caches[0].miss == 100);
  CHECK(code.fetch->caches[1].miss == base().fetch->caches[1].miss);
  CHECK(of("code.4096.first", std::to_string(8 * 1060 + 512 * 3000)).fetch->caches[2].miss ==
        base().fetch->caches[2].miss + 3000 - 79 - 1047 - 665);
  const Machine bank = of("lines.same_bank_ps", "100 90000");
  CHECK(lines(bank, "memory").of(Guarantee::same_bank).cycles ==
        *support::make_rational(int64_t{90000} * 1409000, 1'000'000'000));
  CHECK(lines(bank, "memory").of(Guarantee::same_bank).provenance.evidence == timing::Evidence::measured);
  CHECK(lines(of("lines.one_slice_milli", "3500"), "network").of(Guarantee::same_bank).cycles ==
        *support::make_rational(7, 2));
  CHECK(lines(of("rate.port_bytes_of_1000_cycles", "12800"), "network_port").of(Guarantee::same_bank).cycles ==
        *support::make_rational(10, 1));
}

TEST_CASE("at a faster clock than the base's, times of memory have more cycles") {
  const Machine machine = machine_of(MadeUpResults().with("device.clock_khz", 2820000).with("clock.khz", 2820000));
  const timing::NamedCycles times = *timing::load_times("ampere");
  // Twice the clock: twice the load, and 350 ns of a refresh.
  CHECK(worst(machine, OperationKind::load_global) == 2 * times.at("load") + 987);
  const int64_t hit = times.at("load") - times.at("load_average") + times.at("second_cache");
  CHECK(machine.fetch->caches[1].miss == 2 * hit);
  CHECK(machine_of({}).fetch->caches[1].miss == hit);
}

TEST_CASE("line times fall from same bank to spread to stream, whatever was measured") {
  // Dense lines slower than random ones: random ones are no faster then.
  const Machine dense = machine_of(MadeUpResults().with("rate.dense_megabytes", "500000"));
  CHECK(lines(dense, "memory").of(Guarantee::spread).cycles == lines(dense, "memory").of(Guarantee::stream).cycles);
  const Machine random = machine_of(MadeUpResults().with("rate.random_megabytes", "1500"));
  CHECK(no_longer(lines(random, "memory").of(Guarantee::spread), lines(random, "memory").of(Guarantee::same_bank)));
  CHECK(lines(random, "memory").of(Guarantee::spread).cycles ==
        *support::make_rational(1409000 * 128, int64_t{1275} * 1000));
  const Machine l2 = machine_of(MadeUpResults().with("rate.l2_bytes_of_1000_cycles", "40000"));
  CHECK(no_longer(lines(l2, "network").of(Guarantee::spread), lines(l2, "network").of(Guarantee::same_bank)));
}

TEST_CASE("a smaller L2 than the base's is the device's") {
  const Machine machine = machine_of(MadeUpResults().with("device.l2_bytes", "25165824"));
  CHECK(machine.data_cache("L2")->bytes == 12582912);  // one multiprocessor of this generation sees half of it
  CHECK(machine.fetch->caches.back().bytes == 12582912);
}

TEST_CASE("figures that were not measured are the base's") {
  const MadeUpResults all;
  MadeUpResults results;
  for (const auto& line : all.lines()) {
    if (line.first.rfind("chain.", 0) == 0 || line.first.rfind("unit.", 0) == 0 || line.first.rfind("code.", 0) == 0 ||
        line.first.rfind("memory.", 0) == 0 || line.first.rfind("dispatch.", 0) == 0 ||
        line.first.rfind("host.", 0) == 0) {
      results.without(line.first);
    }
  }
  results.without("lines.same_bank_ps").without("lines.one_slice_milli").without("rate.port_bytes_of_1000_cycles");
  CHECK(contains(MadeUpProgram::get().run(results).out, "not measured: the base's stands"));
  const Machine machine = machine_of(results);
  check_nothing_fell(machine);
  CHECK(machine.dispatch->latency == base().dispatch->latency);
}

TEST_CASE("no machine file is printed of results that are wrong, missing, or against the base") {
  const struct {
    const char *name, *values, *expected;
  } rows[] = {
      {"chain.fp32.64", "0 306 306", "result 'chain.fp32.64' is 0"},
      {"chain.fp32.64", "-3", "result 'chain.fp32.64' is -3"},
      {"chain.fp32.128", "306 306 306", "chain.fp32: 128 operations took 306 cycles, 64 took 306"},
      {"chain.fp32.128", "562", "3 repetitions with 64 operations, 1 with 128"},
      {"chain.fp32.128", "562 562 99999", "something else was running"},
      {"chain.fp32.128", "99999999999999999999", "neither a new name"},
      {"chain.fp32.128", "9999999999999", "not 1 to 1000000000000"},
      {"chain.fp32.128", "12,5", "neither a new name"},
      {"chain.fp32.128", "nan", "neither a new name"},
      {"chain.fp32.128", "1e3", "neither a new name"},
      {"chain.nonsense.64", "1", "nothing is known of a result 'chain.nonsense.64'"},
      {"memory.load", "20", "the clocks do not enclose it"},
      {"unit.special.128", "90000 90000 90000", "cycles of a scheduler for special"},
      {"chain.load_shared_ways_32.128", "500000 500000 500000", "a way of a bank conflict, of 32"},
      {"clock.khz", "2000000000", "the device states"},
      {"clock.khz", "1", "the device states"},
      {"device.clock_khz", "1000000000000", "the device states"},
      {"device.capability", "86", "device.threads_per_multiprocessor is 2048"},
      {"device.capability", "70", "compute capability 7.0, and this program is for sm_75, sm_80"},
      {"device.multiprocessors", "108 108", "has 2 numbers"},
      {"device.multiprocessors", "9999999999", "out of range"},
      {"device.registers_per_block", "32768", "device.registers_per_block is 32768, and ampere states 65536"},
      {"device.l2_bytes", "1000", "less than 64 KiB"},
      {"device.name", "= ", "no text of 1 to 200 characters"},
      {"dispatch.interval_ps", "99999999999", "more than a millisecond"},
      {"dispatch.latency", "99999999999", "out of range"},
      {"rate.random_megabytes", "0", "result 'rate.random_megabytes' is 0"},
  };
  for (const auto& row : rows) {
    INFO(row.name << " " << row.values);
    const ProgramRun run = MadeUpProgram::get().run(MadeUpResults().with(row.name, row.values));
    INFO(run.err);
    CHECK(run.status == 1);
    CHECK(run.out.empty());
    CHECK(contains(run.err, row.expected));
    CHECK(contains(run.err, "no machine file is printed"));
  }
  for (const char* name : {"device.capability", "device.name", "device.multiprocessors", "clock.khz", "rate.bytes",
                           "rate.random_megabytes", "rate.dense_megabytes", "rate.l2_bytes_of_1000_cycles",
                           "program.repetitions", "chain.fp32.64", "unit.fp64.128", "memory.nothing"}) {
    INFO(name);
    const ProgramRun run = MadeUpProgram::get().run(MadeUpResults().without(name));
    CHECK(run.status == 1);
    CHECK(run.out.empty());
    CHECK(contains(run.err, std::string("there is no result '") + name));
  }
  const std::string text = MadeUpResults().text();
  for (const std::string& broken : {std::string(), text + "rate.bytes: 5\n", text + "rate.bytes 5\n", text + "=\n"}) {
    CHECK(MadeUpProgram::get().run_text(broken).status == 1);
  }
}

TEST_CASE("a device's name cannot become a key of the file") {
  const Machine machine = machine_of(MadeUpResults().with("device.name", "= \"A\"\\n[board]\x07 multiprocessors = 1"));
  CHECK(machine.multiprocessors == 108);
  CHECK(contains(machine.description, "?A??n?board??"));
}

TEST_CASE("changed results are refused, or raise what may only be raised") {
  std::mt19937 random(20261123);
  const MadeUpResults right;
  std::vector<std::string> names;
  for (const auto& line : right.lines()) names.push_back(line.first);
  // Other numbers, and the same ones times a few tenths.
  const auto times = [&right](const std::string& name, int64_t tenths) {
    std::istringstream numbers(right.lines().at(name));
    std::string text;
    for (int64_t number = 0; numbers >> number;)
      text += (text.empty() ? "" : " ") + std::to_string(number * tenths / 10);
    return text.empty() ? right.lines().at(name) : text;
  };
  const std::string values[] = {"0",
                                "-1",
                                "1",
                                "2",
                                "1000",
                                "100000",
                                "77777777",
                                "1000000000000",
                                "1000000000001",
                                "300 300 300",
                                "900 900 900",
                                "5000 5000 5000",
                                "9223372036854775807"};
  int accepted = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    MadeUpResults results;
    for (int change = 0; change <= round % 3; ++change) {
      const std::string& name = names[random() % names.size()];
      const int64_t tenths[] = {3, 8, 11, 15, 40};
      results.with(name, random() % 3 == 0 ? values[random() % std::size(values)] : times(name, tenths[random() % 5]));
    }
    const ProgramRun run = MadeUpProgram::get().run(results);
    INFO(run.err << run.out);
    if (run.status == 1) {
      CHECK(run.out.empty());
      CHECK(contains(run.err, "error: "));
      ++refused;
      continue;
    }
    REQUIRE(run.status == 0);
    const auto machine = timing::parse_machine("calibrated.toml", run.out);
    INFO((machine ? std::string() : support::render(machine.errors().front(), false)));
    REQUIRE(machine);
    check_nothing_fell(*machine);
    ++accepted;
  }
  CHECK(accepted > 50);
  CHECK(refused > 50);
}

TEST_CASE("every target has all figures that a calibration compares with") {
  for (const std::string& target : app::calibration_targets()) {
    INFO(target);
    const Machine known = *timing::load_machine(target);
    MadeUpResults results;
    results.with("device.capability", std::stoll(target.substr(3)))
        .with("device.threads_per_multiprocessor", known.max_warps * 32)
        .with("device.blocks_per_multiprocessor", known.max_blocks.most)
        .with("device.shared_per_multiprocessor", known.shared_bytes.most)
        .with("device.shared_per_block", known.shared_bytes_per_block)
        .with_chain("chain.fp32", 64 * 200)
        .with_chain("chain.predicate", 32 * 400)
        .with_chain("chain.fence_block", 64 * 9000)
        .with_chain("chain.fence_device", 64 * 9100)
        .with("unit.fp64.64", "150")
        .with("unit.fp64.128", "250")
        .with("unit.shuffle.64", "1074")
        .with("unit.shuffle.128", "2098")
        .with("unit.load_shared.64", "1074")
        .with("unit.load_shared.128", "2098");
    const Machine machine = machine_of(results);
    CHECK(worst(machine, OperationKind::fp32) == 200);
    CHECK(machine.sequence->latency == 200);
    const auto stated = [&machine](OperationKind kind, const char* opcode, const char* modifier) {
      ir::Operation operation;
      operation.kind = kind;
      operation.key.opcode = opcode;
      operation.key.modifiers = {modifier};
      return machine.stated(operation)->latency.worst;
    };
    CHECK(stated(OperationKind::compare, "setp", "ne") == 400 - worst(known, OperationKind::fp32));
    CHECK(stated(OperationKind::fence, "membar", "cta") == 9000);
    CHECK(stated(OperationKind::fence, "membar", "gl") == 9100);
    CHECK(worst(machine, OperationKind::fence) == worst(known, OperationKind::fence));
  }
}

TEST_CASE("nothing that an H100 showed contradicts the built-in machine") {
  const ProgramRun run = MadeUpProgram::get().run(MadeUpResults("h100.results"));
  INFO(run.err);
  INFO(run.out);
  REQUIRE(run.status == 0);
  CHECK_FALSE(contains(run.out, "RAISED"));
  CHECK_FALSE(contains(run.out, "contradicts"));
  const auto machine = timing::parse_machine("calibrated.toml", run.out);
  REQUIRE(machine);
  CHECK(machine->multiprocessors == 132);
  CHECK(machine->clock_khz == 1974349);
  CHECK(machine->dispatch->latency == 531);
  const Machine hopper = *timing::load_machine("hopper");
  // What the built-in machine takes for rates of a board is no faster than this one.
  CHECK(no_longer(lines(*machine, "memory").of(Guarantee::spread), lines(hopper, "memory").of(Guarantee::spread)));
  CHECK(no_longer(lines(*machine, "memory").of(Guarantee::stream), lines(hopper, "memory").of(Guarantee::stream)));
  CHECK(no_longer(lines(*machine, "network").of(Guarantee::spread), lines(hopper, "network").of(Guarantee::spread)));
}
