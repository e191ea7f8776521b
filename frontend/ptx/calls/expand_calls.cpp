// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/calls/expand_calls.hpp"

#include <algorithm>
#include <string>

#include "frontend/ptx/calls/expander.hpp"
#include "frontend/ptx/calls/split_registers.hpp"

namespace warpspan::ptx {

support::Result<Function> Expander::run(const Function& function) {
  out_.name = function.name;
  out_.is_entry = function.is_entry;
  out_.has_body = true;
  out_.offset = function.offset;
  out_.end_offset = function.end_offset;
  out_.results = function.results;
  out_.parameters = function.parameters;
  out_.launch_bounds = function.launch_bounds;
  active_.push_back(begin_copy(function));
  while (!active_.empty() && errors_.empty()) step();
  if (!errors_.empty()) return errors_;
  return std::move(out_);
}

uint32_t Expander::add_label(std::string_view name, uint32_t offset) {
  out_.labels.push_back({name, none, offset});
  return static_cast<uint32_t>(out_.labels.size() - 1);
}

uint32_t Expander::add_registers(Type type, uint32_t count) {
  RegisterRange range;
  range.type = type;
  range.first = out_.registers;
  range.count = count;
  out_.register_ranges.push_back(range);
  out_.registers += count;
  return range.first;
}

Instruction& Expander::emit(const Instruction& origin, const Form* form, const std::vector<Operand>& operands) {
  Instruction instruction = origin;
  instruction.form = form;
  instruction.guard = none;
  instruction.first_operand = static_cast<uint32_t>(out_.operands.size());
  instruction.operand_count = static_cast<uint16_t>(operands.size());
  out_.operands.insert(out_.operands.end(), operands.begin(), operands.end());
  out_.instructions.push_back(instruction);
  return out_.instructions.back();
}

Instruction& Expander::emit_branch(const Instruction& origin, uint32_t label) {
  Operand target;
  target.kind = Operand::Kind::label;
  target.role = Role::target;
  target.index = label;
  return emit(origin, module_.forms->find("bra"), {target});
}

std::vector<Operand> Expander::map_elements(const Copy& c, const Operand& list) {
  std::vector<Operand> elements;
  for (uint32_t i = 0; i < list.count; ++i) elements.push_back(map_operand(c, c.function->elements(list)[i]));
  return elements;
}

Operand Expander::map_operand(const Copy& c, Operand operand) {
  switch (operand.kind) {
    case Operand::Kind::reg: operand.index = map_register(c, operand.index); break;
    case Operand::Kind::label: operand.index += c.first_label; break;
    case Operand::Kind::table: operand.index += c.first_table; break;
    case Operand::Kind::variable: {
      const auto actual = c.variables.find(operand.index);
      if (actual != c.variables.end()) operand.index = actual->second;
      break;
    }
    case Operand::Kind::vector:
    case Operand::Kind::pair:
    case Operand::Kind::address:
    case Operand::Kind::list: {
      const std::vector<Operand> elements = map_elements(c, operand);
      operand.index = static_cast<uint32_t>(out_.operands.size());
      out_.operands.insert(out_.operands.end(), elements.begin(), elements.end());
      break;
    }
    default: break;
  }
  return operand;
}

Expander::Copy Expander::begin_copy(const Function& f) {
  Copy c;
  c.function = &f;
  c.named = &named_registers(f);
  c.first_register = out_.registers;
  c.first_label = static_cast<uint32_t>(out_.labels.size());
  c.first_table = static_cast<uint32_t>(out_.tables.size());
  c.first_position = static_cast<uint32_t>(out_.positions.size());
  for (RegisterRange range : c.named->ranges()) {
    range.first += c.first_register;
    out_.register_ranges.push_back(range);
  }
  out_.registers += c.named->count();
  for (const Label& label : f.labels) add_label(label.name, label.offset);
  for (Table table : f.tables) {
    for (uint32_t& label : table.labels) label += c.first_label;
    out_.tables.push_back(std::move(table));
  }
  out_.pointed.insert(out_.pointed.end(), f.pointed.begin(), f.pointed.end());
  out_.positions.insert(out_.positions.end(), f.positions.begin(), f.positions.end());
  return c;
}

// The next instruction of the innermost copy.
void Expander::step() {
  Copy& c = active_.back();
  const Function& f = *c.function;
  while (c.next_label < f.labels.size() && f.labels[c.next_label].instruction == c.next) {
    place(c.first_label + c.next_label++);
  }
  if (c.next == f.instructions.size()) return end_copy();
  copy_instruction(c, f.instructions[c.next++]);
}

void Expander::end_copy() {
  const Copy c = std::move(active_.back());
  active_.pop_back();
  if (!returns_before_end(*c.function)) end_call(c);
  if (c.back == none) return;
  out_.inlined[c.inlined].end = static_cast<uint32_t>(out_.instructions.size());
  place(c.back);
  for (const Transfer& result : c.results) transfer(c.call, result.actual, result.formal, result.type);
  if (c.after != none) place(c.after);
}

// What comes to the end without a return returns as well.
void Expander::end_call(const Copy& c) {
  if (c.function->is_entry || c.function->instructions.empty()) return;
  const Instruction& last = c.function->instructions.back();
  Instruction& end = c.back != none ? emit_branch(last, c.back) : emit(last, module_.forms->find("ret"), {});
  end.ends_call = true;
  end.stays_call = false;
  if (end.position != none) end.position += c.first_position;
}

void Expander::copy_instruction(const Copy& c, const Instruction& instruction) {
  if (out_.instructions.size() >= room_) {
    return fail(instruction, "the kernel has more than " + std::to_string(most_instructions) +
                                 " instructions once its calls are inlined");
  }
  if (is_call(instruction)) return expand(c, instruction);
  Instruction* copied = nullptr;
  if (instruction.form->transfer == ir::Transfer::function_return && c.back != none) {
    copied = &emit_branch(instruction, c.back);
    copied->ends_call = true;
  } else {
    std::vector<Operand> operands;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      operands.push_back(map_operand(c, c.function->begin(instruction)[i]));
    }
    copied = &emit(instruction, instruction.form, operands);
  }
  if (instruction.guard != none) copied->guard = map_register(c, instruction.guard);
  if (copied->position != none) copied->position += c.first_position;
}

