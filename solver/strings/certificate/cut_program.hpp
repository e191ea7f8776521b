// SPDX-License-Identifier: GPL-3.0-or-later
// A linear program that grows: minimise costs . x subject to x >= lowest and to cuts that are added one after another.
#pragma once

#include <cstddef>
#include <vector>

namespace warpspan::solver {

// Floating point: the caller rounds the solution and checks it exactly.
class CutProgram {
 public:
  struct Cut {
    std::vector<double> coefficients;  // one per variable
    double least = 0;                  // coefficients . x >= least
  };

  // Costs are above 0.
  CutProgram(std::vector<double> costs, std::vector<double> lowest);

  void add(Cut cut) { cuts_.push_back(std::move(cut)); }

  // False if it gave up: the cuts contradict each other, or rounding errors do.
  bool solve();

  const std::vector<double>& solution() const { return solution_; }

 private:
  size_t most_violated() const;
  bool enter(size_t cut);
  void refactor();
  void set_solution();

  size_t size_;
  std::vector<double> costs_;
  std::vector<Cut> cuts_;                     // the first size_ ones are x >= lowest
  std::vector<size_t> basis_;                 // the size_ cuts that are satisfied with equality
  std::vector<std::vector<double>> inverse_;  // of the matrix whose columns are their coefficients
  std::vector<double> multipliers_;           // of the cuts of the basis, never below 0
  std::vector<double> solution_;
};

}  // namespace warpspan::solver
