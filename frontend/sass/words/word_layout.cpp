// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/word_layout.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "frontend/sass/words/bits.hpp"

namespace warpspan::sass {
namespace {

using Place = OperandPattern::Place;

void set_field(Word& word, unsigned bit, unsigned bits, uint64_t value) {
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  value &= mask;
  const auto put = [&](uint64_t& half, uint64_t cleared, uint64_t set) { half = (half & ~cleared) | set; };
  if (bit >= 64) return put(word.high, mask << (bit - 64), value << (bit - 64));
  put(word.low, mask << bit, value << bit);
  if (bit + bits > 64) put(word.high, mask >> (64 - bit), value >> (64 - bit));
}

// The bits that the operands of a row are read from, place by place as operand_decoder.cpp does; a test changes each
// bit of words and compares.
class Explained {
 public:
  Explained(const Opcode& opcode, uint16_t key, int architecture)
      : opcode_(opcode), form_(key >> 9 & 7U), bit_91_((key >> 12 & 1U) != 0), architecture_(architecture) {
    add(0, 12);    // opcode
    add(91, 1);    // and form
    add(12, 4);    // guard
    add(105, 21);  // control fields
    for (const OperandPattern& pattern : opcode.operands) {
      add_operand(pattern);
      add_width(pattern);
    }
    for (const ModifierPattern& pattern : opcode.modifiers) add_modifier(pattern);
    const Word decoded = std::exchange(bits_, further_);
    for (const ModifierPattern& pattern : opcode.unasked) add_modifier(pattern);
    for (const BitField& each : opcode.meaningless) add(each.bit, each.bits);
    undecoded_ = {bits_.low & ~decoded.low, bits_.high & ~decoded.high};
    bits_ = {bits_.low | decoded.low, bits_.high | decoded.high};
  }

  const Word& bits() const { return bits_; }
  const Word& undecoded() const { return undecoded_; }

 private:
  void add(unsigned bit, unsigned bits) {
    if (bits > 0) set_field(bits_, bit, bits, ~uint64_t{0});
  }

  void add_modifier(const ModifierPattern& pattern) {
    add(pattern.bit, pattern.bits);
    add(pattern.second_bit, pattern.second_bits);
  }

  unsigned uniform_bits() const { return architecture_ >= 100 ? 8 : 6; }
  bool is_uniform() const { return opcode_.key.kind == KeyKind::uniform; }

  void add_register(const OperandPattern& pattern, RegisterClass register_class, unsigned bit) {
    switch (register_class) {
      case RegisterClass::general: add(bit, 8); break;
      case RegisterClass::uniform: add(bit, uniform_bits()); break;
      case RegisterClass::barrier: add(bit, 4); break;
      default: add(bit, pattern.role == Role::written ? 3 : 4);
    }
    add_sign(pattern, bit);
  }

  void add_source(const OperandPattern& pattern, unsigned bit) {
    add_register(pattern, is_uniform() ? RegisterClass::uniform : RegisterClass::general, bit);
  }

  void add_sign(const OperandPattern& pattern, unsigned place) {
    for (const SignBits& bits : sign_bits) {
      if (bits.place != place) continue;
      if (pattern.may_negate || pattern.may_invert) add(bits.negate, 1);
      if (pattern.may_be_absolute) add(bits.absolute, 1);
    }
  }

  void add_at_32(const OperandPattern& pattern) {
    switch (form_) {
      case 2:
      case 4: return add(32, 32);
      case 3:
      case 5:
        add(38, 16);
        if (bit_91_)
          add(32, 6);
        else
          add(54, 5);
        return add_sign(pattern, 32);
      case 6:
      case 7: return add_register(pattern, RegisterClass::uniform, 32);
      default: return add_source(pattern, 32);
    }
  }

  bool is_third_at_32() const { return form_ == 2 || form_ == 3 || form_ == 7; }

