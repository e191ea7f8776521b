// SPDX-License-Identifier: GPL-3.0-or-later
// Certificates made to deceive: each would prove a bound below a makespan if one rule of the check were left out.
#include <catch2/catch.hpp>
#include <random>

#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/certificate/verify.hpp"
#include "tests/solver/strings/certificate/verify_mutants.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

constexpr std::nullopt_t none = std::nullopt;
constexpr uint32_t in_l = 1, in_c = 2;  // sets of contexts
const char* const too_little = "a step lowers the potential by less than 1";

std::string complaint(const Certificate& certificate) {
  const auto line = verify_certificate(certificate);
  return line ? "" : line.errors().front().message;
}

// Weights of others such that the sum over the moves, each made `times` times, is 1 modulo 2^64.
bool set_wrapping_weights(Certificate& certificate, const std::vector<uint64_t>& times, MutationRandom& random) {
  uint64_t sum = 0;
  size_t once = times.size();  // a move that is made once
  for (size_t i = 0; i < times.size(); ++i) {
    certificate.moves[i].other = static_cast<int64_t>(1 + (random() >> 2));
    if (times[i] == 1) {
      once = i;
    } else {
      sum += times[i] * static_cast<uint64_t>(certificate.moves[i].other);
    }
  }
  if (once == times.size()) return false;
  const uint64_t last = 1 - sum;
  certificate.moves[once].other = static_cast<int64_t>(last);
  return certificate.moves[once].other > 0;
}

}  // namespace

// CL, one server each. In the view of L a worker is worth 10 more, so that moves out of L may weigh -9; that view
// takes over from that of C at the first step, and all workers that wait gain 10. "-9W + 31".
TEST_CASE("workers that wait do not gain where views give way") {
  Certificate certificate;
  certificate.string = letters("CL");
  certificate.servers = {1, 1};
  certificate.contexts = {{0}, {1}};
  certificate.moves = {{0, finished, -9, 1}, {1, 0, 0, 1}};
  certificate.views = {{{10, 10}}, {{0, 0}}};
  certificate.patterns = {{0, 0, {0, none}},     {0, in_l, {0, none}},        {0, in_l | in_c, {0, none}},
                          {1, 0, {none, 0}},     {1, in_l, {-1, none}},       {1, in_c, {none, 20}},
                          {finished, 0, {0, 0}}, {1, in_l | in_c, {-1, none}}};
  CHECK(complaint(certificate) == "an offset grows where a view gives way to another one");
  for (auto& view : certificate.views) view.offsets = {0, 0};
  CHECK(complaint(certificate) == too_little);
}

// L, two servers. As if all but one of many waiting workers were gone after one cycle. "2".
TEST_CASE("where workers stay they are not known to be few") {
  Certificate certificate;
  certificate.string = letters("L");
  certificate.servers = {2};
  certificate.contexts = {{0}};
  certificate.moves = {{0, finished, 0, 0}};
  certificate.views = {{{0}}};
  certificate.tells_few = true;
  certificate.least_workers = 3;
  certificate.patterns = {{0, in_l, {2}, 0}, {0, in_l, {1}, 1}, {0, 0, {1}, 0}, {finished, 0, {0}, 0}};
  CHECK(complaint(certificate) == too_little);
  // The same, with the pattern that it forgets left out.
  certificate.patterns = {{0, in_l, {1}, 1}, {0, 0, {1}, 0}, {finished, 0, {0}, 0}};
  CHECK(complaint(certificate) == "the start pattern is missing");
  certificate.least_workers = certificate.most_workers = 2;
  CHECK(*verify_certificate(certificate) == Line{{0, 1}, {1, 1}, 2, 2});  // two workers at once
  certificate.most_workers = 3;
  CHECK(complaint(certificate) == "the number of workers does not tell whether they are few at the start");
}

// What holds for two workers, with weights that forget the second one, is not said of three.
TEST_CASE("a certificate for few workers does not hold for more") {
  int limited = 0;
  for (const char* text : {"LL", "LCCC", "SL", "SLC", "SSLL", "LSCLC"}) {
    for (int64_t workers = 2; workers <= 3; ++workers) {
      const auto found = certificate_bound(problem(text, workers, {2, 1, 2})).certificate;
      if (!found || found->most_workers != workers) continue;
      ++limited;
      Certificate certificate = *found;
      for (++certificate.most_workers; certificate.most_workers < 9; ++certificate.most_workers) {
        INFO(text << " " << workers << " " << certificate.most_workers);
        CHECK_FALSE(verify_certificate(certificate).ok());
      }
    }
  }
  CHECK(limited >= 4);
}

