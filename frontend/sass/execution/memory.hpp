// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of any extent, in pages that are made when they are stored to.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/sass/execution/lanes.hpp"
#include "ir/execution/block_execution.hpp"

namespace warpspan::execution {

class Memory {
 public:
  static constexpr uint64_t page_bytes = 4096;

  // What a range of addresses holds as long as nobody stores to it; elsewhere there are zeros. Ranges are disjoint, and
  // are told before anything is loaded.
  void fill(uint64_t begin, uint64_t bytes, ir::Contents contents);

  // Accesses are aligned to their size.
  template <typename Value>
  Value load(uint64_t address) {
    Value value;
    std::memcpy(&value, readable(address / page_bytes) + address % page_bytes, sizeof(Value));
    return value;
  }
  template <typename Value>
  void store(uint64_t address, Value value) {
    std::memcpy(writable(address / page_bytes) + address % page_bytes, &value, sizeof(Value));
  }

  // The same of lanes, each at its address and so many bytes behind it.
  template <typename Value>
  void load(const Longs& addresses, LaneSet lanes, uint64_t behind, Words& values) {
    uint64_t number = UINT64_MAX;
    const uint8_t* page = nullptr;
    for_each_lane(lanes, [&](unsigned i) {
      const uint64_t address = addresses[i] + behind;
      if (address / page_bytes != number) page = readable(number = address / page_bytes);
      Value value;
      std::memcpy(&value, page + address % page_bytes, sizeof(Value));
      values[i] = value;
    });
  }
  template <typename Value>
  void store(const Longs& addresses, LaneSet lanes, uint64_t behind, const Words& values) {
    uint64_t number = UINT64_MAX;
    uint8_t* page = nullptr;
    for_each_lane(lanes, [&](unsigned i) {
      const uint64_t address = addresses[i] + behind;
      if (address / page_bytes != number) page = writable(number = address / page_bytes);
      const auto value = static_cast<Value>(values[i]);
      std::memcpy(page + address % page_bytes, &value, sizeof(Value));
    });
  }

  // So many bytes from an address on, as they are now.
  std::string bytes(uint64_t first, int64_t count);

  // The first addresses of the pages that were stored to or have contents that were loaded, in order.
  std::vector<uint64_t> pages() const;

 private:
  using Page = std::array<uint8_t, page_bytes>;
  struct Range {
    uint64_t begin = 0, end = 0;
    ir::Contents contents;
  };
  // A page that was found lately; of zeros that nobody stored to: no own one.
  struct Known {
    uint64_t number = UINT64_MAX;
    uint8_t* bytes = nullptr;
    bool own = false;
  };

  const uint8_t* readable(uint64_t number) {
    const Known& known = known_[number % known_.size()];
    return known.number == number ? known.bytes : find(number, false);
  }
  uint8_t* writable(uint64_t number) {
    const Known& known = known_[number % known_.size()];
    return known.number == number && known.own ? known.bytes : find(number, true);
  }
  uint8_t* find(uint64_t number, bool stores);
  bool fill_page(uint64_t number, Page& page) const;

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  std::vector<Range> ranges_;
  std::array<Known, 256> known_{};
};

}  // namespace warpspan::execution
