// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/syntax/variable_contents.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace warpspan::ptx {

namespace {

constexpr int64_t largest_table = 1 << 20;  // bytes

bool is_global(const Variable& variable) { return variable.space == ir::MemorySpace::global; }

// Where addresses of variables go in one function, whichever path it takes.
class Addresses {
 public:
  Addresses(Module& module, const Function& function) : module_(module), function_(function) {}

  void follow() {
    if (!mentions_any()) return;
    users_.resize(function_.registers);
    for (uint32_t i = 0; i < function_.instructions.size(); ++i) {
      for_each_source(
          i, [&](uint32_t variable) { work_.emplace_back(variable, i); },
          [&](uint32_t reg) { users_[reg].push_back(i); });
    }
    while (!work_.empty()) {
      const auto [variable, instruction] = work_.back();
      work_.pop_back();
      use(variable, instruction);
    }
  }

 private:
  bool mentions_any() const {
    return std::any_of(function_.operands.begin(), function_.operands.end(), [this](const Operand& operand) {
      return operand.kind == Operand::Kind::variable && is_global(module_.variables[operand.index]);
    });
  }

  // Calls for each variable and each register that the operand contains.
  template <typename OfVariable, typename OfRegister>
  void visit(const Operand& operand, const OfVariable& of_variable, const OfRegister& of_register) const {
    switch (operand.kind) {
      case Operand::Kind::variable:
        if (is_global(module_.variables[operand.index])) of_variable(operand.index);
        break;
      case Operand::Kind::reg:
        for (uint32_t i = 0; i < std::max(operand.count, 1U); ++i) of_register(operand.index + i);
        break;
      case Operand::Kind::vector:
      case Operand::Kind::pair:
      case Operand::Kind::address:
      case Operand::Kind::list:
        for (uint32_t i = 0; i < operand.count; ++i) visit(function_.elements(operand)[i], of_variable, of_register);
        break;
      default: break;
    }
  }

  template <typename OfVariable, typename OfRegister>
  void for_each_source(uint32_t index, const OfVariable& of_variable, const OfRegister& of_register) const {
    const Instruction& instruction = function_.instructions[index];
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const Operand& operand = function_.begin(instruction)[i];
      if (operand.role != Role::write) visit(operand, of_variable, of_register);
    }
  }

  // A load takes the address no further, what computes takes it into its results, and all else may take it anywhere.
  void use(uint32_t variable, uint32_t index) {
    using enum ir::Computation;
    if (!seen_.insert({variable, index}).second) return;
    const Instruction& instruction = function_.instructions[index];
    const ir::Semantics& semantics = instruction.form->operation.semantics;
    const ir::Computation what = semantics.computation;
    if (what == load) return;
    const bool computes = what == unknown ? semantics.pure : what != store && what != allocate && what != call;
    if (!computes) {
      uint32_t& first = module_.variables[variable].stored_at;
      first = std::min(first, instruction.offset);
      return;
    }
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const Operand& operand = function_.begin(instruction)[i];
      if (operand.role != Role::write && operand.role != Role::read_write) continue;
      visit(
          operand, [](uint32_t) {},
          [&](uint32_t reg) {
            for (const uint32_t user : users_[reg]) work_.emplace_back(variable, user);
          });
    }
  }

  Module& module_;
  const Function& function_;
  std::vector<std::vector<uint32_t>> users_;  // of a register: the instructions that read it
  std::vector<std::pair<uint32_t, uint32_t>> work_;
  std::set<std::pair<uint32_t, uint32_t>> seen_;
};

// Calls use(token) for each token of a variable's initialiser.
template <typename Use>
void for_each_token(const Module& module, const Variable& variable, const Use& use) {
  const std::string_view text =
      module.source->text().substr(variable.initial_begin, variable.initial_end - variable.initial_begin);
  const support::SourceFile source("", std::string(text));
  Lexer lexer(source);
  for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) use(token);
}

// An address that a variable starts with is in memory.
void find_initial_addresses(Module& module, const std::vector<Token>& names) {
  if (names.empty()) return;
  std::map<std::string_view, uint32_t> variables;
  for (uint32_t i = 0; i < module.variables.size(); ++i) {
    if (is_global(module.variables[i])) variables.emplace(module.variables[i].name, i);
  }
  for (const Token& name : names) {
    const auto known = variables.find(name.text);
    if (known == variables.end()) continue;
    uint32_t& first = module.variables[known->second].stored_at;
    first = std::min(first, name.offset);
  }
}

// The bits of an element that a token writes.
std::optional<uint64_t> element_bits(const Token& token, Type type) {
  if (is_integer(type)) return token.kind == Token::Kind::integer ? std::optional(token.bits) : std::nullopt;
  const bool is_written_as_bits = token.kind == Token::Kind::floating && token.text.size() > 2 &&
                                  token.text[0] == '0' &&
                                  std::string_view("fFdD").find(token.text[1]) != std::string_view::npos;
  if (!is_written_as_bits) return std::nullopt;
  if (type == Type::f64) return token.bits;
  const auto value = std::bit_cast<double>(token.bits);
  if (type != Type::f32 || std::isnan(value)) return std::nullopt;
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

}  // namespace

void find_stores(Module& module, const std::vector<Token>& initial_names) {
  if (std::none_of(module.variables.begin(), module.variables.end(), is_global)) return;
  for (const Function& function : module.functions) Addresses(module, function).follow();
  find_initial_addresses(module, initial_names);
}

std::optional<uint32_t> find_variable(const Module& module, std::string_view name) {
  std::optional<uint32_t> found;
  for (uint32_t i = 0; i < module.variables.size(); ++i) {
    const Variable& variable = module.variables[i];
    const bool has_space = is_global(variable) || variable.space == ir::MemorySpace::constant;
    if (!has_space || variable.name != name) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::optional<std::vector<uint8_t>> initial_bytes(const Module& module, const Variable& variable) {
  const int width = bits(variable.type) / 8;
  const bool has_width = width == 1 || width == 2 || width == 4 || width == 8;
  if (variable.initial_begin == variable.initial_end || !has_width) return std::nullopt;
  if (variable.bytes < width || variable.bytes > largest_table) return std::nullopt;
  std::vector<uint8_t> bytes;
  // [{] [-] number {, [-] number} [}]
  bool is_list = false;
  bool is_plain = true;
  bool is_negative = false;
  bool is_number_next = true;
  bool is_ended = false;
  for_each_token(module, variable, [&](const Token& token) {
    if (!is_plain) return;
    const bool is_first = bytes.empty() && !is_negative;
    if (is_ended) {
      is_plain = false;
    } else if (token.is('{') && is_first && !is_list) {
      is_list = true;
    } else if (token.is('}') && is_list && !is_number_next) {
      is_ended = true;
    } else if (token.is(',') && is_list && !is_number_next) {
      is_number_next = true;
    } else if (token.is('-') && is_number_next && !is_negative && is_integer(variable.type)) {
      is_negative = true;
    } else {
      const auto written = is_number_next ? element_bits(token, variable.type) : std::nullopt;
      is_plain = written.has_value() && static_cast<int64_t>(bytes.size()) + width <= variable.bytes;
      if (!is_plain) return;
      const uint64_t value = is_negative ? 0 - *written : *written;
      for (int i = 0; i < width; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
      is_negative = is_number_next = false;
    }
  });
  if (!is_plain || is_number_next || is_list != is_ended) return std::nullopt;
  bytes.resize(static_cast<size_t>(variable.bytes));  // PTX ISA, "Initializers": what is left out is zero
  return bytes;
}

}  // namespace warpspan::ptx
