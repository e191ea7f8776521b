// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of a task as operations of a tasks file: copies of labels, and kernels.
#pragma once

#include <vector>

#include "frontend/amalthea/findings.hpp"
#include "frontend/amalthea/gpu_tasks.hpp"
#include "frontend/amalthea/mapping.hpp"
#include "frontend/amalthea/steps.hpp"

namespace warpspan::amalthea {

// How work of the GPU becomes time.
struct Clock {
  std::optional<Decimal> hertz;     // the least of the GPU's frequency domain
  std::optional<Decimal> per_tick;  // instructions
  std::string frequency;            // as written, for comments
};

// The properties of an entity that have one of the keys, parsed. Errors: values that are none.
std::vector<Entry> entries_of(const Entity& entity, Owner owner, const std::vector<std::string_view>& keys,
                              const std::string& title, Findings& findings);

// Errors: labels without a size, copies whose two labels differ, kernels without blocks or time, properties that
// contradict one another.
std::vector<Operation> work_of(const Model& model, const Mapping& mapping, const Clock& clock,
                               const std::vector<Step>& steps, Findings& findings);

}  // namespace warpspan::amalthea
