// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/operand_decoder.hpp"

#include <algorithm>

#include "frontend/sass/words/bits.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/operand_width.hpp"

namespace warpspan::sass {
namespace {

using Place = OperandPattern::Place;

class OperandDecoder {
 public:
  OperandDecoder(Instruction& instruction, int architecture)
      : instruction_(instruction), word_(instruction.word), architecture_(architecture) {}

  void add(const OperandPattern& pattern) {
    switch (pattern.place) {
      case Place::field: return add_register(pattern, pattern.register_class, pattern.bit);
      case Place::source_a: return add_register(pattern, file(), 24);
      case Place::source_b:
        return form() == 2 || form() == 3 || form() == 7 ? add_register(pattern, file(), 64) : add_at_32(pattern);
      case Place::source_c:
        return form() == 2 || form() == 3 || form() == 7 ? add_at_32(pattern) : add_register(pattern, file(), 64);
      case Place::source_at_32: return add_at_32(pattern);
      case Place::source_at_64_or_32: return form() == 1 ? add_register(pattern, file(), 64) : add_at_32(pattern);
      case Place::immediate:
        return add_value(OperandKind::immediate, static_cast<int64_t>(field(word_, pattern.bit, pattern.bits)));
      case Place::signed_immediate:
        return add_value(OperandKind::immediate, signed_field(word_, pattern.bit, pattern.bits));
      case Place::special_register:
        return add_value(OperandKind::special_register, static_cast<int64_t>(field(word_, 72, 8)));
      case Place::label: return add_label();
      case Place::warpsync: return add_warpsync(pattern);
      case Place::sparse_half: return add_metadata(73);
      case Place::sparse_integer: return add_metadata(72);
      case Place::sparse_eighth: return add_metadata(76);
      case Place::scale: return add_scale();
      case Place::predicates: return add_predicates(pattern);
      case Place::third_predicate:
        return add_register(pattern, sass::bit(word_, 67) ? RegisterClass::uniform_predicate : RegisterClass::predicate,
                            68);
      default: return add_memory(pattern);
    }
  }

 private:
  unsigned form() const { return static_cast<unsigned>(field(word_, 9, 3)); }

  RegisterClass file() const {
    return instruction_.opcode->key.kind == KeyKind::uniform ? RegisterClass::uniform : RegisterClass::general;
  }

  bool bit_91() const { return sass::bit(word_, 91); }

  Operand& next(OperandKind kind) {
    Operand& operand = instruction_.operand_values[instruction_.operand_count++];
    operand.kind = kind;
    return operand;
  }

  void add_value(OperandKind kind, int64_t value) { next(kind).value = value; }

  uint8_t general(unsigned bit) const { return static_cast<uint8_t>(field(word_, bit, 8)); }  // 255 is RZ

  // 6 bits up to sm_90, then 8; all of them set is URZ.
  uint8_t uniform(unsigned bit) const {
    const unsigned bits = architecture_ >= 100 ? 8 : 6;
    const uint64_t number = field(word_, bit, bits);
    return number == (uint64_t{1} << bits) - 1 ? no_register : static_cast<uint8_t>(number);
  }

  uint8_t number(RegisterClass register_class, unsigned bit) const {
    switch (register_class) {
      case RegisterClass::general: return general(bit);
      case RegisterClass::uniform: return uniform(bit);
      case RegisterClass::barrier: return static_cast<uint8_t>(field(word_, bit, 4));
      default: break;
    }
    const uint64_t predicate = field(word_, bit, 3);
    return predicate == 7 ? no_register : static_cast<uint8_t>(predicate);
  }

  // A predicate that most instructions of the opcode have not: all bits are 0 then.
  uint8_t complemented(unsigned bit) const {
    const uint64_t value = field(word_, bit, 3);
    return value == 0 ? no_register : static_cast<uint8_t>(7 - value);
  }

  void add_register(const OperandPattern& pattern, RegisterClass register_class, unsigned bit) {
    Operand& operand = next(OperandKind::registers);
    operand.role = pattern.role;
    operand.register_class = register_class;
    operand.first = pattern.complemented ? complemented(bit) : number(register_class, bit);
    operand.count = operand_width(pattern, word_, architecture_);
    operand.at_most = pattern.at_most;
    const bool predicate =
        register_class == RegisterClass::predicate || register_class == RegisterClass::uniform_predicate;
    if (predicate && pattern.role != Role::written) operand.negated = sass::bit(word_, bit + 3);
    set_sign(operand, pattern, bit);
  }

