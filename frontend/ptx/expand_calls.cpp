#include "frontend/ptx/expand_calls.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace warpspan::ptx {

namespace {

constexpr size_t most_instructions = 4'000'000;

// Copies bodies into one function. Each copy of a body gets registers, labels and positions of its own; variables are
// shared by the copies of one function, which are never active together.
class Expander {
 public:
  Expander(const Module& module, const Function& entry) : module_(module) {
    out_ = entry;
    out_.instructions.clear();
    out_.operands.clear();
    out_.labels.clear();
    out_.tables.clear();
    out_.positions.clear();
    out_.register_ranges.clear();
    out_.registers = 0;
  }

  support::Result<Function> run(const Function& entry) {
    copy(entry, {}, none);
    if (!errors_.empty()) return errors_;
    return std::move(out_);
  }

 private:
  // How one copy's indices map into the result.
  struct Copy {
    const Function* function = nullptr;
    uint32_t first_register = 0;
    uint32_t first_label = 0;
    uint32_t first_table = 0;
    uint32_t first_position = 0;
    std::unordered_map<uint32_t, uint32_t> variables;  // formal parameter -> actual one
  };
  using VariableMap = std::unordered_map<uint32_t, uint32_t>;

  void copy(const Function& f, VariableMap variables, uint32_t return_label);
  void copy_instruction(const Copy& c, const Instruction& instruction, uint32_t return_label);
  void expand(const Copy& c, const Instruction& call);
  const Function* callee(const Copy& c, const Instruction& call);
  bool bind(const Instruction& call, const std::vector<Operand>& actual, const Function& callee,
            uint32_t first_register, bool results, VariableMap& variables);
  void transfer(const Instruction& call, const Operand& to, const Operand& from, Type type);
  Operand map_operand(const Copy& c, Operand operand);
  std::vector<Operand> map_elements(const Copy& c, const Operand& list);
  Instruction& emit(const Instruction& origin, const Form* form, const std::vector<Operand>& operands);
  uint32_t add_label(std::string_view name, uint32_t offset);
  void fail(const Instruction& at, std::string message, std::string help = {}) {
    if (errors_.size() < 100)
      errors_.push_back(module_.source->error_at(at.offset, std::move(message), std::move(help)));
  }

