// What the exit status says. Scripts rely on it: never 0 after an error.
#pragma once

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

}  // namespace warpspan::app
