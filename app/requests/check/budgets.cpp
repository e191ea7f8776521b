// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/check/budgets.hpp"

#include <algorithm>

namespace warpspan::app {

bool Budget::has_limit() const {
  return time || expected || std::any_of(most.begin(), most.end(), [](const auto& limit) { return limit.has_value(); });
}

support::Diagnostic at_budget(const Budget& budget, std::string message, std::string help) {
  support::Diagnostic error = support::usage_error(std::move(message), std::move(help));
  error.location = budget.at;
  error.source_line = budget.line;
  return error;
}

std::string place_text(const support::Location& at) { return at.file + ":" + std::to_string(at.line); }

}  // namespace warpspan::app
