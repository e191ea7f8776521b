// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/conditions.hpp"

namespace warpspan::timing {

const std::vector<Condition>& conditions() {
  static const std::vector<Condition> table = {
#define CONDITION(identifier, name, when, sentence) {Condition::When::when, identifier, name, sentence},
#include "timing/machine/conditions.def"
#undef CONDITION
  };
  return table;
}

std::vector<std::string> assumptions_of(const Machine& machine, bool interference) {
  std::vector<std::string> sentences;
  for (const Condition& one : conditions()) {
    if (interference && one.when != Condition::When::always) continue;
    if (!machine.integrated && one.when == Condition::When::undisturbed_chip) continue;
    sentences.push_back(std::string(one.identifier) + ": " + std::string(one.sentence) + " (" + std::string(one.name) +
                        ").");
  }
  sentences.insert(sentences.end(), machine.assumptions.begin(), machine.assumptions.end());
  return sentences;
}

}  // namespace warpspan::timing
