// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/given_calls.hpp"

#include <algorithm>
#include <set>

#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;

Diagnostic about(const ir::Origin& origin, const std::string& message, std::string help) {
  Diagnostic error = support::usage_error(message, std::move(help));
  if (origin.is_file()) {
    error.location = origin.location;
    error.source_line = origin.line;
  } else {
    error.message = origin.giver + ": " + message;
  }
  return error;
}

// The first fact for a function; null if there is none.
template <typename Fact>
const Fact* fact_of(const std::string& name, const std::vector<Fact>& facts) {
  const auto names = [&name](const Fact& fact) { return support::names_symbol(fact.function, name); };
  const auto found = std::find_if(facts.begin(), facts.end(), names);
  return found == facts.end() ? nullptr : &*found;
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

support::Result<std::map<std::string, ir::CallTime>> call_times(const std::vector<std::string>& functions,
                                                                const ir::Launch& launch) {
  std::map<std::string, ir::CallTime> times;
  support::Diagnostics errors;
  for (const ir::CallCost& cost : launch.call_costs) {
    for (const std::string& name : functions) {
      if (!support::names_symbol(cost.function, name)) continue;
      const auto [known, fresh] = times.emplace(name, cost.time);
      if (fresh || known->second == cost.time) continue;
      errors.push_back(about(cost.origin,
                             "a call of '" + name + "' is given two times: " + fact_of(name, launch.call_costs)->text +
                                 " and " + cost.text,
                             "leave one of them out"));
    }
  }
  if (!errors.empty()) return errors;
  return times;
}

support::Result<ptx::CallFacts> call_facts(const ptx::Module& module, const ir::Launch& launch) {
  std::map<std::string, uint32_t> outside;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < module.functions.size(); ++i) {
    const ptx::Function& function = module.functions[i];
    if (function.is_entry || function.has_body) continue;
    names.emplace_back(function.name);
    outside.emplace(function.name, i);
  }
  const auto times = call_times(names, launch);
  if (!times) return times.errors();
  ptx::CallFacts facts;
  for (const auto& [name, time] : *times) facts.times.emplace(outside.at(name), time);
  return facts;
}

support::Result<ptx::Depths> depths_of(const ptx::Module& module, const ir::Launch& launch) {
  ptx::Depths depths;
  support::Diagnostics errors;
  for (const ir::Recursion& recursion : launch.recursions) {
    for (uint32_t i = 0; i < module.functions.size(); ++i) {
      const std::string name(module.functions[i].name);
      if (!module.functions[i].has_body || !support::names_symbol(recursion.function, name)) continue;
      const auto [known, fresh] = depths.emplace(i, recursion.depth);
      if (fresh || known->second == recursion.depth) continue;
      errors.push_back(about(recursion.origin,
                             "'" + name + "' is given two depths: " + std::to_string(known->second) + " and " +
                                 std::to_string(recursion.depth),
                             "leave one of them out"));
    }
  }
  if (!errors.empty()) return errors;
  return depths;
}

std::vector<std::string> recursion_assumptions(const ptx::Module& module, const ptx::Function& entry,
                                               const ir::Launch& launch) {
  std::vector<std::string> assumptions;
  for (const ptx::RecursiveFunction& recursive : ptx::recursive_functions(module, entry, {})) {
    const ptx::Function& function = module.functions[recursive.function];
    const ir::Recursion* recursion = fact_of(std::string(function.name), launch.recursions);
    if (recursion == nullptr) continue;
    const bool is_one = recursion->depth == 1;
    assumptions.push_back("At most " + std::to_string(recursion->depth) + (is_one ? " activation" : " activations") +
                          " of '" + std::string(function.name) + (is_one ? "' is" : "' are") +
                          " on a thread's stack at the same time, and the stack has room for them (" +
                          ir::to_string(recursion->origin) + ").");
  }
  return assumptions;
}

std::vector<std::string> call_assumptions(const std::vector<std::string>& functions, const ir::Launch& launch) {
  std::vector<std::string> assumptions;
  for (const std::string& name : functions) {
    const ir::CallCost* cost = fact_of(name, launch.call_costs);
    if (cost != nullptr) assumptions.push_back(sentence(name, *cost));
  }
  return assumptions;
}

std::vector<std::string> outside_functions(const ptx::Module& module, const ptx::Function& expanded) {
  std::vector<std::string> names;
  std::set<uint32_t> known;
  for_each_outside(expanded, [&](const ptx::OutsideFunction& outside) {
    if (known.insert(outside.function).second) names.emplace_back(module.functions[outside.function].name);
  });
  return names;
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
