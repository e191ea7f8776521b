// SPDX-License-Identifier: GPL-3.0-or-later
// The check of certificates under attack: whatever passes, its line is nowhere below a makespan that exists.
#include "tests/solver/strings/certificate/verify_mutants.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/certificate/verify.hpp"
#include "solver/strings/schedules/string.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/problems.hpp"
#include "tests/thinned.hpp"

using namespace warpspan::solver;

namespace {

using warpspan::support::Integer;

// A makespan that no bound may be below: the worst one of small problems, of others what each class needs at least.
class Truth {
 public:
  using Value = warpspan::support::WideInteger::Value;

  Value least_bound(const StringProblem& problem) {
    const auto symbols = expand(problem.string, 8);
    if (!symbols || problem.workers > 5) return what_classes_need(problem);
    std::vector<int64_t> key(symbols->begin(), symbols->end());
    key.push_back(-problem.workers);
    for (const int symbol : *symbols) key.push_back(problem.servers[static_cast<size_t>(symbol)]);
    const auto [known, is_new] = exact_.try_emplace(key);
    if (is_new) known->second = exact_search(problem, {.threads = 1}).bound.makespan.value();
    return known->second;
  }

 private:
  // The problem's length has 63 bits, as have the workers: no product here exceeds 127.
  static Value what_classes_need(const StringProblem& problem) {
    const SymbolCounts counts = count_symbols(problem.string, problem.servers.size());
    Value least = counts.length.value().value();
    for (size_t k = 0; k < counts.of_class.size(); ++k) {
      const Value servers = problem.servers[k];
      least = std::max(least, (Value{*counts.of_class[k].value()} * problem.workers + servers - 1) / servers);
    }
    return least;
  }

  std::map<std::vector<int64_t>, int64_t> exact_;
};

struct Attack {
  int mutants = 0, passed = 0, improved = 0;
  Truth truth;

  // The line for a few numbers of workers, or nothing if the check refuses.
  std::optional<std::vector<int64_t>> values(const Certificate& certificate) {
    ++mutants;
    const auto line = verify_certificate(certificate);
    if (!line) return std::nullopt;
    ++passed;
    std::vector<int64_t> all;
    for (const int64_t above : {0, 1, 2, 3, 60}) {
      const auto workers = (Integer(certificate.least_workers) + Integer(above)).value();
      if (!workers || *workers > certificate.most_workers) break;
      const StringProblem instance{certificate.string, *workers, certificate.servers};
      const auto value = makespan_on(*line, *workers).value();
      if (!value) continue;
      const auto least = truth.least_bound(instance);
      INFO(describe(certificate) << ", " << *workers << " workers, " << *value << " cycles");
      REQUIRE(*value >= least);
      all.push_back(*value);
    }
    return all;
  }

  static std::string describe(const Certificate& certificate) {
    std::string text;
    for (const Term& term : certificate.string) {
      text += term.body.empty() ? std::string(1, "LCS"[term.symbol]) : "(...)";
      if (term.repeat > 1) text += "^" + std::to_string(term.repeat);
    }
    for (const int64_t servers : certificate.servers) text += " " + std::to_string(servers);
    return text;
  }

  // Changes what passes again and again, and keeps a change that makes the bound no larger: what there is to gain from
  // a hole in the check is found step by step.
  void descend(Certificate certificate, int steps, MutationRandom& random) {
    auto best = values(certificate);
    REQUIRE(best);
    for (int i = 0; i < steps; ++i) {
      Certificate changed = certificate;
      for (size_t left = 1 + any(random, 3); left > 0; --left) Mutation(random).apply(changed);
      const auto found = values(changed);
      if (!found || found->empty() || found->front() > best->front()) continue;
      improved += found->front() < best->front() ? 1 : 0;
      certificate = std::move(changed);
      best = found;
    }
  }
};

String any_string(MutationRandom& random) {
  std::string text;
  for (size_t length = 2 + any(random, 4); text.size() < length;) text += "LCS"[any(random, 3)];
  if (any(random, 4) != 0) return letters(text);
  return {group(letters(text.substr(0, 2)), 2), group(letters(text), 1)};
}

std::vector<Certificate> any_certificates(MutationRandom& random) {
  const auto servers = [&] { return 1 + static_cast<int64_t>(any(random, 3)); };
  const StringProblem problem{
      any_string(random), 2 + static_cast<int64_t>(any(random, 4)), {servers(), servers(), servers()}};
  CertificateLimits limits;
  limits.longest_context = 2;
  limits.steps = 500'000;
  const auto form = any(random, 2) == 0 ? ContextForm::plain : ContextForm::merged;
  std::vector<Certificate> all{plain_certificate(problem.string, problem.servers, 1 + any(random, 2), form)};
  if (auto found = certificate_bound(problem, limits).certificate) all.push_back(std::move(*found));
  return all;
}

Attack attack(uint64_t seed, int problems, int steps) {
  MutationRandom random(seed);
  Attack attack;
  for (int i = 0; i < problems; ++i) {
    for (Certificate& certificate : any_certificates(random)) {
      if (certificate.contexts.size() <= 6) attack.descend(std::move(certificate), steps, random);
    }
  }
  CHECK(attack.passed > attack.mutants / 20);
  CHECK(attack.mutants > 3 * attack.passed / 2);
  CHECK(attack.improved > problems / 10);
  return attack;
}

}  // namespace

TEST_CASE("changed certificates that pass hold") {
  attack(warpspan::test::first_seed(34, 160), warpspan::test::thinned_seeds(160), 150);
}

TEST_CASE("very many changed certificates", "[.mutants]") {
  for (uint64_t seed = 1000; seed < 1020; ++seed) {
    const Attack found = attack(seed, 200, 400);
    WARN(found.mutants << " certificates, " << found.passed << " passed, " << found.improved << " smaller bounds");
  }
}
