// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. Let no instruction from d + 1 to c be one that something leads to but the instruction before it: neither a
// target of a branch or of a list, nor behind a call. Then whenever control is at c, it has come from d through all
// instructions between, in this order. So if d writes a register always and none between writes it, c finds there what
// d wrote. A call between them of a function that is not in the file comes back behind it, with the registers restored
// that it has to restore.
#include "frontend/sass/lowering/outside_calls.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "frontend/sass/lowering/control_flow.hpp"
#include "frontend/sass/lowering/registers.hpp"

namespace warpspan::sass {

namespace {

std::set<uint64_t> targets_of(const Code& code) {
  std::set<uint64_t> all;
  for (const Instruction& instruction : code.instructions) {
    if (const auto target = instruction.target()) all.insert(*target);
  }
  for (const Code::IndirectBranch& branch : code.indirect_branches)
    all.insert(branch.targets.begin(), branch.targets.end());
  return all;
}

class Finder {
 public:
  explicit Finder(Code& code) : code_(code), targets_(targets_of(code)) {}

  void run() {
    for (uint32_t i = 0; i < code_.instructions.size(); ++i) {
      const Instruction& call = code_.instructions[i];
      if (!call.known() || code_.references.contains(i)) continue;
      const bool is_absolute = call.mnemonic() == "CALL.ABS";
      if (!(is_absolute || call.mnemonic() == "CALL.REL") || !call.operands().front().in_register()) continue;
      if (!is_absolute && calls_pointer(i)) {
        for (const Code::PointedFunction& function : code_.pointed_functions)
          code_.pointer_calls[i].push_back(function.first);
      }
      if (const std::string* name = is_absolute ? called_by(i) : nullptr) code_.outside_calls[i] = *name;
    }
  }

 private:
  // The instruction that wrote a general register before; nothing if that is not sure.
  std::optional<uint32_t> writer_of(uint8_t reg, uint32_t reader) const {
    const uint32_t first = code_.section_of(reader).first;
    for (uint32_t i = reader; i > first; --i) {
      if (targets_.contains(code_.instructions[i].offset)) return std::nullopt;
      const Instruction& before = code_.instructions[i - 1];
      if (code_.outside_calls.contains(i - 1) && before.guard.always() && !changed_.general.test(reg)) continue;
      const bool calls = before.mnemonic() == "CALL.REL" || before.mnemonic() == "CALL.ABS";
      if (!before.known() || calls || !may_fall_through(before)) return std::nullopt;
      if (!writes(before).general.test(reg)) continue;
      return before.guard.always() && !code_.references.contains(i - 1) ? std::optional(i - 1) : std::nullopt;
    }
    return std::nullopt;
  }

  std::optional<int64_t> number_in(uint8_t reg, uint32_t reader) const {
    if (reg == no_register) return 0;
    const auto writer = writer_of(reg, reader);
    if (!writer) return std::nullopt;
    const Instruction& move = code_.instructions[*writer];
    const auto operands = move.operands();
    const Operand& source = operands.back();
    const bool is_move = move.mnemonic() == "MOV" && operands.size() == 2 && move.modifier(Modifier::lanes) == 15U;
    const bool is_product = move.mnemonic() == "IMAD" && operands.size() == 4 && operands[1].is_fixed_register();
    if (!is_move && !is_product) return std::nullopt;
    if (source.is_fixed_register()) return 0;
    return source.kind == OperandKind::immediate ? std::optional(source.value) : std::nullopt;
  }

  // The load of a constant that the register which is called through, and the one behind it, have been written by.
  std::optional<uint32_t> load_of(uint32_t call) const {
    const uint8_t low = code_.instructions[call].operands().front().first;
    const auto writer = writer_of(low, call);
    if (!writer || low + 1 >= no_register || writer_of(static_cast<uint8_t>(low + 1), call) != writer)
      return std::nullopt;
    const Instruction& load = code_.instructions[*writer];
    const auto operands = load.operands();
    const bool is_load = load.mnemonic() == "LDC" && operands[0].first == low && operands[0].count == 2 &&
                         operands[1].kind == OperandKind::constant && operands[1].second == no_register;
    return is_load ? writer : std::nullopt;
  }

  // Through a pointer to a function of the kernel's own section.
  bool calls_pointer(uint32_t call) const {
    constexpr int64_t bank_of_pointers = 2;
    const auto load = load_of(call);
    return load && code_.section_of(call).first == 0 && !code_.pointed_functions.empty() &&
           code_.instructions[*load].operands()[1].bank == bank_of_pointers;
  }

  const std::string* called_by(uint32_t call) const {
    const auto load = load_of(call);
    if (!load) return nullptr;
    const Operand& place = code_.instructions[*load].operands()[1];
    const auto index = number_in(place.first, *load);
    if (!index) return nullptr;
    const auto found = code_.function_addresses.find({place.bank, place.value + *index});
    return found == code_.function_addresses.end() ? nullptr : &found->second;
  }

  Code& code_;
  const std::set<uint64_t> targets_;
  const RegisterSet changed_ = changed_by_call();
};

}  // namespace

void find_outside_calls(Code& code) { Finder(code).run(); }

std::vector<std::string> outside_functions(const Code& code, const std::vector<CodeBlock>& blocks) {
  std::set<uint32_t> calls;
  for (const CodeBlock& block : blocks) {
    const uint32_t last = block.first + block.count - 1;
    if (code.outside_calls.contains(last) && !code.reports_failed_assertion(last)) calls.insert(last);
  }
  std::vector<std::string> names;
  for (const uint32_t call : calls) {
    const std::string& name = code.outside_calls.at(call);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

support::Result<std::vector<std::string>> outside_functions(const Code& code) {
  if (code.outside_calls.empty()) return std::vector<std::string>();
  Code timed = code;
  for (const auto& [call, name] : code.outside_calls) timed.call_times.try_emplace(name);
  const auto blocks = find_blocks(timed);
  if (!blocks) return blocks.errors();
  return outside_functions(code, *blocks);
}

}  // namespace warpspan::sass
