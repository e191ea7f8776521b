// What 'warpspan check' has found: the one object that all its formats are made from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/exit_status.hpp"
#include "app/reports/run_record.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// What became of one budget for one kernel, or of one of its limits. Only `pass` is a success.
enum class Verdict : uint8_t {
  pass,
  over,       // above the limit
  slower,     // expected to take longer than it is to, by more than the tolerance
  fell,       // below the limit by more than --ratchet allows: the budgets no longer say what is true
  unbounded,  // not known: the kernel could not be read or bounded, or no log tells its registers. `errors` say why
  missing,    // the entry names no kernel of its files
  unused,     // no entry is for the kernel (--fail-on-unused)
};

// "pass", "over", ...
std::string_view to_string(Verdict verdict);
bool misses(Verdict verdict);  // a limit that is known: over, slower or fell

// One thing that a budget limits.
struct CheckedLimit {
  enum class Quantity : uint8_t { makespan, expected, registers, spill, stack, shared };
  Quantity quantity = Quantity::makespan;
  std::optional<int64_t> value;  // cycles, registers of a thread, bytes; nothing if it is not known
  int64_t most = 0;              // in the same unit: of a time, the cycles that end within it, and the tolerance
  std::string text;              // as the entry writes it: "80 us", "12000 cycles", "128"
  Verdict verdict = Verdict::unbounded;
  std::string tolerance = {};  // of an expected time: "5%"
};

std::string_view to_string(CheckedLimit::Quantity quantity);  // "makespan", "registers", ...
std::string_view unit_of(CheckedLimit::Quantity quantity);    // "cycles", "registers", "bytes"
bool is_time(const CheckedLimit& limit);                      // the makespan, or the expected time

// One entry for one kernel under one launch; of an entry that names none, one result without a kernel.
struct CheckResult {
  std::string file;            // the input; empty if there is none
  std::string kernel;          // as the file names it; of `missing`, as the entry names it
  std::string label;           // tells the launches of a kernel apart where an entry has several names or launches
  support::Location entry;     // in the budgets file
  support::Location location;  // of the kernel in the input; line 0 if it is not known
  std::vector<CheckedLimit> limits;  // in the order of CheckedLimit::Quantity
  Verdict verdict =
      Verdict::unbounded;  // the worst of the limits', in the order over, slower, unbounded, fell, pass; or its own
  std::optional<KernelReport> report;  // of a kernel that was bounded
  support::Diagnostics errors;         // why there is no value
  std::string limited_by;              // the largest part of the bound: "waiting for memory"
};

struct CheckReport {
  std::string budgets;               // the file
  std::vector<CheckResult> results;  // in the order of the entries, files and kernels
  support::Diagnostics
      errors;          // all that keep the gate from passing, but `over`, `slower` and `fell`: those of results too
  RunRecord run = {};  // check_budgets knows no command, no arguments and no budgets file
};

// Whether there is a result, all of them pass, and there is no error.
bool passes(const CheckReport& report);

// That of the check, if the report can be written: "done" only where it passes.
ExitStatus status_of(const CheckReport& report);

}  // namespace warpspan::app
