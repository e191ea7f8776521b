// SPDX-License-Identifier: GPL-3.0-or-later
// What instructions without memory do to the registers of a warp.
#include <bit>

#include "tests/reference/interpreter/integers.hpp"
#include "tests/reference/interpreter/warp.hpp"

namespace warpspan::reference {

namespace {

template <typename Do>
void for_each_lane(LaneSet lanes, const Do& act) {
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) != 0) act(lane);
  }
}

uint32_t component_of(const ir::Extent& e, uint8_t component) {
  return static_cast<uint32_t>(component == 1 ? e.x : component == 2 ? e.y : component == 3 ? e.z : 0);
}

}  // namespace

std::array<uint32_t, 3> Warp::thread_number(unsigned lane) const {
  const ir::Extent& block = around_.situation.block;
  const int64_t linear = int64_t{number_} * lanes_of_warp + lane;
  return {static_cast<uint32_t>(linear % block.x), static_cast<uint32_t>(linear / block.x % block.y),
          static_cast<uint32_t>(linear / (block.x * block.y))};
}

uint64_t Warp::special(ptx::SpecialRegister which, uint8_t component, unsigned lane) const {
  using ptx::SpecialRegister;
  const LaneSet own = LaneSet{1} << lane;
  const ir::Extent& block = around_.situation.block;
  switch (which) {
    case SpecialRegister::tid: return component >= 1 && component <= 3 ? thread_number(lane)[component - 1U] : 0;
    case SpecialRegister::ntid: return component_of(block, component);
    case SpecialRegister::ctaid: return component_of(around_.block_number, component);
    case SpecialRegister::nctaid: return component_of(around_.situation.grid, component);
    case SpecialRegister::laneid: return lane;
    case SpecialRegister::warpid: return number_;
    case SpecialRegister::nwarpid:
      return static_cast<uint64_t>(block.x * block.y * block.z + lanes_of_warp - 1) / lanes_of_warp;
    case SpecialRegister::nsmid: return 1;
    case SpecialRegister::lanemask_eq: return own;
    case SpecialRegister::lanemask_lt: return own - 1;
    case SpecialRegister::lanemask_le: return own | (own - 1);
    case SpecialRegister::lanemask_gt: return ~(own | (own - 1));
    case SpecialRegister::lanemask_ge: return ~(own - 1);
    case SpecialRegister::clock:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer: return record_.cycles;
    default: return 0;
  }
}

uint64_t Warp::value(const Source& source, unsigned lane) const {
  switch (source.kind) {
    case Source::Kind::reg: return registers_[source.index][lane] ^ (source.negated ? 1U : 0U);
    case Source::Kind::constant: return source.constant;
    case Source::Kind::special: return special(static_cast<ptx::SpecialRegister>(source.index), source.component, lane);
  }
  return 0;
}

void Warp::write(uint32_t destination, unsigned lane, uint64_t value) {
  if (destination == nowhere) return;
  registers_[destination][lane] = value & low_bits(around_.subject.program.register_bits[destination]);
}

void Warp::compute(const Step& step, unsigned lane) {
  std::array<uint64_t, 8> sources{};
  for (size_t i = 0; i < step.sources.size() && i < sources.size(); ++i) sources[i] = value(step.sources[i], lane);
  const Outcome outcome = step.evaluate(sources.data());
  write(step.destinations.front(), lane, outcome.value);
  write(step.second, lane, outcome.second ? 1 : 0);
  if (step.form->writes_carry) write(around_.subject.program.carry, lane, outcome.carry ? 1 : 0);
}

void Warp::pack(const Step& step, unsigned lane) {
  uint64_t all = 0;
  int shift = 0;
  for (const Source& source : step.sources) {
    all |= (value(source, lane) & low_bits(step.element_bits)) << shift;
    shift += step.element_bits;
  }
  write(step.destinations.front(), lane, all);
}

void Warp::unpack(const Step& step, unsigned lane) {
  uint64_t all = value(step.sources.front(), lane);
  for (const uint32_t destination : step.destinations) {
    write(destination, lane, all);
    all >>= step.element_bits;
  }
}

