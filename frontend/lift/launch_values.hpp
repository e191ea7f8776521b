// Values that are fixed before a kernel's first instruction: parameters, addresses of variables, special registers.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "frontend/lift/arguments.hpp"
#include "frontend/lift/emitter.hpp"
#include "frontend/ptx/ast.hpp"
#include "ir/flow.hpp"

namespace warpspan::lift {

class LaunchValues {
 public:
  // launch.block must be set.
  LaunchValues(const ptx::Module& module, const ir::Launch& launch, const Bindings& bindings, Emitter& emitter)
      : module_(module), launch_(launch), bindings_(bindings), emitter_(emitter) {}

  // `bits` bits at a byte offset of a kernel parameter: what the user gave, or one unknown value for each place and
  // width.
  llvm::Value* parameter(uint32_t variable, int64_t offset, unsigned bits);

  // The address of a variable in its own state space, or that of a function.
  llvm::Value* variable_address(uint32_t variable, unsigned bits);
  llvm::Value* function_address(uint32_t function, unsigned bits);

  // What has to be added to an address of a state space to make it a generic one.
  llvm::Value* window(ir::MemorySpace space, unsigned bits);

  // A special register where it is read now. Component 1..4, or 0 where it has none.
  llvm::Value* special(ptx::SpecialRegister which, int component, unsigned bits);

 private:
  llvm::Value* thread(int component, unsigned bits);
  llvm::Value* block_extent(int component, unsigned bits);
  llvm::Value* block_index(int component, unsigned bits);
  llvm::Value* grid_extent(int component, unsigned bits);
  llvm::Value* uniform(const std::string& what, unsigned bits, std::optional<Range> range = std::nullopt,
                       const std::string& option = {});

  const ptx::Module& module_;
  const ir::Launch& launch_;
  const Bindings& bindings_;
  Emitter& emitter_;
  std::map<std::pair<std::string, unsigned>, llvm::Value*> uniforms_;
};

}  // namespace warpspan::lift
