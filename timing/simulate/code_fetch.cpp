// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/code_fetch.hpp"

#include <algorithm>

namespace warpspan::timing {

CodeFetch::CodeFetch(const SimulatedMachine& machine, size_t lines)
    : figures_(machine.code),
      near_(static_cast<size_t>(machine.schedulers), RecentlyUsed<double>(static_cast<size_t>(figures_.near_lines))),
      lines_(static_cast<size_t>(figures_.lines)),
      constants_(static_cast<size_t>(figures_.constant_lines)),
      more_constants_(static_cast<size_t>(figures_.more_constant_lines)),
      seen_(lines, false) {}

double CodeFetch::fetch(double now, size_t scheduler, uint64_t line) {
  RecentlyUsed<double>& near = near_[scheduler];
  const double* own = near.find(line);
  double ready = own == nullptr ? now : *own;
  const auto end = std::min<uint64_t>(seen_.size(), line + static_cast<uint64_t>(figures_.ahead) + 1);
  for (uint64_t next = line; next < end; ++next) {
    if (lines_.find(next) == nullptr) {
      const double miss = seen_[next] ? figures_.miss : figures_.cold;
      seen_[next] = true;
      last_arrival_ = std::max(now + miss, last_arrival_ + figures_.line_interval);
      lines_.put(next, last_arrival_);
    }
    if (next > line + 1) continue;
    const double there = std::max(*lines_.find(next), now + figures_.near_miss);
    if (next == line && own == nullptr) ready = near.put(line, there);
    if (next == line + 1) near.put(next, there);
  }
  return ready;
}

double CodeFetch::constant(double now, int64_t line) {
  const auto key = static_cast<uint64_t>(line);
  if (const double* there = constants_.find(key)) return *there;
  const bool is_near = more_constants_.find(key) != nullptr;
  const double ready = now + (is_near ? figures_.constant_miss : figures_.constant_cold);
  more_constants_.put(key, ready);
  return constants_.put(key, ready);
}

}  // namespace warpspan::timing