  void set_sign(Operand& operand, const OperandPattern& pattern, unsigned place) const {
    for (const SignBits& bits : sign_bits) {
      if (bits.place != place) continue;
      const bool minus = (pattern.may_negate || pattern.may_invert) && sass::bit(word_, bits.negate);
      const bool invert = pattern.may_invert && (!pattern.may_negate || instruction_.has(Modifier::extended));
      operand.negated = operand.negated || (minus && !invert);
      operand.inverted = minus && invert;
      operand.absolute = pattern.may_be_absolute && sass::bit(word_, bits.absolute);
    }
  }

  // The source at bit 32: which kind it is, the form says, and bit 91.
  void add_at_32(const OperandPattern& pattern) {
    switch (form()) {
      case 2:
      case 4: return add_value(OperandKind::immediate, signed_field(word_, 32, 32));
      case 3:
      case 5: return add_arithmetic_constant(pattern);
      case 6:
      case 7: return add_register(pattern, RegisterClass::uniform, 32);
      default: return add_register(pattern, file(), 32);
    }
  }

  void add_arithmetic_constant(const OperandPattern& pattern) {
    Operand& operand = next(OperandKind::constant);
    operand.count = operand_width(pattern, word_, architecture_);
    operand.value = static_cast<int64_t>(field(word_, 38, 16));
    if (bit_91()) {
      operand.second = uniform_6(32);
      operand.second_count = 2;
    } else {
      operand.bank = static_cast<uint8_t>(field(word_, 54, 5));
    }
    set_sign(operand, pattern, 32);
  }

  uint8_t uniform_6(unsigned bit) const {
    const uint64_t number = field(word_, bit, 6);
    return number == 63 ? no_register : static_cast<uint8_t>(number);
  }

  // Counted in words of 4 bytes from the next instruction. From sm_90 on the low 8 bits of a branch stand apart; a
  // BSSY has 30 bits everywhere.
  void add_label() {
    int64_t words = 0;
    if (instruction_.opcode->mnemonic == "BSSY")
      words = signed_field(word_, 34, 30);
    else if (architecture_ < 90)
      words = signed_field(word_, 34, 48);
    else
      words = static_cast<int64_t>(static_cast<uint64_t>(signed_field(word_, 34, 48)) << 8 | field(word_, 16, 8));
    const uint64_t bytes = static_cast<uint64_t>(words) * 4;
    add_value(OperandKind::label, static_cast<int64_t>(instruction_.offset + word_bytes + bytes));
  }

  // A mask in a register or as a number; with .COLLECTIVE a target too. The register has moved on sm_90.
  void add_warpsync(const OperandPattern& pattern) {
    const bool collective = instruction_.has(Modifier::collective);
    if (form() == 1)
      add_register(pattern, RegisterClass::general, architecture_ >= 90 ? 24 : 32);
    else if (!collective)
      add_value(OperandKind::immediate, static_cast<int64_t>(field(word_, 32, 32)));
    if (collective) add_label();
  }

  // Which elements of a sparse matrix there are.
  void add_metadata(unsigned sparse_bit) {
    if (!sass::bit(word_, sparse_bit)) return;
    Operand& operand = next(OperandKind::registers);
    operand.first = general(40);
    operand.count = 1;
  }

  // Which of the scales of a row of a matrix are meant.
  void add_scale() {
    const uint64_t number = field(word_, 60, 3) | field(word_, 73, 5) << 3;
    Operand& operand = next(OperandKind::registers);
    operand.register_class = RegisterClass::uniform;
    operand.first = number == 255 ? no_register : static_cast<uint8_t>(number);
    operand.count = 1;
  }

  void add_predicates(const OperandPattern& pattern) {
    Operand& operand = next(OperandKind::registers);
    operand.role = pattern.role;
    operand.register_class = pattern.register_class;
    operand.first = 0;
    operand.count = 7;
    operand.at_most = true;  // a mask says which
  }

