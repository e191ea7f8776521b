// SPDX-License-Identifier: GPL-3.0-or-later
// What a user demands of kernels: the entries of a budgets file (app/files/budgets_file.hpp), one for each launch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/reports/check/check_report.hpp"
#include "app/requests/kernels/compilation.hpp"
#include "app/requests/numbers/percent.hpp"
#include "app/requests/numbers/time_limit.hpp"
#include "ir/flow.hpp"
#include "support/diagnostic.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

// Where in the text of the budgets file a value stands, or would have to: bytes of it.
struct ValuePlace {
  size_t begin = 0, end = 0;  // nothing between them where there is no value yet
  std::string before, after;  // what has to stand around a new value
};

// Most bytes or registers: CheckedLimit::Quantity but the times.
struct CountLimit {
  int64_t most = 0;
  std::optional<ValuePlace> place;  // nothing of a default
};

struct Budget {
  support::Location at;            // of the entry, or of the launch in it
  std::string line;                // the text of that line
  std::string kernel;              // support::names_symbol
  ValuePlace kernel_place;         // of that text
  ValuePlace entry_place;          // of the whole entry with its heading; nothing in it where it has none
  std::string label;               // may be empty
  std::vector<std::string> files;  // words for input_files; empty: the files of the command line
  std::string folder;              // that they are relative to
  std::string machine;             // as BoundRequest::machine
  std::string facts;               // as KernelRequest::facts
  Compilation compilation;         // of the files
  ir::Launch launch;
  timing::Grant assumed;
  bool states_assumed = false;             // the key 'assume' is there, in [defaults] maybe
  std::optional<ValuePlace> assume_place;  // for the key where it is not, and an update is to write it
  std::optional<TimeLimit> time;
  ValuePlace time_place;                                   // of the time, also where there is none yet
  std::optional<TimeLimit> expected;                       // what the kernel is expected to take
  ValuePlace expected_place;                               // of that time
  Percent tolerance{{5, 0}, "5%"};                         // that it may be above it
  std::array<std::optional<CountLimit>, quantities> most;  // by CheckedLimit::Quantity; none of the times
  std::array<ValuePlace, quantities> most_places;          // for those that the entry itself lacks

  bool has_limit() const;
};

// A usage error at the entry.
support::Diagnostic at_budget(const Budget& budget, std::string message, std::string help);

// "budgets.toml:12".
std::string place_text(const support::Location& at);

}  // namespace warpspan::app
