// SPDX-License-Identifier: GPL-3.0-or-later
// The samples, launched as their table recommends, on memory of any contents: no execution exceeds its bounds.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/reference/command_options.hpp"

using namespace warpspan;
using reference::Comparison;
using reference::Experiment;

TEST_CASE("reference: no execution of a sample exceeds its bounds") {
  int compared = 0;
  for (const test::SampleRow& row : test::sample_rows()) {
    for (const std::filesystem::path& file : row.files) {
      const std::string name = file.filename().string();
      for (Experiment experiment : row.experiments) {
        experiment.text = test::content_of(file);
        if (experiment.kernel.empty()) experiment.kernel = test::first_kernel(experiment.text);
        experiment.most_steps = 3'000'000;
        const Comparison result =
            compare(experiment, 1, {reference::Order::taken_first, reference::Order::any_at_split});
        INFO(name << " " << experiment.kernel << ": " << result.reason);
        INFO((result.violations.empty() ? "" : result.violations.front()));
        CHECK(result.verdict == Comparison::Verdict::compared);
        CHECK(result.violations.empty());
        ++compared;
      }
    }
  }
  CHECK(compared >= 40);
}
