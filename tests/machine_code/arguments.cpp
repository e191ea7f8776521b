// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/arguments.hpp"

#include <algorithm>
#include <bit>

namespace warpspan::machine_code {

namespace {

using Kind = Argument::Kind;

}  // namespace

uint32_t any_float(reference::Random& random) {
  return std::bit_cast<uint32_t>(static_cast<float>(1 + random.below(64)) / 64);
}

uint64_t pointer_of(size_t parameter) { return 0x7f0000000000 + parameter * 0x10000000; }

bool is_pointer(Kind kind) { return kind != Kind::integer && kind != Kind::real; }

uint64_t value_of(const Argument& argument, size_t parameter, uint64_t shift) {
  if (is_pointer(argument.kind)) return pointer_of(parameter) + shift;
  if (argument.kind == Kind::real) return std::bit_cast<uint32_t>(static_cast<float>(argument.real));
  return static_cast<uint64_t>(argument.value);
}

void fill(const Argument& argument, size_t parameter, reference::Memory& memory, uint64_t shift) {
  reference::Random random(parameter + 1);
  uint64_t sum = 0;
  for (int64_t i = 0; is_pointer(argument.kind) && argument.kind != Kind::any && i < argument.count; ++i) {
    const bool wide = argument.kind == Kind::doubles || argument.kind == Kind::longs;
    const uint64_t at = pointer_of(parameter) + shift + static_cast<uint64_t>(i) * (wide ? 8 : 4);
    uint64_t value = random.below(static_cast<uint64_t>(std::max<int64_t>(argument.value, 1)));
    if (argument.kind == Kind::longs) value = random.next() >> random.below(64);
    if (argument.kind == Kind::rows) value = sum += value;
    if (argument.kind == Kind::floats) value = any_float(random);
    if (argument.kind == Kind::doubles)
      value = std::bit_cast<uint64_t>(double{std::bit_cast<float>(any_float(random))});
    memory.store(at, wide ? 8 : 4, value);
  }
}

std::vector<uint8_t> parameter_bytes(const object::Function& function, const std::vector<uint64_t>& values) {
  Bank bank;
  for (const object::Parameter& parameter : function.parameters) {
    if (parameter.ordinal >= values.size()) continue;
    bank.put(parameter.offset, values[parameter.ordinal], parameter.size);
  }
  return bank.bytes;
}

}  // namespace warpspan::machine_code
