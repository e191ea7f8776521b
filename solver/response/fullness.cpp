// SPDX-License-Identifier: GPL-3.0-or-later
// Theorem. For each kind r let G_r be the greatest common divisor of what a block of any kernel needs of r, c_r the
// capacity of a multiprocessor rounded down to a multiple of G_r, and
//
//   D_r = min over the kernels h that may wait and need n_hr > 0 of c_r - n_hr + G_r, none if no such kernel needs r;
//   w_b = min(1, max over r with a D_r of n_br / D_r).
//
// While a block of a kernel h that may wait fits on no multiprocessor, the blocks of each multiprocessor have w >= 1 in
// all, and they are max over b of ceil(D_r / n_br) for some r at least.
//
// Proof. On a multiprocessor some kind r is short: used_r + n_hr exceeds the capacity, so n_hr > 0, as used_r never
// exceeds it. Both are multiples of G_r, hence used_r + n_hr >= c_r + G_r and used_r >= D_r. If some block has w = 1
// there is nothing left to show, else w_b >= n_br / D_r for all blocks, which have sum n_br / D_r = used_r / D_r >= 1
// in all. No block uses more than max n_br of r, so they are used_r / max n_br at least. QED.
//
// If all blocks need the same, c_r / n_br of them fill a multiprocessor, D_r = c_r, and both are exact.
//
// Weights are multiples of 1 / L, rounded up, so nothing is lost for safety; L is a multiple of all D_r if that is
// below 2^30, and then nothing is rounded.
#include "solver/response/fullness.hpp"

#include <algorithm>
#include <numeric>

#include "support/checked.hpp"

namespace warpspan::solver::response_times {

namespace {

constexpr int64_t most_parts = int64_t{1} << 30;

// What a kind is worth; `threshold` is D_r, 0 if there is none.
struct Limit {
  int64_t threshold = 0;
  int64_t most_need = 0;
};

Limit limit_of(size_t kind, const Gpu& gpu, const std::vector<Kernel>& kernels, const std::vector<bool>& waits) {
  int64_t divisor = 0;
  Limit limit;
  int64_t most_waiting = 0;
  for (size_t i = 0; i < kernels.size(); ++i) {
    divisor = std::gcd(divisor, kernels[i].need[kind]);
    limit.most_need = std::max(limit.most_need, kernels[i].need[kind]);
    if (waits[i]) most_waiting = std::max(most_waiting, kernels[i].need[kind]);
  }
  if (most_waiting > 0) limit.threshold = gpu.capacity[kind] / divisor * divisor - most_waiting + divisor;
  return limit;
}

// A common multiple of all thresholds, or 2^30 if that is large.
int64_t parts_of_one(const std::array<Limit, kinds>& limits) {
  int64_t parts = 1;
  for (const Limit& limit : limits) {
    if (limit.threshold == 0) continue;
    if (limit.threshold > most_parts) return most_parts;
    parts = std::lcm(parts, limit.threshold);
    if (parts > most_parts) return most_parts;
  }
  return parts;
}

int64_t weight_of(const Kernel& kernel, const std::array<Limit, kinds>& limits, int64_t parts) {
  support::Int128 weight = 0;
  for (size_t kind = 0; kind < kinds; ++kind) {
    const support::Int128 threshold = limits[kind].threshold;
    if (threshold == 0) continue;
    weight = std::max(weight, (support::Int128{kernel.need[kind]} * parts + threshold - 1) / threshold);
  }
  return static_cast<int64_t>(std::min<support::Int128>(weight, parts));
}

}  // namespace

std::optional<Fullness> fullness(const Gpu& gpu, const std::vector<Kernel>& kernels, const std::vector<bool>& waits) {
  std::array<Limit, kinds> limits;
  int64_t least = INT64_MAX;
  for (size_t kind = 0; kind < kinds; ++kind) {
    limits[kind] = limit_of(kind, gpu, kernels, waits);
    const auto [threshold, most] = limits[kind];
    if (threshold > 0) least = std::min(least, (threshold - 1) / most + 1);
  }
  if (least == INT64_MAX) return std::nullopt;
  const int64_t parts = parts_of_one(limits);
  Fullness result;
  result.full = parts * gpu.multiprocessors;
  // Blocks that need nothing fill nothing and are no part of the count; a count beyond this is never reached.
  result.least_blocks = std::min(least, most_parts) * gpu.multiprocessors;
  for (const Kernel& kernel : kernels) result.weights.push_back(weight_of(kernel, limits, parts));
  return result;
}

}  // namespace warpspan::solver::response_times
