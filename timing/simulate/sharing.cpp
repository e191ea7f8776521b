// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/simulate/sharing.hpp"

#include <algorithm>
#include <bit>

namespace warpspan::timing {

std::unordered_set<uint64_t> sectors_of(const ir::BlockTrace& block) {
  std::unordered_set<uint64_t> sectors;
  for (const ir::WarpTrace& warp : block.warps) {
    for (const ir::TracedRequest& request : warp.requests) {
      if (!ir::is_beyond_multiprocessor(request.kind)) continue;
      const auto first = warp.sectors.begin() + request.first;
      sectors.insert(first, first + request.count);
    }
  }
  return sectors;
}

size_t slice_of(uint64_t sector) {
  constexpr uint64_t sectors_of_pair = 8, pairs_of_group = 4;  // lines
  constexpr unsigned bits = std::bit_width(l2_slices / 2) - 1;
  const uint64_t pair = sector / sectors_of_pair;
  uint64_t folded = 0;
  for (uint64_t group = pair / pairs_of_group; group != 0; group >>= bits) folded ^= group;
  return folded % (l2_slices / 2) * 2 + pair % 2;
}

void SectorSharing::add_near(const std::unordered_set<uint64_t>& sectors) {
  for (const uint64_t sector : sectors) users_[sector].near += 1;
}

void SectorSharing::add_far(const std::unordered_set<uint64_t>& sectors) {
  far_ += 1;
  for (const uint64_t sector : sectors) users_[sector].far += 1;
}

void SectorSharing::set_own(const std::unordered_set<uint64_t>& sectors, double capacity) {
  if (far_ == 0 || sectors.empty()) return;
  double none = 0, one = 0, alone = 0;
  for (const uint64_t sector : sectors) {
    const Users* found = users_.find(sector);
    const Users users = found == nullptr ? Users() : *found;
    none += users.far == 0 ? 1 : 0;
    one += users.far == 1 ? 1 : 0;
    alone += 1 / (1 + users.near);
  }
  usual_ = static_cast<double>(sectors.size()) / alone;
  // Good and Turing: those that were seen once tell of those that were not.
  if (none > 0 && far_ > 1) overlap_ = one / none / far_;
  // What several happen to ask for serves the later ones only as long as it is kept.
  const double joint = static_cast<double>(sectors.size() * ir::sector_bytes) * active_ * resident_ / usual_;
  cached_ = std::min(1.0, capacity / joint);
  overlap_ *= cached_;
}

void SectorSharing::count(const ir::BlockTrace& block) { add(block, &Count::all, 1); }

void SectorSharing::count_own(const ir::BlockTrace& block, double blocks) {
  is_counted_ = true;
  add(block, &Count::own, blocks);
}

void SectorSharing::add(const ir::BlockTrace& block, double Count::*which, double times) {
  using Kind = ir::TracedRequest::Kind;
  for (const ir::WarpTrace& warp : block.warps) {
    for (const ir::TracedRequest& request : warp.requests) {
      if (!ir::is_beyond_multiprocessor(request.kind)) continue;
      const bool is_atomic = request.kind == Kind::atomic || request.kind == Kind::reduction;
      const double passes = request.serial / std::max(1.0, 1.0 * request.count);
      for (uint32_t i = 0; i < request.count; ++i) {
        const uint64_t sector = warp.sectors[request.first + i];
        requests_[sector].*which += times;
        if (is_atomic) atomics_[slice_of(sector)].*which += times * passes;
      }
    }
  }
}

double SectorSharing::atomics_of(uint64_t sector, int64_t block) const {
  if (!is_counted_) return users_of(sector, block);
  const Count& atomics = atomics_[slice_of(sector)];
  return atomics.own > 0 ? atomics.all / atomics.own : 1;
}

double SectorSharing::users_of(uint64_t sector, int64_t block) const {
  constexpr double hardly = 0.01;
  if (is_counted_) {
    const Count* found = requests_.find(sector);
    if (found == nullptr || found->own == 0) return 1;
    return std::min(active_, found->all / found->own);
  }
  const Users* found = users_.find(sector);
  if (found == nullptr && block > 0 && overlap_ < hardly) return usual_;
  const Users users = found == nullptr ? Users() : *found;
  const double part = users.far > 0 ? users.far / far_ : overlap_;
  return std::min(active_, 1 + users.near + (active_ - 1) * std::min(1.0, part * resident_));
}

}  // namespace warpspan::timing
