#include "frontend/lift/lift.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

#include <string>

#include "frontend/lift/long_chains.hpp"
#include "frontend/lift/operands.hpp"
#include "frontend/lift/translator.hpp"

namespace warpspan::lift {

namespace {

// LLVM 19, lib/Target/NVPTX/NVPTXTargetMachine.cpp, computeDataLayout.
constexpr const char* data_layout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

Lifted empty_function(const ptx::Function& function) {
  Lifted lifted;
  lifted.context = std::make_unique<llvm::LLVMContext>();
  lifted.module = std::make_unique<llvm::Module>("", *lifted.context);
  lifted.module->setTargetTriple("nvptx64-nvidia-cuda");
  lifted.module->setDataLayout(data_layout);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(*lifted.context), false);
  lifted.function = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                           llvm::StringRef(function.name.data(), function.name.size()), *lifted.module);
  lifted.function->setCallingConv(llvm::CallingConv::PTX_Kernel);
  return lifted;
}

support::Diagnostic irreducible(const ptx::Module& module, const ptx::Function& function, const ir::Block& block) {
  const uint32_t offset = block.count == 0 ? function.offset : function.instructions[block.first].offset;
  const std::string loop = block.label.empty() ? "the loop here" : "the loop at '" + block.label + "'";
  return module.source->error_at(offset, loop + " can be entered at more than one place, so it cannot be bounded",
                                 "let every path into the loop go through its first block");
}

support::Diagnostic mismatch(const ptx::Module& module, const ptx::Function& function) {
  support::Diagnostic error =
      module.source->error_at(function.offset, "the blocks of this kernel do not follow from its branches");
  error.cause = support::Cause::internal;
  return error;
}

Placement place_instructions(const ir::Kernel& kernel, const FlowGraph& graph, const llvm::DominatorTree& dominators) {
  Placement placement;
  placement.dominators = &dominators;
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    placement.blocks.insert(placement.blocks.end(), kernel.blocks[b].count, graph.blocks[b]);
  }
  return placement;
}

void lift_block(const ptx::Function& function, const ir::Kernel& kernel, ir::BlockId b, const FlowGraph& graph,
                Emitter& emitter, Translator& translator) {
  const ir::Block& block = kernel.blocks[b];
  emitter.move_to(*graph.blocks[b]);
  for (uint32_t i = block.first; i < block.first + block.count; ++i) translator.translate(i);
  if (block.count == 0) return;
  const ptx::Instruction& last = function.instructions[block.first + block.count - 1];
  const Transfer transfer = transfer_of(last);
  llvm::Value* index = nullptr;
  if (transfer == Transfer::indexed) index = translator.read(*function.begin(last), 32);
  if (transfer == Transfer::indexed && index == nullptr) index = emitter.opaque(32);
  if (transfer != Transfer::none) set_condition(graph, b, translator.guard(last), index);
}

// Instructions, registers and private memory, given the blocks.
void lift_instructions(const ptx::Module& module, const ptx::Function& function, const ir::Kernel& kernel,
                       const ir::Launch& launch, const Bindings& bindings, const VariableSet& changed_elsewhere,
                       Lifted& lifted) {
  const FlowGraph& graph = lifted.graph;
  const llvm::DominatorTree dominators(*lifted.function);
  const Placement placement = place_instructions(kernel, graph, dominators);
  const MemorySlots slots(module, function, changed_elsewhere, placement);
  lifted.has_local_pointers = slots.has_unknown_pointers();
  Emitter emitter(*lifted.function);
  Registers registers(function, slots.slots(), placement, emitter);
  LaunchValues values(module, launch, bindings, emitter);
  Translator translator(module, function, slots, emitter, registers, values);
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(lifted.function)) {
    const ir::BlockId b = graph.id(block);
    if (b != ir::no_block) lift_block(function, kernel, b, graph, emitter, translator);
  }
  registers.complete();
}

}  // namespace

Lifted::Lifted() = default;
Lifted::Lifted(Lifted&&) noexcept = default;
Lifted::~Lifted() {
  module.reset();
  context.reset();
}

support::Result<Lifted> lift(const ptx::Module& module, const ptx::Function& function, const ir::Kernel& kernel,
                             const ir::Launch& launch, const Bindings& bindings, const VariableSet& changed_elsewhere) {
  Lifted lifted = empty_function(function);
  auto graph = make_flow_graph(function, kernel, *lifted.function);
  if (!graph) return mismatch(module, function);
  lifted.graph = std::move(*graph);
  const llvm::DominatorTree dominators(*lifted.function);
  if (const auto block = find_irreducible(lifted.graph, *lifted.function, dominators)) {
    return irreducible(module, function, kernel.blocks[*block]);
  }
  normalize_loops(llvm::LoopInfo(dominators));
  cut_guard_chains(*lifted.function);
  lift_instructions(module, function, kernel, launch, bindings, changed_elsewhere, lifted);
  return lifted;
}

}  // namespace warpspan::lift
