// SPDX-License-Identifier: GPL-3.0-or-later
// What the exit tests of loops depend on that is not known.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <functional>
#include <string>
#include <vector>

#include "frontend/lift/trips/guards/loop_context.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

using BlockSet = llvm::DenseSet<const llvm::BasicBlock*>;

// What the condition at the end of a block of the loop depends on, followed through arithmetic and phis, and from a
// counter of a loop around this one to the exit tests of that loop; given the loops, from those of earlier ones too.
// The launch's own values are known where their range is of at most 2^24 numbers.
struct ExitSources {
  std::vector<const llvm::Instruction*> unknown;  // calls whose values have more than 16 bits, or are conditions
  std::vector<const llvm::Instruction*> narrow;   // calls with values of 2 to 16 bits
  std::vector<const llvm::Instruction*> floats;   // operations on floating-point numbers, followed as arithmetic is
  std::vector<const llvm::PHINode*> counters;     // of the loop itself
  std::vector<const llvm::PHINode*> around;       // at the head of a loop around it
  std::vector<const llvm::PHINode*> earlier;      // others outside of the loop
};
ExitSources exit_sources(const llvm::Loop& loop, const llvm::BasicBlock& exiting,
                         const llvm::LoopInfo* loops = nullptr);

// Why no trip count was found, in a few words that go on from "no bound for the loop: ", and the options that would
// help, as they are typed.
struct Obstacle {
  std::string text;
  std::vector<std::string> remedies;
};

// Parameters of the launch that are addresses: the one that an access counts its address from, or that is compared with
// such a one.
llvm::DenseSet<const llvm::Value*> find_pointers(const llvm::Function& lifted);

// What the exit tests of a loop may depend on, as those of its form are bounded whatever that is; and why it has no
// bound where they depend on nothing else that is not known.
struct LoopForm {
  std::function<bool(const llvm::Instruction&)> may_depend_on = [](const llvm::Instruction&) { return false; };
  std::string obstacle = "its exit test is not a count towards a limit that is known";
};

// `dead` blocks are not executed. The numbers of `pointers` are unknown: no option gives them.
Obstacle find_obstacle(const LoopContext& context, const BlockSet& dead,
                       const llvm::DenseSet<const llvm::Value*>& pointers, const ir::Program& program,
                       const ir::Body& body, const LoopForm& form);

}  // namespace warpspan::lift
