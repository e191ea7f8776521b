// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/verify.hpp"

#include <catch2/catch.hpp>

#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/certificate/contexts.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

// Of the string L with one server: W cycles. Others weigh 1 a symbol, the followed worker too.
Certificate of_one_symbol() {
  Certificate certificate;
  certificate.string = letters("L");
  certificate.servers = {1};
  certificate.contexts = {{0}};
  certificate.moves = {{0, finished, 1, 1}};
  certificate.views = {{{0}}};
  certificate.patterns = {{0, 1, {1}}, {0, 0, {1}}, {finished, 0, {1}}};
  return certificate;
}

std::string complaint(const Certificate& certificate) {
  const auto line = verify_certificate(certificate);
  return line ? "" : line.errors().front().message;
}

}  // namespace

TEST_CASE("a certificate that holds proves its line") {
  const auto line = verify_certificate(of_one_symbol());
  REQUIRE(line.ok());
  CHECK(*line == Line{{1, 1}, {0, 1}});
  CHECK(makespan_on(*line, 7) == 7);
}

TEST_CASE("a line's value is rounded down") {
  CHECK(makespan_on({{5, 2}, {7, 3}}, 3) == 9);    // 59 / 6
  CHECK(makespan_on({{1, 2}, {-7, 1}}, 3) == -6);  // -11 / 2
  CHECK(makespan_on({{INT64_MAX, 1}, {1, 1}}, 2).overflowed());
  CHECK(makespan_on({{INT64_MAX, INT64_MAX - 1}, {INT64_MAX, INT64_MAX - 2}}, INT64_MAX).overflowed());
  CHECK(makespan_on({{1, INT64_MAX}, {-INT64_MAX, 1}}, INT64_MAX) == 1 - INT64_MAX);
}

TEST_CASE("weights and potentials that are too small are found") {
  Certificate certificate = of_one_symbol();
  certificate.moves[0].other = 0;
  CHECK(complaint(certificate) == "a step lowers the potential by less than 1");
  certificate = of_one_symbol();
  certificate.moves[0].followed = 0;
  CHECK(complaint(certificate) == "a step lowers the potential by less than 1");
  certificate = of_one_symbol();
  certificate.patterns[0].potentials = {0};
  CHECK(complaint(certificate) == "a step lowers the potential by less than 1");
  certificate = of_one_symbol();
  certificate.denominator = 2;
  CHECK(complaint(certificate) == "a step lowers the potential by less than 1");
}

