// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/makespan/problem.hpp"

#include <algorithm>

namespace warpspan::solver {

using support::Integer;

namespace {

// False if the sum exceeds 64 bits.
bool add_to(int64_t& sum, Integer more) {
  const auto value = (more + sum).value();
  if (value) sum = *value;
  return value.has_value();
}

bool round_up_to(int64_t& value, int64_t unit) {
  const auto rounded = (ceil_divide(Integer(value), unit) * unit).value();
  if (rounded) value = *rounded;
  return rounded.has_value();
}

}  // namespace

bool ResourceDemand::has_valid_partial() const {
  return !partial || (partial->each >= 0 && partial->each <= worker && partial->block >= 0);
}

bool ResourceDemand::add(Integer more) {
  return add_to(worker, more) && (!partial || add_to(partial->each, more)) && (!interval || add_to(*interval, more));
}

bool ResourceDemand::round_up(int64_t unit) {
  return round_up_to(worker, unit) && (!partial || round_up_to(partial->each, unit)) &&
         (!interval || round_up_to(*interval, unit));
}

bool GridProblem::has_negative_term() const {
  return std::any_of(path_terms.begin(), path_terms.end(),
                     [](const PathTerm& term) { return term.each < 0 || term.once < 0; });
}

}  // namespace warpspan::solver
