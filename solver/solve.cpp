// The methods help each other. A certificate guides the simulated schedules and makes the horizon of the counting
// program shorter; a schedule lets the exact search leave out what cannot be longer; and where the longest schedule is
// as long as a safe bound allows, the worst case is known and there is nothing to search. Where a gap is left after the
// search, a certificate is sought again with longer contexts, which can take as long as it likes then.
//
// What is safe here is what integer arithmetic alone has shown: an integer program's optimum rests on GLPK's floating
// point, so it is listed, and its schedule counts, but it is no upper end of the bracket.
#include "solver/solve.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "solver/assumptions.hpp"
#include "solver/bounds/list_bound.hpp"
#include "solver/bounds/published_bound.hpp"
#include "solver/certificate/certificate_bound.hpp"
#include "solver/deadline.hpp"
#include "solver/programs/count_ilp.hpp"
#include "solver/programs/published_ilp.hpp"
#include "solver/search/tractable_bound.hpp"
#include "solver/string.hpp"

namespace warpspan::solver {

namespace {

// Searched in less time than a certificate may take to find.
constexpr int64_t easy_states = 200'000;

// Takes all the time it gets.
constexpr bool is_slow(Method method) { return method == Method::certificate || is_integer_program(method); }

// Of the certificate that is sought where a gap is left.
constexpr size_t thorough_patterns = 500'000;
constexpr size_t thorough_steps = 4'000'000'000;

class Solver {
 public:
  Solver(const StringProblem& problem, const SolveOptions& options)
      : problem_(problem), options_(options), deadline_(options.seconds, options.cancel) {}

  support::Result<Solution> run() {
    const auto counts = validate(problem_);
    if (!counts) return counts.errors();
    list_ = list_bound(problem_);
    consider(list_);
    const bool is_hard = most_states(problem_.workers, counts->length, easy_states) > easy_states;
    if (wants(Method::certificate) || wants(Method::ilp_count) || (is_hard && simulates())) find_certificate();
    if (simulates()) simulate();
    for (const Method method : all_methods) {
      if (wants(method)) run(method);
    }
    return finish();
  }

 private:
  bool wants(Method method) const {
    return std::find(options_.methods.begin(), options_.methods.end(), method) != options_.methods.end();
  }
  bool simulates() const { return wants(Method::witness) || wants(Method::exact) || options_.schedule; }

  // Of the time that is left, what a method may take: each slow one behind it gets as much.
  double share(Method method) const {
    const auto behind = std::count_if(all_methods.begin(), all_methods.end(),
                                      [&](Method other) { return other > method && is_slow(other) && wants(other); });
    return std::max(0.0, options_.seconds - deadline_.elapsed()) / static_cast<double>(1 + behind);
  }

  void begin(Method method, std::optional<double> fraction = {}) const {
    if (options_.progress) options_.progress({method, fraction, solution_.lower, solution_.upper});
  }

  // What a value says about the worst case.
  void consider(const Bound& bound) {
    if (!bound.makespan) return;
    const int64_t makespan = *bound.makespan;
    if (bound.safe && (!solution_.upper || makespan < *solution_.upper)) solution_.upper = makespan;
    if (bound.kind == Kind::lower || bound.kind == Kind::exact) raise_lower(makespan);
  }
  void raise_lower(int64_t makespan) {
    if (!solution_.lower || makespan > *solution_.lower) solution_.lower = makespan;
  }
  void offer(std::optional<Schedule> schedule, int64_t makespan, Method method) {
    if (!options_.schedule || !schedule || makespan <= longest_schedule_) return;
    longest_schedule_ = makespan;
    solution_.schedule = std::move(schedule);
    solution_.schedule_by = method;
  }
  void report(Bound bound) { solution_.results.push_back(std::move(bound)); }

  CertificateLimits certificate_limits() const {
    CertificateLimits limits;
    limits.seconds = share(Method::certificate);
    limits.cancel = options_.cancel;
    return limits;
  }

  void find_certificate() {
    begin(Method::certificate);
    certificate_ = certificate_bound(problem_, certificate_limits());
    consider(certificate_.bound);
  }

  void improve_certificate() {
    if (!options_.thorough || solution_.lower == solution_.upper || !certificate_.bound.makespan) return;
    CertificateLimits limits = certificate_limits();
    limits.patterns = thorough_patterns;
    limits.steps = thorough_steps;
    CertificateResult better = certificate_bound(problem_, limits);
    better.bound.seconds += certificate_.bound.seconds;
    if (!better.bound.makespan || *better.bound.makespan >= *certificate_.bound.makespan) {
      certificate_.bound.seconds = better.bound.seconds;
      return;
    }
    certificate_ = std::move(better);
    consider(certificate_.bound);
  }

  const Certificate* certificate() const { return certificate_.certificate ? &*certificate_.certificate : nullptr; }

  void simulate() {
    begin(Method::witness);
    WitnessLimits limits;
    limits.seconds = share(Method::witness) / 2;  // the rest is for the exact search
    limits.cancel = options_.cancel;
    limits.enough = solution_.upper;
    witness_ = find_witness(problem_, certificate(), limits);
    consider(witness_.bound);
    if (witness_.bound.makespan) {
      offer(std::move(witness_.schedule), *witness_.bound.makespan, Method::witness);
    }
  }

