// The states of one layer of the guided search: as many as the beam is wide are kept, the best ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpspan::solver {

// Workers before a position; or, in a step, workers that execute there.
struct Standing {
  size_t position;
  int64_t workers;
};
using Standings = std::vector<Standing>;  // ascending, without zeros

struct Candidate {
  int64_t value = 0;     // larger is better
  int64_t disorder = 0;  // smaller is better where values are equal
  uint64_t hash = 0;     // of the state
  int64_t time = 0;
  size_t parent = 0;  // what the step started from
  Standings state;
  Standings step;
};

// States with the same hash are taken for the same: an error as rare as that one can only produce something that is no
// schedule, and whoever uses it checks that.
class BeamLayer {
 public:
  explicit BeamLayer(size_t width) : width_(width) {}

  // The candidate with this hash, or none.
  Candidate* find(uint64_t hash) {
    const auto found = index_.find(hash);
    return found == index_.end() ? nullptr : &candidates_[found->second];
  }

  // Needs a hash that is new.
  void add(Candidate candidate) {
    if (candidates_.size() >= 4 * width_ + slack) cut();
    index_[candidate.hash] = candidates_.size();
    candidates_.push_back(std::move(candidate));
  }

  // The best ones, best first. The layer is of no use then.
  std::vector<Candidate> take_best() {
    cut();
    std::sort(candidates_.begin(), candidates_.end(), is_better);
    return std::move(candidates_);
  }

  bool has_left_out_any() const { return has_left_out_any_; }

 private:
  static constexpr size_t slack = 64;

  static bool is_better(const Candidate& a, const Candidate& b) {
    if (a.value != b.value) return a.value > b.value;
    if (a.disorder != b.disorder) return a.disorder < b.disorder;
    return a.hash < b.hash;
  }

  void cut() {
    if (candidates_.size() <= width_) return;
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(width_);
    std::nth_element(candidates_.begin(), end, candidates_.end(), is_better);
    candidates_.erase(end, candidates_.end());
    has_left_out_any_ = true;
    index_.clear();
    for (size_t i = 0; i < candidates_.size(); ++i) index_[candidates_[i].hash] = i;
  }

  size_t width_;
  std::vector<Candidate> candidates_;
  std::unordered_map<uint64_t, size_t> index_;
  bool has_left_out_any_ = false;
};

}  // namespace warpspan::solver
