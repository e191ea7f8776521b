// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/words/decode.hpp"

#include <algorithm>
#include <string>

#include "frontend/sass/words/bits.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/operand_decoder.hpp"
#include "support/digits.hpp"

namespace warpspan::sass {
namespace {

constexpr size_t most_errors = 20;

std::optional<uint8_t> scoreboard(uint64_t value) {
  return value == 7 ? std::nullopt : std::optional(static_cast<uint8_t>(value));
}

Control control_of(const Word& word) {
  Control control;
  control.stall = static_cast<uint8_t>(field(word, 105, 4));
  control.yields = !bit(word, 109);
  control.write_scoreboard = scoreboard(field(word, 110, 3));
  control.read_scoreboard = scoreboard(field(word, 113, 3));
  control.wait_mask = static_cast<uint8_t>(field(word, 116, 6));
  control.reuse = static_cast<uint8_t>(field(word, 122, 4));
  return control;
}

Guard guard_of(const Word& word, const Opcode* opcode) {
  Guard guard;
  const uint64_t number = field(word, 12, 3);
  guard.number = number == 7 ? no_register : static_cast<uint8_t>(number);
  guard.negated = bit(word, 15);
  guard.uniform = opcode && opcode->uniform_guard;
  return guard;
}

// sm_70 to sm_75 have kind and scope of an access in two fields: given in the numbers of sm_80.
uint16_t ordering(unsigned value, int architecture) {
  if (architecture >= 80) return static_cast<uint16_t>(value);
  constexpr uint16_t strong[] = {5, 5, 7, 10};  // block, multiprocessor, device, system
  switch (value >> 2) {
    case 0: return 4;  // constant
    case 1: return 0;  // weak
    case 2: return strong[value & 3];
    default: return 12;  // input and output
  }
}

ModifierValue modifier_of(const ModifierPattern& pattern, const Word& word, int architecture) {
  uint64_t value = field(word, pattern.bit, pattern.bits);
  if (pattern.second_bits > 0) value |= field(word, pattern.second_bit, pattern.second_bits) << pattern.bits;
  if (pattern.modifier == Modifier::ordering) value = ordering(static_cast<unsigned>(value), architecture);
  return {pattern.modifier, static_cast<uint16_t>(value)};
}

// Where words that are not known for the same reason were met first, and how often in all.
struct Unknown {
  Word word;
  std::string why;
  uint64_t offset = 0;
  size_t count = 0;
};

support::Diagnostic unknown_opcode(const Unknown& unknown, int architecture) {
  using support::hexadecimal;
  support::Diagnostic error;
  error.message = "unknown machine instruction 0x" + hexadecimal(unknown.word.high, 16) +
                  hexadecimal(unknown.word.low, 16) + " at 0x" + hexadecimal(unknown.offset, 4) + " (opcode 0x" +
                  hexadecimal(key_of(unknown.word), 4) + " of sm_" + std::to_string(architecture) + ")";
  if (!unknown.why.empty()) error.message += ", " + unknown.why;
  if (unknown.count > 1) {
    error.message += ", the first of " + std::to_string(unknown.count) +
                     (unknown.why.empty() ? " with this opcode" : " with this opcode and these bits");
  }
  error.help = may_be_control(unknown.word, architecture)
                   ? "it may lead elsewhere or wait for other warps; the PTX of this kernel can be analyzed"
                   : "{unknown_opcodes} worst takes it for as expensive as any operation of the machine";
  return error;
}

support::Diagnostic unsupported(int architecture) {
  support::Diagnostic error;
  error.message = "machine code of sm_" + std::to_string(architecture) + " cannot be decoded";
  error.help = "supported architectures: " + supported_architectures();
  return error;
}

}  // namespace

std::string_view Instruction::mnemonic() const { return opcode ? opcode->mnemonic : "unknown"; }

Instruction decode_word(const Word& word, int architecture, uint64_t offset) {
  Instruction instruction;
  instruction.opcode = find_opcode(word, architecture);
  instruction.offset = offset;
  instruction.word = word;
  instruction.guard = guard_of(word, instruction.opcode);
  instruction.control = control_of(word);
  if (!instruction.opcode) return instruction;
  for (const ModifierPattern& pattern : instruction.opcode->modifiers)
    instruction.modifier_values[instruction.modifier_count++] = modifier_of(pattern, word, architecture);
  decode_operands(instruction, architecture);
  return instruction;
}

support::Result<std::vector<Instruction>> decode(std::span<const Word> words, int architecture, UnknownOpcodes unknown,
                                                 uint64_t offset) {
  if (!is_supported(architecture)) return unsupported(architecture);
  std::vector<Instruction> instructions;
  instructions.reserve(words.size());
  std::vector<Unknown> unknowns;  // in the order in which they stand
  for (const Word& word : words) {
    instructions.push_back(decode_word(word, architecture, offset));
    const bool refused = unknown == UnknownOpcodes::are_errors || may_be_control(word, architecture);
    if (!instructions.back().known() && refused) {
      const std::string why = why_unknown(word, architecture);
      const auto same = std::find_if(unknowns.begin(), unknowns.end(), [&](const Unknown& each) {
        return key_of(each.word) == key_of(word) && each.why == why;
      });
      if (same != unknowns.end()) {
        ++same->count;
      } else if (unknowns.size() < most_errors) {
        unknowns.push_back({word, why, offset, 1});
      }
    }
    offset += word_bytes;
  }
  support::Diagnostics errors;
  for (const Unknown& each : unknowns) errors.push_back(unknown_opcode(each, architecture));
  if (!errors.empty()) return errors;
  return instructions;
}

support::Result<std::vector<Instruction>> decode_bytes(std::span<const uint8_t> bytes, int architecture,
                                                       UnknownOpcodes unknown, uint64_t offset) {
  if (bytes.size() % word_bytes != 0) {
    support::Diagnostic error;
    error.message =
        "machine code ends within an instruction: " + std::to_string(bytes.size()) + " bytes are no multiple of 16";
    return error;
  }
  std::vector<Word> words(bytes.size() / word_bytes);
  for (size_t i = 0; i < bytes.size(); ++i) {
    uint64_t& half = i % word_bytes < 8 ? words[i / word_bytes].low : words[i / word_bytes].high;
    half |= uint64_t{bytes[i]} << (i % 8 * 8);
  }
  return decode(words, architecture, unknown, offset);
}

}  // namespace warpspan::sass
