// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace warpspan::support {

namespace {

std::string joined(const std::vector<std::string>& words, std::string_view last) {
  std::string all;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) all += i + 1 == words.size() ? last : ", ";
    all += words[i];
  }
  return all;
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates, size_t forgiven) {
  std::string_view best;
  size_t least = std::max(forgiven, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    // The distance is at least the difference in length: a long word costs no time.
    const size_t lengths = std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
    if (lengths >= least) continue;
    const size_t distance = edit_distance(word, candidate);
    if (distance >= least || distance >= word.size()) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

std::string alternatives(const std::vector<std::string>& words) { return joined(words, " or "); }

std::string enumeration(const std::vector<std::string>& words) { return joined(words, " and "); }

}  // namespace warpspan::support
