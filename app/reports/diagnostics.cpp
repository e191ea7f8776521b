// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/diagnostics.hpp"

#include <algorithm>

namespace warpspan::app {

bool is_error(const support::Diagnostic& diagnostic) { return diagnostic.severity == support::Severity::error; }

bool has_error(const support::Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), is_error);
}

DiagnosticKey key_of(const support::Diagnostic& diagnostic) {
  const support::Location& at = diagnostic.location;
  return {diagnostic.severity, at.file, at.line, at.column, diagnostic.message};
}

bool has_same(const support::Diagnostics& all, const support::Diagnostic& diagnostic) {
  const DiagnosticKey key = key_of(diagnostic);
  return std::any_of(all.begin(), all.end(), [&key](const auto& one) { return key_of(one) == key; });
}

}  // namespace warpspan::app
