// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/solve/progress_text.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::app;

using solver::Method;

TEST_CASE("progress in a few words") {
  CHECK(progress_text({Method::exact, 0.437, 12, 14}) == "exact search 43 %, 12 <= T <= 14");
  CHECK(progress_text({Method::ilp, {}, {}, 1400}) == "integer program ilp, T <= 1,400");
  CHECK(progress_text({Method::witness, 2, 12, {}}) == "simulated schedules 100 %, T >= 12");
  CHECK(progress_text({Method::list, 1, {}, {}}) == "list 100 %");
}
