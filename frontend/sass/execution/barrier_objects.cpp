// SPDX-License-Identifier: GPL-3.0-or-later
// Barrier objects in shared memory (mbarrier, PTX ISA 9.0, 9.7.13.15): who arrives, and whether a phase is over. The
// object is not kept as the bits that the machine has of it, but its first state and states that are told have them: a
// phase is bit 63, and 2^20 less the count of arrivals stands at bits 1 and 43.
#include "frontend/sass/execution/warp.hpp"

namespace warpspan::execution {

namespace {

using Kind = ir::TracedRequest::Kind;

constexpr uint32_t count_bits = 20, phase_of_word = 31;

}  // namespace

void BarrierObject::change(int64_t arrivals, int64_t more_bytes) {
  pending -= arrivals;
  bytes += more_bytes;
  if (pending > 0 || bytes != 0) return;
  pending = expected;
  phase = !phase;
}

// SYNCS.EXCH: the first state.
void Warp::make_barrier_object() {
  constexpr uint32_t none = uint32_t{1} << count_bits;
  const Places places = places_of(Space::shared, addresses(operand(ready_->address)), lanes_ & (0 - lanes_));
  note_access(Kind::shared, places, 8);
  if (writes(0) || writes(1)) return refuse();
  const uint32_t low = word(ready_->address + 1U)[first_lane(lanes_)];
  BarrierObject object;
  object.expected = object.pending = none - (low >> 1 & (none - 1));
  block_.barrier_objects[places.address[first_lane(lanes_)] & UINT32_MAX] = object;
}

// SYNCS.ARRIVE: each lane arrives, announces bytes that copies are to bring, or tells that they are there.
void Warp::arrive_at_object() {
  enum Mode : unsigned { arrives_and_expects = 0, arrives = 1, expects = 3, brings = 4, arrives_often = 5 };
  constexpr unsigned mode_at = 84;
  const Places places = places_of(Space::shared, addresses(operand(ready_->address)), lanes_);
  note_access(Kind::shared_atomic, places, 8);
  const unsigned mode = field(mode_at, 3);
  if (mode != arrives_and_expects && mode != arrives && mode != expects && mode != brings && mode != arrives_often)
    return refuse();
  const Words given = word(ready_->address + 1U);
  Longs state{};
  for_each_lane(lanes_, [&](unsigned i) {
    BarrierObject& object = block_.barrier_objects[places.address[i] & UINT32_MAX];
    state[i] = uint64_t{object.phase} << (32 + phase_of_word);
    const int64_t number = given[i];
    const bool is_one = mode == arrives || mode == arrives_and_expects;
    object.change(is_one                  ? 1
                  : mode == arrives_often ? number
                                          : 0,
                  mode == expects || mode == arrives_and_expects ? number
                  : mode == brings                               ? -number
                                                                 : 0);
  });
  if (writes(0)) set_pair(0, state);
}

// SYNCS.PHASECHK: whether the phase is over that a state or a parity names. A try waits until it is, as long as
// somebody else of the block moves, and then gives up.
void Warp::test_barrier_object() {
  constexpr unsigned tries = 72;
  const Places places = places_of(Space::shared, addresses(operand(ready_->address)), lanes_);
  const Words named = word(ready_->address + 1U);
  const LaneSet over = lanes_ & lanes_with([&](unsigned i) {
                         const auto object = block_.barrier_objects.find(places.address[i] & UINT32_MAX);
                         const bool phase = object != block_.barrier_objects.end() && object->second.phase;
                         return phase != ((named[i] >> phase_of_word & 1) != 0);
                       });
  const bool waits = bit(tries) && over != lanes_;
  if (waits && !gives_up_) {
    suspended_ = true;
    return;
  }
  if (waits) gives_up_ = false;
  note_access(Kind::shared, places, 8);
  if (waits) trace_.requests.back().kind = Kind::gave_up;
  set_flag(0, over);
}

}  // namespace warpspan::execution
