// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels of every family: no execution exceeds what warpspan says. Seeds beyond these: scripts/attack-bounds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

#include "app/reports/names.hpp"
#include "tests/reference/generators/families.hpp"
#include "tests/reference/generators/shrink.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using reference::Comparison;
using reference::Family;

namespace {

struct Tally {
  std::map<Comparison::Verdict, int> verdicts;
  std::map<std::string, int> reasons;
  std::vector<double> looseness;
  std::vector<double> looseness_of_pieces;
  std::vector<std::pair<uint64_t, std::string>> violations;  // seed, the first of a kernel
  std::map<ir::TripCountSource, int> loops;                  // of kernels with a bound, by what bounds them
};

Tally attack(const Family& family, uint64_t first, uint64_t count) {
  Tally tally;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Comparison result = compare(family.make(seed), seed, reference::all_orders);
    ++tally.verdicts[result.verdict];
    for (const auto& [source, times] : result.loops) tally.loops[source] += times;
    if (!result.violations.empty()) tally.violations.emplace_back(seed, result.violations.front());
    if (result.verdict == Comparison::Verdict::compared) {
      tally.looseness.push_back(result.looseness);
      tally.looseness_of_pieces.push_back(result.looseness_of_pieces);
    } else {
      ++tally.reasons[result.reason.substr(0, 200)];
    }
  }
  std::sort(tally.looseness.begin(), tally.looseness.end());
  std::sort(tally.looseness_of_pieces.begin(), tally.looseness_of_pieces.end());
  return tally;
}

// Of how far bounds are above what happened.
std::string quantiles(const std::vector<double>& sorted) {
  if (sorted.empty()) return "none";
  std::ostringstream out;
  out << "median " << sorted[sorted.size() / 2] << ", p90 " << sorted[sorted.size() * 9 / 10] << ", largest "
      << sorted.back();
  return out.str();
}

std::string summary(const Family& family, Tally& tally) {
  using Verdict = Comparison::Verdict;
  std::ostringstream out;
  out << family.name << ": compared " << tally.verdicts[Verdict::compared] << ", refused "
      << tally.verdicts[Verdict::refused] << ", unreadable " << tally.verdicts[Verdict::unreadable]
      << ", not executable " << tally.verdicts[Verdict::unknown] << ", faulted " << tally.verdicts[Verdict::faulted]
      << ", too long " << tally.verdicts[Verdict::too_long] << ", with violations " << tally.violations.size()
      << "\n  bound over executed, instructions: " << quantiles(tally.looseness)
      << "; pieces of accesses: " << quantiles(tally.looseness_of_pieces) << "\n";
  out << "  loops bounded by";
  for (const auto& [source, times] : tally.loops) out << " " << app::to_string(source) << " " << times;
  out << "\n";
  for (const auto& [seed, what] : tally.violations) out << "  seed " << seed << ": " << what << "\n";
  return out.str();
}

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// As comments, the options under which the program says the same of the text.
std::string options_of(const reference::Experiment& experiment) {
  std::ostringstream out;
  const ir::Extent block = experiment.launch.block.value_or(ir::Extent{});
  out << "// --block " << block.x << "," << block.y << "," << block.z;
  if (experiment.launch.grid) out << " --grid " << experiment.launch.grid->x;
  for (const ir::Argument& argument : experiment.launch.arguments) {
    out << " --arg " << argument.parameter << "=" << argument.value;
  }
  for (const ir::Recursion& recursion : experiment.launch.recursions) {
    out << " --recursion " << recursion.function << "=" << recursion.depth;
  }
  return out.str() + "\n";
}

}  // namespace

TEST_CASE("no execution of a random kernel exceeds its bounds") {
  for (const Family& family : reference::families()) {
    const int seeds = test::thinned_seeds(200);
    Tally tally = attack(family, test::first_seed(1, 200), seeds);
    INFO(summary(family, tally));
    CHECK(tally.violations.empty());
    // Or the test would say nothing.
    CHECK(tally.verdicts[Comparison::Verdict::compared] >= warpspan::test::or_half(seeds * 2 / 5));
    CHECK(tally.verdicts[Comparison::Verdict::unreadable] == 0);
    CHECK(tally.verdicts[Comparison::Verdict::unknown] == 0);
  }
}

TEST_CASE("attack: no execution of very many random kernels exceeds their bounds", "[.attack]") {
  const uint64_t first = number_from("WARPSPAN_ATTACK_FIRST", 1);
  const uint64_t count = number_from("WARPSPAN_ATTACK_COUNT", 1000);
  const char* only = std::getenv("WARPSPAN_ATTACK_FAMILY");
  for (const Family& family : reference::families()) {
    if (only != nullptr && std::string(only) != family.name) continue;
    Tally tally = attack(family, first, count);
    std::cout << summary(family, tally) << std::flush;
    for (const auto& [reason, times] : tally.reasons) {
      if (std::getenv("WARPSPAN_ATTACK_REASONS") != nullptr) std::cout << "  " << times << " times: " << reason << "\n";
    }
    CHECK(tally.violations.empty());
  }
}

// To look at one kernel of the attack: as it was made, and what is left of it where it is wrong.
TEST_CASE("show: one kernel of the attack, made small if it exceeds a bound", "[.show]") {
  const char* only = std::getenv("WARPSPAN_ATTACK_FAMILY");
  const uint64_t seed = number_from("WARPSPAN_ATTACK_FIRST", 1);
  for (const Family& family : reference::families()) {
    if (only == nullptr || std::string(only) != family.name) continue;
    reference::Experiment experiment = family.make(seed);
    const auto is_wrong = [seed](const reference::Experiment& e) {
      const Comparison result = compare(e, seed, reference::all_orders);
      return !result.violations.empty();
    };
    if (is_wrong(experiment)) experiment = shrink(std::move(experiment), is_wrong);
    std::cout << options_of(experiment) << experiment.text;
    const Comparison result = compare(experiment, seed, reference::all_orders);
    std::cout << "// " << result.reason << "\n";
    for (const std::string& what : result.violations) std::cout << "// " << what << "\n";
    SUCCEED();
  }
}
