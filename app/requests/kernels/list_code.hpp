// SPDX-License-Identifier: GPL-3.0-or-later
// The code for GPUs in files: what 'warpspan list' reports.
#pragma once

#include <string>
#include <vector>

#include "app/reports/list/list_report.hpp"

namespace warpspan::app {

struct ListRequest {
  std::vector<std::string> files;    // at least one: as input_files takes them
  std::vector<std::string> targets;  // "sm_80"; empty: all
  std::vector<std::string> kernels;  // patterns (support::names_symbol); empty: all
};

// PTX files, and whatever frontend/object reads. Where a file has code that was linked, what it was linked from is left
// out. Errors: files that cannot be read or hold no code, images that are damaged; a target of which a file has
// no image, and a pattern that names no function of any file.
ListReport list_code(const ListRequest& request);

}  // namespace warpspan::app