void Warp::convert_address(const Step& step, unsigned lane) {
  const ir::MemorySpace space = step.form->operation.space;
  const bool shared = step.form->has("shared") || step.form->has("shared::cta") || space == ir::MemorySpace::shared;
  const bool local = step.form->has("local") || space == ir::MemorySpace::local;
  const bool parameter = step.form->has("param") || space == ir::MemorySpace::parameter;
  const uint64_t window = shared ? shared_window : local ? local_window : parameter ? parameter_window : 0;
  const uint64_t address = value(step.sources.front(), lane);
  write(step.destinations.front(), lane, step.form->opcode->name == "cvta.to" ? address - window : address + window);
}

void Warp::vote(const Step& step, LaneSet lanes) {
  LaneSet yes = 0;
  for_each_lane(lanes, [&](unsigned lane) { yes |= static_cast<LaneSet>(value(step.sources[0], lane) & 1) << lane; });
  uint64_t result = yes;
  if (step.form->has("all")) result = yes == lanes ? 1 : 0;
  if (step.form->has("any")) result = yes != 0 ? 1 : 0;
  if (step.form->has("uni")) result = yes == lanes || yes == 0 ? 1 : 0;
  for_each_lane(lanes, [&](unsigned lane) { write(step.destinations.front(), lane, result); });
}

// PTX ISA 9.7.9.6. A lane that reads from one that is not there keeps its own value.
void Warp::shuffle(const Step& step, LaneSet lanes) {
  std::array<uint64_t, lanes_of_warp> given{};
  for_each_lane(lanes, [&](unsigned lane) { given[lane] = value(step.sources[0], lane); });
  for_each_lane(lanes, [&](unsigned lane) {
    const auto distance = static_cast<int>(value(step.sources[1], lane) & 31);
    const auto control = static_cast<int>(value(step.sources[2], lane));
    const int clamp = control & 31;
    const int segment = control >> 8 & 31;
    const int own = static_cast<int>(lane);
    const int most = (own & segment) | (clamp & ~segment);
    const int least = own & segment;
    int from = least | (distance & ~segment);
    bool valid = from <= most;
    if (step.form->has("up")) {
      from = own - distance;
      valid = from >= most;
    } else if (step.form->has("down")) {
      from = own + distance;
      valid = from <= most;
    } else if (step.form->has("bfly")) {
      from = own ^ distance;
      valid = from <= most;
    }
    if (!valid) from = own;
    if (from < 0 || from > 31 || (lanes >> from & 1) == 0) from = own;
    write(step.destinations.front(), lane, given[static_cast<size_t>(from)]);
    write(step.second, lane, valid ? 1 : 0);
  });
}

void Warp::reduce(const Step& step, LaneSet lanes) {
  const IntegerType t = integer_type(step.form->type());
  std::optional<uint64_t> sum;
  for_each_lane(lanes, [&](unsigned lane) {
    const uint64_t own = t.wrap(value(step.sources[0], lane));
    if (!sum) {
      sum = own;
    } else if (step.form->has("add")) {
      *sum += own;
    } else if (step.form->has("and")) {
      *sum &= own;
    } else if (step.form->has("or")) {
      *sum |= own;
    } else if (step.form->has("xor")) {
      *sum ^= own;
    } else {
      const bool less = t.is_signed ? t.as_signed(own) < t.as_signed(*sum) : own < *sum;
      if (less == step.form->has("min")) sum = own;
    }
  });
  for_each_lane(lanes, [&](unsigned lane) { write(step.destinations.front(), lane, *sum); });
}

void Warp::perform(const Step& step, LaneSet lanes) {
  switch (step.action) {
    case Action::compute: for_each_lane(lanes, [&](unsigned lane) { compute(step, lane); }); break;
    case Action::pack: for_each_lane(lanes, [&](unsigned lane) { pack(step, lane); }); break;
    case Action::unpack: for_each_lane(lanes, [&](unsigned lane) { unpack(step, lane); }); break;
    case Action::convert_address: for_each_lane(lanes, [&](unsigned lane) { convert_address(step, lane); }); break;
    case Action::active_mask:
      for_each_lane(lanes, [&](unsigned lane) { write(step.destinations.front(), lane, lanes); });
      break;
    case Action::vote: vote(step, lanes); break;
    case Action::shuffle: shuffle(step, lanes); break;
    case Action::reduce_warp: reduce(step, lanes); break;
    default: break;
  }
}

}  // namespace warpspan::reference
