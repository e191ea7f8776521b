// SPDX-License-Identifier: GPL-3.0-or-later
// References followed, with an error where they lead nowhere.
#pragma once

#include <string>
#include <vector>

#include "frontend/amalthea/findings.hpp"
#include "frontend/amalthea/model.hpp"

namespace warpspan::amalthea {

// The element that a reference is to, or nullptr after an error.
template <typename T>
const T* follow(Findings& findings, const Elements<T>& elements, const Reference& reference) {
  const T* found = reference.name.empty() ? nullptr : elements.find(reference.name);
  if (found == nullptr)
    findings.error(reference.at, "'" + reference.written + "' is not in the model",
                   "a reference is NAME?type=TYPE; a model of several files has to be made one file");
  return found;
}

// The same of what may have one reference only; what: "the scheduler of a task allocation".
template <typename T>
const T* follow_one(Findings& findings, const Elements<T>& elements, const std::vector<Reference>& references,
                    size_t at, const std::string& what) {
  if (references.size() == 1) return follow(findings, elements, references.front());
  findings.error(at, what + " is " + (references.empty() ? "missing" : "told several times"), "name one");
  return nullptr;
}

// An error for all that is not understood of an element that counts; what: "task 'a'".
inline void refuse_strangers(Findings& findings, const std::vector<Stranger>& strangers, const std::string& what) {
  for (const Stranger& one : strangers)
    findings.error(one.at, one.what + " of " + what + " is not understood",
                   "take it out if it changes nothing on the GPU; docs/amalthea.md has what is understood");
}

}  // namespace warpspan::amalthea
