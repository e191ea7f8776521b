#include "app/requests/kernels/function_uses.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

std::vector<std::string> functions_of(const ir::KernelCode& code, const ir::CallCost&) {
  return code.external_functions;
}

std::vector<std::string> functions_of(const ir::KernelCode& code, const ir::Recursion&) {
  std::vector<std::string> names;
  for (const ir::RecursiveFunction& function : code.recursive_functions) names.push_back(function.name);
  return names;
}

support::Diagnostic unused(const ir::CallCost& cost, const std::vector<std::string>& names) {
  return support::usage_error(
      "no kernel calls a function '" + cost.function + "' that has no body",
      names.empty() ? "leave its time out" : "without a body are " + support::enumeration(names));
}

support::Diagnostic unused(const ir::Recursion& recursion, const std::vector<std::string>& names) {
  return support::usage_error("no kernel calls a function '" + recursion.function + "' recursively",
                              names.empty() ? "leave its depth out" : "recursive are " + support::enumeration(names));
}

// What the kernels that a fact may be for call.
template <typename Fact>
std::set<std::string> functions_for(const Fact& fact, const std::vector<KernelFile>& files) {
  std::set<std::string> names;
  for (const KernelFile& file : files) {
    for (const ir::KernelCode& code : file.codes) {
      if (!fact.kernel.empty() && !support::names_symbol(fact.kernel, code.name)) continue;
      const std::vector<std::string> own = functions_of(code, fact);
      names.insert(own.begin(), own.end());
    }
  }
  return names;
}

template <typename Fact>
void judge(const std::vector<Fact>& facts, std::vector<KernelFile>& files) {
  const auto is_unread = [](const KernelFile& file) { return file.names.empty() || file.codes.empty(); };
  if (std::any_of(files.begin(), files.end(), is_unread)) return;
  for (const Fact& fact : facts) {
    const std::set<std::string> names = functions_for(fact, files);
    const auto is_named = [&fact](const std::string& name) { return support::names_symbol(fact.function, name); };
    if (std::any_of(names.begin(), names.end(), is_named)) continue;
    support::Diagnostic error = unused(fact, {names.begin(), names.end()});
    if (fact.origin.is_file()) {
      error.location = fact.origin.location;
      error.source_line = fact.origin.line;
      error.severity = support::Severity::warning;
    } else {
      error.message = fact.origin.option + ": " + error.message;
      for (KernelFile& file : files) file.kernels.clear();
    }
    files.front().errors.add({std::move(error)});
  }
}

}  // namespace

void judge_call_costs(const std::vector<ir::CallCost>& costs, std::vector<KernelFile>& files) { judge(costs, files); }

void judge_recursions(const std::vector<ir::Recursion>& recursions, std::vector<KernelFile>& files) {
  judge(recursions, files);
}

}  // namespace warpspan::app
