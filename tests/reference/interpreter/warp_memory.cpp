// SPDX-License-Identifier: GPL-3.0-or-later
// How a warp accesses memory.
#include <algorithm>
#include <bit>

#include "tests/reference/interpreter/floats.hpp"
#include "tests/reference/interpreter/integers.hpp"
#include "tests/reference/interpreter/warp.hpp"

namespace warpspan::reference {

namespace {

int element_bytes(const Step& step) { return std::max(ptx::bits(step.form->type()) / 8, 1); }

int lane_bytes(const Step& step) { return element_bytes(step) * step.form->vector_size; }

// The new contents for an atomic operation; PTX ISA 9.7.13.5.
uint64_t updated(const ptx::Form& form, uint64_t old, uint64_t given, uint64_t other) {
  const ptx::Type type = form.type();
  if (is_float(type)) return float_bits(type, float_value(type, old) + float_value(type, given));
  const IntegerType t = integer_type(type);
  const bool less = t.is_signed ? t.as_signed(given) < t.as_signed(old) : t.wrap(given) < t.wrap(old);
  if (form.has("add")) return old + given;
  if (form.has("and")) return old & given;
  if (form.has("or")) return old | given;
  if (form.has("xor")) return old ^ given;
  if (form.has("exch")) return given;
  if (form.has("cas")) return t.wrap(old) == t.wrap(given) ? other : old;
  if (form.has("min")) return less ? given : old;
  if (form.has("max")) return less ? old : given;
  if (form.has("inc")) return t.wrap(old) >= t.wrap(given) ? 0 : old + 1;
  return t.wrap(old) == 0 || t.wrap(old) > t.wrap(given) ? given : old - 1;  // dec
}

}  // namespace

Warp::Place Warp::place_of(const Step& step, unsigned lane) {
  const Program& program = around_.subject.program;
  uint64_t address = value(step.base, lane) + static_cast<uint64_t>(step.offset);
  if (step.base.kind == Source::Kind::reg) address &= low_bits(program.register_bits[step.base.index]);
  ir::MemorySpace space = step.form->operation.space;
  if (space == ir::MemorySpace::generic) {
    switch (address / window_bytes) {
      case shared_window / window_bytes: space = ir::MemorySpace::shared; break;
      case local_window / window_bytes: space = ir::MemorySpace::local; break;
      case parameter_window / window_bytes: space = ir::MemorySpace::parameter; break;
      default: return {&around_.global, Piece::line, address};
    }
    address %= window_bytes;
  }
  switch (space) {
    case ir::MemorySpace::shared: return {around_.shared, Piece::bank_way, address};
    case ir::MemorySpace::local: return {&own_[lane], Piece::own_word, address};
    case ir::MemorySpace::parameter:
      if (address < first_function_parameter) return {&around_.parameters, Piece::address, address};
      return {&own_[lane], Piece::own_word, address};
    case ir::MemorySpace::constant: return {&around_.global, Piece::address, address};
    default: return {&around_.global, Piece::line, address};
  }
}

void Warp::load(const Step& step, const Place& place, unsigned lane) {
  const IntegerType t = integer_type(step.form->type());
  const int bytes = element_bytes(step);
  uint64_t address = place.address;
  for (const uint32_t destination : step.destinations) {
    write(destination, lane, t.extend(place.memory->load(address, bytes)));
    address += static_cast<uint64_t>(bytes);
  }
}

void Warp::store(const Step& step, const Place& place, unsigned lane) {
  const int bytes = element_bytes(step);
  uint64_t address = place.address;
  for (const Source& source : step.sources) {
    place.memory->store(address, bytes, value(source, lane));
    address += static_cast<uint64_t>(bytes);
  }
}

void Warp::update(const Step& step, const Place& place, unsigned lane) {
  const int bytes = element_bytes(step);
  const uint64_t old = place.memory->load(place.address, bytes);
  const uint64_t given = value(step.sources[0], lane);
  const uint64_t other = step.sources.size() > 1 ? value(step.sources[1], lane) : 0;
  if (!step.destinations.empty()) {
    write(step.destinations.front(), lane, integer_type(step.form->type()).extend(old));
  }
  place.memory->store(place.address, bytes, updated(*step.form, old, given, other));
  last_atomic_ = {place.memory, place.address, bytes, place.memory->load(place.address, bytes)};
}

void Warp::note_place(uint32_t index, const Place& place, int bytes, unsigned lane) {
  if (!around_.situation.notes_places || place.piece != Piece::line) return;
  const uint32_t warp = around_.block_of_run * around_.warps_of_block + number_;
  record_.places.push_back({index, warp, around_.block_of_run, record_.requests, place.address, bytes, lane});
}

bool Warp::access(uint32_t index, const Step& step, LaneSet lanes) {
  const int bytes = lane_bytes(step);
  std::vector<LaneAccess> accesses;
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const Place place = place_of(step, lane);
    if (place.address % static_cast<uint64_t>(bytes) != 0) return false;
    note_place(index, place, bytes, lane);
    accesses.push_back({lane, step.action == Action::atomic ? Piece::lane : place.piece, place.address});
    switch (step.action) {
      case Action::load: load(step, place, lane); break;
      case Action::store: store(step, place, lane); break;
      default: update(step, place, lane); break;
    }
  }
  ++record_.requests;
  const int64_t count = pieces(accesses, bytes);
  own_record_.pieces[index] += count;
  record_.most_pieces[index] = std::max(record_.most_pieces[index], count);
  return true;
}

}  // namespace warpspan::reference
