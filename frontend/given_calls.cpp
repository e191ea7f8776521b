#include "frontend/given_calls.hpp"

#include <algorithm>
#include <set>

#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;

Diagnostic about(const ir::CallCost& cost, const std::string& message, std::string help) {
  Diagnostic error = support::usage_error(message, std::move(help));
  if (cost.origin.is_file()) {
    error.location = cost.origin.location;
    error.source_line = cost.origin.line;
  } else {
    error.message = cost.origin.option + ": " + message;
  }
  return error;
}

const ir::CallCost* cost_of(const ptx::Function& function, const ir::Launch& launch) {
  const std::string name(function.name);
  const auto names = [&name](const ir::CallCost& cost) { return support::names_symbol(cost.function, name); };
  const auto found = std::find_if(launch.call_costs.begin(), launch.call_costs.end(), names);
  return found == launch.call_costs.end() ? nullptr : &*found;
}

std::string sentence(const std::string& name, const ir::CallCost& cost) {
  return "One call of '" + name + "' by a warp, of all its lanes that come to it together, takes at most " + cost.text +
         " whatever else runs, with all that it asks for; it comes back to these lanes together, keeps nobody waiting "
         "after its end, and writes no variable of the file whose address it is not given (" +
         ir::to_string(cost.origin) + ").";
}

template <typename Visit>
void for_each_outside(const ptx::Function& expanded, const Visit& visit) {
  for (const ptx::OutsideFunction& function : expanded.outside) visit(function);
  for (const ptx::Function& body : expanded.shared) {
    for (const ptx::OutsideFunction& function : body.outside) visit(function);
  }
}

}  // namespace

support::Result<ptx::CallFacts> call_facts(const ptx::Module& module, const ir::Launch& launch) {
  ptx::CallFacts facts;
  support::Diagnostics errors;
  for (const ir::CallCost& cost : launch.call_costs) {
    for (uint32_t i = 0; i < module.functions.size(); ++i) {
      const ptx::Function& function = module.functions[i];
      const std::string name(function.name);
      if (function.is_entry || function.has_body || !support::names_symbol(cost.function, name)) continue;
      const auto [known, fresh] = facts.times.emplace(i, cost.time);
      if (fresh || known->second == cost.time) continue;
      errors.push_back(about(
          cost, "a call of '" + name + "' is given two times: " + cost_of(function, launch)->text + " and " + cost.text,
          "leave one of them out"));
    }
  }
  if (!errors.empty()) return errors;
  return facts;
}

std::vector<std::string> call_assumptions(const ptx::Module& module, const ptx::Function& expanded,
                                          const ir::Launch& launch) {
  std::vector<std::string> assumptions;
  std::set<uint32_t> known;
  for_each_outside(expanded, [&](const ptx::OutsideFunction& outside) {
    const ptx::Function& function = module.functions[outside.function];
    const ir::CallCost* cost = cost_of(function, launch);
    if (cost == nullptr || !known.insert(outside.function).second) return;
    assumptions.push_back(sentence(std::string(function.name), *cost));
  });
  return assumptions;
}

std::optional<std::string> pointer_assumption(const ptx::Module& module, const ptx::Function& expanded) {
  std::set<std::string> names;
  const auto add = [&](const ptx::Function& body) {
    for (const uint32_t function : body.pointed) names.insert("'" + std::string(module.functions[function].name) + "'");
  };
  add(expanded);
  for (const ptx::Function& body : expanded.shared) add(body);
  if (names.empty()) return std::nullopt;
  return "The kernel calls by their addresses only functions whose addresses this file takes, with the parameters and "
         "results of the call: " +
         support::enumeration({names.begin(), names.end()}) + ".";
}

bool lacks_times(const ptx::Function& expanded) {
  bool lacks = false;
  for_each_outside(expanded, [&lacks](const ptx::OutsideFunction& function) { lacks = lacks || !function.time; });
  return lacks;
}

}  // namespace warpspan::frontend
