// SPDX-License-Identifier: GPL-3.0-or-later
// What the exit status says. Scripts rely on it: never 0 after an error.
#pragma once

#include <string_view>

#include "support/diagnostic.hpp"

namespace warpspan::app {

enum class ExitStatus : int {
  done = 0,            // everything that was asked for is in the report
  over_budget = 1,     // a bound exceeds its budget, or a regression was found
  wrong_use = 2,       // a wrong option, a file that cannot be read or written, an unknown machine
  not_bounded = 3,     // something could not be bounded: its error says why
  internal_error = 4,  // a defect of warpspan
  interrupted = 130,   // by Ctrl-C, before what was asked for was complete
};

// For helps.
inline constexpr const char* exit_statuses =
    "Exit status: 0 done, 1 over budget or regression, 2 wrong use, 3 something could not be bounded, 4 a defect of\n"
    "warpspan, 130 ended by Ctrl-C before there was an answer.\n";

// The "status" of a document.
constexpr std::string_view to_string(ExitStatus status) {
  switch (status) {
    case ExitStatus::done: return "done";
    case ExitStatus::over_budget: return "over-budget";
    case ExitStatus::wrong_use: return "wrong-use";
    case ExitStatus::not_bounded: return "not-bounded";
    case ExitStatus::internal_error: return "internal-error";
    case ExitStatus::interrupted: return "interrupted";
  }
  return "internal-error";
}

// The status for the errors of a run; warnings and notes do not count. With errors of several causes a defect of ours
// comes first, then what could not be bounded, then wrong use: the status says the most that has to be known about the
// input.
inline ExitStatus exit_status(const support::Diagnostics& diagnostics) {
  ExitStatus status = ExitStatus::done;
  for (const support::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != support::Severity::error) continue;
    ExitStatus own = ExitStatus::internal_error;
    if (diagnostic.cause == support::Cause::usage) own = ExitStatus::wrong_use;
    if (diagnostic.cause == support::Cause::input) own = ExitStatus::not_bounded;
    if (static_cast<int>(own) > static_cast<int>(status)) status = own;
  }
  return status;
}

// The same of a run that also finds what is over its budget, or has regressed.
inline ExitStatus exit_status(const support::Diagnostics& diagnostics, bool over_budget) {
  const ExitStatus status = exit_status(diagnostics);
  return status == ExitStatus::done && over_budget ? ExitStatus::over_budget : status;
}

}  // namespace warpspan::app
