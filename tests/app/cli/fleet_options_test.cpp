// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/fleet_options.hpp"

#include <catch2/catch.hpp>

using namespace warpspan::app;

TEST_CASE("how far it is, and how long the rest takes") {
  CHECK(progress_text("kernels", 0, 5000, 10) == "kernels: 0 of 5,000");
  CHECK(progress_text("kernels", 12, 5000, 1.9) == "kernels: 12 of 5,000");
  CHECK(progress_text("kernels", 100, 5000, 10) == "kernels: 100 of 5,000, about 9 min left");
  CHECK(progress_text("files", 900, 1000, 90) == "files: 900 of 1,000, about 10 s left");
  CHECK(progress_text("files", 1000, 1000, 90) == "files: 1,000 of 1,000");
}
