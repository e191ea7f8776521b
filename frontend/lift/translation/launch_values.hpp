// SPDX-License-Identifier: GPL-3.0-or-later
// Values that are fixed before a kernel's first instruction: parameters, addresses of variables, special registers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "frontend/lift/translation/arguments.hpp"
#include "frontend/lift/translation/emitter.hpp"
#include "ir/flow.hpp"
#include "ir/program.hpp"

namespace warpspan::lift {

// What a user can give for how many blocks there are, as it is typed behind ir::mention.
inline constexpr const char* grid_option = "{grid} X";

class LaunchValues {
 public:
  // launch.block must be set.
  LaunchValues(const ir::Program& program, const ir::Launch& launch, const Bindings& bindings, Emitter& emitter)
      : program_(program), launch_(launch), bindings_(bindings), emitter_(emitter) {}

  // `bits` bits at a byte offset of a kernel parameter: what the user gave, a constant or a value of a range, or one
  // unknown value for each offset and width.
  llvm::Value* parameter(ir::VariableId parameter, int64_t offset, unsigned bits);

  // Likewise for a variable in global or constant memory: what the user or its initialiser gives; of constant memory
  // else one unknown value for each offset and width; null where nothing is known.
  llvm::Value* variable(ir::VariableId variable, int64_t offset, unsigned bits);
  // What bits of a variable are, in words, and the option that gives them; no words if none can.
  struct Name {
    std::string what;
    std::string option;
  };
  static Name name_of(const ir::Program& program, ir::VariableId variable, int64_t offset, int64_t bytes);
  // Likewise, by the names of the source where they are known.
  static Name source_name_of(const ir::Program& program, ir::VariableId variable, int64_t offset, int64_t bytes);
  // Whose initialisers were taken.
  const std::set<ir::VariableId>& trusted() const { return trusted_; }

  // The address of a variable in its own state space, or that of a function.
  llvm::Value* variable_address(ir::VariableId variable, unsigned bits);
  llvm::Value* function_address(uint32_t function, unsigned bits);

  // What has to be added to an address of a state space to make it a generic one.
  llvm::Value* window(ir::MemorySpace space, unsigned bits);

  // A special value where it is read now. Component 1..4, or 0 where it has none.
  llvm::Value* special(ir::SpecialValue which, int component, unsigned bits);

 private:
  llvm::Value* given(ir::VariableId parameter, const GivenValue& value);
  llvm::Value* composed(ir::VariableId parameter, int64_t offset, unsigned bits);
  llvm::Value* thread(int component, unsigned bits);
  llvm::Value* block_extent_of(int component, unsigned bits);
  llvm::Value* block_index_of(int component, unsigned bits);
  llvm::Value* grid_extent_of(int component, unsigned bits);
  llvm::Value* uniform(const std::string& what, unsigned bits, std::optional<Range> range = std::nullopt,
                       const std::string& option = {});

  const std::string& name(ir::SpecialValue value) const { return program_.special_names[static_cast<size_t>(value)]; }

  const ir::Program& program_;
  const ir::Launch& launch_;
  const Bindings& bindings_;
  Emitter& emitter_;
  std::map<std::pair<std::string, unsigned>, llvm::Value*> uniforms_;
  std::set<ir::VariableId> trusted_;
};

}  // namespace warpspan::lift
