// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/interpreter/program.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "frontend/sass/words/decode.hpp"

namespace warpspan::machine_code {

namespace {

support::Diagnostic error(std::string message) {
  support::Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  return diagnostic;
}

BankLayout layout_of(int architecture) {
  if (architecture >= 100) return {0x360, 0x370, 0x37c, 0x358, 0x2f8, 0, 0x380};
  if (architecture >= 90) return {0x0, 0xc, 0x28, 0x208, 0x20, 0, 0x210};
  return {0x0, 0xc, 0x28, architecture >= 80 ? 0x118U : 0U, 0x20, 0x18, 0x160};
}

void add_constants(Program& program, const object::Cubin& cubin, size_t function) {
  for (const object::ConstantBank& bank : cubin.constants) {
    if (bank.bank == 0 || bank.function.value_or(function) != function) continue;
    Bank& made = program.constants[bank.bank];
    made.put(0, {bank.bytes.begin(), bank.bytes.end()});
    for (const object::Relocation& relocation : bank.relocations) {
      const size_t end = std::min<size_t>(relocation.offset + 8, made.known.size());
      for (size_t i = relocation.offset; i < end; ++i) made.known[i] = false;
    }
  }
}

bool is_always(const sass::Instruction& instruction) {
  if (!instruction.guard.always()) return false;
  const auto operands = instruction.operands();
  return std::none_of(operands.begin(), operands.end(), [](const sass::Operand& operand) {
    const bool predicate = operand.register_class == sass::RegisterClass::predicate ||
                           operand.register_class == sass::RegisterClass::uniform_predicate;
    return operand.kind == sass::OperandKind::registers && predicate && operand.role == sass::Role::read &&
           (operand.first != sass::no_register || operand.negated);
  });
}

// The numbers that may come next; false if one of them does not exist.
bool add_successors(const Program& program, uint32_t number, std::vector<uint32_t>& successors) {
  const sass::Instruction& instruction = program.instructions[number];
  const auto end = static_cast<uint32_t>(program.instructions.size());
  const std::string_view name = instruction.mnemonic();
  const bool leaves = name == "EXIT" || name == "RET" || name == "KILL";
  const bool branches = name == "BRA" || name == "BRX" || name == "BRXU";
  if (leaves) successors.push_back(end);
  const bool calls_address = name == "CALL.ABS" && instruction.operand_values[0].kind == sass::OperandKind::immediate &&
                             !program.unresolved.contains(number);
  if (name == "BRA" || name == "CALL.REL" || calls_address) {
    const uint64_t address = calls_address ? static_cast<uint32_t>(instruction.operand_values[0].value)
                                           : instruction.target().value_or(UINT64_MAX);
    const auto target = program.at(address);
    if (!target) return false;
    successors.push_back(*target);
  }
  const auto indirect = program.targets.find(number);
  if (indirect != program.targets.end())
    successors.insert(successors.end(), indirect->second.begin(), indirect->second.end());
  if (!(leaves || branches) || !is_always(instruction)) successors.push_back(number + 1);
  std::sort(successors.begin(), successors.end());
  successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
  return true;
}

// Where each function's section is put.
std::vector<std::pair<size_t, uint64_t>> lay_out(const object::Cubin& cubin, size_t first) {
  std::vector<std::pair<size_t, uint64_t>> sections = {{first, 0}};
  for (size_t i = 0; i < sections.size(); ++i) {
    for (const object::Relocation& relocation : cubin.functions[sections[i].first].relocations) {
      const auto same = [&](const auto& section) { return section.first == relocation.function; };
      if (!relocation.function || std::any_of(sections.begin(), sections.end(), same)) continue;
      const uint64_t end = sections.back().second + cubin.functions[sections.back().first].code.size();
      sections.emplace_back(*relocation.function, end);
    }
  }
  return sections;
}

// A word with an address in it, as a loader would fill it in; nothing if that is not known here.
std::optional<sass::Word> filled_in(sass::Word word, const object::Relocation& relocation, uint64_t base) {
  const uint64_t address = base + relocation.value + static_cast<uint64_t>(relocation.addend.value_or(0));
  const uint64_t low = word.low & UINT32_MAX;
  if (relocation.offset % sass::word_bytes != 0) return std::nullopt;
  switch (relocation.type) {
    case 56:
    case 58:
    case 75: return sass::Word{low | address << 32, word.high};
    case 57: return sass::Word{low | address >> 32 << 32, word.high};
    default: return std::nullopt;
  }
}

// Of a section at an address; what is wrong, if something is.
std::optional<support::Diagnostic> add_section(Program& program, const object::Cubin& cubin,
                                               const std::vector<std::pair<size_t, uint64_t>>& sections, size_t which) {
  const auto [index, begin] = sections[which];
  const object::Function& function = cubin.functions[index];
  std::vector<sass::Word> words(function.code.size() / sass::word_bytes);
  std::memcpy(words.data(), function.code.data(), words.size() * sass::word_bytes);
  const auto first = static_cast<uint32_t>(begin / sass::word_bytes);
  for (const object::Relocation& relocation : function.relocations) {
    const uint64_t number = relocation.offset / sass::word_bytes;
    const auto to = std::find_if(sections.begin(), sections.end(),
                                 [&](const auto& section) { return section.first == relocation.function; });
    const auto filled = relocation.function && to != sections.end() && number < words.size()
                            ? filled_in(words[number], relocation, to->second)
                            : std::nullopt;
    if (filled)
      words[number] = *filled;
    else
      program.unresolved.insert(first + static_cast<uint32_t>(number));
  }
  auto decoded = sass::decode(words, program.architecture, sass::UnknownOpcodes::are_errors, begin);
  if (!decoded) return decoded.errors().front();
  program.instructions.insert(program.instructions.end(), decoded->begin(), decoded->end());
  return {};
}

bool add_indirect_targets(Program& program, const object::Function& function, uint64_t begin) {
  for (const object::IndirectBranch& branch : function.indirect_branches) {
    const auto number = program.at(begin + branch.offset);
    if (!number) return false;
    for (const uint32_t target : branch.targets) {
      const auto to = program.at(begin + target);
      if (!to) return false;
      program.targets[*number].push_back(*to);
    }
  }
  return true;
}

}  // namespace

void Bank::put(uint64_t offset, uint64_t value, unsigned size) {
  bytes.resize(std::max<size_t>(bytes.size(), offset + size));
  known.resize(bytes.size(), false);
  for (unsigned i = 0; i < size; ++i) {
    bytes[offset + i] = static_cast<uint8_t>(value >> (8 * i));
    known[offset + i] = true;
  }
}

void Bank::put(uint64_t offset, const std::vector<uint8_t>& values) {
  for (size_t i = 0; i < values.size(); ++i) put(offset + i, values[i], 1);
}

std::optional<uint64_t> Bank::load(uint64_t offset, unsigned size) const {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) {
    if (offset + i >= bytes.size() || !known[offset + i]) return std::nullopt;
    value |= uint64_t{bytes[offset + i]} << (8 * i);
  }
  return value;
}

