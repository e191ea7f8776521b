// SPDX-License-Identifier: GPL-3.0-or-later
// What lanes tell each other, and what they are told about themselves.
#include <bit>

#include "frontend/sass/execution/table.hpp"
#include "frontend/sass/execution/warp.hpp"
#include "frontend/sass/words/opcode_table.hpp"

namespace warpspan::execution {

uint64_t Warp::special(int64_t which, unsigned lane) {
  const LaneSet own = LaneSet{1} << lane;
  const ir::Extent& block = block_.block;
  const int64_t thread = int64_t{number_} * warp_lanes + lane;
  switch (which) {
    case 0: return lane;
    case 33: return static_cast<uint64_t>(thread % block.x);
    case 34: return static_cast<uint64_t>(thread / block.x % block.y);
    case 35: return static_cast<uint64_t>(thread / (block.x * block.y));
    case 37: return static_cast<uint64_t>(block_.place.x);
    case 38: return static_cast<uint64_t>(block_.place.y);
    case 39: return static_cast<uint64_t>(block_.place.z);
    case 47: return shared_window >> 32;
    case 56: return own;
    case 57: return own - 1;
    case 58: return own | (own - 1);
    case 59: return ~(own | (own - 1));
    case 60: return ~(own - 1);
    case 80:
    case 82: return static_cast<uint64_t>(block_.steps_before + block_.steps);  // for want of a clock
    case 138: return 1;                                                         // blocks of a cluster
    case 55:  // where local memory begins that functions may use as their stack
    case 67:  // the multiprocessor
    case 81:
    case 83:
    case 136:  // the block in its cluster
    case 255: return 0;
    default: refuse(); return 0;
  }
}

void Warp::special_register() {
  Longs values{};
  for_each_lane(lanes_, [&](unsigned lane) { values[lane] = special(operand(1).value, lane); });
  if (operand(0).count == 2) return set_pair(0, values);
  Words low;
  for (unsigned i = 0; i < warp_lanes; ++i) low[i] = static_cast<uint32_t>(values[i]);
  set(0, low);
}

// The lanes that say so go to the first result, what is asked to the second: ALL ANY EQ.
void Warp::vote() {
  const LaneSet yes = flag(2) & lanes_;
  const unsigned kind = modifier(Modifier::vote);
  const bool all = yes == lanes_, none = yes == 0;
  if (kind > 2) return refuse();
  Words value;
  value.lane.fill(yes);
  set(0, value);
  const bool outcome = kind == 0 ? all : kind == 1 ? !none : all || none;
  set_flag(1, outcome ? all_lanes : 0);
}

// As shfl of PTX ISA 9.7.9.6: IDX UP DOWN BFLY. A lane that reads from one that is not there keeps its own value.
void Warp::shuffle() {
  const Words given = word(2);
  const Words &distances = word(3), &controls = word(4);
  const unsigned kind = modifier(Modifier::shuffle);
  Words result = given;
  LaneSet valid = 0;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    const int distance = static_cast<int>(distances[lane] & 31), own = static_cast<int>(lane);
    const int clamp = static_cast<int>(controls[lane] & 31), segment = static_cast<int>(controls[lane] >> 8 & 31);
    const int most = (own & segment) | (clamp & ~segment);
    int from = (own & segment) | (distance & ~segment);
    if (kind == 1) from = own - distance;
    if (kind == 2) from = own + distance;
    if (kind == 3) from = own ^ distance;
    if (!(kind == 1 ? from >= most : from <= most)) continue;
    valid |= LaneSet{1} << lane;
    if (from >= 0 && from < 32 && (lanes_ >> from & 1) != 0) result[lane] = given[static_cast<unsigned>(from)];
  }
  set(1, result);
  set_flag(0, valid);
}

// ANY: the lanes that have the same value. ALL: all lanes, if all have the same, else none.
void Warp::match() {
  const bool wide = has(Modifier::wide);
  Longs values{};
  if (wide) {
    values = pair(2);
  } else {
    const Words& words = word(2);
    for (unsigned i = 0; i < warp_lanes; ++i) values[i] = words[i];
  }
  ir::TracedRequest request;
  request.kind = ir::TracedRequest::Kind::match;
  request.lanes = static_cast<uint8_t>(std::popcount(lanes_));
  request.bytes = wide ? 8 : 4;
  request.serial = 0;
  Words same{};
  for (LaneSet rest = lanes_; rest != 0;) {
    const uint64_t value = values[first_lane(rest)];
    const LaneSet equal = lanes_ & lanes_with([&](unsigned i) { return values[i] == value; });
    for_each_lane(equal, [&](unsigned i) { same[i] = equal; });
    rest &= ~equal;
    ++request.serial;
  }
  note(request);
  if (has(Modifier::any)) return set(1, same);
  if (request.serial > 1) same.lane.fill(0);
  set(1, same);
  set_flag(0, request.serial == 1 ? all_lanes : 0);
}

