// The sum of the parts of an upper bound.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/result.hpp"
#include "support/checked.hpp"

namespace warpspan::solver {

class PartSum {
 public:
  // Adds floor(workers * demand / servers) cycles. A part that nobody waits for is left out of the list.
  void add(Part::Kind kind, std::string name, support::Integer workers, support::Integer demand, int64_t servers) {
    const support::Integer cycles = floor_divide(workers * demand, servers);
    total_ += cycles;
    const auto count = workers.value(), each = demand.value(), sum = cycles.value();
    if (!count || !each || !sum || (kind != Part::Kind::path && (*count == 0 || *each == 0))) return;
    parts_.push_back({kind, std::move(name), *sum, *count, *each, servers});
  }

  support::Integer total() const { return total_; }

  // The bound with the sum as its value.
  Bound finish(Bound bound) && {
    bound = with_value(std::move(bound), total_);
    if (bound.makespan) bound.parts = std::move(parts_);
    return bound;
  }

 private:
  support::Integer total_;
  std::vector<Part> parts_;
};

// The sum with the largest total; overflowed if any is, because that one might have been the largest. sums: not empty.
inline PartSum largest(std::vector<PartSum> sums) {
  PartSum* most = &sums.front();
  for (PartSum& sum : sums) {
    if (sum.total().overflowed()) return std::move(sum);
    if (*sum.total().value() > *most->total().value()) most = &sum;
  }
  return std::move(*most);
}

// The sum with the smaller total; the first if they are equal, or the second overflowed.
inline PartSum smaller(PartSum a, PartSum b) {
  if (b.total().overflowed()) return a;
  return a.total().overflowed() || *b.total().value() < *a.total().value() ? b : a;
}

}  // namespace warpspan::solver
