// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/strings/solver_string.hpp"

namespace warpspan::timing {

solver::String to_solver_string(const ir::InstructionString& string) {
  solver::String result;
  result.reserve(string.terms().size());
  for (const ir::StringTerm& term : string.terms()) {
    solver::Term converted;
    converted.repeat = term.repeat;
    if (term.group == nullptr) {
      converted.symbol = static_cast<int>(term.unit);
    } else {
      converted.body = to_solver_string(*term.group);
    }
    result.push_back(std::move(converted));
  }
  return result;
}

}  // namespace warpspan::timing
