// SPDX-License-Identifier: GPL-3.0-or-later
// From weights in floating point to a certificate in integers.
#pragma once

#include "solver/strings/certificate/certificate.hpp"
#include "solver/strings/certificate/weights.hpp"

namespace warpspan::solver {

// Sets weights near to the given ones and the least potentials that go with them; false if none of the roundings tried
// admits potentials.
bool set_rounded(const WeightSearch& search, const CertificateWeights<double>& weights, Certificate& certificate);

}  // namespace warpspan::solver