  void add_operand(const OperandPattern& pattern) {
    switch (pattern.place) {
      case Place::field: return add_register(pattern, pattern.register_class, pattern.bit);
      case Place::source_a: return add_source(pattern, 24);
      case Place::source_b: return is_third_at_32() ? add_source(pattern, 64) : add_at_32(pattern);
      case Place::source_c: return is_third_at_32() ? add_at_32(pattern) : add_source(pattern, 64);
      case Place::source_at_32: return add_at_32(pattern);
      case Place::source_at_64_or_32: return form_ == 1 ? add_source(pattern, 64) : add_at_32(pattern);
      case Place::immediate:
      case Place::signed_immediate: return add(pattern.bit, pattern.bits);
      case Place::special_register: return add(72, 8);
      case Place::label: return add_label();
      case Place::warpsync: return add_warpsync();
      case Place::sparse_half: return add_metadata(73);
      case Place::sparse_integer: return add_metadata(72);
      case Place::sparse_eighth: return add_metadata(76);
      case Place::scale: add(60, 3); return add(73, 5);
      case Place::predicates: return;  // the mask is an operand of its own
      case Place::third_predicate: return add(67, 5);
      default: return add_memory(pattern.place);
    }
  }

  void add_label() {
    if (opcode_.mnemonic == "BSSY") return add(34, 30);
    add(34, 48);
    if (architecture_ >= 90) add(16, 8);
  }

  void add_warpsync() {
    if (form_ == 1)
      add(architecture_ >= 90 ? 24 : 32, 8);
    else
      add(32, 32);
    const auto& modifiers = opcode_.modifiers;
    const bool may_have_target = std::any_of(modifiers.begin(), modifiers.end(), [](const ModifierPattern& pattern) {
      return pattern.modifier == Modifier::collective;
    });
    if (may_have_target) add_label();
  }

  void add_metadata(unsigned sparse_bit) {
    add(sparse_bit, 1);
    add(40, 8);
  }

  void add_memory(Place place) {
    if (place == Place::constant || place == Place::constant_alone || place == Place::uniform_constant ||
        place == Place::wide_uniform_constant || place == Place::bindless_constant)
      return add_constant(place);
    if (place == Place::uniform_address) {
      add(24, uniform_bits());
      return add(40, 24);
    }
    add(place == Place::copy_to_shared ? 16 : 24, 8);
    switch (place) {
      case Place::global_load: return add_global(32, 24);
      case Place::global_store: return add_global(64, 24);
      case Place::sector_load: return add_sector(32, 17);
      case Place::sector_store: return add_sector(64, 19);
      case Place::generic:
      case Place::cache: add(72, 1); return add(32, 32);
      case Place::atomic: return add_atomic();
      case Place::shared_load: return add_shared(32);
      case Place::shared_store: return add_shared(64);
      case Place::copy_to_shared: return add(44, 20);
      case Place::copy_from_global: add(32, 12); return add_descriptor(64, 76);
      default: return;
    }
  }

  void add_constant(Place place) {
    if (place == Place::constant) add(24, 8);
    if (place != Place::constant && place != Place::constant_alone) add(24, uniform_bits());
    add(54, 5);
    if (place == Place::wide_uniform_constant)
      add(37, 17);
    else
      add(38, 16);
  }

  void add_global(unsigned uniform_bit, unsigned offset_bits) {
    add(bit_91_ ? 90 : 72, 1);
    add_descriptor(uniform_bit, 76);
    add(40, offset_bits);
  }

  void add_sector(unsigned uniform_bit, unsigned offset_bits) {
    add_descriptor(uniform_bit, 76);
    add(40, offset_bits);
  }

  void add_descriptor(unsigned uniform_bit, unsigned descriptor_bit) {
    if (!bit_91_) return;
    add(uniform_bit, uniform_bits());
    add(descriptor_bit, 1);
    if (architecture_ >= 80 && architecture_ < 90) set_field(further_, 101, 1, 1);  // the descriptor has a cache policy
  }

  void add_atomic() {
    add(72, 1);
    add_descriptor(64, architecture_ < 100 ? 71 : opcode_.mnemonic.starts_with("RED") ? 81 : 63);
    if (bit_91_ && architecture_ < 100) set_field(further_, 70, 1, 1);  // as bit 71
    add(40, has_short_offset(opcode_, bit_91_, architecture_) ? 23 : 24);
  }

