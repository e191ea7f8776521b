// SPDX-License-Identifier: GPL-3.0-or-later
// String problems of the benchmarks, written as letters: L is class 0, C class 1, S class 2.
#pragma once

#include <string_view>

#include "solver/makespan/problem.hpp"

namespace warpspan::solver {

inline String letters(std::string_view text) {
  String string;
  for (const char letter : text) string.push_back({static_cast<int>(std::string_view("LCS").find(letter)), 1, {}});
  return string;
}

// One server for each class.
inline StringProblem problem(std::string_view text, int64_t workers) { return {letters(text), workers, {1, 1, 1}}; }

}  // namespace warpspan::solver
