// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/generators/hostile_loops.hpp"

#include "tests/reference/generators/hostile_writer.hpp"

namespace warpspan::reference {

std::string HostileParameter::told() const {
  const auto text = [&](uint64_t value) {
    return std::to_string(static_cast<int64_t>(value << (64 - bits)) >> (64 - bits));
  };
  return first == last ? text(first) : text(first) + ".." + text(last);
}

HostileLoops hostile_loops(uint64_t seed) {
  Random random(seed);
  HostileLoops made;
  made.text = ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n, .param .u32 m, .param .u64 w)\n{\n" +
              HostileWriter(random).write() + "ret;\n}\n";
  for (const char* name : {"n", "m", "w"}) {
    HostileParameter parameter{name, *name == 'w' ? 64U : 32U};
    parameter.is_told = random.chance(60);
    parameter.first = corner(random, parameter.bits) & mask_of(parameter.bits);
    const uint64_t span = random.chance(8) ? 0 : random.chance(50) ? random.below(40) : random.below(3000);
    parameter.last = (parameter.first + span) & mask_of(parameter.bits);
    // The least comes first, as a number with its sign.
    const auto shift = 64 - parameter.bits;
    if (static_cast<int64_t>(parameter.last << shift) < static_cast<int64_t>(parameter.first << shift)) {
      parameter.last = parameter.first;
    }
    made.parameters.push_back(parameter);
  }
  if (random.chance(60)) made.array_bytes = 4 * random.between(1, random.chance(70) ? 16 : 100);
  return made;
}

uint64_t hostile_value(const HostileParameter& parameter, Random& random) {
  const uint64_t mask = mask_of(parameter.bits);
  if (parameter.is_told) {
    const uint64_t span = (parameter.last - parameter.first) & mask;
    const uint64_t at = random.chance(25) ? 0 : random.chance(33) ? span : random.below(span + 1);
    return (parameter.first + at) & mask;
  }
  return corner(random, parameter.bits) & mask;
}

}  // namespace warpspan::reference
