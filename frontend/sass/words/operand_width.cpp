// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/operand_width.hpp"

#include <algorithm>
#include <bit>

#include "frontend/sass/words/bits.hpp"

namespace warpspan::sass {
namespace {

uint8_t memory_width(uint64_t size) { return size >= 6 ? 4 : size == 5 ? 2 : 1; }

uint8_t atomic_width(const Word& word, int architecture) {
  if (architecture < 90) {
    const uint64_t type = field(word, 73, 3);  // 2 U64, 5 S64, 6 F64
    return type == 2 || type == 5 || type == 6 ? 2 : 1;
  }
  const uint64_t type =
      field(word, 73, 3);  // 2 U64, 3 S64, 4 U128; sm_100 and later use the bit above for something else
  return type == 4 ? 4 : type == 2 || type == 3 ? 2 : 1;
}

uint8_t float_atomic_width(const Word& word) {
  switch (field(word, 73, 4)) {
    case 1:   // F16x4
    case 4:   // BF16x4
    case 10:  // F32x2
    case 13:
    case 15: return 2;  // F64
    case 2:             // F16x8
    case 5:             // BF16x8
    case 11:            // F32x4
    case 14: return 4;
    default: return 1;
  }
}

// Of a texture, by the mask of those that are read: the first two are in one vector, the others in another.
int channels(const Word& word) {
  constexpr int all = 4;
  const int read = std::popcount(field(word, 72, 4));
  return read == 0 ? all : read;
}

// Bit 75: 16x8x16 of halves. Bit 83: TF32, of depth 8 unless bit 78 makes it 4. Bit 73: sparse, B has the double depth.
bool is_deep_hmma(const Word& word) { return bit(word, 75) || (bit(word, 83) && !bit(word, 78)); }

// Integer matrices: bit 86 is set for 16 rows, bit 75 for the double depth of bytes, bit 85 for 4-bit elements, bit 72
// for a sparse A. What was not observed gets the widest.
uint8_t imma_a(const Word& word) {
  const bool deep = bit(word, 75), small = bit(word, 85);
  if (bit(word, 72)) return deep && !small ? 2 : 4;
  if (!bit(word, 86)) return 1;
  return deep || small ? 4 : 2;
}

uint8_t imma_b(const Word& word) {
  if (bit(word, 72)) return imma_a(word);
  return imma_a(word) == 4 ? 2 : 1;
}

// Of a load of 256 bits, by its mask: RZ stands for none.
uint8_t sector_words(uint64_t mask) { return static_cast<uint8_t>(std::max(1, std::popcount(mask))); }

// Doubles: bits 76 to 77 are the shape 8x8x4, 16x8x4, 16x8x8, 16x8x16.
uint8_t dmma(const Word& word, Width width) {
  constexpr uint8_t accumulators[] = {4, 8, 8, 8}, rows[] = {2, 4, 8, 16}, columns[] = {2, 2, 4, 8};
  const uint64_t shape = field(word, 76, 2);
  return width == Width::dmma_c ? accumulators[shape] : width == Width::dmma_a ? rows[shape] : columns[shape];
}

// Integers of a group of warps: 8, 16, 24, 32 and then each 16 columns up to 256, of which a thread has half.
uint8_t integers_of_group(uint64_t shape) {
  return static_cast<uint8_t>(shape < 4 ? 4 * (shape + 1) : 8 * (shape - 1));
}

}  // namespace

uint8_t operand_width(const OperandPattern& pattern, const Word& word, int architecture) {
  switch (pattern.width) {
    case Width::fixed: return pattern.width_number;
    case Width::size: return memory_width(field(word, 73, 3));
    case Width::atomic: return atomic_width(word, architecture);
    case Width::float_atomic: return float_atomic_width(word);
    case Width::bit: return bit(word, pattern.width_number) ? 2 : 1;
    case Width::narrow: return bit(word, pattern.width_number) ? 1 : 2;
    case Width::ldsm: return static_cast<uint8_t>((bit(word, 75) && bit(word, 76) ? 2 : 1) << field(word, 72, 2));
    case Width::sector_low: return sector_words(field(word, 57, 4));
    case Width::sector_high: return sector_words(field(word, 61, 3) | field(word, 72, 1) << 3);
    case Width::converted: return field(word, 75, 2) == 3 ? 2 : 1;
    case Width::source: return field(word, 84, 2) == 3 ? 2 : 1;
    case Width::hmma_a: return is_deep_hmma(word) ? 4 : 2;
    case Width::hmma_b: return static_cast<uint8_t>((is_deep_hmma(word) ? 2 : 1) * (bit(word, 73) ? 2 : 1));
    case Width::hmma_c: return bit(word, 76) ? 4 : 2;
    case Width::imma_a: return imma_a(word);
    case Width::imma_b: return imma_b(word);
    case Width::imma_c: return bit(word, 86) ? 4 : 2;
    case Width::bmma_a: return bit(word, 76) ? 4 : bit(word, 75) ? 2 : 1;
    case Width::bmma_b: return bit(word, 76) ? 2 : 1;
    case Width::bmma_c: return bit(word, 75) || bit(word, 76) ? 4 : 2;
    case Width::dmma_a:
    case Width::dmma_b:
    case Width::dmma_c: return dmma(word, pattern.width);
    case Width::qmma_a: return bit(word, 75) || bit(word, 76) ? 4 : 2;  // 76: sparse
    case Width::qmma_b: return bit(word, 76) ? 4 : bit(word, 75) ? 2 : 1;
    case Width::qmma_c: return bit(word, 77) ? 4 : 2;
    case Width::gmma_c: return static_cast<uint8_t>((field(word, 53, 5) + 1) * (bit(word, 75) ? 4 : 2));
    case Width::igmma_c: return integers_of_group(field(word, 53, 6) / 3);
    case Width::bgmma_c: return integers_of_group(field(word, 53, 5));
    case Width::texels_low: return static_cast<uint8_t>(std::min(channels(word), 2));
    case Width::texels_high: return static_cast<uint8_t>(std::max(channels(word) - 2, 1));
  }
  return 1;
}

}  // namespace warpspan::sass
