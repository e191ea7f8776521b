// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/comparison.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/calls/indirect_calls.hpp"
#include "frontend/ptx/calls/recursion.hpp"
#include "frontend/ptx/syntax/parser.hpp"
#include "frontend/reading/given_calls.hpp"
#include "tests/reference/bounds.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::reference {

namespace {

using Verdict = Comparison::Verdict;

Comparison verdict(Verdict kind, std::string reason) {
  Comparison result;
  result.verdict = kind;
  result.reason = std::move(reason);
  return result;
}

// Which parameter an argument of a launch means.
std::optional<uint32_t> parameter_of(const ptx::Module& module, const ptx::Function& entry, const std::string& name) {
  for (uint32_t i = 0; i < entry.parameters.size(); ++i) {
    const uint32_t variable = entry.parameters[i].variable;
    if (name == std::to_string(i) || (variable != ptx::none && name == module.variables[variable].name)) return i;
  }
  return std::nullopt;
}

// "5..9", with the value among them; of very few values none but it.
std::string range_around(uint64_t value, uint64_t most, Random& random) {
  const uint64_t first = value - random.below(std::min<uint64_t>(value, 3) + 1);
  const uint64_t last = value + random.below(std::min<uint64_t>(most - value, 3) + 1);
  return std::to_string(first) + ".." + std::to_string(last);
}

// Constant memory has what nothing stores to, as the interpreter has it.
void tell_variables(const ptx::Module& module, const std::vector<uint64_t>& places, uint64_t seed, Random& random,
                    ir::Launch& told) {
  Memory memory(seed + 3);  // as execute() makes it
  for (size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    const bool is_global = variable.space == ir::MemorySpace::global && variable.stored_at == ptx::none;
    if (!is_global && variable.space != ir::MemorySpace::constant) continue;
    const int64_t width = variable.bytes <= 64 ? 1 : 8;
    for (int64_t offset = 0; offset + width <= variable.bytes; offset += width) {
      const uint64_t value = memory.load(places[i] + static_cast<uint64_t>(offset), static_cast<int>(width));
      ir::Argument given{std::string(variable.name), std::to_string(value), ir::ByteRange{offset, width}};
      if (width == 1 && random.chance(50)) given.value = range_around(value, 255, random);
      told.globals.push_back(std::move(given));
    }
  }
}

ir::Launch told_of(const Experiment& experiment, const ptx::Module& module, const std::vector<uint64_t>& places,
                   uint64_t seed) {
  ir::Launch told = experiment.launch;
  Random random(seed + 5);
  for (ir::Argument& argument : told.arguments) {
    const uint64_t value = std::stoull(argument.value);
    if (experiment.tells_ranges && value <= INT32_MAX) argument.value = range_around(value, INT32_MAX, random);
  }
  if (experiment.tells_variables) tell_variables(module, places, seed, random, told);
  return told;
}

// The most that a warp executed: instructions, and pieces of accesses. At least 1, so that one can divide by them.
struct Most {
  int64_t instructions = 1;
  int64_t pieces = 1;
};

// From 1.
std::set<int64_t> lines_that_differ(const support::SourceFile& a, const support::SourceFile& b) {
  std::istringstream texts[] = {std::istringstream(std::string(a.text())), std::istringstream(std::string(b.text()))};
  std::set<int64_t> lines;
  std::string one, other;
  for (int64_t line = 1; std::getline(texts[0], one) && std::getline(texts[1], other); ++line) {
    if (one != other) lines.insert(line);
  }
  return lines;
}

void update(Most& most, const Record& record) {
  for (const WarpRecord& warp : record.warps) {
    most.instructions =
        std::max(most.instructions, std::accumulate(warp.executed.begin(), warp.executed.end(), int64_t{0}));
    most.pieces = std::max(most.pieces, std::accumulate(warp.pieces.begin(), warp.pieces.end(), int64_t{0}));
  }
}

void note(std::vector<std::string>& all, std::vector<std::string> more) {
  for (std::string& what : more) {
    if (std::find(all.begin(), all.end(), what) == all.end()) all.push_back(std::move(what));
  }
}

Comparison run(const frontend::AnalyzedKernel& analyzed, const Bounds& bounds, const Subject& subject,
               Situation situation, const std::vector<Order>& orders) {
  Comparison result;
  for (const ir::Loop& loop : analyzed.flow.loops) ++result.loops[loop.source];
  Most most;
  for (const Order order : orders) {
    situation.order = order;
    const Record record = execute(subject, situation);
    // What a run that was given up has executed, it has executed.
    if (record.outcome == Record::Outcome::faulted) result.verdict = Verdict::faulted;
    if (record.outcome == Record::Outcome::too_long) result.verdict = Verdict::too_long;
    update(most, record);
    note(result.violations, violations(analyzed, bounds, subject, record));
  }
  result.looseness = static_cast<double>(bounds.of_all) / static_cast<double>(most.instructions);
  result.looseness_of_pieces = static_cast<double>(bounds.pieces) / static_cast<double>(most.pieces);
  return result;
}

}  // namespace

