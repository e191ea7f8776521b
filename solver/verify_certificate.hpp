// Checks a certificate without solving anything and without any code of the search that made it.
#pragma once

#include "solver/certificate.hpp"
#include "support/checked.hpp"
#include "support/result.hpp"

namespace warpspan::solver {

// The line that the certificate proves (certificate_bound.cpp has the theorem). Otherwise an error that says which
// condition does not hold, or that the check would take too long: contexts, weights and potentials are checked for the
// certificate's own string and servers, in exact arithmetic.
support::Result<Line> verify_certificate(const Certificate& certificate);

// floor(slope * workers + intercept): a bound on the makespan if the line is for that many workers.
support::Integer makespan_on(const Line& line, int64_t workers);

}  // namespace warpspan::solver
