#include "frontend/ptx/expand_calls.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

namespace warpspan::ptx {

namespace {

constexpr size_t most_instructions = 4'000'000;

// From an index into Module::functions to one into Function::shared.
using BodyMap = std::unordered_map<uint32_t, uint32_t>;

// Copies bodies into one function. Each copy of a body gets registers, labels and positions of its own; variables are
// shared by the copies of one function, which are never active together.
class Expander {
 public:
  // `room` is how many instructions may still be made.
  Expander(const Module& module, const BodyMap& bodies, size_t room) : module_(module), bodies_(bodies), room_(room) {}

  support::Result<Function> run(const Function& function);

 private:
  using VariableMap = std::unordered_map<uint32_t, uint32_t>;  // formal parameter -> actual one

  // A value that goes from an actual parameter to a formal one, or back.
  struct Transfer {
    Operand formal;
    Operand actual;
    Type type = Type::none;
  };
  // One copy, and how its indices map into the result.
  struct Copy {
    const Function* function = nullptr;
    uint32_t first_register = 0;
    uint32_t first_label = 0;
    uint32_t first_table = 0;
    uint32_t first_position = 0;
    VariableMap variables;
    uint32_t next = 0;        // instruction to be copied
    uint32_t next_label = 0;  // to be placed
    // The call that it is in place of, what that gets back, and the labels behind the body and behind the call; a body
    // by itself has none of these.
    Instruction call;
    std::vector<Transfer> results;
    uint32_t back = none;
    uint32_t after = none;
  };
  // What a call passes and gets back, in the caller's terms.
  struct Call {
    Instruction origin;
    const Function* callee = nullptr;
    std::vector<Operand> results;
    std::vector<Operand> arguments;
    uint32_t after = none;  // a label, if the call is guarded
  };

  Copy begin_copy(const Function& f);
  void step();
  void end_copy();
  void copy_instruction(const Copy& c, const Instruction& instruction);
  void expand(const Copy& c, const Instruction& instruction);
  void expand_in_line(const Call& call);
  void keep(const Call& call, uint32_t body);
  bool matches(const Call& call);
  std::optional<Transfer> transfer_between(const Parameter& formal, const Operand& actual, const Function& callee,
                                           uint32_t reg) const;
  void transfer(const Instruction& call, const Operand& to, const Operand& from, Type type);
  Operand map_operand(const Copy& c, Operand operand);
  std::vector<Operand> map_elements(const Copy& c, const Operand& list);
  Instruction& emit(const Instruction& origin, const Form* form, const std::vector<Operand>& operands);
  Instruction& emit_branch(const Instruction& origin, uint32_t label);
  uint32_t add_label(std::string_view name, uint32_t offset);
  uint32_t add_register(Type type);
  void place(uint32_t label) { out_.labels[label].instruction = static_cast<uint32_t>(out_.instructions.size()); }
  void fail(const Instruction& at, std::string message, std::string help = {}) {
    errors_.push_back(module_.source->error_at(at.offset, std::move(message), std::move(help)));
  }

  const Module& module_;
  const BodyMap& bodies_;
  size_t room_;
  Function out_;
  std::vector<Copy> active_;  // each in place of a call of the one before it
  support::Diagnostics errors_;
};

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

uint32_t Expander::add_register(Type type) {
  RegisterRange range;
  range.type = type;
  range.first = out_.registers;
  out_.register_ranges.push_back(range);
  return out_.registers++;
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
    case Operand::Kind::reg: operand.index += c.first_register; break;
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
  c.first_register = out_.registers;
  c.first_label = static_cast<uint32_t>(out_.labels.size());
  c.first_table = static_cast<uint32_t>(out_.tables.size());
  c.first_position = static_cast<uint32_t>(out_.positions.size());
  for (RegisterRange range : f.register_ranges) {
    range.first += c.first_register;
    out_.register_ranges.push_back(range);
  }
  out_.registers += f.registers;
  for (const Label& label : f.labels) add_label(label.name, label.offset);
  for (Table table : f.tables) {
    for (uint32_t& label : table.labels) label += c.first_label;
    out_.tables.push_back(std::move(table));
  }
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
  if (c.back == none) return;
  place(c.back);
  for (const Transfer& result : c.results) transfer(c.call, result.actual, result.formal, result.type);
  if (c.after != none) place(c.after);
}

void Expander::copy_instruction(const Copy& c, const Instruction& instruction) {
  if (out_.instructions.size() >= room_) {
    return fail(instruction, "the kernel has more than " + std::to_string(most_instructions) +
                                 " instructions once its calls are in line");
  }
  if (is_call(instruction)) return expand(c, instruction);
  Instruction* copied = nullptr;
  if (instruction.form->opcode->name == "ret" && c.back != none) {
    copied = &emit_branch(instruction, c.back);
  } else {
    std::vector<Operand> operands;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      operands.push_back(map_operand(c, c.function->begin(instruction)[i]));
    }
    copied = &emit(instruction, instruction.form, operands);
  }
  if (instruction.guard != none) copied->guard = instruction.guard + c.first_register;
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
    around.guard = instruction.guard + c.first_register;
    around.guard_negated = !instruction.guard_negated;
  }
  const auto body = bodies_.find(index);
  if (body == bodies_.end()) {
    expand_in_line(call);
  } else {
    keep(call, body->second);
  }
}

