// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic of floating-point numbers of 32 and 64 bits.
#include "frontend/lift/translation/translator.hpp"

namespace warpspan::lift {

FloatOperation Translator::float_operation() const {
  return {semantics_.computation, semantics_.rounding, semantics_.comparison, semantics_.or_unordered,
          semantics_.is_signed};
}

// The first sources. An integer constant stands for no number.
bool Translator::read_numbers(std::vector<llvm::Value*>& values) {
  const size_t count = operands_of(semantics_.computation);
  if (sources_.size() < count) return false;
  const bool takes_integer = semantics_.computation == ir::Computation::float_from_integer;
  for (size_t i = 0; i < count; ++i) {
    if (sources_[i].kind == ir::Operand::Kind::integer && !takes_integer) return false;
    values.push_back(read(sources_[i], bits_));
    if (values.back() == nullptr) return false;
  }
  return true;
}

bool Translator::compute_floats() {
  std::vector<llvm::Value*> v;
  if (!read_numbers(v) || sources_.size() != v.size()) return false;
  write(emitter_.of_floats(float_operation(), semantics_.result_bits, v), semantics_.fills_with_sign);
  return true;
}

}  // namespace warpspan::lift