Situation situation_of(const ptx::Module& module, const ptx::Function& entry, const Experiment& experiment) {
  Situation situation;
  situation.block = experiment.launch.block.value_or(ir::Extent{32, 1, 1});
  situation.grid = experiment.launch.grid.value_or(ir::Extent{1, 1, 1});
  situation.blocks = experiment.blocks;
  situation.most_steps = experiment.most_steps;
  situation.blocks_at_once = experiment.blocks_at_once;
  for (const ir::Argument& argument : experiment.launch.arguments) {
    const auto parameter = parameter_of(module, entry, argument.parameter);
    if (parameter) situation.arguments[*parameter] = std::stoull(argument.value);
  }
  return situation;
}

Comparison compare(const Experiment& experiment, uint64_t seed, const std::vector<Order>& orders) {
  const auto source = std::make_shared<const support::SourceFile>("experiment.ptx", experiment.text);
  const auto executed = std::make_shared<const support::SourceFile>(
      "experiment.ptx", experiment.bodies.empty() ? experiment.text : experiment.bodies);
  auto module = ptx::parse(executed);
  if (module) ptx::make_calls_direct(*module);  // a computed call as the direct ones that it may be
  if (!module) return verdict(Verdict::unreadable, render(module.errors().front(), false));
  auto entry = std::find_if(module->functions.begin(), module->functions.end(), [&](const ptx::Function& f) {
    return f.is_entry && f.has_body && f.name == experiment.kernel;
  });
  if (entry == module->functions.end()) return verdict(Verdict::unreadable, "no such kernel");

  // Recursive functions as copies for more levels than warpspan is told of: it is an error if one of those is executed.
  ir::Launch deeper = experiment.launch;
  for (ir::Recursion& recursion : deeper.recursions) ++recursion.depth;
  const auto depths = frontend::depths_of(*module, deeper);
  if (!depths) return verdict(Verdict::refused, render(depths.errors().front(), false));
  auto copied = ptx::without_recursion(*module, *entry, *depths);
  if (!copied) return verdict(Verdict::refused, render(copied.errors().front(), false));
  if (*copied) {
    const auto number = entry - module->functions.begin();
    module = std::move(**copied);
    entry = module->functions.begin() + number;
  }

  const std::vector<uint64_t> places = lay_out(*module, *entry, seed);
  const ir::Launch told = told_of(experiment, *module, places, seed);
  const frontend::Reading reading = frontend::read_kernels(source, {experiment.kernel}, told);
  if (reading.kernels.empty()) return verdict(Verdict::refused, render(reading.errors.front(), false));
  const frontend::AnalyzedKernel& analyzed = reading.kernels.front();
  const auto bounds = bounds_of(analyzed);
  if (!bounds) return verdict(Verdict::refused, "totals beyond 64 bits");

  // The interpreter executes a copy for every call, whatever the analysis shares.
  constexpr ptx::SharingLimits all_inlined{1'000'000, 100'000'000};
  const auto body = ptx::expand_calls(*module, *entry, all_inlined);
  if (!body) return verdict(Verdict::refused, render(body.errors().front(), false));
  std::string unknown;
  const auto program = prepare(*body, places, unknown);
  if (!program) return verdict(Verdict::unknown, unknown);

  const ControlGraph graph = control_graph(*program);
  Situation situation = situation_of(*module, *entry, experiment);
  situation.seed = seed;
  const Subject subject{*module, *body, *program, graph, places, lines_that_differ(*source, *executed)};
  std::vector<Order> all = orders;
  if (experiment.blocks_at_once) all.push_back(Order::starved);
  return run(analyzed, *bounds, subject, situation, all);
}

}  // namespace warpspan::reference