// AND OR XOR SUM MIN MAX.
void Warp::reduce() {
  const Words& values = word(1);
  const uint32_t shifted = has(Modifier::is_signed) ? uint32_t{1} << 31 : 0;
  const unsigned kind = modifier(Modifier::reduction);
  uint32_t result = values[first_lane(lanes_)];
  for_each_lane(lanes_ & (lanes_ - 1), [&](unsigned i) {
    const uint32_t own = values[i];
    const bool less = (own ^ shifted) < (result ^ shifted);
    switch (kind) {
      case 0: result &= own; break;
      case 1: result |= own; break;
      case 2: result ^= own; break;
      case 3: result += own; break;
      case 4: result = less ? own : result; break;
      case 5: result = less ? result : own; break;
      default: refuse();
    }
  });
  Words all;
  all.lane.fill(result);
  set(0, all);
}

// R2UR: the value of one lane; the predicate tells which lanes have another one, with .OR besides those that it told
// of before. So loops over lanes with different values end: lanes for which it is true go on.
void Warp::to_uniform() {
  const Words values = word(2);
  const uint32_t value = values[first_lane(lanes_)];
  Words all;
  all.lane.fill(value);
  set(1, all);
  const LaneSet before = has(Modifier::joined) ? flag(0) : 0;
  set_flag(0, before | lanes_with([&](unsigned i) { return values[i] != value; }));
}

void Warp::elect() {
  const LaneSet first = lanes_ & (0 - lanes_);
  Words number;
  number.lane.fill(first_lane(lanes_));
  set(1, number);
  set_flag(0, first);
}

// What BAR.RED has counted; the predicate is all of AND, and any of OR.
void Warp::barrier_result() {
  constexpr unsigned conjunction = 1;
  Words count;
  count.lane.fill(reduced_agreeing_);
  set(0, count);
  const bool all = reduction_ == conjunction;
  set_flag(1, (all ? reduced_agreeing_ == reduced_lanes_ : reduced_agreeing_ > 0) ? all_lanes : 0);
}

Effect Warp::effect_of(const sass::Instruction& instruction) {
  static constexpr Row<Effect> rows[] = {
      {"S2R", &Warp::special_register},
      {"S2UR", &Warp::special_register},
      {"CS2R", &Warp::special_register},
      {"CS2UR", &Warp::special_register},
      {"VOTE", &Warp::vote},
      {"VOTEU", &Warp::vote},
      {"SHFL", &Warp::shuffle},
      {"MATCH", &Warp::match},
      {"REDUX", &Warp::reduce},
      {"R2UR", &Warp::to_uniform},
      {"ELECT", &Warp::elect},
      {"B2R", &Warp::barrier_result},
      {"LDG", &Warp::load},
      {"LD", &Warp::load},
      {"LDS", &Warp::load},
      {"LDL", &Warp::load},
      {"STG", &Warp::store},
      {"ST", &Warp::store},
      {"STS", &Warp::store},
      {"STL", &Warp::store},
      {"LDSM", &Warp::load_matrices},
      {"STSM", &Warp::store_matrices},
      {"LDGSTS", &Warp::copy_to_shared},
      {"LDC", &Warp::load_constant},
      {"ULDC", &Warp::load_constant},
      {"LDCU", &Warp::load_constant},
      {"ATOM", &Warp::atomic},
      {"ATOM.CAS", &Warp::atomic},
      {"ATOMG", &Warp::atomic},
      {"ATOMG.CAS", &Warp::atomic},
      {"ATOMS", &Warp::atomic},
      {"ATOMS.CAS", &Warp::atomic},
      {"ATOMS.CAST", &Warp::atomic},
      {"RED", &Warp::atomic},
      {"REDG", &Warp::atomic},
      {"NANOSLEEP", &Warp::sleep},
      {"USETMAXREG", &Warp::set_registers},
      {"CCTL", &Warp::name_lines},
      {"UBLKCP", &Warp::copy_from_shared},
      {"UBLKRED", &Warp::copy_from_shared},
      {"QSPC", &Warp::query_space},
      {"SYNCS.EXCH", &Warp::make_barrier_object},
      {"SYNCS.ARRIVE", &Warp::arrive_at_object},
      {"SYNCS.PHASECHK", &Warp::test_barrier_object},
  };
  if (instruction.opcode->unit == sass::Unit::texture) return &Warp::texture;
  return find_row<Effect>(rows, instruction.mnemonic());
}

}  // namespace warpspan::execution
