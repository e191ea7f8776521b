// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/certificate_bound.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/certificate/verify.hpp"
#include "solver/strings/search/exact_search.hpp"
#include "tests/solver/strings/problems.hpp"
#include "tests/thinned.hpp"

using namespace warpspan::solver;

namespace {

Line line(int64_t slope, int64_t intercept, int64_t least_workers = 2) {
  return {{slope, 1}, {intercept, 1}, least_workers};
}

StringProblem looped(int64_t rounds) {
  return {{symbol('C'), group({symbol('L', 2), symbol('C')}, rounds), symbol('L')}, 48, {1, 2}};
}

int64_t value(const CertificateResult& result) {
  REQUIRE(result.bound.status == Status::optimal);
  REQUIRE(result.bound.safe);
  return result.bound.makespan.value();
}

// Exact value <= certificate <= list bound, and the certificate's line is what the check finds, for all larger numbers
// of workers that it is for up to `most` too.
void require_bracket(const StringProblem& instance, int64_t most) {
  CertificateLimits limits;
  limits.steps = 4'000'000;
  const CertificateResult result = certificate_bound(instance, limits);
  const int64_t bound = value(result);
  REQUIRE(bound <= list_bound(instance).makespan.value());
  REQUIRE(bound >= exact_search(instance).bound.makespan.value());
  if (instance.workers == 1) return;
  REQUIRE(result.certificate.has_value());
  const auto checked = verify_certificate(*result.certificate);
  REQUIRE(checked.ok());
  REQUIRE(*checked == *result.line);
  REQUIRE(result.certificate->least_workers <= instance.workers);
  REQUIRE(result.certificate->most_workers >= instance.workers);
  most = std::min(most, result.certificate->most_workers);
  for (StringProblem other = instance; other.workers <= most; ++other.workers) {
    REQUIRE(makespan_on(*result.line, other.workers).value() >= exact_search(other).bound.makespan.value());
  }
}

}  // namespace

TEST_CASE("certificates that are exact") {
  const auto proves = [](std::string_view text) {
    const CertificateResult result = certificate_bound(problem(text, 8, {1, 1}));
    REQUIRE(result.line.has_value());
    CHECK(value(result) == makespan_on(*result.line, 8).value());
    CHECK(value(result) == exact_search(problem(text, 8, {1, 1})).bound.makespan.value());
    return *result.line;
  };
  CHECK(proves("LLC") == line(2, 1));
  CHECK(proves("LCLCL") == line(3, 2));
  CHECK(proves("LLCLL") == line(4, 1));
  CHECK(proves("LLLCCC") == line(5, 1));
  CHECK(proves("LLCLLCLL") == line(6, 2));
  // Not without a view for each class.
  CHECK(proves("LCCL") == line(2, 2));
  CHECK(proves("LCCLLC") == line(3, 3));
  CHECK(proves("LLCCLLCC") == line(5, 3));
}

// With patterns that tell where workers are few.
TEST_CASE("certificates for several servers that are exact") {
  const auto proves = [](std::string_view text, std::vector<int64_t> servers) {
    const CertificateResult result = certificate_bound(problem(text, 9, servers));
    REQUIRE(result.certificate.has_value());
    CHECK(result.certificate->tells_few);
    CHECK(result.certificate->least_workers == servers[0] + 1);
    CHECK(value(result) == exact_search(problem(text, 9, servers)).bound.makespan.value());
    return *result.line;
  };
  CHECK(proves("LC", {2, 2}) == Line{{1, 2}, {3, 2}, 3});
  CHECK(proves("LC", {3, 3}) == Line{{1, 3}, {5, 3}, 4});
  CHECK(proves("LCLC", {2, 3}) == line(1, 3, 3));
}

TEST_CASE("certificates for few workers") {
  const CertificateResult two = certificate_bound(problem("SLSLSC", 2, {1, 2, 1}));
  CHECK(value(two) == 7);
  CHECK(two.certificate->most_workers == 2);
  // No more than the servers of the first class: all of them begin at once.
  const CertificateResult started = certificate_bound(problem("LLC", 3, {3, 1}));
  CHECK(value(started) == 5);
  CHECK(started.certificate->most_workers == 3);
}

TEST_CASE("a certificate's value and standing") {
  const Bound bound = certificate_bound(problem("LLCLL", 600, {1, 1})).bound;
  CHECK(bound.method == "certificate");
  CHECK(bound.kind == Kind::upper);
  CHECK(bound.safe);
  CHECK(bound.makespan == 2401);
  CHECK(bound.assumptions ==
        std::vector<std::string>{
            "Each worker executes its symbols in order, at most one per cycle, one cycle each.",
            "In every cycle each class executes for as many workers as are ready for it and it has servers.",
            "All workers start together."});
  CHECK(certificate_bound(problem("LLCLLCLL", 420, {1, 1})).bound.makespan == 2522);
}

