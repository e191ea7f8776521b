// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/interpreter/program.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "tests/reference/interpreter/integers.hpp"

namespace warpspan::reference {

namespace {

using ptx::Operand;

std::optional<Action> action_of(const ptx::Form& form) {
  static const std::map<std::string_view, Action> actions = {
      {"call", Action::nothing},
      {"membar", Action::nothing},
      {"fence", Action::nothing},
      {"bar.warp.sync", Action::nothing},
      {"nanosleep", Action::nothing},
      {"cvta", Action::convert_address},
      {"cvta.to", Action::convert_address},
      {"ld", Action::load},
      {"ldu", Action::load},
      {"st", Action::store},
      {"atom", Action::atomic},
      {"red", Action::atomic},
      {"bra", Action::branch},
      {"brx.idx", Action::indexed_branch},
      {"ret", Action::leave},
      {"exit", Action::leave},
      {"trap", Action::leave},
      {"bar", Action::barrier},
      {"barrier", Action::barrier},
      {"vote", Action::vote},
      {"shfl", Action::shuffle},
      {"activemask", Action::active_mask},
      {"redux", Action::reduce_warp},
  };
  const auto known = actions.find(form.opcode->name);
  if (known != actions.end()) return known->second;
  return std::nullopt;
}

class Preparation {
 public:
  Preparation(const ptx::Function& function, const std::vector<uint64_t>& places)
      : function_(function), places_(places) {}

  std::optional<Program> run(std::string& unknown);

 private:
  bool prepare(const ptx::Instruction& instruction, Step& step);
  bool choose_action(const ptx::Instruction& instruction, Step& step);
  bool add_operand(const Operand& operand, Step& step);
  bool add_elements(const Operand& operand, Step& step);
  bool add_destination(const Operand& operand, Step& step);
  bool set_address(const Operand& operand, Step& step);
  bool add_target(const Operand& operand, Step& step);
  std::optional<Source> source_of(const Operand& operand) const;

