// SPDX-License-Identifier: GPL-3.0-or-later
// A lifted body with what LLVM knows of it, on which its facts are found (loop_facts.hpp, lane_facts.hpp).
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include "frontend/lift/common_values.hpp"
#include "frontend/lift/counting_away.hpp"
#include "frontend/lift/rewrites/simplify.hpp"
#include "frontend/lift/translation/lift.hpp"
#include "frontend/lift/trips/guards/loop_exits.hpp"
#include "frontend/lift/trips/methods/trip_methods.hpp"
#include "ir/flow.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// Simplifies the function. All that is referred to must outlive it; launch.block must be set.
struct LiftedBody {
  LiftedBody(const ir::Program& of_program, const ir::Body& of_body, const ir::Launch& of_launch, Lifted& of_lifted)
      : program(of_program),
        body(of_body),
        launch(of_launch),
        kernel(of_body.kernel),
        block(*of_launch.block),
        lifted(of_lifted),
        away(of_body.is_machine_code ? BlockSet() : counting_away(*of_lifted.function)),
        dead(simplify_body()),
        dominators(*lifted.function),
        post_dominators(*lifted.function),
        loops(dominators),
        counts(*lifted.function, dominators, loops) {}
  LiftedBody(const LiftedBody&) = delete;
  LiftedBody& operator=(const LiftedBody&) = delete;

  const ir::Program& program;
  const ir::Body& body;
  const ir::Launch& launch;
  const ir::Kernel& kernel;
  ir::Extent block;  // of the launch
  Lifted& lifted;
  BlockSet away;  // counting_away, of PTX
  BlockSet dead;  // blocks that no thread executes
  llvm::DominatorTree dominators;
  llvm::PostDominatorTree post_dominators;
  llvm::LoopInfo loops;
  TripCounts counts;
  bool any_groups = false;  // Groups::any

 private:
  BlockSet simplify_body() const {
    BlockSet found = simplify(*lifted.function);
    if (!use_common_values(body, lifted)) return found;
    const BlockSet more = simplify(*lifted.function);
    found.insert(more.begin(), more.end());
    return found;
  }
};

}  // namespace warpspan::lift