TEST_CASE("certificates of loops, however long") {
  CHECK(certificate_bound(looped(20)).bound.makespan == 1989);
  CHECK(certificate_bound(looped(200)).bound.makespan == 19449);
  const CertificateResult result = certificate_bound(looped(1'000'000));
  CHECK(result.bound.makespan == 97'000'049);
  CHECK(*result.line == line(2'000'001, 1'000'001, 3));
  const CertificateResult balanced = certificate_bound({{group(letters("LLCC"), 1'000'000)}, 48, {1, 1}});
  CHECK(*balanced.line == line(2'000'001, 1'999'999));
}

TEST_CASE("a loop and its rounds written out have the same certificate") {
  const StringProblem nested{
      {group({symbol('C'), group({symbol('L', 2), symbol('C')}, 3), symbol('S')}, 4), symbol('L', 5)}, 9, {1, 1, 1}};
  std::string text;
  for (int i = 0; i < 4; ++i) text += "CLLCLLCLLCS";
  const CertificateResult kept = certificate_bound(nested);
  const CertificateResult written = certificate_bound(problem(text + "LLLLL", 9, {1, 1, 1}));
  CHECK(value(kept) == value(written));
  CHECK(*kept.line == *written.line);
}

TEST_CASE("more work gives longer contexts to strings over three classes") {
  const StringProblem instance = problem("LSCSSLLLCLCSSSCCLSLC", 16, {1, 1, 1});
  CertificateLimits limits;
  limits.longest_context = 1;
  const CertificateResult quick = certificate_bound(instance, limits);
  limits.longest_context = 2;
  limits.steps = 150'000'000;
  const CertificateResult thorough = certificate_bound(instance, limits);
  CHECK(value(thorough) < value(quick));
  const auto& contexts = thorough.certificate->contexts;
  CHECK(std::count(contexts.begin(), contexts.end(), std::vector<int>{0, other_class}) == 1);
  CHECK(*verify_certificate(*thorough.certificate) == *thorough.line);
}

TEST_CASE("a single worker, and what is no problem") {
  const CertificateResult alone = certificate_bound(problem("LLC", 1, {1, 1}));
  CHECK(value(alone) == 3);
  CHECK_FALSE(alone.certificate.has_value());
  const CertificateResult none = certificate_bound(problem("", 4, {1, 1}));
  CHECK(none.bound.status == Status::not_applicable);
  CHECK(none.bound.remark == "the string is empty");
  CHECK_FALSE(none.bound.safe);
}

TEST_CASE("a search without time or room falls back to the list bound") {
  CertificateLimits limits;
  limits.seconds = 0;
  const StringProblem instance = problem("LLCLL", 600, {1, 1});
  CHECK(certificate_bound(instance, limits).bound.makespan == 3000);
  limits = {};
  limits.patterns = 2;
  CHECK(certificate_bound(instance, limits).bound.makespan == 3000);
  const std::atomic<bool> cancel = true;
  limits = {};
  limits.cancel = &cancel;
  CHECK(value(certificate_bound(instance, limits)) == 3000);
}

TEST_CASE("a bound that overflows has no value") {
  const StringProblem large{{symbol('L', int64_t{1} << 40)}, int64_t{1} << 40, {1}};
  const CertificateResult result = certificate_bound(large);
  CHECK(result.bound.status == Status::overflow);
  CHECK_FALSE(result.bound.makespan.has_value());
  CHECK_FALSE(result.bound.safe);
}

TEST_CASE("certificates of all strings of up to five symbols over two classes") {
  for (const std::string& text : warpspan::test::thinned(two_class_strings(5))) {
    for (int64_t l = 1; l <= 2; ++l) {
      for (int64_t c = l; c <= 2; ++c) {  // c < l: the same with L and C exchanged
        INFO(text << ", servers " << l << " and " << c);
        // Both kinds: for few workers and for many.
        require_bracket(problem(text, 5, {l, c}), 6);
        for (int64_t workers = 1; workers <= 4 && text.size() < 5; ++workers) {
          require_bracket(problem(text, workers, {l, c}), workers == 2 ? 6 : workers);
        }
      }
    }
  }
}

TEST_CASE("certificates of random strings over three classes") {
  std::mt19937 random(2012);
  const auto servers = [&] { return 1 + static_cast<int64_t>(random() % 3); };
  for (size_t i = 0; i < 60; i += warpspan::test::taken_one_in) {
    std::string text;
    for (size_t length = 1 + random() % 7; text.size() < length;) text += "LCS"[random() % 3];
    const auto workers = 2 + static_cast<int64_t>(random() % 3);
    const std::vector<int64_t> of_class{servers(), servers(), servers()};
    INFO(text << ", " << workers << " workers, servers " << of_class[0] << of_class[1] << of_class[2]);
    require_bracket(problem(text, workers, of_class), workers + 1);
  }
}
