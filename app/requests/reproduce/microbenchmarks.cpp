// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/reproduce/microbenchmarks.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

#include "frontend/frontend.hpp"
#include "support/embedded_file.hpp"
#include "timing/costs/cost.hpp"

namespace warpspan::app {

// Made by the build of samples/fermi.
extern const support::EmbeddedFile embedded_microbenchmarks[];
extern const size_t embedded_microbenchmarks_count;

namespace {

using support::Result;

constexpr int64_t threads = 32;

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

std::string_view embedded(std::string_view name) {
  for (size_t i = 0; i < embedded_microbenchmarks_count; ++i) {
    if (embedded_microbenchmarks[i].name == name) return embedded_microbenchmarks[i].text;
  }
  return {};
}

// As scripts/make-microbenchmarks names them.
std::string kernel_name(const MicrobenchmarkRow& row, size_t i) {
  std::string operations = row.operations;
  std::replace(operations.begin(), operations.end(), ' ', '_');
  return without_blanks(row.source) + "_" + operations + (row.chained ? "_raw_" : "_none_") +
         std::to_string(row.counts[i]);
}

Result<frontend::AnalyzedKernel> read(const MicrobenchmarkRow& row, size_t i) {
  const std::string file = without_blanks(row.source);
  ir::Launch launch;
  launch.block = ir::Extent{threads, 1, 1};
  auto source =
      std::make_shared<const support::SourceFile>("samples/fermi/" + file + ".ptx", std::string(embedded(file)));
  frontend::Reading reading = frontend::read_kernels(std::move(source), {kernel_name(row, i)}, launch);
  if (!reading.errors.empty()) return reading.errors;
  return std::move(reading.kernels.front());
}

// The first instruction that lies between the two clock reads and accesses memory.
std::optional<ir::InstructionId> access_in(const ir::Kernel& kernel) {
  bool between = false;
  for (ir::InstructionId i = 0; i < kernel.instructions.size(); ++i) {
    const ir::Operation& operation = kernel.operation(kernel.instructions[i]);
    if (operation.reads_clock) between = true;
    if (between && operation.bytes > 0) return i;
  }
  return std::nullopt;
}

struct Measured {
  frontend::AnalyzedKernel kernel;
  timing::Machine machine;
  timing::Costs costs;
};

Result<Measured> measured(const MicrobenchmarkRow& row, size_t i) {
  auto machine = timing::load_machine("fermi");
  if (!machine) return machine.errors();
  auto kernel = read(row, i);
  if (!kernel) return kernel.errors();
  auto costs = timing::costs_of(kernel->kernel, *machine);
  if (!costs) return costs.errors();
  return Measured{std::move(*kernel), std::move(*machine), std::move(*costs)};
}

}  // namespace

std::vector<MicrobenchmarkRow> microbenchmark_rows() {
  std::vector<MicrobenchmarkRow> rows;
  std::istringstream in{std::string(embedded("microbenchmarks"))};
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string source, operations, dependency, count, cycles;
    std::getline(fields, source, ',');
    std::getline(fields, operations, ',');
    std::getline(fields, dependency, ',');
    std::getline(fields, count, ',');
    std::getline(fields, cycles, ',');
    const bool chained = dependency == "raw";
    if (rows.empty() || rows.back().source != source || rows.back().operations != operations ||
        rows.back().chained != chained) {
      rows.push_back({source, operations, chained, {}, {}});
    }
    rows.back().counts.push_back(std::stoll(count));
    rows.back().printed.push_back(cycles);
  }
  return rows;
}

Result<std::vector<timing::ClockReading>> clock_cycles(const MicrobenchmarkRow& row) {
  std::vector<timing::ClockReading> readings;
  for (size_t i = 0; i < row.counts.size(); ++i) {
    const auto m = measured(row, i);
    if (!m) return m.errors();
    const auto all = timing::clock_readings({m->kernel.kernel, m->kernel.flow, m->costs, m->machine});
    if (all.size() != 1) return support::internal_error(kernel_name(row, i) + " has not two reads of the clock");
    readings.push_back(all.front());
  }
  return readings;
}

Result<AccessFigures> access_figures(const MicrobenchmarkRow& row) {
  const auto m = measured(row, 0);
  if (!m) return m.errors();
  const auto access = access_in(m->kernel.kernel);
  if (!access) return AccessFigures{};
  const timing::OperationFigures& figures = m->costs.of(m->kernel.kernel.instructions[*access]);
  return AccessFigures{figures.gap, figures.latency, m->kernel.flow.transactions[*access]};
}

}  // namespace warpspan::app
