// SPDX-License-Identifier: GPL-3.0-or-later
// How a warp accesses memory.
#include <algorithm>
#include <bit>

#include "frontend/sass/words/bits.hpp"
#include "tests/machine_code/interpreter/warp.hpp"

namespace warpspan::machine_code {

namespace {

using reference::IntegerType;
using reference::Piece;

constexpr unsigned size_32 = 4, size_128 = 6;  // of the modifier
constexpr unsigned sector_bytes = 32;

unsigned bytes_of_size(unsigned size) {
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  return bytes[size & 7];
}

// The type of an atomic: integers, or floating-point numbers of 32 or 64 bits.
struct AtomicType {
  int bits = 32;
  bool is_signed = false;
  bool is_float = false;
};

std::optional<AtomicType> atomic_type(unsigned type, int architecture, bool of_floats) {
  if (of_floats) {  // opcodes of sm_90 for floating-point numbers
    if (type == 9) return AtomicType{32, true, true};
    if (type == 15) return AtomicType{64, true, true};
    return std::nullopt;
  }
  switch (architecture >= 90 ? type & 7 : type) {
    case 0: return AtomicType{32, false, false};
    case 1: return AtomicType{32, true, false};
    case 2: return AtomicType{64, false, false};
    case 3: return architecture >= 90 ? AtomicType{64, true, false} : AtomicType{32, true, true};
    case 5: return architecture >= 90 ? std::nullopt : std::optional(AtomicType{64, true, false});
    case 6: return architecture >= 90 ? std::nullopt : std::optional(AtomicType{64, true, true});
    default: return std::nullopt;
  }
}

uint64_t float_sum(int bits, uint64_t old, uint64_t given) {
  if (bits == 64) return std::bit_cast<uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(given));
  const auto part = [](uint64_t value) { return std::bit_cast<float>(static_cast<uint32_t>(value)); };
  return std::bit_cast<uint32_t>(part(old) + part(given));
}

// ADD MIN MAX INC DEC AND OR XOR EXCH; PTX ISA 9.7.13.5.
std::optional<uint64_t> updated(unsigned operation, const AtomicType& type, uint64_t old, uint64_t given) {
  if (type.is_float) return operation == 0 ? std::optional(float_sum(type.bits, old, given)) : std::nullopt;
  const IntegerType t{type.bits, type.is_signed};
  const bool less = t.is_signed ? t.as_signed(given) < t.as_signed(old) : t.wrap(given) < t.wrap(old);
  switch (operation) {
    case 0: return old + given;
    case 1: return less ? given : old;
    case 2: return less ? old : given;
    case 3: return t.wrap(old) >= t.wrap(given) ? 0 : old + 1;
    case 4: return t.wrap(old) == 0 || t.wrap(old) > t.wrap(given) ? given : old - 1;
    case 5: return old & given;
    case 6: return old | given;
    case 7: return old ^ given;
    case 8: return given;
    default: return std::nullopt;
  }
}

enum class Kind : uint8_t { none, load, store, atomic };

Kind kind_of(std::string_view name) {
  const auto is = [name](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is({"LDG", "LDG.256", "LD", "LDS", "LDL"})) return Kind::load;
  if (is({"STG", "STG.256", "ST", "STS", "STL"})) return Kind::store;
  if (is({"ATOM", "ATOM.CAS", "ATOMG", "ATOMG.CAS", "ATOMS", "ATOMS.CAS", "RED", "REDG"})) return Kind::atomic;
  return Kind::none;
}

size_t address_operand(const sass::Instruction& instruction) {
  size_t index = 0;
  while (index < instruction.operand_count && instruction.operand_values[index].kind != sass::OperandKind::address)
    ++index;
  return index;
}

// POPC.INC, which adds the number of lanes, one for each.
bool is_increment(const sass::Instruction& instruction) {
  return instruction.mnemonic() == "ATOMS" && !instruction.modifier(Modifier::atomic_operation) &&
         sass::bit(instruction.word, 88) && sass::field(instruction.word, 73, 3) == 0;
}

}  // namespace

Warp::Place Warp::own_place(unsigned lane, uint64_t address) {
  return {&own_[lane], Piece::own_word, Space::local, address};
}

