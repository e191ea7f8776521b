// SPDX-License-Identifier: GPL-3.0-or-later
// Webs of definitions and uses (Muchnick, "Advanced Compiler Design and Implementation", 1997, section 16.3.3), by
// unification: what a block's first read of a register is of is what its predecessors leave there. What a register
// contains that nothing has written is no value: a read that may be of it, too, is of the others.
#include "frontend/ptx/calls/split_registers.hpp"

#include <algorithm>
#include <unordered_map>

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/calls/rewriting.hpp"

namespace warpspan::ptx {

namespace {

constexpr uint8_t several = 2;

class Splitting {
 public:
  explicit Splitting(Function& function) : function_(function) {}

  void run() {
    add_carry();
    count_writes();
    if (std::none_of(writes_.begin(), writes_.end(), [](uint8_t count) { return count == several; })) return;
    now_.resize(function_.registers);
    now_in_.resize(function_.registers);
    find_blocks();
    for (uint32_t block = 0; block < begins_.size(); ++block) walk(block);
    connect();
    rename();
  }

 private:
  using Value = uint32_t;  // those that are one point to each other: values_

  // A place in the function that names a register.
  struct Mention {
    uint32_t* place;
    Value value;
  };

  void mention(uint32_t& place, Value value);

  void add_carry();
  void count_writes();
  void find_blocks();
  void walk(uint32_t block);
  void connect();
  void rename();

  uint32_t end_of(uint32_t block) const {
    return block + 1 < begins_.size() ? begins_[block + 1] : static_cast<uint32_t>(function_.instructions.size());
  }
  template <typename Visit>
  void for_each_register(Operand& operand, Role role, const Visit& visit);
  template <typename Visit>
  void for_each_register(Instruction& instruction, const Visit& visit);

  static uint64_t key(uint32_t block, uint32_t reg) { return uint64_t{block} << 32 | reg; }
  Value new_value() {
    values_.push_back(static_cast<Value>(values_.size()));
    return values_.back();
  }
  Value found(Value value) {
    while (values_[value] != value) value = values_[value] = values_[values_[value]];
    return value;
  }
  void unite(Value a, Value b) { values_[found(b)] = found(a); }
  // What the register contains where the block begins.
  Value at_entry(uint32_t block, uint32_t reg) {
    const auto [entry, fresh] = entries_.try_emplace(key(block, reg), 0);
    if (!fresh) return entry->second;
    open_.emplace_back(block, reg);
    return entry->second = new_value();
  }
  Value before(uint32_t block, uint32_t reg) {
    if (now_in_[reg] != block + 1) set(block, reg, at_entry(block, reg));
    return now_[reg];
  }
  void set(uint32_t block, uint32_t reg, Value value) {
    if (now_in_[reg] != block + 1) touched_.push_back(reg);
    now_[reg] = value;
    now_in_[reg] = block + 1;
  }

