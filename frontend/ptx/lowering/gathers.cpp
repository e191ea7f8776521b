// SPDX-License-Identifier: GPL-3.0-or-later
// Registers of a vector lie side by side, from a multiple of their number on. Two vectors fit if one of them is the
// other, or a part of it that begins at a multiple of its own length: then both may lie where the longer one does. A
// register whose vectors all fit the longest of them needs no move.
#include "frontend/ptx/lowering/gathers.hpp"

#include <algorithm>

namespace warpspan::ptx {

namespace {

constexpr int64_t register_bits = 32;

// Where a register stands: an operand, and which of its elements it is.
struct VectorPlace {
  const Operand* vector = nullptr;
  uint32_t element = 0;
};

class Gathers {
 public:
  explicit Gathers(const Function& function)
      : function_(function), longest_(function.registers), moves_(function.registers) {}

  std::vector<uint32_t> find();

 private:
  static bool is_register(const Operand& operand) { return operand.kind == Operand::Kind::reg; }
  static bool copies(const Instruction& instruction) { return instruction.form->opcode->name == "mov"; }
  template <typename Visit>
  void for_each_vector(const Instruction& instruction, const Visit& visit) const;
  bool fit(const VectorPlace& longer, const VectorPlace& shorter) const;
  void add(const Operand& vector);

  const Function& function_;
  std::vector<VectorPlace> longest_;  // by register: its longest vector
  std::vector<bool> moves_;           // by register
};

template <typename Visit>
void Gathers::for_each_vector(const Instruction& instruction, const Visit& visit) const {
  if (copies(instruction)) return;
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = function_.begin(instruction)[i];
    if (operand.kind == Operand::Kind::vector && operand.count > 1) visit(operand);
  }
}

bool Gathers::fit(const VectorPlace& longer, const VectorPlace& shorter) const {
  const uint32_t length = shorter.vector->count;
  if (longer.element < shorter.element || longer.element - shorter.element + length > longer.vector->count)
    return false;
  const uint32_t begin = longer.element - shorter.element;
  if (begin % length != 0) return false;
  const Operand* all = function_.elements(*longer.vector) + begin;
  const Operand* part = function_.elements(*shorter.vector);
  return std::equal(part, part + length, all, [](const Operand& a, const Operand& b) {
    return is_register(a) == is_register(b) && (!is_register(a) || a.index == b.index);
  });
}

void Gathers::add(const Operand& vector) {
  for (uint32_t i = 0; i < vector.count; ++i) {
    const Operand& element = function_.elements(vector)[i];
    if (!is_register(element)) continue;
    const VectorPlace here{&vector, i};
    VectorPlace& longest = longest_[element.index];
    if (longest.vector == nullptr) {
      longest = here;
      continue;
    }
    const bool is_longer = vector.count > longest.vector->count;
    if (!(is_longer ? fit(here, longest) : fit(longest, here))) moves_[element.index] = true;
    if (is_longer) longest = here;
  }
}

std::vector<uint32_t> Gathers::find() {
  for (const Instruction& instruction : function_.instructions) {
    for_each_vector(instruction, [this](const Operand& vector) { add(vector); });
  }
  std::vector<uint32_t> found;
  found.reserve(function_.instructions.size());
  for (const Instruction& instruction : function_.instructions) {
    int64_t all = 0;
    for_each_vector(instruction, [&](const Operand& vector) {
      if (vector.role == Role::write) return;
      for (uint32_t i = 0; i < vector.count; ++i) {
        const Operand& element = function_.elements(vector)[i];
        if (!is_register(element) || !moves_[element.index]) continue;
        all += std::max<int64_t>(1, bits(element.type) / register_bits);
      }
    });
    found.push_back(static_cast<uint32_t>(all));
  }
  return found;
}

}  // namespace

std::vector<uint32_t> gathered_registers(const Function& function) { return Gathers(function).find(); }

}  // namespace warpspan::ptx
