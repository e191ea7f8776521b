// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/certificate/contexts.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "solver/strings/schedules/string.hpp"
#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;

namespace {

// The same by writing the string out.
std::map<Gram, int64_t> counted_plainly(const String& string, size_t length) {
  std::vector<int> symbols = expand(string, 1'000'000).value();
  const size_t positions = symbols.size();
  symbols.resize(positions + length - 1, past_end);
  std::map<Gram, int64_t> counts;
  for (size_t i = 0; i < positions; ++i) {
    const auto begin = symbols.begin() + static_cast<std::ptrdiff_t>(i);
    ++counts[Gram(begin, begin + static_cast<std::ptrdiff_t>(length))];
  }
  return counts;
}

std::map<Gram, int64_t> counted(const String& string, size_t length) {
  std::map<Gram, int64_t> counts;
  for (const auto& [gram, count] : count_grams(string, length).counts) counts[gram] = count.value().value();
  return counts;
}

String random_string(std::mt19937& random, int depth) {
  String string;
  for (size_t terms = 1 + random() % 3; string.size() < terms;) {
    const auto repeat = static_cast<int64_t>(1 + random() % 5);
    if (depth > 0 && random() % 2 == 0) {
      string.push_back(group(random_string(random, depth - 1), repeat));
    } else {
      string.push_back(symbol("LCS"[random() % 3], repeat));
    }
  }
  return string;
}

}  // namespace

TEST_CASE("grams of strings with repetitions are those of the string written out") {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    const String string = random_string(random, 3);
    for (size_t length = 2; length <= 5; ++length) REQUIRE(counted(string, length) == counted_plainly(string, length));
  }
}

TEST_CASE("grams of a loop that could never be written out") {
  const int64_t rounds = 1'000'000'000'000;
  const Grams grams = count_grams({symbol('C'), group({symbol('L', 2), symbol('C')}, rounds), symbol('L')}, 2);
  CHECK(grams.first == Gram{1});
  CHECK(grams.counts.at({0, 0}).value() == rounds);
  CHECK(grams.counts.at({0, 1}).value() == rounds);
  CHECK(grams.counts.at({1, 0}).value() == rounds + 1);
  CHECK(grams.counts.at({0, past_end}).value() == 1);
}

TEST_CASE("contexts and moves of a string") {
  const Automaton automaton = make_automaton(count_grams(letters("LLCLL"), 3), 2);
  CHECK(automaton.contexts == std::vector<Gram>{{0, past_end}, {0, 0}, {0, 1}, {1, 0}});
  CHECK(automaton.start == 1);
  std::vector<std::vector<int64_t>> moves;
  for (const auto& move : automaton.moves) moves.push_back({move.from, move.to, move.count.value().value()});
  CHECK(moves == std::vector<std::vector<int64_t>>{{0, finished, 1}, {1, 0, 1}, {1, 2, 1}, {2, 3, 1}, {3, 1, 1}});
}

TEST_CASE("merged contexts tell only whether symbols are of the first one's class") {
  const Automaton automaton = make_automaton(count_grams(letters("LLCSL"), 3), 2, ContextForm::merged);
  CHECK(automaton.contexts == std::vector<Gram>{{0, other_class}, {0, 0}, {1, other_class}, {2, other_class}});
  CHECK(automaton.start == 1);
  std::vector<std::vector<int64_t>> moves;
  for (const auto& move : automaton.moves) moves.push_back({move.from, move.to, move.count.value().value()});
  CHECK(moves == std::vector<std::vector<int64_t>>{{0, finished, 1}, {0, 2, 1}, {1, 0, 1}, {2, 3, 1}, {3, 0, 1}});
}
