// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/given_variables.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/ptx/syntax/variable_contents.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;

constexpr size_t most_names = 8;  // in a message

bool is_of_file(const ptx::Variable& variable) {
  return variable.space == ir::MemorySpace::global || variable.space == ir::MemorySpace::constant;
}

// Compilers name strings so that no user can mean them.
bool has_own_name(const ptx::Variable& variable) { return !variable.name.starts_with("$"); }

std::vector<std::string> names_of(const ptx::Module& module) {
  std::vector<std::string> names;
  for (const ptx::Variable& variable : module.variables) {
    if (is_of_file(variable) && has_own_name(variable)) names.emplace_back(variable.name);
  }
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  if (names.empty()) return "the file has no variables in global or constant memory";
  std::string text = "its variables are ";
  for (size_t i = 0; i < names.size() && i < most_names; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > most_names ? " and " + std::to_string(names.size() - most_names) + " more" : "");
}

Diagnostic at_origin(const ir::Origin& origin, std::string message, std::string help) {
  Diagnostic error =
      support::usage_error(origin.is_file() ? std::move(message) : origin.giver + ": " + message, std::move(help));
  if (!origin.is_file()) return error;
  error.location = origin.location;
  error.source_line = origin.line;
  return error;
}

std::optional<Diagnostic> name_global(const ptx::Module& module, ir::Argument& given) {
  const std::vector<std::string> names = names_of(module);
  const std::string& wanted = given.parameter;
  std::set<std::string> found;
  for (const std::string& name : names) {
    if (name == wanted) found = {name};
    if (name == wanted) break;
    if (wanted.find('*') == std::string::npos && support::names_symbol(wanted, name)) found.insert(name);
  }
  const std::string where = " in " + module.source->name();
  if (found.empty()) {
    const std::string meant = support::nearest_symbol(wanted, names);
    return at_origin(given.origin, "no variable is called '" + wanted + "'" + where,
                     (meant.empty() ? "" : "did you mean '" + meant + "'? ") + list_of(names));
  }
  const auto index = found.size() == 1 ? ptx::find_variable(module, *found.begin()) : std::nullopt;
  if (!index) {
    std::string all;
    for (const std::string& name : found) all += (all.empty() ? "" : ", ") + name;
    return at_origin(given.origin, "several variables are called '" + wanted + "'" + where, "write one of " + all);
  }
  const ptx::Variable& variable = module.variables[*index];
  if (variable.stored_at != ptx::none) {
    const auto line = module.source->locate(variable.stored_at).line;
    return at_origin(given.origin,
                     "what variable '" + wanted + "' holds may change: line " + std::to_string(line) + where +
                         " stores to it, or passes its address on",
                     "leave it out, and bound the loops that depend on it with {loop_bound}");
  }
  given.parameter = *found.begin();
  return std::nullopt;
}

}  // namespace

support::Diagnostics name_globals(const ptx::Module& module, ir::Launch& launch) {
  support::Diagnostics errors;
  for (ir::Argument& given : launch.globals) {
    if (auto error = name_global(module, given)) errors.push_back(std::move(*error));
  }
  return errors;
}

void add_initial_bytes(const ptx::Module& module, ir::Program& program) {
  for (ir::Variable& variable : program.variables) {
    if (!ir::is_of_file(variable) || !variable.is_never_stored) continue;
    const auto index = ptx::find_variable(module, variable.name);
    const auto bytes = index ? ptx::initial_bytes(module, module.variables[*index]) : std::nullopt;
    if (bytes) variable.initial = *bytes;
  }
}

}  // namespace warpspan::frontend