  void run(Method method) {
    begin(method);
    switch (method) {
      case Method::witness: return report(witness_.bound);
      case Method::exact: return search();
      case Method::certificate: improve_certificate(); return report(certificate_.bound);
      case Method::list: return report(list_);
      case Method::published: return report_published(published_bound(problem_));
      case Method::tractable: return approximate();
      case Method::raravi: return report_published(raravi_bound(problem_, options_.roles));
      case Method::ilp_count: return solve_count_program();
      case Method::ilp: return solve_published_program(method, WorkConservation::short_rows);
      case Method::ilp_long: return solve_published_program(method, WorkConservation::long_rows);
    }
  }

  void report_published(Bound bound) {
    consider(bound);
    report(std::move(bound));
  }

  SearchLimits search_limits(double seconds) const {
    SearchLimits limits;
    limits.memory = options_.memory;
    limits.seconds = seconds;
    limits.threads = options_.threads;
    limits.cancel = options_.cancel;
    return limits;
  }

  void search() {
    if (solution_.lower && solution_.lower == solution_.upper) {
      Bound known = list_;
      known.method = to_string(Method::exact);
      known.kind = Kind::exact;
      known.makespan = solution_.lower;
      known.remark = "found without a search: a schedule takes as long as a safe bound allows";
      return report(std::move(known));
    }
    SearchOptions options;
    options.witness = solution_.lower;
    options.certificate = certificate();
    options.schedule = options_.schedule;
    options.progress = [this](double done, int64_t) { begin(Method::exact, done); };
    SearchResult result = exact_search(problem_, search_limits(share(Method::exact)), options);
    solution_.search = result.statistics;
    consider(result.bound);
    if (result.bound.makespan) offer(std::move(result.schedule), *result.bound.makespan, Method::exact);
    report(std::move(result.bound));
  }

  void approximate() {
    TractableLimits limits;
    limits.search = search_limits(share(Method::tractable));
    report_published(tractable_bound(problem_, limits));
  }

  ProgramLimits program_limits(Method method) const { return {share(method), options_.memory, options_.cancel}; }

  void solve_count_program() {
    CountIlpOptions options;
    options.known_bound = solution_.upper;
    report_program(Method::ilp_count, count_ilp(problem_, program_limits(Method::ilp_count), options));
  }

  void solve_published_program(Method method, WorkConservation rows) {
    PublishedIlpOptions options;
    options.work_conservation = rows;
    options.horizon = options_.horizon;
    options.known_bound = solution_.upper;
    report_program(method, published_ilp(problem_, program_limits(method), options));
  }

  // A schedule that a program has found was checked in integers, whatever else GLPK says.
  void report_program(Method method, IlpResult result) {
    const std::optional<Bound> found = result.bound.kind == Kind::exact || !result.lower ? result.bound : result.lower;
    if (result.schedule && found->makespan) {
      raise_lower(*found->makespan);
      offer(std::move(result.schedule), *found->makespan, method);
    }
    report(std::move(result.bound));
    if (result.lower) report(std::move(*result.lower));
  }

  support::Result<Solution> finish() {
    if (solution_.lower && solution_.upper && *solution_.lower > *solution_.upper) return contradiction();
    for (Bound& bound : solution_.results) compare_with_schedules(bound);
    if (wants(Method::certificate)) {
      solution_.certificate = std::move(certificate_.certificate);
      solution_.line = certificate_.line;
    }
    if (wants(Method::witness)) solution_.policies = std::move(witness_.runs);
    return std::move(solution_);
  }

  support::Diagnostic contradiction() const {
    support::Diagnostic error;
    error.cause = support::Cause::internal;
    error.message = "a schedule takes " + std::to_string(*solution_.lower) + " cycles, a safe bound is " +
                    std::to_string(*solution_.upper);
    return error;
  }

  void compare_with_schedules(Bound& bound) const {
    if (!bound.makespan || bound.kind == Kind::lower || !solution_.lower || *bound.makespan >= *solution_.lower) return;
    bound = not_safe(std::move(bound), "below a schedule that takes " + std::to_string(*solution_.lower) + " cycles");
  }

  const StringProblem& problem_;
  const SolveOptions& options_;
  Deadline deadline_;
  Bound list_;
  CertificateResult certificate_;
  WitnessResult witness_;
  int64_t longest_schedule_ = 0;
  Solution solution_;
};

}  // namespace

std::string_view to_string(Method method) {
  switch (method) {
    case Method::witness: return "witness";
    case Method::exact: return "exact";
    case Method::certificate: return "certificate";
    case Method::list: return "list";
    case Method::published: return "published";
    case Method::tractable: return "tractable";
    case Method::raravi: return "raravi";
    case Method::ilp_count: return "ilp-count";
    case Method::ilp: return "ilp";
    case Method::ilp_long: return "ilp-long";
  }
  return "";
}

support::Result<Solution> solve(const StringProblem& problem, const SolveOptions& options) {
  return Solver(problem, options).run();
}

}  // namespace warpspan::solver