bool Expander::matches(const Call& call) {
  const bool arguments = call.arguments.size() >= call.callee->parameters.size();
  const bool results = call.results.size() >= call.callee->results.size();
  if (!arguments || !results) {
    fail(call.origin, "the call has fewer " + std::string(arguments ? "results" : "arguments") + " than the function");
  }
  return arguments && results;
}

// A copy of one value between a register or constant and a parameter variable or register, as the calling convention
// makes.
void Expander::transfer(const Instruction& call, const Operand& to, const Operand& from, Type type) {
  const std::string suffix = ".b" + std::to_string(std::max(bits(type), 8));
  const auto address = [this](Operand variable) {
    variable.role = Role::read;
    out_.operands.push_back(variable);
    Operand operand;
    operand.kind = Operand::Kind::address;
    operand.role = Role::address;
    operand.index = static_cast<uint32_t>(out_.operands.size() - 1);
    operand.count = 1;
    return operand;
  };
  Operand destination = to;
  Operand source = from;
  source.role = Role::read;
  std::string word = "mov";
  if (to.kind == Operand::Kind::variable) {
    word = "st.param";
    destination = address(to);
  } else {
    destination.role = Role::write;
    if (from.kind == Operand::Kind::variable && module_.variables[from.index].space == ir::MemorySpace::parameter) {
      word = "ld.param";
      source = address(from);
    }
  }
  const Form* form = type == Type::pred ? module_.forms->find("mov.pred") : module_.forms->find(word + suffix);
  if (form == nullptr) return fail(call, "this argument or result has a type that cannot be passed");
  emit(call, form, {destination, source});
}

// How a value comes to a formal parameter, or from a formal result; nothing if the actual variable can be used in place
// of the formal one. A formal register is register `reg` of the result.
std::optional<Expander::Transfer> Expander::transfer_between(const Parameter& formal, const Operand& actual,
                                                             const Function& callee, uint32_t reg) const {
  Transfer result;
  result.actual = actual;
  if (formal.variable == none) {
    result.formal.kind = Operand::Kind::reg;
    result.formal.count = 1;
    result.formal.index = reg;
    result.type = callee.register_type(formal.reg);
    return result;
  }
  if (actual.kind == Operand::Kind::variable) return std::nullopt;
  result.formal.kind = Operand::Kind::variable;
  result.formal.index = formal.variable;
  result.type = module_.variables[formal.variable].type;
  return result;
}

// The body follows the call, and formal variables are the actual ones.
void Expander::expand_in_line(const Call& call) {
  emit(call.origin, call.origin.form, {});
  const Function& f = *call.callee;
  VariableMap variables;
  std::vector<Transfer> results;
  for (const bool is_result : {false, true}) {
    const std::vector<Parameter>& formal = is_result ? f.results : f.parameters;
    const std::vector<Operand>& actual = is_result ? call.results : call.arguments;
    for (size_t i = 0; i < formal.size(); ++i) {
      // The registers of the copy are the next.
      const auto copied = transfer_between(formal[i], actual[i], f, out_.registers + formal[i].reg);
      if (!copied) {
        variables[formal[i].variable] = actual[i].index;
      } else if (is_result) {
        results.push_back(*copied);
      } else {
        transfer(call.origin, copied->formal, copied->actual, copied->type);
      }
    }
  }
  const uint32_t back = add_label("", call.origin.offset);
  Copy copy = begin_copy(f);
  copy.variables = std::move(variables);
  copy.call = call.origin;
  copy.results = std::move(results);
  copy.back = back;
  copy.after = call.after;
  active_.push_back(std::move(copy));
}

// The call stays. A register of the caller stands for each register that the function takes or gives back.
void Expander::keep(const Call& call, uint32_t body) {
  const Function& f = *call.callee;
  std::vector<Operand> operands;
  std::vector<Transfer> results;
  for (const bool is_result : {true, false}) {
    const std::vector<Parameter>& formal = is_result ? f.results : f.parameters;
    const std::vector<Operand>& actual = is_result ? call.results : call.arguments;
    for (size_t i = 0; i < actual.size(); ++i) {
      operands.push_back(actual[i]);
      if (i < formal.size()) {
        const bool is_register = formal[i].variable == none;
        const uint32_t reg = is_register ? add_register(f.register_type(formal[i].reg)) : none;
        if (const auto copied = transfer_between(formal[i], actual[i], f, reg)) {
          operands.back() = copied->formal;
          if (is_result) results.push_back(*copied);
          if (!is_result) transfer(call.origin, copied->formal, copied->actual, copied->type);
        }
      }
      operands.back().role = is_result ? Role::write : Role::read;
    }
  }
  emit(call.origin, call.origin.form, operands).body = body;
  for (const Transfer& result : results) transfer(call.origin, result.actual, result.formal, result.type);
  if (call.after != none) place(call.after);
}

}  // namespace

support::Result<Function> expand_calls(const Module& module, const Function& function, const SharingLimits& limits) {
  const auto called = find_calls(module, function, limits);
  if (!called) return called.errors();
  BodyMap bodies;
  std::vector<Function> shared;
  size_t room = most_instructions;
  for (const CalledFunction& f : *called) {
    if (!f.is_shared) continue;
    auto body = Expander(module, bodies, room).run(module.functions[f.function]);
    if (!body) return body.errors();
    room -= std::min(room, body->instructions.size());
    bodies[f.function] = static_cast<uint32_t>(shared.size());
    shared.push_back(std::move(*body));
  }
  auto result = Expander(module, bodies, room).run(function);
  if (result) result->shared = std::move(shared);
  return result;
}

}  // namespace warpspan::ptx
