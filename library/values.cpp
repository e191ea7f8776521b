// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/values.hpp"

#include <algorithm>

#include "app/facts/fact_text.hpp"
#include "app/facts/spelling.hpp"
#include "app/reports/analyze/access_section.hpp"
#include "app/reports/analyze/headlines.hpp"
#include "app/reports/analyze/ladder.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/exit_status.hpp"
#include "app/reports/names.hpp"
#include "app/reports/readable.hpp"
#include "support/symbol_name.hpp"
#include "timing/machine/write.hpp"

namespace warpspan::library {

namespace {

Extent extent_of(const ir::Extent& extent) { return {extent.x, extent.y, extent.z}; }

Time time_of(int64_t cycles, int64_t clock_khz) { return {cycles, app::picoseconds(cycles, clock_khz)}; }

std::optional<Time> time_of(const std::optional<int64_t>& cycles, int64_t clock_khz) {
  return cycles ? std::optional(time_of(*cycles, clock_khz)) : std::nullopt;
}

Loop loop_of(const ir::Loop& loop) {
  return {loop.label.empty() ? "line:" + std::to_string(loop.line) : loop.label,
          loop.line,
          loop.source_file,
          loop.source_line,
          loop.trip_count,
          std::string(app::to_string(loop.source)),
          loop.obstacle,
          loop.remedies};
}

std::vector<Loop> loops_of(const std::vector<ir::Loop>& loops) {
  std::vector<Loop> all;
  for (const ir::Loop& loop : loops) all.push_back(loop_of(loop));
  return all;
}

Place place_of(const app::KernelReport& kernel, const app::PlacedAdvice& advice) {
  return advice.source_line > 0 ? Place{advice.source_file, advice.source_line} : Place{kernel.file, advice.line};
}

// Whether one of the facts is about the function of the kernel.
template <typename Fact>
bool is_given(const std::string& function, const ir::KernelCode& code, const std::vector<Fact>& facts) {
  return std::any_of(facts.begin(), facts.end(), [&](const Fact& fact) {
    return app::is_for(fact, code) && support::names_symbol(fact.function, function);
  });
}

std::vector<Parameter> parameters_of(const ir::KernelCode& code) {
  std::vector<Parameter> all;
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const ir::KernelParameter& parameter = code.parameters[i];
    all.push_back({parameter.name, parameter.type, parameter.bytes,
                   code.names == nullptr ? std::string() : code.names->parameters[i].source});
  }
  return all;
}

}  // namespace

Messages messages_of(const support::Diagnostics& diagnostics) {
  Messages messages;
  for (const support::Diagnostic& one : app::spelled(diagnostics)) {
    messages.push_back({static_cast<Severity>(one.severity), static_cast<Cause>(one.cause),
                        Place{one.location.file, one.location.line, one.location.column}, one.message, one.help,
                        one.source_line});
  }
  return messages;
}

Status status_of(const support::Diagnostics& diagnostics) {
  switch (app::exit_status(diagnostics)) {
    case app::ExitStatus::done: return Status::done;
    case app::ExitStatus::wrong_use: return Status::wrong_use;
    case app::ExitStatus::not_bounded: return Status::not_bounded;
    default: return Status::internal_error;
  }
}

KernelBound bound_of(const app::KernelReport& kernel) {
  const int64_t clock = kernel.machine.clock_khz;
  const solver::Bound& bound = *app::headline_bound(kernel.analysis);  // of the pipeline model, which it has
  KernelBound made;
  made.file = kernel.file;
  made.name = kernel.name;
  made.demangled = support::demangled(kernel.name);
  made.machine = kernel.machine.name;
  made.clock_khz = clock;
  made.block = extent_of(*kernel.launch.block);
  if (kernel.launch.grid) made.grid = extent_of(*kernel.launch.grid);
  made.at_most = time_of(*bound.makespan, clock);
  made.whatever = time_of(app::bound_with_nothing(kernel.analysis), clock);
  made.usual = time_of(kernel.analysis.usual, clock);
  if (const auto& expected = kernel.expected) {
    std::optional<double> factor;
    if (expected->usual_factor) factor = static_cast<double>(*expected->usual_factor) / 100;
    made.expected = {time_of(expected->cycles, clock), expected->method == app::ExpectedTime::Method::simulated, factor,
                     expected->assumptions};
  }
  made.limited_by = app::limited_by(bound);
  for (const solver::Part& part : bound.parts) made.parts.push_back({app::part_name(part), part.cycles});
  for (const app::LineCost& line : kernel.lines) {
    made.lines.push_back({line.file, line.line, line.executions, line.cycles(), line.resource, line.text});
  }
  made.loops = loops_of(kernel.loops);
  for (const app::MemoryAccess& access : kernel.accesses) {
    made.accesses.push_back({access.line, access.source_file, access.source_line, access.instruction, access.object,
                             access.object_bytes, app::touched(access, kernel)});
  }
  for (const app::PlacedAdvice& one : kernel.advice) {
    made.advice.push_back(
        {std::string(timing::to_string(one.advice.kind)), one.advice.what, place_of(kernel, one), one.advice.makespan});
  }
  made.assumptions = bound.assumptions;
  return made;
}

KernelNeeds needs_of(const app::KernelFactsReport& kernel, const ir::Launch& given) {
  const ir::KernelCode& code = kernel.code;
  KernelNeeds made;
  made.file = kernel.file;
  made.name = code.name;
  made.demangled = support::demangled(code.name);
  made.sha256 = code.sha256;
  made.parameters = parameters_of(code);
  if (code.loops) made.loops = loops_of(*code.loops);
  for (const std::string& function : code.external_functions) {
    if (!is_given(function, code, given.call_costs)) made.calls.push_back(function);
  }
  for (const ir::RecursiveFunction& function : code.recursive_functions) {
    if (function.lacks_depth && !is_given(function.name, code, given.recursions)) {
      made.recursions.push_back(function.name);
    }
  }
  const auto is_bounded = [](const Loop& loop) { return loop.trip_count.has_value(); };
  made.are_met = code.loops && std::all_of(made.loops.begin(), made.loops.end(), is_bounded) && made.calls.empty() &&
                 made.recursions.empty();
  return made;
}

Kernel kernel_of(const std::string& file, const ir::Kernel& kernel, const app::CompiledKernels& figures) {
  Kernel made{file,
              kernel.name,
              support::demangled(kernel.name),
              kernel.target,
              kernel.is_machine_code(),
              static_cast<int64_t>(kernel.instructions.size())};
  if (const auto compiled = figures.find({kernel.target}, kernel.name)) {
    made.registers = compiled->registers;
    made.stack_bytes = compiled->stack;
    made.shared_bytes = compiled->shared;
  }
  return made;
}

Machine machine_of(const timing::Machine& machine) {
  return {machine.name,
          machine.description,
          machine.targets,
          machine.clock_khz,
          machine.multiprocessors,
          machine.max_warps,
          app::names_of(machine.usual_assumptions()),
          timing::to_toml(machine)};
}

}  // namespace warpspan::library
