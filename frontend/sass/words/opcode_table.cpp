// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/opcode_table.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "frontend/sass/words/bits.hpp"
#include "frontend/sass/words/operand_pattern.hpp"
#include "frontend/sass/words/word_layout.hpp"

namespace warpspan::sass {
namespace {

// The words of the tables.
namespace rows {
constexpr int newest = 999;
constexpr Key word(uint16_t number) { return {KeyKind::word, number}; }
constexpr Key either(uint16_t number) { return {KeyKind::either, number}; }
constexpr Key alu(uint16_t number) { return {KeyKind::alu, number}; }
constexpr Key uniform(uint16_t number) { return {KeyKind::uniform, number}; }

struct Row {
  Key key;
  int since;
  int until;
  std::string_view mnemonic;
  Unit unit;
  Latency latency;
  std::string_view operands;
  std::string_view modifiers;
  std::string_view source;
};

constexpr Row all[] = {
#define SASS_OPCODE(key, since, until, mnemonic, unit, latency, operands, modifiers, source) \
  {key, since, until, mnemonic, Unit::unit, Latency::latency, operands, modifiers, source},
#include "frontend/sass/words/opcodes/asynchronous.def"
#include "frontend/sass/words/opcodes/control.def"
#include "frontend/sass/words/opcodes/conversion.def"
#include "frontend/sass/words/opcodes/floating.def"
#include "frontend/sass/words/opcodes/integer.def"
#include "frontend/sass/words/opcodes/matrix.def"
#include "frontend/sass/words/opcodes/memory.def"
#include "frontend/sass/words/opcodes/movement.def"
#include "frontend/sass/words/opcodes/texture.def"
#include "frontend/sass/words/opcodes/uniform.def"
#undef SASS_OPCODE
};
}  // namespace rows

constexpr int architectures[] = {70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
constexpr size_t keys = size_t{1} << 13;
constexpr uint16_t bit_91 = uint16_t{1} << 12;

// A row as it is for a key of an architecture, and the next one with that key: another meaning of other bits.
struct Entry {
  WordLayout layout;
  uint16_t opcode = 0;
  uint16_t next = 0;  // counted from 1; 0: none
};

struct Table {
  std::vector<Opcode> opcodes;
  std::vector<std::string> errors;
  std::vector<Entry> entries;
  // For each architecture the first entry of each key, counted from 1; 0: none.
  std::array<std::array<uint16_t, keys>, std::size(architectures)> entry_of{};
};

std::string place_of(const Opcode& opcode) {
  std::string place(opcode.mnemonic);
  return place + " (" + std::to_string(opcode.key.number) + "): ";
}

bool is_whole(const Opcode& opcode) { return opcode.key.kind == KeyKind::word || opcode.key.kind == KeyKind::either; }

void enter(Table& table, size_t row, size_t place, uint16_t key) {
  const Opcode& opcode = table.opcodes[row];
  const WordLayout layout = layout_of(opcode, key, architectures[place]);
  uint16_t* end = &table.entry_of[place][key];
  for (; *end != 0; end = &table.entries[*end - 1U].next) {
    const Entry& other = table.entries[*end - 1U];
    if (is_whole(table.opcodes[other.opcode]) != is_whole(opcode)) return;
    if (!overlap(other.layout, layout)) continue;
    table.errors.push_back(place_of(opcode) + "two rows for a word");
    return;
  }
  *end = static_cast<uint16_t>(table.entries.size() + 1);
  table.entries.push_back({layout, static_cast<uint16_t>(row), 0});
}

// Whole words go before forms, so that they can be exceptions.
void enter(Table& table, bool whole_words) {
  for (size_t row = 0; row < table.opcodes.size(); ++row) {
    const Opcode& opcode = table.opcodes[row];
    if (is_whole(opcode) != whole_words) continue;
    for (size_t place = 0; place < std::size(architectures); ++place) {
      if (architectures[place] < opcode.since || architectures[place] > opcode.until) continue;
      for (const uint16_t key : keys_of(opcode.key)) enter(table, row, place, key);
    }
  }
}

Table make_table() {
  Table table;
  for (const rows::Row& row : rows::all) {
    Opcode opcode;
    opcode.key = row.key;
    opcode.since = row.since;
    opcode.until = row.until;
    opcode.mnemonic = row.mnemonic;
    opcode.unit = row.unit;
    opcode.latency = row.latency;
    opcode.operand_text = row.operands;
    opcode.modifier_text = row.modifiers;
    opcode.source = row.source;
    const std::string error = compile(opcode);
    if (error.empty())
      table.opcodes.push_back(std::move(opcode));
    else
      table.errors.push_back(place_of(opcode) + error);
  }
  enter(table, true);
  enter(table, false);
  return table;
}

const Table& table() {
  static const Table made = make_table();
  return made;
}

uint16_t first_entry(const Table& all, const Word& word, int architecture) {
  const auto place = std::find(std::begin(architectures), std::end(architectures), architecture);
  if (place == std::end(architectures)) return 0;
  return all.entry_of[static_cast<size_t>(place - std::begin(architectures))][key_of(word)];
}

}  // namespace

std::string_view to_string(Unit unit) {
  switch (unit) {
    case Unit::alu: return "alu";
    case Unit::fma: return "fma";
    case Unit::half: return "half";
    case Unit::fp64: return "fp64";
    case Unit::special: return "special";
    case Unit::tensor: return "tensor";
    case Unit::uniform: return "uniform";
    case Unit::constant: return "constant";
    case Unit::load_store: return "load_store";
    case Unit::texture: return "texture";
    case Unit::async_copy: return "async_copy";
    case Unit::tensor_memory: return "tensor_memory";
    case Unit::barrier: return "barrier";
    case Unit::control: return "control";
    case Unit::dispatch: return "dispatch";
  }
  return "";
}

std::vector<uint16_t> keys_of(Key key) {
  std::vector<uint16_t> found;
  const auto add = [&](unsigned number) { found.push_back(static_cast<uint16_t>(number)); };
  switch (key.kind) {
    case KeyKind::word: add(key.number); break;
    case KeyKind::either:
      add(key.number);
      add(key.number | bit_91);
      break;
    case KeyKind::alu:
      for (unsigned form = 1; form <= 7; ++form) {
        const unsigned number = key.number | form << 9;
        if (form <= 5) add(number);
        if (form == 3 || form >= 5) add(number | bit_91);  // a bindless constant, or a uniform register
      }
      break;
    case KeyKind::uniform:
      for (const unsigned form : {1U, 2U, 4U}) add(key.number | form << 9 | bit_91);
      break;
  }
  return found;
}

std::span<const Opcode> opcode_rows() { return table().opcodes; }

std::vector<std::string> table_errors() { return table().errors; }

bool is_supported(int architecture) {
  return std::find(std::begin(architectures), std::end(architectures), architecture) != std::end(architectures);
}

std::string supported_architectures() {
  std::string text;
  for (const int architecture : architectures) text += (text.empty() ? "" : ", ") + std::to_string(architecture);
  return text;
}

uint16_t key_of(const Word& word) { return static_cast<uint16_t>(field(word, 0, 12) | (bit(word, 91) ? bit_91 : 0)); }

const Opcode* find_opcode(const Word& word, int architecture) {
  const Table& all = table();
  for (uint16_t entry = first_entry(all, word, architecture); entry != 0; entry = all.entries[entry - 1U].next) {
    const Entry& each = all.entries[entry - 1U];
    if (each.layout.matches(word)) return &all.opcodes[each.opcode];
  }
  return nullptr;
}

std::string why_unknown(const Word& word, int architecture) {
  const Table& all = table();
  std::string why;  // by the row of which it differs in the shortest list of bits
  for (uint16_t entry = first_entry(all, word, architecture); entry != 0; entry = all.entries[entry - 1U].next) {
    const Entry& each = all.entries[entry - 1U];
    const std::string bits = unexplained_bits(each.layout, word);
    const bool one = bits.find_first_not_of("0123456789") == std::string::npos;
    const std::string text =
        std::string(all.opcodes[each.opcode].mnemonic) + ": nothing explains bit" + (one ? " " : "s ") + bits;
    if (why.empty() || text.size() < why.size()) why = text;
  }
  return why;
}

bool may_be_control(const Word& word, int architecture) {
  const Table& all = table();
  for (uint16_t entry = first_entry(all, word, architecture); entry != 0; entry = all.entries[entry - 1U].next) {
    const Unit unit = all.opcodes[all.entries[entry - 1U].opcode].unit;
    if (unit == Unit::control || unit == Unit::barrier) return true;
  }
  return false;
}

bool has_short_offset(const Opcode& opcode, bool has_uniform_registers, int architecture) {
  return architecture >= 100 && has_uniform_registers && !opcode.mnemonic.starts_with("RED");
}

bool has_scale(const Opcode& opcode) {
  return opcode.mnemonic == "LDS" || opcode.mnemonic == "STS" || opcode.mnemonic.starts_with("ATOMS");
}

bool has_variable_latency(const Opcode& opcode, int architecture) {
  if (opcode.latency != Latency::by_chip) return opcode.latency == Latency::variable;
  return architecture < 90 || architecture > 109;
}

}  // namespace warpspan::sass
