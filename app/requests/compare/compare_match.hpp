// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernel of one side is which of another.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/reports/compare/compare_report.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

struct KernelMatch {
  size_t base = 0, other = 0;  // indices
  MatchedBy how = MatchedBy::name;
};

struct KernelMatches {
  std::vector<KernelMatch> pairs;  // by base
  support::Diagnostics errors;     // names that several files have on one side, which leaves open what is meant
};

// In this order: kernels of the same name, in files of the same name where a side has several; of the same demangled
// name; of the same name without parameters; and at last those that are similar (names_are_similar), if neither is
// similar to another that is left. A kernel is in one pair at most. With the sides changed, the pairs are the same.
KernelMatches match_kernels(const std::vector<KernelFigures>& base, const std::vector<KernelFigures>& other);

// Names, short (support::short_name), of which one begins or ends with the other or a third of the letters differ at
// most; or mangled names with the same parameters, of which there are some.
bool names_are_similar(const std::string& a, const std::string& b);

}  // namespace warpspan::app
