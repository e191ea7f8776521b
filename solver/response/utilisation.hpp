// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the GPU tasks take in the long run, if everything takes its most time and releases are a period apart.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "solver/response/workload.hpp"

namespace warpspan::solver::response_times {

// In millionths, rounded up; INT64_MAX if more. 0 of a task without period.
struct Utilisation {
  int64_t kernels = 0;               // of the GPU: of each kernel by the kind of which a block needs the largest part
  std::array<int64_t, 2> engines{};  // of each copy engine
};

// Of a workload without errors.
Utilisation utilisation_of(const Gpu& gpu, const Task& task);

Utilisation operator+(const Utilisation& a, const Utilisation& b);

// What all tasks ask of what they share.
class Demand {
 public:
  // A workload without errors, which must outlive this.
  explicit Demand(const Workload& workload);

  // What more is asked of than there is, of what a task needs: "kernels of its priority and above need 120.0 % of all
  // threads". Then not all of those that need it have a longest response. Empty if nothing is asked too much for sure;
  // figures are rounded down. Linear in the number of tasks.
  std::string overload(size_t task) const;

 private:
  // By resource, in millionths, rounded down.
  struct Asked {
    Amounts kinds{};
    std::array<int64_t, 2> engines{};
    int64_t stream = 0;

    void add(const Asked& other);
  };
  Asked asked_by(const Task& task) const;

  const Workload& workload_;
  std::vector<Asked> asked_;  // by task
};

}  // namespace warpspan::solver::response_times
