// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of threads taken apart, so that tables by thread become linear forms.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpspan::lift {

// A thread's linear number is the sum over digits of digit * step; each digit takes the values 0..count-1. Steps
// ascend from 1, and each is the product of the counts before it.
struct ThreadDigit {
  int64_t step = 1;
  int64_t count = 1;
};

struct ThreadDigits {
  std::vector<ThreadDigit> digits;
  bool keep_warps = false;  // the first digits together number the lanes of a warp, the others the warps
};

// Digits in which each of the tables, one entry per thread, is its first entry plus a sum of multiples of digits;
// nothing if none were found. Entries are less than 2^47 from 0.
std::optional<ThreadDigits> digits_of(const std::vector<const std::vector<int64_t>*>& tables, int64_t threads);

// The multiple of each digit in a table.
std::vector<int64_t> terms_of(const std::vector<int64_t>& table, const ThreadDigits& digits);

}  // namespace warpspan::lift
