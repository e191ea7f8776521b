// SPDX-License-Identifier: GPL-3.0-or-later
// Moves and conversions.
#include <algorithm>

#include "frontend/lift/translation/translator.hpp"

namespace warpspan::lift {

using ir::Computation;
using Kind = ir::Operand::Kind;

bool Translator::copy() {
  if (sources_.size() != 1 || results_.size() != 1) return false;
  const bool takes_apart = results_[0].kind == Kind::vector;
  const bool puts_together = sources_[0].kind == Kind::vector;
  if (semantics_.elements > 1) return copy_elements();
  if (takes_apart) return unpack();
  if (puts_together) return pack();
  if (sources_[0].kind == Kind::integer && semantics_.is_floating) return false;
  llvm::Value* value = read(sources_[0], bits_);
  if (value == nullptr) return false;
  write(value);
  return true;
}

// Takes vectors apart, and special values with all their components.
bool Translator::copy_elements() {
  const auto to = scalars(body_, results_[0]);
  const auto source = scalars(body_, sources_[0]);
  std::vector<ir::Operand> from(source.begin(), source.end());
  if (from.size() == 1 && from[0].kind == Kind::special && from[0].component == 0 && to.size() <= 4) {
    from.resize(to.size(), from[0]);
    for (size_t i = 0; i < from.size(); ++i) from[i].component = static_cast<uint8_t>(i + 1);
  }
  std::vector<llvm::Value*> values;
  for (const ir::Operand& element : from) values.push_back(read(element, bits_));
  if (to.size() != from.size() || std::count(values.begin(), values.end(), nullptr) > 0) return false;
  for (size_t i = 0; i < to.size(); ++i) write(to[i], values[i]);
  return true;
}

bool Translator::pack() {
  const auto elements = scalars(body_, sources_[0]);
  const auto part = bits_ / static_cast<unsigned>(elements.size());
  llvm::Value* result = nullptr;
  for (unsigned i = 0; i < elements.size(); ++i) {
    llvm::Value* element = read(elements[i], part);
    if (element == nullptr) return false;
    llvm::Value* above = emitter_.ir.CreateShl(emitter_.resize(element, bits_, false), i * part);
    result = i == 0 ? above : disjoint_or(emitter_.ir, *result, *above);
  }
  write(result);
  return true;
}

bool Translator::unpack() {
  const auto elements = scalars(body_, results_[0]);
  const auto part = bits_ / static_cast<unsigned>(elements.size());
  llvm::Value* whole = read(sources_[0], bits_);
  if (whole == nullptr || part == 0) return false;
  for (unsigned i = 0; i < elements.size(); ++i) {
    write(elements[i], emitter_.resize(emitter_.ir.CreateLShr(whole, i * part), part, false));
  }
  return true;
}

// The source's signedness extends, the result's fills a wider register.
bool Translator::convert() {
  if (sources_.size() != 1) return false;
  llvm::Value* value = read(sources_[0], bits_);
  if (value == nullptr) return false;
  write(emitter_.resize(value, semantics_.result_bits, semantics_.is_signed), semantics_.fills_with_sign);
  return true;
}

// A generic address is that in a state space plus the start of the space's window.
bool Translator::convert_address() {
  llvm::Value* value = sources_.size() == 1 ? read(sources_[0], bits_) : nullptr;
  if (value == nullptr) return false;
  llvm::Value* window = launch_.window(semantics_.space, bits_);
  const bool to_generic = semantics_.computation == Computation::to_generic;
  write(to_generic ? emitter_.ir.CreateAdd(value, window) : emitter_.ir.CreateSub(value, window));
  return true;
}

}  // namespace warpspan::lift
