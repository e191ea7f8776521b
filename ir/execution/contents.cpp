// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/execution/contents.hpp"

#include <algorithm>
#include <bit>

#include "support/mixed.hpp"

namespace warpspan::ir {

namespace {

// Of number / 2^11 with a number below 2^11.
uint64_t bits_of_half(uint64_t number) {
  if (number == 0) return 0;
  const auto exponent = static_cast<uint64_t>(std::bit_width(number)) - 1;
  return (exponent + 4) << 10 | (number << (10 - exponent) & 0x3ff);
}

uint64_t bytes_of_element(Contents::Kind kind) {
  return kind == Contents::Kind::doubles ? 8 : kind == Contents::Kind::halves ? 2 : 4;
}

uint64_t element(const Contents& contents, uint64_t index) {
  const uint64_t drawn = support::mixed(contents.seed ^ support::mixed(index));
  switch (contents.kind) {
    case Contents::Kind::ramp: return index;
    case Contents::Kind::integers: return contents.below == 0 ? drawn >> 32 : (drawn >> 32) * contents.below >> 32;
    case Contents::Kind::reals: return std::bit_cast<uint32_t>(static_cast<float>(drawn >> 40) * 0x1p-24F);
    case Contents::Kind::doubles: return std::bit_cast<uint64_t>(static_cast<double>(drawn >> 11) * 0x1p-53);
    case Contents::Kind::halves: return bits_of_half(drawn >> 53);
    case Contents::Kind::zeros:
    case Contents::Kind::bytes: break;
  }
  return 0;
}

void copy_bytes(const std::string& bytes, uint64_t first, std::span<uint8_t> to) {
  const uint64_t left = first < bytes.size() ? bytes.size() - first : 0;
  const auto count = static_cast<std::ptrdiff_t>(std::min<uint64_t>(left, to.size()));
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(count == 0 ? 0 : first), count, to.begin());
  std::fill(to.begin() + count, to.end(), uint8_t{0});
}

}  // namespace

void write_contents(const Contents& contents, uint64_t first, std::span<uint8_t> to) {
  if (contents.kind == Contents::Kind::bytes && contents.bytes != nullptr)
    return copy_bytes(*contents.bytes, first, to);
  const uint64_t bytes = bytes_of_element(contents.kind);
  for (size_t i = 0; i < to.size();) {
    const uint64_t value = element(contents, (first + i) / bytes);
    for (uint64_t byte = (first + i) % bytes; byte < bytes && i < to.size(); ++byte, ++i)
      to[i] = static_cast<uint8_t>(value >> (8 * byte));
  }
}

}  // namespace warpspan::ir
