// SPDX-License-Identifier: GPL-3.0-or-later
// The dual simplex method: the basis is a set of cuts that are satisfied with equality and whose multipliers y >= 0
// make up the costs, so costs . x is a lower bound on the optimum; the cut that x violates most comes in, and the first
// multiplier that would fall below 0 goes out. Few variables: the inverse of the basis is dense.
#include "solver/strings/certificate/cut_program.hpp"

#include <cmath>
#include <utility>

namespace warpspan::solver {

namespace {

constexpr double violated_from = 1e-8;
constexpr double zero = 1e-10;
constexpr int most_pivots = 20'000;
constexpr int pivots_between_refactorings = 40;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

CutProgram::CutProgram(std::vector<double> costs, std::vector<double> lowest)
    : size_(costs.size()), costs_(std::move(costs)), solution_(std::move(lowest)) {
  for (size_t i = 0; i < size_; ++i) {
    std::vector<double> unit(size_);
    unit[i] = 1;
    cuts_.push_back({unit, solution_[i]});
    basis_.push_back(i);
    inverse_.push_back(std::move(unit));
  }
  multipliers_ = costs_;
}

bool CutProgram::solve() {
  for (int pivot = 1; pivot <= most_pivots; ++pivot) {
    const size_t cut = most_violated();
    if (cut == cuts_.size()) return true;
    if (!enter(cut)) return false;
    if (pivot % pivots_between_refactorings == 0) refactor();
    set_solution();
  }
  return false;
}

size_t CutProgram::most_violated() const {
  size_t worst = cuts_.size();
  double most = violated_from;
  for (size_t i = 0; i < cuts_.size(); ++i) {
    const Cut& cut = cuts_[i];
    const double violation =
        (cut.least - dot(cut.coefficients, solution_)) / std::sqrt(dot(cut.coefficients, cut.coefficients));
    if (violation <= most) continue;
    most = violation;
    worst = i;
  }
  return worst;
}

bool CutProgram::enter(size_t cut) {
  std::vector<double> direction(size_);
  for (size_t i = 0; i < size_; ++i) direction[i] = dot(inverse_[i], cuts_[cut].coefficients);
  size_t leaving = size_;
  for (size_t i = 0; i < size_; ++i) {
    if (direction[i] <= zero) continue;
    if (leaving == size_ || multipliers_[i] * direction[leaving] < multipliers_[leaving] * direction[i]) leaving = i;
  }
  if (leaving == size_) return false;
  const double pivot = direction[leaving];
  for (double& value : inverse_[leaving]) value /= pivot;
  multipliers_[leaving] /= pivot;
  for (size_t i = 0; i < size_; ++i) {
    if (i == leaving || direction[i] == 0) continue;
    for (size_t j = 0; j < size_; ++j) inverse_[i][j] -= direction[i] * inverse_[leaving][j];
    multipliers_[i] = std::fmax(0, multipliers_[i] - direction[i] * multipliers_[leaving]);
  }
  basis_[leaving] = cut;
  return true;
}

// Inverts the basis afresh (Gauss-Jordan with row exchanges) to shake off rounding errors.
void CutProgram::refactor() {
  std::vector<std::vector<double>> left(size_, std::vector<double>(size_));
  std::vector<std::vector<double>> right(size_, std::vector<double>(size_));
  for (size_t i = 0; i < size_; ++i) {
    for (size_t j = 0; j < size_; ++j) left[i][j] = cuts_[basis_[j]].coefficients[i];
    right[i][i] = 1;
  }
  for (size_t column = 0; column < size_; ++column) {
    size_t row = column;
    for (size_t i = column; i < size_; ++i) {
      if (std::fabs(left[i][column]) > std::fabs(left[row][column])) row = i;
    }
    if (std::fabs(left[row][column]) < zero) return;  // keep the inverse that was updated
    std::swap(left[row], left[column]);
    std::swap(right[row], right[column]);
    const double pivot = left[column][column];
    for (size_t j = 0; j < size_; ++j) left[column][j] /= pivot, right[column][j] /= pivot;
    for (size_t i = 0; i < size_; ++i) {
      const double factor = left[i][column];
      if (i == column || factor == 0) continue;
      for (size_t j = 0; j < size_; ++j) {
        left[i][j] -= factor * left[column][j];
        right[i][j] -= factor * right[column][j];
      }
    }
  }
  inverse_ = std::move(right);
  for (size_t i = 0; i < size_; ++i) multipliers_[i] = std::fmax(0, dot(inverse_[i], costs_));
}

void CutProgram::set_solution() {
  for (size_t j = 0; j < size_; ++j) {
    double value = 0;
    for (size_t i = 0; i < size_; ++i) value += cuts_[basis_[i]].least * inverse_[i][j];
    solution_[j] = value;
  }
}

}  // namespace warpspan::solver
