// SPDX-License-Identifier: GPL-3.0-or-later
// Which threads execute a block in which iterations of the loops around it.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include <optional>
#include <vector>

#include "frontend/lift/values/address_forms.hpp"
#include "frontend/lift/values/extremes.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// How many warps of a block of threads have one that may come to something, and of how many blocks of the grid one may,
// where not all have; nothing: all may.
struct Executing {
  int64_t warps = 0;
  std::optional<ir::SomeBlocks> blocks;
};

struct ExecutionDomain {
  // Forms that are at most 0 whenever a thread executes the block. They are numbers, not only modulo a power of two.
  std::vector<AddressForm> conditions;
  // The counters of the blocks of the grid, and of the loops around the block.
  std::vector<CounterId> counters;
  // Each thread executes the block once for each combination of values of the counters at which the conditions hold, if
  // it ever comes to where it does not leave the kernel early: what else decides depends on nothing but them.
  bool is_exact = true;
  // Of each warp only the thread that an election (elect.sync) has chosen comes to it.
  bool is_elected = false;
  // No others come to it, as votes have to give an answer that lanes of others would not.
  std::optional<Executing> by_votes;
};

class ExecutionDomains {
 public:
  ExecutionDomains(const ir::Body& body, const llvm::DominatorTree& dominators,
                   const llvm::PostDominatorTree& post_dominators, const llvm::LoopInfo& loops, AddressForms& forms)
      : body_(body), dominators_(dominators), post_dominators_(post_dominators), loops_(loops), forms_(forms) {}

  ExecutionDomain of(const llvm::BasicBlock& block);
  // The part of a domain in which a condition of the block holds.
  ExecutionDomain where(const llvm::Value& condition, ExecutionDomain domain);

  // How many warps of a block of threads have one that may come to a domain in some iteration, but for votes; nothing:
  // all have.
  std::optional<int64_t> warps(const ExecutionDomain& domain) const;
  int64_t warps_of_block() const { return ir::warps_of(static_cast<int64_t>(forms_.threads())); }
  // Nothing: all warps of all blocks.
  std::optional<Executing> executing(const ExecutionDomain& domain) const;
  // The most threads of one warp that may come to it.
  int64_t lanes(const ExecutionDomain& domain) const;

 private:
  using Conditions = std::vector<AddressForm>;

  void climb(const llvm::BasicBlock* block, const llvm::BasicBlock* top, ExecutionDomain& domain);
  void add_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, ExecutionDomain& domain);
  std::optional<Conditions> next_iteration(const llvm::Loop& loop);
  void add_iterations(const std::vector<std::pair<const llvm::Loop*, std::optional<Conditions>>>& iterations,
                      ExecutionDomain& domain);
  void add_implied(const llvm::Value& condition, bool holds, ExecutionDomain& domain);
  void add_vote(const llvm::Value& answer, bool holds, ExecutionDomain& domain);
  bool add_literal(const llvm::Value& condition, bool holds, Conditions& conditions);
  static std::optional<Extreme> both_of(llvm::CmpInst::Predicate predicate, const llvm::Value& value, bool is_left);
  bool add_comparison(llvm::CmpInst::Predicate predicate, const llvm::Value& first, const llvm::Value& second,
                      Conditions& conditions);
  std::vector<bool> threads(const ExecutionDomain& domain) const;
  std::optional<ir::SomeBlocks> blocks(const ExecutionDomain& domain) const;
  std::optional<int64_t> least_of_threads(const AddressForm& condition, std::optional<CounterId> but = {}) const;
  bool add_at_most(const AddressForm& a, int64_t distance, const AddressForm& b, Conditions& conditions);

  const ir::Body& body_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& post_dominators_;
  const llvm::LoopInfo& loops_;
  AddressForms& forms_;
  bool follows_votes_ = true;  // not among what decides on a vote
};

}  // namespace warpspan::lift
