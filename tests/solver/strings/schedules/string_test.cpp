// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/strings/schedules/string.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/solver/strings/problems.hpp"

using namespace warpspan::solver;
using warpspan::support::Diagnostics;
using warpspan::support::Integer;

namespace {

Diagnostics errors_of(const StringProblem& problem) {
  const auto counts = validate(problem);
  return counts ? Diagnostics{} : counts.errors();
}

std::string message(const String& string) {
  const Diagnostics errors = errors_of({string, 1, {1, 1}});
  REQUIRE(errors.size() == 1);
  return errors[0].message;
}

String nested(int depth) {
  Term term = symbol('C');
  for (int i = 0; i < depth; ++i) {
    Term outer;
    outer.body.push_back(std::move(term));
    term = std::move(outer);
  }
  String string;
  string.push_back(std::move(term));
  return string;
}

// A random string of at most `depth` levels of groups, over three classes.
String random_string(std::mt19937& random, int depth) {
  String string;
  for (size_t i = 0, terms = 1 + random() % 3; i < terms; ++i) {
    const int64_t repeat = 1 + static_cast<int64_t>(random() % 3);
    if (depth > 0 && random() % 2 == 0) {
      string.push_back(group(random_string(random, depth - 1), repeat));
    } else {
      string.push_back(symbol("LCS"[random() % 3], repeat));
    }
  }
  return string;
}

// Writes the string out by the meaning of a term, nothing else.
void unroll(const String& string, std::vector<int>& out) {
  for (const Term& term : string) {
    for (int64_t i = 0; i < term.repeat; ++i) {
      if (term.symbol >= 0) out.push_back(term.symbol);
      if (term.symbol < 0) unroll(term.body, out);
    }
  }
}

}  // namespace

TEST_CASE("symbols are counted with repetitions kept") {
  // C ((L2 C)^3 S)^1000000000000 L
  const String string{symbol('C'), group({group({symbol('L', 2), symbol('C')}, 3), symbol('S')}, 1'000'000'000'000),
                      symbol('L')};
  const SymbolCounts counts = count_symbols(string, 3);
  CHECK(counts.of_class[0] == Integer(6'000'000'000'001));
  CHECK(counts.of_class[1] == Integer(3'000'000'000'001));
  CHECK(counts.of_class[2] == Integer(1'000'000'000'000));
  CHECK(counts.length == Integer(10'000'000'000'002));
}

TEST_CASE("a count that overflows is marked, the other classes are not") {
  const String string{group({group({symbol('L')}, int64_t{1} << 40)}, int64_t{1} << 40), symbol('C')};
  const SymbolCounts counts = count_symbols(string, 2);
  CHECK(counts.of_class[0].overflowed());
  CHECK(counts.of_class[1] == Integer(1));
  CHECK(counts.length.overflowed());
  CHECK_FALSE(expand(string, INT64_MAX).has_value());
}

TEST_CASE("a string is written out up to a limit") {
  const String string{symbol('C'), group({symbol('L', 2), symbol('C')}, 2), symbol('L')};
  CHECK(expand(string, 8) == std::vector<int>{1, 0, 0, 1, 0, 0, 1, 0});
  CHECK_FALSE(expand(string, 7).has_value());
  CHECK_FALSE(expand({symbol('L', INT64_MAX)}, 1'000'000).has_value());
}

TEST_CASE("counting and writing out agree with the meaning of a term") {
  std::mt19937 random(20120601);
  for (int i = 0; i < 500; ++i) {
    const String string = random_string(random, 4);
    std::vector<int> flat;
    unroll(string, flat);
    const auto length = static_cast<int64_t>(flat.size());
    REQUIRE(expand(string, length) == flat);
    REQUIRE_FALSE(expand(string, length - 1).has_value());
    const SymbolCounts counts = count_symbols(string, 3);
    REQUIRE(counts.length == Integer(length));
    for (int k = 0; k < 3; ++k) {
      REQUIRE(counts.of_class[static_cast<size_t>(k)] == Integer(std::count(flat.begin(), flat.end(), k)));
    }
  }
}

TEST_CASE("a valid problem gives its counts") {
  const auto counts = validate(problem("LLC", 4, {1, 2}));
  REQUIRE(counts.ok());
  CHECK(counts->of_class[0] == Integer(2));
  CHECK(counts->of_class[1] == Integer(1));
  CHECK(counts->length == Integer(3));
}

TEST_CASE("each fault of a string is named") {
  CHECK(message({}) == "the string is empty");
  CHECK(message({{2, 1, {}}}) == "symbol 2 of the string is none of the 2 classes");
  CHECK(message({{-2, 1, {}}}) == "symbol -2 of the string is none of the 2 classes");
  CHECK(message({symbol('L', 0)}) == "a repetition of 0 times in the string");
  CHECK(message({symbol('L'), group({symbol('C')}, -3)}) == "a repetition of -3 times in the string");
  CHECK(message({group({}, 2)}) == "an empty group in the string");
  CHECK(message({group({symbol('L'), group({symbol('S')}, 2)}, 2)}) ==
        "symbol 2 of the string is none of the 2 classes");
  CHECK(message({{0, 1, {symbol('C')}}}) == "a term of the string is both a symbol and a group");
}

TEST_CASE("nesting is limited, and deep nesting is refused rather than followed") {
  CHECK(count_symbols(nested(250), 2).length == Integer(1));
  CHECK(errors_of({nested(250), 1, {1, 1}}).empty());
  CHECK(message(nested(251)) == "groups of the string are nested more than 250 deep");
  CHECK(message(nested(2000)) == "groups of the string are nested more than 250 deep");
}

TEST_CASE("all faulty parts of a problem are reported together") {
  const Diagnostics errors = errors_of({{}, 0, {1, 0}});
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].message == "the string is empty");
  CHECK(errors[0].help == "give at least one symbol");
  CHECK(errors[1].message == "there are 0 workers");
  CHECK(errors[1].help == "give at least 1");
  CHECK(errors[2].message == "class 1 has 0 servers");
  CHECK(errors[2].help == "give at least 1");
}