Warp::Place Warp::place_of(const Lane& lane, size_t index) {
  const sass::Operand& operand = lane.operand(index);
  const std::string_view name = lane.instruction().mnemonic();
  const bool shared = name.ends_with("DS") || name == "STS" || name.ends_with("SM") || name.starts_with("ATOMS");
  const bool local = name == "LDL" || name == "STL";
  uint64_t address = static_cast<uint64_t>(operand.value);
  if (operand.first != sass::no_register) {
    address += uint64_t{lane.general(operand.first)} * operand.scale;
    if (operand.count == 2) address += uint64_t{lane.general(operand.first + 1U)} << 32;
  }
  if (operand.second != sass::no_register && !operand.descriptor) {
    address += lane.uniform(operand.second);
    if (operand.second_count == 2) address += uint64_t{lane.uniform(operand.second + 1U)} << 32;
  }
  if (shared) return {&around_.shared, Piece::bank_way, Space::shared, address & UINT32_MAX};
  if (local) return own_place(lane.number(), address & UINT32_MAX);
  if (name == "LD" || name == "ST" || name == "ATOM" || name == "ATOM.CAS") {
    const uint64_t offset = address % reference::window_bytes;
    if (address / reference::window_bytes == reference::shared_window / reference::window_bytes)
      return {&around_.shared, Piece::bank_way, Space::shared, offset};
    if (address / reference::window_bytes == reference::local_window / reference::window_bytes)
      return own_place(lane.number(), offset);
  }
  return {&around_.global, Piece::line, Space::global, address};
}

// 256 bits: two operands of up to four words, the upper half of a load first, of which a mask says which are read.
void Warp::load_sector(Lane& lane, const Place& place) {
  const unsigned mask = lane.modifier(Modifier::sector_mask);
  std::array<unsigned, 2> further{};
  for (unsigned i = 0; i < 8; ++i) {
    const size_t operand = i < 4 ? 1 : 0;
    if ((mask >> i & 1) == 0 || !lane.writes(operand)) continue;
    lane.set(operand, static_cast<uint32_t>(place.memory->load(place.address + 4 * i, 4)), further[operand]++);
  }
}

void Warp::load(Lane& lane, const Place& place, unsigned size) {
  const unsigned bytes = bytes_of_size(size);
  if (bytes >= 4) {
    std::array<uint32_t, 4> words{};
    for (unsigned i = 0; i < bytes / 4; ++i)
      words[i] = static_cast<uint32_t>(place.memory->load(place.address + 4 * i, 4));
    for (unsigned i = 0; i < bytes / 4; ++i) lane.set(0, words[i], i);
    return;
  }
  const IntegerType type{static_cast<int>(8 * bytes), size == 1 || size == 3};
  lane.set(0, static_cast<uint32_t>(type.extend(place.memory->load(place.address, static_cast<int>(bytes)))));
}

void Warp::store(Lane& lane, const Place& place, unsigned size, size_t source) {
  const unsigned bytes = bytes_of_size(size);
  for (unsigned i = 0; i < std::max(bytes / 4, 1U); ++i)
    place.memory->store(place.address + 4 * i, static_cast<int>(std::min(bytes, 4U)), lane.register_word(source, i));
}

void Warp::update(Lane& lane, const Place& place, size_t address) {
  const std::string_view name = lane.instruction().mnemonic();
  const bool increment = is_increment(lane.instruction());
  const unsigned opcode = static_cast<unsigned>(sass::field(lane.instruction().word, 0, 9));
  const bool of_floats = opcode == 0x1a2 || opcode == 0x1a3 || opcode == 0x1a6;
  const auto type = increment
                        ? AtomicType{}
                        : atomic_type(lane.modifier(Modifier::atomic_type), around_.program.architecture, of_floats);
  const bool compares = name.ends_with(".CAS");
  if (!type || (!compares && !increment && !lane.instruction().modifier(Modifier::atomic_operation)))
    return lane.refuse("a type of atomics");
  const uint64_t old = place.memory->load(place.address, type->bits / 8);
  const auto source = [&](size_t index) { return type->bits == 64 ? lane.pair(index) : lane.word(index); };
  std::optional<uint64_t> next;
  if (increment)
    next = old + 1;
  else if (compares)
    next = old == source(address + 1) ? source(address + 2) : old;
  else
    next = updated(lane.modifier(Modifier::atomic_operation), *type, old, source(address + 1));
  if (!next) return lane.refuse("an operation of atomics");
  place.memory->store(place.address, type->bits / 8, *next);
  if (address == 0) return;
  if (type->bits == 64)
    lane.set_pair(address - 1, old);
  else
    lane.set(address - 1, static_cast<uint32_t>(old));
}

