// SPDX-License-Identifier: GPL-3.0-or-later
// All ways to a value agree on small problems.
#include <catch2/catch.hpp>
#include <random>

#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/bounds/published_bound.hpp"
#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/programs/count_ilp.hpp"
#include "solver/strings/programs/published_ilp.hpp"
#include "solver/strings/schedules/string.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "solver/strings/solve.hpp"
#include "solver/strings/witness/witness.hpp"
#include "tests/solver/strings/brute_force.hpp"
#include "tests/solver/strings/problems.hpp"
#include "tests/solver/strings/vectors.hpp"
#include "tests/thinned.hpp"

using namespace warpspan::solver;

namespace {

// With sanitizers less work on each problem, too.
constexpr size_t certificate_steps = warpspan::test::taken_one_in > 1 ? 1'000'000 : CertificateLimits{}.steps;

struct Instance {
  std::string text;
  size_t workers;
  std::vector<int64_t> servers;

  StringProblem problem() const { return warpspan::solver::problem(text, static_cast<int64_t>(workers), servers); }
};

std::ostream& operator<<(std::ostream& out, const Instance& instance) {
  out << instance.text << " with " << instance.workers << " workers, servers";
  for (const int64_t servers : instance.servers) out << ' ' << servers;
  return out;
}

// All strings of up to five symbols over two classes, up to four workers, up to two servers a class.
std::vector<Instance> all_small() {
  std::vector<Instance> all;
  for (const std::string& text : two_class_strings(5)) {
    for (size_t workers = 1; workers <= 4; ++workers) {
      for (int64_t l = 1; l <= 2; ++l) {
        for (int64_t c = 1; c <= 2; ++c) all.push_back({text, workers, {l, c}});
      }
    }
  }
  return warpspan::test::thinned(all);
}

std::string random_text(std::mt19937& random, size_t length) {
  std::string text;
  while (text.size() < length) text += "LCS"[random() % 3];
  return text;
}

std::vector<Instance> random_three_classes(size_t count, size_t longest, size_t most_workers, int64_t most_servers) {
  std::mt19937 random(1971);
  const auto up_to = [&](auto most) { return 1 + static_cast<decltype(most)>(random() % static_cast<uint64_t>(most)); };
  std::vector<Instance> all;
  while (all.size() < count) {
    const std::string text = random_text(random, up_to(longest));
    const size_t workers = up_to(most_workers);
    all.push_back({text, workers, {up_to(most_servers), up_to(most_servers), up_to(most_servers)}});
  }
  return warpspan::test::thinned(all);
}

WitnessLimits quick() {
  WitnessLimits limits;
  limits.effort = 1'000'000;
  return limits;
}

// Exact search is brute force, no safe bound is below it, no schedule above, and everything together finds it.
void require_agreement(const Instance& instance) {
  INFO(instance);
  const StringProblem problem = instance.problem();
  const int64_t worst = brute_force(instance.text, instance.workers, instance.servers);
  REQUIRE(exact_search(problem).bound.makespan == worst);
  REQUIRE(list_bound(problem).makespan.value() >= worst);
  CertificateLimits limits;
  limits.steps = certificate_steps;
  REQUIRE(certificate_bound(problem, limits).bound.makespan.value() >= worst);
  const Bound published = published_bound(problem);
  REQUIRE((!published.safe || published.makespan.value() >= worst));
  REQUIRE(find_witness(problem, nullptr, quick()).bound.makespan.value() <= worst);
  SolveOptions options;
  options.methods = {Method::witness, Method::exact};
  options.schedule = true;
  const auto solution = solve(problem, options);
  REQUIRE(solution.ok());
  REQUIRE(solution->lower == worst);
  REQUIRE(solution->upper == worst);
  REQUIRE(solution->results.back().makespan == worst);
  REQUIRE(solution->schedule.has_value());
  REQUIRE(makespan_of(*solution->schedule, expand(problem.string, 1000).value(), problem.servers) == worst);
}

void require_count_program(const Instance& instance) {
  INFO(instance);
  const StringProblem problem = instance.problem();
  CountIlpOptions options;
  options.known_bound = certificate_bound(problem).bound.makespan;
  const IlpResult result = count_ilp(problem, {60}, options);
  REQUIRE(result.bound.status == Status::optimal);
  REQUIRE(result.bound.makespan == exact_search(problem).bound.makespan);
}

// Whether the program came to its end; the values hold in any case.
bool require_published_program(const Instance& instance, WorkConservation form, double seconds) {
  INFO(instance);
  const StringProblem problem = instance.problem();
  const int64_t worst = exact_search(problem).bound.makespan.value();
  PublishedIlpOptions options;
  options.work_conservation = form;
  options.known_bound = certificate_bound(problem).bound.makespan;
  const IlpResult result = published_ilp(problem, {seconds}, options);
  if (result.bound.status == Status::optimal) {
    REQUIRE(result.bound.makespan == worst);
    return true;
  }
  REQUIRE(result.bound.status == Status::time_limit);
  REQUIRE(result.bound.makespan.value_or(worst) >= worst);
  if (result.lower) REQUIRE(result.lower->makespan.value() <= worst);
  return false;
}

}  // namespace

