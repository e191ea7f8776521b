// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/control_flow.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "frontend/sass/lowering/lowering.hpp"
#include "frontend/sass/lowering/restored_values.hpp"
#include "frontend/sass/words/bits.hpp"
#include "ir/sentences.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::sass {

support::Diagnostic error_at(const Code& code, const Instruction& instruction, std::string message, std::string help) {
  const size_t index = instruction.offset / word_bytes;
  return code.listing.source->error_at(code.listing.offsets[index],
                                       "kernel " + support::quoted_symbol(code.name) + ": " + std::move(message),
                                       std::move(help));
}

namespace {

using support::Diagnostic;
using support::Result;

constexpr uint32_t none = UINT32_MAX;

bool is_true(const Operand& predicate) { return predicate.first == no_register && !predicate.negated; }

// Whether it is executed by all lanes that come to it: neither its guard nor a predicate among its operands decides.
bool always_taken(const Instruction& instruction) {
  const auto operands = instruction.operands();
  return instruction.guard.always() && !instruction.has(Modifier::branch) && !instruction.has(Modifier::any) &&
         std::all_of(operands.begin(), operands.end(),
                     [](const Operand& operand) { return !operand.is_predicate() || is_true(operand); });
}

class Finder {
 public:
  explicit Finder(const Code& code) : code_(code) {}

  Result<std::vector<CodeBlock>> run() {
    calls_.push_back({});
    block_at(0, 0);
    while (!open_.empty() && !error_) {
      const uint32_t block = open_.back();
      open_.pop_back();
      walk(block);
    }
    if (error_) return *error_;
    cut();
    for (CodeBlock& block : blocks_) block.entry = known_.at({block.call, calls_[block.call].entry});
    if (auto error = follow_returns(code_, calls_, blocks_)) return *error;
    leave_out_failures();
    return std::move(blocks_);
  }

 private:
  const Instruction& at(uint32_t index) const { return code_.instructions[index]; }

  void fail(const Instruction& instruction, std::string message, std::string help = bound_the_ptx) {
    if (!error_) error_ = error_at(code_, instruction, std::move(message), std::move(help));
  }

  // The block that begins at an instruction; it is walked later if it is new.
  uint32_t block_at(uint32_t call, uint32_t index) {
    const auto [known, fresh] = known_.emplace(std::make_pair(call, index), static_cast<uint32_t>(blocks_.size()));
    if (fresh) {
      blocks_.push_back({index, 0, call, 0, {}, none, {}});
      open_.push_back(known->second);
    }
    return known->second;
  }

  uint32_t end_of_section(uint32_t index) const {
    const Code::Section& section = code_.section_of(index);
    return section.first + section.count;
  }

  // Of its own section; nothing if there is no such instruction.
  std::optional<uint32_t> find_index(const Instruction& from, uint64_t offset) const {
    const uint64_t index = offset / word_bytes;
    const Code::Section& section = code_.section_of(static_cast<uint32_t>(from.offset / word_bytes));
    const bool inside = index >= section.first && index - section.first < section.count;
    if (offset % word_bytes != 0 || !inside) return std::nullopt;
    return static_cast<uint32_t>(index);
  }

  std::optional<uint32_t> index_of(const Instruction& from, uint64_t offset) {
    const auto index = find_index(from, offset);
    if (!index) fail(from, "it leads out of the function's code");
    return index;
  }

  // Of BRX and BRXU; null if the file does not say.
  const std::vector<uint64_t>* listed_targets(const Instruction& instruction) const {
    const auto known = std::find_if(code_.indirect_branches.begin(), code_.indirect_branches.end(),
                                    [&](const auto& branch) { return branch.offset == instruction.offset; });
    return known == code_.indirect_branches.end() || known->targets.empty() ? nullptr : &known->targets;
  }

  const Code::Reference* reference_at(uint32_t index) const {
    const auto found = code_.references.find(index);
    return found == code_.references.end() ? nullptr : &found->second;
  }

  void add_target(uint32_t block, uint32_t target) { blocks_[block].targets.push_back(target); }

  // In the copy that the block is in.
  void add_label(uint32_t block, const Instruction& from, uint64_t offset) {
    if (const auto index = index_of(from, offset)) add_target(block, block_at(blocks_[block].call, *index));
  }

  void walk(uint32_t block);
  // Whether the block ends behind the instruction; sets its targets.
  bool ends(uint32_t block, uint32_t index);
  void indirect(uint32_t block, const Instruction& instruction);
  std::vector<uint32_t> callees_of(uint32_t index);
  bool is_branch(uint32_t caller, uint32_t index, uint32_t entry);
  bool reaches_return(uint32_t entry);
  bool leads_to(uint32_t index, std::vector<uint32_t>& next) const;
  void call(uint32_t block, uint32_t index);
  void call_one(uint32_t block, uint32_t index, uint32_t entry);
  bool is_filled_in(uint32_t index) const;
  void return_from(uint32_t block, const Instruction& instruction);
  bool sets_return_address(uint32_t call, uint32_t return_to) const;
  bool is_recursive(uint32_t call, uint32_t entry) const;
  void cut();
  void leave_out_failures();