// Copies when it is issued: a thread may see what it copies no earlier than it has waited for it.
bool Warp::copy(Machine& machine, LaneSet lanes) {
  const sass::Instruction& instruction = machine.instruction;
  if (instruction.mnemonic() != "LDGSTS") return false;
  const unsigned bytes = bytes_of_size(instruction.modifier(Modifier::size).value_or(size_32));
  std::vector<reference::LaneAccess> from, to;
  for (unsigned number = 0; number < lanes_of_warp; ++number) {
    if ((lanes >> number & 1) == 0) continue;
    Lane lane(machine, number);
    Place source = place_of(lane, 1);
    uint64_t shared = static_cast<uint64_t>(instruction.operand_values[0].value);
    if (instruction.operand_values[0].first != sass::no_register)
      shared += lane.general(instruction.operand_values[0].first);
    if (instruction.operand_values[0].second != sass::no_register)
      shared += lane.uniform(instruction.operand_values[0].second);
    const Place target = {&around_.shared, Piece::bank_way, Space::shared, shared & UINT32_MAX};
    // How many of its bytes it leaves out stands in the lowest bits of the address.
    const uint64_t left_out = source.address % bytes;
    source.address -= left_out;
    if (target.address % bytes != 0) machine.refuse("an access that is not aligned");
    if (!machine.refusal.empty()) return true;
    const bool is_read = lane.flag(2);
    for (uint64_t i = 0; i < bytes; ++i) {
      const bool copies = is_read && i < bytes - left_out;
      target.memory->store(target.address + i, 1, copies ? source.memory->load(source.address + i, 1) : 0);
    }
    if (is_read) note_place(static_cast<uint32_t>(instruction.offset / sass::word_bytes), number, source, bytes);
    if (is_read) from.push_back({number, source.piece, source.address});
    to.push_back({number, target.piece, target.address});
  }
  ++record_.requests;
  const int64_t lines = reference::pieces(from, static_cast<int>(bytes));
  const int64_t ways = reference::pieces(to, static_cast<int>(bytes));
  note(machine, lines > ways ? from : to, bytes);
  if (around_.launch.notes_steps) trace_.steps.back().in_shared = false;
  return true;
}

void Warp::note_place(uint32_t index, unsigned lane, const Place& place, unsigned bytes) {
  if (!around_.launch.notes_accesses) return;
  const auto warps = static_cast<uint32_t>(record_.warps.size());  // of the blocks before
  record_.accesses.push_back({index, warps + number_, around_.block_of_run, record_.requests, lane, place.space,
                              place.address, static_cast<int>(bytes)});
}

void Warp::note(const Machine& machine, const std::vector<reference::LaneAccess>& accesses, unsigned bytes) {
  const size_t index = machine.instruction.offset / sass::word_bytes;
  const int64_t count = reference::pieces(accesses, static_cast<int>(bytes));
  own_record_.pieces[index] += count;
  if (around_.launch.notes_steps) {
    trace_.steps.back().pieces = static_cast<uint16_t>(count);
    const auto is_shared = [](const reference::LaneAccess& access) { return access.piece == Piece::bank_way; };
    trace_.steps.back().in_shared = std::all_of(accesses.begin(), accesses.end(), is_shared);
  }
  record_.most_pieces[index] = std::max(record_.most_pieces[index], count);
}

bool Warp::access(Machine& machine, LaneSet lanes) {
  const sass::Instruction& instruction = machine.instruction;
  const Kind kind = kind_of(instruction.mnemonic());
  const size_t address = address_operand(instruction);
  if (kind == Kind::none || address == instruction.operand_count) return false;
  for (size_t i = 0; i < address; ++i) {
    const sass::Operand& operand = instruction.operand_values[i];
    if (operand.register_class == sass::RegisterClass::predicate && operand.first != sass::no_register)
      machine.refuse("a predicate as the result of an access");
  }
  const bool is_sector = instruction.mnemonic().ends_with(".256");
  const unsigned size = is_sector ? size_128 : instruction.modifier(Modifier::size).value_or(size_32);
  const auto width = [&](size_t operand) { return 4U * instruction.operand_values[operand].count; };
  const unsigned bytes = kind == Kind::atomic ? (is_increment(instruction) ? 4 : width(address == 0 ? 1 : address - 1))
                         : is_sector          ? sector_bytes
                                              : bytes_of_size(size);
  std::vector<reference::LaneAccess> accesses;
  for (unsigned number = 0; number < lanes_of_warp; ++number) {
    if ((lanes >> number & 1) == 0) continue;
    Lane lane(machine, number);
    const Place place = place_of(lane, address);
    if (place.address % bytes != 0) machine.refuse("an access that is not aligned");
    if (!machine.refusal.empty()) return true;
    note_place(static_cast<uint32_t>(instruction.offset / sass::word_bytes), number, place, bytes);
    accesses.push_back({number, kind == Kind::atomic ? Piece::lane : place.piece, place.address});
    if (is_sector && kind == Kind::load)
      load_sector(lane, place);
    else if (kind == Kind::load)
      load(lane, place, size);
    if (kind == Kind::store) store(lane, place, size, address + 1);
    if (is_sector && kind == Kind::store) {
      Place second = place;
      second.address += sector_bytes / 2;
      store(lane, second, size, address + 2);
    }
    if (kind == Kind::atomic) update(lane, place, address);
  }
  ++record_.requests;
  note(machine, accesses, bytes);
  return true;
}

}  // namespace warpspan::machine_code
