// SPDX-License-Identifier: GPL-3.0-or-later
// What goes on while a warp does something else, and what it waits for without a result.
#include <algorithm>
#include <bit>

#include "frontend/sass/execution/warp.hpp"
#include "frontend/sass/words/operation_kind.hpp"

namespace warpspan::execution {

namespace {

using Kind = ir::TracedRequest::Kind;

constexpr unsigned spaces_of_copy = 73;  // of the word, two bits, as observed
constexpr unsigned shared_to_global = 2;

}  // namespace

// NANOSLEEP: lanes may say different times; the warp goes on after the mean of them.
void Warp::sleep() {
  const Words& nanoseconds = word(0);
  uint64_t sum = 0;
  for_each_lane(lanes_, [&](unsigned i) { sum += nanoseconds[i]; });
  ir::TracedRequest request;
  request.kind = Kind::sleep;
  request.lanes = static_cast<uint8_t>(std::popcount(lanes_));
  request.first = static_cast<uint32_t>(sum / static_cast<uint64_t>(std::popcount(lanes_)));
  note(request);
}

// USETMAXREG: registers that a warp asks for are there.
void Warp::set_registers() {
  if (operand(0).is_predicate()) set_flag(0, all_lanes);
}

// CCTL of lines that lanes name.
void Warp::name_lines() {
  if (ready_->address >= instruction().operand_count || sass::is_of_whole_cache(instruction())) return;
  note_access(Kind::line, places_of(Space::global, addresses(operand(ready_->address)), lanes_), 1);
}

// UBLKCP and UBLKRED from shared memory: to where, from where, and how many times 16 bytes. What arrives is what lies
// there when the copy is issued: nobody may write to it before the copy has read it. Sums are not known here.
void Warp::copy_from_shared() {
  constexpr unsigned piece = 16;
  constexpr uint64_t most_bytes = uint64_t{1} << 18;  // no block has more shared memory
  if (field(spaces_of_copy, 2) != shared_to_global) return refuse();
  const uint64_t to = registers_.uniform[operand(0).first] | uint64_t{registers_.uniform[operand(0).first + 1U]} << 32;
  const uint64_t from = word(1)[first_lane(lanes_)] & UINT32_MAX;
  const uint64_t bytes = std::min(uint64_t{word(2)[first_lane(lanes_)]} * piece, most_bytes);
  const bool is_copy = instruction().mnemonic() == "UBLKCP";
  block_.deciding |= origins_of(ready_->reads);
  ir::TracedRequest request;
  request.kind = is_copy ? Kind::bulk_store : Kind::bulk_reduction;
  request.lanes = 1;
  request.first = static_cast<uint32_t>(trace_.sectors.size());
  for (uint64_t sector = to / ir::sector_bytes; sector * ir::sector_bytes < to + bytes; ++sector)
    trace_.sectors.push_back(sector);
  request.count = static_cast<uint32_t>(trace_.sectors.size()) - request.first;
  note(request);
  if (!is_copy) return refuse();
  for (uint64_t byte = 0; byte < bytes; byte += 4)
    block_.global.store<uint32_t>((to & ~uint64_t{3}) + byte,
                                  block_.shared.load<uint32_t>((from & ~uint64_t{3}) + byte));
}

// QSPC: whether an address is one of shared memory.
void Warp::query_space() {
  constexpr unsigned space = 73, of_shared = 2;  // of the word, as observed
  if (field(space, 2) != of_shared || !operand(0).is_predicate()) return refuse();
  set_flag(0, places_of(Space::generic, addresses(operand(ready_->address)), lanes_).shared);
}

}  // namespace warpspan::execution
