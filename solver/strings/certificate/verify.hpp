// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a certificate without solving anything and without any code of the search that made it.
#pragma once

#include "solver/strings/certificate/certificate.hpp"
#include "solver/strings/certificate/verify_line.hpp"
#include "support/result.hpp"

namespace warpspan::solver {

// The line that the certificate proves (certificate_bound.cpp has the theorem). Otherwise an error that states which
// condition is false, or that the check would take too long, or that a number is too large: contexts, weights and
// potentials are checked for the certificate's own string and servers, in exact arithmetic. The value of the line:
// makespan_on (verify_line.hpp).
support::Result<Line> verify_certificate(const Certificate& certificate);

}  // namespace warpspan::solver