  const ptx::Function& function_;
  const std::vector<uint64_t>& places_;
};

std::optional<Source> Preparation::source_of(const Operand& operand) const {
  Source source;
  source.negated = operand.negated;
  switch (operand.kind) {
    case Operand::Kind::reg:
      if (operand.component != 0 || operand.count > 1) return std::nullopt;
      source.kind = Source::Kind::reg;
      source.index = operand.index;
      return source;
    case Operand::Kind::integer: source.constant = static_cast<uint64_t>(operand.value); return source;
    case Operand::Kind::floating: source.constant = static_cast<uint64_t>(operand.value); return source;
    case Operand::Kind::variable:
      source.constant = places_[operand.index] + static_cast<uint64_t>(operand.value);
      return source;
    case Operand::Kind::function: source.constant = 16 * (uint64_t{operand.index} + 1); return source;
    case Operand::Kind::special:
      source.kind = Source::Kind::special;
      source.index = operand.index;
      source.component = operand.component;
      return source;
    default: return std::nullopt;
  }
}

bool Preparation::add_destination(const Operand& operand, Step& step) {
  if (operand.kind == Operand::Kind::sink) {
    step.destinations.push_back(nowhere);
    return true;
  }
  if (operand.kind != Operand::Kind::reg || operand.component != 0 || operand.count > 1) return false;
  step.destinations.push_back(operand.index);
  return true;
}

bool Preparation::add_elements(const Operand& operand, Step& step) {
  for (uint32_t i = 0; i < operand.count; ++i) {
    Operand element = function_.elements(operand)[i];
    element.role = operand.role;
    if (!add_operand(element, step)) return false;
  }
  if (operand.kind != Operand::Kind::pair) return true;
  step.second = step.destinations.back();
  step.destinations.pop_back();
  return true;
}

bool Preparation::set_address(const Operand& operand, Step& step) {
  if (operand.count != 1) return false;
  const auto base = source_of(function_.elements(operand)[0]);
  if (!base) return false;
  step.base = *base;
  step.offset = operand.value;
  return true;
}

bool Preparation::add_target(const Operand& operand, Step& step) {
  if (operand.kind == Operand::Kind::label) {
    step.targets.push_back(function_.labels[operand.index].instruction);
    return true;
  }
  if (operand.kind != Operand::Kind::table) return false;
  for (const uint32_t label : function_.tables[operand.index].labels) {
    step.targets.push_back(function_.labels[label].instruction);
  }
  return true;
}

bool Preparation::add_operand(const Operand& operand, Step& step) {
  switch (operand.kind) {
    case Operand::Kind::vector:
    case Operand::Kind::pair: return add_elements(operand, step);
    case Operand::Kind::address: return set_address(operand, step);
    case Operand::Kind::label:
    case Operand::Kind::table: return add_target(operand, step);
    default: break;
  }
  if (operand.role == ptx::Role::write) return add_destination(operand, step);
  auto source = source_of(operand);
  if (!source) return false;
  // The parser keeps a 32-bit float literal as a double. What is compared or converted has the last type.
  const bool has_own_result = step.form->opcode->name == "set" || step.form->opcode->name == "cvt";
  const ptx::Type type = has_own_result ? step.form->types.back() : step.form->type();
  if (operand.kind == Operand::Kind::floating && ptx::bits(type) < 64) {
    const auto narrow = static_cast<float>(std::bit_cast<double>(source->constant));
    source->constant = std::bit_cast<uint32_t>(narrow);
  }
  step.sources.push_back(*source);
  return true;
}

bool Preparation::choose_action(const ptx::Instruction& instruction, Step& step) {
  const ptx::Form& form = *instruction.form;
  const Operand* operands = function_.begin(instruction);
  if (form.opcode->name == "mov" && instruction.operand_count == 2 && form.vector_size == 1) {
    const auto elements = [&](const Operand& o) {
      step.element_bits = ptx::bits(form.type()) / static_cast<int>(std::max(o.count, 1U));
      return o.kind == Operand::Kind::vector;
    };
    if (elements(operands[0])) step.action = Action::unpack;
    if (step.action == Action::nothing && elements(operands[1])) step.action = Action::pack;
    if (step.action != Action::nothing) return ptx::bits(form.type()) <= 64;
  }
  if (const auto action = action_of(form)) {
    step.action = *action;
    return ptx::bits(form.type()) <= 64;
  }
  auto evaluate = evaluator_of(form);
  if (!evaluate) return false;
  step.action = Action::compute;
  step.evaluate = std::move(*evaluate);
  return true;
}

bool Preparation::prepare(const ptx::Instruction& instruction, Step& step) {
  step.form = instruction.form;
  step.guard = instruction.guard == ptx::none ? nowhere : instruction.guard;
  step.guard_negated = instruction.guard_negated;
  if (!choose_action(instruction, step)) return false;
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    if (!add_operand(function_.begin(instruction)[i], step)) return false;
  }
  if (instruction.form->reads_carry) {
    step.sources.push_back({Source::Kind::reg, false, 0, function_.registers, 0});
  }
  return true;
}

std::optional<Program> Preparation::run(std::string& unknown) {
  Program program;
  program.carry = function_.registers;
  program.register_bits.assign(function_.registers + 1, 1);
  for (const ptx::RegisterRange& range : function_.register_ranges) {
    const uint32_t end = range.first + range.count * range.vector_size;
    for (uint32_t r = range.first; r < end; ++r) program.register_bits[r] = std::max(ptx::bits(range.type), 1);
  }
  for (const ptx::Instruction& instruction : function_.instructions) {
    Step step;
    if (!prepare(instruction, step)) {
      unknown = instruction.form->text;
      return std::nullopt;
    }
    program.steps.push_back(std::move(step));
  }
  return program;
}

}  // namespace

bool Step::reads_clock() const {
  return std::any_of(sources.begin(), sources.end(), [](const Source& source) {
    if (source.kind != Source::Kind::special) return false;
    const auto which = static_cast<ptx::SpecialRegister>(source.index);
    return which == ptx::SpecialRegister::clock || which == ptx::SpecialRegister::clock64;
  });
}

std::vector<uint32_t> Program::successors(uint32_t index) const {
  const Step& step = steps[index];
  std::vector<uint32_t> result = step.targets;
  if (step.action == Action::leave) result.push_back(static_cast<uint32_t>(steps.size()));
  if (step.falls_through()) result.push_back(index + 1);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::optional<Program> prepare(const ptx::Function& function, const std::vector<uint64_t>& places,
                               std::string& unknown) {
  return Preparation(function, places).run(unknown);
}

}  // namespace warpspan::reference
