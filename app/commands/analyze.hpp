// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan analyze' finds, for the command and for the library.
#pragma once

#include <string>
#include <vector>

#include "app/cli/option_set.hpp"
#include "app/reports/analyze/analyze_report.hpp"
#include "app/requests/bound_kernels.hpp"

namespace warpspan::app {

struct AnalyzeOptions {
  BoundRequest request;
  std::vector<std::string> logs;
  bool explain = false;
  std::vector<std::string> words;  // OptionSet::record
};

// Declares the options that decide what is found.
void add_analysis(OptionSet& set, AnalyzeOptions& to);

AnalyzeReport analyze(const AnalyzeOptions& options);

}  // namespace warpspan::app
