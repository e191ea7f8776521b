// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan check' has found: the one object that all its formats are made from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/kept/kept.hpp"
#include "app/reports/analyze/analyze_report.hpp"
#include "app/reports/compare/compare_report.hpp"
#include "app/reports/exit_status.hpp"
#include "app/reports/run_record.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// What became of one budget for one kernel, or of one of its limits. Only `pass` is a success.
enum class Verdict : uint8_t {
  pass,
  over,       // above the limit
  slower,     // expected to take longer than it is to, by more than the tolerance
  grew,       // above the baseline by more than --fail-on-growth allows
  fell,       // below the limit by more than --ratchet allows: the budgets no longer say what is true
  unbounded,  // not known: the kernel could not be read or bounded, or no log tells its registers. `errors` say why
  missing,    // the entry names no kernel of its files
  unused,     // no entry is for the kernel (--fail-on-unused)
};

// "pass", "over", ...
std::string_view to_string(Verdict verdict);
bool misses(Verdict verdict);  // a limit that is known: over, slower, grew or fell

// One thing that a budget limits.
struct CheckedLimit {
  enum class Quantity : uint8_t { makespan, expected, registers, spill, stack, shared, constant, usual };
  Quantity quantity = Quantity::makespan;
  std::optional<int64_t> value;  // cycles, registers of a thread, bytes; nothing if it is not known
  int64_t most = 0;              // in the same unit: of a time, the cycles that end within it, and the tolerance
  std::string text;              // as the entry writes it: "80 us", "12000 cycles", "128"
  Verdict verdict = Verdict::unbounded;
  std::string tolerance = {};   // of an expected time, or of what may be added to the baseline: "5%"
  bool since_baseline = false;  // `text` is what the baseline has, not the entry
};

inline constexpr size_t quantities = 7;  // of CheckedLimit::Quantity but `usual`, which only a baseline limits

// What became of a result since the baseline.
struct SinceBaseline {
  struct Figure {
    std::string name;  // as of CheckedLimit::Quantity, or "usual": the bound with what is usual
    std::string unit;
    int64_t before = 0, after = 0;
  };
  std::vector<Figure> figures;  // those that both sides have
  // The lines, or instructions that have none, whose cycles changed; what grew most first.
  std::vector<LineChange> bound, expected;
  std::string unknown = {};  // why nothing of this can be told; empty: it can
};

std::string_view to_string(CheckedLimit::Quantity quantity);  // "makespan", "registers", ...
std::string_view unit_of(CheckedLimit::Quantity quantity);    // "cycles", "registers", "bytes"
bool is_time(const CheckedLimit& limit);  // the makespan, the expected time, or the bound with what is usual

// One entry for one kernel under one launch; of an entry that names none, one result without a kernel.
struct CheckResult {
  std::string file;            // the input; empty if there is none
  std::string kernel;          // as the file names it; of `missing`, as the entry names it
  std::string label;           // tells the launches of a kernel apart where an entry has several names or launches
  support::Location entry;     // in the budgets file
  support::Location location;  // of the kernel in the input; line 0 if it is not known
  std::vector<CheckedLimit> limits;      // in the order of CheckedLimit::Quantity
  Verdict verdict = Verdict::unbounded;  // the worst of the limits', in the order over, slower, grew, unbounded, fell,
                                         // pass; or its own
  Kept<KernelReport> report;             // of a kernel that was bounded
  support::Diagnostics errors;           // why there is no value
  std::string limited_by;                // the largest part of the bound: "waiting for memory"
  std::string target = {};               // that the file's code is for, "sm_80"; empty where it is not known
  // File, machine and target, those in which results of one kernel differ: "b.ptx, orin".
  std::string apart = {};
  std::array<std::optional<int64_t>, quantities> figures = {};  // that are known, limited or not; by Quantity
  std::optional<SinceBaseline> since = {};                      // where a baseline was given
};

struct CheckReport {
  std::string budgets;               // the file
  std::vector<CheckResult> results;  // in the order of the entries, files and kernels
  support::Diagnostics
      errors;  // all that keep the gate from passing, but `over`, `slower`, `grew` and `fell`: those of results too
  RunRecord run = {};            // check_budgets knows no command, no arguments and no budgets file
  std::string baseline = {};     // the file; empty: none was given
  std::string source_root = {};  // paths are told from there, where others read them; empty: as they are
};

// By its limits and errors: as CheckResult::verdict has it.
Verdict verdict_of(const CheckResult& result);

// Whether there is a result, all of them pass, and there is no error.
bool passes(const CheckReport& report);

// That of the check, if the report can be written: "done" only where it passes.
ExitStatus status_of(const CheckReport& report);

}  // namespace warpspan::app
