// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/check/partial_warnings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace warpspan::app {

namespace {

using support::Diagnostic;

bool is_warning(const Diagnostic& one) { return one.severity == support::Severity::warning; }

// What is stated at one place is one thing, whichever kernel is named in the message.
using Place = std::tuple<std::string, int64_t, int64_t>;

Place place_of(const Diagnostic& one) { return {one.location.file, one.location.line, one.location.column}; }

// Whether something that is stated of the launch stands there: of an entry, of [defaults] for all that take it.
bool claims(const ir::Launch& launch, const support::Location& place) {
  bool found = false;
  ir::for_each_list(launch, [&](const auto& facts) {
    for (const auto& fact : facts) {
      const support::Location& own = fact.origin.location;
      found = found ||
              (fact.origin.is_file() && own.file == place.file && own.line == place.line && own.column == place.column);
    }
  });
  return found;
}

// The entry says of its kernels what is true of none.
void refuse(CheckResult& result) {
  result.report.reset();
  result.limited_by.clear();
  for (CheckedLimit& limit : result.limits) {
    if (!is_time(limit)) continue;
    limit.value.reset();
    limit.verdict = Verdict::unbounded;
  }
  const auto is_over = [](const CheckedLimit& limit) { return limit.verdict == Verdict::over; };
  result.verdict =
      std::any_of(result.limits.begin(), result.limits.end(), is_over) ? Verdict::over : Verdict::unbounded;
}

class Warnings {
 public:
  explicit Warnings(const Checked& checked) : checked_(checked) {
    for (const CheckResult& result : checked.report.results) {
      own_.emplace_back();
      for (const Diagnostic& one : result.errors) {
        if (!is_warning(one)) continue;
        own_.back().insert(place_of(one));
        all_[place_of(one)].emplace(one.message, one);
      }
    }
  }

  // Whether all results that the place of the warning concerns give it.
  bool is_general(const Diagnostic& warning) const {
    for (size_t k = 0; k < own_.size(); ++k) {
      if (concerns(warning, k) && own_[k].count(place_of(warning)) == 0) return false;
    }
    return true;
  }

  // The warning as an error: the same one for all kernels that give it.
  Diagnostic as_error(const Diagnostic& warning) const {
    const auto& same = all_.at(place_of(warning));
    Diagnostic error = same.begin()->second;
    error.severity = support::Severity::error;
    if (same.size() > 1) error.message += ", nor has any other kernel that this is for";
    return error;
  }

 private:
  // Only kernels whose time is limited: nothing else rests on facts.
  bool concerns(const Diagnostic& warning, size_t k) const {
    const Budget* budget = checked_.budgets[k];
    const CheckResult& result = checked_.report.results[k];
    if (budget == nullptr || result.location.line == 0) return false;
    if (std::none_of(result.limits.begin(), result.limits.end(), is_time)) return false;
    return warning.location.file == budget->facts || claims(budget->launch, warning.location);
  }

  const Checked& checked_;
  std::vector<std::set<Place>> own_;                        // by result
  std::map<Place, std::map<std::string, Diagnostic>> all_;  // by message
};

}  // namespace

void check_warnings(Checked& checked) {
  const Warnings warnings(checked);
  for (size_t i = 0; i < checked.report.results.size(); ++i) {
    CheckResult& result = checked.report.results[i];
    std::erase_if(result.errors, [&](const Diagnostic& one) { return is_warning(one) && !warnings.is_general(one); });
    const Budget* budget = checked.budgets[i];
    if (budget == nullptr) continue;
    bool is_refused = false;
    for (Diagnostic& one : result.errors) {
      if (!is_warning(one) || !claims(budget->launch, one.location)) continue;
      one = warnings.as_error(one);
      is_refused = true;
    }
    if (is_refused) refuse(result);
  }
}

}  // namespace warpspan::app
