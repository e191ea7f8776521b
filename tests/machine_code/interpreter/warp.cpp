// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/interpreter/warp.hpp"

#include <algorithm>
#include <bitset>
#include <optional>

#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"
#include "support/digits.hpp"

namespace warpspan::machine_code {

namespace {

LaneSet lanes_in_block(const ir::Extent& block, uint32_t warp) {
  const auto threads = static_cast<uint32_t>(block.x * block.y * block.z) - warp * lanes_of_warp;
  return threads >= lanes_of_warp ? UINT32_MAX : (LaneSet{1} << threads) - 1;
}

// What takes time only.
bool does_nothing(std::string_view name) {
  constexpr std::string_view names[] = {"NOP",    "YIELD",     "NANOSLEEP", "DEPBAR",        "LDGDEPBAR",
                                        "MEMBAR", "ERRBAR",    "CCTL",      "CCTLL",         "CGAERRBAR",
                                        "FENCE",  "CCTL.LDCU", "ACQBULK",   "ENDCOLLECTIVE", "PREEXIT"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Whether a register is read that some of the lanes no longer own.
template <size_t Count>
bool reads_lost(const std::bitset<Count>& read, const std::array<LaneSet, Count>& owners, LaneSet lanes) {
  if (read.none()) return false;
  for (size_t i = 0; i < Count; ++i) {
    if (read[i] && (lanes & ~owners[i]) != 0) return true;
  }
  return false;
}

template <typename Values, size_t Count>
std::optional<Values> values_before(const std::bitset<Count>& written, const Values& values) {
  return written.any() ? std::optional(values) : std::nullopt;
}

// Of registers that now contain something else only the lanes are owners.
template <typename Values, size_t Count>
void note_owners(const std::bitset<Count>& written, const std::optional<Values>& before, const Values& now,
                 LaneSet lanes, std::array<LaneSet, Count>& owners) {
  if (!before) return;
  for (size_t i = 0; i < Count; ++i) {
    if (written[i]) owners[i] = lanes | ((*before)[i] == now[i] ? owners[i] : 0);
  }
}

}  // namespace

Warp::Warp(const Surroundings& around, Record& record, uint32_t number)
    : around_(around),
      record_(record),
      number_(number),
      control_(lanes_in_block(around.launch.block, number)),
      turns_(around.program.graph.loops),
      most_turns_(around.program.graph.loops.size(), 0) {
  own_record_.executed.assign(around.program.instructions.size(), 0);
  own_record_.pieces.assign(around.program.instructions.size(), 0);
  uniform_owners_.fill(UINT32_MAX);
  predicate_owners_.fill(UINT32_MAX);
  const uint64_t seed = reference::mix(around.launch.seed + 7 * number);
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    own_.emplace_back(reference::mix(seed + (around.launch.own_memory_alike ? 0 : lane)));
    if (around.launch.clears_own_memory) own_.back() = Memory::zeros();
    for (size_t r = 0; r < registers_.general.size() && !around.launch.clears_registers; ++r)
      registers_.general[r][lane] =
          static_cast<uint32_t>(reference::mix(seed ^ reference::mix(r * lanes_of_warp + lane)));
  }
}

LaneSet Warp::guarded(Machine& machine, LaneSet lanes) const {
  const sass::Guard& guard = machine.instruction.guard;
  LaneSet holds = UINT32_MAX;
  if (guard.number != sass::no_register) {
    holds = guard.uniform ? (registers_.uniform_predicates[guard.number] ? UINT32_MAX : 0)
                          : registers_.predicates[guard.number];
  }
  return lanes & (guard.negated ? ~holds : holds);
}

bool Warp::step(reference::Random& random, std::string& error) {
  const auto group = control_.choose(around_.launch.order, random, last_);
  if (!group) return false;
  const uint32_t at = control_.groups()[*group].at;
  const LaneSet lanes = control_.groups()[*group].lanes;
  last_ = lanes;
  if (at >= around_.program.instructions.size()) {
    error = "the warp runs over the end of the code";
    return true;
  }
  turns_.visit(at, lanes, most_turns_);
  for (size_t i = 0; i < most_turns_.size(); ++i)
    record_.loops[i].most_turns = std::max(record_.loops[i].most_turns, most_turns_[i]);
  ++own_record_.executed[at];
  ++record_.steps;
  if (around_.launch.notes_steps) trace_.steps.push_back({at, 0, false, 0});
  Machine machine{registers_, around_.constants, around_.program.instructions[at], {}};
  if (around_.program.unresolved.contains(at)) machine.refuse("what is filled in there is not known");
  if (machine.refusal.empty()) execute(machine, *group, lanes);
  if (!machine.refusal.empty())
    error = sass::to_string(machine.instruction) + " at 0x" + support::hexadecimal(machine.instruction.offset) + ": " +
            machine.refusal;
  return true;
}

void Warp::compute(Machine& machine, Action action, LaneSet lanes) {
  const bool once = machine.instruction.opcode->unit == sass::Unit::uniform ||
                    machine.instruction.mnemonic() == "ULDC" || machine.instruction.mnemonic() == "LDCU";
  for (unsigned number = 0; number < lanes_of_warp; ++number) {
    if ((lanes >> number & 1) == 0) continue;
    Lane lane(machine, number);
    action(lane);
    if (once) return;
  }
}

void Warp::note_sleep(Machine& machine, LaneSet lanes) {
  uint32_t& longest = trace_.steps.back().nanoseconds;
  for (unsigned number = 0; number < lanes_of_warp; ++number) {
    if ((lanes >> number & 1) != 0) longest = std::max(longest, Lane(machine, number).word(0));
  }
}

void Warp::execute(Machine& machine, size_t group, LaneSet all) {
  const sass::RegisterSet read = sass::reads(machine.instruction), written = sass::writes(machine.instruction);
  if (reads_lost(read.uniform, uniform_owners_, all) || reads_lost(read.uniform_predicates, predicate_owners_, all))
    record_.loses_uniform = true;
  const auto uniform = values_before(written.uniform, registers_.uniform);
  const auto predicates = values_before(written.uniform_predicates, registers_.uniform_predicates);
  const LaneSet lanes = guarded(machine, all);
  if (around_.launch.notes_steps) trace_.steps.back().is_executed = lanes != 0;
  if (control(machine, group, lanes)) return;
  const std::string_view name = machine.instruction.mnemonic();
  if (name == "NANOSLEEP" && around_.launch.notes_steps) note_sleep(machine, lanes);
  if (lanes != 0 && !does_nothing(name)) {
    const Action action = action_of(name);
    if (action != nullptr)
      compute(machine, action, lanes);
    else if (!exchange(machine, lanes) && !access(machine, lanes) && !copy(machine, lanes) &&
             !matrices(machine, lanes) && !around_.launch.passes_unknown)
      machine.refuse("this instruction is not known here");
  }
  note_owners(written.uniform, uniform, registers_.uniform, all, uniform_owners_);
  note_owners(written.uniform_predicates, predicates, registers_.uniform_predicates, all, predicate_owners_);
  control_.go(group, control_.groups()[group].at + 1);
}

}  // namespace warpspan::machine_code
