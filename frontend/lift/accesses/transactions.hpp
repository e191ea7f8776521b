// SPDX-License-Identifier: GPL-3.0-or-later
// Into how many transactions the memory accesses of a warp can fall.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "frontend/lift/values/lane_values.hpp"
#include "frontend/lift/values/step_values.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// The most transactions that one access of `bytes` bytes by each lane of a warp falls into, for addresses of the given
// form and every base they can have. Accesses are aligned to their size, as machines demand; others are not counted.
size_t most_lines(const LaneValue& address, unsigned address_bits, int bytes, const OffsetTables& tables);
size_t most_conflict_ways(const LaneValue& address, unsigned address_bits, int bytes, const OffsetTables& tables);
size_t most_addresses(const LaneValue& address, unsigned address_bits, const OffsetTables& tables);

// The bytes that each lane copies by a cp.async, at most; nothing if no constant gives them. They are 4, 8 or 16, and
// both addresses are multiples of them (PTX ISA 9.7.9.25.3.1).
std::optional<int64_t> copied_bytes(const ir::Body& body, ir::InstructionId copy);

class Transactions {
 public:
  // `has_local_pointers`: addresses that are not known ones may be in a thread's own memory.
  Transactions(const ir::Body& body, const LaneValues& lanes, StepValues& steps, const OffsetTables& tables,
               bool has_local_pointers)
      : body_(body), lanes_(lanes), steps_(steps), tables_(tables), has_local_pointers_(has_local_pointers) {}

  // One entry per instruction of the kernel, as in Flow::transactions, from the addresses noted in the lifted
  // function.
  std::vector<uint32_t> count(const llvm::Function& lifted);

 private:
  size_t worst(const ir::Operation& operation) const;
  size_t count_copy(const llvm::Instruction& access, ir::InstructionId copy);
  size_t count_access(const llvm::Use& address, const ir::Operation& operation);
  size_t count_steps(const llvm::Use& address, const ir::Operation& operation);
  size_t count_window(const llvm::Use& address, const ir::Operation& operation) const;
  size_t count_shared_address(const ir::Operation& operation) const;
  size_t count_spread(const LaneValue& address, unsigned address_bits, const ir::Operation& operation);

  const ir::Body& body_;
  const LaneValues& lanes_;
  StepValues& steps_;
  const OffsetTables& tables_;
  bool has_local_pointers_;
  // Results by the form of the address and what is done there.
  std::map<std::tuple<TableId, uint64_t, bool, unsigned, unsigned, std::optional<LaneValue::Cut>, ir::MemorySpace, int>,
           size_t>
      counted_;
};

}  // namespace warpspan::lift
