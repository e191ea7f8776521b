// SPDX-License-Identifier: GPL-3.0-or-later
// Digits are found from the lowest on: each takes as many values as divide what is left of the threads and as leave all
// tables linear in it while the other digits are 0. Whether the tables are linear in all digits together is then looked
// up for every thread, so nothing needs to be proven about the choice.
#include "frontend/lift/footprints/thread_digits.hpp"

#include <algorithm>

#include "ir/sizes.hpp"

namespace warpspan::lift {

namespace {

using Tables = std::vector<const std::vector<int64_t>*>;

// How many values the digit of that step can take while all tables are linear in it.
int64_t longest_run(const Tables& tables, int64_t step, int64_t most) {
  int64_t run = most;
  for (const auto* table : tables) {
    const auto at = [&](int64_t digit) { return (*table)[static_cast<size_t>(digit * step)]; };
    int64_t own = 2;
    while (own < run && at(own) - at(own - 1) == at(1) - at(0)) ++own;
    run = std::min(run, own);
  }
  return run;
}

bool is_linear(const std::vector<int64_t>& table, const ThreadDigits& digits) {
  const std::vector<int64_t> terms = terms_of(table, digits);
  for (size_t thread = 0; thread < table.size(); ++thread) {
    int64_t value = table[0];
    for (size_t d = 0; d < terms.size(); ++d) {
      const ThreadDigit& digit = digits.digits[d];
      value += terms[d] * (static_cast<int64_t>(thread) / digit.step % digit.count);
    }
    if (value != table[thread]) return false;
  }
  return true;
}

// Cuts the digit that has lanes and warps in it, if it can be cut there.
void separate_lanes(ThreadDigits& digits, int64_t threads) {
  const int64_t lanes = std::min(threads, ir::warp_lanes);
  std::vector<ThreadDigit> cut;
  digits.keep_warps = true;
  for (const ThreadDigit& digit : digits.digits) {
    const int64_t end = digit.step * digit.count;
    if (digit.step >= lanes || end <= lanes) {
      cut.push_back(digit);
    } else if (lanes % digit.step == 0 && digit.count % (lanes / digit.step) == 0) {
      cut.push_back({digit.step, lanes / digit.step});
      cut.push_back({lanes, end / lanes});
    } else {
      digits.keep_warps = false;
      return;
    }
  }
  digits.digits = std::move(cut);
}

}  // namespace

std::vector<int64_t> terms_of(const std::vector<int64_t>& table, const ThreadDigits& digits) {
  std::vector<int64_t> terms;
  for (const ThreadDigit& digit : digits.digits) terms.push_back(table[static_cast<size_t>(digit.step)] - table[0]);
  return terms;
}

std::optional<ThreadDigits> digits_of(const Tables& tables, int64_t threads) {
  ThreadDigits result;
  for (int64_t step = 1; step < threads;) {
    const int64_t left = threads / step;
    int64_t count = longest_run(tables, step, left);
    while (left % count != 0) --count;
    if (count == 1) return std::nullopt;
    result.digits.push_back({step, count});
    step *= count;
  }
  const auto linear = [&](const auto* table) { return is_linear(*table, result); };
  if (!std::all_of(tables.begin(), tables.end(), linear)) return std::nullopt;
  separate_lanes(result, threads);
  return result;
}

}  // namespace warpspan::lift
