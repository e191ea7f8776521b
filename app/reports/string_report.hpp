// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan string' has found.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// The instruction string of one kernel. A kernel whose warps may execute other strings too is given by its longest.
struct KernelString {
  std::string file, name, string;
  std::array<int64_t, ir::unit_classes> instructions{};
  bool only_one = true;
  std::vector<std::string> assumptions;  // what the user said that is not proven
};

struct StringReport {
  std::vector<KernelString> kernels;  // in the order of the files and of the kernels in them
  bool several_files = false;
  support::Diagnostics errors;  // in the order of the files
};

}  // namespace warpspan::app
