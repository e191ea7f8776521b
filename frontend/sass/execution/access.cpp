// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores of all memories.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "frontend/sass/execution/warp.hpp"
#include "frontend/sass/words/operation_kind.hpp"

namespace warpspan::execution {

namespace {

using Kind = ir::TracedRequest::Kind;

constexpr unsigned size_32 = 4;  // of Modifier::size

constexpr unsigned shape_of_texels = 61;                          // of TLD, as observed
constexpr uint64_t first_sector_of_textures = uint64_t{1} << 45;  // where no array of a launch lies

unsigned bytes_of_size(unsigned size) {
  constexpr unsigned bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  return bytes[size & 7];
}

bool is_signed_size(unsigned size) { return size == 1 || size == 3; }

uint32_t extended(uint32_t value, unsigned size) {
  switch (size) {
    case 0: return value & 0xff;
    case 1: return static_cast<uint32_t>(int32_t{static_cast<int8_t>(value)});
    case 2: return value & 0xffff;
    case 3: return static_cast<uint32_t>(int32_t{static_cast<int16_t>(value)});
    default: return value;
  }
}

}  // namespace

Longs Warp::addresses(const sass::Operand& operand) const {
  uint64_t base = static_cast<uint64_t>(operand.value);
  if (operand.second != sass::no_register && !operand.descriptor) {
    base += registers_.uniform[operand.second];
    if (operand.second_count == 2) base += uint64_t{registers_.uniform[operand.second + 1U]} << 32;
  }
  Longs addresses;
  addresses.lane.fill(base);
  if (operand.first == sass::no_register) return addresses;
  const Words& low = registers_.general[operand.first];
  const uint64_t scale = operand.scale;
  for (unsigned i = 0; i < warp_lanes; ++i) addresses[i] += low[i] * scale;
  if (operand.count != 2) return addresses;
  const Words& high = registers_.general[operand.first + 1U];
  for (unsigned i = 0; i < warp_lanes; ++i) addresses[i] += uint64_t{high[i]} << 32;
  return addresses;
}

// Words of the lanes' own memory lie side by side, as a warp accesses them.
Warp::Places Warp::places_of(Space space, Longs addresses, LaneSet lanes) const {
  Places places;
  if (space == Space::generic) {
    places.shared =
        lanes & lanes_with([&](unsigned i) { return addresses[i] / window_bytes == shared_window / window_bytes; });
    places.local =
        lanes & lanes_with([&](unsigned i) { return addresses[i] / window_bytes == local_window / window_bytes; });
    places.global = lanes & ~(places.shared | places.local);
  } else {
    (space == Space::shared ? places.shared : space == Space::local ? places.local : places.global) = lanes;
  }
  for_each_lane(places.shared | places.local, [&](unsigned i) { addresses[i] &= UINT32_MAX; });
  for_each_lane(places.local,
                [&](unsigned i) { addresses[i] = addresses[i] / 4 * (4 * warp_lanes) + i * 4 + addresses[i] % 4; });
  places.address = addresses;
  return places;
}

void Warp::mark_loaded(const Places& places) {
  block_.deciding |= origins_of(ready_->address_reads);
  if (places.global != 0) loaded_ |= of_memory;
  if (places.shared != 0) loaded_ |= block_.shared_origins;
  if (places.local != 0) loaded_ |= own_origins_;
}

void Warp::mark_stored(const Places& places, Origins origins) {
  block_.deciding |= origins_of(ready_->address_reads);
  if (places.shared != 0) block_.shared_origins |= origins;
  if (places.local != 0) own_origins_ |= origins;
}

namespace {

// Accesses are taken to be aligned, as the machine demands it of them.
Longs aligned(Longs addresses, unsigned bytes) {
  for (unsigned i = 0; i < warp_lanes; ++i) addresses[i] &= ~uint64_t{bytes - 1};
  return addresses;
}

}  // namespace

template <typename Value>
void Warp::load_word(const Places& places, unsigned word, Words& values) {
  if (places.global != 0) block_.global.load<Value>(places.address, places.global, 4 * word, values);
  if (places.shared != 0) block_.shared.load<Value>(places.address, places.shared, 4 * word, values);
  if (places.local != 0) own().load<Value>(places.address, places.local, 4 * warp_lanes * word, values);
}

template <typename Value>
void Warp::store_word(const Places& places, unsigned word, const Words& values) {
  if (places.global != 0) block_.global.store<Value>(places.address, places.global, 4 * word, values);
  if (places.shared != 0) block_.shared.store<Value>(places.address, places.shared, 4 * word, values);
  if (places.local != 0) own().store<Value>(places.address, places.local, 4 * warp_lanes * word, values);
}

void Warp::load() {
  const unsigned size = instruction().modifier(Modifier::size).value_or(size_32), bytes = bytes_of_size(size);
  const Places places = places_of(ready_->space, aligned(addresses(operand(ready_->address)), bytes), lanes_);
  mark_loaded(places);
  note_access(ir::TracedRequest::Kind::load, places, bytes);
  Words values{};
  for (unsigned word = 0; word < std::max(bytes / 4, 1U); ++word) {
    if (bytes >= 4)
      load_word<uint32_t>(places, word, values);
    else if (bytes == 2)
      load_word<uint16_t>(places, word, values);
    else
      load_word<uint8_t>(places, word, values);
    if (is_signed_size(size)) {
      for (uint32_t& value : values.lane) value = extended(value, size);
    }
    set(0, values, word);
  }
  for (size_t i = 1; i < ready_->address; ++i) {
    if (operand(i).is_predicate()) set_flag(i, all_lanes);
  }
}

void Warp::store() {
  const unsigned size = instruction().modifier(Modifier::size).value_or(size_32), bytes = bytes_of_size(size);
  const Places places = places_of(ready_->space, aligned(addresses(operand(ready_->address)), bytes), lanes_);
  mark_stored(places, origins_of(ready_->reads));
  note_access(ir::TracedRequest::Kind::store, places, bytes);
  const size_t source = ready_->address + 1U;
  const bool none = operand(source).is_fixed_register();
  for (unsigned word = 0; word < std::max(bytes / 4, 1U); ++word) {
    const Words& values = none ? bare(source) : bare(source, word);
    if (bytes >= 4)
      store_word<uint32_t>(places, word, values);
    else if (bytes == 2)
      store_word<uint16_t>(places, word, values);
    else
      store_word<uint8_t>(places, word, values);
  }
}

// LDGSTS copies when it is issued: a thread may see what it copies no earlier than it has waited for it. How many bytes
// it leaves out stands in the lowest bits of the address; what is not copied becomes 0.
void Warp::copy_to_shared() {
  const unsigned bytes = bytes_of_size(instruction().modifier(Modifier::size).value_or(size_32));
  const LaneSet reads = lanes_ & (instruction().operand_count > 2 ? flag(2) : all_lanes);
  const Longs to = addresses(operand(0)), given = addresses(operand(1)), from = aligned(given, bytes);
  const Places places = places_of(Space::global, from, reads);
  mark_loaded(places);
  block_.shared_origins |= of_memory;
  note_access(ir::TracedRequest::Kind::copy, places, bytes);
  for_each_lane(lanes_, [&](unsigned i) {
    const uint64_t shared = to[i] & UINT32_MAX & ~uint64_t{bytes - 1}, kept = bytes - (given[i] - from[i]);
    for (uint64_t byte = 0; byte < bytes; ++byte) {
      const bool copies = (reads >> i & 1) != 0 && byte < kept;
      block_.shared.store<uint8_t>(shared + byte, copies ? block_.global.load<uint8_t>(from[i] + byte) : uint8_t{0});
    }
  });
}

// Of each matrix 8 lanes say where its rows of 16 bytes are; a lane gets word l % 4 of row l / 4, or, transposed (bit
// 78), the elements of 16 bits at column l / 4 of rows 2 (l % 4) and the next.
void Warp::load_matrices() {
  const unsigned matrices = std::clamp<unsigned>(operand(0).count, 1, 4);
  const auto givers = static_cast<LaneSet>((uint64_t{1} << 8 * matrices) - 1);
  const Longs rows = aligned(addresses(operand(ready_->address)), 16);
  const Places places = places_of(Space::shared, rows, givers & lanes_);
  mark_loaded(places);
  note_access(ir::TracedRequest::Kind::shared, places, 16);
  if (bit(80) || bit(77)) return refuse();
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    Words values;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
      const auto element = [&](unsigned row, unsigned column) {
        return uint32_t{block_.shared.load<uint16_t>((rows[8 * matrix + row] & UINT32_MAX) + 2 * column)};
      };
      const unsigned first = lane / 4, second = lane % 4 * 2;
      values[lane] = bit(78) ? element(second, first) | element(second + 1, first) << 16
                             : element(first, second) | element(first, second + 1) << 16;
    }
    set(0, values, matrix);
  }
}

