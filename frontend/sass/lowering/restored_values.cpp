// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/lowering/restored_values.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "frontend/sass/lowering/lowering.hpp"

namespace warpspan::sass {

namespace {

using support::Diagnostic;
using Half = Code::Reference::Kind;

constexpr uint32_t none = UINT32_MAX;
constexpr int64_t register_bytes = 4;

struct Value {
  enum class Kind : uint8_t {
    unknown,
    at_entry,  // what a register contained where the copy began, and a number
    low_half,
    high_half,  // of an instruction's address
  };
  Kind kind = Kind::unknown;
  uint32_t number = 0;  // of the register, or of the instruction
  int64_t added = 0;    // to the register, without overflow
  friend bool operator==(const Value&, const Value&) = default;
};

Value at_entry(ir::RegisterId reg) { return {Value::Kind::at_entry, reg, 0}; }

// Where control is.
class State {
 public:
  Value get(ir::RegisterId reg) const {
    const auto found = changed_.find(reg);
    return found == changed_.end() ? at_entry(reg) : found->second;
  }
  void set(ir::RegisterId reg, const Value& value) { changed_[reg] = value; }

  // Words of the frame, by their distance from where R1 pointed at the beginning.
  Value saved(int64_t place) const {
    const auto found = saved_.find(place);
    return found == saved_.end() ? Value{} : found->second;
  }
  // Words that overlap are lost.
  void save(int64_t place, const Value& value) {
    saved_.erase(saved_.upper_bound(place - register_bytes), saved_.lower_bound(place + register_bytes));
    saved_[place] = value;
  }

  // Retains what is the same in both; whether that is less than before.
  bool join(const State& other) {
    bool less = false;
    const auto forget = [&](ir::RegisterId reg) {
      if (get(reg) == other.get(reg) || get(reg) == Value{}) return;
      changed_[reg] = {};
      less = true;
    };
    for (const auto& [reg, value] : other.changed_) forget(reg);
    for (const auto& [reg, value] : changed_) {
      if (!other.changed_.contains(reg)) forget(reg);
    }
    less = std::erase_if(saved_, [&](const auto& word) { return word.second != other.saved(word.first); }) > 0 || less;
    return less;
  }

  // After a call of a function whose state is `callee` where it returns. The frames of functions that are called lie
  // below that of their caller.
  void call(const State& callee) {
    const State before = *this;
    for (const auto& [reg, value] : callee.changed_) {
      Value now = value;
      if (value.kind == Value::Kind::at_entry) now = plus(before.get(value.number), value.added);
      changed_[reg] = now;
    }
    const Value frame = before.get(stack_pointer);
    const bool known = frame.kind == Value::Kind::at_entry && frame.number == stack_pointer;
    saved_.erase(saved_.begin(), known ? saved_.lower_bound(frame.added) : saved_.end());
  }

  static Value plus(Value value, int64_t number) {
    constexpr int64_t most = int64_t{1} << 32;  // of registers with 32 bits; more is taken to be unknown
    if (number == 0) return value;
    if (value.kind != Value::Kind::at_entry) return {};
    value.added += number;
    return value.added < -most || value.added > most ? Value{} : value;
  }

 private:
  std::map<ir::RegisterId, Value> changed_;  // others contain what they contained at the beginning
  std::map<int64_t, Value> saved_;
};

bool is_plain(const Operand& operand) { return !operand.negated && !operand.inverted && !operand.absolute; }

// What one instruction does to a state.
class Step {
 public:
  Step(const Code& code, uint32_t index, State& state)
      : code_(code), index_(index), instruction_(code.instructions[index]), state_(state) {}

  void run() {
    const Guard& guard = instruction_.guard;
    if (guard.always()) return execute();
    if (guard.number == no_register) return;
    const State before = state_;
    execute();
    state_.join(before);
  }

 private:
  void execute() {
    std::vector<std::pair<ir::RegisterId, Value>> results = compute();
    const RegisterSet written = code_.call_time(index_) != nullptr ? changed_by_call() : writes(instruction_);
    for (const ir::RegisterId reg : registers_of(written)) state_.set(reg, {});
    for (const auto& [reg, value] : results) state_.set(reg, value);
    if (instruction_.mnemonic() == "STL") store();
  }

  Value read(const Operand& operand) const {
    if (!operand.in_register() || !is_plain(operand)) return {};
    return state_.get(register_of(operand.register_class, operand.first));
  }

  std::vector<std::pair<ir::RegisterId, Value>> compute() const {
    const auto operands = instruction_.operands();
    const std::string_view name = instruction_.mnemonic();
    if (operands.empty() || !operands[0].in_register()) return {};
    const ir::RegisterId result = register_of(operands[0].register_class, operands[0].first);
    if (name == "MOV" && moves_word()) return {{result, moved()}};
    if (name == "IADD3" || name == "IADD" || name == "VIADD") return {{result, sum()}};
    if (name == "BMOV" && operands.size() == 2) return barrier_move(result);
    if (name == "LDL") return loaded(result);
    return {};
  }