// LC, one server each. The end's potential in the view that does not count there, or the start's.
TEST_CASE("views that do not count at the ends lower no bound") {
  const Certificate plain = plain_certificate(letters("LC"), {1, 1});
  const Line line = *verify_certificate(plain);
  CHECK(line == Line{{2, 1}, {0, 1}});
  const auto with = [&](int followed, uint32_t others, size_t view, int64_t potential) {
    Certificate certificate = plain;
    for (auto& pattern : certificate.patterns) {
      if (pattern.followed == followed && pattern.others == others) pattern.potentials[view] = potential;
    }
    return verify_certificate(certificate);
  };
  CHECK(*with(finished, 0, 0, 100) == line);
  CHECK_FALSE(with(finished, 0, 1, 100));
  CHECK(with(finished, 0, 0, -100)->intercept.numerator == 100);
  CHECK(*with(0, in_l, 1, -100) == line);
  CHECK_FALSE(with(0, in_l, 0, -100));
}

// LLC: v alone before the last L, and before C, are left out. They lead to the end.
TEST_CASE("patterns that lead to the end cannot be left out one after another") {
  Certificate certificate = plain_certificate(letters("LLC"), {1, 1}, 2);
  REQUIRE(verify_certificate(certificate).ok());
  std::erase_if(certificate.patterns, [](const auto& pattern) { return pattern.followed > 0 && pattern.others == 0; });
  CHECK(complaint(certificate) == "a potential that a schedule can meet is missing");
  std::erase_if(certificate.patterns, [](const auto& pattern) { return pattern.others == 0 && pattern.followed >= 0; });
  CHECK(complaint(certificate) == "a potential that a schedule can meet is missing");
}

TEST_CASE("contexts are either all merged or all plain") {
  Certificate certificate = plain_certificate(letters("LLC"), {1, 1}, 2, ContextForm::merged);
  REQUIRE(verify_certificate(certificate).ok());
  for (auto& context : certificate.contexts) {
    if (context == std::vector<int>{0, other_class}) context[1] = 1;
  }
  CHECK_FALSE(verify_certificate(certificate).ok());
}

// (L2C2S2)^N: each move N times but for the way back, N - 1 times, and the last one.
TEST_CASE("weights whose sum is small modulo 2^64 prove nothing") {
  MutationRandom random(3);
  int forged = 0;
  for (const uint64_t n : {uint64_t{3}, uint64_t{5}, uint64_t{1000}, uint64_t{1} << 31, uint64_t{1} << 60}) {
    const String round{symbol('L', 2), symbol('C', 2), symbol('S', 2)};
    Certificate certificate = plain_certificate({group(round, static_cast<int64_t>(n))}, {1, 1, 1});
    REQUIRE(certificate.moves.size() == 7);
    for (int i = 0; i < 20; ++i) {
      if (!set_wrapping_weights(certificate, {n, n, n, n, 1, n - 1, n}, random)) continue;
      ++forged;
      CHECK(complaint(certificate) == "a number on the way to the bound exceeds 2^63 - 1");
      for (auto& move : certificate.moves) move.followed = move.other;
      CHECK(complaint(certificate) == "a number on the way to the bound exceeds 2^63 - 1");
    }
  }
  CHECK(forged > 20);
}

TEST_CASE("strings whose length is small modulo 2^64 prove nothing") {
  const String round{symbol('L'), symbol('C')};
  const auto powers = [&](std::initializer_list<int> exponents) {
    String string = round;
    for (const int exponent : exponents) string = {group(std::move(string), int64_t{1} << exponent)};
    return plain_certificate(string, {1, 1});
  };
  CHECK(*verify_certificate(powers({30, 30})) == Line{{int64_t{1} << 61, 1}, {0, 1}});
  for (const auto& exponents : {std::initializer_list<int>{32, 32}, {62}, {31, 31}, {62, 62, 62}, {21, 21, 21, 1}}) {
    CHECK(complaint(powers(exponents)) == "the string has more than 2^63 - 1 symbols");
  }
}
