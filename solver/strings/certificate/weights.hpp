// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of a certificate, sought in floating point: they need to be rounded and checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver/strings/certificate/contexts.hpp"
#include "solver/strings/certificate/paths.hpp"
#include "solver/strings/certificate/views.hpp"
#include "solver/strings/schedules/deadline.hpp"

namespace warpspan::solver {

struct WeightSearch {
  const Automaton& automaton;
  const WorkerCounts& counts;
  const PatternGraph& graph;
  int64_t workers = 2;
  size_t most_steps = 0;  // of the graph, taken in all
};

// Weights for which the certificate's bound for `workers` is least; nothing if the work or the time was not enough.
std::optional<CertificateWeights<double>> find_weights(const WeightSearch& search, const Deadline& deadline);

}  // namespace warpspan::solver
