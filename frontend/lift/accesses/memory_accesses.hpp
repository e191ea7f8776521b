// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the addresses of a kernel's accesses to global memory over a launch: Flow::objects and accesses.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "frontend/lift/accesses/address_origins.hpp"
#include "frontend/lift/accesses/execution_domains.hpp"
#include "frontend/lift/footprints/density.hpp"
#include "frontend/lift/footprints/lines.hpp"
#include "frontend/lift/footprints/thread_digits.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/values/address_forms.hpp"
#include "frontend/lift/values/uniformity.hpp"
#include "ir/flow.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// The reachable instructions that access global memory, or may do so, in ascending order; nothing is known of them.
std::vector<ir::Access> unknown_accesses(const ir::Body& body, const ir::Flow& flow);

class MemoryAccesses {
 public:
  // dead: blocks that are not executed. flow: of the body; its loops and transactions are known.
  MemoryAccesses(const ir::Program& program, const ir::Body& body, const ir::Launch& launch,
                 const llvm::DenseSet<const llvm::BasicBlock*>& dead, const llvm::LoopInfo& loops, AddressForms& forms,
                 ExecutionDomains& domains, RangeOf range, ir::Flow& flow)
      : program_(program),
        body_(body),
        launch_(launch),
        dead_(dead),
        loops_(loops),
        forms_(forms),
        domains_(domains),
        origins_(forms, loops, std::move(range)),
        flow_(flow) {}

  // Fills flow's objects and accesses, all but Access::aligned_transactions, on which covers_lines depends too.
  void find(const llvm::Function& lifted);

  // The values that objects begin at, of those that parameters point to.
  const ValueSet& pointers() const { return pointers_; }

 private:
  // An access with a form, in the variables of its block.
  struct Found {
    size_t access = 0;                   // in Flow::accesses
    const llvm::Value* guard = nullptr;  // it is executed where this holds
    AddressForm form;
    Accesses points;
    std::optional<ThreadDigits> digits;  // nothing: the thread's offset is one variable, any number between two
    size_t thread_variables = 0;         // the first of the box
    bool is_bounded = true;              // by the box
    // The points are those that are executed, each once.
    bool is_exact = false;
    // Each point is executed, and others may be: of a grid of unknown size those of the first blocks.
    bool is_sure = false;
  };

  ir::Access* access_of(const llvm::Instruction& call);  // null if it is no access to global memory
  void add(const llvm::BasicBlock& block, const std::vector<const llvm::Instruction*>& calls);
  void describe(const llvm::Instruction& call, ir::Access& access, const ExecutionDomain& domain,
                std::vector<Found>& found);
  ir::ObjectId object_of(const llvm::Value& address);
  ir::ObjectId object_at(const llvm::Value& pointer);
  void bound_distance(llvm::Value& address, ir::Access& access) const;
  std::optional<int64_t> bytes_of(ir::InstructionId instruction) const;
  bool is_always_executed(ir::InstructionId instruction) const;
  Found points_of(const AddressForm& form, int64_t bytes, const ExecutionDomain& domain) const;
  void count_lines(const Found& found, ir::Access& access) const;
  void count_sharers(const Found& found, const ExecutionDomain& domain, ir::Access& access) const;
  std::optional<int64_t> first_of_row(const Found& found, const std::vector<Repetition>& lanes) const;
  bool is_of_a_block(const llvm::Instruction& instruction) const;
  void find_unplaced(const llvm::Function& lifted);
  void mark_dense(std::vector<Found>& found);
  bool is_hull(const Interval& range, const std::vector<const Found*>& group) const;
  void mark_dense_together(const std::vector<const Found*>& group);
  void note_walk(const llvm::BasicBlock& block, const AddressForm& form, const ir::Access& access);
  // Of accesses by their places in Flow::accesses.
  template <typename Noted>
  ir::InstructionId first_of(const std::vector<std::pair<size_t, Noted>>& accesses) const;
  void mark_walks();
  void note_block(const Found& found, const ir::Access& access);
  void mark_blocks();
  void keep_in_object(ir::Access& access) const;

  const ir::Program& program_;
  const ir::Body& body_;
  const ir::Launch& launch_;
  const llvm::DenseSet<const llvm::BasicBlock*>& dead_;
  const llvm::LoopInfo& loops_;
  AddressForms& forms_;
  ExecutionDomains& domains_;
  AddressOrigins origins_;
  ir::Flow& flow_;
  std::map<std::tuple<LaunchSource::Kind, uint32_t, int64_t>, ir::ObjectId> objects_;
  ValueSet pointers_;
  // Accesses by what is the same for a thread in an iteration of the innermost loop around them, and how far they begin
  // from there; no loop: they are in none.
  using WalkKey = std::tuple<const llvm::Loop*, const llvm::Value*, TableId, std::map<CounterId, int64_t>>;
  std::map<WalkKey, std::vector<std::pair<size_t, int64_t>>> walks_;
  // Accesses by what is the same for a block, and the bytes that it accesses from there.
  using BlockKey = std::pair<const llvm::Value*, std::map<CounterId, int64_t>>;
  std::map<BlockKey, std::vector<std::pair<size_t, Rows>>> blocks_;
};

}  // namespace warpspan::lift
