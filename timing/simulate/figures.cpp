// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/figures.hpp"

namespace warpspan::timing {

namespace {

double number(const support::Rational& value) {
  return static_cast<double>(value.numerator) / static_cast<double>(value.denominator);
}

UnitFigures<double> numbers(const UnitFigures<support::Rational>& exact) {
  UnitFigures<double> figures;
#define UNIT_FIGURE(key, presence, words, meaning) figures.key = number(exact.key);
#include "timing/machine/simulated_figures.def"
  return figures;
}
MemoryFigures<double> numbers(const MemoryFigures<support::Rational>& exact) {
  MemoryFigures<double> figures;
#define MEMORY_FIGURE(key, presence, words, meaning) figures.key = number(exact.key);
#include "timing/machine/simulated_figures.def"
  return figures;
}
AtomicFigures<double> numbers(const AtomicFigures<support::Rational>& exact) {
  AtomicFigures<double> figures;
#define ATOMIC_FIGURE(key, presence, words, meaning) figures.key = number(exact.key);
#include "timing/machine/simulated_figures.def"
  return figures;
}
CodeFigures<double> numbers(const CodeFigures<support::Rational>& exact) {
  CodeFigures<double> figures;
#define CODE_FIGURE(key, presence, words, meaning) figures.key = number(exact.key);
#include "timing/machine/simulated_figures.def"
  return figures;
}
BlockFigures<double> numbers(const BlockFigures<support::Rational>& exact) {
  BlockFigures<double> figures;
#define BLOCK_FIGURE(key, presence, words, meaning) figures.key = number(exact.key);
#include "timing/machine/simulated_figures.def"
  return figures;
}

// Of the unit of one scheduler, or of its share of one that the multiprocessor has.
std::optional<double> double_precision_occupied(const Machine& machine) {
  const auto& figures = machine.otherwise[static_cast<size_t>(ir::OperationKind::fp64)];
  const auto unit = machine.resource("double");
  if (!figures || !unit) return std::nullopt;
  const bool shared = machine.resources[*unit].sharing == ResourceFigures::Sharing::multiprocessor;
  for (const Occupancy& occupancy : figures->occupancies) {
    if (occupancy.resource != *unit) continue;
    return static_cast<double>(occupancy.cycles * (shared ? machine.schedulers : 1));
  }
  return std::nullopt;
}

std::optional<double> bytes_from_memory(const Machine& machine) {
  const auto memory = machine.resource(memory_resource);
  if (!memory || !machine.resources[*memory].lines) return std::nullopt;
  const double cycles = number(machine.resources[*memory].lines->of(Guarantee::stream).cycles);
  return static_cast<double>(ir::memory_line_bytes) / cycles;
}

support::Diagnostic missing(const Machine& machine, const std::string& what) {
  return support::usage_error("machine '" + machine.name + "' has no " + what + " to simulate with",
                              "give a machine of compute capability 7.0 or later, or a file that is based on one");
}

}  // namespace

support::Result<SimulatedMachine> simulated_machine(const Machine& machine) {
  if (!machine.simulated_units || !machine.simulated_memory || !machine.simulated_atomics || !machine.simulated_code ||
      !machine.simulated_blocks) {
    return missing(machine, "typical figures");
  }
  SimulatedMachine made;
  made.units = numbers(machine.simulated_units->figures);
  made.memory = numbers(machine.simulated_memory->figures);
  made.atomics = numbers(machine.simulated_atomics->figures);
  made.code = numbers(machine.simulated_code->figures);
  made.blocks = numbers(machine.simulated_blocks->figures);
  made.multiprocessors = static_cast<double>(machine.multiprocessors);
  made.schedulers = static_cast<int>(machine.schedulers);
  made.warps = static_cast<double>(machine.max_warps);
  constexpr double kilohertz_of_gigahertz = 1e6;
  made.cycles_of_nanosecond = static_cast<double>(machine.clock_khz) / kilohertz_of_gigahertz;
  if (machine.fetch) made.instructions_of_line = static_cast<double>(machine.fetch->instructions);
  if (made.units.double_precision <= 0) {
    const auto occupied = double_precision_occupied(machine);
    if (!occupied) return missing(machine, "figure of double precision");
    made.units.double_precision = *occupied;
  }
  const auto& load = machine.otherwise[static_cast<size_t>(ir::OperationKind::load_global)];
  if (!load) return missing(machine, "figures of loads");
  if (made.memory.l1_hit <= 0) made.memory.l1_hit = static_cast<double>(load->latency.best);
  if (made.memory.memory_load <= 0) made.memory.memory_load = static_cast<double>(load->latency.average);
  if (made.memory.memory_bytes <= 0) {
    const auto bytes = bytes_from_memory(machine);
    if (!bytes) return missing(machine, "rate of memory");
    made.memory.memory_bytes = *bytes;
  }
  if (made.memory.l2_capacity <= 0) {
    const DataCache* l2 = machine.data_cache(l2_cache);
    if (l2 == nullptr) return missing(machine, "size of the L2");
    made.memory.l2_capacity = static_cast<double>(l2->bytes);
  }
  return made;
}

bool is_simulation_measured(const Machine& machine) {
  const auto measured = [](const auto& table) { return table && table->provenance.evidence == Evidence::measured; };
  return measured(machine.simulated_units) && measured(machine.simulated_memory) &&
         measured(machine.simulated_atomics) && measured(machine.simulated_code) && measured(machine.simulated_blocks);
}

}  // namespace warpspan::timing
