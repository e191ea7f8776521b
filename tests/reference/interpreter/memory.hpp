// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of any extent: bytes that nobody wrote hold numbers that depend on a seed alone, or zeros. And where variables
// lie in it.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::reference {

class Memory {
 public:
  explicit Memory(uint64_t seed = 0) : seed_(seed) {}
  static Memory zeros() {
    Memory memory;
    memory.has_zeros_ = true;
    return memory;
  }

  // 1 to 8 bytes, the first the lowest.
  uint64_t load(uint64_t address, int bytes);
  void store(uint64_t address, int bytes, uint64_t value);

  static constexpr uint64_t page_bytes = 64;
  // The first addresses of all pages that something was loaded from or stored to, in order.
  std::vector<uint64_t> touched() const;

 private:
  using Page = std::array<uint8_t, page_bytes>;
  Page& page(uint64_t number);

  uint64_t seed_;
  bool has_zeros_ = false;
  std::unordered_map<uint64_t, Page> pages_;
};

// Generic addresses: windows for the spaces that are not global; all other addresses are global.
inline constexpr uint64_t window_bytes = uint64_t{1} << 40;
inline constexpr uint64_t shared_window = 1 * window_bytes;
inline constexpr uint64_t local_window = 2 * window_bytes;
inline constexpr uint64_t parameter_window = 3 * window_bytes;

// In the space of parameters the kernel's own lie below this; those of functions above, one copy for each thread.
inline constexpr uint64_t first_function_parameter = 0x10000;

// Where each variable of the module lies in its space: in an order and with gaps that depend on the seed, aligned as
// declared. Kernel parameters lie in their order.
std::vector<uint64_t> lay_out(const ptx::Module& module, const ptx::Function& entry, uint64_t seed);

}  // namespace warpspan::reference
