#include "app/requests/call_cost_uses.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

// What the kernels that a cost may be for call without a body.
std::set<std::string> called(const ir::CallCost& cost, const std::vector<KernelFile>& files) {
  std::set<std::string> names;
  for (const KernelFile& file : files) {
    for (const ir::KernelCode& code : file.codes) {
      if (!cost.kernel.empty() && !support::names_symbol(cost.kernel, code.name)) continue;
      names.insert(code.external_functions.begin(), code.external_functions.end());
    }
  }
  return names;
}

support::Diagnostic called_by_none(const ir::CallCost& cost, const std::set<std::string>& names) {
  const std::vector<std::string> list(names.begin(), names.end());
  support::Diagnostic error =
      support::usage_error("no kernel calls a function '" + cost.function + "' that has no body",
                           list.empty() ? "leave its time out" : "without a body are " + support::enumeration(list));
  if (cost.origin.is_file()) {
    error.location = cost.origin.location;
    error.source_line = cost.origin.line;
    error.severity = support::Severity::warning;
  } else {
    error.message = cost.origin.option + ": " + error.message;
  }
  return error;
}

}  // namespace

void judge_call_costs(const std::vector<ir::CallCost>& costs, std::vector<KernelFile>& files) {
  const auto is_unread = [](const KernelFile& file) { return file.names.empty() || file.codes.empty(); };
  if (std::any_of(files.begin(), files.end(), is_unread)) return;
  for (const ir::CallCost& cost : costs) {
    const std::set<std::string> names = called(cost, files);
    const auto is_named = [&cost](const std::string& name) { return support::names_symbol(cost.function, name); };
    if (std::any_of(names.begin(), names.end(), is_named)) continue;
    if (!cost.origin.is_file()) {
      for (KernelFile& file : files) file.kernels.clear();
    }
    files.front().errors.add({called_by_none(cost, names)});
  }
}

}  // namespace warpspan::app
