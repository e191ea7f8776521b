// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibrate/base_figures.hpp"

#include <algorithm>

#include "support/checked.hpp"

namespace warpspan::app {

namespace {

using ir::OperationKind;
using timing::Machine;
using timing::OperationFigures;

// Cycles within which a load reads its operands, in the figures of the built-in machines (docs/machines.md, [HUE25]).
constexpr int64_t operands_read = 11;

// An operation table of the files for compute capability 7.5 and later: that of a kind, or, with an opcode, that of
// forms of it.
struct Table {
  const char* name;
  OperationKind kind;
  const char* opcode;
  const char* modifier;
};
constexpr Table tables[] = {
    {"arithmetic", OperationKind::fp32, "", ""},
    {"predicates", OperationKind::compare, "setp", ""},
    {"fp16", OperationKind::fp16, "", ""},
    {"fp64", OperationKind::fp64, "", ""},
    {"special", OperationKind::special, "", ""},
    {"convert", OperationKind::convert, "", ""},
    {"shuffle", OperationKind::shuffle, "", ""},
    {"vote", OperationKind::vote, "", ""},
    {"barrier", OperationKind::barrier, "", ""},
    {"fence_block", OperationKind::fence, "membar", "cta"},
    {"fence_device", OperationKind::fence, "membar", "gl"},
    {"fence", OperationKind::fence, "", ""},
    {"load.shared", OperationKind::load_shared, "", ""},
    {"load.global", OperationKind::load_global, "", ""},
    {"atomic.shared", OperationKind::atomic_shared, "", ""},
    {"global_atomic", OperationKind::atomic_global, "", ""},
};

const OperationFigures& figures_of(const Machine& machine, const Table& table) {
  static const OperationFigures none;
  const OperationFigures* stated = nullptr;
  if (*table.opcode == '\0') {
    const auto& others = machine.otherwise[static_cast<size_t>(table.kind)];
    if (others) stated = &*others;
  } else {
    ir::Operation operation;
    operation.kind = table.kind;
    operation.key.opcode = table.opcode;
    operation.key.modifiers = {table.modifier};
    stated = machine.stated(operation);
  }
  return stated == nullptr ? none : *stated;
}

class Figures {
 public:
  explicit Figures(const Machine& machine) : machine_(machine) {}

  void add(std::string name, int64_t value, std::string text = {}) {
    figures_.push_back({std::move(name), value, std::move(text)});
  }
  void add_device();
  void add_operations();
  void add_lines();
  void add_caches();
  std::vector<BaseFigure> take() {
    std::sort(figures_.begin(), figures_.end(),
              [](const BaseFigure& a, const BaseFigure& b) { return a.name < b.name; });
    return std::move(figures_);
  }

 private:
  int64_t busiest(const OperationFigures& figures) const;
  const timing::LineTime& line_time(std::string_view resource) const;

