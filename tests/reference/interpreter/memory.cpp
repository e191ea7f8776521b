// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/interpreter/memory.hpp"

#include <algorithm>

#include "tests/reference/generators/random.hpp"

namespace warpspan::reference {

Memory::Page& Memory::page(uint64_t number) {
  const auto [known, fresh] = pages_.try_emplace(number);
  if (!fresh || has_zeros_) return known->second;
  // Words are small numbers as often as any, so that what is loaded is now and then a condition or an index.
  for (uint64_t word = 0; word < page_bytes / 4; ++word) {
    uint64_t value = mix(seed_ ^ mix(number * 16 + word));
    if ((value >> 40 & 1) != 0) value &= 15;
    for (uint64_t i = 0; i < 4; ++i) known->second[word * 4 + i] = static_cast<uint8_t>(value >> (8 * i));
  }
  return known->second;
}

uint64_t Memory::load(uint64_t address, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) {
    const uint64_t at = address + static_cast<uint64_t>(i);
    value |= uint64_t{page(at / page_bytes)[at % page_bytes]} << (8 * i);
  }
  return value;
}

void Memory::store(uint64_t address, int bytes, uint64_t value) {
  for (int i = 0; i < bytes; ++i) {
    const uint64_t at = address + static_cast<uint64_t>(i);
    page(at / page_bytes)[at % page_bytes] = static_cast<uint8_t>(value >> (8 * i));
  }
}

std::vector<uint64_t> Memory::touched() const {
  std::vector<uint64_t> result;
  for (const auto& [number, page] : pages_) result.push_back(number * page_bytes);
  std::sort(result.begin(), result.end());
  return result;
}

namespace {

uint64_t alignment_of(const ptx::Variable& variable) {
  return static_cast<uint64_t>(std::max<int64_t>({variable.alignment, ptx::bits(variable.type) / 8, 1}));
}

// The next free address of a space, for one variable after the other.
class Places {
 public:
  Places(uint64_t first, uint64_t most_gap) : next_(first), most_gap_(most_gap) {}

  uint64_t take(const ptx::Variable& variable, Random& random) {
    const uint64_t alignment = alignment_of(variable);
    next_ += most_gap_ == 0 ? 0 : random.below(most_gap_);
    next_ = (next_ + alignment - 1) / alignment * alignment;
    const uint64_t place = next_;
    next_ += static_cast<uint64_t>(std::max<int64_t>(variable.bytes, 1));
    return place;
  }

 private:
  uint64_t next_;
  uint64_t most_gap_;
};

}  // namespace

std::vector<uint64_t> lay_out(const ptx::Module& module, const ptx::Function& entry, uint64_t seed) {
  Random random(seed);
  Places shared(0, 64);
  Places local(0x1000, 64);
  Places global(0x7e0000000000, 4096);
  Places kernel_parameters(0x160, 0);
  Places function_parameters(first_function_parameter, 64);
  std::vector<uint64_t> places(module.variables.size(), 0);
  for (const ptx::Parameter& parameter : entry.parameters) {
    if (parameter.variable == ptx::none) continue;
    places[parameter.variable] = kernel_parameters.take(module.variables[parameter.variable], random);
  }
  for (size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (places[i] != 0) continue;
    switch (variable.space) {
      case ir::MemorySpace::shared: places[i] = shared.take(variable, random); break;
      case ir::MemorySpace::local: places[i] = local.take(variable, random); break;
      case ir::MemorySpace::parameter: places[i] = function_parameters.take(variable, random); break;
      default: places[i] = global.take(variable, random); break;
    }
  }
  return places;
}

}  // namespace warpspan::reference
