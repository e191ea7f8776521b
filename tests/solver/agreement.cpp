// All ways to a value agree on small problems.
#include <catch2/catch.hpp>
#include <random>

#include "brute_force.hpp"
#include "problems.hpp"
#include "solver/exact_search.hpp"
#include "solver/list_bound.hpp"
#include "solver/published_bound.hpp"

using namespace warpspan::solver;

namespace {

// Exact search = brute force, and no safe bound below it.
void require_agreement(const std::string& text, size_t workers, const std::vector<int64_t>& servers) {
  INFO(text << " with " << workers << " workers");
  const StringProblem instance = problem(text, static_cast<int64_t>(workers), servers);
  const int64_t worst = brute_force(text, workers, servers);
  REQUIRE(exact_search(instance).bound.makespan == worst);
  REQUIRE(list_bound(instance).makespan.value() >= worst);
  const Bound published = published_bound(instance);
  REQUIRE((!published.safe || published.makespan.value() >= worst));
}

std::string random_text(std::mt19937& random, size_t length) {
  std::string text;
  while (text.size() < length) text += "LCS"[random() % 3];
  return text;
}

}  // namespace

TEST_CASE("all strings of up to five symbols over two classes") {
  for (const std::string& text : two_class_strings(5)) {
    for (size_t workers = 1; workers <= 4; ++workers) {
      for (int64_t l = 1; l <= 2; ++l) {
        for (int64_t c = 1; c <= 2; ++c) require_agreement(text, workers, {l, c});
      }
    }
  }
}

TEST_CASE("random strings over three classes") {
  std::mt19937 random(1971);
  const auto servers = [&] { return 1 + static_cast<int64_t>(random() % 3); };
  for (int i = 0; i < 400; ++i) {
    const size_t length = 1 + random() % 7;
    const size_t workers = 1 + random() % 5;
    require_agreement(random_text(random, length), workers, {servers(), servers(), servers()});
  }
}

// Two or three workers need two bits a count: strings of more than 32, 64, 128 and 256 symbols take 2, 4, 8 and 16
// words.
TEST_CASE("states of every number of words") {
  std::mt19937 random(42);
  for (const size_t length : {31, 32, 33, 40}) require_agreement(random_text(random, length), 3, {1, 2, 1});
  for (const size_t length : {64, 65, 128, 129, 256, 257, 300}) {
    require_agreement(random_text(random, length), 2, {1, 1, 1});
  }
}
