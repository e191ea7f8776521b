#include "frontend/llvm/lift.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <string>

#include "frontend/llvm/operands.hpp"
#include "frontend/llvm/translator.hpp"

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

std::vector<ir::BlockId> blocks_of_instructions(const ir::Kernel& kernel) {
  std::vector<ir::BlockId> result(kernel.instructions.size(), ir::no_block);
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::Block& block = kernel.blocks[b];
    std::fill_n(result.begin() + static_cast<ptrdiff_t>(block.first), block.count, b);
  }
  return result;
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

void lift_block(const ptx::Function& function, const ir::Kernel& kernel, ir::BlockId b, const FlowGraph& graph,
                Emitter& emitter, Registers& registers, Translator& translator) {
  const ir::Block& block = kernel.blocks[b];
  emitter.move_to(*graph.blocks[b]);
  for (uint32_t i = block.first; i < block.first + block.count; ++i) translator.translate(i);
  llvm::Value* guard = nullptr;
  llvm::Value* index = nullptr;
  if (block.count > 0) {
    const ptx::Instruction& last = function.instructions[block.first + block.count - 1];
    const Transfer transfer = transfer_of(last);
    if (transfer != Transfer::none) guard = translator.guard(last);
    if (transfer == Transfer::indexed) index = translator.read(*function.begin(last), 32);
    if (transfer == Transfer::indexed && index == nullptr) index = emitter.opaque(32);
  }
  registers.end_block();
  set_condition(graph, b, guard, index);
}

// Instructions, registers and private memory, given the blocks.
void lift_instructions(const ptx::Module& module, const ptx::Function& function, const ir::Kernel& kernel,
                       const ir::Launch& launch, const Bindings& bindings, Lifted& lifted) {
  const llvm::DominatorTree dominators(*lifted.function);
  const std::vector<ir::BlockId> block_of = blocks_of_instructions(kernel);
  const FlowGraph& graph = lifted.graph;
  const MemorySlots::Dominates dominates = [&](uint32_t a, uint32_t b) {
    if (block_of[a] == block_of[b]) return a < b;
    return graph.blocks[block_of[a]] != nullptr &&
           dominators.dominates(graph.blocks[block_of[a]], graph.blocks[block_of[b]]);
  };
  const MemorySlots slots(module, function, kernel, graph.reachable, dominates);
  lifted.has_local_pointers = slots.has_unknown_pointers();
  Emitter emitter(*lifted.function);
  Registers registers(function, kernel, graph.reachable, slots.widths(), emitter);
  LaunchValues values(module, launch, bindings, emitter);
  Translator translator(module, function, slots, emitter, registers, values);
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (graph.reachable[b]) lift_block(function, kernel, b, graph, emitter, registers, translator);
  }
  llvm::DominatorTree before(*lifted.function);
  normalize_loops(llvm::LoopInfo(before));
  llvm::DominatorTree after(*lifted.function);
  llvm::PromoteMemToReg(registers.places(), after);
}

}  // namespace

Lifted::Lifted() = default;
Lifted::Lifted(Lifted&&) noexcept = default;
Lifted::~Lifted() {
  module.reset();
  context.reset();
}

support::Result<Lifted> lift(const ptx::Module& module, const ptx::Function& function, const ir::Kernel& kernel,
                             const ir::Launch& launch, const Bindings& bindings) {
  Lifted lifted = empty_function(function);
  auto graph = make_flow_graph(function, kernel, *lifted.function);
  if (!graph) return mismatch(module, function);
  lifted.graph = std::move(*graph);
  const llvm::DominatorTree dominators(*lifted.function);
  if (const auto block = find_irreducible(lifted.graph, *lifted.function, dominators)) {
    return irreducible(module, function, kernel.blocks[*block]);
  }
  lift_instructions(module, function, kernel, launch, bindings, lifted);
  return lifted;
}

}  // namespace warpspan::lift
