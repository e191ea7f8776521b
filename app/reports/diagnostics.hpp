// SPDX-License-Identifier: GPL-3.0-or-later
// Which errors are the same, and which are errors at all.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "support/diagnostic.hpp"

namespace warpspan::app {

// Not a warning or a note.
bool is_error(const support::Diagnostic& diagnostic);
bool has_error(const support::Diagnostics& diagnostics);

// Severity, file, line, column and message: two with the same key tell the same, and one of them is shown.
using DiagnosticKey = std::tuple<support::Severity, std::string, int64_t, int64_t, std::string>;
DiagnosticKey key_of(const support::Diagnostic& diagnostic);

// Whether one of them tells the same.
bool has_same(const support::Diagnostics& all, const support::Diagnostic& diagnostic);

}  // namespace warpspan::app
