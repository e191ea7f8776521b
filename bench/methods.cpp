// SPDX-License-Identifier: GPL-3.0-or-later
// The exact methods, and the certificate, side by side on the same problems in one run: a table in Markdown with each
// method's value and its time. bench_methods [SECONDS]: the most that a method may take for one problem; 60 if not
// given. A method that is out of time shows between which values it has come.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/problems.hpp"
#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/programs/count_ilp.hpp"
#include "solver/strings/programs/published_ilp.hpp"
#include "solver/strings/search/exact_search.hpp"

namespace {

using namespace warpspan::solver;

std::string value(const Bound& bound, const std::optional<Bound>& lower = {}) {
  if (!bound.makespan) return std::string(to_string(bound.status));
  if (bound.status == Status::optimal)
    return fmt::format("{}{}", bound.kind == Kind::upper ? "≤ " : "", *bound.makespan);
  return fmt::format("{}..{}", lower && lower->makespan ? fmt::to_string(*lower->makespan) : "?", *bound.makespan);
}

std::string time(double seconds) {
  if (seconds >= 10) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1) return fmt::format("{:.1f} s", seconds);
  if (seconds >= 1e-2) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds >= 1e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.0f} µs", seconds * 1e6);
}

// The value and the least time of up to five runs, as many as fit into a second.
std::string cell(const std::function<std::string()>& solve) {
  std::string result;
  double least = 0;
  double sum = 0;
  for (int run = 0; run < 5 && (run == 0 || sum + least < 1); ++run) {
    const auto begin = std::chrono::steady_clock::now();
    result = solve();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    least = run == 0 ? seconds : std::min(least, seconds);
    sum += seconds;
  }
  return fmt::format("{} ({})", result, time(least));
}

void print_row(std::string_view name, const StringProblem& instance, double seconds) {
  const ProgramLimits limits{seconds};
  const auto program = [](const IlpResult& result) { return value(result.bound, result.lower); };
  const auto rows = [&](WorkConservation form) {
    return cell([&] { return program(published_ilp(instance, limits, {form})); });
  };
  CountIlpOptions count;
  count.known_bound = certificate_bound(instance).bound.makespan;
  SearchLimits search;
  search.seconds = seconds;
  fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", name, instance.workers, rows(WorkConservation::short_rows),
             rows(WorkConservation::long_rows), cell([&] { return program(count_ilp(instance, limits, count)); }),
             cell([&] { return value(exact_search(instance, search).bound); }),
             cell([&] { return value(certificate_bound(instance).bound); }));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  if (argc > 2 || !(seconds > 0)) {
    fmt::print(stderr, "usage: bench_methods [SECONDS]\n");
    return 2;
  }
  fmt::print("| string | W | published ILP, short rows | long rows | count ILP | exact search | certificate |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (int64_t workers = 2; workers <= 5; ++workers) print_row("`LLC`", problem("LLC", workers), seconds);
  for (int64_t workers = 2; workers <= 4; ++workers) print_row("`LLCLL`", problem("LLCLL", workers), seconds);
  // LCLCL with half a server for L.
  for (int64_t workers = 2; workers <= 4; ++workers) {
    print_row("`LCLCL`, σ_L = 1/2", problem("LLCLLCLL", workers), seconds);
  }
  return 0;
}
