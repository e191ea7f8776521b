// SPDX-License-Identifier: GPL-3.0-or-later
// What published sources print, computed again: what 'warpspan reproduce' reports.
#pragma once

#include <string>
#include <vector>

#include "app/reports/reproduce/reproduce_report.hpp"

namespace warpspan::app {

// The names by which sources are asked for.
std::vector<std::string> source_names();

struct ReproduceRequest {
  std::vector<std::string> sources;  // of source_names(); empty: all
  bool slow = false;                 // also what takes more than a few seconds
};

// The same for the same request, on any machine. An integer program that does not end is an internal error.
ReproduceReport reproduce(const ReproduceRequest& request);

}  // namespace warpspan::app
