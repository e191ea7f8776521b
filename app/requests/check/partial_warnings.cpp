#include "app/requests/check/partial_warnings.hpp"

#include <algorithm>

#include "app/reports/diagnostics.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

bool is_warning(const Diagnostic& one) { return one.severity == support::Severity::warning; }

std::set<DiagnosticKey> warnings_of(const CheckResult& result) {
  std::set<DiagnosticKey> warnings;
  for (const Diagnostic& one : result.errors) {
    if (is_warning(one)) warnings.insert(key_of(one));
  }
  return warnings;
}

class Warnings {
 public:
  explicit Warnings(const Checked& checked) : checked_(checked) {
    for (const CheckResult& result : checked.report.results) own_.push_back(warnings_of(result));
  }

  // Whether all results that the place of the warning concerns give it. i: of a result that does.
  bool is_general(const Diagnostic& warning, size_t i) const {
    for (size_t k = 0; k < own_.size(); ++k) {
      if (concerns(warning, i, k) && own_[k].count(key_of(warning)) == 0) return false;
    }
    return true;
  }

 private:
  bool concerns(const Diagnostic& warning, size_t i, size_t k) const {
    const Budget* budget = checked_.budgets[k];
    if (budget == nullptr || checked_.report.results[k].location.line == 0) return false;
    const bool in_facts = warning.location.file == budget->facts;
    const bool in_budget = warning.location.file == budget->at.file && budget == checked_.budgets[i];
    return in_facts || in_budget;
  }

  const Checked& checked_;
  std::vector<std::set<DiagnosticKey>> own_;
};

}  // namespace

void drop_partial_warnings(Checked& checked) {
  const Warnings warnings(checked);
  std::vector<CheckResult>& results = checked.report.results;
  for (size_t i = 0; i < results.size(); ++i) {
    std::erase_if(results[i].errors,
                  [&](const Diagnostic& one) { return is_warning(one) && !warnings.is_general(one, i); });
  }
}

}  // namespace warpspan::app