  Function& function_;
  std::vector<uint8_t> writes_;   // by register: up to several
  std::vector<bool> whole_;       // by register: it is left as it is
  std::vector<uint32_t> begins_;  // by block: its first instruction
  std::vector<std::vector<uint32_t>> predecessors_;
  std::vector<Value> values_;
  std::vector<Mention> mentions_;
  std::unordered_map<const uint32_t*, Value> mentioned_;
  std::vector<Value> now_;         // by register, where now_in_ is this block
  std::vector<uint32_t> now_in_;   // by register: one more than a block
  std::vector<uint32_t> touched_;  // registers of this block
  std::unordered_map<uint64_t, Value> entries_, exits_;
  std::vector<std::pair<uint32_t, uint32_t>> open_;  // entries whose predecessors were not looked at
};

void Splitting::add_carry() {
  uint32_t carry = none;
  for (Instruction& instruction : function_.instructions) {
    if (!instruction.form->reads_carry && !instruction.form->writes_carry) continue;
    if (carry == none) carry = add_register(function_, Type::pred);
    if (instruction.form->reads_carry) instruction.carry_read = carry;
    if (instruction.form->writes_carry) instruction.carry_written = carry;
  }
}

template <typename Visit>
void Splitting::for_each_register(Operand& operand, Role role, const Visit& visit) {
  switch (operand.kind) {
    case Operand::Kind::reg: visit(operand.index, std::max(operand.count, 1U), role); break;
    case Operand::Kind::vector:
    case Operand::Kind::pair:
    case Operand::Kind::list:
    case Operand::Kind::address: {
      const bool is_address = operand.kind == Operand::Kind::address;
      for (uint32_t i = 0; i < operand.count; ++i)
        for_each_register(function_.operands[operand.index + i], is_address ? Role::read : role, visit);
      break;
    }
    default: break;
  }
}

// Guard first.
template <typename Visit>
void Splitting::for_each_register(Instruction& instruction, const Visit& visit) {
  if (instruction.guard != none) visit(instruction.guard, 1, Role::read);
  if (instruction.carry_read != none) visit(instruction.carry_read, 1, Role::read);
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    Operand& operand = function_.operands[instruction.first_operand + i];
    for_each_register(operand, operand.role, visit);
  }
  if (instruction.carry_written != none) visit(instruction.carry_written, 1, Role::write);
}

void Splitting::count_writes() {
  writes_.assign(function_.registers, 0);
  whole_.assign(function_.registers, false);
  for (Instruction& instruction : function_.instructions) {
    for_each_register(instruction, [this](uint32_t reg, uint32_t count, Role role) {
      for (uint32_t i = 0; i < count; ++i) {
        if (count > 1) whole_[reg + i] = true;
        if (role == Role::write || role == Role::read_write)
          writes_[reg + i] = std::min<uint8_t>(writes_[reg + i] + 1, several);
      }
    });
  }
  for (const auto* list : {&function_.parameters, &function_.results}) {
    for (const Parameter& parameter : *list) {
      if (parameter.reg != none) whole_[parameter.reg] = true;
    }
  }
  for (uint32_t reg = 0; reg < function_.registers; ++reg) {
    if (whole_[reg]) writes_[reg] = 0;
  }
}

void Splitting::find_blocks() {
  const auto count = static_cast<uint32_t>(function_.instructions.size());
  std::vector<bool> begins(count + 1, false);
  begins[0] = true;
  for (uint32_t i = 0; i < count; ++i) {
    const Instruction& instruction = function_.instructions[i];
    if (instruction.form->transfer == ir::Transfer::fallthrough) continue;
    begins[i + 1] = true;
    for (const uint32_t label : targets_of(function_, instruction)) begins[function_.labels[label].instruction] = true;
  }
  std::vector<uint32_t> block_at(count + 1, none);
  for (uint32_t i = 0; i < count; ++i) {
    if (begins[i]) begins_.push_back(i);
    block_at[i] = static_cast<uint32_t>(begins_.size() - 1);
  }
  predecessors_.resize(begins_.size());
  for (uint32_t block = 0; block < begins_.size(); ++block) {
    const auto leads_to = [&](uint32_t instruction) {
      if (instruction < count) predecessors_[block_at[instruction]].push_back(block);
    };
    const Instruction& last = function_.instructions[end_of(block) - 1];
    const ir::Transfer transfer = last.form->transfer;
    const bool goes_on = transfer == ir::Transfer::fallthrough || transfer == ir::Transfer::call || last.guard != none;
    if (goes_on) leads_to(end_of(block));
    if (transfer == ir::Transfer::fallthrough) continue;
    for (const uint32_t label : targets_of(function_, last)) leads_to(function_.labels[label].instruction);
  }
}

// Instructions may have elements of an operand in common.
void Splitting::mention(uint32_t& place, Value value) {
  const auto [known, fresh] = mentioned_.try_emplace(&place, value);
  if (fresh)
    mentions_.push_back({&place, value});
  else
    unite(known->second, value);
}

void Splitting::walk(uint32_t block) {
  touched_.clear();
  for (uint32_t i = begins_[block]; i < end_of(block); ++i) {
    Instruction& instruction = function_.instructions[i];
    const auto each = [&](const auto& visit) {
      for_each_register(instruction, [&](uint32_t& reg, uint32_t count, Role role) {
        if (count == 1 && writes_[reg] == several) visit(reg, role);
      });
    };
    each([&](uint32_t& reg, Role role) {
      if (role != Role::write) mention(reg, before(block, reg));
    });
    each([&](uint32_t& reg, Role role) {
      if (role != Role::write) return;
      const Value written = new_value();
      if (instruction.guard != none) unite(written, before(block, reg));
      set(block, reg, written);
      mention(reg, written);
    });
  }
  for (const uint32_t reg : touched_) exits_[key(block, reg)] = now_[reg];
}

void Splitting::connect() {
  std::vector<std::pair<Value, Value>> leads;  // from what a block leaves to an entry
  while (!open_.empty()) {
    const auto [block, reg] = open_.back();
    open_.pop_back();
    const Value entry = entries_.at(key(block, reg));
    for (const uint32_t predecessor : predecessors_[block]) {
      const auto exit = exits_.find(key(predecessor, reg));
      leads.emplace_back(exit != exits_.end() ? exit->second : at_entry(predecessor, reg), entry);
    }
  }
  std::vector<bool> is_written(values_.size(), true);
  for (const auto& [place, entry] : entries_) is_written[entry] = false;
  std::sort(leads.begin(), leads.end());
  std::vector<Value> ready;
  for (Value value = 0; value < values_.size(); ++value) {
    if (is_written[value]) ready.push_back(value);
  }
  while (!ready.empty()) {
    const Value value = ready.back();
    ready.pop_back();
    for (auto lead = std::lower_bound(leads.begin(), leads.end(), std::pair(value, Value{0}));
         lead != leads.end() && lead->first == value; ++lead) {
      unite(value, lead->second);
      if (is_written[lead->second]) continue;
      is_written[lead->second] = true;
      ready.push_back(lead->second);
    }
  }
}

void Splitting::rename() {
  std::vector<uint32_t> names(values_.size(), none);
  std::vector<bool> taken(function_.registers, false);
  for (const Mention& mention : mentions_) {
    uint32_t& name = names[found(mention.value)];
    const uint32_t reg = *mention.place;
    if (name == none) {
      name = taken[reg] ? add_register(function_, function_.register_type(reg)) : reg;
      taken[reg] = true;
    }
    *mention.place = name;
  }
}

}  // namespace

void split_registers(Function& function) { Splitting(function).run(); }

}  // namespace warpspan::ptx
