// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/frontend/ptx/print_module.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "frontend/ptx/syntax/lexer.hpp"
#include "support/digits.hpp"
#include "tests/frontend/ptx/module_names.hpp"

namespace warpspan::test {

namespace {

using ptx::none;
using ptx::Operand;

constexpr std::string_view special_names[] = {
#define SPECIAL_REGISTER(enumerator, name, components, value, place, cost) name,
#include "frontend/ptx/forms/special_registers.def"
#undef SPECIAL_REGISTER
};

std::string space_name(ir::MemorySpace space) {
  switch (space) {
    case ir::MemorySpace::shared: return ".shared";
    case ir::MemorySpace::local: return ".local";
    case ir::MemorySpace::constant: return ".const";
    case ir::MemorySpace::parameter: return ".param";
    case ir::MemorySpace::texture: return ".tex";
    default: return ".global";
  }
}

std::string component(int number) { return number == 0 ? "" : std::string(".") + "xyzw"[number - 1]; }

std::string offset(int64_t value) { return value == 0 ? "" : "+" + std::to_string(value); }

std::string floating(const Operand& operand) {
  const auto value = std::bit_cast<double>(operand.value);
  if (operand.type == ptx::Type::f32) {
    return "0f" + support::hexadecimal(std::bit_cast<uint32_t>(static_cast<float>(value)), 8);
  }
  if (operand.type == ptx::Type::f64) return "0d" + support::hexadecimal(std::bit_cast<uint64_t>(value), 16);
  std::array<char, 32> digits{};
  std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

std::string initial_value(const ptx::Module& module, const ptx::Variable& variable) {
  std::string text;
  for (const std::string& token : initial_tokens(module, variable)) {
    const bool close = text.empty() || std::string_view("({-").find(text.back()) != std::string_view::npos ||
                       std::string_view(",})").find(token.front()) != std::string_view::npos;
    text += (close ? "" : " ") + token;
  }
  return text;
}

std::string declaration(const ptx::Module& module, const ptx::Variable& variable, const std::string& name) {
  const std::string initial = initial_value(module, variable);
  std::string text = space_name(variable.space);
  if (variable.alignment > 0) text += " .align " + std::to_string(variable.alignment);
  text += " ." + std::string(to_string(variable.type)) + " " + name;
  const int64_t elements = variable.bytes / (std::max(bits(variable.type), 8) / 8);
  const bool is_array = elements != 1 || initial.starts_with("{");
  if (is_array) text += "[" + (elements == 0 ? "" : std::to_string(elements)) + "]";
  const bool is_elsewhere = elements == 0 && initial.empty() && variable.parameter == none;
  return (is_elsewhere ? ".extern " : "") + text + (initial.empty() ? "" : " = " + initial);
}

class FunctionPrinter {
 public:
  FunctionPrinter(const ptx::Module& module, uint32_t index)
      : module_(module), function_(module.functions[index]), names_(module, index) {}

  std::string print() {
    const bool is_declared_only = !function_.is_entry && !function_.has_body;
    text_ = function_.is_entry ? ".visible .entry " : is_declared_only ? ".extern .func " : ".func ";
    if (!function_.results.empty()) text_ += parameters(function_.results) + " ";
    text_ += std::string(function_.name) + parameters(function_.parameters) + "\n";
    launch_bounds();
    if (!function_.has_body) return text_ + ";\n";
    text_ += "{\n";
    declarations();
    statements();
    return text_ + "}\n";
  }

  std::string statement(const ptx::Instruction& instruction) const {
    std::string text = instruction.form->text;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      text += (i == 0 ? " " : ", ") + operand(function_.begin(instruction)[i]);
    }
    return text + ";";
  }

 private:
  // The range that a register parameter was declared by; none for '_'.
  const ptx::RegisterRange* range_of(const ptx::Parameter& parameter) const {
    for (const ptx::RegisterRange& range : function_.register_ranges) {
      if (range.first == parameter.reg && range.count > 0) return &range;
    }
    return nullptr;
  }

  std::string declaration_of(const ptx::RegisterRange& range) const {
    const std::string vector = range.vector_size > 1 ? ".v" + std::to_string(range.vector_size) + " " : "";
    const std::string count = range.numbered ? "<" + std::to_string(range.count) + ">" : "";
    const auto index = static_cast<size_t>(&range - function_.register_ranges.data());
    return ".reg " + vector + "." + std::string(to_string(range.type)) + " " + names_.range(index) + count;
  }

  std::string parameters(const std::vector<ptx::Parameter>& parameters) const {
    std::string text;
    for (size_t i = 0; i < parameters.size(); ++i) {
      const ptx::Parameter& parameter = parameters[i];
      text += i == 0 ? "" : ", ";
      if (parameter.variable != none) {
        text += declaration(module_, module_.variables[parameter.variable], names_.variable(parameter.variable));
        continue;
      }
      const bool is_next_one = i + 1 < parameters.size() && parameters[i + 1].reg == parameter.reg;
      const ptx::RegisterRange* range = is_next_one ? nullptr : range_of(parameter);
      text += range == nullptr ? ".reg .b32 _" : declaration_of(*range);
    }
    return "(" + text + ")";
  }

  void launch_bounds() {
    const ir::LaunchBounds& bounds = function_.launch_bounds;
    for (const auto& [directive, extent] : {std::pair(".maxntid ", bounds.maximum), {".reqntid ", bounds.required}}) {
      if (extent.x == 0) continue;
      text_ += directive + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " +
               std::to_string(extent.z) + "\n";
    }
    if (bounds.max_registers > 0) text_ += ".maxnreg " + std::to_string(bounds.max_registers) + "\n";
    if (bounds.min_blocks > 0) text_ += ".minnctapersm " + std::to_string(bounds.min_blocks) + "\n";
    if (bounds.clusters) text_ += ".explicitcluster\n";
  }

  bool is_parameter(const ptx::RegisterRange& range) const {
    const auto here = [&](const ptx::Parameter& parameter) {
      return parameter.variable == none && range_of(parameter) == &range;
    };
    return std::any_of(function_.results.begin(), function_.results.end(), here) ||
           std::any_of(function_.parameters.begin(), function_.parameters.end(), here);
  }

  void declarations() {
    for (const ptx::RegisterRange& range : function_.register_ranges) {
      if (!is_parameter(range)) text_ += "  " + declaration_of(range) + ";\n";
    }
    for (const uint32_t local : names_.locals()) {
      text_ += "  " + declaration(module_, module_.variables[local], names_.variable(local)) + ";\n";
    }
    for (size_t i = 0; i < function_.tables.size(); ++i) text_ += table(i) + "\n";
  }

  std::string table(size_t index) const {
    const ptx::Table& table = function_.tables[index];
    const std::string name = "  " + names_.table(index) + ": ";
    if (table.is_prototype) return name + ".callprototype _ ();";
    std::string entries;
    for (const uint32_t label : table.labels) entries += ", " + names_.label(label);
    for (const uint32_t callee : table.functions) entries += ", " + std::string(module_.functions[callee].name);
    return name + (table.labels.empty() ? ".calltargets " : ".branchtargets ") + entries.substr(2) + ";";
  }

  void statements() {
    size_t label = 0;
    uint32_t position = none;
    const auto labels_before = [&](size_t instruction) {
      for (; label < function_.labels.size() && function_.labels[label].instruction <= instruction; ++label) {
        text_ += names_.label(label) + ":\n";
      }
    };
    for (size_t i = 0; i < function_.instructions.size(); ++i) {
      const ptx::Instruction& instruction = function_.instructions[i];
      labels_before(i);
      if (instruction.position != position) {
        position = instruction.position;
        const ptx::Position& where = function_.positions[position];
        text_ += "  .loc " + std::to_string(where.file) + " " + std::to_string(where.line) + " 0\n";
      }
      text_ += "  ";
      if (instruction.guard != none) {
        text_ += (instruction.guard_negated ? "@!" : "@") + names_.one_register(instruction.guard) + " ";
      }
      text_ += statement(instruction) + "\n";
    }
    labels_before(function_.instructions.size());
  }

  std::string operand(const Operand& operand) const {
    const std::string sign = operand.negated ? "!" : "";
    switch (operand.kind) {
      case Operand::Kind::reg: return sign + names_.registers(operand);
      case Operand::Kind::integer: return std::to_string(operand.value);
      case Operand::Kind::floating: return floating(operand);
      case Operand::Kind::special: {
        std::string name(special_names[operand.index]);
        std::replace(name.begin(), name.end(), '#', '0');
        return name + component(operand.component);
      }
      case Operand::Kind::variable: return names_.variable(operand.index) + offset(operand.value);
      case Operand::Kind::function: return std::string(module_.functions[operand.index].name);
      case Operand::Kind::label: return names_.label(operand.index);
      case Operand::Kind::table: return names_.table(operand.index);
      case Operand::Kind::sink: return "_";
      case Operand::Kind::vector: return "{" + elements(operand, ", ", "") + "}";
      case Operand::Kind::pair: return elements(operand, "|", "");
      case Operand::Kind::address: return "[" + elements(operand, ", ", offset(operand.value)) + "]";
      case Operand::Kind::list: return "(" + elements(operand, ", ", "") + ")";
    }
    return {};
  }

  std::string elements(const Operand& whole, const std::string& between, const std::string& after_first) const {
    std::string text;
    for (uint32_t i = 0; i < whole.count; ++i) {
      text += (i == 0 ? "" : between) + operand(function_.elements(whole)[i]) + (i == 0 ? after_first : "");
    }
    return text;
  }

  const ptx::Module& module_;
  const ptx::Function& function_;
  FunctionNames names_;
  std::string text_;
};

}  // namespace

std::string print(const ptx::Module& module) {
  std::string text = ".version " + std::string(module.version) + "\n";
  for (const std::string_view target : module.targets) text += ".target " + std::string(target) + "\n";
  text += ".address_size " + std::to_string(module.address_size) + "\n";
  for (const auto& [number, name] : module.files) {
    text += ".file " + std::to_string(number) + " \"" + std::string(name) + "\"\n";
  }
  for (const ptx::Variable& variable : module.variables) {
    if (variable.function == none) text += declaration(module, variable, std::string(variable.name)) + ";\n";
  }
  for (uint32_t i = 0; i < module.functions.size(); ++i) text += "\n" + FunctionPrinter(module, i).print();
  return text;
}

std::string print(const ptx::Module& module, uint32_t function, const ptx::Instruction& instruction) {
  return FunctionPrinter(module, function).statement(instruction);
}

std::vector<std::string> initial_tokens(const ptx::Module& module, const ptx::Variable& variable) {
  const support::SourceFile source("", std::string(module.source->text().substr(
                                           variable.initial_begin, variable.initial_end - variable.initial_begin)));
  std::vector<std::string> tokens;
  ptx::Lexer lexer(source);
  for (ptx::Token token = lexer.next(); token.kind != ptx::Token::Kind::end; token = lexer.next()) {
    tokens.emplace_back(token.text);
  }
  return tokens;
}

}  // namespace warpspan::test
