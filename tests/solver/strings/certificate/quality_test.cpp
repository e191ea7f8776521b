// SPDX-License-Identifier: GPL-3.0-or-later
// How near certificates are to exact values. Run by hand: test_solver "[quality]" prints a table.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <random>

#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

struct Measured {
  std::string problem;
  int64_t bound = 0, exact = 0;
  double ratio() const { return static_cast<double>(bound) / static_cast<double>(exact); }
};

double mean(const std::vector<Measured>& all) {
  double sum = 0;
  for (const Measured& one : all) sum += one.ratio();
  return sum / static_cast<double>(all.size());
}

void print(const std::string& group, const std::vector<Measured>& all) {
  const auto equal = std::count_if(all.begin(), all.end(), [](const Measured& one) { return one.bound == one.exact; });
  std::printf("%-28s %4zu problems, mean ratio %.4f, %td equal\n", group.c_str(), all.size(), mean(all), equal);
}

}  // namespace

TEST_CASE("quality of certificates", "[.][quality]") {
  std::mt19937 random(7);
  std::map<std::string, std::vector<Measured>> groups;
  std::vector<Measured> all;
  for (int i = 0; i < 600; ++i) {
    const size_t classes = 2 + random() % 2, length = 2 + random() % 6;
    std::string text;
    while (text.size() < length) text += "LCS"[random() % classes];
    const auto workers = 2 + static_cast<int64_t>(random() % 6);
    std::vector<int64_t> servers;
    std::string name = text + ", " + std::to_string(workers) + " workers, servers";
    for (size_t k = 0; k < classes; ++k) {
      servers.push_back(1 + static_cast<int64_t>(random() % 2));
      name += " " + std::to_string(servers.back());
    }
    const StringProblem instance = problem(text, workers, servers);
    const Measured measured{name, certificate_bound(instance).bound.makespan.value(),
                            exact_search(instance).bound.makespan.value()};
    REQUIRE(measured.bound >= measured.exact);
    const bool one_each = std::count(servers.begin(), servers.end(), 1) == static_cast<int64_t>(classes);
    groups[std::to_string(classes) + " classes, " + (one_each ? "one server each" : "some with two")].push_back(
        measured);
    groups[std::to_string(workers) + " workers"].push_back(measured);
    all.push_back(measured);
  }
  for (const auto& [name, group] : groups) print(name, group);
  print("all", all);
  std::sort(all.begin(), all.end(), [](const Measured& a, const Measured& b) { return a.ratio() > b.ratio(); });
  for (size_t i = 0; i < 20; ++i) {
    std::printf("  %s: %td, exact %td\n", all[i].problem.c_str(), static_cast<std::ptrdiff_t>(all[i].bound),
                static_cast<std::ptrdiff_t>(all[i].exact));
  }
  CHECK(mean(all) < 1.01);
}
