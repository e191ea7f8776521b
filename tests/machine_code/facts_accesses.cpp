// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/facts_accesses.hpp"

#include <map>

#include "tests/reference/access_findings.hpp"

namespace warpspan::machine_code {

void check_footprints(const frontend::AnalyzedKernel& analyzed, const FactsSubject& subject, const Record& record,
                      FactsCheck& check) {
  std::vector<reference::AccessPlace> places;
  places.reserve(record.accesses.size());
  std::map<uint32_t, std::vector<const reference::AccessPlace*>> by_line;
  for (const Access& access : record.accesses) {
    if (access.space != Space::global) continue;
    places.push_back(
        {access.instruction, access.warp, access.block, access.request, access.address, access.bytes, access.lane});
    by_line[access.instruction + 1].push_back(&places.back());
  }
  std::map<uint32_t, int> copies;
  for (const ir::Instruction& instruction : analyzed.kernel.instructions) ++copies[instruction.line];

  reference::ExecutedAccesses executed;
  executed.aligned = subject.aligned;
  executed.all_blocks = record.stopped.empty() && subject.whole_grid;
  for (const auto& [parameter, pointer] : subject.pointers) {
    executed.begins[subject.kernel + "_param_" + std::to_string(parameter)] = pointer;
  }
  for (ir::InstructionId i = 0; i < analyzed.kernel.instructions.size(); ++i) {
    const ir::Instruction& instruction = analyzed.kernel.instructions[i];
    // Of a subroutine's copies it is not known which one was executed.
    if (copies[instruction.line] > 1) continue;
    const std::string_view name = analyzed.kernel.operation(instruction).text;
    executed.by_instruction[i] = {by_line[instruction.line], name.starts_with("ATOM") || name.starts_with("RED")};
  }
  reference::compare_accesses(analyzed, executed, check);
}

}  // namespace warpspan::machine_code
