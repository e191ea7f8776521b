// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest number must begin a row, and with the next one its stride is known if strides are taken from the
// smallest on. Of numbers from which all rows are taken away that begin with the smallest one left, nothing may remain.
#include "frontend/lift/footprints/repetitions.hpp"

#include <algorithm>
#include <set>

#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

// The numbers that rows of `count` numbers begin with; nothing if they do not fall into such rows.
std::optional<std::vector<int64_t>> begins_of(const std::vector<int64_t>& numbers, int64_t stride, int64_t count) {
  std::set<int64_t> left(numbers.begin(), numbers.end());
  std::vector<int64_t> begins;
  while (!left.empty()) {
    const int64_t begin = *left.begin();
    begins.push_back(begin);
    for (int64_t i = 0; i < count; ++i) {
      const auto number = (support::Integer(begin) + support::Integer(i) * support::Integer(stride)).value();
      if (!number || left.erase(*number) == 0) return std::nullopt;
    }
  }
  return begins;
}

}  // namespace

std::optional<std::vector<Repetition>> repetitions_of(std::vector<int64_t> numbers) {
  std::vector<Repetition> result;
  while (numbers.size() > 1) {
    const auto stride = (support::Integer(numbers[1]) - support::Integer(numbers[0])).value();
    if (!stride || *stride <= 0) return std::nullopt;
    std::optional<std::vector<int64_t>> begins;
    auto count = static_cast<int64_t>(numbers.size());
    for (; count > 1 && !begins; --count) {
      if (static_cast<int64_t>(numbers.size()) % count == 0) begins = begins_of(numbers, *stride, count);
    }
    if (!begins) return std::nullopt;
    result.push_back({*stride, count + 1});
    numbers = std::move(*begins);
  }
  return result;
}

}  // namespace warpspan::lift
