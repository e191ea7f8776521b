// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/translator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace warpspan::lift {

namespace {

using ir::Computation;
using Kind = ir::Operand::Kind;

// The bits of a literal in an instruction of a type of that many bits.
std::optional<uint64_t> literal_bits(int64_t double_bits, unsigned bits) {
  const auto raw = static_cast<uint64_t>(double_bits);
  if (bits == 64) return raw;
  const double value = std::bit_cast<double>(raw);
  const auto single = static_cast<float>(value);
  if (bits != 32 || std::isnan(value) || static_cast<double>(single) != value) return std::nullopt;
  return std::bit_cast<uint32_t>(single);
}

}  // namespace

bool Translator::compute() {
  switch (semantics_.computation) {
    case Computation::add:
    case Computation::subtract: return add_or_subtract();
    case Computation::multiply_low:
    case Computation::multiply_high:
    case Computation::multiply_wide: return multiply();
    case Computation::multiply24_low:
    case Computation::multiply24_high: return multiply24();
    case Computation::absolute_difference: return absolute_difference();
    case Computation::divide:
    case Computation::remainder: return divide();
    case Computation::absolute:
    case Computation::negate: return absolute_or_negate();
    case Computation::minimum:
    case Computation::maximum: return minimum_or_maximum();
    case Computation::bit_and:
    case Computation::bit_or:
    case Computation::bit_xor: return logic();
    case Computation::bit_not:
    case Computation::logical_not: return complement();
    case Computation::bit_table: return table_logic();
    case Computation::shift_left:
    case Computation::shift_right: return shift();
    case Computation::funnel_shift_left:
    case Computation::funnel_shift_right: return funnel_shift();
    case Computation::extract_field: return extract_field();
    case Computation::insert_field: return insert_field();
    case Computation::count_ones:
    case Computation::count_leading_zeros:
    case Computation::reverse_bits: return count_bits();
    case Computation::find_highest_bit: return find_highest_bit();
    case Computation::compare: return compare();
    case Computation::compare_to_value: return compare_to_value();
    case Computation::select: return select();
    case Computation::select_by_sign: return select_by_sign();
    case Computation::float_compare: return compare();
    case Computation::float_compare_to_value: return compare_to_value();
    case Computation::float_add:
    case Computation::float_subtract:
    case Computation::float_multiply:
    case Computation::float_multiply_add:
    case Computation::float_divide:
    case Computation::float_reciprocal:
    case Computation::float_absolute:
    case Computation::float_negate:
    case Computation::float_minimum:
    case Computation::float_maximum:
    case Computation::float_from_integer:
    case Computation::float_to_integer:
    case Computation::float_to_whole:
    case Computation::float_convert: return compute_floats();
    case Computation::copy: return copy();
    case Computation::convert: return convert();
    case Computation::to_generic:
    case Computation::from_generic: return convert_address();
    case Computation::load: return load();
    case Computation::store: return store();
    case Computation::allocate:
    case Computation::call:
    case Computation::unknown: return false;
  }
  return false;
}

void Translator::translate(ir::InstructionId index) {
  index_ = index;
  semantics_ = body_.operation(index).semantics;
  bits_ = semantics_.bits;
  sources_ = body_.sources(index);
  results_ = body_.results(index);
  emitter_.set_origin(index);
  const ir::OperandRange& range = body_.instructions[index];
  const bool is_guarded = range.guard != ir::no_register;
  condition_ = predicate(is_guarded ? range.guard : range.used_where);
  condition_negated_ = is_guarded ? range.guard_negated : range.used_negated;
  note_own_store();
  if (compute()) return;
  note_other_access();
  if (compare_and_swap()) return;
  note_amount();
  note_guard();
  note_vote();
  note_fragment();
  write_unknown();
}

llvm::Value* Translator::predicate(ir::RegisterId id) {
  if (id == ir::no_register) return nullptr;
  return registers_.bits(id) == 1 ? registers_.read(id) : emitter_.opaque(1);
}

llvm::Value* Translator::guard(ir::InstructionId index) {
  const ir::OperandRange& range = body_.instructions[index];
  llvm::Value* value = predicate(range.guard);
  return value != nullptr && range.guard_negated ? emitter_.ir.CreateNot(value) : value;
}

llvm::Value* Translator::chosen(llvm::Value* value, bool is_met) const {
  const bool holds = is_met != condition_negated_;
  for (auto* select = llvm::dyn_cast<llvm::SelectInst>(value);
       select != nullptr && select->getCondition() == condition_; select = llvm::dyn_cast<llvm::SelectInst>(value)) {
    value = holds ? select->getTrueValue() : select->getFalseValue();
  }
  return value;
}

llvm::Value* Translator::read_register(uint32_t id, bool is_met) { return chosen(registers_.read(id), is_met); }

