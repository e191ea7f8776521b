#include "frontend/sass/frame.hpp"

#include <algorithm>

#include "frontend/sass/constant_bank.hpp"
#include "frontend/sass/lowering.hpp"

namespace warpspan::sass {

namespace {

bool is_read(const Operand& operand) { return operand.kind != OperandKind::registers || operand.role != Role::written; }

// Whether an operand, other than the address, has R1 in it. What a comparison leaves behind is no address: code that is
// not optimized checks that there is room for the frame.
bool knows_frame(const Instruction& instruction, const Operand* address) {
  if (instruction.mnemonic() == "ISETP") return false;
  const auto operands = instruction.operands();
  return std::any_of(operands.begin(), operands.end(), [address](const Operand& operand) {
    if (&operand == address) return false;
    const bool is_general =
        operand.kind == OperandKind::address || operand.kind == OperandKind::constant ||
        (operand.kind == OperandKind::registers && operand.register_class == RegisterClass::general);
    const bool has = is_general && operand.first <= stack_pointer && operand.first + operand.count > stack_pointer;
    const bool indexes = operand.kind == OperandKind::constant && operand.first == stack_pointer;
    return is_read(operand) && (has || indexes);
  });
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

// The address of an access to local memory that is R1 and a number.
const Operand* plain_address(const Instruction& instruction) {
  const auto access = access_of(instruction);
  if (!access || access->space != ir::MemorySpace::local) return nullptr;
  for (const Operand& operand : instruction.operands()) {
    if (operand.kind != OperandKind::address) continue;
    const bool is_plain =
        operand.first == stack_pointer && operand.count == 1 && operand.scale == 1 && operand.second == no_register;
    return is_plain ? &operand : nullptr;
  }
  return nullptr;
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
      const Operand* place = plain_address(instruction);
      if (access && access->space == ir::MemorySpace::local && (place == nullptr || sets)) return std::nullopt;
      if (place != nullptr) {
        first = std::min(first, place->value);
        end = std::max(end, place->value + access->bytes());
      }
      const bool writes_it = writes(instruction).contains(RegisterClass::general, stack_pointer);
      if (!(sets && writes_it) && (knows_frame(instruction, place) || reads_stack_constant(instruction, stack))) {
        return std::nullopt;
      }
    }
  }
  if (first >= end) return std::nullopt;
  return Frame{first, end - first};
}

}  // namespace warpspan::sass
