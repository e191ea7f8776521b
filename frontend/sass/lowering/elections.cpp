#include "frontend/sass/lowering/elections.hpp"

#include <algorithm>
#include <span>

#include "ir/sizes.hpp"

namespace warpspan::sass {

namespace {

bool is_guarded_by(const Instruction& instruction, uint8_t predicate) {
  const Guard& guard = instruction.guard;
  return !guard.uniform && !guard.negated && guard.number == predicate;
}

bool writes(const Instruction& instruction, uint8_t predicate) {
  return std::any_of(instruction.operands().begin(), instruction.operands().end(), [&](const Operand& operand) {
    return operand.role != Role::read && operand.register_class == RegisterClass::predicate &&
           operand.kind == OperandKind::registers && operand.first == predicate;
  });
}

// Whether it makes a predicate false in the lanes in which another one is true.
bool takes(const Instruction& instruction, uint8_t taken, uint8_t elected) {
  if (instruction.mnemonic() != "PLOP3" || !is_guarded_by(instruction, elected)) return false;
  const auto operands = instruction.operands();
  if (operands[0].first != taken || operands[1].first == taken) return false;
  unsigned index = 0;  // of the bit of the table
  for (const Operand& source : operands.subspan(2, 3)) {
    const bool is_known =
        source.register_class == RegisterClass::predicate && (source.first == no_register || source.first == elected);
    if (!is_known) return false;
    index = 2 * index + (source.negated ? 0 : 1);
  }
  return (instruction.modifier(Modifier::lut).value_or(0) >> index & 1) == 0;
}

bool is_election(std::span<const Instruction> body) {
  const Instruction& branch = body.back();
  const auto is_other_condition = [](const Operand& o) {
    return o.is_predicate() && (!o.is_fixed_register() || o.negated);
  };
  const bool goes_together = branch.mnemonic() == "BRA" && branch.has(Modifier::any) && !branch.guard.uniform &&
                             !branch.guard.negated && branch.guard.number != no_register &&
                             std::none_of(branch.operands().begin(), branch.operands().end(), is_other_condition);
  if (!goes_together || !std::all_of(body.begin(), body.end(), [](const Instruction& i) { return i.known(); }))
    return false;
  const uint8_t waiting = branch.guard.number;
  const auto elects = [&](const Instruction& i) { return i.mnemonic() == "ELECT" && is_guarded_by(i, waiting); };
  const auto election = std::find_if(body.begin(), body.end(), elects);
  if (election == body.end()) return false;
  const Operand& elected = election->operands().front();
  if (!elected.is_predicate() || elected.is_fixed_register() || elected.first == waiting) return false;
  const auto taking =
      std::find_if(election, body.end(), [&](const Instruction& i) { return takes(i, waiting, elected.first); });
  if (taking == body.end()) return false;
  const auto writes_elected = [&](const Instruction& i) { return writes(i, elected.first); };
  const auto writes_waiting = [&](const Instruction& i) { return writes(i, waiting); };
  return std::none_of(election + 1, taking, writes_elected) &&
         std::count_if(body.begin(), body.end(), writes_waiting) == 1;
}

bool is_one_block(const ir::Flow& flow, ir::LoopId loop) {
  for (ir::BlockId b = 0; b < flow.blocks.size(); ++b) {
    if (flow.blocks[b].loop == loop && b != flow.loops[loop].header) return false;
  }
  return std::none_of(flow.loops.begin(), flow.loops.end(),
                      [&](const ir::Loop& other) { return other.parent == loop; });
}

}  // namespace

void add_elections(const Code& code, const std::vector<CodeBlock>& blocks, ir::Flow& flow) {
  for (ir::LoopId l = 0; l < flow.loops.size(); ++l) {
    ir::Loop& loop = flow.loops[l];
    if (loop.trip_count && *loop.trip_count <= ir::warp_lanes) continue;
    const CodeBlock& block = blocks[loop.header];
    if (!is_one_block(flow, l) || !is_election(std::span(code.instructions).subspan(block.first, block.count)))
      continue;
    loop.trip_count = ir::warp_lanes;
    loop.source = ir::TripCountSource::elections;
    loop.obstacle.clear();
    loop.remedies.clear();
    loop.array_remedies.clear();
    loop.looks_like_waiting = false;
  }
}

}  // namespace warpspan::sass
