// SPDX-License-Identifier: GPL-3.0-or-later
// The opcode tables (opcodes/*.def) and finding the row of a word. word_layout.hpp has which bits a row explains.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sass/words/instruction.hpp"

namespace warpspan::sass {

// What executes an instruction.
enum class Unit : uint8_t {
  alu,
  fma,
  half,           // packed 16-bit arithmetic
  fp64,           // double precision
  special,        // transcendental functions, conversions, bit counts
  tensor,         // matrices
  uniform,        // one result for the warp
  constant,       // reads of constant banks
  load_store,     // memory, shuffles
  texture,        // textures and surfaces
  async_copy,     // bulk copies
  tensor_memory,  // matrices in tensor memory
  barrier,        // block barriers and special registers
  control,        // branches and reconvergence
  dispatch,       // nothing else
};
std::string_view to_string(Unit unit);

enum class Latency : uint8_t {
  fixed,     // stall counts alone keep consumers away
  variable,  // a scoreboard tells when the result is there
  by_chip,   // fixed on sm_90 and sm_100, variable elsewhere: double precision
};

// How the first 12 bits and bit 91 of a word name an opcode; README.md has the forms.
enum class KeyKind : uint8_t {
  word,     // key is all 13 bits
  either,   // 12 bits, bit 91 says how the address is made
  alu,      // 9 bits in any form of general registers
  uniform,  // 9 bits in any form of uniform registers
};

struct Key {
  KeyKind kind;
  uint16_t number;
};

// How many registers an operand is: a number, or what bits of the word say (operand_width.cpp).
enum class Width : uint8_t {
  fixed,
  size,          // of a memory access
  atomic,        // by the type of an atomic; from sm_90 on the integer types
  float_atomic,  // by the floating-point types of sm_90
  bit,           // 2 if a bit is set, else 1
  narrow,        // 1 if a bit is set, else 2
  ldsm,          // matrices that are loaded
  sector_low,    // words that a load of 256 bits reads of the first four, at least 1
  sector_high,   // and of the others
  converted,     // by destination_size
  source,        // by source_size
  hmma_a,
  hmma_b,
  hmma_c,
  imma_a,
  imma_b,
  imma_c,
  bmma_a,
  bmma_b,
  bmma_c,
  dmma_a,
  dmma_b,
  dmma_c,
  qmma_a,
  qmma_b,
  qmma_c,
  gmma_c,  // of a group of warps
  igmma_c,
  bgmma_c,
  texels_low,   // channels that are read: the first two
  texels_high,  // and the others
};

// Where an operand is in the word, made from a column of the table.
struct OperandPattern {
  enum class Place : uint8_t {
    field,     // a register at bit
    source_a,  // of an arithmetic instruction, by its form: README.md
    source_b,
    source_c,
    source_at_32,
    source_at_64_or_32,
    immediate,
    signed_immediate,
    special_register,
    label,
    global_load,
    global_store,
    generic,
    sector_load,
    sector_store,
    atomic,
    shared_load,
    shared_store,
    copy_to_shared,
    copy_from_global,
    uniform_address,
    cache,
    constant,
    constant_alone,
    uniform_constant,
    wide_uniform_constant,
    bindless_constant,
    warpsync,
    sparse_half,
    sparse_integer,
    sparse_eighth,
    scale,            // a uniform register, its number at 60 and at 73
    predicates,       // all of them
    third_predicate,  // at 68; bit 67: a uniform one
  };
  Place place = Place::field;
  Role role = Role::read;
  RegisterClass register_class = RegisterClass::general;
  uint8_t bit = 0;
  uint8_t bits = 0;  // of an immediate
  Width width = Width::fixed;
  uint8_t width_number = 1;
  bool may_negate = false;
  bool may_invert = false;
  bool may_be_absolute = false;
  bool at_most = false;
  bool complemented = false;  // of a predicate: its number is stored as 7 less the number
};

struct ModifierPattern {
  Modifier modifier;
  uint8_t bit;
  uint8_t bits;
  uint8_t second_bit;  // the upper part of a divided field
  uint8_t second_bits;
};

struct BitField {
  uint8_t bit;
  uint8_t bits;
};

struct FixedField {
  uint8_t bit;
  uint8_t bits;
  uint64_t value;
};

// Where sign and absolute value of the operand at a place of an arithmetic word are.
struct SignBits {
  uint8_t place, negate, absolute;
};
inline constexpr SignBits sign_bits[] = {{24, 72, 73}, {32, 63, 62}, {64, 75, 74}};

struct Opcode {
  Key key;
  int since;  // the first and the last architecture that has the opcode
  int until;
  std::string_view mnemonic;
  Unit unit;
  Latency latency;
  std::string_view operand_text;
  std::string_view modifier_text;
  std::string_view source;  // "NAK": Mesa's compiler; "observed": words that ptxas 13.0 wrote for kernels of ours
  std::vector<OperandPattern> operands;
  std::vector<ModifierPattern> modifiers;
  std::vector<ModifierPattern> unasked;  // what no analysis asks for: not decoded
  std::vector<BitField> meaningless;
  std::vector<FixedField> fixed;
  bool uniform_guard = false;
};

// All rows, in the order of the files.
std::span<const Opcode> opcode_rows();

// What is wrong in the rows, one line each; empty if nothing, which a test demands. Such rows are left out of decoding.
std::vector<std::string> table_errors();

// 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121. Suffixes (90a, 100f) change nothing.
bool is_supported(int architecture);
// "75, 80, ...".
std::string supported_architectures();

// Bits 0 to 11, and bit 91 as bit 12.
uint16_t key_of(const Word& word);

// The keys that a row matches.
std::vector<uint16_t> keys_of(Key key);

// The row of a word, all of whose bits it explains; nullptr if there is none. The architecture is a supported one.
const Opcode* find_opcode(const Word& word, int architecture);

// What is wrong with a word that has no row: "IADD3: nothing explains bit 91"; empty if no row has its key.
std::string why_unknown(const Word& word, int architecture);

// Whether a row with the word's key passes control on, or waits for others.
bool may_be_control(const Word& word, int architecture);

// Whether the offset of an atomic access has 23 bits, since the next one tells a descriptor.
bool has_short_offset(const Opcode& opcode, bool has_uniform_registers, int architecture);

// Whether a register of the address is scaled: in shared memory.
bool has_scale(const Opcode& opcode);

bool has_variable_latency(const Opcode& opcode, int architecture);

}  // namespace warpspan::sass
