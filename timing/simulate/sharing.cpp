#include "timing/simulate/sharing.hpp"

#include <algorithm>

namespace warpspan::timing {

std::unordered_set<uint64_t> sectors_of(const ir::BlockTrace& block) {
  using Kind = ir::TracedRequest::Kind;
  std::unordered_set<uint64_t> sectors;
  for (const ir::WarpTrace& warp : block.warps) {
    for (const ir::TracedRequest& request : warp.requests) {
      const bool is_global = request.kind <= Kind::copy || request.kind == Kind::texture;
      if (!is_global) continue;
      const auto first = warp.sectors.begin() + request.first;
      sectors.insert(first, first + request.count);
    }
  }
  return sectors;
}

void SectorSharing::add_near(const std::unordered_set<uint64_t>& sectors) {
  for (const uint64_t sector : sectors) users_[sector].near += 1;
}

void SectorSharing::add_far(const std::unordered_set<uint64_t>& sectors) {
  far_ += 1;
  for (const uint64_t sector : sectors) users_[sector].far += 1;
}

void SectorSharing::set_own(const std::unordered_set<uint64_t>& sectors) {
  if (far_ == 0 || sectors.empty()) return;
  double none = 0, one = 0, alone = 0;
  for (const uint64_t sector : sectors) {
    const auto found = users_.find(sector);
    const Users users = found == users_.end() ? Users() : found->second;
    none += users.far == 0 ? 1 : 0;
    one += users.far == 1 ? 1 : 0;
    alone += 1 / (1 + users.near);
  }
  usual_ = static_cast<double>(sectors.size()) / alone;
  // Good and Turing: those that were seen once tell of those that were not.
  if (none > 0 && far_ > 1) overlap_ = one / none / far_;
}

double SectorSharing::users_of(uint64_t sector, int64_t block) const {
  constexpr double hardly = 0.01;
  const auto found = users_.find(sector);
  if (found == users_.end() && block > 0 && overlap_ < hardly) return usual_;
  const Users users = found == users_.end() ? Users() : found->second;
  const double part = users.far > 0 ? users.far / far_ : overlap_;
  return std::min(active_, 1 + users.near + (active_ - 1) * std::min(1.0, part * resident_));
}

}  // namespace warpspan::timing
