// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/run.hpp"

#include <algorithm>
#include <utility>

namespace warpspan::solver {

Run::Run(const StringProblem& of_problem, const SolveOptions& with_options)
    : problem(of_problem), options(with_options), deadline_(with_options.seconds, with_options.cancel) {}

bool Run::wants(Method method) const {
  return std::find(options.methods.begin(), options.methods.end(), method) != options.methods.end();
}

const Certificate* Run::known_certificate() const {
  return certificate.certificate ? &*certificate.certificate : nullptr;
}

double Run::share(Method method) const {
  const auto behind = std::count_if(all_methods().begin(), all_methods().end(), [&](Method other) {
    return other > method && other.row().is_slow && wants(other);
  });
  return std::max(0.0, options.seconds - deadline_.elapsed()) / static_cast<double>(1 + behind);
}

CertificateLimits Run::certificate_limits(Method method) const {
  CertificateLimits limits;
  limits.seconds = share(method);
  limits.cancel = options.cancel;
  return limits;
}

SearchLimits Run::search_limits(Method method) const {
  SearchLimits limits;
  limits.memory = options.memory;
  limits.seconds = share(method);
  limits.threads = options.threads;
  limits.cancel = options.cancel;
  return limits;
}

ProgramLimits Run::program_limits(Method method) const { return {share(method), options.memory, options.cancel}; }

void Run::show(Method method, std::optional<double> fraction) const {
  if (options.progress) options.progress({method, fraction, solution.lower, solution.upper});
}

void Run::consider(const Bound& bound) {
  if (!bound.makespan) return;
  const int64_t makespan = *bound.makespan;
  if (bound.safe && (!solution.upper || makespan < *solution.upper)) solution.upper = makespan;
  if (bound.kind == Kind::lower || bound.kind == Kind::exact) raise_lower(makespan);
}

void Run::raise_lower(int64_t makespan) {
  if (!solution.lower || makespan > *solution.lower) solution.lower = makespan;
}

void Run::offer(std::optional<Schedule> schedule, int64_t makespan, Method method) {
  if (!options.schedule || !schedule || makespan <= longest_schedule_) return;
  longest_schedule_ = makespan;
  solution.schedule = std::move(schedule);
  solution.schedule_by = method;
}

void Run::list_result(Bound bound) { solution.results.push_back(std::move(bound)); }

void Run::report(Bound bound) {
  consider(bound);
  list_result(std::move(bound));
}

}  // namespace warpspan::solver