  bool moves_word() const {
    constexpr unsigned all_lanes = 15;
    return instruction_.operands()[0].count == 1 && !instruction_.has(Modifier::wide) &&
           instruction_.modifier(Modifier::lanes).value_or(all_lanes) == all_lanes;
  }

  Value moved() const {
    const Operand& source = instruction_.operands()[1];
    const auto reference = code_.references.find(index_);
    if (reference == code_.references.end()) return read(source);
    if (source.kind != OperandKind::immediate) return {};
    const auto& [kind, target] = reference->second;
    if (kind == Half::low_half) return {Value::Kind::low_half, target, 0};
    if (kind == Half::high_half) return {Value::Kind::high_half, target, 0};
    return {};
  }

  // Of one register and one number.
  Value sum() const {
    if (instruction_.has(Modifier::extended) || instruction_.has(Modifier::pairs) ||
        instruction_.has(Modifier::saturated) || code_.references.contains(index_))
      return {};
    std::optional<Value> value;
    int64_t added = 0;
    for (const Operand& operand : instruction_.operands()) {
      if (operand.role != Role::read || operand.is_fixed_register() || operand.is_predicate()) continue;
      if (operand.kind == OperandKind::immediate && added == 0 && is_plain(operand)) {
        added = static_cast<int32_t>(operand.value);
      } else if (operand.in_register() && !value) {
        value = read(operand);
      } else {
        return {};
      }
    }
    return value ? State::plus(*value, added) : Value{};
  }

  // Which is read, and maybe cleared, or written.
  std::vector<std::pair<ir::RegisterId, Value>> barrier_move(ir::RegisterId result) const {
    const Operand& source = instruction_.operands()[1];
    const Value value = read(source);
    if (source.register_class != RegisterClass::barrier || !source.in_register()) return {{result, value}};
    const Value left = instruction_.has(Modifier::clear) ? Value{} : value;
    return {{result, value}, {register_of(RegisterClass::barrier, source.first), left}};
  }

  // Where in the frame an access is.
  std::optional<int64_t> place() const {
    for (const Operand& operand : instruction_.operands()) {
      if (operand.kind != OperandKind::address) continue;
      if (operand.first == no_register || operand.second != no_register || operand.scale != 1) return {};
      const Value base = state_.get(register_of(RegisterClass::general, operand.first));
      if (base.kind != Value::Kind::at_entry || base.number != stack_pointer) return {};
      return base.added + operand.value;
    }
    return {};
  }

  int64_t words() const {
    const MemoryAccess access = *access_of(instruction_);
    return access.bits < 32 ? 0 : static_cast<int64_t>(access.bits) * access.elements / 32;
  }

  std::vector<std::pair<ir::RegisterId, Value>> loaded(ir::RegisterId result) const {
    std::vector<std::pair<ir::RegisterId, Value>> results;
    const auto from = place();
    for (int64_t i = 0; from && i < words(); ++i) {
      results.emplace_back(result + static_cast<ir::RegisterId>(i), state_.saved(*from + i * register_bytes));
    }
    return results;
  }

  void store() {
    const auto to = place();
    if (!to) return;
    const auto operands = instruction_.operands();
    const auto data = std::find_if(operands.begin(), operands.end(), [](const Operand& operand) {
      return operand.kind == OperandKind::registers && operand.register_class == RegisterClass::general;
    });
    if (words() == 0) state_.save(*to, {});
    for (int64_t i = 0; i < words(); ++i) {
      const bool named = data != operands.end() && data->in_register();
      const Value value = named ? state_.get(data->first + static_cast<ir::RegisterId>(i)) : Value{};
      state_.save(*to + i * register_bytes, value);
    }
  }

  const Code& code_;
  uint32_t index_;
  const Instruction& instruction_;
  State& state_;
};

// What is known of a copy when it returns.
struct Outcome {
  std::optional<State> state;                // none: it never does
  std::optional<ir::RegisterId> returns_to;  // the first of two registers that contained the address at the beginning
};

class Follower {
 public:
  Follower(const Code& code, const std::vector<CopiedCall>& calls, std::vector<CodeBlock>& blocks)
      : code_(code), calls_(calls), blocks_(blocks), of_copy_(calls.size()), outcomes_(calls.size()) {}

  // What is called has a higher number than what calls it.
  std::optional<Diagnostic> run() {
    for (uint32_t b = 0; b < blocks_.size(); ++b) of_copy_[blocks_[b].call].push_back(b);
    for (auto copy = static_cast<uint32_t>(calls_.size()); copy-- > 0;) {
      at_.clear();
      follow(copy);
      for (const uint32_t block : of_copy_[copy]) {
        finish(copy, block);
        if (error_) return error_;
      }
    }
    return std::nullopt;
  }

 private:
  const Instruction& last(const CodeBlock& block) const { return code_.instructions[block.first + block.count - 1]; }

  void fail(const Instruction& instruction, std::string message) {
    if (!error_) error_ = error_at(code_, instruction, std::move(message), bound_the_ptx);
  }

