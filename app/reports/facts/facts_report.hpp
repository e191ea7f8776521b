// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan facts' has found: what is known of kernels, and what only their users can know.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel_code.hpp"
#include "ir/launch.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

struct KernelFactsReport {
  std::string file;
  ir::KernelCode code;  // with fingerprint
};

struct FactsReport {
  std::vector<KernelFactsReport> kernels;  // in the order of the files and of the kernels in them
  ir::Launch given;                        // the facts that were given for any of them
  support::Diagnostics errors;             // in the order of the files; loops without a bound are none
};

}  // namespace warpspan::app