  void add_shared(unsigned uniform_bit) {
    if (bit_91_) add(uniform_bit, uniform_bits());
    add(40, 24);
    if (has_scale(opcode_)) add(78, 2);
  }

  // operand_width.cpp has what these bits mean.
  void add_width(const OperandPattern& pattern) {
    switch (pattern.width) {
      case Width::fixed:
      case Width::sector_low:  // by the modifier sector_mask
      case Width::sector_high: return;
      case Width::texels_low:
      case Width::texels_high: return add(72, 4);
      case Width::size:
      case Width::atomic: return add(73, 3);
      case Width::float_atomic: return add(73, 4);
      case Width::bit:
      case Width::narrow: return add(pattern.width_number, 1);
      case Width::ldsm: add(72, 2); return add(75, 2);
      case Width::converted: return add(75, 2);
      case Width::source: return add(84, 2);
      case Width::hmma_a: return add_each({75, 78, 83});
      case Width::hmma_b: return add_each({73, 75, 78, 83});
      case Width::hmma_c: return add(76, 1);
      case Width::imma_a:
      case Width::imma_b: return add_each({72, 75, 85, 86});
      case Width::imma_c: return add(86, 1);
      case Width::bmma_a:
      case Width::bmma_b:
      case Width::bmma_c: return add(75, 2);
      case Width::dmma_a:
      case Width::dmma_b:
      case Width::dmma_c: return add(76, 2);
      case Width::qmma_a:
      case Width::qmma_b: return add(75, 2);
      case Width::qmma_c: return add(77, 1);
      case Width::igmma_c: return add(53, 6);
      case Width::bgmma_c: return add(53, 5);
      case Width::gmma_c: add(53, 5); return add(75, 1);
    }
  }

  void add_each(std::initializer_list<unsigned> bits) {
    for (const unsigned bit : bits) add(bit, 1);
  }

  const Opcode& opcode_;
  unsigned form_;
  bool bit_91_;
  int architecture_;
  Word bits_;
  Word further_;  // of addresses, but not decoded
  Word undecoded_;
};

}  // namespace

WordLayout layout_of(const Opcode& opcode, uint16_t key, int architecture) {
  const Word explained = Explained(opcode, key, architecture).bits();
  WordLayout layout;
  layout.fixed = {~explained.low, ~explained.high};
  const auto fix = [&](const FixedField& each) {
    set_field(layout.fixed, each.bit, each.bits, ~uint64_t{0});
    set_field(layout.value, each.bit, each.bits, each.value);
  };
  for (const FixedField& each : opcode.fixed) fix(each);
  if ((key >> 12 & 1U) == 0) return layout;
  // With uniform registers in the address bit 72 or 90 no longer says how wide it is.
  for (const OperandPattern& pattern : opcode.operands) {
    if (pattern.place == Place::global_load || pattern.place == Place::global_store) fix({72, 1, 1});
    if (pattern.place == Place::atomic && opcode.mnemonic.starts_with("RED")) fix({90, 1, 1});
  }
  return layout;
}

Word undecoded_bits(const Opcode& opcode, uint16_t key, int architecture) {
  return Explained(opcode, key, architecture).undecoded();
}

bool overlap(const WordLayout& a, const WordLayout& b) {
  return ((a.value.low ^ b.value.low) & a.fixed.low & b.fixed.low) == 0 &&
         ((a.value.high ^ b.value.high) & a.fixed.high & b.fixed.high) == 0;
}

std::string unexplained_bits(const WordLayout& layout, const Word& word) {
  const Word differ{(word.low ^ layout.value.low) & layout.fixed.low,
                    (word.high ^ layout.value.high) & layout.fixed.high};
  std::string text;
  for (unsigned first = 0; first < 128; ++first) {
    if (!bit(differ, first)) continue;
    unsigned last = first;
    while (last < 127 && bit(differ, last + 1)) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += (last == first + 1 ? ", " : " to ") + std::to_string(last);
    first = last;
  }
  return text;
}

}  // namespace warpspan::sass
