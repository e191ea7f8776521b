#include "frontend/sass/control_flow.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

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
    calls_.push_back({none, none});
    block_at(0, 0);
    while (!open_.empty() && !error_) {
      const uint32_t block = open_.back();
      open_.pop_back();
      walk(block);
    }
    if (error_) return *error_;
    cut();
    return std::move(blocks_);
  }

 private:
  struct Call {
    uint32_t caller = none;     // call whose copy the CALL is in
    uint32_t return_to = none;  // instruction
    uint32_t entry = none;
  };

  const Instruction& at(uint32_t index) const { return code_.instructions[index]; }

  void fail(const Instruction& instruction, std::string message, std::string help = {}) {
    if (!error_) error_ = error_at(code_, instruction, std::move(message), std::move(help));
  }

  // The block that begins at an instruction; it is walked later if it is new.
  uint32_t block_at(uint32_t call, uint32_t index) {
    const auto [known, fresh] = known_.emplace(std::make_pair(call, index), static_cast<uint32_t>(blocks_.size()));
    if (fresh) {
      blocks_.push_back({index, 0, call, {}, none});
      open_.push_back(known->second);
    }
    return known->second;
  }

  std::optional<uint32_t> index_of(const Instruction& from, uint64_t offset) {
    const uint64_t index = offset / word_bytes;
    if (offset % word_bytes == 0 && index < code_.instructions.size()) return static_cast<uint32_t>(index);
    fail(from, "it leads out of the kernel's code");
    return std::nullopt;
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
  void call(uint32_t block, uint32_t index);
  void return_from(uint32_t block, const Instruction& instruction);
  bool sets_return_address(uint32_t call, uint32_t return_to) const;
  bool is_recursive(uint32_t call, uint32_t entry) const;
  void cut();

  const Code& code_;
  std::vector<CodeBlock> blocks_;
  std::vector<Call> calls_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known_;   // by call and first instruction
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> copies_;  // by call and CALL instruction: its own call
  std::vector<uint32_t> open_;
  size_t instructions_ = 0;
  std::optional<Diagnostic> error_;
};

// To the end of the block, or to where another one is known to begin.
void Finder::walk(uint32_t block) {
  const uint32_t call = blocks_[block].call;
  for (uint32_t index = blocks_[block].first;; ++index) {
    if (index >= code_.instructions.size()) return fail(at(index - 1), "the code ends here, and control goes on");
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
    if (index + 1 >= code_.instructions.size()) return fail(at(index), "the code ends here, and control goes on");
    blocks_[block].next = block_at(call, index + 1);
    return;
  }
}

bool Finder::ends(uint32_t block, uint32_t index) {
  const Instruction& instruction = at(index);
  const std::string_view name = instruction.mnemonic();
  if (name == "EXIT") return true;
  if (name == "RET") {
    return_from(block, instruction);
    return true;
  }
  if (name == "BRX" || name == "BRXU") {
    indirect(block, instruction);
    return true;
  }
  if (name == "CALL.REL") {
    call(block, index);
    return true;
  }
  if (name == "CALL.ABS") {
    fail(instruction, "it calls a function whose code is not here",
         "compile without calls of printf, malloc and assert (-DNDEBUG), and link the functions that it calls");
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
  const auto known = std::find_if(code_.indirect_branches.begin(), code_.indirect_branches.end(),
                                  [&](const auto& branch) { return branch.offset == instruction.offset; });
  if (known == code_.indirect_branches.end() || known->targets.empty()) {
    return fail(instruction, "the file does not say where it may lead");
  }
  for (const uint64_t target : known->targets) add_label(block, instruction, target);
}

// A number that the code before the call has is the offset of the instruction.
bool Finder::sets_return_address(uint32_t call, uint32_t return_to) const {
  constexpr uint32_t most = 64;
  for (uint32_t i = call; i-- > (call > most ? call - most : 0);) {
    for (const Operand& operand : at(i).operands()) {
      const bool is_number = operand.kind == OperandKind::immediate;
      if (is_number && static_cast<uint64_t>(operand.value) == at(return_to).offset) return true;
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

void Finder::call(uint32_t block, uint32_t index) {
  const Instruction& instruction = at(index);
  const bool through_register = instruction.operands().front().kind != OperandKind::label;
  if (through_register || !instruction.target()) return fail(instruction, "it calls through a register");
  const auto entry = index_of(instruction, *instruction.target());
  if (!entry) return;
  const uint32_t caller = blocks_[block].call;
  if (index + 1 >= code_.instructions.size() || !sets_return_address(index, index + 1)) {
    return fail(instruction, "where its subroutine returns to is not found before it");
  }
  if (is_recursive(caller, *entry)) return fail(instruction, "the subroutine calls itself");
  const auto [copy, fresh] = copies_.emplace(std::make_pair(caller, index), static_cast<uint32_t>(calls_.size()));
  if (fresh) calls_.push_back({caller, index + 1, *entry});
  add_target(block, block_at(copy->second, *entry));
}

void Finder::return_from(uint32_t block, const Instruction& instruction) {
  const Call& own = calls_[blocks_[block].call];
  if (own.caller == none) return fail(instruction, "it returns from no subroutine");
  add_target(block, block_at(own.caller, own.return_to));
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

}  // namespace

bool may_fall_through(const Instruction& instruction) {
  const std::string_view name = instruction.mnemonic();
  if (name == "WARPSYNC") return true;
  const bool leaves = name == "BRA" || name == "BRX" || name == "BRXU" || name == "EXIT" || name == "RET" ||
                      name == "CALL.REL" || name == "CALL.ABS";
  return !leaves || !always_taken(instruction);
}

Result<std::vector<CodeBlock>> find_blocks(const Code& code) {
  if (code.instructions.empty()) {
    Diagnostic error;
    error.location.file = code.file;
    error.message = "kernel " + support::quoted_symbol(code.name) + " has no instructions";
    return error;
  }
  return Finder(code).run();
}

}  // namespace warpspan::sass
