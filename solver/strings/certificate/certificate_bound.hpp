// SPDX-License-Identifier: GPL-3.0-or-later
// A safe bound from potentials: a line in the number of workers, found without unrolling a repetition.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <optional>

#include "solver/makespan/problem.hpp"
#include "solver/makespan/result.hpp"
#include "solver/strings/certificate/certificate.hpp"

namespace warpspan::solver {

struct CertificateLimits {
  size_t longest_context = 3;  // symbols, at least 1
  size_t patterns = 50'000;    // of one certificate
  // Followed in all, for one kind of contexts; a search that is likely to need more is not begun. 100 million let two
  // symbols distinguish the positions of a string over three classes.
  size_t steps = 20'000'000;
  double seconds = std::numeric_limits<double>::infinity();
  const std::atomic<bool>* cancel = nullptr;  // ends the search soon after it becomes true
};

struct CertificateResult {
  Bound bound;
  // The best one found, if any: none for a single worker, for more than 64 servers of a class, or where the limits were
  // met. The bound is the list bound then, and also where that is less than what the certificate proves.
  std::optional<Certificate> certificate;
  std::optional<Line> line;  // that the certificate proves
};

// An upper bound on the makespan in cycles: the least of what certificates with contexts of 1, 2, ... symbols prove
// and of the list bound. Method "certificate", kind upper, safe. The same in every run that ends within `seconds`. A
// problem that validate() refuses: not_applicable. Overflow: no value.
CertificateResult certificate_bound(const StringProblem& problem, const CertificateLimits& limits = {});

}  // namespace warpspan::solver