void Expander::expand(const Copy& c, const Instruction& instruction) {
  const uint32_t index = called_function(*c.function, instruction);
  Call call;
  call.callee = &module_.functions[index];
  call.origin = instruction;
  if (call.origin.position != none) call.origin.position += c.first_position;
  const Operand* begin = c.function->begin(instruction);
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    if (begin[i].kind == Operand::Kind::list) (i == 0 ? call.results : call.arguments) = map_elements(c, begin[i]);
  }
  if (!matches(call)) return;
  if (instruction.guard != none) {  // a guarded call is a branch around the call
    call.after = add_label("", instruction.offset);
    Instruction& around = emit_branch(call.origin, call.after);
    around.guard = map_register(c, instruction.guard);
    around.guard_negated = !instruction.guard_negated;
  }
  if (is_failed_assertion(*call.callee)) {
    emit(call.origin, module_.forms->find("trap"), {});
    out_.has_assertions = true;
    if (call.after != none) place(call.after);
    return;
  }
  const auto body = bodies_.find(index);
  if (!call.callee->has_body) {
    keep(call, none, outside(index));
  } else if (body != bodies_.end()) {
    keep(call, body->second, none);
  } else {
    inline_call(call);
  }
}

// The function's place in Function::outside of the result.
uint32_t Expander::outside(uint32_t function) {
  const auto known = std::find_if(out_.outside.begin(), out_.outside.end(),
                                  [function](const OutsideFunction& f) { return f.function == function; });
  if (known != out_.outside.end()) return static_cast<uint32_t>(known - out_.outside.begin());
  const auto time = facts_.times.find(function);
  out_.outside.push_back({function, time == facts_.times.end() ? std::nullopt : std::optional(time->second)});
  return static_cast<uint32_t>(out_.outside.size() - 1);
}

// Arguments are passed by value: a result that stands for an argument, too, would change it.
bool Expander::matches(const Call& call) {
  const auto is_argument = [&call](const Operand& result) {
    return result.kind == Operand::Kind::variable &&
           std::any_of(call.arguments.begin(), call.arguments.end(), [&result](const Operand& argument) {
             return argument.kind == Operand::Kind::variable && argument.index == result.index;
           });
  };
  if (std::any_of(call.results.begin(), call.results.end(), is_argument)) {
    fail(call.origin, "the call gives back its result in a variable that is also its argument: give it one of its own");
    return false;
  }
  const bool arguments = call.arguments.size() >= call.callee->parameters.size();
  const bool results = call.results.size() >= call.callee->results.size();
  if (!arguments || !results) {
    fail(call.origin, "the call has fewer " + std::string(arguments ? "results" : "arguments") + " than the function");
  }
  return arguments && results;
}

support::Result<Function> expand_calls(const Module& module, const Function& function, const SharingLimits& limits,
                                       const CallFacts& facts) {
  const auto called = find_calls(module, function, limits, facts);
  if (!called) return called.errors();
  BodyMap bodies;
  NamedRegistersMap named;
  std::vector<Function> shared;
  size_t room = most_instructions;
  for (const CalledFunction& f : *called) {
    if (!f.is_shared) continue;
    auto body = Expander(module, facts, bodies, named, room).run(module.functions[f.function]);
    if (!body) return body.errors();
    room -= std::min(room, body->instructions.size());
    bodies[f.function] = static_cast<uint32_t>(shared.size());
    split_registers(*body);
    shared.push_back(std::move(*body));
  }
  auto result = Expander(module, facts, bodies, named, room).run(function);
  if (!result) return result;
  split_registers(*result);
  result->shared = std::move(shared);
  return result;
}

}  // namespace warpspan::ptx
