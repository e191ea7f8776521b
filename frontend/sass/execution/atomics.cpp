// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics and reductions of memory. Lanes follow one another in order; any order would do for the machine.
#include <array>
#include <bit>
#include <optional>

#include "frontend/sass/execution/warp.hpp"
#include "frontend/sass/words/operation_kind.hpp"

namespace warpspan::execution {

namespace {

struct AtomicType {
  int bits = 32;
  bool is_signed = false;
  bool is_float = false;
};

// of_floats: opcodes of sm_90 and later for floating-point numbers.
std::optional<AtomicType> atomic_type(unsigned type, int architecture, bool of_floats) {
  if (of_floats) {
    if (type == 9) return AtomicType{32, true, true};
    if (type == 15) return AtomicType{64, true, true};
    return std::nullopt;
  }
  const bool late = architecture >= 90;
  switch (late ? type & 7 : type) {
    case 0: return AtomicType{32, false, false};
    case 1: return AtomicType{32, true, false};
    case 2: return AtomicType{64, false, false};
    case 3: return late ? AtomicType{64, true, false} : AtomicType{32, true, true};
    case 5: return late ? std::nullopt : std::optional(AtomicType{64, true, false});
    case 6: return late ? std::nullopt : std::optional(AtomicType{64, true, true});
    default: return std::nullopt;
  }
}

uint64_t float_sum(int bits, uint64_t old, uint64_t given) {
  if (bits == 64) return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(given));
  const auto part = [](uint64_t value) { return std::bit_cast<float>(static_cast<uint32_t>(value)); };
  return std::bit_cast<uint32_t>(part(old) + part(given));
}

// ADD MIN MAX INC DEC AND OR XOR EXCH; PTX ISA 9.0, 9.7.13.5. Of numbers that have `type.bits`, without sign.
uint64_t updated(unsigned operation, const AtomicType& type, uint64_t old, uint64_t given) {
  if (type.is_float && operation == 0) return float_sum(type.bits, old, given);
  const uint64_t shifted = type.is_signed ? uint64_t{1} << (type.bits - 1) : 0;
  const bool less = (given ^ shifted) < (old ^ shifted);
  switch (operation) {
    case 0: return old + given;
    case 1: return less ? given : old;
    case 2: return less ? old : given;
    case 3: return old >= given ? 0 : old + 1;
    case 4: return old == 0 || old > given ? given : old - 1;
    case 5: return old & given;
    case 6: return old | given;
    case 7: return old ^ given;
    default: return given;
  }
}

// ATOMS.POPC.INC adds the number of lanes, one for each.
bool is_increment(const sass::Instruction& instruction) {
  return instruction.mnemonic() == "ATOMS" && !instruction.modifier(Modifier::atomic_operation) &&
         sass::bit(instruction.word, 88) && sass::field(instruction.word, 73, 3) == 0;
}

// ATOMS.CAST, which code tries again, tries one word of each bank: a warp whose lanes have 32 words of one bank takes
// as many rounds as one whose lanes share a word (h_satom_h2_bank and h_satom_h2_same of samples/measured/h100.csv),
// and a round without conflicts takes two words of each bank where they have 64 bits (h_satom_u64_lanes).
LaneSet tried_at_once(const Longs& addresses, LaneSet lanes, unsigned bytes) {
  constexpr unsigned banks = 32, bytes_of_word = 4, most_parts = 2;
  const unsigned lanes_of_part = warp_lanes * bytes_of_word / bytes;
  std::array<std::array<std::optional<uint64_t>, banks>, most_parts> chosen;
  LaneSet tried = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    const uint64_t word = addresses[lane] / bytes_of_word;
    auto& of_bank = chosen[lane / lanes_of_part][word % banks];
    if (!of_bank) of_bank = word;
    if (*of_bank == word) tried |= LaneSet{1} << lane;
  });
  return tried;
}

}  // namespace

void Warp::atomic() {
  const size_t address = ready_->address;
  const bool increments = is_increment(instruction());
  const bool compares = instruction().mnemonic().ends_with(".CAS") || instruction().mnemonic().ends_with(".CAST");
  const bool operates = instruction().modifier(Modifier::atomic_operation).has_value();
  auto type = increments ? AtomicType{}
                         : atomic_type(modifier(Modifier::atomic_type), block_.program.code().architecture,
                                       sass::is_atomic_on_floats(instruction()));
  const unsigned operation = modifier(Modifier::atomic_operation);
  const bool known = type && (increments || compares || operates) && operation <= 8 &&
                     !(type->is_float && operation != 0 && operation != 8);
  if (!type) type = AtomicType{};
  const auto bytes = static_cast<unsigned>(type->bits / 8);
  Longs at = addresses(operand(address));
  for (uint64_t& each : at.lane) each &= ~uint64_t{bytes - 1};
  Places places = places_of(ready_->space, at, lanes_);
  if (ready_->space == Space::generic && sass::is_atomic_on_floats(instruction())) {
    // One that has a predicate leaves shared memory to the code behind it, and tells so.
    for (size_t i = 0; i < address; ++i) {
      if (!operand(i).is_predicate() || !writes(i)) continue;
      set_flag(i, ~places.shared);
      keep_lanes(~places.shared);
      places.shared = 0;
    }
    if (lanes_ == 0) return;
  }

  // The result is the register before the address, or of a reduction none.
  size_t result = address;
  for (size_t i = 0; i < address; ++i) {
    if (operand(i).register_class == sass::RegisterClass::general) result = i;
  }
  const bool returns = result != address && writes(result);
  mark_stored(places, of_memory);
  loaded_ |= of_memory;
  using Kind = ir::TracedRequest::Kind;
  const bool tells = compares && bit(87);  // .CAST: whether it was exchanged
  note_access(increments || tells ? Kind::shared_atomic : returns ? Kind::atomic : Kind::reduction, places, bytes);
  if (tells) places.shared = tried_at_once(places.address, places.shared, bytes);
  if (!known || (places.local != 0 && bytes == 8)) return refuse();

  const auto source = [&](size_t index) {
    if (bytes == 8) return pair(index);
    Longs values;
    const Words& words = word(index);
    for (unsigned i = 0; i < warp_lanes; ++i) values[i] = words[i];
    return values;
  };
  const Longs given = increments ? Longs{} : source(address + 1), replacement = compares ? source(address + 2) : given;
  Longs before{};
  LaneSet exchanged = 0;
  visit(places, 0, [&](Memory& memory, uint64_t place, unsigned i) {
    const uint64_t old = bytes == 8 ? memory.load<uint64_t>(place) : memory.load<uint32_t>(place);
    uint64_t next = old + 1;
    if (compares)
      next = old == given[i] ? replacement[i] : old;
    else if (!increments)
      next = updated(operation, *type, old, given[i]);
    if (old == given[i]) exchanged |= LaneSet{1} << i;
    before[i] = old;
    if (bytes == 8)
      memory.store<uint64_t>(place, next);
    else
      memory.store<uint32_t>(place, static_cast<uint32_t>(next));
  });
  for (size_t i = 0; i < address; ++i) {
    if (operand(i).is_predicate()) set_flag(i, compares ? exchanged : all_lanes);
  }
  if (result == address) return;
  if (tells) {
    for (unsigned i = 0; i < warp_lanes; ++i) before[i] = exchanged >> i & 1;
  }
  if (bytes == 8) return set_pair(result, before);
  Words low;
  for (unsigned i = 0; i < warp_lanes; ++i) low[i] = static_cast<uint32_t>(before[i]);
  set(result, low);
}

}  // namespace warpspan::execution