TEST_CASE("all strings of up to five symbols over two classes") {
  for (const Instance& instance : all_small()) require_agreement(instance);
}

// The hard ones by themselves, so that they run beside the others.
TEST_CASE("the count program on all strings of up to five symbols over two classes: the small ones") {
  for (const Instance& instance : all_small()) {
    if (instance.text.size() < 5 || instance.workers < 4) require_count_program(instance);
  }
}

TEST_CASE("the count program on all strings of up to five symbols over two classes: the largest that begin with L") {
  for (const Instance& instance : all_small()) {
    if (instance.text.size() == 5 && instance.workers == 4 && instance.text[0] == 'L') require_count_program(instance);
  }
}

TEST_CASE("the count program on all strings of up to five symbols over two classes: the largest that begin with C") {
  for (const Instance& instance : all_small()) {
    if (instance.text.size() == 5 && instance.workers == 4 && instance.text[0] == 'C') require_count_program(instance);
  }
}

TEST_CASE("the published program on strings of up to four symbols over two classes") {
  for (const Instance& instance : all_small()) {
    if (instance.text.size() > 4 || instance.text.size() + instance.workers > 6) continue;
    REQUIRE(require_published_program(instance, WorkConservation::short_rows, 60));
    if (instance.text.size() + instance.workers > 5) continue;
    REQUIRE(require_published_program(instance, WorkConservation::long_rows, 60));
  }
}

// Most of an hour: some programs do not come to their end. What they have found by then holds.
void require_published_program_on_all(WorkConservation form) {
  size_t ended = 0;
  const auto all = all_small();
  for (const Instance& instance : all) ended += require_published_program(instance, form, 5) ? 1 : 0;
  WARN(ended << " of " << all.size() << " ended within 5 s each");
}

TEST_CASE("the published program with short rows on all strings of up to five symbols over two classes", "[.slow]") {
  require_published_program_on_all(WorkConservation::short_rows);
}

TEST_CASE("the published program with long rows on all strings of up to five symbols over two classes", "[.slow]") {
  require_published_program_on_all(WorkConservation::long_rows);
}

TEST_CASE("random strings over three classes") {
  for (const Instance& instance : random_three_classes(400, 7, 5, 3)) require_agreement(instance);
}

TEST_CASE("the count program on random strings over three classes") {
  for (const Instance& instance : random_three_classes(60, 5, 4, 2)) require_count_program(instance);
}

TEST_CASE("all methods agree with the vectors of exact makespans") {
  SolveOptions options;
  options.methods = {Method::witness, Method::exact, Method::certificate, Method::list};
  options.thorough = false;
  for (const Vector& vector : warpspan::test::thinned(exact_makespans())) {
    INFO(vector.row);
    const auto solution = solve(vector.problem, options);
    REQUIRE(solution.ok());
    REQUIRE(solution->lower == vector.makespan);
    REQUIRE(solution->upper == vector.makespan);
    REQUIRE(solution->results[1].makespan == vector.makespan);
    REQUIRE(solution->results[2].makespan.value() >= vector.makespan);
    REQUIRE(solution->results[3].makespan.value() >= vector.makespan);
  }
}

// Two or three workers need two bits a count: strings of more than 32, 64, 128 and 256 symbols take 2, 4, 8 and 16
// words.
TEST_CASE("states of every number of words") {
  std::mt19937 random(42);
  for (const size_t length : {31, 32, 33, 40}) require_agreement({random_text(random, length), 3, {1, 2, 1}});
  for (const size_t length : {64, 65, 128, 129, 256, 257, 300}) {
    require_agreement({random_text(random, length), 2, {1, 1, 1}});
  }
}