std::optional<uint32_t> Program::at(uint64_t offset) const {
  if (offset % sass::word_bytes != 0 || offset / sass::word_bytes >= instructions.size()) return std::nullopt;
  return static_cast<uint32_t>(offset / sass::word_bytes);
}

support::Result<Program> prepare(const object::Cubin& cubin, std::string_view function) {
  const auto found = std::find_if(cubin.functions.begin(), cubin.functions.end(),
                                  [&](const object::Function& each) { return each.name == function; });
  if (found == cubin.functions.end()) return error("the cubin has no function '" + std::string(function) + "'");
  Program program;
  program.architecture = static_cast<int>(cubin.architecture.number);
  program.layout = layout_of(program.architecture);
  const auto sections = lay_out(cubin, static_cast<size_t>(found - cubin.functions.begin()));
  for (size_t i = 0; i < sections.size(); ++i) {
    if (auto problem = add_section(program, cubin, sections, i)) return *problem;
  }
  for (const auto& [index, begin] : sections) {
    if (!add_indirect_targets(program, cubin.functions[index], begin))
      return error("an indirect branch leaves the code");
  }
  reference::Edges successors(program.instructions.size() + 1);
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (!add_successors(program, i, successors[i])) return error("a branch leads out of the function");
  }
  if (!program.instructions.empty() && successors[program.instructions.size() - 1].empty())
    successors[program.instructions.size() - 1].push_back(static_cast<uint32_t>(program.instructions.size()));
  program.graph = reference::control_graph(successors);
  add_constants(program, cubin, static_cast<size_t>(found - cubin.functions.begin()));
  return program;
}

}  // namespace warpspan::machine_code
