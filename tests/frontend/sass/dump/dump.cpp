// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what the decoder makes of a disassembly, for scripts/check-decoder: for each instruction of the file's
// functions a line of fields between tabs: function, offset, mnemonic, guard, target or "-", registers of the operands,
// registers read, registers written, text. An unknown word has the mnemonic "unknown" and its key as text, with what
// nothing explains. With "--words 80" in front files are bare words of an architecture, 16 bytes each.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "frontend/sass/lowering/registers.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "frontend/sass/words/print.hpp"
#include "frontend/sass/words/text.hpp"

using namespace warpspan;

namespace {

std::string names(const sass::RegisterSet& set) {
  std::string text;
  const auto add = [&](const char* prefix, const auto& bits) {
    for (size_t i = 0; i < bits.size(); ++i)
      if (bits[i]) text += (text.empty() ? "" : " ") + (prefix + std::to_string(i));
  };
  add("R", set.general);
  add("UR", set.uniform);
  add("P", set.predicates);
  add("UP", set.uniform_predicates);
  add("B", set.barriers);
  return text.empty() ? "-" : text;
}

// The first register of each operand.
sass::RegisterSet firsts(const sass::Instruction& instruction) {
  sass::RegisterSet set;
  for (const sass::Operand& operand : instruction.operands()) {
    if (operand.kind == sass::OperandKind::registers) {
      set.insert(operand.register_class, operand.first, 1);
    } else if (operand.kind == sass::OperandKind::address || operand.kind == sass::OperandKind::constant) {
      set.insert(sass::RegisterClass::general, operand.first, 1);
      set.insert(sass::RegisterClass::uniform, operand.second, 1);
    }
  }
  return set;
}

std::string names_of(const sass::Instruction& instruction, sass::RegisterSet (*which)(const sass::Instruction&)) {
  return instruction.known() ? names(which(instruction)) : "-";
}

std::string guard_text(const sass::Guard& guard) {
  if (guard.always()) return "-";
  const std::string number = guard.number == sass::no_register ? "T" : std::to_string(guard.number);
  return std::string(guard.negated ? "!" : "") + (guard.uniform ? "UP" : "P") + number;
}

std::string unknown_text(const sass::Instruction& instruction, int architecture) {
  char key[8];
  std::snprintf(key, sizeof key, "%04x", sass::key_of(instruction.word));
  const std::string why = sass::why_unknown(instruction.word, architecture);
  return why.empty() ? key : std::string(key) + " " + why;
}

void print(const std::string& function, const sass::Instruction& instruction, int architecture) {
  const auto target = instruction.target();
  std::cout << function << '\t' << instruction.offset << '\t' << instruction.mnemonic() << '\t'
            << guard_text(instruction.guard) << '\t' << (target ? std::to_string(*target) : "-") << '\t'
            << names_of(instruction, firsts) << '\t' << names_of(instruction, sass::reads) << '\t'
            << names_of(instruction, sass::writes) << '\t'
            << (instruction.known() ? sass::to_string(instruction) : unknown_text(instruction, architecture)) << '\n';
}

int dump(const char* path) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  const auto functions = sass::read_disassembly(content.str(), path);
  if (!functions) {
    for (const auto& error : functions.errors()) std::cerr << support::render(error, false);
    return 1;
  }
  for (const sass::FunctionText& function : *functions) {
    for (uint64_t i = 0; i < function.words.size(); ++i) {
      const int architecture = function.architecture;
      print(function.name, sass::decode_word(function.words[i], architecture, i * sass::word_bytes), architecture);
    }
  }
  return 0;
}

int dump_words(const char* path, int architecture) {
  std::ifstream file(path, std::ios::binary);
  sass::Word word;
  for (uint64_t offset = 0; file.read(reinterpret_cast<char*>(&word), sizeof word); offset += sizeof word)
    print("-", sass::decode_word(word, architecture, offset), architecture);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const bool words = count > 3 && std::string(arguments[1]) == "--words";
  for (int i = 3; words && i < count; ++i)
    if (const int status = dump_words(arguments[i], std::atoi(arguments[2]))) return status;
  if (words) return 0;
  for (int i = 1; i < count; ++i)
    if (const int status = dump(arguments[i])) return status;
  return count > 1 ? 0 : 2;
}