  const Module& module_;
  Function out_;
  std::vector<const Function*> active_;
  support::Diagnostics errors_;
};

uint32_t Expander::add_label(std::string_view name, uint32_t offset) {
  out_.labels.push_back({name, none, offset});
  return static_cast<uint32_t>(out_.labels.size() - 1);
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

void Expander::copy(const Function& f, VariableMap variables, uint32_t return_label) {
  active_.push_back(&f);
  Copy c{&f,
         out_.registers,
         static_cast<uint32_t>(out_.labels.size()),
         static_cast<uint32_t>(out_.tables.size()),
         static_cast<uint32_t>(out_.positions.size()),
         std::move(variables)};
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

  size_t next_label = 0;
  for (uint32_t i = 0; i <= f.instructions.size() && errors_.empty(); ++i) {
    while (next_label < f.labels.size() && f.labels[next_label].instruction == i) {
      out_.labels[c.first_label + next_label++].instruction = static_cast<uint32_t>(out_.instructions.size());
    }
    if (i < f.instructions.size()) copy_instruction(c, f.instructions[i], return_label);
  }
  active_.pop_back();
}

void Expander::copy_instruction(const Copy& c, const Instruction& instruction, uint32_t return_label) {
  if (out_.instructions.size() >= most_instructions) {
    return fail(instruction, "the kernel has more than " + std::to_string(most_instructions) +
                                 " instructions once its calls are in line");
  }
  const std::string_view name = instruction.form->opcode->name;
  if (name == "call") return expand(c, instruction);
  std::vector<Operand> operands;
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    operands.push_back(map_operand(c, c.function->begin(instruction)[i]));
  }
  const Form* form = instruction.form;
  if (name == "ret" && return_label != none) {
    form = module_.forms->find("bra");
    Operand target;
    target.kind = Operand::Kind::label;
    target.role = Role::target;
    target.index = return_label;
    operands = {target};
  }
  Instruction& copied = emit(instruction, form, operands);
  if (instruction.guard != none) copied.guard = instruction.guard + c.first_register;
  if (copied.position != none) copied.position += c.first_position;
}

const Function* Expander::callee(const Copy& c, const Instruction& call) {
  const Operand* begin = c.function->begin(call);
  const Operand* end = begin + call.operand_count;
  const Operand* target = std::find_if(begin, end, [](const Operand& o) { return o.kind != Operand::Kind::list; });
  if (target == end || target->kind != Operand::Kind::function) {
    fail(call, "an indirect call cannot be bounded: its target is not known", "call the function by its name");
    return nullptr;
  }
  const Function& f = module_.functions[target->index];
  const std::string name(f.name);
  if (std::find(active_.begin(), active_.end(), &f) != active_.end()) {
    fail(call, "recursive call of '" + name + "' cannot be bounded", "rewrite the recursion as a loop");
    return nullptr;
  }
  if (!f.has_body) {
    fail(call, "'" + name + "' has no body in this file, so its time cannot be bounded",
         "link it in (nvcc -dlto, clang with its bitcode), or take the call out");
    return nullptr;
  }
  return &f;
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

// Makes formal parameters (or results) the actual ones: a .param variable by using the actual variable in its place,
// anything else by a copy. Copies are emitted where the instructions end now.
bool Expander::bind(const Instruction& call, const std::vector<Operand>& actual, const Function& callee,
                    uint32_t first_register, bool results, VariableMap& variables) {
  const std::vector<Parameter>& formal = results ? callee.results : callee.parameters;
  if (actual.size() < formal.size()) {
    fail(call, "the call has fewer " + std::string(results ? "results" : "arguments") + " than the function");
    return false;
  }
  for (size_t i = 0; i < formal.size(); ++i) {
    Operand inner;
    Type type = Type::none;
    if (formal[i].variable != none) {
      if (actual[i].kind == Operand::Kind::variable) {
        variables[formal[i].variable] = actual[i].index;
        continue;
      }
      inner.kind = Operand::Kind::variable;
      inner.index = formal[i].variable;
      type = module_.variables[formal[i].variable].type;
    } else {
      inner.kind = Operand::Kind::reg;
      inner.count = 1;
      inner.index = formal[i].reg + first_register;
      type = callee.register_type(formal[i].reg);
    }
    if (results) {
      transfer(call, actual[i], inner, type);
    } else {
      transfer(call, inner, actual[i], type);
    }
  }
  return true;
}

void Expander::expand(const Copy& c, const Instruction& call) {
  const Function* f = callee(c, call);
  if (f == nullptr) return;
  std::vector<Operand> results;
  std::vector<Operand> arguments;
  const Operand* begin = c.function->begin(call);
  for (uint32_t i = 0; i < call.operand_count; ++i) {
    if (begin[i].kind == Operand::Kind::list) (i == 0 ? results : arguments) = map_elements(c, begin[i]);
  }
  Instruction origin = call;
  if (origin.position != none) origin.position += c.first_position;
  const uint32_t after = add_label("", call.offset);
  if (call.guard != none) {  // a guarded call is a branch around the call
    Operand target;
    target.kind = Operand::Kind::label;
    target.role = Role::target;
    target.index = after;
    Instruction& around = emit(origin, module_.forms->find("bra"), {target});
    around.guard = call.guard + c.first_register;
    around.guard_negated = !call.guard_negated;
  }
  emit(origin, call.form, {});
  const uint32_t first_register = out_.registers;  // where the callee's registers will be
  VariableMap variables;
  if (!bind(origin, arguments, *f, first_register, false, variables)) return;
  for (size_t i = 0; i < f->results.size() && i < results.size(); ++i) {
    if (f->results[i].variable != none && results[i].kind == Operand::Kind::variable) {
      variables[f->results[i].variable] = results[i].index;
    }
  }
  const uint32_t back = add_label("", call.offset);
  copy(*f, variables, back);
  out_.labels[back].instruction = static_cast<uint32_t>(out_.instructions.size());
  if (!errors_.empty() || !bind(origin, results, *f, first_register, true, variables)) return;
  out_.labels[after].instruction = static_cast<uint32_t>(out_.instructions.size());
}

}  // namespace

support::Result<Function> expand_calls(const Module& module, const Function& function) {
  return Expander(module, function).run(function);
}

}  // namespace warpspan::ptx