  void add_memory(const OperandPattern& pattern) {
    switch (pattern.place) {
      case Place::global_load: return add_global(32);
      case Place::global_store: return add_global(64);
      case Place::generic:
        return add_address(general(24), sass::bit(word_, 72) ? 2 : 1, no_register, 0, signed_field(word_, 32, 32));
      case Place::sector_load: return add_sector(32, 17);
      case Place::sector_store: return add_sector(64, 19);
      case Place::atomic: return add_atomic();
      case Place::shared_load: return add_shared(32);
      case Place::shared_store: return add_shared(64);
      case Place::copy_to_shared: {
        const bool has_uniform = form() == 6;
        return add_address(general(16), 1, has_uniform ? uniform(64) : no_register, has_uniform ? 1 : 0,
                           signed_field(word_, 44, 20));
      }
      case Place::copy_from_global: return add_copied();
      case Place::uniform_address: return add_address(no_register, 0, uniform(24), 2, signed_field(word_, 40, 24));
      case Place::cache:
        return add_address(general(24), sass::bit(word_, 72) ? 2 : 1, no_register, 0, signed_field(word_, 32, 32));
      case Place::constant: return add_constant(general(24), no_register, 38, 16);
      case Place::constant_alone: return add_constant(no_register, no_register, 38, 16);
      case Place::uniform_constant: return add_constant(no_register, uniform(24), 38, 16);
      case Place::wide_uniform_constant: return add_constant(no_register, uniform(24), 37, 17);
      default: return add_constant(no_register, uniform(24), 38, 16);
    }
  }

  // Without bit 91: a general register, a pair if bit 72 is set. With it: a uniform pair too, an address or the
  // descriptor of the access, and bit 90 says how wide the general one is.
  void add_global(unsigned uniform_bit) {
    const bool pair = sass::bit(word_, bit_91() ? 90 : 72);
    add_address(general(24), pair ? 2 : 1, bit_91() ? uniform(uniform_bit) : no_register, bit_91() ? 2 : 0,
                signed_field(word_, 40, 24));
    set_descriptor(76);
  }

  // Whether the uniform pair is the descriptor.
  void set_descriptor(unsigned bit) {
    Operand& operand = instruction_.operand_values[instruction_.operand_count - 1U];
    operand.descriptor = operand.second_count > 0 && sass::bit(word_, bit);
  }

  // An access to 32 bytes counts its offset in these.
  void add_sector(unsigned uniform_bit, unsigned offset_bits) {
    add_address(general(24), 2, bit_91() ? uniform(uniform_bit) : no_register, bit_91() ? 2 : 0,
                signed_field(word_, 40, offset_bits) * 32);
    set_descriptor(76);
  }

  // Where the address in shared memory has a uniform register, a descriptor is in those behind it.
  void add_copied() {
    const bool behind = form() == 6;
    const bool has_uniform = bit_91() && (!behind || sass::bit(word_, 76));
    uint8_t first = has_uniform ? uniform(64) : no_register;
    if (behind && first != no_register) ++first;
    add_address(general(24), 2, first, has_uniform ? 2 : 0, signed_field(word_, 32, 12));
    set_descriptor(76);
  }

  // Bit 90 belongs to the operation. From sm_100 on the bit that tells a descriptor depends on whether there is a
  // result.
  void add_atomic() {
    add_address(general(24), sass::bit(word_, 72) ? 2 : 1, bit_91() ? uniform(64) : no_register, bit_91() ? 2 : 0,
                signed_field(word_, 40, has_short_offset(*instruction_.opcode, bit_91(), architecture_) ? 23 : 24));
    set_descriptor(architecture_ < 100 ? 71 : instruction_.opcode->mnemonic.starts_with("RED") ? 81 : 63);
  }

  void add_shared(unsigned uniform_bit) {
    const bool has_uniform = bit_91();
    add_address(general(24), 1, has_uniform ? uniform(uniform_bit) : no_register, has_uniform ? 1 : 0,
                signed_field(word_, 40, 24));
    if (has_scale(*instruction_.opcode)) {
      constexpr uint8_t scales[] = {1, 4, 8, 16};
      instruction_.operand_values[instruction_.operand_count - 1U].scale = scales[field(word_, 78, 2)];
    }
  }

  void add_address(uint8_t first, uint8_t count, uint8_t second, uint8_t second_count, int64_t offset) {
    Operand& operand = next(OperandKind::address);
    operand.first = first;
    operand.count = count;
    operand.second = second;
    operand.second_count = second_count;
    operand.value = offset;
  }

  void add_constant(uint8_t first, uint8_t second, unsigned bit, unsigned bits) {
    Operand& operand = next(OperandKind::constant);
    operand.first = first;
    operand.second = second;
    operand.second_count = second == no_register ? 0 : 2;
    operand.bank = static_cast<uint8_t>(field(word_, 54, 5));
    operand.value = first == no_register && second == no_register ? static_cast<int64_t>(field(word_, bit, bits))
                                                                  : signed_field(word_, bit, bits);
  }

  Instruction& instruction_;
  const Word& word_;
  int architecture_;
};

}  // namespace

void decode_operands(Instruction& instruction, int architecture) {
  OperandDecoder decoder(instruction, architecture);
  for (const OperandPattern& pattern : instruction.opcode->operands) decoder.add(pattern);
}

}  // namespace warpspan::sass
