// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/frame.hpp"

#include <algorithm>

#include "frontend/sass/lowering/lowering.hpp"
#include "frontend/sass/words/constant_bank.hpp"

namespace warpspan::sass {

namespace {

// Whether anything but the address has R1 in it. What a comparison leaves behind is no address: code that is not
// optimized checks that there is room for the frame.
bool knows_frame(Instruction instruction, const std::optional<size_t>& address) {
  if (instruction.mnemonic() == "ISETP") return false;
  if (address) instruction.operand_values[*address].first = no_register;
  return reads(instruction).contains(RegisterClass::general, stack_pointer);
}

// An index is added to where an array begins, and does not lead before that.
bool reads_stack_constant(const Instruction& instruction, int64_t place) {
  const auto operands = instruction.operands();
  return std::any_of(operands.begin(), operands.end(), [place](const Operand& operand) {
    if (operand.kind != OperandKind::constant || operand.bank != 0) return false;
    const int64_t end = operand.value + 4 * std::max<int64_t>(1, operand.count);
    return operand.value < place + 4 && (end > place || !operand.is_fixed_constant());
  });
}

// Which operand of an access to local memory is R1 and a number.
std::optional<size_t> plain_address(const Instruction& instruction) {
  const auto operands = instruction.operands();
  for (size_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    const bool is_plain = operand.kind == OperandKind::address && operand.first == stack_pointer &&
                          operand.count == 1 && operand.scale == 1 && operand.second == no_register;
    if (is_plain) return i;
  }
  return std::nullopt;
}

// The instruction of the entry behind which R1 is not written any more.
std::optional<uint32_t> end_of_setup(const Code& code, const std::vector<CodeBlock>& blocks) {
  std::optional<uint32_t> last;
  const CodeBlock& entry = blocks.front();
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (uint32_t i = blocks[b].first; i < blocks[b].first + blocks[b].count; ++i) {
      const Instruction& instruction = code.instructions[i];
      if (!instruction.known()) return std::nullopt;
      if (!writes(instruction).contains(RegisterClass::general, stack_pointer)) continue;
      if (b > 0 || !instruction.guard.always()) return std::nullopt;
      last = std::max(last.value_or(entry.first), i);
    }
    const bool again = blocks[b].next == 0 ||
                       std::find(blocks[b].targets.begin(), blocks[b].targets.end(), 0U) != blocks[b].targets.end();
    if (again) return std::nullopt;
  }
  return last;
}

}  // namespace

std::optional<Frame> find_frame(const Code& code, const std::vector<CodeBlock>& blocks) {
  const auto set = end_of_setup(code, blocks);
  if (!set) return std::nullopt;
  const int64_t stack = constant_bank(code.architecture).stack;
  int64_t first = INT64_MAX, end = INT64_MIN;
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (uint32_t i = blocks[b].first; i < blocks[b].first + blocks[b].count; ++i) {
      const Instruction& instruction = code.instructions[i];
      const bool sets = b == 0 && i <= *set;
      const auto access = access_of(instruction);
      std::optional<size_t> address;
      if (access && access->space == ir::MemorySpace::local) {
        address = plain_address(instruction);
        if (!address || sets) return std::nullopt;
        const int64_t place = instruction.operands()[*address].value;
        first = std::min(first, place);
        end = std::max(end, place + access->bytes());
      }
      if (sets && writes(instruction).contains(RegisterClass::general, stack_pointer)) continue;
      if (knows_frame(instruction, address) || reads_stack_constant(instruction, stack)) return std::nullopt;
    }
  }
  if (first >= end) return std::nullopt;
  return Frame{first, end - first};
}

}  // namespace warpspan::sass
