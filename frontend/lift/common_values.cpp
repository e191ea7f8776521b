// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/common_values.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "frontend/lift/translation/emitter.hpp"

namespace warpspan::lift {

bool is_second_part(const FlowGraph& graph, const llvm::BasicBlock& block) {
  return graph.id(&block) == ir::no_block && llvm::isa<llvm::SwitchInst>(block.getTerminator());
}

ReconvergencePoints declared_points(const ir::Body& body, const FlowGraph& graph) {
  ReconvergencePoints points;
  for (ir::BlockId b = 0; b < body.reconvergence_points.size(); ++b) {
    if (!graph.reachable[b]) continue;
    const ir::Body::ReconvergencePoint& declared = body.reconvergence_points[b];
    ReconvergencePoint point;
    if (declared.block != ir::no_block) point.block = graph.blocks[declared.block];
    for (const ir::BlockId earlier : declared.earlier) point.earlier.push_back(graph.blocks[earlier]);
    points[graph.blocks[b]] = point;
    for (const llvm::BasicBlock* next : llvm::successors(graph.blocks[b])) {
      if (is_second_part(graph, *next)) points[next] = point;
    }
  }
  return points;
}

bool use_common_values(const ir::Body& body, const Lifted& lifted) {
  llvm::SmallVector<llvm::CallInst*, 8> of_one_lane;
  for (llvm::Instruction& instruction : llvm::instructions(*lifted.function)) {
    const auto from = origin(instruction);
    if (!from || call_kind(instruction) != CallKind::pure || !body.operation(*from).facts.of_one_lane) continue;
    auto& call = llvm::cast<llvm::CallInst>(instruction);
    if (call.arg_size() == 1 && call.getArgOperand(0)->getType() == call.getType()) of_one_lane.push_back(&call);
  }
  if (of_one_lane.empty()) return false;
  const llvm::DominatorTree dominators(*lifted.function);
  const llvm::LoopInfo loops(dominators);
  const Uniformity uniformity(*lifted.function, loops, {}, Uniformity::Scope::warp,
                              declared_points(body, lifted.graph));
  bool changed = false;
  for (llvm::CallInst* call : of_one_lane) {
    if (!uniformity.is_uniform_use(call->getArgOperandUse(0))) continue;
    call->replaceAllUsesWith(call->getArgOperand(0));
    changed = true;
  }
  return changed;
}

}  // namespace warpspan::lift
