// SPDX-License-Identifier: GPL-3.0-or-later
// What came out of checking many kernels' facts.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/machine_code/facts.hpp"

namespace warpspan::machine_code {

struct FactsTally {
  int compared = 0, refused = 0, unreadable = 0, given = 0, stopped = 0, lost_uniform = 0;
  int64_t steps = 0;
  int accesses = 0, with_span = 0, with_lines = 0, walks = 0, dense = 0;
  std::map<std::string, int> refusals, stops;
  std::vector<std::string> violations;

  void add(const std::string& name, const FactsCheck& check) {
    using Verdict = FactsCheck::Verdict;
    if (check.verdict == Verdict::refused) ++refused, ++refusals[check.reason];
    if (check.verdict == Verdict::unreadable) ++unreadable, ++refusals["(unreadable) " + check.reason];
    if (check.verdict != Verdict::compared) return;
    ++compared;
    given += check.bounds_given ? 1 : 0;
    if (!check.stopped.empty()) ++stopped, ++stops[check.stopped.substr(check.stopped.find(": ") + 1)];
    lost_uniform += check.lost_uniform;
    steps += check.steps;
    accesses += check.accesses;
    with_span += check.with_span;
    with_lines += check.with_lines;
    walks += check.walks;
    dense += check.dense;
    for (const std::string& what : check.violations) violations.push_back(name + ": " + what);
  }

  std::string text() const {
    std::ostringstream out;
    out << "compared " << compared << " (" << given << " with bounds of loops given), refused " << refused
        << ", unreadable " << unreadable << ", stopped early " << stopped
        << ", left out as uniform registers were changed apart " << lost_uniform << "; steps of warps " << steps
        << "\naccesses executed " << accesses << ", with spans " << with_span << ", with lines " << with_lines
        << ", walks " << walks << ", dense " << dense << "\n";
    for (const auto& [reason, times] : refusals) out << "  refused " << times << " times: " << reason << "\n";
    for (const auto& [reason, times] : stops) out << "  stopped " << times << " times: " << reason << "\n";
    for (const std::string& what : violations) out << "  VIOLATION " << what << "\n";
    return out.str();
  }
};

}  // namespace warpspan::machine_code
