// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/operation_kind.hpp"

#include <algorithm>
#include <unordered_map>

#include "frontend/sass/words/bits.hpp"
#include "ir/sizes.hpp"

namespace warpspan::sass {

namespace {

using ir::AccessClass;
using ir::Synchronisation;
using CopyKind = ir::Copy::Kind;

// Bits of words whose modifiers are not decoded; what they mean was observed.
constexpr unsigned spaces_of_copy = 73;  // UBLKCP, two: 1 S.G, 2 G.S, 3 S.S; destination and source
constexpr unsigned multicast = 75;       // UBLKCP and UTMALDG
constexpr unsigned dimensions = 79;      // of a tensor, three: less one, up to 4
constexpr unsigned no_state = 74;        // SYNCS.ARRIVE.RED
constexpr unsigned suspends = 72;        // SYNCS.PHASECHK.TRYWAIT
constexpr unsigned fetches_tensor = 82;  // UTMACCTL.PF; else .IV
constexpr unsigned texture_shape = 61;   // TEX, three: 1D 2D 3D CUBE, the arrays of these

// Opcodes of atomics, without the form of their operands; those on floating-point numbers have their own: observed.
constexpr uint64_t atomg = 0x1a8, red = 0x18e, atom_on_floats = 0x1a2, atomg_on_floats = 0x1a3, red_on_floats = 0x1a6;

uint64_t opcode_of_atomic(const Instruction& instruction) {
  constexpr uint64_t opcode_bits = 0x1ff;
  return instruction.word.low & opcode_bits;
}

// Of 32 bits an addition, a smaller or larger of two, INC or AND, of 64 an addition; for no more than the device.
bool is_atomic_on_integers(const Instruction& instruction) {
  constexpr unsigned add = 0, increment = 3, bitwise_and = 5, u32 = 0, s32 = 1, u64 = 2, strong_of_system = 10;
  const uint64_t opcode = opcode_of_atomic(instruction);
  if (opcode != atomg && opcode != red) return false;
  if (instruction.modifier(Modifier::ordering).value_or(strong_of_system) >= strong_of_system) return false;
  const auto operation = instruction.modifier(Modifier::atomic_operation);
  const auto type = instruction.modifier(Modifier::atomic_type);
  if (!operation || !type) return false;
  if (*type == u64) return *operation == add;
  return (*type == u32 || *type == s32) && (*operation <= increment || *operation == bitwise_and);
}

// Of a conversion: numbers of 64 bits are converted where double precision is calculated.
bool converts_64_bits(const Instruction& instruction) {
  constexpr unsigned bits_64 = 3;  // of the modifiers
  return instruction.modifier(Modifier::destination_size) == bits_64 ||
         instruction.modifier(Modifier::source_size) == bits_64;
}

std::optional<AccessClass> access_of_kind(std::string_view name) {
  if (name == "LDSM" || name.starts_with("SULD")) return AccessClass::load;
  if (name == "STSM" || name.starts_with("SUST")) return AccessClass::store;
  if (name.starts_with("SUATOM")) return AccessClass::atomic;
  return name.starts_with("SURED") ? std::optional(AccessClass::reduction) : std::nullopt;
}

struct FactsRow {
  std::string_view mnemonic;
  Synchronisation synchronisation = Synchronisation::none;
  CopyKind copy = CopyKind::none;
  bool tensor = false;
};
constexpr FactsRow facts_rows[] = {
    {"LDGSTS", {}, CopyKind::by_lanes},
    {"LDGDEPBAR", Synchronisation::commit},
    {"UTMACMDFLUSH", Synchronisation::commit},
    {"HGMMA", Synchronisation::arrive},
    {"IGMMA", Synchronisation::arrive},
    {"QGMMA", Synchronisation::arrive},
    {"BGMMA", Synchronisation::arrive},
    {"SYNCS.PHASECHK", Synchronisation::test},
    {"UBLKCP", {}, CopyKind::bulk},
    {"UBLKRED", {}, CopyKind::bulk_reduction},
    {"UBLKPF", {}, CopyKind::bulk_prefetch},
    {"UTMALDG", {}, CopyKind::bulk, true},
    {"UTMASTG", {}, CopyKind::bulk, true},
    {"UTMAREDG", {}, CopyKind::bulk_reduction, true},
    {"UTMAPF", {}, CopyKind::bulk_prefetch, true},
    {"ACQBULK", Synchronisation::await_launches},
    {"PREEXIT", Synchronisation::allow_launches},
    {"STAS"},
};

// Eight lanes give the addresses of the rows for each register that a lane has of them.
int rows_of_matrices(const Instruction& instruction) {
  constexpr int rows = 8;
  const auto operands = instruction.operands();
  const auto data = std::find_if(operands.begin(), operands.end(),
                                 [](const Operand& operand) { return operand.kind == OperandKind::registers; });
  const int registers = data == operands.end() || data->at_most ? 4 : data->count;
  return std::min(rows * registers, static_cast<int>(ir::warp_lanes));
}

ir::Box box_of(const Instruction& instruction) {
  const auto less_one = static_cast<uint8_t>(field(instruction.word, dimensions, 3));
  constexpr uint8_t most_less_one = 4;
  if (less_one > most_less_one) return {};
  return {ir::Box::Mode::tiled, static_cast<uint8_t>(less_one + 1)};
}

bool is_multicast(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  return (name == "UBLKCP" || name == "UTMALDG") && bit(instruction.word, multicast);
}

bool is_of_cluster(const Instruction& instruction) {
  constexpr uint64_t to_shared = 3;
  return is_multicast(instruction) || instruction.mnemonic() == "STAS" ||
         (instruction.mnemonic() == "UBLKCP" && field(instruction.word, spaces_of_copy, 2) == to_shared);
}

// How many dimensions a texture has, in the words whose bits are known; else it may have three.
std::string_view dimensions_of_texture(const Instruction& instruction) {
  static constexpr uint64_t keys[] = {0xb60, 0x361, 0xf60};
  static constexpr std::string_view shapes[] = {".1D", ".2D", "", ".2D", ".1D", ".2D", "", ".2D"};
  const bool is_known = std::find(std::begin(keys), std::end(keys), field(instruction.word, 0, 12)) != std::end(keys);
  return is_known ? shapes[field(instruction.word, texture_shape, 3)] : "";
}

// In the steps of machine files: 64, 128, 256 at most. Empty for other instructions.
std::string step_of_columns(const Instruction& instruction) {
  const uint64_t count = columns_multiplied(instruction);
  return count == 0 ? "" : count <= 64 ? ".N64" : count <= 128 ? ".N128" : ".N256";
}

constexpr unsigned strong_of_block = 5;  // of the modifier `ordering`: STRONG.SM

bool is_swap(std::string_view name) {
  return name == "ATOM.CAS" || name == "ATOMG.CAS" || name == "ATOMS.CAS" || name == "ATOMS.CAST";
}

}  // namespace

// IVALL, IVALLP, WBALL, WBALLP.
bool is_of_whole_cache(const Instruction& instruction) {
  const unsigned operation = instruction.modifier(Modifier::cache_operation).value_or(0);
  return operation == 4 || (operation >= 6 && operation <= 8);
}

uint64_t columns_multiplied(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  const bool is_float = name == "HGMMA" || name == "QGMMA";
  if (!is_float && name != "IGMMA" && name != "BGMMA") return 0;
  constexpr unsigned columns = 53;  // of the word, less one, in eights; of integers, where sixteens follow 8 to 32
  const uint64_t number =
      name == "IGMMA" ? field(instruction.word, columns, 6) / 3 : field(instruction.word, columns, 5);
  return is_float || number < 4 ? 8 * (number + 1) : 16 * (number - 1);
}

std::string operation_name(const Instruction& instruction) {
  constexpr unsigned reduction = 2;  // of the modifier
  std::string name(instruction.mnemonic());
  if (name == "BAR" && instruction.modifier(Modifier::barrier_operation) == reduction) return "BAR.RED";
  if (name == "MATCH" && instruction.modifier(Modifier::wide) != 0) return "MATCH.64";
  if (name == "UTMACCTL") return bit(instruction.word, fetches_tensor) ? "UTMACCTL.PF" : "UTMACCTL.IV";
  if (name == "CCTL" && is_of_whole_cache(instruction)) return "CCTL.ALL";
  if (name == "TEX") name += dimensions_of_texture(instruction);
  if (name == "UBLKCP") {
    static constexpr const char* spaces[] = {"", ".S.G", ".G.S", ".S.S"};
    name += spaces[field(instruction.word, spaces_of_copy, 2)];
  }
  if (is_multicast(instruction)) name += ".MULTICAST";
  return name + step_of_columns(instruction);
}

std::optional<ir::OperationKind> operation_kind(const Instruction& instruction) {
  static const std::unordered_map<std::string, ir::OperationKind> kinds = {
#define SASS_KIND(mnemonic, kind) {mnemonic, ir::OperationKind::kind},
#include "frontend/sass/words/operation_kinds.def"
#undef SASS_KIND
  };
  if (converts_64_bits(instruction)) return ir::OperationKind::convert64;
  auto known = kinds.find(operation_name(instruction));
  if (known == kinds.end()) known = kinds.find(std::string(instruction.mnemonic()));
  if (known == kinds.end()) return std::nullopt;
  return known->second;
}

ir::OperationFacts operation_facts(const Instruction& instruction) {
  constexpr unsigned first_strong = 5, first_mmio = 12;  // of the modifier's values
  const std::string_view name = instruction.mnemonic();
  ir::OperationFacts facts;
  facts.access = access_of_kind(name);
  facts.strong = instruction.modifier(Modifier::ordering).value_or(0) >= first_strong;
  if (instruction.modifier(Modifier::ordering).value_or(0) >= first_mmio) {
    facts.mapped_device = facts.strong = true;
    return facts;
  }
  switch (instruction.modifier(Modifier::scope).value_or(3)) {
    case 0: facts.scope = ir::Scope::block; break;
    case 1:
    case 2: facts.scope = ir::Scope::device; break;
    default: break;
  }
  const auto* row = std::find_if(std::begin(facts_rows), std::end(facts_rows),
                                 [name](const FactsRow& one) { return one.mnemonic == name; });
  if (row != std::end(facts_rows)) {
    facts.synchronisation = row->synchronisation;
    facts.copy = {row->copy, row->tensor, row->tensor ? box_of(instruction) : ir::Box{}};
    facts.of_cluster = is_of_cluster(instruction);
  }
  if (name == "SYNCS.PHASECHK" && bit(instruction.word, suspends)) facts.synchronisation = Synchronisation::try_wait;
  if (name == "LDSM" || name == "STSM") {
    facts.matrix.addressing = ir::Matrix::Addressing::rows;
    facts.matrix.lines = rows_of_matrices(instruction);
  }
  if (is_swap(name)) {
    facts.compare_and_swap = true;
    if (instruction.modifier(Modifier::ordering) == strong_of_block) facts.scope = ir::Scope::block;
  }
  facts.on_integers = is_atomic_on_integers(instruction);
  return facts;
}

bool is_atomic_on_floats(const Instruction& instruction) {
  const uint64_t opcode = opcode_of_atomic(instruction);
  return opcode == atomg_on_floats || opcode == atom_on_floats || opcode == red_on_floats;
}

bool fetches_two_lines(const Instruction& instruction, int architecture) {
  constexpr unsigned of_load = 68, of_wide_load = 73, of_copy = 71, of_later_copy = 72;
  constexpr uint64_t two_lines = 3;
  const std::string_view name = instruction.mnemonic();
  if (name == "LDG") return field(instruction.word, of_load, 2) == two_lines;
  if (name == "LDG.256") return field(instruction.word, of_wide_load, 2) == two_lines;
  return name == "LDGSTS" && field(instruction.word, architecture < 100 ? of_copy : of_later_copy, 2) == two_lines;
}

bool may_arrive_elsewhere(const Instruction& instruction) {
  return instruction.mnemonic() == "SYNCS.ARRIVE" && bit(instruction.word, no_state);
}

}  // namespace warpspan::sass
