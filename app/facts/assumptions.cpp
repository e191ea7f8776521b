// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/assumptions.hpp"

#include <algorithm>

#include "app/facts/fact_kind.hpp"

namespace warpspan::app {

namespace {

constexpr const char* unrounded_floats =
    "Sums and products of floating-point numbers without a rounding, on which loops, branches or addresses depend, "
    "are rounded to nearest, as the PTX ISA says, and optimized no further than that a product and a sum become one "
    "operation.";
constexpr const char* least_number =
    "The least number of a signed type, divided by -1, gives that number again and leaves nothing, as in "
    "arithmetic that wraps: the PTX ISA does not say.";
constexpr const char* same_unwritten =
    "What a thread reads of its own memory without having written it is the same for all lanes of its warp.";

std::string bound_assumption(const std::string& variable) {
  return "No access by an address that is counted from variable '" + variable +
         "' leaves it: loops that go through it end before its end.";
}

}  // namespace

std::vector<std::string> user_assumptions(const frontend::AnalyzedKernel& analyzed) {
  using Subject = FactKind::Subject;
  std::vector<std::string> result;
  const auto add = [&result](std::string assumption) {
    if (std::find(result.begin(), result.end(), assumption) == result.end()) result.push_back(std::move(assumption));
  };
  const auto add_facts = [&](Subject subject) {
    for (const FactKind& kind : fact_kinds()) {
      if (kind.subject != subject || kind.assumptions == nullptr) continue;
      for (std::string& assumption : kind.assumptions(analyzed)) add(std::move(assumption));
    }
  };
  add_facts(Subject::launch);
  add_facts(Subject::values);
  if (analyzed.flow.unrounded_floats) add(unrounded_floats);
  if (analyzed.flow.divides_least) add(least_number);
  if (analyzed.flow.same_unwritten) add(same_unwritten);
  add_facts(Subject::memory);
  for (const std::string& variable : analyzed.flow.bounding_variables) add(bound_assumption(variable));
  add_facts(Subject::loops);
  add_facts(Subject::calls);
  return result;
}

}  // namespace warpspan::app
