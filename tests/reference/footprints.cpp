// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/footprints.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "frontend/frontend.hpp"
#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/syntax/parser.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::reference {

namespace {

// Beginnings of objects, by the names that the analysis gives them.
using Bases = std::map<std::string, uint64_t>;

// Pointers lie far from each other, begin where accesses of 16 bytes may, and are not told to the analysis.
Bases place_pointers(const ptx::Module& module, const ptx::Function& entry, const std::vector<uint64_t>& places,
                     bool aligned, Random& random, Situation& situation) {
  Bases bases;
  for (uint32_t i = 0; i < module.variables.size(); ++i) bases[std::string(module.variables[i].name)] = places[i];
  for (uint32_t i = 0; i < entry.parameters.size(); ++i) {
    const uint32_t index = entry.parameters[i].variable;
    if (index == ptx::none || module.variables[index].bytes != 8 || situation.arguments.count(i) > 0) continue;
    const uint64_t begin = 0x7f0000000000 + (uint64_t{i} << 36) + (aligned ? 256 : 16) * random.below(1 << 16);
    situation.arguments[i] = begin + (uint64_t{1} << 34);
    bases[std::string(module.variables[index].name)] = situation.arguments[i];
  }
  return bases;
}

// The step of each instruction that accesses memory: of those of one line, the one with the same position among them.
std::map<ir::InstructionId, uint32_t> steps_of(const frontend::AnalyzedKernel& analyzed, const Subject& subject) {
  std::map<uint32_t, std::vector<uint32_t>> steps;
  for (uint32_t s = 0; s < subject.entry.instructions.size(); ++s) {
    steps[static_cast<uint32_t>(subject.module.source->locate(subject.entry.instructions[s].offset).line)].push_back(s);
  }
  std::map<uint32_t, std::vector<ir::InstructionId>> instructions;
  for (ir::InstructionId i = 0; i < analyzed.kernel.instructions.size(); ++i) {
    instructions[analyzed.kernel.instructions[i].line].push_back(i);
  }
  std::map<ir::InstructionId, uint32_t> result;
  for (const auto& [line, ids] : instructions) {
    if (steps[line].size() != ids.size()) continue;
    for (size_t i = 0; i < ids.size(); ++i) result[ids[i]] = steps[line][i];
  }
  return result;
}

ExecutedAccesses executed_accesses(const frontend::AnalyzedKernel& analyzed, const Subject& subject,
                                   const Record& record) {
  std::map<uint32_t, std::vector<const AccessPlace*>> by_step;
  for (const AccessPlace& place : record.places) by_step[place.step].push_back(&place);
  ExecutedAccesses executed;
  executed.all_blocks = record.outcome == Record::Outcome::finished;
  for (const auto& [instruction, step] : steps_of(analyzed, subject)) {
    const ir::Operation& operation = analyzed.kernel.operation(analyzed.kernel.instructions[instruction]);
    const bool is_atomic = operation.semantics.computation == ir::Computation::unknown;
    executed.by_instruction[instruction] = {by_step[step], is_atomic};
  }
  return executed;
}

FootprintCheck not_compared(std::string reason) {
  FootprintCheck check;
  check.reason = std::move(reason);
  return check;
}

}  // namespace

FootprintCheck check_footprints(Experiment experiment, uint64_t seed, bool aligned) {
  const auto source = std::make_shared<const support::SourceFile>("experiment.ptx", experiment.text);
  const auto module = ptx::parse(source);
  if (!module) return not_compared(render(module.errors().front(), false));
  const auto entry = std::find_if(module->functions.begin(), module->functions.end(), [&](const ptx::Function& f) {
    return f.is_entry && f.has_body && f.name == experiment.kernel;
  });
  if (entry == module->functions.end()) return not_compared("no such kernel");
  if (!experiment.launch.grid) experiment.launch.grid = ir::Extent{1, 1, 1};
  const frontend::Reading reading = frontend::read_kernels(source, {experiment.kernel}, experiment.launch);
  if (reading.kernels.empty()) return not_compared(render(reading.errors.front(), false));

  constexpr ptx::SharingLimits all_inlined{1'000'000, 100'000'000};
  const auto body = ptx::expand_calls(*module, *entry, all_inlined);
  if (!body) return not_compared(render(body.errors().front(), false));
  const std::vector<uint64_t> places = lay_out(*module, *entry, seed);
  std::string unknown;
  const auto program = prepare(*body, places, unknown);
  if (!program) return not_compared(unknown);
  const ControlGraph graph = control_graph(*program);
  const Subject subject{*module, *body, *program, graph, places};

  Situation situation = situation_of(*module, *entry, experiment);
  situation.seed = seed;
  situation.notes_places = true;
  situation.blocks.clear();
  const ir::Extent& grid = situation.grid;
  for (int64_t i = 0; i < grid.x * grid.y * grid.z; ++i) {
    situation.blocks.push_back({i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y});
  }
  Random random(seed + 7);
  const Bases bases = place_pointers(*module, *entry, places, aligned, random, situation);
  const Record record = execute(subject, situation);
  ExecutedAccesses executed = executed_accesses(reading.kernels.front(), subject, record);
  executed.begins = bases;
  executed.aligned = aligned;
  FootprintCheck check;
  compare_accesses(reading.kernels.front(), executed, check);
  return check;
}

}  // namespace warpspan::reference
