// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/methods.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "solver/strings/bounds/published_bound.hpp"
#include "solver/strings/bounds/raravi.hpp"
#include "solver/strings/programs/count_ilp.hpp"
#include "solver/strings/programs/published_ilp.hpp"
#include "solver/strings/run.hpp"
#include "solver/strings/search/tractable_bound.hpp"

namespace warpspan::solver {

namespace {

// Of the certificate that is sought where a gap is left.
constexpr size_t thorough_patterns = 500'000;
constexpr size_t thorough_steps = 4'000'000'000;

// --- What the methods do. A bound that needs nothing but the problem: report_bound<...>.

template <Bound (*find)(const StringProblem&)>
void report_bound(Run& run, Method) {
  run.report(find(run.problem));
}

void report_list(Run& run, Method) { run.report(run.list); }

void report_witness(Run& run, Method) {
  run.report(run.witness.bound);
  run.solution.policies = std::move(run.witness.runs);
}

void search(Run& run, Method method) {
  if (run.is_solved()) {
    Bound known = run.list;
    known.method = to_string(method);
    known.kind = Kind::exact;
    known.makespan = run.solution.lower;
    known.remark = "found without a search: a schedule takes as long as a safe bound allows";
    return run.list_result(std::move(known));
  }
  SearchOptions options;
  options.witness = run.solution.lower;
  options.certificate = run.known_certificate();
  options.schedule = run.options.schedule;
  options.progress = [&run, method](double done, int64_t) { run.show(method, done); };
  SearchResult result = exact_search(run.problem, run.search_limits(method), options);
  run.solution.search = result.statistics;
  if (result.bound.makespan) run.offer(std::move(result.schedule), *result.bound.makespan, method);
  run.report(std::move(result.bound));
}

void improve_certificate(Run& run, Method method) {
  CertificateResult& known = run.certificate;
  if (!run.options.thorough || run.solution.lower == run.solution.upper || !known.bound.makespan) return;
  CertificateLimits limits = run.certificate_limits(method);
  limits.patterns = thorough_patterns;
  limits.steps = thorough_steps;
  CertificateResult better = certificate_bound(run.problem, limits);
  better.bound.seconds += known.bound.seconds;
  if (!better.bound.makespan || *better.bound.makespan >= *known.bound.makespan) {
    known.bound.seconds = better.bound.seconds;
  } else {
    known = std::move(better);
  }
}

void report_certificate(Run& run, Method method) {
  improve_certificate(run, method);
  run.report(run.certificate.bound);
  run.solution.line = run.certificate.line;
}

void approximate(Run& run, Method method) {
  TractableLimits limits;
  limits.search = run.search_limits(method);
  run.report(tractable_bound(run.problem, limits));
}

void report_raravi(Run& run, Method) { run.report(raravi_bound(run.problem, run.options.roles)); }

// A schedule that a program has found was checked in integers, whatever else GLPK reports.
void report_program(Run& run, Method method, IlpResult result) {
  const std::optional<Bound> found = result.bound.kind == Kind::exact || !result.lower ? result.bound : result.lower;
  if (result.schedule && found->makespan) {
    run.raise_lower(*found->makespan);
    run.offer(std::move(result.schedule), *found->makespan, method);
  }
  run.list_result(std::move(result.bound));
  if (result.lower) run.list_result(std::move(*result.lower));
}

void solve_count_program(Run& run, Method method) {
  CountIlpOptions options;
  options.known_bound = run.solution.upper;
  report_program(run, method, count_ilp(run.problem, run.program_limits(method), options));
}

template <WorkConservation rows>
void solve_published_program(Run& run, Method method) {
  PublishedIlpOptions options;
  options.work_conservation = rows;
  options.horizon = run.options.horizon;
  options.known_bound = run.solution.upper;
  report_program(run, method, published_ilp(run.problem, run.program_limits(method), options));
}

// --- The table.

using enum MethodRow::Needs;

constexpr auto rows = std::to_array<MethodRow>({
    // The longest of the simulated schedules: a lower bound.
    {.name = "witness", .work = "simulated schedules", .needs = simulation, .run = report_witness},
    {.name = "exact", .work = "exact search", .needs = simulation, .run = search},
    {.name = "certificate", .is_slow = true, .needs = certificate, .run = report_certificate},
    {.name = "list", .run = report_list},
    // Equations 5-7 of the paper, its approximation (42-43), and its finishing time of one program shape.
    {.name = "published", .run = report_bound<published_bound>},
    {.name = "tractable", .asked_with = "published", .for_target = false, .run = approximate},
    {.name = "raravi", .asked_with = "published", .run = report_raravi},
    // The integer program that counts workers.
    {.name = "ilp-count",
     .work = "integer program ilp-count",
     .by_default = false,
     .for_target = false,
     .is_slow = true,
     .needs = certificate,
     .run = solve_count_program},
    // The published integer program, with short and with long rows.
    {.name = "ilp",
     .work = "integer program ilp",
     .by_default = false,
     .for_target = false,
     .is_slow = true,
     .run = solve_published_program<WorkConservation::short_rows>},
    {.name = "ilp-long",
     .work = "integer program ilp-long",
     .by_default = false,
     .for_target = false,
     .is_slow = true,
     .run = solve_published_program<WorkConservation::long_rows>},
});

}  // namespace

// A name that no row has does not compile.
consteval Method Method::named(std::string_view name) {
  size_t i = 0;
  while (rows.at(i).name != name) ++i;
  return Method(i);
}

constinit const Method Method::witness = named("witness");
constinit const Method Method::exact = named("exact");
constinit const Method Method::certificate = named("certificate");
constinit const Method Method::list = named("list");
constinit const Method Method::published = named("published");
constinit const Method Method::tractable = named("tractable");
constinit const Method Method::raravi = named("raravi");
constinit const Method Method::ilp_count = named("ilp-count");
constinit const Method Method::ilp = named("ilp");
constinit const Method Method::ilp_long = named("ilp-long");

const MethodRow& Method::row() const { return rows[index_]; }

const std::vector<Method>& all_methods() {
  static const std::vector<Method> methods = [] {
    std::vector<Method> all;
    for (size_t i = 0; i < rows.size(); ++i) all.push_back(Method(i));
    return all;
  }();
  return methods;
}

std::optional<Method> find_method(std::string_view name) {
  for (const Method method : all_methods()) {
    if (to_string(method) == name) return method;
  }
  return std::nullopt;
}

std::string_view to_string(Method method) { return method.row().name; }

}  // namespace warpspan::solver
