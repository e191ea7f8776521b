// SPDX-License-Identifier: GPL-3.0-or-later
// What the arithmetic instructions of PTX compute, written from the ISA alone: PTX ISA 9.0, 9.7.1 to 9.7.9.
//
// Where the ISA leaves a result open (a division by zero, an approximation) one of the allowed values is taken.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "frontend/ptx/forms/form.hpp"

namespace warpspan::reference {

struct Outcome {
  uint64_t value = 0;   // extended to 64 bits as a wider register would hold it; of setp: the predicate
  bool second = false;  // setp p|q: q
  bool carry = false;   // of the forms that write the carry flag
};

// From the source registers' values, in written order, then the carry flag if the form reads it. What stands above the
// bits of the type is ignored.
using Evaluate = std::function<Outcome(const uint64_t* sources)>;

// Nothing for what is not arithmetic of one lane, or is not known here.
std::optional<Evaluate> evaluator_of(const ptx::Form& form);

// One family each; nothing if the form is of another.
std::optional<Evaluate> integer_evaluator(const ptx::Form& form);
std::optional<Evaluate> bits_evaluator(const ptx::Form& form);
std::optional<Evaluate> comparison_evaluator(const ptx::Form& form);
std::optional<Evaluate> float_evaluator(const ptx::Form& form);
std::optional<Evaluate> conversion_evaluator(const ptx::Form& form);

}  // namespace warpspan::reference
