// SPDX-License-Identifier: GPL-3.0-or-later
// Flow::accesses against executions of whole grids: of the samples, and of random sums of places and counters.
#include "tests/reference/footprints.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "tests/reference/command_options.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using reference::Experiment;
using reference::FootprintCheck;

namespace {

struct Tally {
  int kernels = 0, accesses = 0, with_span = 0, with_lines = 0, with_sharers = 0, walks = 0, together = 0, dense = 0;

  void add(const FootprintCheck& check) {
    ++kernels;
    accesses += check.accesses;
    with_span += check.with_span;
    with_lines += check.with_lines;
    with_sharers += check.with_sharers;
    walks += check.walks;
    together += check.together;
    dense += check.dense;
  }
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
  return out << tally.kernels << " kernels: " << tally.accesses << " accesses, " << tally.with_span << " with a span, "
             << tally.with_lines << " with numbers of lines, " << tally.with_sharers
             << " with those of who shares them, " << tally.walks << " that walk, " << tally.together
             << " groups of a block, " << tally.dense << " dense";
}

Tally attack(uint64_t first, uint64_t count) {
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const FootprintCheck check = check_footprints(reference::footprint_experiment(seed), seed, seed % 2 == 0);
    INFO("seed " << seed << ": " << check.reason << (check.violations.empty() ? "" : check.violations.front()));
    CHECK(check.violations.empty());
    if (check.reason.empty()) tally.add(check);
  }
  return tally;
}

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("footprints of a kernel whose spans were longer than what is dense together") {
  CHECK(attack(23823, 1).kernels == 1);
}

TEST_CASE("footprints: no access of a random kernel leaves its own") {
  const int seeds = test::thinned_seeds(400);
  const Tally tally = attack(test::first_seed(1, 400), seeds);
  INFO(tally);
  // Or the test would say nothing.
  CHECK(tally.kernels >= warpspan::test::or_half(seeds * 9 / 10));
  CHECK(tally.with_span * 10 >= warpspan::test::or_half(tally.accesses * 7));
  CHECK(tally.with_lines * 10 >= warpspan::test::or_half(tally.accesses * 7));
  CHECK(tally.with_sharers * 10 >= warpspan::test::or_half(tally.accesses));
  CHECK(tally.walks * 20 >= warpspan::test::or_half(tally.accesses));
  CHECK(tally.together * 20 >= warpspan::test::or_half(tally.accesses));
  CHECK(tally.dense * 20 >= (test::tenth().is_taken ? 1 : tally.accesses));  // rare
}

TEST_CASE("attack: footprints of very many random kernels", "[.attack]") {
  const char* only = std::getenv("WARPSPAN_ATTACK_FAMILY");
  if (only != nullptr && std::string(only) != "footprints") return;
  const Tally tally = attack(number_from("WARPSPAN_ATTACK_FIRST", 1), number_from("WARPSPAN_ATTACK_COUNT", 1000));
  std::cout << tally << "\n";
}

TEST_CASE("footprints: no access of a sample leaves its own") {
  Tally tally;
  for (const test::SampleRow& row : test::sample_rows()) {
    for (const std::filesystem::path& file : row.files) {
      for (Experiment experiment : row.experiments) {
        experiment.text = test::content_of(file);
        if (experiment.kernel.empty()) experiment.kernel = test::first_kernel(experiment.text);
        experiment.most_steps = 300'000;
        const FootprintCheck check = check_footprints(experiment, 1, tally.kernels % 2 == 0);
        INFO(file.filename() << " " << experiment.kernel << ": " << check.reason);
        INFO((check.violations.empty() ? "" : check.violations.front()));
        CHECK(check.reason.empty());
        CHECK(check.violations.empty());
        tally.add(check);
      }
    }
  }
  INFO(tally);
  CHECK(tally.kernels >= 40);
  CHECK(tally.with_span * 2 >= tally.accesses);
}
