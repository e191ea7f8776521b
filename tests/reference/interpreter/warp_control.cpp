// SPDX-License-Identifier: GPL-3.0-or-later
// How a warp moves through a program.
#include <algorithm>

#include "tests/reference/interpreter/warp.hpp"

namespace warpspan::reference {

namespace {

uint32_t volume(const ir::Extent& e) { return static_cast<uint32_t>(e.x * e.y * e.z); }

// Reads of a clock that follow one another are one cycle apart at least; now and then it is many.
uint64_t cycles_between(const Situation& situation, uint64_t now) {
  Random random(situation.seed ^ now);
  if (situation.order == Order::taken_first || random.chance(90)) return 1;
  return random.chance(80) ? 1 + random.below(100) : 1 + random.below(uint64_t{1} << 29);
}

LaneSet lanes_in_block(const ir::Extent& block, uint32_t warp) {
  const uint32_t threads = volume(block) - warp * lanes_of_warp;
  return threads >= lanes_of_warp ? UINT32_MAX : (LaneSet{1} << threads) - 1;
}

}  // namespace

Warp::Warp(const Surroundings& around, Record& record, uint32_t number)
    : around_(around),
      record_(record),
      number_(number),
      control_(lanes_in_block(around.situation.block, number),
               static_cast<uint32_t>(around.subject.program.steps.size())),
      turns_(around.subject.graph.loops) {
  const Program& program = around_.subject.program;
  own_record_.executed.assign(program.steps.size(), 0);
  own_record_.pieces.assign(program.steps.size(), 0);
  const uint64_t seed = mix(around_.situation.seed + 7 * number);
  registers_.resize(program.register_bits.size());
  for (size_t r = 0; r < registers_.size(); ++r) {
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
      write(static_cast<uint32_t>(r), lane, mix(seed ^ mix(r * lanes_of_warp + lane)));
    }
  }
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) own_.emplace_back(mix(seed + lane));
}

std::optional<uint32_t> Warp::choose(Random& random, std::optional<uint32_t> last) const {
  std::vector<uint32_t> free;
  for (const uint32_t group : control_.running()) {
    if (!control_.waits_at_barrier(group)) free.push_back(group);
  }
  if (free.empty()) return std::nullopt;
  switch (around_.situation.order) {
    case Order::taken_first:
    case Order::starved:
    case Order::fall_first: return free.back();
    case Order::any_at_split:
      if (last && std::find(free.begin(), free.end(), *last) != free.end()) return last;
      break;
    case Order::any_at_step: break;
  }
  return random.of(free);
}

// After a branch or an exit that the chosen lanes take and the others do not.
void Warp::transfer(uint32_t group, const Step& step, LaneSet lanes, LaneSet chosen) {
  const uint32_t here = control_.step(group);
  const auto end = static_cast<uint32_t>(around_.subject.program.steps.size());
  std::vector<Divergence::Way> ways;
  const auto add = [&](uint32_t to, LaneSet who) {
    if (who == 0) return;
    const auto same = std::find_if(ways.begin(), ways.end(), [to](const auto& way) { return way.to == to; });
    if (same == ways.end()) {
      ways.push_back({to, who});
    } else {
      same->lanes |= who;
    }
  };
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    const LaneSet one = LaneSet{1} << lane;
    if ((chosen & one) == 0) continue;
    uint32_t target = end;
    if (step.action == Action::branch) target = step.targets.front();
    if (step.action == Action::indexed_branch) {
      const uint64_t index = value(step.sources.front(), lane);
      target = step.targets[std::min<uint64_t>(index, step.targets.size() - 1)];
    }
    add(target, one);
  }
  add(here + 1, lanes & ~chosen);
  if (ways.size() == 1) return control_.go(group, ways.front().to);
  record_.parted[here] = true;
  if (around_.situation.order == Order::fall_first) std::reverse(ways.begin(), ways.end());
  control_.part(group, ways, around_.subject.graph.post_dominator[here]);
}

bool Warp::execute(uint32_t group) {
  const uint32_t index = control_.step(group);
  const Step& step = around_.subject.program.steps[index];
  const LaneSet lanes = control_.lanes(group);
  turns_.visit(index, lanes, record_.most_turns);
  ++own_record_.executed[index];
  ++record_.steps;
  is_past_atomic_ = step.action == Action::atomic;
  if (step.reads_clock()) record_.cycles += cycles_between(around_.situation, record_.cycles);
  LaneSet chosen = lanes;
  if (step.guard != nowhere) {
    for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
      if (((registers_[step.guard][lane] & 1) != 0) == step.guard_negated) chosen &= ~(LaneSet{1} << lane);
    }
  }
  switch (step.action) {
    case Action::branch:
    case Action::indexed_branch:
    case Action::leave: transfer(group, step, lanes, chosen); return true;
    case Action::barrier: control_.wait_at_barrier(group); return true;
    case Action::load:
    case Action::store:
    case Action::atomic:
      if (!access(index, step, chosen)) return false;
      break;
    default: perform(step, chosen); break;
  }
  control_.go(group, index + 1);
  return true;
}

}  // namespace warpspan::reference
