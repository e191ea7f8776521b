// SPDX-License-Identifier: GPL-3.0-or-later
// The report of check as a table for other programs: a line for each limit, and for each result without one. Values and
// limits are in the unit of their line; a field without a value is empty.
#include "app/reports/check/check_findings.hpp"
#include "app/reports/check/check_formats.hpp"
#include "app/reports/csv.hpp"

namespace warpspan::app {

std::string to_csv(const CheckReport& report, const TextStyle&) {
  std::string out = csv_row(
      {"verdict", "file", "kernel", "launch", "quantity", "value", "limit", "unit", "limit_verdict", "limited_by"});
  for (const CheckResult& result : report.results) {
    const std::vector<std::string> head = {std::string(to_string(result.verdict)), result.file, result.kernel,
                                           result.label};
    const auto add = [&](const std::vector<std::string>& rest) {
      std::vector<std::string> row = head;
      row.insert(row.end(), rest.begin(), rest.end());
      out += csv_row(row);
    };
    if (result.limits.empty()) add({"", "", "", "", "", ""});
    for (const CheckedLimit& limit : result.limits) {
      add({std::string(to_string(limit.quantity)), csv_number(limit.value), std::to_string(limit.most),
           std::string(unit_of(limit.quantity)), std::string(to_string(limit.verdict)),
           limit.quantity == CheckedLimit::Quantity::makespan ? result.limited_by : ""});
    }
  }
  return out;
}

}  // namespace warpspan::app
