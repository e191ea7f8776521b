// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/frontend/ptx/module_names.hpp"

#include <algorithm>

namespace warpspan::test {

using ptx::none;

FunctionNames::FunctionNames(const ptx::Module& module, uint32_t function) : function_(module.functions[function]) {
  for (const ptx::Function& other : module.functions) distinct(other.name, false);
  for (uint32_t i = 0; i < module.variables.size(); ++i) {
    if (module.variables[i].function == none) variables_.emplace(i, distinct(module.variables[i].name, false));
  }
  uint32_t after_parameters = 0;  // a declaration before the definition has made variables, too
  for (const auto* parameters : {&function_.results, &function_.parameters}) {
    for (const ptx::Parameter& parameter : *parameters) {
      if (parameter.variable == none) continue;
      const std::string_view name = module.variables[parameter.variable].name;
      variables_.emplace(parameter.variable, name == "_" ? "_" : distinct(name, false));
      after_parameters = parameter.variable + 1;
    }
  }
  for (uint32_t i = after_parameters; i < module.variables.size() && function_.has_body; ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.function != function || variable.parameter != none) continue;
    variables_.emplace(i, distinct(variable.name, false));
    locals_.push_back(i);
  }
  for (const ptx::RegisterRange& range : function_.register_ranges) {
    ranges_.push_back(distinct(range.prefix.empty() ? "%sum" : range.prefix, range.numbered));
  }
  for (const ptx::Table& table : function_.tables) tables_.push_back(distinct(table.name, false));
  for (const ptx::Label& label : function_.labels) labels_.push_back(distinct(label.name, false));
}

std::string FunctionNames::distinct(std::string_view name, bool is_range) {
  std::string tried(name);
  for (int i = 2;; ++i) {
    const std::string stem = tried.substr(0, tried.find_last_not_of("0123456789") + 1);
    const bool clashes =
        names_.count(tried) != 0 || range_stems_.count(stem) != 0 || (is_range && stems_.count(stem) != 0);
    if (!clashes) {
      names_.insert(tried);
      stems_.insert(stem);
      if (is_range) range_stems_.insert(stem);
      return tried;
    }
    tried = std::string(name) + "$" + std::to_string(i) + "_";
  }
}

std::string FunctionNames::registers(const ptx::Operand& operand) const {
  const std::string one = one_register(operand.index);
  return operand.count > 1 ? one.substr(0, one.rfind('.')) : one;
}

std::string FunctionNames::one_register(uint32_t reg) const {
  const auto& ranges = function_.register_ranges;
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), reg,
                                      [](uint32_t id, const ptx::RegisterRange& range) { return id < range.first; });
  const auto range = std::prev(after);
  std::string text = ranges_[static_cast<size_t>(range - ranges.begin())];
  const uint32_t place = reg - range->first;
  if (range->numbered) text += std::to_string(place / range->vector_size);
  if (range->vector_size > 1) text += std::string(".") + "xyzw"[place % range->vector_size];
  return text;
}

}  // namespace warpspan::test