  const Code& code_;
  std::vector<CodeBlock> blocks_;
  std::vector<CopiedCall> calls_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known_;  // by call and first instruction
  // By call, CALL instruction and what it calls: its own call.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> copies_;
  std::map<uint32_t, bool> reaches_return_;  // by instruction that a CALL.REL leads to
  std::vector<uint32_t> open_;
  size_t instructions_ = 0;
  std::optional<Diagnostic> error_;
};

// To the end of the block, or to where another one is known to begin.
void Finder::walk(uint32_t block) {
  const uint32_t call = blocks_[block].call;
  const uint32_t end = end_of_section(blocks_[block].first);
  for (uint32_t index = blocks_[block].first;; ++index) {
    if (index >= end) return fail(at(index - 1), "the code ends here, and control goes on");
    if (is_filled_in(index)) {
      return fail(at(index), "where it leads to, or what it accesses, is known only when the file is linked");
    }
    if (index > blocks_[block].first) {
      const std::string_view name = at(index).mnemonic();
      const bool begins = known_.contains({call, index}) || name == "BSYNC" || name == "WARPSYNC";
      if (begins) {
        blocks_[block].next = block_at(call, index);
        return;
      }
    }
    ++blocks_[block].count;
    if (++instructions_ > most_copied_instructions) {
      return fail(at(index), "with the copies of its subroutines the kernel has too many instructions");
    }
    if (!ends(block, index)) continue;
    if (error_ || !may_fall_through(at(index))) return;
    if (index + 1 >= end) return fail(at(index), "the code ends here, and control goes on");
    blocks_[block].next = block_at(call, index + 1);
    return;
  }
}

// An operand that is no number of what is computed. Calls of instructions are read.
bool Finder::is_filled_in(uint32_t index) const {
  const Code::Reference* reference = reference_at(index);
  if (reference == nullptr || reference->kind == Code::Reference::Kind::call) return false;
  const Instruction& instruction = at(index);
  if (instruction.mnemonic() == "CALL.ABS") return false;  // has an error of its own
  const auto operands = instruction.operands();
  const auto is_number = [](const Operand& operand) {
    return operand.kind == OperandKind::registers || operand.kind == OperandKind::immediate;
  };
  return access_of(instruction) || operation_kind(instruction) == ir::OperationKind::branch ||
         !std::all_of(operands.begin(), operands.end(), is_number);
}

bool Finder::ends(uint32_t block, uint32_t index) {
  const Instruction& instruction = at(index);
  const std::string_view name = instruction.mnemonic();
  if (name == "EXIT" || is_trap(instruction) || code_.reports_failed_assertion(index)) return true;
  if (name == "RET") {
    return_from(block, instruction);
    return true;
  }
  if (name == "BRX" || name == "BRXU") {
    indirect(block, instruction);
    return true;
  }
  if (name == "CALL.REL" || name == "CALL.ABS") {
    call(block, index);
    return true;
  }
  if (name == "KILL") {
    fail(instruction, "what happens after it is not known");
    return true;
  }
  const bool branches = name == "BRA" || name == "WARPSYNC";
  if (!branches || !instruction.target()) return false;
  add_label(block, instruction, *instruction.target());
  return true;
}

void Finder::indirect(uint32_t block, const Instruction& instruction) {
  const std::vector<uint64_t>* targets = listed_targets(instruction);
  if (targets == nullptr) return fail(instruction, "the file does not say where it may lead");
  for (const uint64_t target : *targets) add_label(block, instruction, target);
}

// A number that the code before the call has is the offset of the instruction, or its distance from LEPC, or is filled
// in with it.
bool Finder::sets_return_address(uint32_t call, uint32_t return_to) const {
  constexpr uint32_t most = 64;
  const uint32_t first = code_.section_of(call).first;
  for (uint32_t i = call; i-- > (call - first > most ? call - most : first);) {
    if (const Code::Reference* reference = reference_at(i)) {
      if (reference->kind == Code::Reference::Kind::low_half && reference->target == return_to) return true;
      continue;
    }
    const uint32_t from = at(i).mnemonic() == "LEPC" ? i + 1 : first;
    for (const Operand& operand : at(i).operands()) {
      const bool is_number = operand.kind == OperandKind::immediate;
      if (is_number && static_cast<uint64_t>(operand.value) == (return_to - from) * word_bytes) return true;
    }
  }
  return false;
}

bool Finder::is_recursive(uint32_t call, uint32_t entry) const {
  for (uint32_t c = call; c != none; c = calls_[c].caller) {
    if (calls_[c].entry == entry) return true;
  }
  return false;
}

// The instructions that may be called; none after an error.
std::vector<uint32_t> Finder::callees_of(uint32_t index) {
  const Instruction& instruction = at(index);
  const auto outside = code_.outside_calls.find(index);
  if (outside != code_.outside_calls.end()) {
    fail(instruction, ir::has_no_body(outside->second), ir::how_to_give_time(outside->second));
    return {};
  }
  if (const auto call = code_.pointer_calls.find(index); call != code_.pointer_calls.end()) return call->second;
  const bool through_register = instruction.operands().front().kind == OperandKind::registers;
  if (through_register) return fail(instruction, "it calls through a register"), std::vector<uint32_t>();
  if (instruction.mnemonic() == "CALL.REL") {
    const auto target = index_of(instruction, instruction.target().value_or(UINT64_MAX));
    return target ? std::vector<uint32_t>{*target} : std::vector<uint32_t>();
  }
  const Code::Reference* reference = reference_at(index);
  if (reference != nullptr && reference->kind == Code::Reference::Kind::call) return {reference->target};
  fail(instruction, "it calls a function whose code is not here",
       "compile without calls of printf and malloc, and link the functions that it calls");
  return {};
}

// Where control may be after an instruction that is not RET, of what is called here and now: without the insides of
// subroutines that come back. False if that is not known.
bool Finder::leads_to(uint32_t index, std::vector<uint32_t>& next) const {
  const Instruction& instruction = at(index);
  const std::string_view name = instruction.mnemonic();
  bool goes_on = may_fall_through(instruction);
  const auto add = [&](uint64_t offset) {
    const auto target = find_index(instruction, offset);
    if (target) next.push_back(*target);
    return target.has_value();
  };
  if (name == "BRX" || name == "BRXU") {
    const std::vector<uint64_t>* targets = listed_targets(instruction);
    if (targets == nullptr || !std::all_of(targets->begin(), targets->end(), add)) return false;
  } else if (name == "CALL.ABS" || (name == "CALL.REL" && sets_return_address(index, index + 1))) {
    goes_on = true;
  } else if (name == "BRA" || name == "WARPSYNC" || name == "CALL.REL") {
    const bool in_register = name == "CALL.REL" && instruction.operands().front().kind == OperandKind::registers;
    const auto target = instruction.target();
    if (in_register || (name != "WARPSYNC" && !target) || (target && !add(*target))) return false;
  }
  if (goes_on && index + 1 < end_of_section(index)) next.push_back(index + 1);
  return true;
}

// Whether control that comes to an instruction may come to a RET which is not that of a subroutine called behind it.
// What is not known may.
bool Finder::reaches_return(uint32_t entry) {
  const auto [known, fresh] = reaches_return_.emplace(entry, true);
  if (!fresh) return known->second;
  std::set<uint32_t> seen;
  std::vector<uint32_t> open = {entry};
  while (!open.empty()) {
    const uint32_t index = open.back();
    open.pop_back();
    if (!seen.insert(index).second) continue;
    if (at(index).mnemonic() == "RET" || !leads_to(index, open)) return true;
  }
  return known->second = false;
}

// Whether a CALL.REL only leads on. ptxas leaves a loop of more than 4 KiB for sm_80 to sm_89 by
//     @P0 CALL.REL.NOINC behind;  BRA head;  behind: ...
//
// A call leaves nothing behind that control could come back by: since sm_70 there is no stack of addresses, where to
// return to is in registers that code before the CALL has set, and only RET reads it. So a CALL is a branch, and what
// makes a subroutine of its target is a RET that finds the address of the instruction behind the CALL. Where there is
// none, control goes to the target as by BRA, and the instruction behind is not reached from there.
//
// From the target on, control is in this copy until a RET that is not one of a subroutine which is called there: those
// lead back behind their own calls, as they are taken to everywhere. If there is no such RET, that is all. If there is:
// - in the copy of a function that CALL.ABS calls, follow_returns (restored_values.hpp) finds, with this call as a
//   branch, that each RET leads to where the function was called, or refuses;
// - in others, it might be the return of this call. Then the address must be found before it, or it is refused.
bool Finder::is_branch(uint32_t caller, uint32_t index, uint32_t entry) {
  if (at(index).mnemonic() != "CALL.REL") return false;
  if (!reaches_return(entry)) return true;
  return calls_[caller].absolute && !sets_return_address(index, index + 1);
}

void Finder::call(uint32_t block, uint32_t index) {
  const Instruction& instruction = at(index);
  const uint32_t caller = blocks_[block].call;
  const bool last = index + 1 >= end_of_section(index);
  if (code_.call_time(index) != nullptr) {
    if (last || !sets_return_address(index, index + 1)) {
      return fail(instruction, "where the function returns to is not found before it");
    }
    blocks_[block].next = block_at(caller, index + 1);
    return;
  }
  for (const uint32_t entry : callees_of(index)) {
    if (error_) return;
    call_one(block, index, entry);
  }
}

void Finder::call_one(uint32_t block, uint32_t index, uint32_t entry) {
  const Instruction& instruction = at(index);
  const uint32_t caller = blocks_[block].call;
  const bool last = index + 1 >= end_of_section(index);
  if (is_branch(caller, index, entry)) return add_target(block, block_at(caller, entry));
  const bool absolute = instruction.mnemonic() == "CALL.ABS";
  if (last || (!absolute && !sets_return_address(index, index + 1))) {
    return fail(instruction, "where its subroutine returns to is not found before it");
  }
  if (is_recursive(caller, entry)) return fail(instruction, "the subroutine calls itself");
  const auto [copy, fresh] = copies_.emplace(std::tuple(caller, index, entry), static_cast<uint32_t>(calls_.size()));
  if (fresh) calls_.push_back({caller, index, entry, absolute});
  add_target(block, block_at(copy->second, entry));
}

void Finder::return_from(uint32_t block, const Instruction& instruction) {
  const CopiedCall& own = calls_[blocks_[block].call];
  if (own.caller == none) return fail(instruction, "it returns from no subroutine");
  add_target(block, block_at(own.caller, own.instruction + 1));
}

// Blocks that were walked past the begin of another one end there.
void Finder::cut() {
  for (const auto& [place, block] : known_) {
    CodeBlock& own = blocks_[block];
    const auto later = known_.upper_bound(place);
    if (later == known_.end() || later->first.first != place.first) continue;
    const uint32_t begin = later->first.second;
    if (begin >= own.first + own.count) continue;
    own.count = begin - own.first;
    own.targets.clear();
    own.next = later->second;
  }
}

// No assertion fails (ir::assertions_hold), and no thread traps (ir::nothing_traps). So nothing enters a block all
// paths from which lead to the report of one or to a trap: where a branch has another way to go, it goes there.
void Finder::leave_out_failures() {
  std::vector<bool> fails(blocks_.size());
  const auto is_left = [&fails](uint32_t block) { return block == none || fails[block]; };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 1; b < blocks_.size(); ++b) {
      const CodeBlock& block = blocks_[b];
      const bool goes_on = block.next != none || !block.targets.empty();
      const uint32_t last = block.first + block.count - 1;
      const bool reports = !goes_on && (is_trap(at(last)) || code_.reports_failed_assertion(last));
      const bool leads_there =
          goes_on && is_left(block.next) && std::all_of(block.targets.begin(), block.targets.end(), is_left);
      if (fails[b] || !(reports || leads_there)) continue;
      changed = fails[b] = true;
    }
  }
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    CodeBlock& block = blocks_[b];
    const bool branches = at(block.first + block.count - 1).mnemonic() == "BRA" && block.targets.size() == 1;
    if (fails[b] || !branches || block.next == none) continue;
    if (fails[block.next] && !fails[block.targets.front()]) block.next = none;
    if (fails[block.targets.front()]) block.targets.clear();
  }
}

}  // namespace