// As load_matrices. Bits 78 and 79 are not known but for transposed ones.
void Warp::store_matrices() {
  const size_t source = ready_->address + 1U;
  const unsigned matrices = std::clamp<unsigned>(operand(source).count, 1, 4);
  const auto givers = static_cast<LaneSet>((uint64_t{1} << 8 * matrices) - 1);
  const Longs rows = aligned(addresses(operand(ready_->address)), 16);
  const Places places = places_of(Space::shared, rows, givers & lanes_);
  mark_stored(places, origins_of(ready_->reads));
  note_access(ir::TracedRequest::Kind::shared, places, 16);
  if (bit(79)) return refuse();
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    const Words values = bare(source, matrix);
    for_each_lane(lanes_, [&](unsigned lane) {
      const auto put = [&](unsigned row, unsigned column, uint32_t value) {
        block_.shared.store<uint16_t>((rows[8 * matrix + row] & UINT32_MAX) + 2 * column, static_cast<uint16_t>(value));
      };
      const unsigned first = lane / 4, second = lane % 4 * 2;
      const bool transposed = bit(78);
      put(transposed ? second : first, transposed ? first : second, values[lane]);
      put(transposed ? second + 1 : first, transposed ? first : second + 1, values[lane] >> 16);
    });
  }
}

