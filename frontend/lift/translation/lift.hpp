// SPDX-License-Identifier: GPL-3.0-or-later
// The body of a kernel, or one that its calls share, as an LLVM function in SSA form: one LLVM block for each
// reachable block of the kernel and a few without instructions between them, one iN for each register, no memory.
// docs/lifting.md.
#pragma once

#include <cstdint>
#include <memory>

#include "frontend/lift/translation/arguments.hpp"
#include "frontend/lift/translation/flow_graph.hpp"
#include "frontend/lift/translation/memory_slots.hpp"
#include "ir/flow.hpp"
#include "ir/program.hpp"
#include "support/result.hpp"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace warpspan::lift {

struct Lifted {
  Lifted();
  Lifted(Lifted&&) noexcept;
  ~Lifted();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::Function* function = nullptr;
  FlowGraph graph;
  bool has_local_pointers = false;             // generic addresses may be in local memory
  std::vector<std::string> trusted_variables;  // whose initialisers give what is loaded
};

// What of a body is lifted.
enum class Part : uint8_t {
  all,
  control,  // what decides on the paths of threads: other values, and most accesses, are left out
};

// launch.block must be set. Other bodies may change `changed_elsewhere` of the private variables. Errors: irreducible
// control flow, with the source location.
support::Result<Lifted> lift(const ir::Program& program, const ir::Body& body, const ir::Launch& launch,
                             const Bindings& bindings, const VariableSet& changed_elsewhere, Part part);

}  // namespace warpspan::lift
