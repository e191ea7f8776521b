// SPDX-License-Identifier: GPL-3.0-or-later
// One number for each thread of a block, shared by all values that differ among the threads alike.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "ir/kernel.hpp"
#include "ir/sizes.hpp"

namespace warpspan::lift {

// A table's number. Table 0 is all zeros.
using TableId = uint32_t;

class OffsetTables {
 public:
  // Blocks of more threads than any GPU runs get no table but 0.
  explicit OffsetTables(const ir::Extent& block);

  size_t threads() const { return threads_; }
  const std::vector<uint64_t>& values(TableId id) const { return *tables_[id].values; }
  // Whether the threads of each warp have one number. Warps are 32 threads in a row, x counted fastest, then y, then z:
  // CUDA C++ Programming Guide, SIMT architecture and thread hierarchy.
  bool is_same_in_warps(TableId id) const { return tables_[id].same_in_warps; }

  // The table of a number given thread by thread; nothing when there are too many tables or too much work was done.
  std::optional<TableId> make(const std::function<std::optional<uint64_t>(size_t thread)>& number);

  // Components of the threads' positions.
  std::optional<TableId> component(int axis);  // 0, 1, 2: x, y, z
  std::optional<TableId> lane();

 private:
  struct Table {
    const std::vector<uint64_t>* values = nullptr;
    bool same_in_warps = true;
  };

  ir::Extent block_;
  size_t threads_ = 0;
  size_t work_ = 0;
  std::map<std::vector<uint64_t>, TableId> ids_;
  std::vector<Table> tables_;
};

}  // namespace warpspan::lift
