// SPDX-License-Identifier: GPL-3.0-or-later
// Exact makespans that two independent computations have found, as tests/vectors/exact_makespan.csv has them.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/solver/strings/problems.hpp"

namespace warpspan::solver {

struct Vector {
  std::string row;  // string,sigma_L,sigma_C,sigma_S,warps,exact_makespan
  StringProblem problem;
  int64_t makespan;
};

inline std::vector<Vector> exact_makespans() {
  std::ifstream file(warpspan::test::source_dir() + "/tests/vectors/exact_makespan.csv");
  std::vector<Vector> vectors;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string text, field;
    std::getline(fields, text, ',');
    std::vector<int64_t> numbers;
    while (std::getline(fields, field, ',')) numbers.push_back(std::stoll(field));
    REQUIRE(numbers.size() == 5);
    vectors.push_back({line, problem(text, numbers[3], {numbers[0], numbers[1], numbers[2]}), numbers[4]});
  }
  REQUIRE(vectors.size() == 445);
  return vectors;
}

}  // namespace warpspan::solver