bool may_fall_through(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  if (name == "WARPSYNC") return true;
  const bool leaves = name == "BRA" || name == "BRX" || name == "BRXU" || name == "EXIT" || name == "RET" ||
                      name == "CALL.REL" || name == "CALL.ABS" || is_trap(instruction);
  return !leaves || !always_taken(instruction);
}

// BPT.TRAP 0x1. Other kinds of BPT were not seen.
bool is_trap(const Instruction& instruction) {
  constexpr unsigned kind = 84, trap = 3;
  return instruction.mnemonic() == "BPT" && field(instruction.word, kind, 3) == trap;
}

Result<std::vector<CodeBlock>> find_blocks(const Code& code) {
  if (code.sections.empty() || code.sections.front().count == 0) {
    Diagnostic error;
    error.location.file = code.file;
    error.message = "kernel " + support::quoted_symbol(code.name) + " has no instructions";
    return error;
  }
  return Finder(code).run();
}

std::vector<std::optional<uint32_t>> lone_predecessors(const std::vector<CodeBlock>& blocks) {
  std::vector<uint32_t> edges(blocks.size());
  std::vector<std::optional<uint32_t>> result(blocks.size());
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    const auto add = [&](uint32_t to) { result[to] = ++edges[to] == 1 ? std::optional(b) : std::nullopt; };
    if (blocks[b].next != UINT32_MAX) add(blocks[b].next);
    for (const uint32_t target : blocks[b].targets) add(target);
  }
  return result;
}

}  // namespace warpspan::sass
