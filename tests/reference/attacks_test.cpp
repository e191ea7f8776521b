// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels for which a bound was once below a possible run: tests/samples/attacks. Their first line is a comment with
// the options to analyze them with.
#include <catch2/catch.hpp>

#include "tests/paths.hpp"
#include "tests/reference/command_options.hpp"

using namespace warpspan;
using reference::Comparison;

TEST_CASE("reference: no execution of a kernel that once exceeded its bound does so") {
  int compared = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(warpspan::test::source_dir() + "/tests/samples/attacks")) {
    const std::string text = test::content_of(entry.path());
    REQUIRE(text.substr(0, 5) == "// --");
    reference::Experiment experiment = test::with_options(text.substr(3, text.find('\n') - 3));
    experiment.text = text;
    experiment.kernel = test::first_kernel(text);
    const Comparison result = compare(experiment, 1, reference::all_orders);
    INFO(entry.path() << ": " << result.reason);
    CHECK(result.verdict == Comparison::Verdict::compared);
    CHECK(result.violations == std::vector<std::string>());
    ++compared;
  }
  CHECK(compared > 0);
}
