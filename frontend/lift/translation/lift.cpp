// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/translation/lift.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

#include <string>

#include "frontend/lift/translation/control_inputs.hpp"
#include "frontend/lift/translation/long_chains.hpp"
#include "frontend/lift/translation/translator.hpp"

namespace warpspan::lift {

namespace {

// LLVM 19, lib/Target/NVPTX/NVPTXTargetMachine.cpp, computeDataLayout.
constexpr const char* data_layout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

Lifted empty_function(const std::string& name) {
  Lifted lifted;
  lifted.context = std::make_unique<llvm::LLVMContext>();
  lifted.module = std::make_unique<llvm::Module>("", *lifted.context);
  lifted.module->setTargetTriple("nvptx64-nvidia-cuda");
  lifted.module->setDataLayout(data_layout);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(*lifted.context), false);
  lifted.function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, *lifted.module);
  return lifted;
}

// "'$L__BB0_3' (from line 17)"
std::string place_of(const ir::Kernel& kernel, const CycleEntry& entry) {
  const auto line_of = [&](ir::BlockId id, bool last) {
    const ir::Block& block = kernel.blocks[id];
    if (block.count == 0) return std::string("a block without instructions");
    return "line " + std::to_string(kernel.instructions[block.first + (last ? block.count - 1 : 0)].line);
  };
  const std::string& label = kernel.blocks[entry.to].label;
  const std::string from = entry.from == ir::no_block ? "the start" : line_of(entry.from, true);
  return (label.empty() ? line_of(entry.to, false) : "'" + label + "'") + " (from " + from + ")";
}

// At the first of the entries.
support::Diagnostic irreducible(const ir::Program& program, const ir::Body& body,
                                const std::vector<CycleEntry>& entries) {
  const ir::Block& block = body.kernel.blocks[entries.front().to];
  const uint32_t offset = block.count == 0 ? body.offset : body.instructions[block.first].offset;
  std::string places;
  for (size_t i = 0; i < entries.size(); ++i) {
    places += (i == 0 ? "" : i + 1 == entries.size() ? " and " : ", ") + place_of(body.kernel, entries[i]);
  }
  return program.source->error_at(offset,
                                  "a loop can be entered at more than one place, so it cannot be bounded: " + places,
                                  "let every path into the loop go through its first block; what jumps into a loop is "
                                  "a goto, or a switch around one");
}

Placement place_instructions(const ir::Kernel& kernel, const FlowGraph& graph, const llvm::DominatorTree& dominators) {
  Placement placement;
  placement.dominators = &dominators;
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    placement.blocks.insert(placement.blocks.end(), kernel.blocks[b].count, graph.blocks[b]);
  }
  return placement;
}

// is_lifted: by instruction.
void lift_block(const ir::Body& body, ir::BlockId b, const std::vector<bool>& is_lifted, const FlowGraph& graph,
                Emitter& emitter, Translator& translator) {
  const ir::Block& block = body.kernel.blocks[b];
  emitter.move_to(*graph.blocks[b]);
  for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
    if (is_lifted[i]) translator.translate(i);
  }
  const ir::Transfer transfer = block.transfer.kind;
  if (transfer == ir::Transfer::fallthrough) return;
  const ir::InstructionId last = block.first + block.count - 1;
  llvm::Value* index = nullptr;
  if (transfer == ir::Transfer::indexed) index = translator.read(body.sources(last).front(), 32);
  if (transfer == ir::Transfer::indexed && index == nullptr) index = emitter.opaque(32);
  set_condition(graph, b, translator.guard(last), index);
}

// Instructions, registers and private memory, given the blocks.
void lift_instructions(const ir::Program& program, const ir::Body& body, const ir::Launch& launch,
                       const Bindings& bindings, const VariableSet& changed_elsewhere, Part part, Lifted& lifted) {
  const FlowGraph& graph = lifted.graph;
  const llvm::DominatorTree dominators(*lifted.function);
  const Placement placement = place_instructions(body.kernel, graph, dominators);
  const MemorySlots slots(program, body, changed_elsewhere, placement);
  lifted.has_local_pointers = slots.has_unknown_pointers();
  const std::vector<bool> is_lifted =
      part == Part::all ? std::vector<bool>(body.instructions.size(), true) : find_control_inputs(body, slots);
  Emitter emitter(*lifted.function);
  Registers registers(body, slots.slots(), placement, emitter);
  LaunchValues values(program, launch, bindings, emitter);
  const bool follows_own_memory = part == Part::all && body.is_machine_code && program.bodies.size() == 1;
  Translator translator(program, body, slots, emitter, registers, values, follows_own_memory);
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(lifted.function)) {
    const ir::BlockId b = graph.id(block);
    if (b != ir::no_block) lift_block(body, b, is_lifted, graph, emitter, translator);
  }
  registers.complete();
  for (const ir::VariableId variable : values.trusted()) {
    lifted.trusted_variables.push_back(program.variables[variable].name);
  }
}

}  // namespace

Lifted::Lifted() = default;
Lifted::Lifted(Lifted&&) noexcept = default;
Lifted::~Lifted() {
  module.reset();
  context.reset();
}

support::Result<Lifted> lift(const ir::Program& program, const ir::Body& body, const ir::Launch& launch,
                             const Bindings& bindings, const VariableSet& changed_elsewhere, Part part) {
  Lifted lifted = empty_function(body.kernel.name);
  lifted.graph = make_flow_graph(body.kernel, *lifted.function);
  const llvm::DominatorTree dominators(*lifted.function);
  const auto entries = find_irreducible(lifted.graph, *lifted.function, dominators);
  if (!entries.empty()) return irreducible(program, body, entries);
  normalize_loops(llvm::LoopInfo(dominators));
  cut_guard_chains(*lifted.function);
  lift_instructions(program, body, launch, bindings, changed_elsewhere, part, lifted);
  return lifted;
}

}  // namespace warpspan::lift