// LDC, ULDC, LDCU. What bank a handle in registers stands for is not known.
void Warp::load_constant() {
  const sass::Operand& from = operand(1);
  const unsigned size = instruction().modifier(Modifier::size).value_or(size_32), bytes = bytes_of_size(size);
  const unsigned opcode = field(0, 12);
  if (bit(91) && (opcode == 0x582 || opcode == 0xab9)) return refuse();  // bindless
  block_.deciding |= origins_of(ready_->reads);
  uint64_t base = static_cast<uint64_t>(from.value);
  if (from.second != sass::no_register) base += registers_.uniform[from.second];
  Longs at;
  at.lane.fill(base);
  if (from.first != sass::no_register) {
    const Words& index = registers_.general[from.first];
    for (unsigned i = 0; i < warp_lanes; ++i) at[i] += index[i];
  }
  for (uint64_t& each : at.lane) each &= UINT32_MAX;
  note_constants(at, from.bank);
  static const Bank nothing;
  const Bank* known = bank(from.bank);
  const Bank& constants = known == nullptr ? nothing : *known;
  Words values{};
  const uint64_t first = at[first_lane(lanes_)];
  const bool is_one = (lanes_ & lanes_with([&](unsigned i) { return at[i] != first; })) == 0;
  for (unsigned word = 0; word < std::max(bytes / 4, 1U); ++word) {
    if (is_one) {
      values.lane.fill(extended(constants.word(first + 4 * word), size));
      loaded_ |= constants.origins(first + 4 * word, std::min(bytes, 4U));
      set(0, values, word);
      continue;
    }
    for_each_lane(lanes_, [&](unsigned i) {
      values[i] = extended(constants.word(at[i] + 4 * word), size);
      loaded_ |= constants.origins(at[i] + 4 * word, std::min(bytes, 4U));
    });
    set(0, values, word);
  }
}

