// SPDX-License-Identifier: GPL-3.0-or-later
// The worst-case figures of the built-in machines against every figure that a source has for them:
// tests/vectors/cited_figures.tsv, copied from the sources, not from the machine files.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "frontend/frontend.hpp"
#include "tests/paths.hpp"
#include "tests/timing/machine/machine_files.hpp"

using namespace warpspan;
using namespace warpspan::timing;

namespace {

struct Row {
  size_t line = 0;
  std::vector<std::string> machines;
  std::vector<std::string> instructions;  // PTX with operands; one empty text for a figure of the whole machine
  std::string figure;                     // see `stated`
  std::string unit;                       // "cycles", "core cycles", "ns", "results/cycle", or of a limit
  double value = 0;                       // as the source has it
  std::string source, place;
  std::string exception;  // why a smaller figure is right; empty: none may be smaller
};

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + separator.size()) {
    parts.push_back(text.substr(begin, end - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<Row> rows() {
  std::ifstream in(warpspan::test::source_dir() + "/tests/vectors/cited_figures.tsv");
  std::vector<Row> all;
  size_t line = 0;
  for (std::string text; std::getline(in, text);) {
    ++line;
    if (text[0] == '#') continue;
    std::vector<std::string> fields = split(text, "\t");
    INFO("cited_figures.tsv:" << line << ": " << text);
    REQUIRE((fields.size() == 7 || fields.size() == 8));
    fields.resize(8);
    for (size_t f : {0, 2, 3, 4, 5, 6}) REQUIRE_FALSE(fields[f].empty());
    all.push_back({line, split(fields[0], " "), split(fields[1], "; "), fields[2], fields[4], std::stod(fields[3]),
                   fields[5], fields[6], fields[7]});
  }
  return all;
}

// What a PTX instruction is to machines.
ir::Operation operation_of(const std::string& instruction) {
  const std::string text =
      ".version 8.7\n.target sm_120a\n.address_size 64\n.const .b32 constants[64];\n.global .texref texture;\n"
      ".visible .entry k(.param .u64 p) {\n.reg .pred p<9>;\n.reg .b16 h<9>;\n.reg .b32 r<32>;\n.reg .f32 f<32>;\n"
      ".reg .b64 d<9>;\n.reg .f64 g<9>;\n.shared .align 16 .b8 shared[1024];\n" +
      instruction + ";\nret;\n}\n";
  ir::Launch launch;
  launch.block = ir::Extent{32, 1, 1};
  const frontend::Reading reading =
      frontend::read_kernels(std::make_shared<const support::SourceFile>("row.ptx", text), {}, launch);
  if (!reading.errors.empty()) FAIL(rendered(reading.errors));
  const ir::Kernel& kernel = reading.kernels.at(0).kernel;
  return kernel.operation(kernel.instructions.at(0));
}

// Resources that an instruction occupies only for the cycles beyond those of its issue slot (docs/machines.md, 'Units
// that are as fast as issue').
bool beyond_issue(const std::string& resource) { return resource == "core"; }

// Cycles per warp instruction for which it occupies a multiprocessor's slowest resource.
double interval(const Machine& machine, const OperationFigures& figures) {
  double issue = 0, longest = 0;
  for (const Occupancy& occupancy : figures.occupancies) {
    const ResourceFigures& resource = machine.resources[occupancy.resource];
    if (resource.sharing == ResourceFigures::Sharing::device) continue;
    const int64_t copies = resource.sharing == ResourceFigures::Sharing::scheduler ? machine.schedulers : 1;
    double cycles = double(*occupied_cycles(occupancy, 1).value()) / (double(resource.servers) * double(copies));
    if (occupancy.resource == 0) issue = cycles;
    if (beyond_issue(resource.name)) cycles += issue;
    longest = std::max(longest, cycles);
  }
  return longest;
}

double occupied_for(const Machine& machine, const OperationFigures& figures, const std::string& name,
                    int64_t transactions) {
  for (const Occupancy& occupancy : figures.occupancies) {
    if (machine.resources[occupancy.resource].name == name)
      return double(*occupied_cycles(occupancy, transactions).value());
  }
  return 0;
}

Span exactly(int64_t value) { return {value, value}; }

// Limits of a multiprocessor and of the board: nothing but the source's value is right.
std::optional<Span> limit(const Machine& machine, const std::string& name) {
  const auto lanes = [&machine](ir::UnitClass unit) {
    const support::Rational width = machine.unit_width[static_cast<size_t>(unit)];
    return exactly(width.numerator * warp_size / width.denominator);
  };
  const std::map<std::string, Span> limits = {
      {"multiprocessors", exactly(machine.multiprocessors)},
      {"clock", exactly(machine.clock_khz)},
      {"schedulers", exactly(machine.schedulers)},
      {"warps", exactly(machine.max_warps)},
      {"blocks", machine.max_blocks},
      {"barriers", machine.barriers},
      {"threads_per_block", exactly(machine.max_threads_per_block)},
      {"shared_bytes", machine.shared_bytes},
      {"shared_bytes_per_block", exactly(machine.shared_bytes_per_block)},
      {"shared_granularity", exactly(machine.shared_granularity)},
      {"shared_reserved_per_block", exactly(machine.shared_reserved_per_block)},
      {"launch_partitions", exactly(machine.launch_partitions)},
      {"registers", exactly(machine.registers)},
      {"registers_per_block", exactly(machine.registers_per_block)},
      {"registers_per_thread", exactly(machine.registers_per_thread)},
      {"register_granularity", machine.register_granularity},
      {"load_store_lanes", lanes(ir::UnitClass::load_store)},
      {"core_lanes", lanes(ir::UnitClass::core)},
      {"special_lanes", lanes(ir::UnitClass::special)},
  };
  const auto at = limits.find(name);
  return at == limits.end() ? std::nullopt : std::optional<Span>(at->second);
}

std::optional<int64_t> cache_bytes(const Machine& machine, const std::string& figure) {
  if (!machine.fetch) return std::nullopt;
  for (const CodeCache& cache : machine.fetch->caches) {
    if (figure == "cache_" + cache.name) return cache.bytes;
  }
  return std::nullopt;
}

// GB/s of lines from its memory, under what is assumed.
std::optional<double> memory_rate(const Machine& machine, const std::string& figure) {
  const std::map<std::string, Guarantee> rates = {{"spread", Guarantee::spread}, {"stream", Guarantee::stream}};
  const auto guarantee = rates.find(figure);
  const auto memory = machine.resource("memory");
  if (guarantee == rates.end() || !memory || !machine.resources[*memory].lines) return std::nullopt;
  const support::Rational& cycles = machine.resources[*memory].lines->of(guarantee->second).cycles;
  return double(ir::memory_line_bytes) * double(cycles.denominator) / double(cycles.numerator) *
         double(machine.clock_khz) / 1e6;
}

// The machine's worst-case figure that must be at least the source's, in the unit of the machine.
std::optional<double> stated(const Machine& machine, const std::optional<OperationFigures>& figures, const Row& row) {
  const std::vector<std::string> words = split(row.figure, " ");
  const int64_t transactions = words.size() == 3 ? std::stoll(words[1]) : 1;  // "latency 32 transactions"
  if (figures) {
    const OperationFigures& f = *figures;
    if (words[0] == "latency") return double(f.latency.worst + (transactions - 1) * f.per_transaction);
    if (words[0] == "gap") return double(f.gap);
    if (words[0] == "rate" || words[0] == "interval") return interval(machine, f);
    if (words[0] == "scheduler_interval") return interval(machine, f) * double(machine.schedulers);
    for (const ResourceFigures& resource : machine.resources) {
      if (words[0] == "holds_" + resource.name) return occupied_for(machine, f, resource.name, transactions);
    }
    return std::nullopt;
  }
  if (words[0] == "issue_gap") return double(machine.issue_gap);
  if (words[0] == "issue_hold") return double(machine.issue_occupancy);
  if (words[0] == "dispatch_latency" && machine.dispatch) return double(machine.dispatch->latency);
  if (words[0] == "dispatch_interval" && machine.dispatch) return double(machine.dispatch->interval);
  if (machine.fetch) {
    int64_t misses = 0;
    for (const CodeCache& cache : machine.fetch->caches) {
      if (words[0] == "miss_" + cache.name) return double(cache.miss);
      misses += cache.miss;
    }
    if (words[0] == "misses") return double(misses);  // all caches, from memory
  }
  return std::nullopt;
}

// The source's value in the unit of the machine.
double cited(const Machine& machine, const Row& row) {
  if (row.unit == "cycles") return row.value;
  if (row.unit == "core cycles") return 2 * row.value;  // of the schedulers of Fermi, half the shader clock
  if (row.unit == "ns") return row.value * double(machine.clock_khz) / 1e6;
  if (row.unit == "results/cycle") return double(warp_size) / row.value;
  if (row.unit == "results/cycle, two per lane") return 2 * double(warp_size) / row.value;
  FAIL("unknown unit '" << row.unit << "'");
  return 0;
}

struct Comparison {
  double ours = 0;
  bool safe = false;
};

Comparison compare(const Machine& machine, const std::optional<OperationFigures>& figures, const Row& row) {
  if (const std::optional<Span> span = limit(machine, row.figure)) {
    return {double(span->least), row.value >= double(span->least) && row.value <= double(span->most)};
  }
  if (const std::optional<int64_t> bytes = cache_bytes(machine, row.figure)) {
    return {double(*bytes), double(*bytes) <= row.value};  // a smaller cache misses more often
  }
  if (const std::optional<double> rate = memory_rate(machine, row.figure)) {
    return {*rate, *rate <= row.value};  // slower memory keeps others waiting longer
  }
  const std::optional<double> ours = stated(machine, figures, row);
  if (!ours) FAIL(machine.name << " has no figure '" << row.figure << "'");
  return {*ours, *ours >= cited(machine, row)};
}

}  // namespace

TEST_CASE("no worst-case figure is smaller than one that a source has, but for a stated reason") {
  std::map<std::string, Machine> machines;
  for (const std::string& name : builtin_machines()) machines.emplace(name, builtin(name));
  std::map<std::string, ir::Operation> operations;  // by instruction
  std::set<std::string> compared;
  size_t comparisons = 0;
  for (const Row& row : rows()) {
    for (const std::string& instruction : row.instructions) {
      INFO("cited_figures.tsv:" << row.line << ": " << instruction << " " << row.figure << " " << row.value << " "
                                << row.unit << " [" << row.source << "] " << row.place);
      const bool of_machine = instruction.empty();
      if (!of_machine && !operations.contains(instruction)) operations.emplace(instruction, operation_of(instruction));
      for (const std::string& name : row.machines) {
        const auto at = machines.find(name);
        if (at == machines.end()) FAIL("there is no machine '" << name << "'");
        const Machine& machine = at->second;
        std::optional<OperationFigures> figures;
        if (!of_machine) {
          const auto found = machine.figures(operations.at(instruction));
          if (!found) continue;  // refused: no figure that could be too small
          figures = in_cycles(*found, machine, Guarantee::same_bank);
        }
        const Comparison comparison = compare(machine, figures, row);
        ++comparisons;
        compared.insert(name);
        if (row.exception.empty()) {
          if (!comparison.safe) FAIL_CHECK(name << " has " << comparison.ours);
        } else if (comparison.safe) {
          FAIL_CHECK(name << " has " << comparison.ours << " and needs no exception: " << row.exception);
        }
      }
    }
  }
  CHECK(compared.size() == machines.size());
  CHECK(comparisons >= 2000);
}