llvm::Value* Translator::read(const ir::Operand& operand, unsigned bits) {
  if (bits == 0) return nullptr;
  switch (operand.kind) {
    case Kind::reg: {
      if (registers_.bits(operand.index) < bits) return nullptr;
      llvm::Value* value = emitter_.ir.CreateTrunc(read_register(operand.index), emitter_.type(bits));
      return operand.negated ? emitter_.ir.CreateNot(value) : value;
    }
    case Kind::integer:
      if (bits == 1) return emitter_.constant(1, operand.value != 0 ? 1 : 0);
      return emitter_.constant(bits, static_cast<uint64_t>(operand.value));
    case Kind::floating: {
      const auto literal = literal_bits(operand.value, bits);
      return literal ? emitter_.constant(bits, *literal) : emitter_.pure(bits, {});
    }
    case Kind::special: return launch_.special(static_cast<ir::SpecialValue>(operand.index), operand.component, bits);
    case Kind::variable:
      return emitter_.ir.CreateAdd(launch_.variable_address(operand.index, bits),
                                   emitter_.constant(bits, static_cast<uint64_t>(operand.value)));
    case Kind::function: return launch_.function_address(operand.index, bits);
    default: return nullptr;
  }
}

bool Translator::read_sources(unsigned bits, std::vector<llvm::Value*>& values) {
  for (const ir::Operand& source : sources_) {
    values.push_back(read(source, bits));
    if (values.back() == nullptr) return false;
  }
  return !values.empty();
}

void Translator::write(const ir::Operand& result, llvm::Value* value, bool is_signed) {
  for_each_register(body_, result, ir::Use::written, [&](ir::RegisterId id, ir::Use) {
    const unsigned bits = registers_.bits(id);
    const bool fits = result.kind == Kind::reg && value->getType()->getIntegerBitWidth() <= bits;
    if (bits > 0) guarded_write(id, fits ? emitter_.resize(value, bits, is_signed) : emitter_.opaque(bits));
  });
}

void Translator::write_slot(uint32_t slot, llvm::Value* value) { guarded_write(slot_id(slot), value); }

void Translator::guarded_write(uint32_t id, llvm::Value* value) {
  if (body_.instructions[index_].guard == ir::no_register) return registers_.write(id, value);
  llvm::Value* old = read_register(id, false);
  llvm::Value* of_true = condition_negated_ ? old : value;
  registers_.write(id, emitter_.ir.CreateSelect(condition_, of_true, condition_negated_ ? value : old));
}

// The operand for how long a sleep is, or how much is copied: in a copy the first behind its addresses. That of a
// tensor stands in memory.
const ir::Operand* Translator::amount() const {
  const ir::Operation& operation = body_.operation(index_);
  if (operation.kind == ir::OperationKind::sleep && sources_.size() == 1) return &sources_.front();
  if (!ir::is_bulk_copy(operation) || operation.facts.copy.tensor) return nullptr;
  const auto found = std::find_if(sources_.begin(), sources_.end(), [](const ir::Operand& source) {
    return source.kind == Kind::reg || source.kind == Kind::integer;
  });
  return found == sources_.end() ? nullptr : &*found;
}

void Translator::note_amount() {
  const ir::Operand* operand = amount();
  llvm::Value* value = operand == nullptr ? nullptr : read(*operand, 32);
  if (value != nullptr) emitter_.amount(value);
}

void Translator::note_guard() {
  const ir::Operation& operation = body_.operation(index_);
  if (operation.kind != ir::OperationKind::barrier && !operation.facts.elects) return;
  if (llvm::Value* where = guard(index_)) emitter_.guard(where);
}

void Translator::note_vote() {
  if (!body_.operation(index_).facts.votes) return;
  llvm::Value *answer = read(sources_[0], 1), *asked = read(sources_[1], 1);
  if (answer != nullptr && asked != nullptr) emitter_.vote(answer, asked);
}

// Notes wmma.load and wmma.store. Nothing is noted without an operand for the distance of rows: they are contiguous
// then.
void Translator::note_fragment() {
  if (!ir::is_fragment_access(body_.operation(index_)) || sources_.empty()) return;
  llvm::Value* where = nullptr;
  for (const ir::Operand& source : sources_) {
    if (source.kind == Kind::address) where = address(source);
  }
  const ir::Operand& last = sources_.back();
  llvm::Value* distance = last.kind == Kind::reg || last.kind == Kind::integer ? read(last, 32) : nullptr;
  if (where != nullptr && distance != nullptr) emitter_.fragment(where, distance);
}

// Every register the instruction writes gets a value of which at most the uniformity is known.
void Translator::write_unknown() {
  std::vector<llvm::Value*> values;
  // A special value may be another one for each lane.
  const auto is_special = [&](const ir::Operand& source) {
    const auto elements = scalars(body_, source);
    return std::any_of(elements.begin(), elements.end(), [](const ir::Operand& e) { return e.kind == Kind::special; });
  };
  const bool is_pure = semantics_.pure && std::none_of(sources_.begin(), sources_.end(), is_special);
  for_each_register(body_, index_, [&](ir::RegisterId id, ir::Use use) {
    if (use == ir::Use::read && is_pure && registers_.bits(id) > 0) values.push_back(read_register(id));
  });
  for (const ir::Operand& result : results_) {
    for_each_register(body_, result, ir::Use::written, [&](ir::RegisterId id, ir::Use) {
      const unsigned bits = registers_.bits(id);
      if (bits > 0) guarded_write(id, is_pure ? emitter_.pure(bits, values) : emitter_.opaque(bits));
    });
  }
}

}  // namespace warpspan::lift
