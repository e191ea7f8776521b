#include "tests/machine_code/program.hpp"

#include <algorithm>

#include "frontend/sass/decode.hpp"

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
  if (name == "BRA" || name == "CALL.REL") {
    const auto target = program.at(instruction.target().value_or(UINT64_MAX));
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
  const std::vector<uint8_t> code(found->code.begin(), found->code.end());
  auto decoded = sass::decode_bytes(code, program.architecture);
  if (!decoded) return decoded.errors();
  program.instructions = std::move(*decoded);
  for (const object::IndirectBranch& branch : found->indirect_branches) {
    const auto number = program.at(branch.offset);
    if (!number) return error("an indirect branch is not in the code");
    for (const uint32_t target : branch.targets) {
      const auto to = program.at(target);
      if (!to) return error("a target of an indirect branch is not in the code");
      program.targets[*number].push_back(*to);
    }
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