  // The copies that a block may call.
  std::vector<uint32_t> callees_of(const CodeBlock& block) const {
    std::vector<uint32_t> copies;
    for (const uint32_t target : block.targets) {
      const uint32_t copy = blocks_[target].call;
      const bool is_called = copy != block.call && calls_[copy].caller == block.call &&
                             calls_[copy].instruction == block.first + block.count - 1;
      if (is_called) copies.push_back(copy);
    }
    return copies;
  }

  void follow(uint32_t copy) {
    const uint32_t entry = blocks_[of_copy_[copy].front()].entry;
    std::map<uint32_t, uint32_t> begins;
    for (const uint32_t block : of_copy_[copy]) begins[blocks_[block].first] = block;
    at_[entry] = {};
    std::vector<uint32_t> open = {entry};
    while (!open.empty()) {
      const uint32_t block = open.back();
      open.pop_back();
      State state = at_[block];
      execute(block, state, nullptr);
      const auto pass = [&](uint32_t to, const State& passed) {
        const auto [known, fresh] = at_.emplace(to, passed);
        if (fresh || known->second.join(passed)) open.push_back(to);
      };
      if (blocks_[block].next != none) pass(blocks_[block].next, state);
      for (const uint32_t target : blocks_[block].targets) {
        if (blocks_[target].call == copy) pass(target, state);
      }
      for (const uint32_t callee : callees_of(blocks_[block])) {
        if (!outcomes_[callee].state) continue;
        State after = state;
        after.call(*outcomes_[callee].state);
        const auto behind = begins.find(calls_[callee].instruction + 1);
        if (behind != begins.end()) pass(behind->second, after);
      }
    }
  }

  // Notes what is restored in `restored`, if there is such a list.
  void execute(uint32_t block, State& state, std::vector<RestoredValue>* restored) const {
    const CodeBlock& own = blocks_[block];
    for (uint32_t i = own.first; i < own.first + own.count; ++i) {
      Step(code_, i, state).run();
      if (restored != nullptr) note_restored(i, state, *restored);
    }
  }

  void note_restored(uint32_t index, const State& state, std::vector<RestoredValue>& restored) const {
    const Instruction& instruction = code_.instructions[index];
    const bool gives_back = instruction.mnemonic() == "LDL" || instruction.mnemonic() == "BMOV";
    if (!gives_back || !instruction.guard.always()) return;
    for (const ir::RegisterId reg : registers_of(writes(instruction))) {
      const Value value = state.get(reg);
      const bool known = value.kind == Value::Kind::at_entry && value.added == 0;
      const bool same = reg >= first_barrier ? value.number == reg : value.number < first_uniform;
      if (known && same) restored.push_back({index, reg, value.number});
    }
  }

  // With the states of the whole copy.
  void finish(uint32_t copy, uint32_t block) {
    const auto known = at_.find(block);
    if (known == at_.end()) return;
    State state = known->second;
    execute(block, state, calls_[copy].caller == none ? nullptr : &blocks_[block].restored);
    const Instruction& instruction = last(blocks_[block]);
    if (instruction.mnemonic() == "RET") note_return(copy, instruction, state);
    for (const uint32_t callee : callees_of(blocks_[block])) {
      if (!calls_[callee].absolute || !outcomes_[callee].returns_to) continue;
      const ir::RegisterId low = *outcomes_[callee].returns_to;
      const uint32_t behind = calls_[callee].instruction + 1;
      const bool is_set = state.get(low) == Value{Value::Kind::low_half, behind, 0} &&
                          state.get(low + 1) == Value{Value::Kind::high_half, behind, 0};
      if (!is_set) fail(instruction, "where its subroutine returns to is not found before it");
    }
  }

  void note_return(uint32_t copy, const Instruction& instruction, const State& state) {
    Outcome& outcome = outcomes_[copy];
    if (!outcome.state)
      outcome.state = state;
    else
      outcome.state->join(state);
    if (!calls_[copy].absolute) return;
    const Operand& address = instruction.operands()[1];  // behind the predicate
    const Value low = address.in_register() ? state.get(address.first) : Value{};
    const bool whole = low.kind == Value::Kind::at_entry && low.added == 0 && low.number + 1 < no_register &&
                       state.get(address.first + 1U) == at_entry(low.number + 1);
    const bool same = outcome.returns_to.value_or(low.number) == low.number;
    if (!whole || !same || !instruction.has(Modifier::absolute)) {
      return fail(instruction, "that it returns to where the function was called is not sure");
    }
    outcome.returns_to = low.number;
  }

  const Code& code_;
  const std::vector<CopiedCall>& calls_;
  std::vector<CodeBlock>& blocks_;
  std::vector<std::vector<uint32_t>> of_copy_;  // blocks
  std::vector<Outcome> outcomes_;               // by copy
  std::map<uint32_t, State> at_;                // by block of the copy at hand: where it begins
  std::optional<Diagnostic> error_;
};

}  // namespace

std::optional<Diagnostic> follow_returns(const Code& code, const std::vector<CopiedCall>& calls,
                                         std::vector<CodeBlock>& blocks) {
  const bool needed = std::any_of(calls.begin(), calls.end(), [](const CopiedCall& call) { return call.absolute; });
  return needed ? Follower(code, calls, blocks).run() : std::nullopt;
}

}  // namespace warpspan::sass