// The bound of LLCLL is exact, so nothing that makes it smaller can hold.
TEST_CASE("every weight of an optimal certificate is needed") {
  const Certificate optimal = certificate_bound(problem("LLCLL", 9, {1, 1})).certificate.value();
  REQUIRE(verify_certificate(optimal).ok());
  for (size_t i = 0; i < optimal.moves.size(); ++i) {
    Certificate certificate = optimal;
    --certificate.moves[i].other;
    CHECK(complaint(certificate) == "a step lowers the potential by less than 1");
    certificate = optimal;
    --certificate.moves[i].followed;
    CHECK(complaint(certificate) == "a step lowers the potential by less than 1");
  }
  for (size_t i = 0; i < optimal.patterns.size(); ++i) {
    Certificate certificate = optimal;
    certificate.patterns.erase(certificate.patterns.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_FALSE(verify_certificate(certificate).ok());
  }
}

TEST_CASE("missing patterns are found") {
  Certificate certificate = of_one_symbol();
  certificate.patterns = {{0, 1, {1}}, {finished, 0, {1}}};
  CHECK(complaint(certificate) == "a potential that a schedule can meet is missing");
  certificate.patterns = {{0, 1, {1}}, {0, 0, {1}}};
  CHECK(complaint(certificate) == "the end pattern is missing");
  certificate.patterns = {{0, 0, {1}}, {finished, 0, {1}}};
  CHECK(complaint(certificate) == "the start pattern is missing");
  certificate.patterns = {{0, 1, {1}}, {0, 1, {1}}};
  CHECK(complaint(certificate) == "a pattern is listed twice");
  certificate.patterns = {{0, 2, {1}}};
  CHECK(complaint(certificate) == "a pattern has a context that is not listed");
}

// Of the string L with two servers: ceil(W / 2) cycles.
TEST_CASE("a certificate that tells where workers are few") {
  Certificate certificate = of_one_symbol();
  certificate.servers = {2};
  certificate.tells_few = true;
  certificate.least_workers = 3;
  certificate.patterns = {{0, 1, {1}, 0}, {0, 1, {0}, 1}, {0, 0, {1}, 0}, {finished, 0, {0}, 0}};
  certificate.denominator = 2;
  CHECK(*verify_certificate(certificate) == Line{{1, 2}, {1, 2}, 3});
  // What one worker beside the followed one does not know of.
  Certificate wrong = certificate;
  wrong.patterns[1].potentials = {-1};
  CHECK(complaint(wrong) == "a step lowers the potential by less than 1");
  wrong = certificate;
  wrong.patterns.erase(wrong.patterns.begin() + 1);
  CHECK(complaint(wrong) == "a potential that a schedule can meet is missing");
  wrong = certificate;
  wrong.tells_few = false;
  CHECK(complaint(wrong) == "a pattern tells that workers are few where they cannot be");
  wrong = certificate;
  wrong.patterns[1].few = 2;
  CHECK(complaint(wrong) == "a pattern tells that workers are few where they cannot be");
  wrong = certificate;
  wrong.least_workers = 2;
  CHECK(complaint(wrong) == "the number of workers does not tell whether they are few at the start");
  wrong.least_workers = 1;
  CHECK(complaint(wrong) == "the fewest workers are below 2");
  wrong.least_workers = 4;
  wrong.most_workers = 3;
  CHECK(complaint(wrong) == "the most workers are fewer than the fewest");
  wrong.least_workers = wrong.most_workers = 2;
  CHECK(*verify_certificate(wrong) == Line{{1, 2}, {0, 1}, 2, 2});
  wrong.servers.resize(9, 1);
  CHECK(complaint(wrong) == "a certificate that tells few workers has too many classes");
}

TEST_CASE("contexts and moves that are not the string's are found") {
  Certificate certificate = of_one_symbol();
  certificate.string = letters("LL");
  CHECK(complaint(certificate) == "the moves are not those of the string");
  certificate.string = letters("LC");
  CHECK(complaint(certificate) == "symbol 1 of the string is none of the 1 classes");
  certificate.servers = {1, 1};
  CHECK(complaint(certificate) == "a position of the string has none of the contexts");
  certificate = of_one_symbol();
  certificate.moves[0].to = 0;
  CHECK(complaint(certificate) == "the moves are not those of the string");
  certificate.moves.clear();
  CHECK(complaint(certificate) == "the moves are not those of the string");
  certificate = of_one_symbol();
  certificate.servers = {1, 1};
  certificate.contexts = {{0}, {1}};
  certificate.views = {{{0, 0}}, {{0, 0}}};
  CHECK(complaint(certificate) == "a context is that of no position of the string");
  certificate = of_one_symbol();
  certificate.contexts = {{1}};
  CHECK(complaint(certificate) == "a context does not begin with a class");
  certificate.contexts = {{0}, {0}};
  CHECK(complaint(certificate) == "the contexts are not in ascending order");
  certificate.contexts = {{0}, {0, 0}};
  CHECK(complaint(certificate) == "contexts have different lengths, or are empty or too long");
  certificate.contexts.clear();
  CHECK(complaint(certificate) == "there are no contexts, or more than 32");
}

TEST_CASE("a certificate outside of what can be checked is refused") {
  Certificate certificate = of_one_symbol();
  certificate.denominator = 0;
  CHECK(complaint(certificate) == "the denominator is below 1");
  certificate = of_one_symbol();
  certificate.servers = {65};
  CHECK(complaint(certificate) == "a class has more servers than the check can follow");
  certificate = of_one_symbol();
  certificate.servers = {0};
  CHECK(complaint(certificate) == "class 0 has 0 servers");
  certificate = of_one_symbol();
  certificate.string = {group({symbol('L', 2), symbol('L')}, int64_t{1} << 62), group(letters("L"), int64_t{1} << 62)};
  certificate.moves = {{0, finished, 1, 1}, {0, 0, 1, 1}};
  CHECK(complaint(certificate) == "the string has more than 2^63 - 1 symbols");
  String deep = letters("LL");
  for (int i = 0; i < 25; ++i) deep = {group(std::move(deep), 2)};
  certificate.string = std::move(deep);
  CHECK(complaint(certificate) == "the string is too long to check");
}

// Many contexts and servers: more sets of contexts than any check could go through.
TEST_CASE("a certificate that is too large is refused in time") {
  Certificate certificate;
  certificate.servers = {64, 1};
  // The numbers from 0 to 31 in binary, each behind an L.
  for (int number = 0; number < 32; ++number) {
    certificate.string.push_back(symbol('L'));
    for (int bit = 0; bit < 5; ++bit) certificate.string.push_back(symbol((number >> bit & 1) == 0 ? 'L' : 'C'));
  }
  const Automaton automaton = make_automaton(count_grams(certificate.string, 5), 4);
  REQUIRE(automaton.contexts.size() <= 32);
  certificate.contexts = automaton.contexts;
  for (const auto& move : automaton.moves) certificate.moves.push_back({move.from, move.to, 1, 1});
  certificate.views.assign(2, {std::vector<int64_t>(automaton.contexts.size(), 0)});
  const auto all = static_cast<uint32_t>((uint64_t{1} << automaton.contexts.size()) - 1);
  certificate.patterns = {
      {automaton.start, all, {0, 0}}, {automaton.start, uint32_t{1} << automaton.start, {0, 0}}, {finished, 0, {0, 0}}};
  CHECK(complaint(certificate) == "the certificate is too large to check");
}
