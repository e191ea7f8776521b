// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a loop nest that decides how often a loop runs, cut out so that it can be executed.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/lift/translation/emitter.hpp"

namespace warpspan::lift {

// Values computed from constants, the thread's position, the counters of the loops around one loop, and inputs: values
// that are not known but have few possibilities, such as a loaded byte or some bits of a word. Nodes stand after
// their operands.
class Slice {
 public:
  struct Node {
    const llvm::Instruction* instruction = nullptr;  // what to evaluate; null for constants, threads and counters
    std::vector<uint32_t> operands = {};
    std::optional<ThreadValue> thread = std::nullopt;
    bool is_input = false;
    unsigned depth = 0;  // of the innermost loop whose counters it depends on; 0: of none
    uint64_t constant = 0;
  };
  // A phi in a loop's header.
  struct Counter {
    uint32_t node = 0;
    uint32_t start = 0;
    uint32_t next = 0;
    unsigned depth = 0;
  };

  // A value computed outside of the loop.
  struct Input {
    uint32_t node = 0;
    uint64_t first = 0;  // it is at least this
    uint64_t last = 0;   // and at most this
    unsigned depth = 0;  // of the innermost loop around both; it stays the same while deeper ones run
  };

  // Without inputs, what is not known is not taken.
  Slice(const llvm::LoopInfo& loops, const llvm::Loop& loop, bool takes_inputs)
      : loops_(&loops), loop_(&loop), takes_inputs_(takes_inputs) {}

  // The node of a value, with all it needs; nothing, and no change, if it needs something that is not known or counters
  // of loops that are neither around the loop nor the loop itself.
  std::optional<uint32_t> add(const llvm::Value& value);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Counter>& counters() const { return counters_; }
  const std::vector<Input>& inputs() const { return inputs_; }

 private:
  std::optional<uint32_t> visit(const llvm::Value& value, int level);
  std::optional<uint32_t> visit_computed(const llvm::Value& value, int level);
  std::optional<uint32_t> visit_operation(const llvm::Instruction& instruction, int level);
  std::optional<uint32_t> visit_input(const llvm::Value& value);
  std::optional<uint32_t> visit_counter(const llvm::PHINode& phi);
  bool connect_counters(size_t first);
  uint32_t insert(const llvm::Value& value, Node node);
  void shrink(size_t nodes, size_t counters, size_t inputs);

  const llvm::LoopInfo* loops_;
  const llvm::Loop* loop_;
  bool takes_inputs_;
  std::vector<Node> nodes_;
  std::vector<const llvm::Value*> values_;  // of the nodes
  std::vector<Counter> counters_;
  std::vector<Input> inputs_;
  std::vector<const llvm::PHINode*> phis_;  // of the counters
  llvm::DenseMap<const llvm::Value*, uint32_t> ids_;
  llvm::DenseSet<const llvm::Value*> unknown_;  // values without a node, so that none is tried again
};

}  // namespace warpspan::lift
