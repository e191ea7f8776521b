// SPDX-License-Identifier: GPL-3.0-or-later
// String problems written as letters: L is class 0, C class 1, S class 2.
#pragma once

#include <string_view>
#include <utility>

#include "solver/makespan/problem.hpp"

namespace warpspan::solver {

inline Term symbol(char letter, int64_t repeat = 1) {
  return {static_cast<int>(std::string_view("LCS").find(letter)), repeat, {}};
}

inline Term group(String body, int64_t repeat) { return {-1, repeat, std::move(body)}; }

inline String letters(std::string_view text) {
  String string;
  for (const char letter : text) string.push_back(symbol(letter));
  return string;
}

inline StringProblem problem(std::string_view text, int64_t workers, std::vector<int64_t> servers) {
  return {letters(text), workers, std::move(servers)};
}

// All strings of 1 .. longest symbols over L and C.
inline std::vector<std::string> two_class_strings(size_t longest) {
  std::vector<std::string> all;
  for (size_t length = 1; length <= longest; ++length) {
    for (size_t bits = 0; bits < (size_t{1} << length); ++bits) {
      std::string text;
      for (size_t i = 0; i < length; ++i) text += (bits >> i & 1) == 0 ? 'L' : 'C';
      all.push_back(text);
    }
  }
  return all;
}

}  // namespace warpspan::solver
