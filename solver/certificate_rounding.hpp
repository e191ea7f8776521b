// From weights in floating point to a certificate in integers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/certificate.hpp"
#include "solver/certificate_paths.hpp"

namespace warpspan::solver {

// A certificate with weights near to the given ones and the least potentials that go with them, without its problem
// (string and servers); nothing if none of the roundings tried admits potentials.
std::optional<Certificate> rounded_certificate(const Automaton& automaton, const std::vector<int64_t>& servers,
                                               const PatternGraph& graph, const CertificateWeights<double>& weights);

}  // namespace warpspan::solver
