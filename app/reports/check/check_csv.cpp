// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check as a table for other programs: a line for each limit, and for each failure that is about none.
// Values and limits are in the unit of their line; a field without a value is empty.
#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/csv.hpp"

namespace warpspan::app {

std::string to_csv(const CheckReport& report, const TextStyle&) {
  const Findings found = findings(report);
  std::string out = csv_row({"verdict", "file", "kernel", "launch", "quantity", "value", "limit", "unit",
                             "limit_verdict", "limited_by", "message"});
  const auto message_of = [&](const CheckedLimit& limit) {
    for (const Finding& one : found.failures) {
      if (one.limit == &limit) return one.message;
    }
    return std::string();
  };
  const auto add = [&](const CheckResult* result, const std::vector<std::string>& rest) {
    std::vector<std::string> row = {"not_checked", "", "", ""};
    if (result != nullptr) row = {std::string(to_string(result->verdict)), result->file, result->kernel, result->label};
    row.insert(row.end(), rest.begin(), rest.end());
    out += csv_row(row);
  };
  const auto add_failures = [&](const CheckResult* result) {
    for (const Finding& one : found.failures) {
      if (one.result == result && one.limit == nullptr) add(result, {"", "", "", "", "", "", one.message});
    }
  };
  for (const CheckResult& result : report.results) {
    for (const CheckedLimit& limit : result.limits) {
      add(&result, {std::string(to_string(limit.quantity)), csv_number(limit.value), std::to_string(limit.most),
                    std::string(unit_of(limit.quantity)), std::string(to_string(limit.verdict)),
                    limit.quantity == CheckedLimit::Quantity::makespan ? result.limited_by : "", message_of(limit)});
    }
    add_failures(&result);
  }
  add_failures(nullptr);
  return out;
}

}  // namespace warpspan::app