// Texels are zeros. Where they lie is as if there were 4,096 of 16 bytes in one dimension, 1,024 in each of two, 64 in
// each of three, and coordinates that are no integers went from 0 to 1 over and over; of these, two texels of each
// dimension are read. Integers beyond the end mean the last one, of surfaces the first ones again. Rows of eight go
// together in pieces of 64 bytes; one dimension is a row.
void Warp::texture() {
  constexpr unsigned sides[] = {4096, 1024, 64}, texel = 16, width = 4;
  const std::string_view name = instruction().mnemonic();
  const bool is_surface = name.starts_with("SU"), is_point = is_surface || name == "TLD";
  const auto operands = instruction().operands();
  const auto coordinates = std::find_if(operands.begin(), operands.end(), [](const sass::Operand& each) {
    return each.role == sass::Role::read && each.kind == sass::OperandKind::registers &&
           each.register_class == sass::RegisterClass::general && each.in_register();
  });
  block_.deciding |= origins_of(ready_->address_reads);
  block_.has_textures = true;
  ir::TracedRequest request;
  request.kind = name.starts_with("SUST") ? Kind::store : name.starts_with("SUR") ? Kind::reduction : Kind::texture;
  request.lanes = static_cast<uint8_t>(std::popcount(lanes_));
  request.bytes = name.starts_with("SUST") ? texel : 4;
  request.first = static_cast<uint32_t>(trace_.sectors.size());
  if (coordinates != operands.end()) {
    const auto index = static_cast<size_t>(coordinates - operands.begin());
    static constexpr unsigned of_texels[] = {1, 2, 3, 2};
    const std::string shape = sass::operation_name(instruction());
    const unsigned most = name == "TLD"            ? of_texels[field(shape_of_texels, 2)]
                          : shape.ends_with(".1D") ? 1
                          : shape.ends_with(".2D") ? 2
                                                   : 3;
    const unsigned dimensions = std::clamp<unsigned>(coordinates->count, 1, most);
    const unsigned side = sides[dimensions - 1], height = dimensions == 1 ? 1 : 8;
    for_each_lane(lanes_, [&](unsigned lane) {
      unsigned first[3] = {0, 0, 0};
      for (unsigned d = 0; d < dimensions; ++d) {
        const uint32_t value = bare(index, d)[lane];
        const double part = static_cast<double>(std::bit_cast<float>(value));
        const double from = std::isfinite(part) ? (part - std::floor(part)) * side : 0;
        first[d] = is_surface ? (d == 0 ? value / texel : value) % side
                   : is_point ? std::min(value, side - 1)
                              : static_cast<unsigned>(from) % side;
      }
      const unsigned more = is_point ? 1 : 1U << dimensions;
      for (unsigned which = 0; which < more; ++which) {
        const unsigned x = (first[0] + (which & 1)) % side, y = (first[1] + (which >> 1 & 1)) % side;
        const unsigned z = (first[2] + (which >> 2 & 1)) % side;
        const uint64_t piece = (uint64_t{z} * (side / height) + y / height) * (side / width) + x / width;
        const unsigned inside = (y % height * width + x % width) * texel / static_cast<unsigned>(ir::sector_bytes);
        trace_.sectors.push_back(first_sector_of_textures + piece * width * height * texel / ir::sector_bytes + inside);
      }
    });
    const auto begin = trace_.sectors.begin() + request.first;
    std::sort(begin, trace_.sectors.end());
    trace_.sectors.erase(std::unique(begin, trace_.sectors.end()), trace_.sectors.end());
  }
  request.count = static_cast<uint32_t>(trace_.sectors.size()) - request.first;
  request.serial = static_cast<uint16_t>(std::max<uint32_t>(request.count, 1));
  note(request);
  loaded_ |= of_memory;
  refuse();
}

}  // namespace warpspan::execution