  const Machine& machine_;
  std::vector<BaseFigure> figures_;
};

void Figures::add_device() {
  add("limits.warps", machine_.max_warps);
  add("limits.blocks.least", machine_.max_blocks.least);
  add("limits.blocks.most", machine_.max_blocks.most);
  add("limits.threads_per_block", machine_.max_threads_per_block);
  add("limits.shared_bytes.least", machine_.shared_bytes.least);
  add("limits.shared_bytes.most", machine_.shared_bytes.most);
  add("limits.shared_bytes_per_block", machine_.shared_bytes_per_block);
  add("limits.registers", machine_.registers);
  add("limits.registers_per_block", machine_.registers_per_block);
  add("schedulers", machine_.schedulers);
  add("clock_khz", machine_.clock_khz);
  if (!machine_.sequence) return;
  add("sequence.latency", machine_.sequence->latency);
  const auto more = [this](timing::MachineClass one) { return machine_.sequence->more[static_cast<size_t>(one)]; };
  add("sequence.special", more(timing::MachineClass::special));
  add("sequence.double", more(timing::MachineClass::double_precision));
}

// For how long an instruction of each warp of a scheduler occupies the resource that it occupies longest, per
// instruction of the scheduler: what others share counts once for each of them.
int64_t Figures::busiest(const OperationFigures& figures) const {
  using Sharing = timing::ResourceFigures::Sharing;
  constexpr int64_t word_bytes = 4;  // what each lane of the measured accesses reads
  int64_t most = 0;
  for (const timing::Occupancy& occupancy : figures.occupancies) {
    const timing::ResourceFigures& resource = machine_.resources[occupancy.resource];
    if (resource.lines) continue;
    const int64_t cycles = resource.lane_bytes > word_bytes
                               ? (occupancy.first * word_bytes + resource.lane_bytes - 1) / resource.lane_bytes
                               : occupancy.first;
    most = std::max(most, resource.sharing == Sharing::scheduler ? cycles : cycles * machine_.schedulers);
  }
  return most;
}

void Figures::add_operations() {
  for (const Table& table : tables) {
    const OperationFigures& figures = figures_of(machine_, table);
    const std::string name = table.name;
    add("latency." + name + ".best", figures.latency.best);
    add("latency." + name + ".average", figures.latency.average);
    add("latency." + name + ".worst", figures.latency.worst);
    add("interval." + name, busiest(figures));
    if (name == "load.shared") add("latency.load.shared.way", figures.per_transaction);
    if (name == "load.shared" || name == "load.global") add("address." + name, figures.gap - operands_read);
  }
}

const timing::LineTime& Figures::line_time(std::string_view name) const {
  static const timing::LineTime none{{1, 1}, {}};
  const auto resource = machine_.resource(name);
  if (!resource || !machine_.resources[*resource].lines) return none;
  return machine_.resources[*resource].lines->of(timing::Guarantee::same_bank);
}

void Figures::add_lines() {
  const auto scaled = [](const support::Rational& cycles, int64_t scale) {
    return ceil_divide(support::Integer(cycles.numerator) * scale, cycles.denominator).value().value_or(0);
  };
  for (const char* name : {"network", "network_port"}) {
    add("lines." + std::string(name) + ".milli", scaled(line_time(name).cycles, 1000));
  }
  const support::Rational memory = line_time(timing::memory_resource).cycles;
  constexpr int64_t ps_of_khz = 1'000'000'000;
  const auto ps = ceil_divide(support::Integer(memory.numerator) * ps_of_khz, memory.denominator * machine_.clock_khz);
  add("lines.memory.ps", ps.value().value_or(0));
}

void Figures::add_caches() {
  for (const timing::DataCache& cache : machine_.data_caches) {
    add("data." + cache.name + ".hit", cache.hit);
    add("data." + cache.name + ".bytes", cache.bytes);
  }
  if (!machine_.fetch) return;
  add("code.line_instructions", machine_.fetch->instructions);
  for (const timing::CodeCache& cache : machine_.fetch->caches) {
    const std::string name = "code." + cache.name;
    add(name + ".bytes", cache.bytes);
    add(name + ".miss", cache.miss);
    std::string others;
    int64_t fetch = 0;
    for (const timing::Occupancy& occupancy : cache.occupancies) {
      const std::string& resource = machine_.resources[occupancy.resource].name;
      if (resource == timing::fetch_resource) {
        fetch = occupancy.cycles;
      } else {
        others += ", " + resource + " = " + std::to_string(occupancy.cycles);
      }
    }
    add(name + ".holds", fetch, others);
  }
}

}  // namespace

std::vector<BaseFigure> base_figures(const timing::Machine& machine, const timing::NamedCycles& times) {
  Figures figures(machine);
  figures.add_device();
  figures.add_operations();
  figures.add_lines();
  figures.add_caches();
  for (const char* name : {"load", "load_average", "loop", "second_cache"}) {
    const auto found = times.find(name);
    if (found != times.end()) figures.add(std::string("times.") + name, found->second);
  }
  return figures.take();
}

}  // namespace warpspan::app
